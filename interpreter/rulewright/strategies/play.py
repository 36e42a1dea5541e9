"""Random play of a game: decisions, positions, and games as far as they go."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.engine.game import Game, State


def games(game: Game, most: int = 60) -> st.SearchStrategy[State]:
    """The last state of a random game: it is over, or *most* decisions long.

    `states()` are all of it.  Raises `Fault` where the rules meet one.
    """

    @st.composite
    def random_game(draw: st.DrawFn) -> State:
        return _played(draw, game, most)

    return random_game()


def positions(game: Game, most: int = 60) -> st.SearchStrategy[State]:
    """A state on the way of a random game, over or not, after up to *most* decisions."""

    @st.composite
    def random_position(draw: st.DrawFn) -> State:
        return _played(draw, game, draw(st.integers(0, most)))

    return random_position()


def decisions(position: State) -> st.SearchStrategy[str]:
    """One of the legal decisions of a position that is not over."""
    return st.sampled_from(position.moves.texts)


def _played(draw: st.DrawFn, game: Game, most: int) -> State:
    state = game.start()
    for _ in range(most):
        if state.over:
            break
        state = state.play_decision(draw(decisions(state)))
    return state
