"""Properties of evaluators, in positions of random games and in those that the file names.

In: a game, an evaluator without errors, a seed and how many positions.  Out: what was tried, with
the position that shows what does not hold; for `check` a diagnostic for each claim about a named
position that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from random import Random

from attrs import define, evolve, field

from rulewright.checks.findings import Finding, PropertyResult, clause, place_of
from rulewright.checks.sampling import (
    STEPS,
    earliest_states,
    first_shown,
    results,
    short_games,
    steps_of,
)
from rulewright.checks.subject import BoardSymmetry, symmetry
from rulewright.errors import Fault, MoveError
from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import Diagnostic
from rulewright.model.evaluation import ClaimAfter, Evaluator, ValueOf
from rulewright.model.expressions import MOVER
from rulewright.model.properties import EVALUATOR
from rulewright.reference.evaluate import evaluate
from rulewright.reference.evaluation import StaticEvaluator, side
from rulewright.reference.position import Position

NEAR = 1e-9
"""Relative difference up to which two values are the same: sums in another order round apart."""
MOVES = 40
"""Decisions of a position that are valued."""


@define(eq=False)
class EvaluatorProperties:
    """An evaluator under test."""

    game: Game
    evaluator: Evaluator
    seed: int = 0
    number: int = 60
    judge: StaticEvaluator = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.judge = StaticEvaluator(self.game.play, self.evaluator)
        self.number = self._affordable()

    def _affordable(self) -> int:
        """The number of positions that the steps allow, by what one takes."""
        steps, _ = steps_of(partial(self._once, self.game.start()))
        share = self.number / 60 * STEPS / (3 * steps)
        return max(min(10, self.number), min(self.number, round(share)))

    def _once(self, state: State) -> None:
        """Work out every value of a position and of its decisions."""
        position = state.situation.position
        for value in self.evaluator.values:
            if not value.of_move:
                self.judge.of_position(value, position, random=Random(self.seed))
        self._of_moves(state)

    def _of_moves(self, state: State) -> None:
        """Value every decision that a value of moves is about."""
        position = state.situation.position
        values = [value for value in self.evaluator.values if value.of_move]
        for option in state.situation.options[:MOVES] if values else ():
            choice = self.judge.choices(position, option)
            for value in values:
                if choice is not None and choice.move in value.moves:
                    self.judge.of_move(value, position, choice, random=Random(self.seed))

    def run(self, properties: Sequence[str] = tuple(EVALUATOR)) -> tuple[PropertyResult, ...]:
        """Try every property that the file says something of."""
        checks = {
            "after": self._examples, "finite": self._finite,
            "antisymmetric": self._antisymmetric, "symmetric": self._symmetric,
        }  # fmt: skip
        kinds = {"after", "finite", *(claim.kind for claim in self.evaluator.claims)}
        names = [n for n in EVALUATOR if n in properties and n in kinds]
        return results(names, checks, self.evaluator.untested, amount(self.number, "position"))

    def _states(self) -> Iterator[State]:
        """The positions that are looked at, those of short games first."""
        short = (state for state in short_games(self.game) if state.position.ended is None)
        states = earliest_states(self.game, self.number, self.seed)
        return chain(islice(short, self.number // 2), states)

    def _examples(self) -> Iterator[Finding]:
        for example, message in _failures(self.game, self.evaluator):
            yield Finding("after", message, about=clause(self.evaluator, example.origin))

    def _finite(self) -> Iterator[Finding]:
        def check(state: State) -> str | None:
            try:
                self._once(state)
            except Fault as fault:
                place = f" ({self.evaluator.place(fault.origin)})" if fault.origin else ""
                return f"{fault.message} [{fault.code}]{place}"
            return None

        return first_shown("finite", self._states(), check)

    def _antisymmetric(self) -> Iterator[Finding]:
        def check(state: State) -> str | None:
            for value in self.evaluator.values:
                if value.of_move:
                    continue
                mine, other = (self._viewed(value, state.situation.position, p) for p in (0, 1))
                if not _near(mine, tuple(-n for n in other)):
                    first, second = self.game.players
                    texts = f"{_value_text(mine)} for {first}", f"{_value_text(other)} for {second}"
                    return f"`{value.name}` is {' and '.join(texts)}, and the sum is not 0"
            return None

        origin = next(c.origin for c in self.evaluator.claims if c.kind == "antisymmetric")
        return first_shown("antisymmetric", self._states(), check, clause(self.evaluator, origin))

    def _viewed(self, value: ValueOf, position: Position, player: int) -> tuple[int | float, ...]:
        """A value as if it were for *player*."""
        whose = evolve(value, player=player)
        return self.judge.of_position(whose, position, random=Random(self.seed))

    def _symmetric(self) -> Iterator[Finding]:
        for claim in self.evaluator.claims:
            if claim.kind != "symmetric":
                continue
            board_symmetry = symmetry(self.game.play, claim.what, claim.swap)
            about = clause(self.evaluator, claim.origin)
            if board_symmetry is None:
                yield Finding("symmetric", "the board has no such symmetry", about=about)
            else:
                check = partial(self._turned, board_symmetry)
                yield from first_shown("symmetric", self._states(), check, about)

    def _turned(self, symmetry: BoardSymmetry, state: State) -> str | None:
        """The values of a position and of its image, where these are not the same."""
        here = state.situation.position
        for value in self.evaluator.values:
            if not value.of_move:
                player = side(value, here)
                own = self._viewed(value, here, player)
                image = self._viewed(value, symmetry.position(here), symmetry.player(player))
                if not _near(own, image):
                    values = f"{_value_text(own)}, and turned so {_value_text(image)}"
                    return f"`{value.name}` is {values}"
        return None


def _near(first: Sequence[float], second: Sequence[float]) -> bool:
    pairs = zip(first, second, strict=True)
    return all(abs(a - b) <= NEAR * max(1.0, abs(a), abs(b)) for a, b in pairs)


def _value_text(value: Sequence[float]) -> str:
    return ", ".join(f"{n:g}" for n in value)


# --- positions that the file names ---


def failing_examples(game: Game, evaluator: Evaluator) -> Iterator[Diagnostic]:
    """A diagnostic for each claim about a position that does not hold, or cannot be tested."""
    for example, message in _failures(game, evaluator):
        yield Diagnostic("claim-fails", message, place_of(evaluator, example.origin))


def _failures(game: Game, evaluator: Evaluator) -> Iterator[tuple[ClaimAfter, str]]:
    judge = StaticEvaluator(game.play, evaluator)
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
            yield example, message


def _failure(game: Game, judge: StaticEvaluator, example: ClaimAfter) -> str:
    state = game.start()
    state = state.play(example.moves) if example.moves.strip() else state
    position, view = state.situation.position, judge.evaluator.view
    player = position.mover if view == MOVER else view
    context = judge.context(position, player, judge.evaluator.defaults, Random(0))
    where = f"after {example.moves}" if example.moves.strip() else "at the start"
    return "" if evaluate(example.value, context) else f"this does not hold {where}"
