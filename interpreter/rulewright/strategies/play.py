"""Random play of a game: decisions, positions, and games as far as they go."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.game import Game, State


@st.composite
def games(draw: st.DrawFn, game: Game, most: int = 60) -> State:
    """The last state of a random game: it is over, or *most* decisions long.

    `states()` are all of it.  Raises `Fault` where the rules meet one.
    """
    state = game.start()
    for _ in range(most):
        if state.over:
            break
        state = state.play_decision(draw(decisions(state)))
    return state


@st.composite
def positions(draw: st.DrawFn, game: Game, most: int = 60) -> State:
    """A state on the way of a random game, over or not, after up to *most* decisions."""
    return draw(games(game, draw(st.integers(0, most))))


def decisions(position: State) -> st.SearchStrategy[str]:
    """One of the legal decisions of a position that is not over."""
    return st.sampled_from(position.moves())
