"""Properties of personalities, in positions of random games.

In: a game, a personality, a seed and how many positions.  Out: what was tried, with the position
that shows what does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from attrs import define, evolve

from rulewright.checks.effort import CALLS, counted
from rulewright.checks.findings import Finding, Tried
from rulewright.checks.judged import states, tried
from rulewright.engine.game import Game, State
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.model.personality import Personality as Model
from rulewright.model.personality import Search
from rulewright.model.properties import PERSONALITY
from rulewright.players.lint import lint, matter_deeper
from rulewright.players.personality import Personality

_DECIDED = 24
"""Positions of a round at the least."""
ROUNDS = 3
"""How often positions are drawn for factors that have changed no decision yet."""


@define(eq=False)
class Playing:
    """A personality under test."""

    game: Game
    model: Model
    seed: int = 0
    number: int = 12

    def run(self, chosen: Sequence[str] = tuple(PERSONALITY)) -> tuple[Tried, ...]:
        """Try every property."""
        checks: dict[str, Callable[[], Iterator[Finding]]] = {
            "decides": self._decides, "factors": self._factors,
        }  # fmt: skip
        names = [n for n in PERSONALITY if n in chosen]
        self.number = self._affordable()
        return tried(names, checks, self.model.untested, f"{self.number} positions")

    def _affordable(self) -> int:
        """How many positions one round may look at, by the calls that a decision takes."""
        quick, start = Personality.of(quickly(self.model), self.game), self.game.start()
        calls, _ = counted(partial(quick.choose, start, Random(self.seed)))
        evaluator = self.model.evaluator
        factors = 1 + (len(evaluator.factors) if evaluator else 0)
        return max(2, min(self.number, CALLS // (8 * calls * factors + 1)))

    def _decides(self) -> Iterator[Finding]:
        quick = Personality.of(quickly(self.model), self.game)
        for state in states(self.game, self.number, self.seed):
            try:
                twice = [quick.choose(state, Random(self.seed)) for _ in range(2)]
            except OutOfBudget:
                raise
            except RulewrightError as error:
                message = f"no decision: {error}"
            else:
                if twice[0] == twice[1] and twice[0] in state.moves:
                    continue
                message = f"decides on {twice[0]}, then on {twice[1]}"
                if twice[0] not in state.moves:
                    message = f"decides on {twice[0]}, which is not legal"
            yield Finding("decides", message, tuple(state.decisions()), state.board())
            return

    def _factors(self) -> Iterator[Finding]:
        if self.model.search.kind in ("mcts", "random"):
            return  # these ask no evaluator
        personality = Personality.of(self.model, self.game)
        idle: list[str] | None = None
        looked: list[State] = []
        for again in range(ROUNDS):
            looked = list(states(self.game, max(self.number, _DECIDED), self.seed + again))
            uses = lint(personality, seed=self.seed, states=looked, shallow=True)
            same = [use.factor for use in uses if not use.changed]
            idle = same if idle is None else [name for name in idle if name in same]
            if not idle:
                return
        idle = idle or []
        deeper = matter_deeper(personality, idle, looked, self.seed)
        for name in (one for one in idle if one not in deeper):
            number = ROUNDS * max(self.number, _DECIDED)
            message = f"`{name}` changes no decision in {number} positions"
            yield Finding("factors", message)


def quickly(model: Model) -> Model:
    """The personality with a search that looks one decision ahead, where it looks further."""
    if model.search.kind in ("random", "one_ply", "mcts"):
        return model
    return evolve(model, search=Search("one_ply"))
