"""Decisions as rows for random games that a text leads, and the lines that the text says.

In: a game's kernels, and lines of an evaluator.  Out: modules of their own, linked to the game's.
`draw` gives the place of a row that needs may still refuse, NOTHING_LEFT where there is none,
LIST_ALL where decisions have to be listed to draw one; `attempt` plays it, unless needs refuse it.

Of opening lines `opens(g, factors, last, line)` says whether the condition holds, and
`wanted_by(g, factors, last, line, number, site)` whether a set holds a site; `last` are the sites
of the last decisions, the last one first.  Of replies, which random games ask at every decision,
the choices are sets: see `lower_replies`.  Refuses what evaluators have no kernels for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from copy import copy
from typing import ClassVar

from attrs import define, field

from rulewright.compiler.backend import Linked
from rulewright.compiler.ir.nodes import Array, Expr, Function, Local, as_expr, calls, choice
from rulewright.compiler.ir.types import FLOATS, INT, INTS, is_internal
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.evaluators import FORMS, EvaluatorValues
from rulewright.compiler.lower.game import module_of
from rulewright.compiler.lower.moves import AT, MoveWriter, N
from rulewright.compiler.lower.picks import Pick, Picker, Reader, pick_choices
from rulewright.compiler.lower.playouts import CHANCE, CHANCE_PARAM, Part, PlyWriter
from rulewright.compiler.lower.trying import (
    SWAPPED,
    before_effects,
    keep,
    tried_moves,
    try_decision,
)
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import (
    GAME,
    STATE,
    Lowered,
    Site,
    Sites,
    Writer,
    at,
    by_mover,
    each_decider,
    signature,
)
from rulewright.compiler.passes.choices import choice_places
from rulewright.compiler.passes.decision_rows import Duplicates, distinct
from rulewright.compiler.passes.offers import Instead, Offer, Option, options
from rulewright.ground.records import Record, record
from rulewright.model import evaluation as ev
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.model.rules import Course

NOTHING_LEFT = -1
LIST_ALL = -2
_DRAW = signature("n", more=CHANCE_PARAM)


def lower_draws(layout: StateLayout, game: Linked) -> Linked:
    """Lower the draws of a game, whose kernels are *game*."""
    inner = copy(layout)
    inner.kernels = []
    try:
        kernels = [RowWriter(inner, player, ()).ply() for player in inner.rules.views]
        kernels.append(by_mover(inner, "draw", _DRAW))
        game_kernels = dict(game.module.functions)
    except Unsupported:
        inner.kernels = []
        kernels = [Writer(layout=inner).function("draw", _DRAW, LIST_ALL)]
        game_kernels = dict(game.module.functions)
    kernels.append(_attempt(inner))
    own = {f.name: f for f in (*inner.kernels, *kernels)}
    return linked_to(inner, kernels, own, game_kernels)


def linked_to(
    layout: StateLayout,
    kernels: Sequence[Function],
    own: dict[str, Function],
    game_kernels: dict[str, Function],
) -> Linked:
    """Make a module of kernels that call each other (*own*) and those of a game."""
    private, outside = _called_kernels(kernels, own, game_kernels)
    module = module_of(layout, {name: game_kernels[name].signature for name in outside})
    module.add([*private, *layout.kernels, *kernels])
    return Linked.of(module, layout.needs)


def _called_kernels(
    kernels: Iterable[Function], own: dict[str, Function], game_kernels: dict[str, Function]
) -> tuple[list[Function], list[str]]:
    """Return the called kernels of a game: those of one player to copy, names of others to link."""
    todo, names = [call.name for f in kernels for call in calls(f)], set[str]()
    while todo:
        name = todo.pop()
        if name in names:
            continue
        names.add(name)
        if name in own:
            todo += [call.name for call in calls(own[name])]
        elif is_internal(name):
            todo += [call.name for call in calls(game_kernels[name])]
    used = [f for name, f in game_kernels.items() if name in names and name not in own]
    outside = [f.name for f in used if not is_internal(f.name)]
    return [f for f in used if is_internal(f.name)], outside


@define
class RowWriter(PlyWriter):
    """Write `draw_P(g, chance, n)`: a random decision is picked, and written as a row."""

    _follows: ClassVar[bool] = False

    def ply(self) -> Function:
        """Write the kernel of one player; raises `Unsupported`."""
        duplicates = Duplicates.of(self.layout)
        if any(duplicates.clash(course) for course in self.layout.courses):
            raise Unsupported("decisions may be written alike")
        return self._function("draw", True, self._pick)

    def _pick(self, count: Expr, parts: list[Part]) -> None:
        self._draw(count, parts)

    def _draw(self, count: Expr, parts: list[Part]) -> None:
        w = self.w
        with w.when(count <= 0):
            w.give(NOTHING_LEFT)
        if parts:
            k = self._number(count)
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

    def _add_rows(self, call: Expr) -> Part:
        w, first = self.w, self.w.var(N, "n")
        w.set(N, call)

        def play(k: Expr) -> None:
            w.give(self.drawn_row(first, k) * self.layout.row)

        return Part(w.let(N - first, "n"), play)

    def _rows(self, number: int, rest: Course, trial: bool) -> Part:
        if trial and not distinct(self.layout.rules.moves[number], self.layout.rules):
            raise Unsupported("decisions may be written alike")
        return super()._rows(number, rest, trial)

    def _attempt(self, number: int, rest: Course, row: Expr, trial: bool) -> None:
        self.w.give(row)

    def _fast(self, number: int, rest: Course) -> Part:
        return self._as_rows(number, rest, lambda v, tests: Picker(v, tests).read(), exact=True)

    def _sample(self, number: int, rest: Course, read: Reader = pick_choices) -> Part:
        return self._as_rows(number, rest, read)

    def _as_rows(self, number: int, rest: Course, read: Reader, exact: bool = False) -> Part:
        """Return decisions that are picked by their number, and written as rows."""
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


def _attempt(layout: StateLayout) -> Function:
    """Write `attempt(g, at, n)`: it plays the decision in a row if its needs are met.

    Rows from n on are free.  It returns 1 if it has played; else only a fault may have changed.
    """
    w = Writer(layout=layout)
    for player, number in each_decider(w, tried_moves(layout.rules)):
        keep(w)
        rest = at("g.rows", AT + 1)
        try_decision(w, (number, player), AT, rest, lambda: w.do("go_on", GAME, SWAPPED, N))
        w.give(0)
    w.do("play", GAME, AT, N)
    return w.function("attempt", signature("at", "n"), 1)


# --- lines that a text says: of openings, and of replies in random games ---

_LINE_ARRAYS = (("factors", FLOATS), ("last", INTS))
_TAKES = (*_LINE_ARRAYS, ("chance", "Chance"))
_LAST_SITES = Array("last", INTS)
NO_REPLY = -1
_LINE, _NUMBER, _SITE = (Local(name, INT) for name in ("line", "number", "site"))


def lower_openings(
    layout: StateLayout, evaluator: ev.Evaluator, lines: Sequence[ev.OpeningLine]
) -> Linked:
    """Lower opening lines; the tables are added to those of *layout*."""
    lowering = _OpeningWriter(layout.for_definitions(evaluator.functions), evaluator, lines)
    kernels = list(lowering.functions())
    layout.scratch_size = lowering.layout.scratch_size
    module = module_of(layout, {"how_many": signature("n")})
    module.add([*lowering.layout.kernels, *kernels])
    return Linked.of(module, layout.needs)


@record
class _OpeningWriter(Record):
    layout: StateLayout
    evaluator: ev.Evaluator
    lines: Sequence[ev.OpeningLine]

    def functions(self) -> Iterator[Function]:
        """Write both kernels."""
        yield self._kernel("opens", (_LINE,), self._conditions)
        yield self._kernel("wanted_by", (_LINE, _NUMBER, _SITE), self._sets)

    def _kernel(
        self, name: str, numbers: tuple[Local, ...], write: Callable[[EvaluatorValues], None]
    ) -> Function:
        """Write a kernel that first looks who is to move."""
        w = Writer(layout=self.layout)
        for mover in (0, 1):
            with w.when(STATE.mover.eq(mover)):
                write(
                    EvaluatorValues(FORMS, self.layout, w, mover, mover, evaluator=self.evaluator)
                )
        return w.function(name, signature(*(n.name for n in numbers), more=_LINE_ARRAYS), 0)

    def _conditions(self, v: EvaluatorValues) -> None:
        for number, line in enumerate(self.lines):
            with v.w.when(_LINE.eq(number)):
                v.frame = self._frame(line)
                self._give(v, v.truth(line.condition))

    def _sets(self, v: EvaluatorValues) -> None:
        for number, line in enumerate(self.lines):
            for place, sites in enumerate(line.sets):
                with v.w.when(_LINE.eq(number) & _NUMBER.eq(place)):
                    v.frame = self._frame(line)
                    self._give(v, v.sites(sites).has(_SITE).ne(0))

    def _give(self, v: EvaluatorValues, truth: Expr) -> None:
        v.w.give(choice(truth, 1, 0))

    def _frame(self, line: ev.OpeningLine) -> dict[int, Lowered]:
        return {slot: Site(at("last", slot)) for slot in range(line.last)}


# --- replies, for random games ---


def lower_replies(
    layout: StateLayout,
    game: Linked,
    evaluator: ev.Evaluator | None,
    lines: Sequence[ev.OpeningLine],
) -> Linked:
    """Lower the lines that random games ask first, for a game whose kernels are *game*.

    `answer(g, factors, last, chance, line, n)` draws a decision that a line says and writes it as
    row n: its place, or NO_REPLY.  `site_chosen(g, at)` is the site that the decision in a row
    chose, of several the last one; NO_REPLY where it chose none.
    """
    functions = evaluator.functions if evaluator else layout.rules.functions
    inner = layout.for_definitions(functions)
    kernels = [
        _ReplyWriter(inner, player, (), evaluator=evaluator).line(number, line)
        for player in (0, 1)
        for number, line in enumerate(lines)
        if evaluator
    ]
    kernels += [_answer(inner, len(lines)), _site_chosen(inner)]
    layout.scratch_size = inner.scratch_size
    own = {f.name: f for f in (*inner.kernels, *kernels)}
    return linked_to(inner, kernels, own, dict(game.module.functions))


@define
class _ReplyWriter(RowWriter):
    """Write `reply_LINE_P(g, factors, last, chance, n)`."""

    evaluator: ev.Evaluator = field(kw_only=True)
    _opening: ev.OpeningLine = field(init=False)

    def line(self, number: int, line: ev.OpeningLine) -> Function:
        """Write the kernel that gives the reply of one opening line."""
        self._opening = line
        self.w = w = Writer(layout=self.layout)
        self._start, self._lenient = w.var(N, "n"), True
        if line.last:
            with w.when(at("last", line.last - 1) < 0):
                w.give(NO_REPLY)
        if line.chance < 1:
            half = w.call("random_half", (CHANCE,))
            with w.when(half >= int(line.chance * 2**32)):
                w.give(NO_REPLY)
        with w.when(self._values().truth(line.condition)):
            for course, rest in self.layout.running.items():
                with w.when(STATE.rest.eq(rest)):
                    parts = self._parts(options(course))
                    self._draw(self._sum(parts), parts)
        return w.function(f"reply{number}_{self.player}", signature("n", more=_TAKES), NO_REPLY)

    def _values(self) -> EvaluatorValues:
        """Make the writer of the line's expressions."""
        v = EvaluatorValues(
            FORMS, self.layout, self.w, self.player, self.player, evaluator=self.evaluator
        )
        v.begin()
        v.frame = {slot: Site(at("last", slot)) for slot in range(self._opening.last)}
        return v

    def _option_parts(self, option: Option) -> list[Part]:
        match option:
            case Offer(move=int(move), tail=rest) if move == self._opening.move:
                return [self._as_rows(move, rest, self._read_choices)]
            case Instead():
                raise Unsupported("a reply where some decisions exclude others")
        return []

    def _read_choices(self, v: Values, tests: list[r.Effect]) -> tuple[Expr, Pick]:
        return Picker(v, tests, lenient=True, among=self._best_sites).read()

    def _best_sites(self, sites: Sites) -> Sites:
        """Narrow sites to the first set of the line that holds any of them."""
        w, v = self.w, self._values()
        words = [w.var(0, "m") for _ in sites.words]
        chosen_sites = Sites(w, tuple(words))
        for place, region in enumerate(self._opening.sets):
            with w.when(chosen_sites.none()) if place else nullcontext():
                for name, word in zip(words, (v.sites(region) & sites).words, strict=True):
                    w.set(name, word)
        return chosen_sites


def _answer(layout: StateLayout, lines: int) -> Function:
    """Write `answer`: it calls the kernel of a line for who is to move."""
    w = Writer(layout=layout)
    arguments = (GAME, Array("factors", FLOATS), _LAST_SITES, (CHANCE,), N)
    for player in (0, 1):
        for number in range(lines):
            with w.when(STATE.mover.eq(player) & _LINE.eq(number)):
                w.give(w.call(f"reply{number}_{player}", *arguments))
    return w.function("answer", signature("line", "n", more=_TAKES), NO_REPLY)


def _site_chosen(layout: StateLayout) -> Function:
    w = Writer(layout=layout)
    for number, move in enumerate(layout.rules.moves):
        places = [
            at_ for kind, at_, _ in choice_places(move, layout.words).values() if kind is Type.SITE
        ]
        if places:
            with w.when(at("g.rows", AT).eq(number)):
                w.give(at("g.rows", AT + places[-1]))
    return w.function("site_chosen", signature("at"), NO_REPLY)
