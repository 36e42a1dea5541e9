"""Needs that are tested by trying: a decision is done on the position, which is then taken back.

In: a move.  Out: whether listing its decisions leaves needs to be tried (those after effects, and
costly ones), and statements that keep a position and take it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rulewright.codegen.ir.nodes import Function, Local
from rulewright.codegen.ir.types import INT
from rulewright.codegen.layout import FAULT, MOVER, StateLayout
from rulewright.codegen.lower.writer import GAME, Writer, at, signature
from rulewright.codegen.passes.duplicates import Offer, TurnEnds, distinct, has_need, options
from rulewright.codegen.passes.pushdown import STILL
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.rules import Course
from rulewright.model.walk import nodes, reached

TESTS = (r.Choose, r.ChooseRay, r.Let, r.Need, r.Write)
"""Statements that change nothing."""


def before_effects(move: r.MoveKind) -> list[r.Effect]:
    """The statements of a move before its first effect."""
    return list(takewhile(lambda s: isinstance(s, TESTS), move.body))


def after_choices(move: r.MoveKind) -> tuple[r.Effect, ...]:
    """The statements of a move behind its last choice."""
    chooses = [i for i, s in enumerate(move.body) if isinstance(s, r.Choose | r.ChooseRay)]
    return move.body[chooses[-1] + 1 :] if chooses else move.body


def last_need(body: Sequence[r.Effect], rules: r.Rules) -> int:
    """The last statement that can discard a decision; -1 if there is none."""
    return max((i for i, s in enumerate(body) if has_need((s,), rules)), default=-1)


def leaves_needs(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether listing leaves needs of a move to be tried: some stand after effects, or are costly.

    Not where something is chosen after effects, or the notation depends on what they do.
    """
    behind = move.body[len(before_effects(move)) :]
    if any(isinstance(s, r.Choose | r.ChooseRay) for s in behind):
        return False
    if not distinct(move, rules) and not all(_plain(s, behind) for s in behind):
        return False
    costly = any(isinstance(s, r.Need) and _is_costly(s, rules) for s in after_choices(move))
    return costly or has_need(behind, rules)


def _plain(s: r.Effect, behind: Sequence[r.Effect]) -> bool:
    """Whether a notation asks for nothing but what was known before the effects."""
    if not isinstance(s, r.Write):
        return True
    late = {t.slot for t in behind if isinstance(t, r.Let)}
    looks = (m.Quantified, m.Ray, m.StateValue, m.CallFunction)
    return not any(isinstance(n, looks) for n in nodes(s.notation)) and not any(
        (isinstance(n, m.Local) and n.slot in late)
        or (isinstance(n, m.Apply) and n.operation not in STILL)
        for n in nodes(s.notation)
    )


def _is_costly(s: r.Need, rules: r.Rules) -> bool:
    """Whether a condition goes through something again and again."""
    return any(isinstance(n, m.Quantified) for n in reached(s.condition, rules.functions))


def may_draw_alike(course: Course, rules: r.Rules) -> bool:
    """Whether decisions are drawn from rows of which some may be written alike.

    Where a need has to be tried, and every offer is a move: rows that are drawn are looked for
    among those above them.
    """
    offers = [o for o in options(course) if not isinstance(o, TurnEnds)]
    moves = [o.move for o in offers if isinstance(o, Offer) and o.move is not None]
    return len(moves) == len(offers) and any(leaves_needs(rules.moves[n], rules) for n in moves)


def legal_row(layout: StateLayout) -> Function:
    """`legal`: whether needs are met that listing left, for the decision in the row at `at`."""
    w, row = Writer(layout=layout), Local("at", INT)
    mover, chosen = w.let(at("g.state", MOVER), "p"), w.let(at("g.rows", row), "m")
    for player in (0, 1):
        for number, move in enumerate(layout.rules.moves):
            if leaves_needs(move, layout.rules):
                with w.when(mover.eq(player) & chosen.eq(number)):
                    met = w.let(w.call(f"try_{number}_{player}", GAME, row, 0), "r")
                    take_back(w)
                    w.give(met)
    return w.function("legal", signature("at"), 1)


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
"""The same for decisions of other moves, and for those of one that may choose the same twice."""


def keep(w: Writer) -> None:
    """Keep the position while decisions are tried on it."""
    with w.each(0, w.layout.size) as index:
        w.set(at("g.trial", index), at("g.state", index))


def take_back(w: Writer) -> None:
    """Back to the position that was kept; a fault remains."""
    fault = w.let(at("g.state", FAULT), "f")
    with w.each(0, w.layout.size) as index:
        w.set(at("g.state", index), at("g.trial", index))
    with w.when(at("g.state", FAULT).eq(0)):
        w.set(at("g.state", FAULT), fault)
