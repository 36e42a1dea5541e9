"""A state machine for any game: Hypothesis plays, takes back, and looks for what breaks.

In: a game.  Out: a `RuleBasedStateMachine`, to be given invariants in a subclass.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rulewright.engine.game import Game, State


class GameMachine(RuleBasedStateMachine):
    """Plays a game; `state` is where it is.  Subclasses name the `game` and add invariants."""

    game: Game

    def __init__(self) -> None:
        super().__init__()
        self.state: State = self.game.start()

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Make a legal decision."""
        move = data.draw(st.sampled_from(self.state.moves.texts), label="decision")
        before = self.state.text()
        after = self.state.play_decision(move)
        assert self.state.text() == before, "playing changed the position that it began with"
        self.state = after

    @precondition(lambda self: self.state.before is not None)
    @rule()
    def take_back(self) -> None:
        """Go back by a decision, and find it legal again."""
        move, before = self.state.move, self.state.before
        assert before is not None
        assert move in before.moves
        self.state = before

    @invariant()
    def has_decisions_unless_over(self) -> None:
        """A game that is not over goes on."""
        assert bool(self.state.moves) is not self.state.over


def machine(game: Game) -> type[GameMachine]:
    """A machine for *game*: run its `TestCase`, or subclass it with invariants of your own."""
    return type(f"{game.name.title()}Machine", (GameMachine,), {"game": game})
