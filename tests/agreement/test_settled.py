"""Definitions of evaluators that a position settles: worked out once, the same everywhere."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import loads
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.model.evaluation import Evaluator
from rulewright.players.machine import native_evaluator, pack_values
from rulewright.reference.evaluation import StaticEvaluator, side
from tests.shared.backends import BACKENDS

RULES = """format 1
game knots

players white black
board square 6 by 6
pieces man "mM"

move place
  choose cell in empty
  put man at cell

turn place
draw when ply > 20
"""
LEVELS = 22
DOUBLING = "\n".join(
    f"let d{n} = near(d{n - 1}) and d{n - 1} or {'d' + str(n - 1)} own" for n in range(1, LEVELS)
)
EVALUATOR_TEXT = f"""format 1
evaluator doubled for knots

let hop_away = stride(1, -2)
let d0 = (own or north(own) or hop_away(enemy)) if mover = white else enemy
{DOUBLING}
let last = d{LEVELS - 1}

path ways
  from top costs 0
  to bottom by 10
  step near into last costs 1
  step near into not last costs 7
  else 99

value of position for mover = count last + 3 * (count last for enemy) - ways + ways for enemy
value after of move place for mover = change(count last)
"""


@cache
def read() -> tuple[Game, Evaluator]:
    game = loads(RULES)
    return game, evaluator_of(game, EVALUATOR_TEXT)


def evaluator_of(game: Game, text: str) -> Evaluator:
    report = check_file(EVALUATOR, "doubled.eval", text.encode(), FileContext(game))
    assert report.model is not None, report.diagnostics
    model: Evaluator = report.model
    return model


def test_definitions_that_use_each_other_twice_are_worked_out_once() -> None:
    """Written out there would be four million of them."""
    game, evaluator = read()
    judge = StaticEvaluator(game.play, evaluator)
    state = game.start().play("c3 d4 c4")
    assert judge.of_position(evaluator.values[0], state.situation.position) == (14,)


@pytest.mark.parametrize("backend", BACKENDS)
def test_kernels_know_them_anew_in_every_position(backend: str) -> None:
    game, evaluator = read()
    agree(Engine(game.play, backend), evaluator)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("step", [0, 1, LEVELS // 2, LEVELS - 1])
def test_evaluators_that_begin_alike_share_kernels_and_keep_their_own(
    backend: str, step: int
) -> None:
    """The other evaluator of a part has the same definitions up to one that is not."""
    game, evaluator = read()
    text = EVALUATOR_TEXT.replace(f"let d{step} =", f"let d{step} = empty or")
    part, other = Engine(game.play, backend).apart("shared"), evaluator_of(game, text)
    agree(part, evaluator)
    before = kernels_once(part)
    agree(part, other)
    assert kernels_once(part) < before or step == 0
    agree(part, evaluator)


def kernels_once(part: Engine) -> int:
    """How many kernels the last value brought that work something out once a position."""
    assert part.plan.shared_caches is not None
    return sum(kernel.apart for kernel in part.plan.shared_caches.linked.module.functions.values())


def agree(kernels: Engine, evaluator: Evaluator) -> None:
    """Play a random game; the first value is the same by kernels and by the reference."""
    game, value = read()[0], evaluator.values[0]
    found = native_evaluator(kernels, evaluator, value, (), judges_ends=False)
    assert found is not None
    functions, sizes = kernels.linked(found.linked), kernels.sizes()
    judge = StaticEvaluator(game.play, evaluator)
    arrays = [kernels.constants if a == "K" else kernels.array([0] * sizes[a]) for a in "SKMHXT"]
    numbers = kernels.array([*pack_values(evaluator.factors, ()), 0.0])
    random, situation = Random(3), game.play.start()
    while situation.outcome is None:
        kernels.put(situation.position, arrays[0], arrays[3])
        ours = functions["value"](*arrays, numbers)
        theirs = float(judge.of_position(value, situation.position)[0])
        assert ours == (-theirs if side(value, situation.position) else theirs)
        situation = situation.after(random.choice(situation.options))


def test_a_change_asks_for_them_in_both_positions() -> None:
    game, evaluator = read()
    judge, state = StaticEvaluator(game.play, evaluator), game.start()
    chosen = evaluator.value("after")
    assert chosen is not None
    position = state.situation.position
    option = next(o for o in game.play.options(position) if o.text == "c3")
    assert judge.of_move(chosen, position, judge.choices(position, option)) == (2,)


LANES = """format 1
evaluator lanes for knots

path lanes
  from top costs 0
  to bottom{unit}
  step south into own costs 0
  step south into not (own or column(5)) costs 3
  step south into column(5) and not own costs 4
  else 99

value of position for mover = lanes
"""


@pytest.mark.parametrize(("unit", "ends"), [("", {"c3"}), (" by 10", {"c3", "e3"})])
def test_ends_are_asked_of_all_ways_of_the_least_cost_in_units(unit: str, ends: set[str]) -> None:
    """The lane of c3 costs 12, that of e3 16, and any other 15."""
    game, _ = read()
    text = LANES.format(unit=unit)
    model = check_file(EVALUATOR, "lanes.eval", text.encode(), FileContext(game)).model
    assert model is not None
    position = game.start().play("c3 a6 e3").situation.position
    found = StaticEvaluator(game.play, model).path_ends("lanes", position, 0)
    assert {game.rules.board.names[end.site] for end in found} == ends


def test_units_are_whole_numbers_from_one() -> None:
    game, _ = read()
    report = check_file(EVALUATOR, "x.eval", LANES.format(unit=" by 0").encode(), FileContext(game))
    assert [d.code for d in report.diagnostics] == ["out-of-range"]
