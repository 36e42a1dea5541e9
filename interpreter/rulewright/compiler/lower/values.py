"""Expressions of the model as kernels, the general form.

In: an expression and what is known where it stands (whose view, local values).  Out: statements in
a `Writer`, and a value: an `Expr` for a number or a truth, `Sites` for a set, `Site` for a single
site.  Definitions are written out where they are used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from attrs import define, field

from rulewright.compiler.ir.nodes import Const, Expr, Local, as_expr, choice, op, truth
from rulewright.compiler.ir.types import FLOAT, INT
from rulewright.compiler.layout import FAULTS, StateLayout, Unsupported
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    AnySteps,
    Lowered,
    NamedWords,
    Numbers,
    OneStep,
    Site,
    Sites,
    Writer,
    also,
    as_steps,
    as_word,
    at,
)
from rulewright.compiler.passes.normalize import bound
from rulewright.compiler.runtime import StateWords
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
from rulewright.model.expressions import ENEMY, MOST, MOVER, Type

TRIAL = (GAME[-1], *GAME[1:-1], GAME[0])
"""The game as kernels see it that look at the copy."""
_SETS = (Type.SITE, Type.SITES)
_Given = TypeVar("_Given")


@record
class Forms(Record):
    """How what is not written here is written: operations, sets of a family, rays."""

    operations: Mapping[str, Callable[[Values, m.Apply], Lowered]]
    sets: Callable[[Values, m.Expr, Callable[[Sites], None], Expr | None], None]
    ray: Callable[[Values, m.Ray], Sites]
    quantified: Callable[[Values, m.Quantified], Lowered | None]
    """A quantifier in a fast form; None, with nothing written, where there is none."""
    shared: Callable[[Values, m.CallFunction], Lowered | None]
    """A call of a definition that is a kernel of its own; None where it is written out."""


@define(repr=False, eq=False)
class Values(Record):
    """Writes expressions for one player's view.  `view` and `mover` are known: 0 or 1."""

    forms: Forms
    layout: StateLayout
    w: Writer
    view: int
    mover: int
    state: str = "g.state"
    stuck: bool = False
    frame: dict[int, Lowered] = field(factory=dict)
    barred: int | None = None
    """Where the set of links lies that others cross, where it is kept up to date."""
    origin: int = 0
    """The place in the text of what is being written."""

    @property
    def rules(self) -> r.Rules:
        """The rules of the game."""
        return self.layout.rules

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.layout.rules.board

    @property
    def position(self) -> NamedWords:
        """The words of the position that is looked at."""
        return NamedWords(self.state, StateWords)

    @property
    def game(self) -> tuple[Expr, ...]:
        """The game with the position that is looked at, to be handed over."""
        return GAME if self.state == "g.state" else TRIAL

    # --- entry points by type ---

    def number(self, e: m.Expr) -> Expr:
        """A whole number."""
        if e.type is not Type.INT:
            raise Unsupported("numbers that are not whole are not in the general form")
        return self.word(e)

    def real(self, e: m.Expr) -> Expr:
        """A number as a float."""
        return as_word(self.converted(e, Type.REAL))

    def truth(self, e: m.Expr) -> Expr:
        """A condition."""
        return self.word(e)

    def word(self, e: m.Expr) -> Expr:
        """A number, a truth or a kind."""
        return as_word(self.value(e))

    def sites(self, e: m.Expr) -> Sites:
        """A set of sites."""
        return self.as_sites(self.value(e))

    def as_sites(self, value: Lowered) -> Sites:
        """A set, also from a single site."""
        if isinstance(value, Site):
            return self.w.site_bit(value.number)
        assert isinstance(value, Sites)
        return value

    def fault(self, name: str) -> None:
        """Note a fault and its place in the text; the first one stands."""
        with self.w.when(self.position.fault.eq(0)):
            self.w.set(self.position.fault, FAULTS.index(name))
            self.w.set(SCRATCH.origin, self.origin)

    @contextmanager
    def at(self, origin: int) -> Iterator[None]:
        """Faults that are written meanwhile belong to this place of the text."""
        before = self.origin
        self.origin = origin or before
        try:
            yield
        finally:
            self.origin = before

    @contextmanager
    def kept(self) -> Iterator[int]:
        """What is written meanwhile may change the position; a fault alone remains of it.

        Gives the place in `g.scratch` where the position as it was lies meanwhile.
        """
        w, room = self.w, self.layout.scratch(self.layout.size)
        w.copy_position(("g.scratch", room), ("g.state", 0))
        yield room
        fault = w.var(STATE.fault, "f")
        w.copy_position(("g.state", 0), ("g.scratch", room))
        w.set(STATE.fault, fault)

    def no_overflow(self, name: Expr) -> None:
        """A fault when the number in a name has more than 62 bits or is no finite float; then 0."""
        most = sys.float_info.max if name.type == FLOAT else MOST
        with self.w.when((name > most) | (name < -most)):
            self.fault("overflow")
            self.w.set(name, 0.0 if name.type == FLOAT else 0)

    def finite(self, value: Expr) -> Expr:
        """A float in a name; a fault when it has grown beyond all bounds, and 0 then."""
        self.no_overflow(name := self.w.var(value, "r"))
        return name

    def site(self, e: m.Expr) -> Expr:
        """The number of the one site of a set; a fault when it is not one."""
        value = self.value(e)
        if isinstance(value, Site):
            return value.number
        sites, name = self.as_sites(value), self.w.var(0, "s")
        with self.w.when(sites.count().ne(1)):
            self.fault("not-one-site")
        with self.w.otherwise():
            self.w.set(name, sites.lowest())
        return name

    def value(self, e: m.Expr) -> Lowered:
        """The value of any expression but a family."""
        match e:
            case m.Const():
                return self._const(e)
            case m.Local(slot=slot):
                return self.frame[slot]
            case m.StateValue():
                return self._state(e)
            case m.Apply():
                return self._apply(e)
            case m.Logic():
                return self._logic(e)
            case m.Conditional():
                return self._choice(e)
            case m.Viewed():
                with self.seen(e.player):
                    return self.value(e.body)
            case m.Quantified():
                with self.at(e.origin):
                    return self._quantified(e)
            case m.CallFunction():
                found = self.forms.shared(self, e)
                if found is not None:
                    return found
                with self.called(e) as body:
                    return self.value(body)
            case m.Ray():
                return self.forms.ray(self, e)
        raise Unsupported(f"{type(e).__name__} is not in the general form")

    @contextmanager
    def seen(self, player: int) -> Iterator[None]:
        """Another player's view."""
        before = self.view
        self.view = 1 - before if player == ENEMY else self.mover if player == MOVER else player
        try:
            yield
        finally:
            self.view = before

    @contextmanager
    def called(self, e: m.CallFunction) -> Iterator[m.Expr]:
        """The body of a definition, with its arguments in the frame."""
        function = self.rules.functions[e.function]
        arguments = {i: self.value(a) for i, a in enumerate(e.arguments)}
        outer, self.frame = self.frame, arguments
        try:
            yield function.bodies[self.view if len(function.bodies) > 1 else 0]
        finally:
            self.frame = outer

    # --- nodes ---

    def _const(self, e: m.Const) -> Lowered:
        if e.type in (Type.STEP, Type.STEPS):
            return e.steps
        if e.type in (Type.NUMBERS, Type.KINDS, Type.RANGE):
            return Numbers(e.value)
        if e.type is Type.REAL:
            raise Unsupported("numbers that are not whole are not in the general form")
        assert isinstance(e.value, int)
        match e.type:
            case Type.TRUTH:
                return truth(bool(e.value))
            case Type.SITE:
                return Site(Const(e.value.bit_length() - 1, INT))
            case Type.SITES:
                return self.w.constant(e.value)
        return Const(int(e.value), INT)

    def offset(self, index: int, view: int) -> int:
        """Where a state lies for a player."""
        state = self.rules.states[index]
        size = self.layout.words if state.type is Type.SITES else 1
        return self.layout.states[index] + (view * size if state.each else 0)

    def _state(self, e: m.StateValue) -> Lowered:
        offset = self.offset(e.index, self.view)
        if e.type is Type.SITES:
            return self.w.load(self.state, offset)
        found = self.w.let(at(self.state, offset))
        return found.ne(0) if e.type is Type.TRUTH else found

    def _logic(self, e: m.Logic) -> Expr:
        """`and` and `or`: later parts are worked out only where they matter."""
        if any(isinstance(i, m.Const) and i.value is not e.conjunction for i in e.items):
            return truth(not e.conjunction)  # decided by an option
        items = [item for item in e.items if not isinstance(item, m.Const)]
        result = self.w.var(int(e.conjunction), "b")
        for number, item in enumerate(items):
            going = result.ne(0) if e.conjunction else result.eq(0)
            with self.w.when(going if number else truth(True)):
                self.w.set(result, choice(self.truth(item), 1, 0))
        return result.ne(0)

    def _choice(self, e: m.Conditional) -> Lowered:
        if e.type in (Type.STEPS, Type.STEP, Type.NUMBERS, Type.KINDS):
            raise Unsupported("a choice between steps or lists stands outside a call")
        names: list[Local] | None = None
        with self.w.when(self.truth(e.condition)):
            names = self._side(e.then, e.type, names)
        with self.w.otherwise():
            names = self._side(e.otherwise, e.type, names)
        if e.type is Type.TRUTH:
            return names[0].ne(0)
        return Sites(self.w, tuple(names)) if e.type in _SETS else names[0]

    def _side(self, side: m.Expr, type_: Type, names: list[Local] | None) -> list[Local]:
        """One side of a choice in names, which the other side has too."""
        parts = self._parts(self.converted(side, type_), type_)
        names = names or [self.w.fresh("c", part.type) for part in parts]
        for name, part in zip(names, parts, strict=True):
            self.w.set(name, part)
        return names

    def converted(self, e: m.Expr, wanted: Type) -> Lowered:
        """The value of *e*, where one of type *wanted* stands: a whole number becomes a float."""
        value = self.value(e)
        if wanted is Type.REAL and e.type is not Type.REAL:
            return self.w.let(op("real", as_word(value)), "r")
        return value

    def _parts(self, value: Lowered, type_: Type) -> list[Expr]:
        if type_ in _SETS:
            return list(self.as_sites(value).words)
        return [choice(as_word(value), 1, 0) if type_ is Type.TRUTH else as_word(value)]

    # --- operations ---

    def _apply(self, e: m.Apply) -> Lowered:
        write = self.forms.operations.get(e.operation)
        if write is None:
            raise Unsupported(f"`{e.operation}` is not in the general form")
        with self.at(e.origin):
            return write(self, e)

    # --- steps ---

    def each_way(self, e: m.Expr, use: Callable[[AnySteps], None]) -> None:
        """Call *use* with steps that are known, or known but for their index, in every branch."""
        match e:
            case m.Conditional():
                with self.w.when(self.truth(e.condition)):
                    self.each_way(e.then, use)
                with self.w.otherwise():
                    self.each_way(e.otherwise, use)
            case m.CallFunction():
                outside = self.from_here(use)
                with self.called(e) as body:
                    self.each_way(body, outside)
            case m.Viewed():
                outside = self.from_here(use)
                with self.seen(e.player):
                    self.each_way(e.body, outside)
            case _:
                use(as_steps(self.value(e)))

    def from_here(self, use: Callable[[_Given], None]) -> Callable[[_Given], None]:
        """*use* with the names and the view of this place, wherever it is called."""
        frame, view = self.frame, self.view

        def outside(value: _Given) -> None:
            before = self.frame, self.view
            self.frame, self.view = frame, view
            try:
                use(value)
            finally:
                self.frame, self.view = before

        return outside

    def known_steps(self, e: m.Expr) -> tuple[Step, ...]:
        """Steps that do not depend on the position."""
        found: list[AnySteps] = []
        self.each_way(e, found.append)
        if len(found) != 1 or not isinstance(found[0], tuple):
            raise Unsupported("connection along steps that depend on the position")
        return found[0]

    def worked_out(self, key: object, size: int, write: Callable[[Values, int], None]) -> int:
        """Room with so many words that *write* fills from what the position alone settles."""
        room = self.layout.scratch(size)
        write(self, room)
        return room

    def neighbours(self, steps: tuple[Step, ...], sites: Sites) -> Sites:
        """The sites one of *steps* away from a set."""
        board = self.board
        if board.is_drawn:
            return self._by_table(steps, sites)
        found = self.w.constant(0)
        for dx, dy in steps:
            there = sites.shifted(dx + dy * board.width)
            found = found | (there & self.w.fixed(board.arrivals((dx, dy))))
        return found

    def _by_table(self, steps: tuple[Step, ...], sites: Sites) -> Sites:
        table = self.layout.near_table(steps)
        found = self.w.empty()
        with self.w.sites(sites) as site:
            self.w.add(found, self.w.load("g.tables", table + site * self.layout.words))
        return found

    # --- quantifiers ---

    def _quantified(self, e: m.Quantified) -> Lowered:
        w, fast = self.w, self.forms.quantified(self, e)
        if fast is not None:
            return fast
        if e.quantifier == "those" and e.type is Type.SITES:
            return self._those(e)
        if e.quantifier == "those":
            raise Unsupported("a family stands where a set is not made of it")
        first = int(e.quantifier == "every")
        result = w.var(float(first) if e.type is Type.REAL else first, "q")
        extreme = e.quantifier in ("max", "min")
        seen = w.var(0, "b") if extreme else result
        stop = {"some": result.eq(0), "every": result.ne(0)}.get(e.quantifier)
        self._loops(e, 0, stop, lambda: self._member(e, result, seen))
        if extreme:
            with w.when(seen.eq(0)):
                self.fault("nothing-to-compare")
        return result.ne(0) if e.type is Type.TRUTH else result

    def _member(self, e: m.Quantified, result: Local, seen: Local) -> None:
        w = self.w
        match e.quantifier:
            case "some" | "every":
                w.set(result, choice(self.truth(e.body), 1, 0))
            case "count":
                w.set(result, result + choice(self.truth(e.body), 1, 0))
            case "sum":
                w.set(result, result + self.number(e.body))
                if bound(e, self.rules) >= MOST:
                    self.no_overflow(result)
            case _:
                value = self.number(e.body)
                better = value > result if e.quantifier == "max" else value < result
                with w.when(seen.eq(0) | better):
                    w.set(result, value)
                w.set(seen, 1)

    def _loops(
        self, e: m.Quantified, depth: int, stop: Expr | None, inside: Callable[[], None]
    ) -> None:
        if depth == len(e.slots):
            inside()
            return
        slot = e.slots[depth]

        def body(member: Lowered) -> None:
            self.frame[slot] = member
            self._loops(e, depth + 1, stop, inside)

        self.members(e.domains[depth], body, stop)

    def _those(self, e: m.Quantified) -> Sites:
        found = self.w.empty()

        def body(member: Lowered) -> None:
            self.frame[e.slots[0]] = member
            with self.w.when(self.truth(e.body)):
                self.w.add(found, self.as_sites(member))

        self.members(e.domains[0], body, None)
        return found

    def members(self, e: m.Expr, body: Callable[[Lowered], None], stop: Expr | None) -> None:
        """Write *body* for every member of a domain, while the truth *stop* holds."""
        w = self.w
        match e.type:
            case Type.SITE | Type.SITES:
                with w.sites(self.sites(e), stop) as site:
                    body(Site(site))
            case Type.FAMILY:
                self.forms.sets(self, e, body, stop)
            case Type.RANGE:
                low, high = self.ends(e)
                number = w.var(low - 1, "i")
                with w.loop(also(number < high, stop)):
                    w.set(number, number + 1)
                    body(number)
            case Type.NUMBERS | Type.KINDS:
                self._listed(e, body, stop)
            case Type.STEP | Type.STEPS:
                self.each_way(e, lambda steps: self.each_step(steps, body, stop))
            case _:
                raise Unsupported(f"a variable over {e.type}")

    def ends(self, e: m.Expr) -> tuple[Expr, Expr]:
        """Both ends of a range."""
        if isinstance(e, m.Const) and e.numbers:
            low, high = e.numbers
            return as_expr(low), as_expr(high)
        if isinstance(e, m.Apply) and e.operation == "range":
            return self.number(e.arguments[0]), self.number(e.arguments[1])
        raise Unsupported("a range that is given another name")

    def _listed(self, e: m.Expr, body: Callable[[Lowered], None], stop: Expr | None) -> None:
        values = e.numbers if isinstance(e, m.Const) else None
        if values is None:
            raise Unsupported("a list that depends on the position")
        table = self.layout.number_table(str(values), values)
        with self.w.indices(len(values), stop) as index:
            body(self.w.let(at("g.tables", table + index)))

    def each_step(
        self, steps: AnySteps, body: Callable[[OneStep], None], stop: Expr | None
    ) -> None:
        """Write *body* for every single step of *steps*, while the truth *stop* holds."""
        if isinstance(steps, OneStep):
            body(steps)
            return
        with self.w.indices(len(steps), stop) as index:
            body(OneStep(steps, index))
