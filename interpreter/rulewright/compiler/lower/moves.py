"""Moves: all decisions of a move, and the effects of one of them.

A decision is a row of `g.rows`: the move (-1 for none), the rest of the turn, then what was chosen:
one word each, or a whole set.  All functions go through the same statements: the first branches
over choices and tests needs, the second reads the choices and does the effects, and the third does
the effects and tests what the first left to it: needs after effects, and costly ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from rulewright.compiler.faults import TOO_MANY
from rulewright.compiler.ir.nodes import Const, Expr, Function, Local, op
from rulewright.compiler.ir.types import FLOAT, INT, NOTHING
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.definitions import (
    GENERAL,
    as_words,
    from_row,
    from_word,
    notation_words,
    row_value,
)  # fmt: skip
from rulewright.compiler.lower.effects import EffectWriter
from rulewright.compiler.lower.lots import add_likelihood, draw_lots, likelihood_at
from rulewright.compiler.lower.trying import (
    TESTS,
    after_choices,
    is_written_late,
    keep,
    last_need,
    leave_of_turn,
    leaves_needs,
    take_back,
)
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.walks import Marks, WalkedRay, each_match
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    Lowered,
    Site,
    Writer,
    as_word,
    at,
    signature,
    unify,
)
from rulewright.compiler.passes.choices import choice_places, mark_type
from rulewright.compiler.passes.decision_rows import SETS, distinct, is_keyed, key_place
from rulewright.compiler.passes.incremental import Incremental
from rulewright.compiler.passes.lets import is_fixed
from rulewright.compiler.passes.normalize import FALSE, TRUE, Normalizer, is_inside, uses_slot
from rulewright.compiler.passes.pushdown import narrow_choice
from rulewright.ground import limits
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.reference.effects import has_need

N, AT, REST = (Local(name, INT) for name in ("n", "at", "rest"))
"""Parameters: how many rows there are, where the row of a decision begins, the rest of the turn."""
_FIRST, _ALL = Local("first", INT), Local("all", INT)


@define
class MoveWriter(EffectWriter):
    """Write the kernels of one move for one player."""

    number: int
    player: int
    reading: bool = False
    trying: bool = False
    """Whether needs are tested though choices are read."""
    settled: tuple[r.Need, ...] = ()
    likelihood: Expr = field(factory=lambda: Const(1.0, FLOAT))
    """How likely the choices so far are, where chance makes them."""

    @property
    def move(self) -> r.MoveKind:
        """The move in the model."""
        return self.layout.rules.moves[self.number]

    def _begin(self) -> Writer:
        writer = Writer(layout=self.layout)
        self.v = Values(GENERAL, self.layout, writer, self.player, self.player)
        return writer

    def all_decisions(self) -> Function:
        """Write `moves_M_P(..., n, rest)`: a row for each decision; returns the new count."""
        w, self.reading = self._begin(), False
        if self.tries:
            keep(w)
        if not distinct(self.move, self.layout.rules):
            w.locals["first"] = INT
            w.set(_FIRST, N)
        self._run(self.move.body, 0, self._record)
        return w.function(f"moves_{self.number}_{self.player}", signature("n", "rest"), N)

    @property
    def tries(self) -> bool:
        """Whether listing leaves needs to `try_M_P`."""
        return leaves_needs(self.move, self.layout.rules)

    def trial(self) -> Function:
        """Write `try_M_P(..., at, all)`: the effects of a decision, to its last need if *all* is 0.

        It returns 1 if the needs that listing leaves are met; else effects are done in part.
        """
        w, self.reading, self.trying = self._begin(), True, True
        self.v.frame |= self.choices(self.v)
        self._know()
        self._run(self.move.body, 0, lambda: w.give(1))
        return w.function(f"try_{self.number}_{self.player}", signature("at", "all"), 0)

    def effects(self) -> Function:
        """Write `do_M_P(..., at)`: the effects of the decision in the row at `at`."""
        w, self.reading = self._begin(), True
        self.v.frame |= self.choices(self.v)
        self.write_effects(self.v)
        return w.function(f"do_{self.number}_{self.player}", signature("at", gives=NOTHING))

    def choices(self, v: Values) -> dict[int, Lowered]:
        """Read the choices of the decision in the row at `at`, by slot."""
        self.v, values = v, dict[int, Lowered]()
        for slot, (type_, place, size) in choice_places(self.move, self.layout.words).items():
            words = [v.w.let(at("g.rows", AT + (place + i)), "c") for i in range(size)]
            values[slot] = from_row(v, self.move, slot, type_, words)
        return values

    def begin_with(self, v: Values) -> None:
        """Write into *v*, whose frame holds the choices; for `run`."""
        self.v, self.reading = v, True
        self._know()

    def run(self, body: Sequence[r.Effect], finish: Callable[[], None]) -> None:
        """Write the effects of statements, and *finish* after them."""
        self._run(body, 0, finish)

    def write_effects(self, v: Values, incremental: Incremental | None = None) -> dict[int, Expr]:
        """Write the effects of the decision whose choices are in the frame of *v*.

        Returns the tests of end rules after the piece that was put, from *incremental*.
        """
        self.v, self.reading, self.incremental = v, True, incremental
        v.crossed_links = incremental.crossed_links if incremental else None
        self._know()
        self._run(self.move.body, 0, lambda: None)
        return self.ends

    def _know(self) -> None:
        """Note which choices are empty sites, and which hold own pieces, by their domains."""
        normal = Normalizer(self.layout.rules, self.player, self.player)
        own = normal(m.Apply(Type.SITES, "own"))
        for s in self.move.body:
            if isinstance(s, r.Choose) and s.domain.type in SETS:
                domain = normal(s.domain)
                if is_inside(domain, m.Apply(Type.SITES, "empty")):
                    self.vacant.add(s.slot)
                if is_inside(domain, own):
                    self.mine.add(s.slot)

    def _record(self) -> None:
        self._note_fault()
        w, row = self.v.w, self.write_row(self.v, REST)
        if is_keyed(self.move, self.layout.rules):
            self._write_key(row)
        if not self.tries:
            self._count(row)
            return
        drawing, offered = SCRATCH.drawing, SCRATCH.listed
        with w.when(drawing.ne(0)):
            w.set(offered, offered + 1)
            with w.when(offered > limits.BRANCHES):
                w.give(N)
            w.set(N, N + 1)
        with w.otherwise():
            leave_of_turn(w, REST)
            legal = w.let(w.call(f"try_{self.number}_{self.player}", GAME, row, 0), "r")
            take_back(w)
            with w.when(legal.ne(0)):
                self._count(row)

    def write_row(self, v: Values, rest: Expr) -> Expr:
        """Write the row of a decision, whose choices are in the frame of *v*; gives its place."""
        w = v.w
        row = w.let(N * self.layout.row, "r")
        w.set(at("g.rows", row), self.number)
        w.set(at("g.rows", row + 1), rest)
        for slot, (_, place, _) in choice_places(self.move, self.layout.words).items():
            for i, word in enumerate(as_words(v.frame[slot])):
                w.set(at("g.rows", row + (place + i)), word)
        for i in range(sum(key_place(self.move, self.layout)), self.layout.row):
            w.set(at("g.rows", row + i), 0)  # searches tell decisions apart by the whole row
        if self.move.by_chance:
            w.set(likelihood_at(self.layout, row), op("float_bits", self.likelihood))
        return row

    def _count(self, row: Expr) -> None:
        """Count a row, unless it is written like one above it."""
        w, offered = self.v.w, SCRATCH.listed
        w.set(offered, offered + 1)
        with w.when(offered > limits.BRANCHES):
            with w.when(STATE.fault.eq(0)):
                w.set(STATE.fault, TOO_MANY)
                w.set(SCRATCH.origin, self.move.origin)
            w.give(N)
        if not distinct(self.move, self.layout.rules):
            self._unless_written(row)
        w.set(N, N + 1)

    def _write_key(self, row: Expr) -> None:
        """Write the words of the notation into a row, equal for rows that are written alike."""
        room, _ = key_place(self.move, self.layout)
        for s in self.move.body:
            if isinstance(s, r.Write):
                for word in notation_words(self.v, s.notation):
                    self.v.w.set(at("g.rows", row + room), word)
                    room += 1

    def _unless_written(self, row: Expr) -> None:
        """Drop the row if another is written alike; the reference tests that they do the same."""
        w, (room, length) = self.v.w, key_place(self.move, self.layout)
        equal, index = w.var(0, "b"), w.var(_FIRST, "i")
        with w.loop((index < N) & equal.eq(0)):
            place = w.let(index * self.layout.row + room, "r")
            w.set(equal, 1)
            for i in range(length):
                with w.when(at("g.rows", place + i).ne(at("g.rows", row + (room + i)))):
                    w.set(equal, 0)
            if self.move.by_chance:
                add_likelihood(self, index * self.layout.row, equal)
            w.set(index, index + 1)
        w.set(N, N - equal)
        w.set(SCRATCH.dropped, SCRATCH.dropped + equal)

    # --- statements ---

    def _run(self, body: Sequence[r.Effect], at: int, finish: Callable[[], None]) -> None:
        """Write the statements from *at*, and *finish* inside every branch that survives."""
        for index in range(at, len(body)):
            s = body[index]
            self.v.origin = s.origin

            def rest(index: int = index) -> None:
                self._run(body, index + 1, finish)

            if not self.reading and not isinstance(s, TESTS) and self.v.state == "g.state":
                if self.tries or not self._matters(body[index:]):
                    break  # what follows is tried, or changes nothing about the decision
                self._copy(REST)
            if self.trying and body is self.move.body:
                self._stop_after_needs(index)
            if isinstance(s, r.Need) and self.tests:
                if any(s is need for need in self.settled) or s.condition == TRUE:
                    continue
                if not self.reading and self._is_left(s):
                    continue
                if s.condition == FALSE:
                    return
                condition = self.v.truth(s.condition)
                self._note_fault()
                with self.v.w.when(condition):
                    rest()
                return
            if isinstance(s, r.Choose | r.ChooseRay) and not self.reading:
                self._choose(s, body[index + 1 :], rest)
                return
            if isinstance(s, r.Let) and not self.reading and not self._reads(s, body[index + 1 :]):
                continue
            if isinstance(s, r.Perform):
                self._perform(s, rest)
                return
            self._do(s)
        finish()

    def _matters(self, effects: Sequence[r.Effect]) -> bool:
        """Whether effects are done to list a decision: for its needs, or for how it is written."""
        rules = self.layout.rules
        return has_need(effects, rules) or is_written_late(self.move, rules)

    @property
    def tests(self) -> bool:
        """Whether needs are tested."""
        return self.trying or not self.reading

    def _stop_after_needs(self, index: int) -> None:
        """Return 1 before the statement that follows the last need, where *all* is 0."""
        if index == last_need(self.move.body, self.layout.rules) + 1:
            with self.v.w.when(_ALL.eq(0)):
                self.v.w.give(1)

    def _is_left(self, s: r.Effect) -> bool:
        """Whether a need is left to `try_M_P`."""
        needs = (t for t in after_choices(self.move) if isinstance(t, r.Need))
        return self.tries and any(s is need for need in needs)

    def _reads(self, s: r.Let, later: Sequence[r.Effect]) -> bool:
        """Whether a `let` is used before the decision is recorded."""
        statements = later
        if self.tries:
            statements = [t for t in later if isinstance(t, TESTS) and not self._is_left(t)]
        last = last_need(statements, self.layout.rules)
        if is_written_late(self.move, self.layout.rules):
            last = len(statements)  # what effects do is looked at, so they are done
        for i, statement in enumerate(statements):
            if any(statement is need for need in self.settled):
                continue
            asks = isinstance(statement, r.Choose | r.ChooseRay | r.Let)
            keyed = isinstance(statement, r.Write) and is_keyed(self.move, self.layout.rules)
            if i > last and not asks and not keyed:
                continue
            if uses_slot(statement, s.slot):
                return True
        return False

    def _choose(
        self, s: r.Choose | r.ChooseRay, later: Sequence[r.Effect], rest: Callable[[], None]
    ) -> None:
        if isinstance(s, r.Choose) and s.by_chance:
            draw_lots(self, s, rest)
            return
        ray = r.one_site(s) if isinstance(s, r.ChooseRay) else None
        if ray is not None:
            s = r.Choose(s.names[0], s.slots[0], ray, origin=s.origin)  # type: ignore[union-attr]
        if isinstance(s, r.Choose) and s.domain.type in SETS:
            choice, settled = narrow_choice(self.v, s, later), self.settled
            with self.v.w.sites(choice.sites) as site:
                self.v.frame[s.slot] = Site(site)
                self.settled = (*settled, *choice.settled)
                self._continue(rest)
            self.settled = settled
            return
        if isinstance(s, r.Choose):

            def body(member: Lowered) -> None:
                self.v.frame[s.slot] = row_value(self.v, self.move, s.slot, member)
                self._continue(rest)

            self.v.members(s.domain, body, None)
            return

        def on_match(ray: WalkedRay, marks: Marks) -> None:
            for i, slot in enumerate(s.slots):
                if mark_type(s.pattern, i) is Type.SITE:
                    self.v.frame[slot] = Site(ray.site_of(marks[i]))
                else:
                    self.v.frame[slot] = ray.run_of(marks[i])
            self._continue(rest)

        each_match(self.v, s.source, s.along, s.pattern, on_match)

    def _continue(self, rest: Callable[[], None]) -> None:
        """Write what follows a choice; other branches begin in the same state as this one."""
        state = self.v.state
        rest()
        self.v.state = state

    def _perform(self, s: r.Perform, rest: Callable[[], None]) -> None:
        action = self.layout.rules.actions[s.action]
        self._forget()  # and an action has slots of its own
        outer = self.v.frame
        values = [self.v.value(a) for a in s.arguments]
        succeeded = self._call_action(s, values)
        if succeeded and has_need(action.body, self.layout.rules) and self.tests:
            with self.v.w.when(succeeded.ne(0)):
                rest()
            return
        if succeeded:
            rest()
            return
        self.v.frame = dict(enumerate(values))

        def back() -> None:
            inner, self.v.frame = self.v.frame, outer
            rest()
            self.v.frame = inner

        if has_need(action.body, self.layout.rules):
            self._run(action.body, 0, back)
        else:
            self._all(action.body)
            back()
        self.v.frame = outer

    def _call_action(self, s: r.Perform, values: Sequence[Lowered]) -> Expr | None:
        """Call the kernel of an action, which returns 1 if its needs are met; None without one.

        It works on the same array as the caller, which has made a copy if something may be
        discarded.
        """
        layout, v = self.layout, self.v
        types = [a.type for a in s.arguments]
        sets = [x for x, t in zip(values, types, strict=True) if t in SETS]
        if layout.words > 1 and not all(isinstance(x, Site) for x in sets):
            return None
        if self.incremental or not set(types) <= {*SETS, Type.INT, Type.TRUTH, Type.KIND}:
            return None
        single = tuple(isinstance(x, Site) for x in values)
        testing = self.tests
        key = ("action", s.action, self.player, v.state, testing, single)
        if key not in layout.callees:
            layout.callees[key] = f"act{len(layout.callees)}_{self.player}"
            layout.callees[key] = unify(layout, self._action(s, single, layout.callees[key]))
        words = [
            v.w.flag(as_word(x)) if t is Type.TRUTH else as_words(x)[0]
            for x, t in zip(values, types, strict=True)
        ]
        return v.w.let(v.w.call(layout.callees[key], GAME, *words), "r")

    def _action(self, s: r.Perform, single: tuple[bool, ...], name: str) -> Function:
        """Write the kernel of an action."""
        writer = MoveWriter(self.layout, self.number, self.player, self.reading, self.trying)
        w = writer._begin()
        writer.v.state = self.v.state
        for i, (argument, site) in enumerate(zip(s.arguments, single, strict=True)):
            parameter = Local(f"a{i}", INT)
            writer.v.frame[i] = Site(parameter) if site else from_word(w, argument.type, parameter)
        body = self.layout.rules.actions[s.action].body
        if self.v.state == "g.trial" or self.trying:
            writer._run(body, 0, lambda: w.give(1))
        else:
            writer._all(body)
        return w.function(name, signature(*(f"a{i}" for i in range(len(single)))), 0)

    def _all(self, body: Sequence[r.Effect]) -> None:
        for s in body:
            self.v.origin = s.origin
            if isinstance(s, r.Perform):
                self._perform(s, lambda: None)
            else:
                self._do(s)

    def _do(self, s: r.Effect) -> None:
        match s:
            case r.Let(slot=slot, value=value):
                self.v.frame[slot] = self._bound(value)
            case r.Put():
                self._put(s)
            case r.Clear() if self.layout.rules.board.stacked:
                self._clear_piles(s)
            case r.Clear(sites=sites):
                cleared = self.v.sites(sites)
                self._forget()
                self._unlink(cleared)
                self._take(cleared)
            case r.MovePiece():
                self._move_piece(s)
            case r.MoveEach():
                self._move_each(s)
            case r.Link():
                self._link_all(s)
            case r.LinkEach():
                with self.v.w.sites(self.v.sites(s.domain)) as site:
                    self.v.frame[s.slot] = Site(site)
                    self._link(site, self.v.sites(s.target), s.remove)
            case r.Assign():
                self._assign(s)
            case r.If():
                self._branch(s)
            case r.Each():
                self._each(s)
            case r.Again():
                self.v.w.set(self.v.position.again, 1)
            case r.SwapSides():
                swapped = self.v.position.swapped
                self.v.w.set(swapped, 1 - swapped)
            case r.Write() | r.Need() | r.Choose() | r.ChooseRay():
                pass  # done when the decision was listed
            case _:
                raise Unsupported(f"{type(s).__name__} stands inside another statement")

    def _each(self, s: r.Each) -> None:
        """Write a loop over the members of a domain as it is before the first round."""
        if self.tests and has_need(s.body, self.layout.rules):
            raise Unsupported("a `need` inside an `each`")
        if s.domain.type is Type.FAMILY and not is_fixed(s.domain, self.layout.rules):
            raise Unsupported("`each` over a family that its own block may change")
        self._forget()

        def body(member: Lowered) -> None:
            self.v.frame[s.slot] = member
            self._all(s.body)

        self.v.members(s.domain, body, None)

    def _branch(self, s: r.If) -> None:
        if self.tests and has_need((*s.then, *s.otherwise), self.layout.rules):
            raise Unsupported("a `need` inside an `if`")
        with self.v.w.when(self.v.truth(s.condition)):
            self._all(s.then)
        if s.otherwise:
            with self.v.w.otherwise():
                self._all(s.otherwise)
