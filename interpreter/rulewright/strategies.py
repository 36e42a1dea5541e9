"""Hypothesis strategies for tests of games: random play of any game, and a machine that plays.

In: a game or a state.  Out: strategies of states and of decisions, or a `RuleBasedStateMachine` to
be given invariants in a subclass.  Needs the package Hypothesis, which nothing else imports.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rulewright.games.engine.game import Game, State

__all__ = ["GameMachine", "decisions", "games", "machine", "positions"]


def games(game: Game, most: int = 60) -> st.SearchStrategy[State]:
    """The last state of a random game: it is over, or *most* decisions long.

    `states()` are all of it.  Raises `Fault` where the rules meet one.
    """

    @st.composite
    def random_game(draw: st.DrawFn) -> State:
        return _random_play(draw, game, most)

    return random_game()


def positions(game: Game, most: int = 60) -> st.SearchStrategy[State]:
    """A state on the way of a random game, over or not, after up to *most* decisions."""

    @st.composite
    def random_position(draw: st.DrawFn) -> State:
        return _random_play(draw, game, draw(st.integers(0, most)))

    return random_position()


def decisions(position: State) -> st.SearchStrategy[str]:
    """A strategy of the legal decisions of a position that is not over."""
    return st.sampled_from(position.moves.texts)


def _random_play(draw: st.DrawFn, game: Game, most: int) -> State:
    state = game.start()
    for _ in range(most):
        if state.over:
            break
        state = state.play_decision(draw(decisions(state)))
    return state


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
