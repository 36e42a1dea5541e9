"""Recorded games from files of every kind, judged move by move."""

from __future__ import annotations

import io
import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.language.diagnostics import TextError
from rulewright.matches.api import match
from rulewright.matches.game_files import FileHints, of_record, read_game, write_game
from rulewright.matches.protocols import move_list
from rulewright.matches.protocols.recorded import Recorded
from rulewright.players.analyze import ByPersonality, JudgedMove, analyze, judge_of
from rulewright.players.player import GameLimits
from tests.shared.effort import tries
from tests.shared.playing import played_on

FULL = GameLimits(nodes=1_000_000)
"""Enough to know every result of tic-tac-toe."""
WORTH = {"win": 1, "draw": 0, "loss": -1}


@cache
def loaded(name: str, **options: int) -> Game:
    """A game that all examples share, with what was compiled for it."""
    return rulewright.load(name, **options)


def random_state(name: str, seed: int, most: int, **options: int) -> State:
    return played_on(loaded(name, **options).start(), Random(seed), most)


def judged(state: State, name: str = "", limits: GameLimits | None = None) -> list[JudgedMove]:
    judge = judge_of(state.game, name, limits)
    return list(analyze(Recorded(state.game.name, state), judge))


def result(one: JudgedMove) -> int:
    """The result that a value of the plain search tells, where it knows all."""
    return WORTH.get(one.worth.ends, 0)


@settings(max_examples=tries(6), deadline=None)
@given(st.integers(0, 2**32))
def test_ranks_and_losses_are_those_of_perfect_play(seed: int) -> None:
    state = random_state("tictactoe", seed, 9)
    for one, (before, after) in zip(
        judged(state, limits=FULL)[2:], list(pairwise(state.states()))[2:], strict=True
    ):
        values = {}
        for move in before.moves.texts:
            child = before.play_decision(move)
            if child.result:
                values[move] = 1 if child.result.winner else 0
            else:
                values[move] = -WORTH[str(rulewright.solve(child).value)]
        assert result(one) == values[after.move]
        best = max(v for m, v in values.items() if m != after.move) if len(values) > 1 else -1
        assert (one.rank == 1) or best >= values[after.move]
        if best < values[after.move]:
            assert (one.rank, one.loss) == (1, 0)
        if best > values[after.move]:
            assert one.rank is not None
            assert one.rank > 1
            assert values[str(one.best)] == best


@pytest.mark.parametrize(
    ("name", "options", "who"),
    [
        ("connect4", {}, "eager"),
        ("connect5", {"size": 7}, "smart"),
        ("spanit", {"size": 2}, "runner"),
    ],
)
def test_a_personality_judges_as_it_explains(name: str, options: dict[str, int], who: str) -> None:
    state = random_state(name, 5, 4, **options)
    personality = rulewright.Personality.load(who, state.game)
    for one, before in zip(judged(state, who), state.states(), strict=False):
        told = {m.move: m for m in rulewright.explain(before, personality).moves}
        if one.rank is None:
            assert one.move not in told
            continue
        assert one.worth.value == pytest.approx(told[one.move].value)
        lead = [m.value - told[one.move].value for m in told.values()]
        better, alike = sum(x > 1e-9 for x in lead), sum(abs(x) <= 1e-9 for x in lead)
        assert better < one.rank <= better + alike  # further parts of a value break ties
        others = [m.value for m in told.values() if m.move != one.move]
        assert one.best_worth.value == pytest.approx(max(others))
        assert one.loss == pytest.approx(max(0, max(others) - told[one.move].value))
        assert one.choices == len(before.moves)


@pytest.mark.parametrize("who", ["eager", "counter"])
def test_what_decided_is_a_factor_of_the_personality(who: str) -> None:
    game = rulewright.load("connect4")
    found = judged(game.start().play("4 4 1 7 2"), who)
    names = {one.decided_by for one in found if one.decided_by}
    assert names
    assert names <= set(rulewright.Personality.load(who, game).factors)


def test_a_forced_win_that_is_missed_is_reported() -> None:
    state = rulewright.load("connect4").start().play("4 4 3 3 7 7")
    missed = judged(state, limits=GameLimits(nodes=3000))[4]
    assert (missed.move, str(missed.best)) in {("7", "2"), ("7", "5")}
    assert (missed.best_worth.ends, missed.best_worth.distance) == ("win", 3)
    assert missed.rank is not None
    assert missed.rank > 1
    assert missed.loss is None


def test_a_turn_of_several_decisions_is_judged_for_one_person() -> None:
    state = rulewright.load("conniption").start().play("1 2 1 2 1 2")
    scores = judge_of(state.game, "", GameLimits(nodes=2000)).scores(state, "-")
    assert scores["-"] is not None
    assert scores["-"][0] > 0  # nothing, then the fourth in the column


def test_only_what_is_asked_for_is_judged() -> None:
    state = rulewright.load("tictactoe").start().play("a1 b2 c3 a3")
    judge = judge_of(state.game, "", GameLimits(nodes=100))
    found = list(analyze(Recorded("tictactoe", state), judge, 2, 3))
    assert [(one.number, one.move) for one in found] == [(2, "b2"), (3, "c3")]


def test_who_judges_nothing_is_refused() -> None:
    game = rulewright.load("hex", size=3)
    with pytest.raises(RulewrightError, match="hex has no personality `nobody`"):
        judge_of(game, "nobody")
    spanit = rulewright.load("spanit", size=3)
    with pytest.raises(RulewrightError, match="takes no nodes"):
        judge_of(spanit, "default", GameLimits(nodes=5))


# --- files ---


@settings(max_examples=tries(25), deadline=None)
@given(
    st.sampled_from(["chess", "conniption", "draughts", "tictactoe", "go", "twixt", "pentago"]),
    st.integers(0, 2**32), st.integers(0, 12),
)  # fmt: skip
def test_a_list_of_moves_is_read_back(name: str, seed: int, most: int) -> None:
    game = Recorded(name, random_state(name, seed, most), ("Ann # x", "Bob"))
    again = move_list.read(move_list.write(game).encode(), "game.txt")
    assert again.end.same(game.end)
    assert again.decisions == game.decisions


def test_every_format_gives_the_same_game(tmp_path: Path) -> None:
    state = rulewright.load("twixt", size=8).start().play("c3 swap d5 e4 f6")
    game = Recorded("twixt", state)
    for name in ("game.sgf", "game.T1", "game.txt"):
        write_game(tmp_path / name, game)
        assert read_game(tmp_path / name).same(game)
    saved = {
        "format": 1, "game": "twixt", "options": {"size": 8},
        "moves": " ".join(state.decisions()), "resigned": None,
    }  # fmt: skip
    (tmp_path / "game.json").write_text(json.dumps(saved))
    assert read_game(tmp_path / "game.json").same(game)


def test_games_of_a_match_are_read(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    found = list(match("tictactoe", "random", "random@depth=1", games=4, record=path, workers=1))
    assert found
    for number in range(4):
        game = read_game(path, FileHints(number=number))
        assert game.end.over
        assert set(game.names) == {"random", "random@depth=1"}
    with pytest.raises(RulewrightError, match="holds 4 games, numbered from 0; not 4"):
        read_game(path, FileHints(number=4))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "f6 g4", "a.txt:1:1: the game is not named"),
        ("a.txt", "game twixt size=99\n", "a.txt:1:1: option size must be in 5..36, not 99"),
        ("a.txt", "game tictactoe\n1. a1 b1\n2. a1", "a.txt:3:4: `a1` is not legal for cross"),
        ("a.txt", "game tictactoe # moves\n# a1 a1\nmoves a1 hello!", "a.txt:3:10: `hello!`"),
        ("a.json", '{"game": "tictactoe"}', "a.json is no saved game"),
        ("a.json", "{", "a.json is no saved game"),
        (
            "a.json",
            '{"format": 1, "game": "tictactoe", "options": {},\n "moves": "a1 b1 a1"}',
            "a.json:2:18: `a1` is not legal for cross",
        ),
        ("a.sgf", "(;GM[11]SZ[4];B[zz9])", "a.sgf:1:17: `zz9` is"),
        ("a.T1", "# nothing", "this is no file of T1j"),
        ("a.bin", "\0\1", "a.bin holds binary data"),
        ("a.jsonl", "{}", "a.jsonl"),
        ("missing.sgf", None, "missing.sgf cannot be read: No such file"),
    ],
)
def test_mistakes_in_files(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(RulewrightError) as caught:
        read_game(tmp_path / name)
    assert message in str(caught.value).replace(f"{tmp_path}/", "")
    if "illegal" in str(caught.value):
        assert isinstance(caught.value, TextError)


def test_the_command(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "game.txt"
    path.write_text("game connect4\n4 4 3 3 2 2 1\n")
    assert main(["analyze", str(path), "--personality", "eager", "--from", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("connect4; bigger is better")
    assert [line.split()[0] for line in lines[1:4]] == ["5", "6", "7"]
    assert lines[3].split()[1:3] == ["yellow", "1"]
    assert lines[-1].startswith("yellow wins")
    assert main(["analyze", str(path), "--nodes", "100", "--format", "json", "--to", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["format"] == 1
    assert [one["move"] for one in data["decisions"]] == ["4", "4"]
    assert set(data["decisions"][0]) >= {"rank", "of", "value", "best", "loss", "decided_by"}
    assert main(["analyze", str(path), "--from", "3", "--to", "2"]) == 2
    path.write_text("game connect4\n4 4 9\n")
    assert main(["analyze", str(path)]) == 1
    assert f"{path}:2:5: `9` is" in capsys.readouterr().err


def test_a_record_of_a_forfeit_says_who_lost() -> None:
    (done,) = (g for g in [of_record(_forfeit())])
    assert str(done.ending) == "nought forfeited the game"
    assert done.decisions == ("a1",)


def _forfeit() -> Any:
    from rulewright.matches.game_record import GameRecord, RecordedMove

    return GameRecord(
        "m", 0, 0, "tictactoe", {}, ("A", "B"), (RecordedMove("a1", 0),), 0, 0, "crash", "", 1, 0
    )


def test_games_of_other_programs_are_shown_and_played_on(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.sgf"
    write_game(path, Recorded("hex", rulewright.load("hex", size=3).start().play("a1 b2 c3")))
    assert main(["moves", "hex", "--load", str(path), "--moves", "c1"]) == 0
    assert "red" in capsys.readouterr().out
    assert main(["show", "go", "--load", str(path)]) == 1
    assert "this is game 11 of SGF, and go is 1" in capsys.readouterr().err
    assert main(["show", "hex", "--load", str(path), "--board", "x"]) == 2
    capsys.readouterr()
    on, saved = tmp_path / "more.T1", tmp_path / "more.sgf"
    keys = f"c1\nsave {on}\nsave {saved}\nsave {saved}\nresign\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(keys))
    assert main(["play", "hex", "red=human", "blue=human", "--load", str(path)]) == 0
    out = capsys.readouterr().out
    assert "hex has no files of T1j" in out
    assert "is there already; choose another name" in out
    assert "red wins: blue resigned" not in out
    assert read_game(saved).decisions == ("a1", "b2", "c3", "c1")


def test_games_are_converted(tmp_path: Path, capsys: Any) -> None:
    source, out = tmp_path / "game.tsgf", tmp_path / "game.T1"
    source.write_text("(;FF[4]PB[Ann]PW[Bob]SZ[12];b[dd];r[swap];b[ef](;r[gh])(;r[hh]))")
    assert main(["convert", str(source), str(out), "--game", "twixt"]) == 0
    assert "1 variation left out" in capsys.readouterr().err
    assert read_game(out).decisions == ("d4", "swap", "f5", "h7")
    assert main(["convert", str(out), str(out)]) == 2
    assert "is there already; --force replaces it" in capsys.readouterr().err
    assert main(["convert", str(out), str(out), "--force"]) == 0
    assert main(["convert", str(out)]) == 0
    assert capsys.readouterr().out.startswith("game twixt size=12")
    old = tmp_path / "old.patterns"
    old.write_text("O 2\nE 3 3\nS 2 1\n")
    assert main(["convert", str(old)]) == 0
    assert "Own 3 3" in capsys.readouterr().out


def test_a_decision_that_is_not_even_considered_is_judged_by_what_follows() -> None:
    state = rulewright.load("twixt", size=12).start().play("f6 g4 b1")
    last = judged(state, "t1", GameLimits(depth=2))[-1]
    assert last.rank is not None
    assert last.judged < last.choices
    assert last.worth.value is not None


@settings(max_examples=tries(8), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["connect4", "conniption"]))
def test_what_follows_a_decision_is_worth_what_the_whole_search_says(seed: int, name: str) -> None:
    state = random_state(name, seed, 8)
    if state.over:
        return
    who = {"connect4": "counter", "conniption": "sols_steady"}[name]
    judge = judge_of(state.game, who, GameLimits(depth=2))
    assert isinstance(judge, ByPersonality)
    scores = judge.scores(state, state.moves.texts[0])
    for move, score in scores.items():
        line = judge._line_after(state, move, "")
        assert line is not None
        assert line.score == pytest.approx(score)


@pytest.mark.parametrize("suffix", [".sgf", ".txt", ".json"])
def test_other_options_than_those_of_the_file_are_refused(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board is that of the file: what `--set` says of another one was passed over."""
    path, state = tmp_path / f"game{suffix}", random_state("hex", 1, 3, size=5)
    if suffix == ".json":
        game = {"format": 1, "game": "hex", "options": {"size": 5}}
        path.write_text(json.dumps(game | {"moves": " ".join(state.decisions())}))
    else:
        write_game(path, Recorded("hex", state))
    words = ["convert", str(path), "--set"]
    assert main([*words, "size=7"]) == 2
    expected = f"rulewright: {path} is a game with size=5, not 7; leave --set size out\n"
    assert capsys.readouterr().err == expected
    assert main([*words, "size=5"]) == 0
    assert main([*words, "depth=5"]) == (1 if suffix == ".txt" else 2)
