"""Kernels of every bundled game as machine code: perft, and random games."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.compiler.engine import Engine
from rulewright.games.files.games import load_with
from tests.shared.backends import needs_llvm
from tests.shared.bundled import SMALL, game
from tests.shared.sample import chosen

GAMES = chosen()
FEW = 8_000
"""So many sequences the reference counts here."""


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
def test_perft_agrees(name: str) -> None:
    start, kernels = game(name).start("reference"), engine(name, "native")
    first = start.situation.position
    depth = 3 if kernels.perft(first, 3) <= FEW else 2
    assert kernels.count(first, depth) == start.count(depth)


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
def test_random_games_end_without_a_fault(name: str) -> None:
    start, untested = game(name).start().situation.position, game(name).rules.untested
    _, (first, second, drawn, faults) = engine(name, "native").playouts(start, 50, most=2000)
    assert faults == 0
    without_end = "ends" in {row.what for row in untested}
    assert first + second + drawn <= 50 if without_end else first + second + drawn == 50


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
    texts = {
        Engine(load_with("twixt", dict(SMALL["twixt"])).play, "python").lowered.text
        for _ in range(2)
    }
    assert len(texts) == 1


@pytest.mark.parametrize("name", ["chess", "twixt", "conniption", "draughts", "go"])
def test_a_decision_is_the_same_row_whatever_stood_there_before(name: str) -> None:
    engine = Engine(game(name).play, "python")
    position, rows = game(name).play.first, engine._arrays["M"]

    def listed(garbage: int) -> list[int]:
        engine.set(position)
        for i in range(200 * engine.row):
            rows[i] = garbage
        return [rows[i] for i in range(engine.decisions() * engine.row)]

    assert listed(0) == listed(77)
