"""What happens when a turn is over: ends that are tested then only.

In: a state layout.  Out: the kernel `end_turn`, and calls of it.  It notes in a scratch word
whether the turn is over, which `ends` and `go_on` read.  Games that ask for nothing when a turn is
over have none of this.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.compiler.ir.nodes import Element, Expr, Function, Local
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.writer import GAME, SCRATCH, STATE, Writer, at, signature
from rulewright.model.rules import EMPTY, Course
from rulewright.reference.courses import may_end

_SWAPPED, _TOP = Local("swapped", INT), Local("top", INT)


def turn_is_over(layout: StateLayout) -> Element:
    """The word that says whether the turn is over, since `end_turn` was called."""
    return at("g.scratch", layout.over)


def end_turn(layout: StateLayout) -> Function:
    """Write `end_turn`: notes and returns whether the decision that was done ended the turn."""
    w, over = Writer(layout=layout), turn_is_over(layout)
    w.set(over, 0)
    with w.when(STATE.rest.eq(layout.courses.get(EMPTY, -1))):
        w.set(over, 1)
    for course, number in layout.running.items():
        if may_end(course):
            with w.when(STATE.rest.eq(number)), _as_next_decision(w):
                none = w.let(w.call("decisions", GAME, _TOP), "n").eq(_TOP)
                with w.when(none & SCRATCH.may_end.eq(1)):
                    w.set(over, 1)
    if layout.rules.closing is not None:
        with w.when(over.ne(0)):
            w.set(STATE.rest, layout.courses[EMPTY])
            w.let(w.call("close", GAME), "b")
    return w.function("end_turn", signature("swapped", "top"), over)


@contextmanager
def _as_next_decision(w: Writer) -> Iterator[None]:
    """Look at the position as whoever decides next has it: kept, and with sides as they are."""
    if w.layout.rules.looks_back:
        w.do("push", GAME)
    turns = w.let(STATE.swapped ^ _SWAPPED, "b")
    w.set(STATE.mover, STATE.mover ^ turns)
    yield
    w.set(STATE.mover, STATE.mover ^ turns)
    if w.layout.rules.looks_back:
        w.set(STATE.past, STATE.past - 1)


def note_end_of_turn(w: Writer, rest: Course | None, swapped: Expr, top: Expr) -> None:
    """Note whether a decision that leaves *rest* (None: any course) has ended the turn."""
    if not w.layout.over:
        return
    closes = rest == EMPTY and w.layout.rules.closing is not None
    if rest is not None and not closes and (rest == EMPTY or not may_end(rest)):
        w.set(turn_is_over(w.layout), int(rest == EMPTY))
    else:
        w.let(w.call("end_turn", GAME, swapped, top), "b")


def test_ends(w: Writer, rest: Course, player: int, swapped: Expr, top: Expr) -> None:
    """Test the ends after the decision not to make a move, if it ended the turn."""
    note_end_of_turn(w, rest, swapped, top)
    with w.when(turn_is_over(w.layout).ne(0)):
        w.set(STATE.result, w.call(f"ends_{player}", GAME))
