"""Drawing a decision at random as a row, without playing it: for random games that a text leads.

In: a game's kernels.  Out: a module of its own, linked to them: `draw` gives the place of a row
that needs may still refuse, NOTHING_LEFT where there is none, LIST_ALL where decisions have to be
listed to draw one; `attempt` plays it, unless needs refuse it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

from attrs import define

from rulewright.codegen.backend import Linked
from rulewright.codegen.ir.nodes import Call, Expr, Function, Local, as_expr, parts, statements
from rulewright.codegen.ir.nodes import values as values_of
from rulewright.codegen.ir.types import INT
from rulewright.codegen.layout import RUNNING, StateLayout, Unsupported
from rulewright.codegen.lower.definitions import GENERAL
from rulewright.codegen.lower.game import module_of
from rulewright.codegen.lower.moves import AT, MoveWriter, N
from rulewright.codegen.lower.picks import Picker, Read, picked
from rulewright.codegen.lower.playouts import CHANCE, Part, PlyWriter
from rulewright.codegen.lower.trying import (
    before_effects,
    keep,
    leaves_needs,
    take_back,
    unless_outranked,
)
from rulewright.codegen.lower.values import Values
from rulewright.codegen.lower.writer import GAME, STATE, Writer, at, signature
from rulewright.codegen.passes.duplicates import Duplicates, distinct
from rulewright.model.rules import Course

NOTHING_LEFT = -1
LIST_ALL = -2
_CHANCE = (("chance", "Chance"),)
_BEFORE = Local("swapped", INT)


def lower_draws(layout: StateLayout, game: Linked) -> Linked:
    """The module of a game whose kernels are *game*."""
    inner = copy(layout)
    inner.kernels = []
    try:
        found = [RowWriter(inner, player, ()).ply() for player in (0, 1)]
        found.append(_dispatched(inner))
        known = dict(game.module.functions)
    except Unsupported:
        inner.kernels = []
        found = [Writer(layout=inner).function("draw", signature("n", more=_CHANCE), LIST_ALL)]
        known = dict(game.module.functions)
    found.append(_attempt(inner))
    new = {f.name: f for f in (*inner.kernels, *found)}
    return linked_to(inner, found, new, known)


def linked_to(
    layout: StateLayout,
    found: Sequence[Function],
    new: dict[str, Function],
    known: dict[str, Function],
) -> Linked:
    """A module of kernels that call each other (*new*) and those of a game (*known*)."""
    private, outside = _reached(found, new, known)
    module = module_of(layout, {name: known[name].signature for name in outside})
    module.add([*private, *layout.kernels, *found])
    return Linked.of(module)


def _reached(
    found: Iterable[Function], new: dict[str, Function], known: dict[str, Function]
) -> tuple[list[Function], set[str]]:
    """Kernels of a game that are called: those of one player are copied, the others are linked."""
    todo, seen = [name for f in found for name in _called(f)], set[str]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in new:
            todo += _called(new[name])
        elif _is_private(name):
            todo += _called(known[name])
    old = [f for name, f in known.items() if name in seen and name not in new]
    outside = {f.name for f in old if not _is_private(f.name)}
    return [f for f in old if _is_private(f.name)], outside


def _is_private(name: str) -> bool:
    """Whether other modules do not see a kernel."""
    return name.endswith(("_0", "_1"))


def _called(function: Function) -> list[str]:
    todo, found = [e for s in statements(function.body) for e in values_of(s)], []
    while todo:
        e = todo.pop()
        if isinstance(e, Call):
            found.append(e.name)
        todo += parts(e)
    return found


@define
class RowWriter(PlyWriter):
    """Writes `draw_P(g, chance, n)`: a random decision is picked, and written as a row."""

    def ply(self) -> Function:
        """The kernel of one player."""
        duplicates = Duplicates.of(self.layout)
        if any(duplicates.clash(course) for course in self.layout.courses):
            raise Unsupported("decisions may be written alike")
        return self._function("draw", True, self._pick)

    def _pick(self, found: Expr, parts: list[Part]) -> None:
        self._draw(found, parts)

    def _draw(self, found: Expr, parts: list[Part]) -> None:
        w = self.w
        with w.when(found <= 0):
            w.give(NOTHING_LEFT)
        if parts:
            k = self._number(found)
            for part in parts:
                with w.when(k < part.count):
                    part.play(k)
                w.set(k, k - part.count)
        w.give(NOTHING_LEFT)

    def _none(self, rest: Course) -> Part:
        def play(_: Expr) -> None:
            w, row = self.w, self.w.let(N * self.layout.row, "r")
            w.set(at("g.rows", row), -1)
            w.set(at("g.rows", row + 1), self.layout.courses[rest])
            for i in range(2, self.layout.row):
                w.set(at("g.rows", row + i), 0)
            w.give(row)

        return Part(as_expr(1), play)

    def _listed(self, call: Expr) -> Part:
        w, first = self.w, self.w.var(N, "n")
        w.set(N, call)

        def play(k: Expr) -> None:
            w.give((first + k) * self.layout.row)

        return Part(w.let(N - first, "n"), play)

    def _rows(self, number: int, rest: Course, tried: bool) -> Part:
        if tried and not distinct(self.layout.rules.moves[number], self.layout.rules):
            raise Unsupported("decisions may be written alike")
        return super()._rows(number, rest, tried)

    def _attempt(self, number: int, rest: Course, row: Expr, tried: bool) -> None:
        self.w.give(row)

    def _fast(self, number: int, rest: Course) -> Part:
        return self._written(number, rest, lambda v, tests: Picker(v, tests).read(), exact=True)

    def _drawn(self, number: int, rest: Course, read: Read = picked) -> Part:
        return self._written(number, rest, read)

    def _written(self, number: int, rest: Course, read: Read, exact: bool = False) -> Part:
        """Decisions that are picked by their number, and written as rows."""
        move = self.layout.rules.moves[number]
        if exact:
            self.refuse_needs(move)
        v = Values(GENERAL, self.layout, self.w, self.player, self.player)
        count, pick = read(v, before_effects(move))

        def play(k: Expr) -> None:
            v.frame = pick(k)
            writer = MoveWriter(self.layout, number, self.player)
            self.w.give(writer.write_row(v, as_expr(self.layout.courses[rest])))

        return Part(count, play)


def _dispatched(layout: StateLayout) -> Function:
    """`draw`: the kernel for whoever is at move."""
    w, given = Writer(layout=layout), (GAME, (CHANCE,), N)
    with w.when(STATE.mover.eq(0)):
        w.give(w.call("draw_0", *given))
    return w.function("draw", signature("n", more=_CHANCE), w.call("draw_1", *given))


def _attempt(layout: StateLayout) -> Function:
    """`attempt(g, at, n)`: plays the decision in a row if its needs are met; rows from n are free.

    1 if it was played; else nothing has changed but for a fault.
    """
    w = Writer(layout=layout)
    mover, chosen = w.let(STATE.mover, "p"), w.let(at("g.rows", AT), "m")
    for player in (0, 1):
        for number, move in enumerate(layout.rules.moves):
            if leaves_needs(move, layout.rules):
                with w.when(mover.eq(player) & chosen.eq(number)):
                    _tried(w, number, player)
    w.do("play", GAME, AT, N)
    return w.function("attempt", signature("at", "n"), 1)


def _tried(w: Writer, number: int, player: int) -> None:
    """Play a decision whose needs listing has left."""
    keep(w)
    w.locals["swapped"] = INT
    w.set(_BEFORE, STATE.swapped)
    w.set(STATE.rest, at("g.rows", AT + 1))
    w.set(STATE.fresh, 0)
    with w.when(w.call(f"try_{number}_{player}", GAME, AT, 1).ne(0)):
        w.set(STATE.result, w.call(f"ends_{player}", GAME))
        with w.when(STATE.result.eq(RUNNING)):
            w.do("go_on", GAME, _BEFORE, N)
        unless_outranked(w, _BEFORE)
        w.give(1)
    take_back(w)
    w.give(0)
