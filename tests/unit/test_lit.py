"""Terms and factors light up the sites that they are about."""

from __future__ import annotations

from functools import cache

import pytest

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.players.explain import explain
from rulewright.players.personality import Personality
from rulewright.players.term_sites import LitSites, lit_sites


@cache
def explained(game: str, player: str, moves: str) -> tuple[State, str, tuple[str, ...]]:
    """A state, the value that is explained there, and the line of the decision."""
    state = rulewright.load(game).start().play(moves)
    found = explain(state, Personality.load(player, state.game))
    return state, found.value, found.judged(found.decision).line


def lit_of(game: str, player: str, moves: str, name: str) -> tuple[State, LitSites]:
    state, value, line = explained(game, player, moves)
    here = lit_sites(state, Personality.load(player, state.game), value, line, name)
    return state.play(" ".join(line)), here


@pytest.mark.parametrize("name", ["men for black", "march for black", "man", "advance"])
def test_what_is_counted_is_lit_where_it_is_counted(name: str) -> None:
    end, found = lit_of("breakthrough", "marcher", "a2-a3 a7-a6", name)
    assert found.state.board() == end.board()
    position = end.situation.position
    black, height = position.owned[1], 8
    come = {site for site in found.sites if black >> site & 1}
    if "man" in name or "men" in name:
        assert len(come) == black.bit_count()
    else:  # only those that have come further than their first row add anything
        rows = end.game.rules.board.numbers
        assert come == {s for s in range(64) if black >> s & 1 and rows[s] != height}
    assert name.endswith("black") == (come == set(found.sites))


def test_what_is_no_number_of_the_value_is_refused() -> None:
    with pytest.raises(RulewrightError, match="no term and no factor"):
        lit_of("connect4", "counter", "4", "nonsense")
