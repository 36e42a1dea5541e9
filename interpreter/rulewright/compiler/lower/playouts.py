"""Random decisions, and how many there are, without writing all of them out.

In: a state layout.  Out: kernels that play a random decision of a position, and that count
decisions.  The choices of a move are sets where it chooses no site, one site, or two of which the
second is a single step from the first; then the k-th decision is a bit of a set.  Every other move
is written out as rows, and one of these is played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import ClassVar

from attrs import define, evolve, field

from rulewright.compiler.faults import TOO_MANY
from rulewright.compiler.ir.nodes import Expr, Function, Local, Set, as_expr, op, truth
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import RUNNING, StateLayout, Unsupported
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.following import FOLLOWED, followed_decisions, may_draw
from rulewright.compiler.lower.longest import has_ceiling, kernel_of, reaches_ceiling, ways_of
from rulewright.compiler.lower.lots import is_even, likelihood_at
from rulewright.compiler.lower.moves import MoveWriter, N
from rulewright.compiler.lower.picks import Picker, Reader, is_product, pick_choices, product_of
from rulewright.compiler.lower.targets import told_by_ends
from rulewright.compiler.lower.trying import (
    SWAPPED,
    before_effects,
    keep,
    leaves_needs,
    may_draw_alike,
    remember,
    try_decision,
    turns_odd,
    unless_outranked,
)
from rulewright.compiler.lower.turn_ends import note_end_of_turn, test_ends
from rulewright.compiler.lower.turn_finishing import ends_turn
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.verdicts import pass_on, verdict
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    Site,
    Writer,
    array,
    at,
    by_mover,
    signature,
    total,
)
from rulewright.compiler.passes.decision_rows import Duplicates, distinct, key_place
from rulewright.compiler.passes.incremental import Incremental
from rulewright.compiler.passes.normalize import is_never
from rulewright.compiler.passes.offers import Instead, Offer, Option, TurnEnds, Within, options
from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import everything
from rulewright.reference.effects import has_need

CHANCE = array("chance")
CHANCE_PARAM = (("chance", "Chance"),)
_PLY = signature("n", more=CHANCE_PARAM)


@record
class Part(Record):
    """Decisions of one kind: their number, and the writer that plays the k-th of them."""

    count: Expr
    play: Callable[[Expr], None]
    trial: bool = False
    """Whether `play` tests needs: it returns 1 if they are met, else it changes nothing."""


@define(repr=False, eq=False)
class PlyWriter(Record):
    """Write the kernels of one player."""

    layout: StateLayout
    player: int
    clashing: Collection[Course]
    """Courses whose decisions may stand in a list twice."""
    incremental: Incremental | None = None
    """The structures that `incremental_ply_P` updates; it plays fast forms only."""
    w: Writer = field(init=False)
    _start: Local = field(init=False)
    """The row at which the rows of the position begin."""
    _lenient: bool = field(default=False, init=False)
    """Whether parts may hold decisions that are tried when they are drawn."""
    _all_rows: bool = field(default=False, init=False)
    """Whether all parts are rows, as some may be written alike."""
    _follows: ClassVar[bool] = True
    """Whether a decision that is drawn can be followed to the end of its turn, and then played."""
    _is_alone: bool = field(default=False, init=False)
    """Whether nothing else is offered beside the option at hand."""

    @cached_property
    def _partners(self) -> int:
        """The offset of the table of moves that may be written alike."""
        return Duplicates.of(self.layout).partners(self.layout)

    def count(self) -> Function:
        """Write `how_many_P(..., n)`: it counts decisions, and sets `may_end` if a turn may end."""
        return self._function("how_many", False, lambda total, _: self.w.give(total))

    def ply(self) -> Function:
        """Write `ply_P(g, chance, n)`: it plays a random decision; returns 0 if there is none."""
        name = "incremental_ply" if self.incremental else "ply"
        return self._function(name, True, self._pick)

    def _function(
        self, name: str, draws: bool, use: Callable[[Expr, list[Part]], None]
    ) -> Function:
        w, self._lenient = Writer(layout=self.layout), draws and self.incremental is None
        self.w, self._start = w, w.var(N, "n")
        if self.layout.may_end:
            w.set(SCRATCH.may_end, 0)
        w.set(SCRATCH.listed, 0)
        running = self.layout.running
        for course, number in running.items():
            with w.when(truth(True) if len(running) == 1 else STATE.rest.eq(number)):
                self._course(course, use)
        return w.function(f"{name}_{self.player}", signature("n", more=CHANCE_PARAM * draws), 0)

    def _course(self, course: Course, use: Callable[[Expr, list[Part]], None]) -> None:
        w, clashes = self.w, course in self.clashing
        self._all_rows = clashes and self._lenient and may_draw_alike(course, self.layout.rules)
        follows = self._lenient and self._follows
        must_list = not may_draw(options(course), self.layout.rules, follows)
        lists_all = must_list or (clashes and not self._all_rows)
        self._is_alone = sum(not isinstance(o, TurnEnds) for o in options(course)) == 1
        parts = [self._distinct()] if lists_all else self._parts(options(course))
        count = self._sum(parts)
        if any(part.trial for part in parts):
            self._draw(count, parts)
            return
        if not clashes:
            with w.when(count > limits.BRANCHES):  # listing all says where
                self._forget_too_many()
                w.give(0 * w.let(self._decisions(), "n"))
        use(count, parts)

    def _forget_too_many(self) -> None:
        with self.w.when(STATE.fault.eq(TOO_MANY)):
            self.w.set(STATE.fault, 0)

    def _decisions(self) -> Expr:
        return self.w.call(f"decisions_{self.player}", GAME, N)

    def _distinct(self) -> Part:
        """List all decisions as rows, without those that stand there twice."""
        if self.incremental:
            raise Unsupported
        return self._add_rows(self._decisions())

    def _sum(self, parts: Sequence[Part]) -> Expr:
        return self.w.let(total(part.count for part in parts), "n")

    def _pick(self, count: Expr, parts: list[Part]) -> None:
        w = self.w
        with w.when(count.eq(0)):
            w.give(0)
        if not parts:
            return
        k = self._number(count)
        for part in parts[:-1]:
            with w.when(k < part.count):
                part.play(k)
                w.give(1)
            w.set(k, k - part.count)
        parts[-1].play(k)
        w.give(1)

    def _number(self, below: Expr) -> Local:
        """Draw a random number below *below*."""
        half = self.w.call("random_half", (CHANCE,))
        return self.w.var(op("shift_right", op("wrap_mul", half, below), 32), "k")

    def _draw(self, count: Expr, parts: list[Part]) -> None:
        """Draw until a decision meets its needs; after as many draws as decisions, list them all.

        Every legal decision is as likely in each draw, and in the list.
        """
        w, draws = self.w, self.w.var(count, "d")
        with w.when((count > limits.BRANCHES) | (SCRATCH.listed > limits.BRANCHES)):
            self._forget_too_many()
            w.set(draws, 0)
        keep(w)
        with w.loop(draws > 0):
            w.set(draws, draws - 1)
            k = self._number(count)
            for part in parts:
                with w.when((k >= 0) & (k < part.count)):
                    part.play(k)
                    if not part.trial:
                        w.give(1)
                w.set(k, k - part.count)
            with w.when(STATE.fault.ne(0)):
                w.give(1)
        rows = self._distinct()
        with w.when(rows.count.eq(0)):
            w.give(0)
        rows.play(self._number(rows.count))
        w.give(1)

    # --- the decisions of a course, in parts ---

    def _parts(self, offers: Sequence[Option]) -> list[Part]:
        return [part for option in offers for part in self._option_parts(option)]

    def _option_parts(self, option: Option) -> list[Part]:
        match option:
            case Offer(move=None, tail=rest):
                return [self._none(rest)]
            case Offer(move=int(move), tail=rest):
                return self._move(move, rest)
            case Within():
                if self.incremental:
                    raise Unsupported
                if self._may_try(option):
                    return [self._ways(option)]
                name = kernel_of(option, self.layout, self.player)
                return [self._add_rows(self.w.call(name, GAME, N))]
            case Instead(first=(Within() as part,), second=second) if self._may_try(part, second):
                return self._else([self._ways(part)], second)
            case Instead(first=first, second=second):
                closes = (
                    self.layout.rules.closing is not None
                )  # draws that fail list all, `else` too
                return self._else(self._parts(first) if closes else self._exact(first), second)
            case TurnEnds() if self.layout.may_end:
                self.w.set(SCRATCH.may_end, 1)
        return []

    def _may_try(self, part: Within, second: Sequence[Option] = ()) -> bool:
        """Whether decisions of a longest part may be drawn: nothing stands beside or behind it."""
        ends_only = all(isinstance(option, TurnEnds) for option in second)
        alone = self._lenient and self._is_alone and ends_only
        return alone and has_ceiling(part, self.layout.rules)

    def _ways(self, option: Within) -> Part:
        """Return what ways of any length begin with; a draw counts if one reaches the ceiling."""
        w, first = self.w, self.w.var(N, "n")
        w.set(N, w.call(ways_of(option, self.layout, self.player), GAME, N))

        def play(k: Expr) -> None:
            with w.when(reaches_ceiling(w, option, row := w.let(first + k, "r"))):
                w.do("play", GAME, row * self.layout.row, N)
                w.give(1)

        return Part(w.let(N - first, "n"), play, True)

    def _exact(self, offers: Sequence[Option]) -> list[Part]:
        """Return the parts of options, without decisions that needs refuse."""
        lenient, self._lenient = self._lenient, False
        parts, self._lenient = self._parts(offers), lenient
        return parts

    def _else(self, first: list[Part], second: Sequence[Option]) -> list[Part]:
        """Return all parts; the second options have no decisions while the first have some."""
        w, count = self.w, self._sum(first)
        place, local_count = len(w.body), len(w.locals)
        with w.when(count.eq(0)):
            parts = self._parts(second)
            names = [w.var(part.count, "n") for part in parts]
        fresh = list(w.locals)[local_count:]  # they have values where nothing is played, too
        w.body[place:place] = [Set(name, as_expr(0)) for name in fresh if w.locals[name] == INT]
        return [*first, *(evolve(q, count=n) for n, q in zip(names, parts, strict=True))]

    def _none(self, rest: Course) -> Part:
        def play(_: Expr) -> None:
            remember(self.w)
            self.w.set(STATE.rest, self.layout.courses[rest])
            self.w.set(STATE.fresh, 0)
            if self.layout.over:
                test_ends(self.w, rest, self.player, SWAPPED, N)
            with self.w.when(STATE.result.eq(RUNNING) if self.layout.over else truth(True)):
                self._continue(rest, simple=True)
            if self.layout.over:
                unless_outranked(self.w)

        return Part(as_expr(1), play)

    def _move(self, number: int, rest: Course) -> list[Part]:
        """Return the decisions of a move, in a fast form if there is one."""
        rules, move = self.layout.rules, self.layout.rules.moves[number]
        if is_never(move):
            return []
        if not ends_turn(rules, rest):
            self.layout.note(f"decisions of {move.name}", FOLLOWED)
            return [Part(*followed_decisions(self, number, rest), trial=True)]
        if move.by_chance and (self.incremental or not is_even(move)):
            return [self._lots(number, rest)]
        trial, part = self._lenient and leaves_needs(move, self.layout.rules), None
        if not self._all_rows:
            part = self.w.attempt(lambda: self._fast(number, rest))
        how = "a random one is picked as a bit of a set"
        is_distinct = distinct(move, self.layout.rules) or told_by_ends(move)
        if part is None and trial and not self._all_rows and is_distinct:
            part = self.w.attempt(lambda: self._sample(number, rest))
            how = f"{how}, and its needs are tested then"
        if part is None and self._lenient and not self._all_rows and is_product(move, rules):
            part = self.w.attempt(lambda: self._sample(number, rest, product_of))
            how = "each choice is drawn by itself, and needs are tested then"
        if part is None:
            how = f"random ones are picked from rows{', and their needs are tested then' * trial}"
        if self._lenient:
            self.layout.note(f"decisions of {move.name}", how)
        if part is None and self.incremental:
            raise Unsupported
        return [part or self._rows(number, rest, trial)]

    def _lots(self, number: int, rest: Course) -> Part:
        """Write the rows of a move that chance makes; one is drawn as likely as it is."""
        if self.incremental:
            raise Unsupported
        name, course = f"moves_{number}_{self.player}", self.layout.courses[rest]
        self.layout.note(f"decisions of {self.layout.rules.moves[number].name}", "drawn by chance")
        return self._add_rows(self.w.call(name, GAME, N, course))

    def _rows(self, number: int, rest: Course, trial: bool) -> Part:
        """Write the rows of a move, below those of other moves."""
        name, course, w = f"moves_{number}_{self.player}", self.layout.courses[rest], self.w
        call, first = w.call(name, GAME, N, course), w.var(N, "n")
        if not trial and not self._all_rows:
            return self._add_rows(call)
        if trial:
            w.set(SCRATCH.drawing, 1)
        w.set(N, call)
        w.set(SCRATCH.drawing, 0)

        def play(k: Expr) -> None:
            row = w.let(first + k, "r")
            with w.when(self._is_written_above(number, first, row, trial).eq(0)):
                self._attempt(number, rest, w.let(row * self.layout.row, "r"), trial)

        return Part(w.let(N - first, "n"), play, True)

    def _is_written_above(self, number: int, first: Expr, row: Expr, trial: bool) -> Expr:
        """Write whether a legal row above is written like this one, which then does not count."""
        w, layout, twin = self.w, self.layout, as_expr(0)
        if self._all_rows:
            twin = w.var(w.call("written_before", GAME, self._partners, self._start, row), "b")
        move = layout.rules.moves[number]
        if trial and not distinct(move, layout.rules):
            room, length = key_place(move, layout)
            twin = twin | w.call("keyed_before", GAME, first, row, room, length)
        return twin

    def _sample(self, number: int, rest: Course, read: Reader = pick_choices) -> Part:
        """Return decisions that are drawn before their needs are tested."""
        move = self.layout.rules.moves[number]
        v = Values(GENERAL, self.layout, self.w, self.player, self.player)
        count, pick = read(v, before_effects(move))

        def play(k: Expr) -> None:
            v.frame = pick(k)
            writer = MoveWriter(self.layout, number, self.player)
            self._attempt(
                number, rest, writer.write_row(v, as_expr(self.layout.courses[rest])), True
            )

        return Part(count, play, True)

    def _attempt(self, number: int, rest: Course, row: Expr, trial: bool) -> None:
        """Play the decision in a row if its needs are met; else change nothing but a fault."""
        w, move = self.w, self.layout.rules.moves[number]
        simple = not turns_odd(move, self.layout.rules) and rest == EMPTY
        if not trial:
            w.do("play", GAME, row, N)
            w.give(1)
            return
        course = as_expr(self.layout.courses[rest])
        try_decision(w, (number, self.player), row, course, lambda: self._continue(rest, simple))

    def _add_rows(self, call: Expr) -> Part:
        """Write the rows that a kernel adds."""
        w, first = self.w, self.w.var(N, "n")
        w.set(N, call)

        def play(k: Expr) -> None:
            w.do("play", GAME, self.drawn_row(first, k) * self.layout.row, N)

        return Part(w.let(N - first, "n"), play)

    def drawn_row(self, first: Expr, k: Expr) -> Expr:
        """Write the k-th row, or one drawn as likely as it is where chance decides."""
        if not self.layout.rules.has_chance:
            return first + k
        w, row = self.w, self.w.var(first + k, "r")
        with w.when(likelihood_at(self.layout, row * self.layout.row).ne(0)):
            w.set(row, w.call("lot", GAME, (CHANCE,), first, N))
        return row

    # --- fast forms ---

    def refuse_needs(self, move: r.MoveKind) -> None:
        """Raise `Unsupported` for moves whose decisions effects may still refuse, or name alike."""
        tests = before_effects(move)
        chooses = any(isinstance(s, r.Choose) for s in tests)
        may_be_alike = not (distinct(move, self.layout.rules) or told_by_ends(move))
        if has_need(move.body[len(tests) :], self.layout.rules) or (chooses and may_be_alike):
            raise Unsupported

    def _fast(self, number: int, rest: Course) -> Part:
        move = self.layout.rules.moves[number]
        tests = before_effects(move)
        self.refuse_needs(move)
        v = Values(GENERAL, self.layout, self.w, self.player, self.player)
        free = self.incremental.free_by_move[number, self.player] if self.incremental else None
        if free is not None:
            slot = next(s.slot for s in tests if isinstance(s, r.Choose))

            def play_free(k: Expr) -> None:
                v.frame = {slot: Site(self.w.let(free.site(k), "s"))}
                self._effects(number, v, rest)

            return Part(self.w.let(free.count, "n"), play_free)
        count, pick = Picker(v, tests).read()

        def play(k: Expr) -> None:
            v.frame = pick(k)
            self._effects(number, v, rest)

        return Part(count, play)

    def _effects(self, number: int, v: Values, rest: Course) -> None:
        w, move = self.w, self.layout.rules.moves[number]
        simple = not turns_odd(move, self.layout.rules) and rest == EMPTY
        remember(w)
        w.set(STATE.rest, self.layout.courses[rest])
        w.set(STATE.fresh, 0)
        writer = MoveWriter(self.layout, number, self.player)
        ends = writer.write_effects(v, self.incremental)
        if self.incremental:
            self._incremental_ends(v, self.incremental, ends)
        else:
            note_end_of_turn(w, rest, SWAPPED, N)
            w.set(STATE.result, w.call(f"ends_{self.player}", GAME))
        with w.when(STATE.result.eq(RUNNING)):
            self._continue(rest, simple)
        unless_outranked(w)

    def _incremental_ends(self, v: Values, incremental: Incremental, ends: dict[int, Expr]) -> None:
        """Test the end rules in order, those with a structure at the last piece only."""
        if self.layout.claimable:
            self.w.set(at("g.state", self.layout.claimable), 0)
        for number, end in enumerate(self.layout.rules.tested):
            with self.w.when(STATE.result.eq(RUNNING)):
                v.frame = {}
                test = incremental.condition(v, number, ends)
                with self.w.when(v.truth(end.condition) if test is None else test):
                    self.w.set(STATE.result, verdict(v, end, self.player))
                    if end.origin in self.layout.rules.stuck_above:
                        self.w.set(SCRATCH.ended, end.origin)

    def _continue(self, rest: Course, simple: bool) -> None:
        """Write what follows a decision that has not ended the game."""
        w = self.w
        if simple and rest == EMPTY and not self._next_turn_is_long():
            w.set(STATE.ply, STATE.ply + 1)
            pass_on(w, self.player)
            w.set(STATE.fresh, 1)
            w.set(STATE.rest, self.layout.courses[self.layout.rules.course])
            return
        if not self.layout.out:  # who is out has no rest of a turn, and it was set before
            w.set(STATE.rest, self.layout.courses[rest])
        w.do("go_on", GAME, SWAPPED, N)

    def _next_turn_is_long(self) -> bool:
        rules = self.layout.rules
        extra = any(isinstance(node, r.Again) for node in everything(rules))  # earlier in the turn
        past = rules.looks_back or bool(rules.claimable_ends)
        seated = rules.is_puzzle or rules.drops_out
        return extra or past or seated or any(s.within_turn for s in rules.states)


def incremental_kernels(layout: StateLayout, clashing: Collection[Course]) -> list[Function]:
    """Write `incremental_ply` and `begin_incremental`; for most games without any structures."""
    mark = layout.mark()
    try:
        if layout.rules.has_several:
            raise Unsupported
        incremental = Incremental(layout)
        plies = [PlyWriter(layout, player, clashing, incremental).ply() for player in (0, 1)]
    except Unsupported:
        layout.undo(mark)
        layout.note("random games", "test ends on the whole board")
        never = Writer(layout=layout).function("begin_incremental", signature(), 0)
        return [never, by_mover(layout, "incremental_ply", _PLY, "ply")]
    for number, form in enumerate(incremental.ends[0]):
        if form is not None:
            layout.note(f"random games, end rule {number + 1}", form.reason)
    return [*plies, incremental.begin(), by_mover(layout, "incremental_ply", _PLY)]
