"""Expressions of the model as kernel text, the general form.

In: an expression and what is known where it stands (whose view, local values).  Out: lines in a
`Writer`, and a value: a name or constant for a number, a condition for a truth, words for a set, a
number for a single site.  Definitions are written out where they are used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from attrs import define, field, frozen

from rulewright.codegen.layout import FAULTS, StateLayout, Unsupported
from rulewright.codegen.lower.writer import Words, Writer
from rulewright.codegen.passes.normalize import MOST, bound
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
from rulewright.model.expressions import ENEMY, MOVER, Expr, Type

TRIAL = "Game(g.trial, g.tables, g.rows, g.past, g.scratch, g.state)"
"""The game as kernels see it that look at the copy."""
Value: TypeAlias = Any
"""A str for numbers and truths (a condition), Words, `Site`, `OneStep`, or a tuple of steps."""
_SETS = (Type.SITE, Type.SITES)
_LARGEST = repr(sys.float_info.max)


@frozen
class Site:
    """A single site by the name of its number."""

    number: str


@frozen
class OneStep:
    """One of `steps`, by the name of its place among them."""

    steps: tuple[Step, ...]
    index: str


@frozen
class Forms:
    """How what is not written here is written: operations, sets of a family, rays."""

    operations: Mapping[str, Callable[[Values, m.Apply], Value]]
    sets: Callable[[Values, Expr, Callable[[Words], None], str], None]
    ray: Callable[[Values, m.Ray], Words]
    quantified: Callable[[Values, m.Quantified], Value]
    """A quantifier in a fast form; None, with nothing written, where there is none."""
    shared: Callable[[Values, m.CallFunction], Value]
    """A call of a definition that is a kernel of its own; None where it is written out."""


@define
class Values:
    """Writes expressions for one player's view.  `view` and `mover` are known: 0 or 1."""

    forms: Forms
    layout: StateLayout
    w: Writer
    view: int
    mover: int
    state: str = "g.state"
    stuck: bool = False
    frame: dict[int, Value] = field(factory=dict)
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

    # --- entry points by type ---

    def number(self, e: Expr) -> str:
        """A whole number."""
        if e.type is not Type.INT:
            raise Unsupported("numbers that are not whole are not in the general form")
        found: str = self.value(e)
        return found

    def real(self, e: Expr) -> str:
        """A number as a float."""
        found: str = self.converted(e, Type.REAL)
        return found

    def truth(self, e: Expr) -> str:
        """A condition."""
        found: str = self.value(e)
        return found

    def words(self, e: Expr) -> Words:
        """A set of sites."""
        return self.as_words(self.value(e))

    def as_words(self, value: Value) -> Words:
        """A set, also from a single site."""
        return self.w.site_bit(value.number) if isinstance(value, Site) else list(value)

    def flag(self, condition: str) -> str:
        """A condition kept in a name, as 0 or 1."""
        name = self.w.fresh("b")
        self.w.put(f"{name} = 1 if {condition} else 0")
        return name

    def fault(self, name: str) -> None:
        """Note a fault and its place in the text; the first one stands."""
        with self.w.block(f"if {self.state}.fault == 0:"):
            self.w.put(f"{self.state}.fault = {FAULTS.index(name)}")
            self.w.put(f"g.scratch.origin = {self.origin}")

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
        w, size = self.w, self.layout.size
        room, index, fault = self.layout.scratch(size), w.fresh("i"), w.fresh("f")
        with w.block(f"for {index} in range({size}):"):
            w.put(f"g.scratch[{room} + {index}] = g.state[{index}]")
        yield room
        w.put(f"{fault} = g.state.fault")
        with w.block(f"for {index} in range({size}):"):
            w.put(f"g.state[{index}] = g.scratch[{room} + {index}]")
        w.put(f"g.state.fault = {fault}")

    def no_overflow(self, name: str, real: bool = False) -> None:
        """A fault when the number in a name has more than 62 bits; it is 0 then."""
        if real:
            self.finite(name)
            return
        with self.w.block(f"if {name} > {MOST} or {name} < {-MOST}:"):
            self.fault("overflow")
            self.w.put(f"{name} = 0")

    def finite(self, name: str) -> str:
        """A fault when the float in a name has incremental beyond all bounds; it is 0 then."""
        with self.w.block(f"if {name} > {_LARGEST} or {name} < -{_LARGEST}:"):
            self.fault("overflow")
            self.w.put(f"{name} = 0.0")
        return name

    def site(self, e: Expr) -> str:
        """The number of the one site of a set; a fault when it is not one."""
        value = self.value(e)
        if isinstance(value, Site):
            return value.number
        name = self.w.fresh("s")
        self.w.put(f"{name} = 0")
        with self.w.block(f"if {self.w.count_of(value)} != 1:"):
            self.fault("not-one-site")
        with self.w.block("else:"):
            self.w.put(f"{name} = {self.w.lowest(value)}")
        return name

    def value(self, e: Expr) -> Value:
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
                return self._each(e)
            case m.CallFunction():
                found = self.forms.shared(self, e)
                if found is not None:
                    return found
                with self.called(e) as body:
                    return self.value(body)
            case m.Ray():
                return self.forms.ray(self, e)

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
    def called(self, e: m.CallFunction) -> Iterator[Expr]:
        """The body of a definition, with its arguments in the frame."""
        function = self.rules.functions[e.function]
        arguments = {i: self.value(a) for i, a in enumerate(e.arguments)}
        outer, self.frame = self.frame, arguments
        try:
            yield function.bodies[self.view if len(function.bodies) > 1 else 0]
        finally:
            self.frame = outer

    # --- nodes ---

    def _const(self, e: m.Const) -> Value:
        value: Any = e.value
        match e.type:
            case Type.TRUTH:
                return "1 == 1" if value else "1 == 0"
            case Type.SITE:
                return Site(str(value.bit_length() - 1))
            case Type.SITES:
                return self.w.constant(value)
            case Type.STEP | Type.STEPS | Type.NUMBERS | Type.KINDS | Type.RANGE:
                return value
            case Type.REAL:
                raise Unsupported("numbers that are not whole are not in the general form")
        return str(value)

    def offset(self, index: int, view: int) -> int:
        """Where a state lies for a player."""
        state = self.rules.states[index]
        size = self.layout.words if state.type is Type.SITES else 1
        return self.layout.states[index] + (view * size if state.each else 0)

    def _state(self, e: m.StateValue) -> Value:
        offset = self.offset(e.index, self.view)
        if e.type is Type.SITES:
            return self.w.load(self.state, str(offset))
        found = self.w.let(self.layout.word(self.state, offset))
        return f"{found} != 0" if e.type is Type.TRUTH else found

    def _logic(self, e: m.Logic) -> str:
        """`and` and `or`: later parts are worked out only where they matter."""
        if any(isinstance(i, m.Const) and i.value is not e.conjunction for i in e.items):
            return "1 == 0" if e.conjunction else "1 == 1"  # decided by an option
        result = self.w.fresh("b")
        self.w.put(f"{result} = {1 if e.conjunction else 0}")
        going = f"{result} != 0" if e.conjunction else f"{result} == 0"
        for item in e.items:
            if isinstance(item, m.Const):
                continue
            with self.w.block(f"if {going}:"):
                self.w.put(f"{result} = 1 if {self.truth(item)} else 0")
        return f"{result} != 0"

    def _choice(self, e: m.Conditional) -> Value:
        if e.type in (Type.STEPS, Type.STEP, Type.NUMBERS, Type.KINDS):
            raise Unsupported("a choice between steps or lists stands outside a call")
        condition = self.truth(e.condition)
        names: list[str] | None = None
        for head, side in ((f"if {condition}:", e.then), ("else:", e.otherwise)):
            with self.w.block(head):
                parts = self._parts(self.converted(side, e.type), e.type)
                names = names or [self.w.fresh("c") for _ in parts]
                self.w.assign(names, parts)
        assert names is not None
        if e.type is Type.TRUTH:
            return f"{names[0]} != 0"
        return names if e.type in _SETS else names[0]

    def converted(self, e: Expr, wanted: Type) -> Value:
        """The value of *e*, where one of type *wanted* stands: a whole number becomes a float."""
        value = self.value(e)
        if wanted is Type.REAL and e.type is not Type.REAL:
            return self.w.let(f"real({value})", "r")
        return value

    def _parts(self, value: Value, type_: Type) -> list[str]:
        if type_ in _SETS:
            return self.as_words(value)
        return [f"1 if {value} else 0"] if type_ is Type.TRUTH else [value]

    # --- operations ---

    def _apply(self, e: m.Apply) -> Value:
        write = self.forms.operations.get(e.operation)
        if write is None:
            raise Unsupported(f"`{e.operation}` is not in the general form")
        with self.at(e.origin):
            return write(self, e)

    # --- steps ---

    def each_way(self, e: Expr, use: Callable[[Value], None]) -> None:
        """Call *use* with steps that are known, or known but for their index, in every branch."""
        match e:
            case m.Conditional():
                condition = self.truth(e.condition)
                with self.w.block(f"if {condition}:"):
                    self.each_way(e.then, use)
                with self.w.block("else:"):
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
                use(self.value(e))

    def from_here(self, use: Callable[[Value], None]) -> Callable[[Value], None]:
        """*use* with the names and the view of this place, wherever it is called."""
        frame, view = self.frame, self.view

        def outside(value: Value) -> None:
            before = self.frame, self.view
            self.frame, self.view = frame, view
            try:
                use(value)
            finally:
                self.frame, self.view = before

        return outside

    def known_steps(self, e: Expr) -> tuple[Step, ...]:
        """Steps that do not depend on the position."""
        found: list[tuple[Step, ...]] = []
        self.each_way(e, found.append)
        if len(found) != 1 or not isinstance(found[0], tuple):
            raise Unsupported("connection along steps that depend on the position")
        return found[0]

    def neighbours(self, steps: tuple[Step, ...], words: Words) -> Words:
        """The sites one of *steps* away from a set."""
        board = self.board
        if board.is_drawn:
            return self._by_table(steps, words)
        found = self.w.constant(0)
        for dx, dy in steps:
            valid = sum(1 << s for s, t in enumerate(board.targets((dx, dy))) if t)
            kept = self.w.both(words, self.w.constant(valid))
            moved = self.w.shifted(kept, dx + dy * board.width)
            found = self.w.either(found, moved)
        return found

    def _by_table(self, steps: tuple[Step, ...], words: Words) -> Words:
        table = self.layout.near_table(steps)
        found = self.w.empty()
        with self.w.sites(words) as site:
            near = self.w.load("g.tables", f"{table} + {site} * {self.layout.words}")
            self.w.add(found, near)
        return found

    # --- quantifiers ---

    def _each(self, e: m.Quantified) -> Value:
        with self.at(e.origin):
            return self._quantified(e)

    def _quantified(self, e: m.Quantified) -> Value:
        w = self.w
        fast = self.forms.quantified(self, e)
        if fast is not None:
            return fast
        if e.quantifier == "those" and e.type is Type.SITES:
            return self._those(e)
        if e.quantifier == "those":
            raise Unsupported("a family stands where a set is not made of it")
        result = w.fresh("q")
        first = {"every": "1", "some": "0", "count": "0", "sum": "0"}.get(e.quantifier, "0")
        w.put(f"{result} = {first + '.0' if e.type is Type.REAL else first}")
        seen = w.fresh("b")
        if e.quantifier in ("max", "min"):
            w.put(f"{seen} = 0")
        stop = {"some": f"{result} == 0", "every": f"{result} != 0"}.get(e.quantifier, "")
        self._loops(e, 0, stop, lambda: self._member(e, result, seen))
        if e.quantifier in ("max", "min"):
            with w.block(f"if {seen} == 0:"):
                self.fault("nothing-to-compare")
        return f"{result} != 0" if e.type is Type.TRUTH else result

    def _member(self, e: m.Quantified, result: str, seen: str) -> None:
        w = self.w
        match e.quantifier:
            case "some":
                w.put(f"{result} = 1 if {self.truth(e.body)} else 0")
            case "every":
                w.put(f"{result} = 1 if {self.truth(e.body)} else 0")
            case "count":
                w.put(f"{result} = {result} + (1 if {self.truth(e.body)} else 0)")
            case "sum":
                w.put(f"{result} = {result} + {self.number(e.body)}")
                if bound(e, self.rules) >= MOST:
                    self.no_overflow(result, e.type is Type.REAL)
            case _:
                value = self.number(e.body)
                sign = ">" if e.quantifier == "max" else "<"
                with w.block(f"if {seen} == 0 or {value} {sign} {result}:"):
                    w.put(f"{result} = {value}")
                w.put(f"{seen} = 1")

    def _loops(self, e: m.Quantified, depth: int, stop: str, inside: Callable[[], None]) -> None:
        if depth == len(e.slots):
            inside()
            return
        slot = e.slots[depth]

        def body(member: Value) -> None:
            self.frame[slot] = member
            self._loops(e, depth + 1, stop, inside)

        self.members(e.domains[depth], body, stop)

    def _those(self, e: m.Quantified) -> Words:
        found = self.w.empty()

        def body(member: Value) -> None:
            self.frame[e.slots[0]] = member
            with self.w.block(f"if {self.truth(e.body)}:"):
                self.w.add(found, self.as_words(member))

        self.members(e.domains[0], body, "")
        return found

    def members(self, e: Expr, body: Callable[[Value], None], stop: str) -> None:
        """Write *body* for every member of a domain, while the condition *stop* holds."""
        w, more = self.w, f" and {stop}" if stop else ""
        match e.type:
            case Type.SITE | Type.SITES:
                with w.sites(self.words(e), stop) as site:
                    body(Site(site))
            case Type.FAMILY:
                self.forms.sets(self, e, body, stop)
            case Type.RANGE:
                low, high = self.ends(e)
                number = w.fresh("i")
                w.put(f"{number} = {low} - 1")
                with w.block(f"while {number} < {high}{more}:"):
                    w.put(f"{number} = {number} + 1")
                    body(number)
            case Type.NUMBERS | Type.KINDS:
                self._listed(e, body, stop)
            case Type.STEP | Type.STEPS:
                self.each_way(e, lambda steps: self.each_step(steps, body, stop))
            case _:
                raise Unsupported(f"a variable over {e.type}")

    def ends(self, e: Expr) -> tuple[str, str]:
        """Both ends of a range."""
        if isinstance(e, m.Const):
            assert isinstance(e.value, tuple)
            return str(e.value[0]), str(e.value[1])
        if isinstance(e, m.Apply) and e.operation == "range":
            return self.number(e.arguments[0]), self.number(e.arguments[1])
        raise Unsupported("a range that is given another name")

    def _listed(self, e: Expr, body: Callable[[Value], None], stop: str) -> None:
        values: Any = e.value if isinstance(e, m.Const) else None
        if values is None or not all(isinstance(v, int) for v in values):
            raise Unsupported("a list that depends on the position")
        table = self.layout.number_table(str(values), values)
        with self.w.indices(len(values), stop) as index:
            body(self.w.let(f"g.tables[{table} + {index}]"))

    def each_step(self, steps: Value, body: Callable[[Value], None], stop: str) -> None:
        """Write *body* for every single step of *steps*, while the condition *stop* holds."""
        if isinstance(steps, OneStep):
            body(steps)
            return
        with self.w.indices(len(steps), stop) as index:
            body(OneStep(steps, index))
