"""Dead stones by random games, by machine code and by the reference."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with
from rulewright.matches.protocols import final_score
from tests.shared.effort import tries

SIZE = 6


def walled(black: int, white: int) -> tuple[State, int]:
    """A wall of either colour one column from its edge, an enemy behind each; these two sites."""
    game = load_with("go", {"size": SIZE})
    sites = game.rules.board.by_name
    walls = [sum(1 << sites[f"{c}{row}"] for row in range(1, SIZE + 1)) for c in "be"]
    dead = (1 << sites[f"f{black}"], 1 << sites[f"a{white}"])
    position = game.start().situation.position
    owned = (walls[0] | dead[0], walls[1] | dead[1], *position.owned[2:])
    kinds = tuple(owned[0] | owned[1] for _ in position.kinds)
    return game.at(evolve(position, owned=owned, kinds=kinds)), dead[0] | dead[1]


@given(st.integers(1, SIZE), st.integers(1, SIZE))
@settings(max_examples=tries(2), deadline=None)
def test_a_stone_behind_a_wall_is_dead_and_the_wall_is_not(black: int, white: int) -> None:
    state, dead = walled(black, white)
    assert final_score.dead_pieces(state) == dead
    assert final_score.dead_pieces(state) == dead, "the same games again"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(final_score, "_kernels", lambda _: None)
        assert final_score.dead_pieces(state) == dead
