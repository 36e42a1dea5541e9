"""Turns that must come to their end: what is done then has to succeed.

In: a state layout.  Out: `close_P`, which does what is done when a turn is over and returns whether
it succeeds; and the search for a way to finish the turn, which every decision is tested by.  It
follows ways on the position itself, which is kept in scratch words meanwhile, and ends at the first
that leads to the end.  Games in which nothing is done then have none of this.
"""

from __future__ import annotations

from rulewright.compiler.ir.nodes import Expr, Function, Local
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.longest import search_words
from rulewright.compiler.lower.moves import MoveWriter
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import GAME, STATE, Writer, by_mover, signature
from rulewright.ground import limits
from rulewright.model import rules as r
from rulewright.model.rules import EMPTY
from rulewright.reference.courses import may_stop
from rulewright.reference.effects import has_need


def finishing_kernels(layout: StateLayout) -> list[Function]:
    """Write the kernels that are a game's own."""
    closing = layout.rules.closing
    if closing is None:
        return []
    kernels = [_close(layout, player, r.Perform(closing, ())) for player in layout.rules.views]
    return [*kernels, by_mover(layout, "close", signature()), _may_stop(layout)]


def _close(layout: StateLayout, player: int, closing: r.Perform) -> Function:
    """Write `close_P`: it does the action, and returns whether its needs are met."""
    w = Writer(layout=layout)
    writer = MoveWriter(layout, 0, player, reading=True, trying=True)  # the action is no move's own
    writer.v = Values(GENERAL, layout, w, player, player)
    writer.run((closing,), lambda: w.give(1))
    return w.function(f"close_{player}", signature(), 0)


def _may_stop(layout: StateLayout) -> Function:
    """Write `may_stop`: whether the decision `none` ends the turn."""
    w = Writer(layout=layout)
    for course, number in layout.running.items():
        if may_stop(course):
            with w.when(STATE.rest.eq(number)):
                w.give(1)
    return w.function("may_stop", signature(), 0)


def always_closes(rules: r.Rules) -> bool:
    """Whether what is done when a turn is over succeeds wherever it is done."""
    closing = rules.closing
    return closing is None or not has_need(rules.actions[closing].body, rules)


def ends_turn(rules: r.Rules, rest: r.Course) -> bool:
    """Whether each decision that leaves *rest* finishes its turn, so that no way on is followed."""
    return rules.closing is None or (rest == EMPTY and always_closes(rules))


def keep_finished(w: Writer, first: Expr, n: Local, rest: r.Course) -> None:
    """Keep those rows from *first* on after which the turn can be finished; they leave *rest*."""
    if w.layout.rules.closing is not None:
        kernel = "keep_last" if ends_turn(w.layout.rules, rest) else "keep_finished"
        w.set(n, w.call(kernel, GAME, first, n))


def finishing_words(layout: StateLayout) -> int:
    """Count the scratch words that the search takes."""
    return 0 if layout.rules.closing is None else 3 + limits.WAY * layout.size


def finishing_text(layout: StateLayout) -> str:
    """The search, which is the same in all games."""
    if layout.rules.closing is None:
        return ""
    at, keeps = layout.search + search_words(layout), "    push(g)\n" * layout.rules.looks_back
    return (_SEARCH + _KEEP_LAST * always_closes(layout.rules)).format(
        looking=at, depth=at + 1, tried=at + 2, stack=at + 3, keeps=keeps,
        over=layout.courses[EMPTY], deepest=limits.WAY, most=limits.BRANCHES,
    )  # fmt: skip


_SEARCH = """def keep_finished(g: GameArrays, first: i64, n: i64) -> i64:
    looking = g.scratch[{looking}]
    if looking == 2:
        return first
    listed = g.scratch.listed
    dropped = g.scratch.dropped
    may_end = g.scratch.may_end
    free_row = first
    for i in range(first, n):
        if g.scratch[{looking}] != 2:
            if can_finish(g, i * ROW, n) != 0:
                for k in range(ROW):
                    g.rows[free_row * ROW + k] = g.rows[i * ROW + k]
                free_row = free_row + 1
                if looking == 1:
                    g.scratch[{looking}] = 2
    g.scratch.listed = listed
    g.scratch.dropped = dropped
    g.scratch.may_end = may_end
    return free_row


def decide(g: GameArrays, row: i64) -> None:
    g.state.rest = g.rows[row + 1]
    g.state.fresh = 0
    if g.rows[row] >= 0:
        effects(g, row)
    return


def pass_on(g: GameArrays, swapped: i64) -> None:
{keeps}    if g.state.swapped != swapped:
        g.state.mover = 1 - g.state.mover
    return


def close_here(g: GameArrays) -> i64:
    g.state.rest = {over}
    return close(g)


def can_finish(g: GameArrays, row: i64, top: i64) -> i64:
    depth = g.scratch[{depth}]
    if depth == 0:
        g.scratch[{tried}] = 0
    g.scratch[{tried}] = g.scratch[{tried}] + 1
    if g.state.fault == 0:
        if depth >= {deepest} or g.scratch[{tried}] > {most} or top > MOST_ROWS:
            g.state.fault = TOO_MANY
            g.scratch.origin = TURN
    if g.state.fault != 0:
        return 1
    looking = g.scratch[{looking}]
    asking = g.scratch.asking
    saved = {stack} + depth * SIZE
    copy_in(g.state, g.scratch, saved)
    g.scratch[{depth}] = depth + 1
    g.scratch[{looking}] = 1
    g.scratch.listed = 0
    done = follow_on(g, row, top, saved)
    fault = g.state.fault
    if fault != 0 and fault != TOO_MANY:
        done = 1
        fault = 0
    copy_out(g.state, g.scratch, saved)
    g.state.fault = fault
    g.scratch[{depth}] = depth
    g.scratch[{looking}] = looking
    g.scratch.asking = asking
    return done


def follow_on(g: GameArrays, row: i64, top: i64, saved: i64) -> i64:
    swapped = g.state.swapped
    decide(g, row)
    g.scratch.asking = 0
    if g.state.fault != 0:
        return 1
    if g.state.rest == {over}:
        return close(g)
    pass_on(g, swapped)
    if may_stop(g) != 0:
        done = close_here(g)
        if done != 0 or g.state.fault != 0:
            return 1
        copy_out(g.state, g.scratch, saved)
        decide(g, row)
        pass_on(g, swapped)
    n = decisions(g, top)
    if n > top or g.state.fault != 0:
        return 1
    if g.scratch.may_end == 0:
        return 0
    copy_out(g.state, g.scratch, saved)
    decide(g, row)
    return close_here(g)


"""
_KEEP_LAST = """def keep_last(g: GameArrays, first: i64, n: i64) -> i64:
    looking = g.scratch[{looking}]
    depth = g.scratch[{depth}]
    if looking == 2:
        return first
    if depth == 0 or n == first:
        return n
    if looking == 0 or depth >= {deepest} or g.scratch[{tried}] >= {most} or n > MOST_ROWS:
        return keep_finished(g, first, n)
    g.scratch[{tried}] = g.scratch[{tried}] + 1
    g.scratch[{looking}] = 2
    return n


"""
"""The kernel that keeps decisions which finish their turn: the last of a way is counted alone."""
