"""Ends on groups in random games: goals as bits, what is shut in, and the rest of a condition."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine, emitted_of
from rulewright.compiler.plan import plan_lines
from rulewright.games.engine.game import Game
from rulewright.games.files.games import loads
from tests.shared.backends import BACKENDS
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

GAME = """format 1
game small
players red blue
board {board}
pieces stone
let inner = not border
let surrounded(s) = no (near(s) and not own)
{setup}
move place
  choose cell in empty
  put stone at cell
move pass
turn place or pass
win when {end}
draw when ply = 60
draw when stuck
"""
HEXAGON, SQUARE = "hexagon 3 from top", "square 5 by 5"
UNION, SHUT = "kept by union-find", "neighbours fall apart"
RING = "some(g in groups(not own) : no border g)"
ENDS = {
    "corners counted": ("some(g in groups(own) : count (corners g) >= 2)", UNION),
    "sides counted": (
        "some(g in groups(own) : count(s in sides : (s and not corners) meets g) >= 3)",
        UNION,
    ),
    "one of two": (
        "some(g in groups(own) : count (corners g) = 2 or g meets row(2) and g meets row(4))",
        UNION,
    ),
    "none of them": (
        "some(g in groups(own) : no border g and count (inner g) > 2)",
        UNION,
    ),
    "shut in": (RING, SHUT),
    "shut in, or surrounded": (f"{RING} or some(s in own inner : surrounded(s))", SHUT),
    "shut in on a row": ("some(g in groups(not own, around) : no (row(1) g))", SHUT),
}


def game_of(end: str, board: str, setup: str = "") -> Game:
    return loads(GAME.format(end=end, board=board, setup=setup))


def sample(game: Game, backend: str) -> None:
    """Follow random games, whose every decision and result must be the reference's."""
    pair = Pair(game.play, Engine(game.play, backend, use_cache=False))
    for seed in range(tries(3)):
        pair.sampled(seed, most=60)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("board", [HEXAGON, SQUARE, "square 9 by 8"])
@pytest.mark.parametrize(("end", "_"), ENDS.values(), ids=ENDS)
def test_ends_are_those_of_the_reference(end: str, _: str, board: str, backend: str) -> None:
    sample(game_of(end, board), backend)


@pytest.mark.parametrize(("end", "form"), ENDS.values(), ids=ENDS)
def test_the_plan_names_the_form(end: str, form: str) -> None:
    reasons = plan_lines(emitted_of(game_of(end, HEXAGON).play).layout)
    assert any("end rule 1" in line and form in line for line in reasons)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("pieces", ["c1 or b2", "near(c3)", "corners", "border"])
@pytest.mark.parametrize("end", [ends for ends, _ in ENDS.values()], ids=ENDS)
def test_a_position_may_begin_at_an_end(end: str, pieces: str, backend: str) -> None:
    setup = f"setup\n  put red stone at {pieces}\n"
    sample(game_of(end, SQUARE, setup), backend)
