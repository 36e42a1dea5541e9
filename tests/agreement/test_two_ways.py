"""`twice over`: two steps of a path at once, over either of two sites, the same everywhere."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR, PATTERNS
from rulewright.games.files.games import RULES, load
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.model.evaluation import Evaluator
from rulewright.model.patterns import Patterns
from rulewright.reference.evaluation import StaticEvaluator
from tests.shared.backends import BACKENDS
from tests.shared.evaluating import agreed
from tests.shared.proposals import proposed_alike

LINKS = """format 1
evaluator loose for twixt

let open = empty and not (banks for enemy)

path loose
  from home (open or own) costs 2
  to goal by 2
  step bridge costs 0
  step knight from a to b into open when not crossed(a, b, sites) costs 5
  step knight from a to b twice over open into own when not crossed(a, b, sites) costs 1
  step knight from a to b twice over open into open when not crossed(a, b, sites) costs 6
  step down_twice twice over empty into not enemy costs 3
  else 99

let down_twice for red = south or southeast or southwest or east
let down_twice for blue = east or northeast or southeast or south

value of position for mover = loose for enemy - loose
"""
CELLS = """format 1
evaluator loose for hex

path loose
  from home empty costs 3
  from home own costs 0
  to goal
  step near into empty costs 3
  step near into own costs 0
  step near twice over empty into own costs 1
  step near twice over empty into empty costs 4
  step near twice over own when mover = blue costs 0
  else 99

value of position for mover = loose for enemy - loose
"""
FENCE = """format 1
game fence

players red blue
board square 9 by 9
pieces post
links wire along orthogonal

setup
  link each s in row(5) to east(s)

move fence
  choose cell in empty
  put post at cell
  link cell to near(cell) own

turn fence
draw when stuck
"""
WIRES = """format 1
evaluator loose for fence

path wires
  from column(1) and not enemy costs 0
  to column(9)
  step wire into not enemy costs 0
  step orthogonal into not enemy costs 1
  else 99

value of position for mover = wires for enemy - 3 * wires
"""
AROUND = """format 1
Patterns for twixt
Around ends of loose in loose
Off any
  Set 1 2
Def any_too
  Set 0 1
"""


@cache
def read(name: str) -> tuple[Game, Evaluator]:
    text = {"twixt": LINKS, "hex": CELLS, "fence": WIRES}[name]
    if name == "fence":
        game = check_file(RULES, "fence.rules", FENCE.encode(), FileContext(None)).loaded()
    else:
        game = load(name, size=7 if name == "twixt" else 5)
    found = check_file(EVALUATOR, "loose.eval", text.encode(), FileContext(game))
    assert found.model is not None, found.diagnostics
    return game, found.model


BRIDGE = """format 1
evaluator bridge for hex

path gap
  from column(3) row(2) costs 0
  to column({x}) row({y})
  step near twice over empty costs 1
  else 9

value of position for red = -gap
"""


def test_two_cells_between_must_be_open() -> None:
    """Counted over the cells that both are next to; a longer way costs more."""
    game = load("hex", size=5)
    board, state = game.rules.board, game.start().play("c2 b3 c4 a1 e1")
    position = state.situation.position
    near = board.neighbours(board.steps["around"])
    begin, found = board.names.index("c2"), Counter[bool]()
    for site, name in enumerate(board.names):
        if site == begin:
            continue
        between = near[begin] & near[site] & ~(position.owned[0] | position.owned[1])
        twice = between.bit_count() > 1
        text = BRIDGE.format(x=ord(name[0]) - 96, y=name[1:])
        model = check_file(EVALUATOR, "bridge.eval", text.encode(), FileContext(game)).model
        assert model is not None
        judge = StaticEvaluator(game.play, model)
        assert (judge.of_position(model.values[0], position) == (-1,)) == twice
        found[twice] += 1
    assert found[True] > 5


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["twixt", "hex", "fence"])
def test_kernels_say_what_the_reference_says(name: str, backend: str) -> None:
    """Links of `fence` join cells without pieces too."""
    game, evaluator = read(name)
    assert len(agreed(game, evaluator, backend, plies=16, every=1)) > 2


def around(folder: Path) -> Patterns:
    game, _ = read("twixt")
    (folder / "loose.eval").write_text(LINKS)
    found = check_file(PATTERNS, "x.patterns", AROUND.encode(), FileContext(game, folder)).model
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(3))
def test_ends_of_such_paths_are_those_of_the_reference(seed: int, tmp_path: Path) -> None:
    game, _ = read("twixt")
    random, state = Random(seed), game.start()
    while not state.over and state.ply < 10:
        state = state.play(random.choice(state.moves.texts))
    proposed_alike(game, around(tmp_path), state)


def test_no_site_of_two_steps_at_once_has_a_name() -> None:
    game, _ = read("hex")
    text = CELLS.replace("step near twice over empty into own costs 1",
                         "step near from a to b twice over empty into own costs x(a)")  # fmt: skip
    report = check_file(EVALUATOR, "x.eval", text.encode(), FileContext(game))
    assert [d.code for d in report.diagnostics] == ["unknown-name"]
