"""What counts as a sample: not what can only repeat other games, but all else."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.games.engine.mirror_images import canonical, symmetries
from rulewright.matches.api import match
from rulewright.matches.game_record import GameRecord, RecordedMove
from rulewright.matches.openings import (
    enough,
    merge_transpositions,
)
from rulewright.matches.plan import MatchPlan, Openings, Refusal
from rulewright.matches.record_files import read_matches
from rulewright.matches.run import Run
from rulewright.matches.standing import Standing
from rulewright.matches.summary import summary_lines

PLAN = MatchPlan("tictactoe", {}, ("a", "b"), 200, openings=Openings(1))
SITES = [f"{column}{row}" for column in "abc" for row in "123"]

# --- counting ---


@st.composite
def kinds(draw: st.DrawFn) -> tuple[str, bool, tuple[int | None, int | None]]:
    """An opening, whether its games are fixed, the winners of both games."""
    winner = st.sampled_from([0, 1, None])
    return draw(st.sampled_from(SITES)), draw(st.booleans()), (draw(winner), draw(winner))


def pair(number: int, kind: tuple[str, bool, tuple[int | None, int | None]]) -> list[GameRecord]:
    opening, fixed, winners = kind
    moves = (RecordedMove(opening, 0), RecordedMove("further", 1, seconds=0.0))
    return [
        GameRecord(
            PLAN.name, 2 * number + i, number, "tictactoe", {},
            ("a", "b") if i == 0 else ("b", "a"), moves, 1, winner, "rules", "", 2, 0, fixed=fixed,
        )
        for i, winner in enumerate(winners)
    ]  # fmt: skip


def standing(plan: MatchPlan, games: list[GameRecord]) -> Standing:
    found = Standing(plan)
    for game in games:
        found.add(game)
    return found


@settings(deadline=None)
@given(
    st.lists(kinds(), max_size=6, unique_by=lambda kind: kind[0]),
    st.lists(st.tuples(kinds(), st.integers(0, 3)), max_size=6),
    st.randoms(),
)
def test_games_with_decisions_without_a_search_are_no_samples(
    good: list[Any], bad: list[Any], chance: Random
) -> None:
    """They change no count; only how many they are is told, and by whom such decisions were."""
    games = [game for number, kind in enumerate(good) for game in pair(number, kind)]
    more, unsearched = list[GameRecord](), 0
    for number, ((opening, _, winners), which) in enumerate(bad, len(good)):
        two = pair(number, (opening, False, winners))
        marked = [evolve(move, searched=not which & 1 << i) for i, move in enumerate(two[0].moves)]
        unsearched += not all(move.searched for move in marked)
        keep = all(move.searched for move in marked)
        (games if keep else more).extend([evolve(two[0], moves=tuple(marked)), two[1]])
    without = standing(PLAN, games).as_data("")
    every = [*games, *more]
    chance.shuffle(every)
    told = standing(PLAN, every).as_data("")
    assert told["unsearched_games"] == 2 * unsearched
    for name in ("games", "pairings", "ratings", "pairs", "elo", "first_share"):
        assert told[name] == without[name]
    said = "\n".join(summary_lines(told))
    assert (f"{2 * unsearched} games are of pairs with such decisions" in said) == any(
        e["unsearched"] for e in told["effort"]
    )


@settings(deadline=None)
@given(
    st.lists(kinds(), max_size=12, unique_by=lambda kind: kind[0]),
    st.data(),
    st.sampled_from([None, (0.0, 200.0, 0.05, 0.05), (-5.0, 5.0, 0.3, 0.3)]),
)
def test_repeated_pairs_change_nothing(known: list[Any], data: st.DataObject, sprt: Any) -> None:
    plan = evolve(PLAN, sprt=sprt)
    games = [game for number, kind in enumerate(known) for game in pair(number, kind)]
    fixed = [kind for kind in known if kind[1]]
    again = data.draw(st.lists(st.sampled_from(fixed), max_size=40) if fixed else st.just([]))
    more = [g for n, kind in enumerate(again, len(known)) for g in pair(n, kind)]
    more = data.draw(st.permutations([*games, *more])) if sprt is None else [*games, *more]
    once, often = standing(plan, games), standing(plan, more)
    assert often.verdict == once.verdict
    told = often.as_data("")
    if once.verdict is None:
        assert told.pop("repeated_games") == 2 * len(again)
    else:
        told.pop("repeated_games")
    alone = once.as_data("")
    assert alone.pop("repeated_games") == 0
    assert told == alone


@given(kinds(), st.integers(2, 20))
def test_games_with_chance_count_though_they_coincide(kind: Any, times: int) -> None:
    games = [g for n in range(times) for g in pair(n, (kind[0], False, kind[2]))]
    found = standing(PLAN, games)
    assert (found.games, found.repeated) == (2 * times, 0)
    assert sum(found.counts("a", "b")) == times
    assert found.as_data("")["distinct_games"] == 1


def test_a_verdict_does_not_come_from_a_pair_reported_often() -> None:
    plan = evolve(PLAN, sprt=(0.0, 30.0, 0.05, 0.05))
    won = [g for n in range(100) for g in pair(n, ("b2", True, (0, 1)))]
    assert standing(plan, won).verdict is None
    free = [evolve(game, fixed=False) for game in won]
    assert standing(plan, free).verdict == 1


# --- playing ---

PERSONALITY = """format 1
personality steady for tictactoe
search minimax, depth 2
use rows
pick best
ties first
"""
EVALUATOR = """format 1
evaluator rows for tictactoe
factor own_rows = 1 points in -5..5 "for each row that the other player has no mark in"
let rows = count(l in lines(run) : no (l enemy))
value of position for cross = own_rows * (rows - rows for enemy)
"""


@pytest.fixture
def steady(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "rows.eval").write_text(EVALUATOR)
    path = tmp_path / "steady.personality"
    path.write_text(PERSONALITY)
    return str(path), f"{path}@own_rows=-1"


def played(run: Run) -> dict[str, Any]:
    with run:
        for _ in run:
            pass
    result = run.result()
    for effort in result["effort"]:
        effort.pop("seconds")
    return result


def test_a_match_that_can_only_repeat_itself_stops(steady: tuple[str, str], tmp_path: Path) -> None:
    record = tmp_path / "record.db"

    def run(**more: Any) -> Run:
        return match("tictactoe", *steady, games=60, openings=["b2 a1", "a1 b2 c3"], **more)

    result = played(run())
    assert (result["games"], result["distinct_games"], sum(result["pairs"])) == (4, 4, 2)
    assert result["stopped"].startswith("4 games are all that count")
    assert "the other 56 of 60 would repeat them" in result["stopped"]
    with ThreadPoolExecutor(3) as pool:
        assert played(run(executor=pool, workers=3)) == result
    with run(record=record) as begun:
        next(begun)
    assert played(run(record=record)) == result
    assert played(run(record=record)) == result
    assert len(read_matches(record)[0].games) == 4


def test_chance_plays_all_games_of_one_opening(steady: tuple[str, str]) -> None:
    result = played(match("tictactoe", steady[0], "random", games=30, openings=["b2"]))
    assert (result["games"], result["repeated_games"]) == (30, 0)
    assert result["stopped"] == "all 30 games are played"
    assert result["distinct_games"] < 30


def test_a_limit_of_time_is_chance(steady: tuple[str, str]) -> None:
    run = match("tictactoe", *steady, games=4, openings=["b2"], time=5.0)
    assert not any(game.fixed for game in run)
    assert run.result()["games"] == 4


def test_two_orders_of_one_opening_are_one(steady: tuple[str, str]) -> None:
    game = rulewright.load("tictactoe")
    lines = [["a1", "b2", "c3"], ["c3", "b2", "a1"], ["a1", "b2", "c2"]]
    assert merge_transpositions(game, lines) == [
        ("a1", "b2", "c3"),
        ("a1", "b2", "c3"),
        ("a1", "b2", "c2"),
    ]
    openings = [" ".join(line) for line in lines]
    assert played(match("tictactoe", *steady, games=6, openings=openings))["games"] == 4


# --- openings ---


@pytest.mark.parametrize(("name", "count"), [("connect4", 40), ("hex", 10)])
def test_there_are_enough_openings_for_every_pair(name: str, count: int) -> None:
    game = rulewright.load(name)
    lines = enough(game, count, 2)
    ends = [game.start().play(" ".join(line)) for line in lines]
    assert len(lines) == count
    assert len({repr(canonical(end, symmetries(game))) for end in ends}) == count
    assert len({end.ply for end in ends}) == 1
    assert (ends[0].ply > 2) == (name != "hex")


def test_a_default_match_repeats_no_opening(steady: tuple[str, str]) -> None:
    games = list(match("tictactoe", *steady, games=20))
    assert len({tuple(game.decisions[: game.opening]) for game in games}) == 10
    assert all(game.fixed for game in games)


# --- told ---


def test_the_page_says_what_the_command_says(
    steady: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, page = str(tmp_path / "record.db"), tmp_path / "page.html"
    words = ["--games", "40", "--openings", "1", "--sprt", "0", "30", "--record", record]
    assert main(["match", "tictactoe", *steady, *words]) == 0
    said = capsys.readouterr().out.splitlines()
    assert main(["report", record, "--out", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "would repeat them" in said[-1]
    for line in said:
        if not line.endswith("a decision"):  # a table on the page
            assert f"<p>{line.strip()}</p>" in text


@pytest.mark.parametrize(
    ("counts", "winner", "games"), [("void", None, 0), ("drawn", None, 2), ("lost", 1, 2)]
)
def test_a_refused_decision_counts_as_the_plan_says(
    counts: Refusal, winner: int | None, games: int
) -> None:
    plan = evolve(PLAN, refused=counts)
    one, two = pair(0, ("a1", True, (winner, 0)))
    found = standing(plan, [evolve(one, reason="refused"), two])
    assert found.games == games
    assert found.as_data("")["refused_games"] == 2 - games
    told = "legal decision refused" in "\n".join(summary_lines(found.as_data("")))
    assert told == (counts == "void")
    assert found.reasons["refused"] == 1
