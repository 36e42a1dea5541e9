"""Evaluators and what positions are worth to them, by the reference."""

from __future__ import annotations

from functools import cache

from rulewright.engine.game import Game, State
from rulewright.files.catalog import EVALUATOR
from rulewright.files.games import load
from rulewright.files.kinds import FileContext, check_file, load_file
from rulewright.model.evaluation import Evaluator
from rulewright.reference.evaluation import StaticEvaluator


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
