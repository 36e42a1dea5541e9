"""The commands that are about evaluators and personalities, as a person at a shell meets them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.games.files.games import load
from rulewright.matches.protocols.format_settings import formats
from tests.shared.places import RULESETS


def test_check_reads_evaluators_and_personalities(run: Any) -> None:
    folder = RULESETS / "conniption"
    status, out, err = run(
        "check", str(folder / "conniption.eval"), str(folder / "flip.personality")
    )
    assert (status, out) == (0, "")
    assert err.count("fine") == 2


def test_a_claim_of_an_evaluator_that_fails_is_shown(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "e.eval"
    path.write_text(
        "format 1\nevaluator e for connect4\nvalue of position for yellow = count own\n"
        'claim after "4 4" count own = 2\n'
    )
    status, out, _ = run("check", str(path))
    assert status == 1
    assert "this does not hold after 4 4 [claim-fails]" in out
    assert ":4:1:" in out


def test_factors_lists_names_ranges_and_meanings(run: Any) -> None:
    status, out, _ = run("factors", "spanit")
    assert status == 0
    assert "GamePredictability   50% in -1000%..1000%  share of the" in out
    assert "personality perfect: Cannot be beaten when it begins" in out
    status, out, _ = run("factors", "spanit", "--format", "json")
    data = json.loads(out)
    by_name = {e["name"]: e for e in data["evaluators"]}
    assert [f["name"] for f in by_name["spanit"]["factors"] if f["for_search"]] == [
        "GameTreeMaxBreadth", "GameTreeMaxDepth", "GameTreeBreadthTrim", "GameTreeValueFade",
    ]  # fmt: skip
    assert by_name["spanit"]["values"] == [{"name": "value", "of": ["join"], "side": "mover"}]


def test_factors_lists_one_personality_with_its_own_values(run: Any, tmp_path: Path) -> None:
    status, out, _ = run("factors", "spanit", "default")
    assert status == 0
    assert "  GameTreeMaxDepth     3 (default 1) in 1..100 decisions" in out
    assert out.endswith("personality default: " + _about("spanit/default.personality") + "\n")
    assert out.count("personality ") == 1
    assert "runner" in run("factors", "spanit", "nobody")[2]
    own = tmp_path / "mine.personality"
    own.write_text("format 1\npersonality mine for spanit\nextends default\nNodeMajor = 12\n")
    assert "12 (default 10)" in run("factors", "spanit", str(own))[1]
    assert run("factors", str(own), "default")[0] == 2


def _about(name: str) -> str:
    """The first sentence of a text's comment."""
    lines = (RULESETS / name).read_text("utf-8").splitlines()
    words = " ".join(line[2:] for line in lines if line.startswith("# "))
    return words.partition(".  ")[0] + "."


def test_a_game_without_personalities_says_so(run: Any) -> None:
    assert run("factors", "coins")[1] == "coins has no evaluators and no personalities\n"


def test_explain_names_the_deciding_factor(run: Any) -> None:
    words = ("explain", "spanit", "--set", "size=3", "--personality", "hasty")
    status, out, _ = run(*words, "--moves", "M00 M11 M20 m00", "--seed", "3")
    assert status == 0
    assert out.startswith("hasty plays M10 by `value`; bigger is better for vertical\n")
    assert out.splitlines()[-1].startswith("decided by PathIsWinner (+1000), M10 against ")
    status, out, _ = run(*words, "--moves", "M00 M11 M20 m00", "--format", "json", "M10")
    data = json.loads(out)
    assert (data["side"], data["decided_by"], data["chosen"]) == ("vertical", "PathIsWinner", "M10")
    (move,) = data["moves"]
    assert move["move"] == "M10"
    assert move["value"] == pytest.approx(sum(move["terms"].values()))


def test_explain_asks_the_best_player_where_nobody_is_named(run: Any) -> None:
    status, out, _ = run("explain", "othello", "--set", "size=4")
    assert (status, out.split()[0]) == (0, formats(load("othello")).play.best)
    status, out, _ = run("explain", "tictactoe")  # it has one player
    assert (status, out.split()[0]) == (0, "solver")
    status, out, err = run("explain", "conniption")
    assert (status, out) == (2, "")
    assert "names no best player" in err
    assert "careful_flipper, cells" in err


def test_explain_versus_names_the_factor_that_makes_the_difference(run: Any) -> None:
    words = ("explain", "othello", "--personality", "greedy", "--versus", "cornered")
    status, out, _ = run(*words, "--moves", "d3 c3", "--format", "json")
    assert status == 0
    versus = json.loads(out)["versus"]
    assert versus["personality"] == "cornered"
    assert isinstance(versus["factors"], list)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("explain", "connect4", "--personality", "countr"), "did you mean `counter`?"),
        (("explain", "connect4", "a9", "--personality", "counter"), "`a9` is no move"),
        (("play", "hex", "red=human:nobody"), "hex has no personality `nobody`"),
    ],
)
def test_mistakes_with_personalities_are_explained(run: Any, words: Any, message: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert message in err


def test_best_asks_a_personality(run: Any) -> None:
    status, out, _ = run("best", "connect4", "--personality", "counter", "--moves", "1 7 1 7 1 6")
    data = json.loads(out)
    assert (status, data["move"], data["side"], data["personality"]) == (
        0,
        "1",
        "yellow",
        "counter",
    )
    assert (data["proven"], data["distance"]) == ("win", 1)
    status, out, _ = run(
        "best", "conniption", "--personality", "dice", "--turn", "--format", "text"
    )
    assert status == 0
    assert out.split()[0].strip("!").isdigit()


def test_a_personality_plays_and_gives_hints(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n1\nquit\n"))
    status, out, _ = run(
        "play", "connect4", "yellow=human:counter", "red=counter:5", "--moves", "1 7 1 7 1 6"
    )
    assert status == 0
    assert "hint: 1\n" in out
    assert "yellow wins" in out


def test_a_personality_says_why_it_decided(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("why\n4\nwhy\nquit\n"))
    status, out, _ = run("play", "connect4", "yellow=human", "red=eager")
    assert status == 0
    assert "no computer has decided yet" in out
    moved = re.search(r"red plays (\d)\n", out)
    assert moved
    told = out[out.index("eager played") :].splitlines()
    assert told[0] == f"eager played {moved[1]} by `value`; bigger is better for red"
    assert told[1].split()[:2] == [">", moved[1]]


def test_why_tells_of_who_played_and_not_of_who_gives_hints(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("why\n4\nwhy\nquit\n"))
    status, out, _ = run("play", "connect4", "yellow=human:counter", "red=random")
    assert status == 0
    assert "counter play" not in out
    moved = re.search(r"red plays (\d)\n", out)
    assert moved
    assert f"random played {moved[1]} for red\ndecided by chance\n" in out


def test_lint_ends_with_what_it_knows_when_the_time_is_over(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of as many positions as there was time for; the same as if only these were asked for."""
    words = ("lint", "othello", "greedy", "--format", "json")
    _, asked, _ = run(*words, "--positions", "3")
    _, out, told = run(*words, "--positions", "3", "--time", "1000")
    assert (out, told) == (asked, "")
    monkeypatch.setattr("rulewright.ground.budget.over", lambda: True)
    status, out, told = run(*words, "--positions", "30", "--time", "1000")
    assert json.loads(out)["positions"] == 1
    assert "the time was over after 1 of 30 positions; give more with --time" in told
    assert {f["name"] for f in json.loads(out)["factors"]} == {
        f["name"] for f in json.loads(asked)["factors"]
    }
    assert status in (0, 1)


def test_new_writes_a_personality_and_lint_tries_it(run: Any, tmp_path: Path) -> None:
    name = str(tmp_path / "mine")
    status, _, err = run("new", name, "--from", "othello", "--personality", "greedy")
    assert status == 0
    path = tmp_path / "mine.personality"
    assert f"{path} written" in err
    assert "late = 60        # 0..60 places: the number of empty places" in path.read_text("utf-8")
    assert run("check", str(path))[:2] == (0, "")
    assert run("new", name, "--from", "othello", "--personality")[0] == 2  # it is there already
    status, out, _ = run("lint", "othello", str(path), "--positions", "2", "--format", "json")
    data = json.loads(out)
    assert [f["name"] for f in data["factors"]] == ["disc_worth", "late"]
    assert status == (1 if data["idle"] else 0)


def test_explain_draws(run: Any) -> None:
    words = ("explain", "hex", "--set", "size=3", "--personality", "builder", "--svg", "-")
    status, out, _ = run(*words)
    assert status == 0
    assert out.startswith("<svg")
    assert 'class="heat"' in out


def test_the_column_of_games_is_as_wide_as_the_longest_name(run: Any) -> None:
    status, out, _ = run("games")
    assert status == 0
    assert {line.split()[0] for line in out.splitlines()} >= {"chess", "internationaldraughts"}
