"""Ends that contradict each other: rules true at once that name different winners.

In: the ground and a finished position.  Out: a complaint, unless the text orders the two rules on
purpose.  Rules of an end are tried from the top, so every order means something; these say that it
was meant: a draw after a win or a loss, a rule that is a special case of the other (its conditions
and more), and a claim about a game in which both are true.
"""

from __future__ import annotations

from functools import lru_cache

from rulewright.checks.ground import Complaint, Ground, fault_in
from rulewright.engine.game import State
from rulewright.errors import Fault, MoveError
from rulewright.model.expressions import Expr, Logic
from rulewright.model.rules import End
from rulewright.reference.play import Outcome
from rulewright.resolve.claims import NOBODY


def exclusive(ground: Ground, state: State) -> Complaint | None:
    """No two end rules that are true at once name different winners, unless ordered on purpose."""
    met = _met(ground, state)
    for other in met[1:]:
        if not _agree(met[0], other) and not _ordered(ground, met[0], other):
            return Complaint(_both(ground, met[0], other), other.origin)
    return None


def _met(ground: Ground, state: State) -> list[Outcome]:
    """What the end rules that are true in a finished position say, from the top."""
    ended = state.situation.ended
    stuck = ended is None and fault_in(state) is None and state.over
    if ended is None and not stuck:
        return []
    try:
        return list(ground.game.play.ends_met(state.situation.position, stuck))
    except Fault:
        return []


def _agree(first: Outcome, other: Outcome) -> bool:
    return first.winner == other.winner


def _ordered(ground: Ground, first: Outcome, other: Outcome) -> bool:
    if other.winner is None:
        return True
    ends = {end.origin: end for end in ground.game.rules.ends}
    if _conditions(ends[other.origin]) <= _conditions(ends[first.origin]):
        return True
    return (first.origin, other.origin) in _claimed_orders(ground)


def _conditions(end: End) -> frozenset[Expr]:
    """The parts of a condition that must all be true."""
    condition = end.condition
    if isinstance(condition, Logic) and condition.conjunction:
        return frozenset(condition.items)
    return frozenset({condition})


@lru_cache(maxsize=1)
def _claimed_orders(ground: Ground) -> frozenset[tuple[int, int]]:
    """Pairs of end rules, the first before the second, of which a claim shows a game."""
    found: set[tuple[int, int]] = set()
    for claim in ground.claims("wins"):
        if not claim.moves or claim.settings:
            continue
        try:
            state = ground.game.start().play(claim.moves)
        except (Fault, MoveError):
            continue
        met = _met(ground, state)
        if met and _name(ground, met[0].winner) == claim.what:
            found |= {(met[0].origin, other.origin) for other in met[1:]}
    return frozenset(found)


def _both(ground: Ground, first: Outcome, other: Outcome) -> str:
    origins = ground.game.rules.origins
    said = [
        f"`{origins[one.origin].text}` says {_verdict(ground, one.winner)}"
        for one in (first, other)
    ]
    return " and ".join(said)


def _verdict(ground: Ground, winner: int | None) -> str:
    return "that it is a draw" if winner is None else f"that {_name(ground, winner)} wins"


def _name(ground: Ground, winner: int | None) -> str:
    return NOBODY if winner is None else ground.game.players[winner]
