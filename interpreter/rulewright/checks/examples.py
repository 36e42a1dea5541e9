"""Claims of an evaluator: positions that its text names, and what must hold there.

In: a game and an evaluator without errors.  Out: a diagnostic for each claim that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulewright.engine.game import Game
from rulewright.errors import Fault, MoveError
from rulewright.language.diagnostics import Diagnostic, Place
from rulewright.model.evaluation import Evaluator, Example
from rulewright.model.expressions import MOVER
from rulewright.reference.evaluate import evaluate
from rulewright.reference.evaluation import Judge


def failing_examples(game: Game, evaluator: Evaluator) -> Iterator[Diagnostic]:
    """A diagnostic for each claim that does not hold, or cannot be tested."""
    judge = Judge(game.play, evaluator)
    changed = any(option.value != option.default for option in game.rules.options)
    for example in evaluator.examples:
        if changed and example.moves.strip():
            continue  # the moves are those of the game as it comes
        try:
            message = _failure(game, judge, example)
        except Fault as fault:
            message = f"testing this claim ends in a fault: {fault}"
        except MoveError as error:
            message = f"these moves cannot be played: {error}"
        if message:
            origin = evaluator.origins[example.origin]
            end = len(origin.text) + 1
            place = Place(origin.file, origin.line, 1, origin.line, end, origin.text)
            yield Diagnostic("claim-fails", message, place)


def _failure(game: Game, judge: Judge, example: Example) -> str:
    state = game.start()
    state = state.play(example.moves) if example.moves.strip() else state
    position, view = state.situation.position, judge.evaluator.view
    player = position.mover if view == MOVER else view
    context = judge.context(position, player, judge.evaluator.defaults, Random(0))
    where = f"after {example.moves}" if example.moves.strip() else "at the start"
    return "" if evaluate(example.value, context) else f"this does not hold {where}"
