"""What a player sees of a position.

In: the rules in motion, positions, a player.  Out: a `PlayerView`: whoever has
it knows the player's part and no more.  A player sees the pieces where the rules say so (`sees`)
and his own, links that end there, all states but hidden ones, of these his own, the mover, what is
left of the turn and the result.  How many turns were taken is no part of it.
"""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Type, Value
from rulewright.model.rules import Rules, StateVariable
from rulewright.reference.evaluate import evaluate
from rulewright.reference.play import Outcome, ReferencePlay
from rulewright.reference.position import Position


@frozen
class PlayerView:
    """A position as one player sees it; views are equal where he cannot tell positions apart.

    `position` has no pieces outside of `sites`, and hidden states as if nothing were known of them:
    they are among `hidden`, as numbers of states and players.
    """

    player: int
    position: Position
    sites: Mask
    """Where the player sees what stands."""
    hidden: frozenset[tuple[int, int]]
    ended: Outcome | None = None


def view_of(
    play: ReferencePlay, position: Position, player: int, ended: Outcome | None = None
) -> PlayerView:
    """What *player* sees of a position; *ended* is how the game has ended in it."""
    rules = play.rules
    sites = seen_sites(play, position, player)
    states, hidden = _states(rules, position, player, sites)
    unseen = rules.board.sites & ~sites
    bare = position.without(unseen)
    links = tuple(
        links & table.touching(sites) for table, links in zip(play.links, bare.links, strict=True)
    )
    piles = tuple(p if sites >> site & 1 else () for site, p in enumerate(bare.piles))
    part = evolve(
        bare, links=links, states=states, piles=piles, ply=0, claimable=False, history=None, past=0
    )
    return PlayerView(player, part, sites, hidden, ended)


def seen_sites(play: ReferencePlay, position: Position, player: int) -> Mask:
    """The sites of which *player* sees what stands there."""
    sees = play.rules.sees
    if sees is None:
        return play.rules.board.sites
    sites: Mask = evaluate(sees, play.context(position, player))
    return (sites | position.owned[player]) & play.rules.board.sites


def _states(
    rules: Rules, position: Position, player: int, sites: Mask
) -> tuple[tuple[tuple[Value, ...], ...], frozenset[tuple[int, int]]]:
    """The states as *player* sees them, and which of them he does not."""
    states, hidden = list[tuple[Value, ...]](), set[tuple[int, int]]()
    for number, (state, by_player) in enumerate(zip(rules.states, position.states, strict=True)):
        if state.with_pieces:
            known_sites = position.owned[player] if state.hidden else sites
            first = _of_pieces(state, by_player[0], rules.board.sites & ~known_sites)
            states.append((first,) * len(by_player))
            continue
        owners = {*rules.views} - {player} if state.each else {*rules.views}
        unseen = owners if state.hidden else set[int]()
        hidden |= {(number, owner) for owner in unseen}
        values = [_nothing(state) if o in unseen else v for o, v in enumerate(by_player)]
        states.append(tuple(values))
    return tuple(states), frozenset(hidden)


def _nothing(state: StateVariable) -> Value:
    """The value that stands for one that is not seen."""
    least: Value = False if state.type is Type.TRUTH else state.low or 0
    return (least,) * state.entries if state.indices else least


def _of_pieces(state: StateVariable, value: Value, unseen: Mask) -> Value:
    """What a state says of pieces, without those on sites that are not seen."""
    if not isinstance(value, tuple):
        assert isinstance(value, int)
        return value & ~unseen
    entries, least = list(value), False if state.type is Type.TRUTH else state.low or 0
    for site in bits(unseen):
        entries[site] = least
    return tuple(entries)
