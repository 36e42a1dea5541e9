"""Positions that are loaded from texts and records, where nobody knows what was played before.

In: the rules in motion, a position that somebody has set up.  Out: the situation there, in which an
end rule may hold.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.errors import Fault
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Logic, StateValue, Type
from rulewright.model.rules import EMPTY
from rulewright.model.walk import reachable_nodes
from rulewright.reference.play import Outcome, ReferencePlay, Situation
from rulewright.reference.position import Position

_UNKNOWN = Const(Type.TRUTH, False)


def loaded_situation(
    play: ReferencePlay, position: Position, ended: Outcome | None = None
) -> Situation:
    """A situation at a position that somebody has set up, which an end may hold in.

    Ends and claims are tested as if the other player had just ended a turn there, in the middle of
    a turn as if this one had decided; nothing stood before.  The first position is no end.  A fault
    in an end is left to whoever plays on.
    """
    here = Situation(play, position, ended)
    if ended or position == play.first:
        return here
    last, tester = position, play
    if position.fresh:
        mover, ply = play.previous(position, position.mover), max(position.ply - 1, 0)
        last = evolve(position, mover=mover, ply=ply, rest=EMPTY, fresh=False)
        tester = _between_turns(play)
    try:
        met = tester.end_met(last, stuck=False, over=last.rest == EMPTY)
        if met is None or play.plays_on(met):
            claims = position.claimable or tester.may_claim(last)
            return Situation(play, evolve(position, claimable=claims)) if claims else here
        last = evolve(last, claimable=False)
        return play.stuck_first(position, met) or Situation(play, last, met)
    except Fault:
        return here


def _between_turns(play: ReferencePlay) -> ReferencePlay:
    """The rules with ends that ask nothing of the turn before.

    States `within turn` have their first values again, and what they were is not known.
    """
    ends = ends_between_turns(play.rules)
    return play if ends == play.rules.ends else ReferencePlay(evolve(play.rules, ends=ends))


def ends_between_turns(rules: r.Rules) -> tuple[r.End, ...]:
    """The ends as far as they hold whatever states `within turn` were when the turn ended."""
    return tuple(end if end.stuck else _certain_end(end, rules) for end in rules.ends)


def _certain_end(end: r.End, rules: r.Rules) -> r.End:
    if end.score is not None and _asks_of_turn(end.score, rules):
        return evolve(end, condition=_UNKNOWN)
    return evolve(end, condition=_certain_part(end.condition, rules))


def _certain_part(truth: Expr, rules: r.Rules) -> Expr:
    """A truth that holds where *truth* does for sure: of `A or B` the half that is known."""
    if not _asks_of_turn(truth, rules):
        return truth
    if isinstance(truth, Logic):
        return evolve(truth, items=tuple(_certain_part(item, rules) for item in truth.items))
    return _UNKNOWN


def _asks_of_turn(part: Expr, rules: r.Rules) -> bool:
    """Whether a value, or a definition that it calls, looks at a state `within turn`."""
    return any(
        isinstance(node, StateValue) and rules.states[node.index].within_turn
        for node in reachable_nodes(part, rules.functions)
    )
