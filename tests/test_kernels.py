"""One semantics, three executions: reference, kernels in Python, kernels as machine code."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.kernels import plan as p
from rulewright.kernels.engine import Engine, native_is_there
from rulewright.loading import bundled, load_with
from rulewright.reference.play import Situation
from tests.test_conformance import SMALL, game

GAMES = sorted(bundled())
IN_PYTHON = [name for name in GAMES if name != "chess"]  # ten thousand lines: seconds to read
needs_llvm = pytest.mark.skipif(not native_is_there(), reason="llvmlite is not installed")


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


def outcome(situation: Situation) -> int:
    """The result of a finished game as kernels number it; RUNNING while it goes on."""
    if situation.ended is None:
        return p.RUNNING
    winner = situation.ended.winner
    return p.DRAWN if winner is None else winner


def successors(name: str, kernels: Engine, situation: Situation) -> list[tuple[int, ...]]:
    """Every position that kernels reach by one decision, as words with the result."""
    kernels.set(situation.position)
    before = kernels.words()
    found = []
    for number in range(kernels.decisions()):
        kernels.step(number)
        found.append(tuple(kernels.words()))
        kernels.restore(before)
        assert kernels.words() == before
        kernels.decisions()
    return sorted(found)


def expected(kernels: Engine, situation: Situation) -> list[tuple[int, ...]]:
    found = []
    for option in situation.options:
        after = situation.after(option)
        words = kernels.encode(after.position)
        words[p.RESULT] = outcome(after)
        found.append(tuple(words))
    return sorted(found)


def agree(name: str, backend: str, seed: int, most: int) -> None:
    """Play a random game and compare all decisions of every position on the way."""
    random, kernels = Random(seed), engine(name, backend)
    situation = game(name).play.start()
    for _ in range(most):
        if situation.ended:
            break
        theirs, ours = successors(name, kernels, situation), expected(kernels, situation)
        assert [_visible(w) for w in theirs] == [_visible(w) for w in ours]
        if not situation.options:
            kernels.set(situation.position)
            found = situation.outcome
            assert found is not None
            won = p.DRAWN if found.winner is None else found.winner
            assert kernels.outcome_when_stuck() == won
            break
        situation = situation.after(random.choice(situation.options))


def _visible(words: tuple[int, ...]) -> tuple[int, ...]:
    """The words without how much history there is: a game that has ended notes no more of it."""
    return words[: p.PAST] + words[p.HEAD :]


seeds = st.integers(0, 2**32)


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3, deadline=None)
@given(seed=seeds)
def test_machine_code_agrees_with_the_reference(name: str, seed: int) -> None:
    agree(name, "native", seed, 40 if name == "chess" else 60)


@pytest.mark.parametrize("name", IN_PYTHON)
@settings(max_examples=1, deadline=None)
@given(seed=seeds)
def test_python_agrees_with_the_reference(name: str, seed: int) -> None:
    agree(name, "python", seed, 12)


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
def test_perft_agrees(name: str) -> None:
    depth = 2 if name in ("amazons", "chess", "loa", "pente") else 3
    start = game(name).start()
    assert engine(name, "native").count(start.situation.position, depth) == start.count(depth)


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
def test_random_games_end_without_a_fault(name: str) -> None:
    start = game(name).start().situation.position
    _, (first, second, drawn, faults) = engine(name, "native").playouts(start, 50, most=2000)
    assert faults == 0
    assert first + second + drawn == 50


@needs_llvm
@pytest.mark.parametrize(
    ("name", "options", "plies", "first", "drawn"),
    [  # of a hand-written C program for each game, random moves, many thousand games
        ("connect4", {}, 21.31, 0.556, 0.003),
        ("tictactoe", {}, 7.63, 0.585, 0.127),
        ("hex", {}, 107.5, 0.523, 0.0),
        ("spanit", {}, 53.19, 0.539, 0.0),
        ("twixt", {"size": 8, "pie": False}, 45.34, 0.316, 0.416),
        ("breakthrough", {}, 64.10, 0.509, 0.0),
    ],
)
def test_statistics_of_random_games(
    name: str, options: dict[str, object], plies: float, first: float, drawn: float
) -> None:
    kernels, games = Engine(load_with(name, options).play), 2000
    start = kernels.play.first
    total, counts = kernels.playouts(start, games, seed=7)
    assert abs(total / games - plies) < 0.03 * plies + 0.1
    assert abs(counts[0] / games - first) < 0.05  # four standard deviations
    assert abs(counts[2] / games - drawn) < 0.05


def test_the_same_text_every_time() -> None:
    texts = {Engine(load_with("twixt", dict(SMALL["twixt"])).play, "python").text for _ in range(2)}
    assert len(texts) == 1
