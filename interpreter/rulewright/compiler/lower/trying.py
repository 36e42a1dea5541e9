"""Needs that are tested by trying: a decision is done on the position, which is then taken back.

In: a move.  Out: whether listing its decisions leaves needs to be tried (those after effects, and
costly ones), and statements that keep a position and take it back.  Also what follows a decision,
which is tried where an end for who is stuck may outrank another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import takewhile
from operator import or_

from rulewright.compiler.ir.nodes import Expr, Function, Local
from rulewright.compiler.ir.types import INT, NOTHING
from rulewright.compiler.layout import RUNNING, StateLayout
from rulewright.compiler.lower.turn_ends import note_end_of_turn, turn_is_over
from rulewright.compiler.lower.verdicts import leave
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    NamedWords,
    Writer,
    at,
    each_decider,
    signature,
)
from rulewright.compiler.passes.decision_rows import is_keyed
from rulewright.compiler.passes.offers import Offer, TurnEnds, options
from rulewright.compiler.passes.stillness import STATIC
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import nodes, reachable_nodes
from rulewright.reference.courses import may_end
from rulewright.reference.effects import has_need

SWAPPED, N = Local("swapped", INT), Local("n", INT)
"""Locals: whether the sides were swapped before the decision, and how many rows there are."""
TESTS = (r.Choose, r.ChooseRay, r.Let, r.Need, r.Write)
"""Statements that change nothing."""
LASTING = STATIC | {"item"}
"""Operations whose value no effect changes."""


def before_effects(move: r.MoveKind) -> list[r.Effect]:
    """List the statements of a move before its first effect."""
    return list(takewhile(lambda s: isinstance(s, TESTS), move.body))


def after_choices(move: r.MoveKind) -> tuple[r.Effect, ...]:
    """Return the statements of a move behind its last choice."""
    chooses = [i for i, s in enumerate(move.body) if isinstance(s, r.Choose | r.ChooseRay)]
    return move.body[chooses[-1] + 1 :] if chooses else move.body


def last_need(body: Sequence[r.Effect], rules: r.Rules) -> int:
    """Return the index of the last statement that can discard a decision; -1 without one."""
    return max((i for i, s in enumerate(body) if has_need((s,), rules)), default=-1)


def leaves_needs(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether listing leaves needs of a move to be tried: some stand after effects, or are costly.

    Not where something is chosen after effects, or the notation depends on what they do.
    """
    effects = move.body[len(before_effects(move)) :]
    if move.by_chance or any(isinstance(s, r.Choose | r.ChooseRay) for s in effects):
        return False
    if is_written_late(move, rules):
        return False
    costly = any(isinstance(s, r.Need) and _is_costly(s, rules) for s in after_choices(move))
    return costly or has_need(effects, rules)


def is_written_late(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether decisions are told apart by a notation that depends on what the effects do."""
    effects = move.body[len(before_effects(move)) :]
    return is_keyed(move, rules) and not all(_plain(s, effects) for s in effects)


def tried_moves(rules: r.Rules) -> list[int]:
    """List the moves whose needs are partly left to be tried."""
    return [number for number, move in enumerate(rules.moves) if leaves_needs(move, rules)]


def _plain(s: r.Effect, effects: Sequence[r.Effect]) -> bool:
    """Whether a notation depends on nothing that the effects may change."""
    if not isinstance(s, r.Write):
        return True
    late = {t.slot for t in effects if isinstance(t, r.Let)}
    looks = (m.Quantified, m.Ray, m.StateValue, m.CallFunction)
    return not any(isinstance(n, looks) for n in nodes(s.notation)) and not any(
        (isinstance(n, m.Local) and n.slot in late)
        or (isinstance(n, m.Apply) and n.operation not in LASTING)
        for n in nodes(s.notation)
    )


def _is_costly(s: r.Need, rules: r.Rules) -> bool:
    """Whether a condition holds a quantifier."""
    return any(isinstance(n, m.Quantified) for n in reachable_nodes(s.condition, rules.functions))


def may_draw_alike(course: Course, rules: r.Rules) -> bool:
    """Whether decisions can be drawn from rows of which some may be written alike.

    So it is if every offer is a move and some need is left to be tried: then a row that is drawn
    is compared with those above it.
    """
    offers = [o for o in options(course) if not isinstance(o, TurnEnds)]
    moves = [o.move for o in offers if isinstance(o, Offer) and o.move is not None]
    return len(moves) == len(offers) and any(leaves_needs(rules.moves[n], rules) for n in moves)


def legal_row(layout: StateLayout) -> Function:
    """Write `legal`: whether the decision in the row at `at` meets the needs left to be tried."""
    w = Writer(layout=layout)
    leave_of_turn(w, at("g.rows", Local("at", INT) + 1))
    for player, number in each_decider(w, tried_moves(layout.rules)):
        legal = w.let(w.call(f"try_{number}_{player}", GAME, Local("at", INT), 0), "r")
        take_back(w)
        w.give(legal)
    return w.function("legal", signature("at"), 1)


def turns_odd(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether a move may change whose turn is next."""
    actions = any(isinstance(s, r.Perform | r.If | r.Each) for s in move.body)
    return actions or any(isinstance(s, r.Again | r.SwapSides) for s in move.body)


KEYED_BEFORE = """def keyed_before(
    g: GameArrays, first: i64, row: i64, room: i64, length: i64
) -> i64:
    for other in range(first, row):
        k = 0
        while k < length and g.rows[other * ROW + room + k] == g.rows[row * ROW + room + k]:
            k = k + 1
        if k == length:
            if legal(g, other * ROW) != 0:
                return 1
    return 0


"""
"""The kernel that looks for a legal decision of the same move, written alike, above a row."""
WRITTEN_BEFORE = """def written_before(g: GameArrays, partners: i64, first: i64, row: i64) -> i64:
    others = g.tables[partners + g.rows[row * ROW]]
    if others == 0:
        return 0
    for other in range(first, row):
        if shift_right(others, g.rows[other * ROW] & 63) & 1 != 0:
            if same_decision(g.rows, other * ROW, row * ROW) != 0:
                if legal(g, other * ROW) != 0:
                    return 1
    return 0


"""
"""The kernel that looks for one of another move, or of one that may choose the same twice."""


def leave_of_turn(w: Writer, rest: Expr, state: NamedWords = STATE) -> None:
    """Set what is left of the turn before a trial of needs that ask how often a position stood."""
    if w.layout.needs_look_back:
        w.set(state.rest, rest)


def keep(w: Writer) -> None:
    """Copy the position to `g.trial`, while decisions are tried on it."""
    w.copy_position(("g.trial", 0), ("g.state", 0))


def take_back(w: Writer) -> None:
    """Copy the position back from `g.trial`; a fault remains."""
    fault = w.let(STATE.fault, "f")
    w.copy_position(("g.state", 0), ("g.trial", 0))
    with w.when(STATE.fault.eq(0)):
        w.set(STATE.fault, fault)


# --- what follows a decision ---


def remember(w: Writer) -> None:
    """Note in `swapped` whether the sides were swapped before the decision."""
    w.locals[SWAPPED.name] = INT
    w.set(SWAPPED, STATE.swapped)


def try_decision(
    w: Writer, of: tuple[int, int], row: Expr, rest: Expr, go_on: Callable[[], None]
) -> None:
    """Play the decision in a row and return 1 if its needs are met; else copy the position back.

    *of*: its move and the player; *go_on* writes what follows where the game has not ended.
    """
    remember(w)
    w.set(STATE.rest, rest)
    w.set(STATE.fresh, 0)
    with w.when(w.call(f"try_{of[0]}_{of[1]}", GAME, row, 1).ne(0)):
        note_end_of_turn(w, None, SWAPPED, N)
        w.set(STATE.result, w.call(f"ends_{of[1]}", GAME))
        with w.when(STATE.result.eq(RUNNING)):
            go_on()
        unless_outranked(w)
        w.give(1)
    take_back(w)


def unless_outranked(w: Writer) -> None:
    """Let an end for who is stuck decide, where it stands above the one that has ended the game."""
    if w.layout.rules.stuck_above:
        with w.when(STATE.result.ne(RUNNING)):
            w.do("outranked", GAME, SWAPPED, N)


def outranking_kernel(layout: StateLayout) -> Function:
    """Write `outranked`: plays on after an end, to see whether one above it holds for who is stuck.

    If none does, the position is copied back, without the faults of decisions met on the way.
    """
    w, top = Writer(layout=layout), Local("top", INT)
    saved, above = layout.scratch(layout.size), layout.rules.stuck_above
    ended = w.let(SCRATCH.ended, "e")
    is_asked = reduce(or_, [ended.eq(origin) for origin in above])
    with w.when(is_asked & STATE.fault.eq(0)):
        w.copy_position(("g.scratch", saved), ("g.state", 0))
        w.set(STATE.result, RUNNING)
        w.set(SCRATCH.asking, 1)
        w.do("go_on", GAME, SWAPPED, top)
        dry = w.let(w.call("decisions", GAME, top), "n").eq(top) & STATE.fault.eq(0)
        w.set(SCRATCH.asking, 0)
        with w.when(dry):
            w.set(STATE.result, w.call("stuck", GAME))
            for origin, places in above.items():
                is_met = reduce(or_, [SCRATCH.ended.eq(place) for place in places])
                is_over = STATE.result.ne(RUNNING) & STATE.fault.eq(0)
                with w.when(ended.eq(origin) & is_met & is_over):
                    if layout.claimable:
                        w.set(at("g.state", layout.claimable), 0)
                    w.give()
        w.copy_position(("g.state", 0), ("g.scratch", saved))
        w.set(SCRATCH.ended, ended)
    return w.function("outranked", signature("swapped", "top", gives=NOTHING))


def go_on(layout: StateLayout) -> Function:
    """Write `go_on`: what follows a decision that has not ended the game, up to the next one."""
    w, top = Writer(layout=layout), Local("top", INT)
    name = "hand_on" if layout.out else "go_on"
    if layout.claimable:
        w.set(at("g.state", layout.claimable), w.call("claims", GAME))
    if layout.rules.looks_back:
        w.do("push", GAME)
    if not layout.rules.has_several:
        with w.when(STATE.swapped.ne(SWAPPED)):
            w.set(STATE.mover, 1 - STATE.mover)
    with w.when(STATE.rest.eq(layout.courses.get(EMPTY, -1))):
        w.do("next_turn", GAME)
        w.give()
    if layout.over:
        with w.when(turn_is_over(layout).ne(0)):
            w.do("next_turn", GAME)
        return w.function(name, signature("swapped", "top", gives=NOTHING))
    for course, number in layout.running.items():
        if may_end(course):
            with w.when(STATE.rest.eq(number)):
                no_decision = w.call("decisions", GAME, top).eq(top)
                with w.when(no_decision & SCRATCH.may_end.eq(1)):
                    w.do("next_turn", GAME)
                w.give()
    return w.function(name, signature("swapped", "top", gives=NOTHING))


def go_on_past_stuck(layout: StateLayout) -> Function:
    """Write `go_on` where who is stuck may be out: then the next player is asked."""
    w, top = Writer(layout=layout), Local("top", INT)
    w.do("hand_on", GAME, SWAPPED, top)
    going = w.var(1, "g")
    with w.loop(going.ne(0)):
        w.set(going, 0)
        with w.when(w.let(w.call("decisions", GAME, top), "n").eq(top) & STATE.fault.eq(0)):
            w.set(SCRATCH.ended, 0)
            is_running = w.let(w.call("stuck", GAME), "r").eq(RUNNING)
            with w.when(is_running & SCRATCH.ended.ne(0)):
                leave(w)
                w.do("next_turn", GAME)
                w.set(going, 1)
    return w.function("go_on", signature("swapped", "top", gives=NOTHING))
