"""Parts of mining: strengths, predictions, rules grown and shrunk, claimed symmetry."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import load
from rulewright.learning.aims import claimed_symmetry
from rulewright.learning.growing import grow
from rulewright.learning.outlooks import SILENT, Outlook, ShapeQuestion
from rulewright.learning.shapes import ShapeTable
from rulewright.learning.strengths import Contests, predict
from rulewright.matches.game_files import read
from tests.shared.effort import tries
from tests.shared.proposals import said


@st.composite
def contests(draw: st.DrawFn) -> Contests:
    """Contests of up to four patterns, won by a move that takes part."""
    columns = draw(st.integers(2, 5))
    numbers = st.lists(st.integers(0, 6), min_size=columns, max_size=columns).filter(any)
    counts = draw(st.lists(numbers, min_size=1, max_size=12))
    winners = [draw(st.sampled_from([i for i, n in enumerate(row) if n])) for row in counts]
    return Contests(np.array(counts, float), np.array(winners))


@given(contests())
def test_patterns_win_as_often_as_their_strengths_say(given_contests: Contests) -> None:
    """At the optimum the wins of each pattern, with its two games of the prior, are expected."""
    strengths = given_contests.strengths()
    shares = given_contests.counts / (given_contests.counts @ strengths)[:, None]
    expected = strengths * shares.sum(axis=0) + 2 * strengths / (1 + strengths)
    assert strengths[0] == 1.0
    assert np.allclose(expected[1:], given_contests.wins[1:] + 1, rtol=1e-3)


@given(contests(), st.integers(0, 99))
def test_ranks_are_those_of_moves_in_an_order_that_chance_settles(
    given_contests: Contests, seed: int
) -> None:
    """Moves of one pattern share their ranks: the mean over orders drawn by chance is told."""
    random, columns = Random(seed), given_contests.counts.shape[1]
    ranks = random.sample(range(1, columns), columns - 1)
    told = predict(given_contests, ranks, given_contests.strengths())
    lowest, highest = [], []
    for row, winner in zip(given_contests.counts, given_contests.winners, strict=True):
        order = [0, *ranks]
        better = sum(n for n, rank in zip(row, order, strict=True) if rank > order[winner])
        lowest.append(better + 1)
        highest.append(better + row[winner])
    assert np.isclose(told.rank, (np.mean(lowest) + np.mean(highest)) / 2)
    assert np.mean(np.array(highest) <= 1) <= told.first <= np.mean(np.array(lowest) <= 1)
    assert np.mean(np.array(highest) <= 10) <= told.ten <= np.mean(np.array(lowest) <= 10)


Numbers = np.ndarray[Any, np.dtype[Any]]
QUESTIONS = tuple(ShapeQuestion((x, 0)) for x in range(1, 9))


def planted_table(planted: dict[int, int], seed: int) -> tuple[ShapeTable, Numbers]:
    """Rows whose moves are played much more often where all planted answers are given."""
    random = np.random.default_rng(seed)
    answers = random.integers(0, SILENT, (800, len(QUESTIONS))).astype(np.int8)
    for place, answer in planted.items():  # half of the rows have each answer, and some by chance
        answers[random.random(800) < 0.5, place] = answer
    holds = np.all([answers[:, place] == answer for place, answer in planted.items()], axis=0)
    played = random.random(800) < np.where(holds, 0.9, 0.02)
    return ShapeTable(Outlook(False, (0, 1)), QUESTIONS, answers, played), holds


@settings(max_examples=tries(20))
@given(st.dictionaries(st.integers(0, 7), st.integers(0, SILENT - 1), min_size=1, max_size=3))
def test_a_planted_rule_is_grown_and_shrunk_to_itself(planted: dict[int, int]) -> None:
    """All planted answers are the first rule; one of chance comes to them in few tables only."""
    more = 0
    for seed in range(10):
        table, holds = planted_table(planted, seed)
        rule = grow(table, 10)[0]
        assert planted.items() <= dict(rule.answers).items()
        more += len(rule.answers) > len(planted)
        if len(rule.answers) == len(planted):
            assert (rule.played, rule.rows) == (table.played[holds].sum(), holds.sum())
    assert more <= 2


@pytest.mark.parametrize(
    ("game", "symmetry"),
    [("connect5", "all"), ("twixt", "mirror"), ("pente", "none"), ("hex", "none")],
)
def test_no_more_symmetry_is_used_than_claimed(game: str, symmetry: str) -> None:
    """Pente claims quarter turns alone, and Hex half a turn: neither has a mirror image."""
    assert claimed_symmetry(load(game)) == symmetry


@pytest.mark.parametrize(
    ("game", "lines", "message"),
    [
        ("connect5", ["game connect5\ne5 e6\n"], "at least 4 games"),
        ("chess", ["game chess\ne2e4\n"] * 4, "no decision of chess puts a piece on one site"),
        ("connect5", ["game hex\na1 a2\n"] * 4, "a game of <Game hex>, and not of"),
        ("connect5", ["game connect5\ne5 e6 e7\n"] * 5, "no shape was played more often"),
    ],
)
def test_what_cannot_be_mined_is_refused(
    game: str, lines: list[str], message: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, text in enumerate(lines):
        (write / f"{number}.txt").write_text(text, "utf-8")
        assert read(write / f"{number}.txt")  # a game that can be read
    files = [f"{number}.txt" for number in range(len(lines))]
    arguments = ["mine", game, "--games", *files, "--out", "new.patterns"]
    status, _, told = said(capsys, "patterns", *arguments)
    assert (status, message in told) == (2, True), told
    assert not (write / "new.patterns").exists()
