"""Players in words of kernels: results, who is out, and whom a player sees by a name.

In: outcomes and players of the reference.  Out: words, and back.  The result of two players is the
winner or DRAWN; that of more is a word of their places, the first player's lowest.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.layout import DRAWN, Unsupported
from rulewright.ground import limits
from rulewright.model import rules as r
from rulewright.model.expressions import ENEMY, MOVER, NEXT
from rulewright.reference.play import Outcome

PLACE_BITS = 4
"""Bits of a place in the result of several players, and of a player in the word of who is out."""


def out_word(out: Iterable[int]) -> int:
    """Pack the players who are out, the first one first, into a word: the last one lowest."""
    word = 0
    for player in out:
        word = word << PLACE_BITS | player + 1
    return word


def players_of(word: int) -> tuple[int, ...]:
    """Unpack the players who are out."""
    digits = [word >> PLACE_BITS * i & 15 for i in reversed(range(limits.SEATS))]
    return tuple(digit - 1 for digit in digits if digit)


def result_word(outcome: Outcome, players: int) -> int:
    """The result of a game as kernels write it: the winner or DRAWN, of several their places."""
    if players > 2:
        return sum(place << PLACE_BITS * player for player, place in enumerate(outcome.places))
    return DRAWN if outcome.winner is None else outcome.winner


def outcome_of(result: int, origin: int, players: int) -> Outcome:
    """The outcome that kernels have written, by the end rule with an *origin*."""
    if players == 2:
        return Outcome(None if result == DRAWN else result, origin)
    digit = (1 << PLACE_BITS) - 1
    places = tuple(result >> PLACE_BITS * player & digit for player in range(players))
    return Outcome(places.index(1) if places.count(1) == 1 else None, origin, places)


def view_of(rules: r.Rules, player: int, view: int, mover: int) -> int:
    """The player whom a number, ENEMY, MOVER or NEXT means when *view* is looked at.

    Raises `Unsupported` where that depends on the position.
    """
    if player == NEXT and rules.drops_out:
        raise Unsupported("`next` is asked for where players may be out")
    following = (view + 1) % len(rules.players)
    return {ENEMY: 1 - view, MOVER: mover, NEXT: following}.get(player, player)
