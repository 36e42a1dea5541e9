"""Evaluators and what positions are worth to them, by the reference and by kernels."""

from __future__ import annotations

from functools import cache
from random import Random

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.model.evaluation import Evaluator
from rulewright.players.machine import native_evaluator, pack_values
from rulewright.reference.evaluation import StaticEvaluator, side


@cache
def game(name: str, **options: int) -> Game:
    return load(name, **options)


@cache
def judge(name: str, evaluator: str = "", **options: int) -> StaticEvaluator:
    board = game(name, **options)
    return StaticEvaluator(board.play, load_file(EVALUATOR, board, evaluator))


def values(state: State, evaluator: str = "") -> dict[str, float]:
    """The first part of every value of a position."""
    wise = StaticEvaluator(state.game.play, load_file(EVALUATOR, state.game, evaluator))
    position = state.situation.position
    return {
        v.name: wise.of_position(v, position)[0] for v in wise.evaluator.values if not v.of_move
    }


def written(text: str, board: Game) -> Evaluator:
    """The evaluator of a text without mistakes."""
    report = check_file(EVALUATOR, "t.eval", text.encode(), FileContext(board))
    assert [d.render() for d in report.diagnostics if d.severity == "error"] == []
    assert report.model is not None
    return report.model


def agreed(board: Game, evaluator: Evaluator, backend: str, plies: int, every: int) -> set[float]:
    """The values along a random game of so many plies, *every* so often: kernels say the same."""
    kernels, value = Engine(board.play, backend), evaluator.values[0]
    found = native_evaluator(kernels, evaluator, value, evaluator.defaults, judges_ends=False)
    assert found is not None
    functions, sizes = kernels.linked(found.linked), kernels.sizes()
    wise = StaticEvaluator(board.play, evaluator)
    arrays = [kernels.constants if a == "K" else kernels.array([0] * sizes[a]) for a in "SKMHXT"]
    numbers = kernels.array([*pack_values(evaluator.factors, evaluator.defaults), 0.0])
    random, situation, seen = Random(3), board.play.start(), set[float]()
    while situation.outcome is None and situation.position.ply < plies:
        if situation.position.ply % every == 0:
            kernels.put(situation.position, arrays[0], arrays[3])
            ours = functions["value"](*arrays, numbers)
            theirs = float(wise.of_position(value, situation.position)[0])
            assert ours == (-theirs if side(value, situation.position) else theirs)
            seen.add(ours)
        situation = situation.after(random.choice(situation.options))
    return seen
