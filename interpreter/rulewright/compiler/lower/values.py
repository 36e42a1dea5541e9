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

from rulewright.compiler.faults import FAULTS
from rulewright.compiler.ir.nodes import Expr, Local, as_expr, choice, op, truth
from rulewright.compiler.ir.types import FLOAT
from rulewright.compiler.layout import StateLayout, Unsupported, state_size
from rulewright.compiler.lower.entries import each_site, entry_of, single_site
from rulewright.compiler.lower.loops import in_rounds, most_members, note_loop
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    AnySteps,
    Lowered,
    MaybeSite,
    NamedWords,
    Once,
    OneStep,
    Site,
    Sites,
    Writer,
    also,
    as_steps,
    as_word,
    at,
    constant,
)
from rulewright.compiler.passes.normalize import upper_bound
from rulewright.compiler.runtime import StateWords
from rulewright.compiler.seats import view_of
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
from rulewright.model.expressions import MOST, Type

TRIAL = (GAME[-1], *GAME[1:-1], GAME[0])
"""The arrays of a game for kernels that look at the copy in `g.trial`."""
_SETS = (Type.SITE, Type.SITES)
_Value = TypeVar("_Value")


@record
class Forms(Record):
    """Writers of expressions that are not written here: operations, families, rays."""

    operations: Mapping[str, Callable[[Values, m.Apply], Lowered]]
    sets: Callable[[Values, m.Expr, Callable[[Sites], None], Expr | None], None]
    ray: Callable[[Values, m.Ray], Sites]
    quantified: Callable[[Values, m.Quantified], Lowered | None]
    """Writes a quantifier in a fast form; None, with nothing written, if there is none."""
    kernel_call: Callable[[Values, m.CallFunction], Lowered | None]
    """Writes the call of a definition's kernel; None if the definition is written out."""


@define(repr=False, eq=False)
class Values(Record):
    """Write expressions for one player's view.  `view` and `mover` are constant numbers."""

    forms: Forms
    layout: StateLayout
    w: Writer
    view: int
    mover: int
    state: str = "g.state"
    stuck: bool = False
    frame: dict[int, Lowered] = field(factory=dict)
    crossed_links: int | None = None
    """The offset of the set of crossed links, in random games that update it."""
    origin: int = 0
    """The place in the text of what is being written."""
    rounds: int = 1
    """How often what is being written is done at the most, by the loops around it."""

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
        """The named words of the position that is looked at."""
        return NamedWords(self.state, StateWords)

    @property
    def game(self) -> tuple[Expr, ...]:
        """The arrays of the game, with the position that is looked at, as arguments."""
        return GAME if self.state == "g.state" else TRIAL

    # --- entry points by type ---

    def number(self, e: m.Expr) -> Expr:
        """Write a whole number; raises `Unsupported` for others."""
        if e.type is not Type.INT:
            raise Unsupported("numbers that are not whole are not in the general form")
        return self.word(e)

    def real(self, e: m.Expr) -> Expr:
        """Write a number as a float."""
        return as_word(self.convert(e, Type.REAL))

    def truth(self, e: m.Expr) -> Expr:
        """Write a condition."""
        return self.word(e)

    def word(self, e: m.Expr) -> Expr:
        """Write a number, a truth or a kind."""
        return as_word(self.value(e))

    def sites(self, e: m.Expr) -> Sites:
        """Write a set of sites."""
        return self.as_sites(self.value(e))

    def as_sites(self, value: Lowered) -> Sites:
        """Return a value as a set, also a single site."""
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
        """Give the faults that are written in the `with` block a place of the text."""
        outer = self.origin
        self.origin = origin or outer
        try:
            yield
        finally:
            self.origin = outer

    @contextmanager
    def keep_position(self) -> Iterator[int]:
        """Restore the position after the `with` block, but for a fault.

        Gives the offset in `g.scratch` of the copy of the position.
        """
        w, room = self.w, self.layout.scratch(self.layout.size)
        w.copy_position(("g.scratch", room), ("g.state", 0))
        yield room
        fault = w.var(STATE.fault, "f")
        w.copy_position(("g.state", 0), ("g.scratch", room))
        w.set(STATE.fault, fault)

    def no_overflow(self, name: Expr) -> None:
        """Write a fault if a number has more than 62 bits or is no finite float; it becomes 0."""
        limit = sys.float_info.max if name.type == FLOAT else MOST
        with self.w.when((name > limit) | (name < -limit)):
            self.fault("overflow")
            self.w.set(name, 0.0 if name.type == FLOAT else 0)

    def finite(self, value: Expr) -> Expr:
        """Set a name to a float; a fault if it is not finite, and 0 then."""
        self.no_overflow(name := self.w.var(value, "r"))
        return name

    def site(self, e: m.Expr) -> Expr:
        """Write the number of the one site of a set; a fault if it has none or several."""
        value = self.value(e)
        if isinstance(value, Site):
            return value.number
        if isinstance(value, MaybeSite):
            return single_site(self, value)
        sites, name = self.as_sites(value), self.w.var(0, "s")
        with self.w.when(sites.count().ne(1)):
            self.fault("not-one-site")
        with self.w.otherwise():
            self.w.set(name, sites.lowest())
        return name

    def value(self, e: m.Expr) -> Lowered:
        """Write the value of any expression but a family; raises `Unsupported`."""
        match e:
            case m.Const():
                return constant(self.w, e)
            case m.Local(slot=slot):
                value = self.frame[slot]
                return value.value() if isinstance(value, Once) else value
            case m.StateValue():
                return self._state(e)
            case m.Apply():
                return self._apply(e)
            case m.Logic():
                return self._logic(e)
            case m.Conditional():
                return self._choice(e)
            case m.Viewed():
                with self.as_player(e.player):
                    return self.value(e.body)
            case m.Quantified():
                with self.at(e.origin):
                    return self._quantified(e)
            case m.CallFunction():
                result = self.forms.kernel_call(self, e)
                if result is not None:
                    return result
                with self.in_definition(e) as body:
                    return self.value(body)
            case m.Ray():
                return self.forms.ray(self, e)
        raise Unsupported(f"{type(e).__name__} is not in the general form")

    @contextmanager
    def as_player(self, player: int) -> Iterator[None]:
        """Write the `with` block in the view of *player*."""
        outer = self.view
        self.view = view_of(self.rules, player, outer, self.mover)
        try:
            yield
        finally:
            self.view = outer

    @contextmanager
    def in_definition(self, e: m.CallFunction) -> Iterator[m.Expr]:
        """Put the arguments of a definition into the frame; gives its body."""
        function = self.rules.functions[e.function]
        arguments = {i: self.value(a) for i, a in enumerate(e.arguments)}
        outer, self.frame = self.frame, arguments
        try:
            yield function.bodies[self.view if len(function.bodies) > 1 else 0]
        finally:
            self.frame = outer

    # --- nodes ---

    def offset(self, index: int, view: int) -> int:
        """Return the offset of a state for a player."""
        state = self.rules.states[index]
        size = state_size(state, self.layout.words)
        return self.layout.states[index] + (view * size if state.each else 0)

    def _state(self, e: m.StateValue) -> Lowered:
        offset = self.offset(e.index, self.view)
        if e.type is Type.SITES:
            return self.w.load(self.state, offset)
        word = self.w.let(entry_of(self, e, offset) if e.at else at(self.state, offset))
        return word.ne(0) if e.type is Type.TRUTH else word

    def _logic(self, e: m.Logic) -> Expr:
        """Write `and` or `or`: later parts are evaluated only where they matter."""
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
        """Write one side of a choice into names, which both sides set."""
        parts = self._parts(self.convert(side, type_), type_)
        names = names or [self.w.fresh("c", part.type) for part in parts]
        for name, part in zip(names, parts, strict=True):
            self.w.set(name, part)
        return names

    def convert(self, e: m.Expr, type_: Type) -> Lowered:
        """Write the value of *e* as one of a type: a whole number may become a float."""
        value = self.value(e)
        if type_ is Type.REAL and e.type is not Type.REAL:
            return self.w.let(op("real", as_word(value)), "r")
        return value

    def _parts(self, value: Lowered, type_: Type) -> list[Expr]:
        if type_ in _SETS:
            return list(self.as_sites(value).words)
        return [choice(as_word(value), 1, 0) if type_ is Type.TRUTH else as_word(value)]

    def _apply(self, e: m.Apply) -> Lowered:
        write = self.forms.operations.get(e.operation)
        if write is None:
            raise Unsupported(f"`{e.operation}` is not in the general form")
        with self.at(e.origin):
            return write(self, e)

    def each_way(self, e: m.Expr, use: Callable[[AnySteps], None]) -> None:
        """Call *use* in every branch with its steps, which are constant but for their index."""
        match e:
            case m.Conditional():
                with self.w.when(self.truth(e.condition)):
                    self.each_way(e.then, use)
                with self.w.otherwise():
                    self.each_way(e.otherwise, use)
            case m.CallFunction():
                use_here = self.from_here(use)
                with self.in_definition(e) as body:
                    self.each_way(body, use_here)
            case m.Viewed():
                use_here = self.from_here(use)
                with self.as_player(e.player):
                    self.each_way(e.body, use_here)
            case _:
                use(as_steps(self.value(e)))

    def from_here(self, use: Callable[[_Value], None]) -> Callable[[_Value], None]:
        """Return *use* bound to the frame and the view of this place, wherever it is called."""
        frame, view = self.frame, self.view

        def use_here(value: _Value) -> None:
            saved = self.frame, self.view
            self.frame, self.view = frame, view
            try:
                use(value)
            finally:
                self.frame, self.view = saved

        return use_here

    def known_steps(self, e: m.Expr) -> tuple[Step, ...]:
        """Return steps that are constant; raises `Unsupported` for others."""
        alternatives: list[AnySteps] = []
        self.each_way(e, alternatives.append)
        if len(alternatives) != 1 or not isinstance(alternatives[0], tuple):
            raise Unsupported("connection along steps that depend on the position")
        return alternatives[0]

    def fill_room(self, key: object, size: int, write: Callable[[Values, int], None]) -> int:
        """Take *size* words, which *write* fills from the position; returns their offset."""
        room = self.layout.scratch(size)
        write(self, room)
        return room

    def neighbours(self, steps: tuple[Step, ...], sites: Sites) -> Sites:
        """Write the sites one of *steps* away from a set."""
        board = self.board
        if board.is_irregular:
            return self._by_table(steps, sites)
        near = self.w.constant(0)
        for dx, dy in steps:
            copies = sites.shifted(dx + dy * board.width)
            near = near | (copies & self.w.fixed(board.arrivals((dx, dy))))
        return near

    def _by_table(self, steps: tuple[Step, ...], sites: Sites) -> Sites:
        table = self.layout.near_table(steps)
        near = self.w.empty()
        with self.w.sites(sites) as site:
            self.w.add(near, self.w.load("g.tables", table + site * self.layout.words))
        return near

    # --- quantifiers ---

    def _quantified(self, e: m.Quantified) -> Lowered:
        fast = self.forms.quantified(self, e)
        return self.in_loops(e) if fast is None else fast

    def in_loops(self, e: m.Quantified) -> Lowered:
        """Write a quantifier as loops over the members of its domains."""
        w = self.w
        note_loop(self.layout, e, self.rounds)
        if e.quantifier == "those" and e.type is Type.SITES:
            return self._narrowed(e)
        if e.quantifier == "those":
            raise Unsupported("a family stands where a set is not made of it")
        start = int(e.quantifier == "every")
        result = w.var(float(start) if e.type is Type.REAL else start, "q")
        extreme = e.quantifier in ("max", "min")
        has_value = w.var(0, "b") if extreme else result
        stop = {"some": result.eq(0), "every": result.ne(0)}.get(e.quantifier)
        self._loops(e, 0, stop, lambda: self._member(e, result, has_value))
        if extreme:
            with w.when(has_value.eq(0)):
                self.fault("nothing-to-compare")
        return result.ne(0) if e.type is Type.TRUTH else result

    def _member(self, e: m.Quantified, result: Local, has_value: Local) -> None:
        w = self.w
        match e.quantifier:
            case "some" | "every":
                w.set(result, choice(self.truth(e.body), 1, 0))
            case "count":
                w.set(result, result + choice(self.truth(e.body), 1, 0))
            case "sum":
                w.set(result, result + self.number(e.body))
                if upper_bound(e, self.rules) >= MOST:
                    self.no_overflow(result)
            case _:
                value = self.number(e.body)
                better = value > result if e.quantifier == "max" else value < result
                with w.when(has_value.eq(0) | better):
                    w.set(result, value)
                w.set(has_value, 1)

    def _loops(
        self, e: m.Quantified, depth: int, stop: Expr | None, write: Callable[[], None]
    ) -> None:
        if depth == len(e.slots):
            write()
            return
        slot = e.slots[depth]

        def body(member: Lowered) -> None:
            self.frame[slot] = member
            self._loops(e, depth + 1, stop, write)

        self.members(e.domains[depth], body, stop)

    def _narrowed(self, e: m.Quantified) -> Sites:
        result = self.w.empty()

        def body(member: Lowered) -> None:
            self.frame[e.slots[0]] = member
            with self.w.when(self.truth(e.body)):
                self.w.add(result, self.as_sites(member))

        self.members(e.domains[0], body, None)
        return result

    def members(self, e: m.Expr, body: Callable[[Lowered], None], stop: Expr | None) -> None:
        """Write a loop over the members of a domain, while the truth *stop* holds."""
        body = in_rounds(self, body, most_members(self.rules, e))
        match e.type:
            case Type.SITE | Type.SITES:
                value = self.value(e)
                sites = value if isinstance(value, MaybeSite) else self.as_sites(value)
                with each_site(self, sites, stop) as site:
                    body(Site(site))
            case Type.FAMILY:
                self.forms.sets(self, e, body, stop)
            case Type.RANGE:
                low, high = self.ends(e)
                number = self.w.var(low - 1, "i")
                with self.w.loop(also(number < high, stop)):
                    self.w.set(number, number + 1)
                    body(number)
            case Type.NUMBERS | Type.KINDS:
                self._each_number(e, body, stop)
            case Type.STEP | Type.STEPS:
                self.each_way(e, lambda steps: self.each_step(steps, body, stop))
            case _:
                raise Unsupported(f"a variable over {e.type}")

    def ends(self, e: m.Expr) -> tuple[Expr, Expr]:
        """Write both ends of a range; raises `Unsupported`."""
        if isinstance(e, m.Const) and e.numbers:
            low, high = e.numbers
            return as_expr(low), as_expr(high)
        if isinstance(e, m.Apply) and e.operation == "range":
            return self.number(e.arguments[0]), self.number(e.arguments[1])
        raise Unsupported("a range that is given another name")

    def _each_number(self, e: m.Expr, body: Callable[[Lowered], None], stop: Expr | None) -> None:
        values = e.numbers if isinstance(e, m.Const) else None
        if values is None:
            raise Unsupported("a list that depends on the position")
        table = self.layout.number_table(str(values), values)
        with self.w.indices(len(values), stop) as index:
            body(self.w.let(at("g.tables", table + index)))

    def each_step(
        self, steps: AnySteps, body: Callable[[OneStep], None], stop: Expr | None
    ) -> None:
        """Write a loop over the single steps of *steps*, while the truth *stop* holds."""
        if isinstance(steps, OneStep):
            body(steps)
            return
        with self.w.indices(len(steps), stop) as index:
            body(OneStep(steps, index))
