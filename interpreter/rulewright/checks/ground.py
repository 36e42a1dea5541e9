"""What properties are tried on: a game, its kernels where there are any, its claims.

In: a game and the file of its rules.  Out: quick steps along games, and the parts that probes need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from pathlib import Path

from attrs import define, field, frozen

from rulewright import budget
from rulewright.checks.symmetry import Symmetry, symmetry
from rulewright.codegen.engine import Engine
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.model.rules import Claim
from rulewright.reference.evaluate import evaluate
from rulewright.reference.lookup import find
from rulewright.reference.position import Position
from rulewright.search.beside import in_time
from rulewright.search.engines import load_engine


@frozen
class Complaint:
    """What does not hold in a position, and the clause that it is about (0: none)."""

    message: str
    origin: int = 0


@define(eq=False, slots=False)
class Ground:
    """A game that is tested; `path` is the file of its rules."""

    game: Game
    path: Path | None = None
    reload: Callable[[dict[str, object]], Game] | None = None
    """Reads the same rules with other options."""
    hashes: dict[int, Position] = field(factory=dict)
    """Positions that were seen, by their hash."""

    @cached_property
    def engine(self) -> Engine | None:
        """The kernels, if the game has them, and they are there in time."""
        try:
            found = in_time(partial(load_engine, self.game), (budget.left() or 0.0) / 2)
        except OutOfBudget:
            return None
        return None if isinstance(found, str) else found

    def claims(self, *kinds: str) -> list[Claim]:
        """The claims of certain kinds."""
        return [c for c in self.game.rules.claims if c.kind in kinds]

    @cached_property
    def changed(self) -> bool:
        """Whether an option has another value than its default: some claims say nothing then."""
        return any(o.value != o.default for o in self.game.rules.options)

    @cached_property
    def symmetries(self) -> list[tuple[Claim, Symmetry | None]]:
        """The claimed symmetries."""
        claims = self.claims("symmetric")
        return [(c, symmetry(self.game.play, c.what, c.swap)) for c in claims]

    @cached_property
    def bound(self) -> tuple[int, Claim] | None:
        """How many decisions a game has at the most, where the file claims so."""
        found = None
        for claim in self.claims("bound"):
            assert claim.value is not None
            number = self.truth(claim, self.game.start())
            if found is None or number < found[0]:
                found = (number, claim)
        return None if self.changed else found

    def truth(self, claim: Claim, state: State) -> int:
        """The value of a claim's expression, as the player to move sees it."""
        assert claim.value is not None
        play, position = self.game.play, state.situation.position
        context = play.context(position)
        if play.rules.looks_back:
            context.key = play.key(position)
        with self.game.located():
            found: int = evaluate(claim.value, context)
        return found

    def again(self, options: dict[str, object]) -> Game:
        """The same game with other options."""
        if self.reload is None:
            raise RulewrightError("the text of these rules is not at hand to set other options")
        return self.reload(options)

    # --- playing ---

    def after(self, state: State, text: str) -> State | None:
        """The state after a decision, None if it is not legal or the game is over."""
        if state.situation.ended is not None:
            return None
        play = self.game.play
        with self.game.located():
            option = find(play, state.situation.position, text)
            if option is None:
                return None
            return State(self.game, play.follow(state.situation.position, option), state, text)

    def played(self, moves: Iterable[str]) -> State:
        """The state after the legal ones of *moves*, the others left out."""
        state = self.game.start()
        for text in moves:
            state = self.after(state, text) or state
        return state


FOLLOWED = 8
"""Decisions of a position after which the end rules are tried."""
Probe = Callable[[Ground, State], "Complaint | None"]
"""Looks at one position, and at the decision that led there."""


def fault_in(state: State) -> Fault | None:
    """The fault that the rules meet in a position, if they do."""
    try:
        _ = state.moves.texts
        _ = state.result
    except Fault as fault:
        return fault
    return None


def fault_after(state: State) -> Fault | None:
    """The fault that the end rules meet after a decision; of many decisions some are tried."""
    options = [] if state.situation.ended else state.situation.options
    step = len(options) // FOLLOWED + 1
    for option in options[state.ply % step :: step]:
        try:
            state.situation.after(option)
        except Fault as fault:
            message = f"after `{option.text}`: {fault.message}"
            return Fault(fault.code, message, fault.origin, fault.place)
    return None
