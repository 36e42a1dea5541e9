"""The texts of decisions that kernels have listed: made once for each, then looked up.

In: rules, and the layout of the rows of decisions in memory.  Out: for every row a number, the key
of its text in a table that is filled on demand.  A decision whose text depends on the position, or
whose choices cannot be numbered, has the number `LAZY`: the reference writes its text each
time somebody asks (`lazy_text`).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import prod
from operator import itemgetter
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.compiler.layout import StateLayout
from rulewright.compiler.passes.choices import choice_places
from rulewright.games.engine.interpreted import named_value
from rulewright.games.engine.moves import ChosenValue
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import OPERATIONS, Type
from rulewright.model.walk import nodes
from rulewright.reference.courses import count_nones
from rulewright.reference.decisions import NONE
from rulewright.reference.effects import Effects
from rulewright.reference.evaluate import evaluate
from rulewright.reference.lookup import shown_slots
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Context, Position

MOST = 2_000_000
"""Texts of a game that are numbered at most."""
LAZY = -1
"""Stands for the number of a text that is made for a single decision of a position."""


@record
class Digit(Record):
    """A choice that numbers a decision: slot, type, word in the row, least value, how many."""

    slot: int
    type: Type
    at: int
    low: int
    size: int
    steps: tuple[Step, ...] = ()
    """Of a step: all that may be chosen, in the order in which rows number them."""

    def value(self, number: int) -> Any:
        """Return the value, as the reference has it, whose number is *number*, from 0 on."""
        if self.type is Type.SITE:
            return 1 << number
        return (self.steps[number],) if self.type is Type.STEP else number + self.low

    def number(self, choice: Any) -> int:
        """Return the number, from 0 on, of a choice: a site's number, a kind, a number, a step."""
        return self.steps.index(choice) if self.type is Type.STEP else int(choice) - self.low


@record
class _MoveNotation(Record):
    """The notation of a move: its texts are numbered from `base` on, by these digits."""

    move: r.MoveKind
    base: int
    digits: tuple[Digit, ...]
    by_choices: bool = False
    """Whether its texts depend on the position: numbers stand for choices, and are named so."""

    @property
    def lazy(self) -> bool:
        """Whether its texts do not follow from the choices alone."""
        return self.base == LAZY

    @property
    def hides(self) -> bool:
        """Whether it makes choices that its text may not show."""
        choice_slots = {slot for s in self.move.body for slot in _chosen_slots(s)}
        if self.lazy:
            return not choice_slots <= shown_slots(self.move)
        return choice_slots != {digit.slot for digit in self.digits}

    def code(self, choices: Mapping[int, Any]) -> int:
        """The number of the text for these choices by slot; sites are given by their numbers."""
        code, factor = self.base, 1
        for digit in self.digits:
            code += digit.number(choices[digit.slot]) * factor
            factor *= digit.size
        return code


# A row's number is its choices read as the digits of a number with mixed bases.
@define(eq=False)
class Notation:
    """The numbers and texts of a game's decisions."""

    play: ReferencePlay
    moves: tuple[_MoveNotation, ...]
    table: dict[int, str] = field(factory=lambda: {0: NONE})
    """The texts made so far, by their numbers."""
    codes: dict[str, int] = field(factory=lambda: {NONE: 0})
    ambiguous: bool = False
    """Whether two numbers are known to have the same text."""
    passes: bool = field(init=False)
    """Whether a list of decisions may have `none` twice."""
    hides: bool = field(init=False)
    """Whether two decisions may have the same number: choices that no text shows, `none` twice."""
    has_lazy: bool = field(init=False)
    """Whether there are texts that are made for a single position."""
    late: bool = field(init=False)
    """Whether one of these is written after effects: then the reference lists all decisions."""
    _writers: dict[int, _Writer] = field(factory=dict, init=False)
    _begins: list[tuple[int, int]] = field(init=False)
    """The first number of each move whose texts are numbered, with the move's own, rising."""
    _statements: dict[int, tuple[r.Let | r.Write, ...]] = field(init=False)
    """The statements that write a move on demand, by its number, unless they follow effects."""
    doubtful: bool = field(init=False)
    """Whether two texts made on demand may be the same, so that they have to be compared."""

    def __attrs_post_init__(self) -> None:
        rules = self.play.rules
        self.passes = any(count_nones(course) > 1 for course in (rules.course, rules.first_course))
        self._begins = sorted((w.base, n) for n, w in enumerate(self.moves) if not w.lazy)
        self.hides = self.passes or any(w.hides for w in self.moves if not w.lazy)
        lazy = {number: move for number, move in enumerate(self.moves) if move.lazy}
        writings = {
            n: _writing_statements(w.move) for n, w in lazy.items() if _is_written_first(w.move)
        }
        self.has_lazy, self.late, self._statements = bool(lazy), len(writings) < len(lazy), writings
        self.doubtful = any(move.hides for move in lazy.values())

    @classmethod
    def of(cls, play: ReferencePlay, layout: StateLayout) -> Notation:
        """The notation of a game."""
        moves, base = list[_MoveNotation](), 1
        for move in play.rules.moves:
            digits = _digits(move, layout)
            count = prod(digit.size for digit in digits or ())
            if digits is None or base + count > MOST:
                moves.append(_MoveNotation(move, LAZY, ()))
            else:
                moves.append(_MoveNotation(move, base, digits))
                base += count
        return cls(play, tuple(moves))

    def by_choices(self, layout: StateLayout) -> Notation:
        """Return a notation that numbers lazy moves, too, each by its choices: `hop(b5)`.

        Those whose choices have no known range stay lazy.
        """
        moves = list(self.moves)
        base = 1 + sum(prod(d.size for d in w.digits) for w in moves if not w.lazy)
        for n, written in enumerate(moves):
            places = choice_places(written.move, layout.words) if written.lazy else {}
            digits = _numbered(written.move, places, layout) if written.lazy else None
            count = prod(digit.size for digit in digits or ())
            if digits is not None and base + count <= MOST:
                moves[n] = _MoveNotation(written.move, base, digits, by_choices=True)
                base += count
        return Notation(self.play, tuple(moves))

    def layout(self) -> list[int]:
        """The array that tells the kernel `stepping.codes` how moves are numbered."""
        heads, records = [len(self.moves) + 1], [0, 0, int(self.passes)]
        for move in self.moves:
            heads.append(len(self.moves) + 1 + len(records))
            records += [move.base, len(move.digits), int(move.hides and not move.lazy)]
            factor = 1
            for digit in move.digits:
                records += [digit.at, digit.low, factor]
                factor *= digit.size
        return [*heads, *records]

    def texts(self, codes: Sequence[int]) -> tuple[str, ...]:
        """The texts with these numbers."""
        if len(codes) > 1:
            try:
                return itemgetter(*codes)(self.table)  # type: ignore[no-any-return]  # a tuple
            except KeyError:
                pass
        table = self.table
        return tuple([table[code] if code in table else self._fill(code) for code in codes])

    def lazy_text(self, move: int, frame: Mapping[int, Any], position: Position) -> str:
        """The text in *position* of the decision of a move with these choices."""
        statements = self._statements.get(move)
        if statements is None:

            def order(statement: r.Choose | r.ChooseRay, _: object) -> list[Any]:
                if isinstance(statement, r.Choose):
                    return [frame[statement.slot]]
                return [tuple(frame[slot] for slot in statement.slots)]

            return next(self.play.decisions(move, position, order)).text
        context = self.play.context(position)
        context.frame = [frame.get(slot) for slot in range(self.moves[move].move.slots)]
        return _text(statements, context, self.play.rules)

    def _fill(self, code: int) -> str:
        """Make the text of a number, and keep it in the table."""
        base, number = self._begins[bisect(self._begins, (code, len(self.moves))) - 1]
        rest, values, written = code - base, list[int](), self.moves[number]
        for digit in written.digits:
            rest, value = divmod(rest, digit.size)
            values.append(value)
        if written.by_choices:
            choices = zip(written.digits, values, strict=True)
            rules = self.play.rules
            text = choices_text(
                written.move.name, (named_value(d.value(v), d.type, rules) for d, v in choices)
            )
        else:
            if number not in self._writers:
                self._writers[number] = _Writer(self.play, written)
            text = self._writers[number].text(values)
        self.table[code] = text
        self.ambiguous |= self.codes.setdefault(text, code) != code
        return text


def choices_text(name: str, choices: Iterable[ChosenValue]) -> str:
    """Return how a decision is named by its move and choices where its text may change."""
    return f"{name}({', '.join(map(str, choices))})"


_KeyOf: TypeAlias = "Callable[[Sequence[int]], Any]"


def _no_digits(_: Sequence[int]) -> None:
    """The digits of an expression that depends on none."""


class _Writer:
    """Writes the texts of a move; each part is made once for the values that it depends on."""

    def __init__(self, play: ReferencePlay, notation: _MoveNotation) -> None:
        """Prepare to write a move whose texts follow from its choices."""
        self.play, self.digits, self.move = play, notation.digits, notation.move
        self.statements = _writing_statements(self.move)
        writes = [s.notation for s in self.statements if isinstance(s, r.Write)]
        self.notation = writes[0] if len(writes) == 1 else None
        self._values: dict[tuple[int, bool], tuple[_KeyOf, dict[Any, Any]]] = {}
        """For each expression what takes the digits that it depends on, and its values by them."""

    def text(self, values: Sequence[int]) -> str:
        """The text for these values of the digits."""
        notation = self.notation
        if notation is None:  # the last of several
            return _text(self.statements, self._context(values), self.play.rules)
        while not isinstance(notation, m.Text):
            holds = self._value(notation.condition, values, as_text=False)
            notation = notation.then if holds else notation.otherwise
        parts = notation.parts
        return "".join([p if isinstance(p, str) else self._value(p, values) for p in parts])

    def _value(self, part: m.Expr, values: Sequence[int], as_text: bool = True) -> Any:
        """The value of an expression, as text if *as_text*."""
        part_key = id(part), as_text
        if part_key not in self._values:
            indices = self._digit_indices(part)
            self._values[part_key] = itemgetter(*indices) if indices else _no_digits, {}
        key_of, values_by_key = self._values[part_key]
        key = key_of(values)
        if key not in values_by_key:
            values_by_key[key] = self._work_out(part, values, as_text)
        return values_by_key[key]

    def _work_out(self, part: m.Expr, values: Sequence[int], as_text: bool) -> Any:
        context = self._context(values)
        for statement in self.statements:
            if isinstance(statement, r.Let):
                context.frame[statement.slot] = evaluate(statement.value, context)
        if as_text:
            return Effects.written(m.Text((part,)), context, self.play.rules)
        return evaluate(part, context)

    def _digit_indices(self, part: m.Expr) -> tuple[int, ...]:
        """The indices of the digits that an expression depends on."""
        slots = _dependencies(self.move, (part,))
        return tuple(i for i, d in enumerate(self.digits) if d.slot in (slots or ()))

    def _context(self, values: Sequence[int]) -> Context:
        """A context with the choices in its frame."""
        context = self.play.context(self.play.first)
        context.budget = None  # what is only written costs nobody anything
        context.frame = [None] * self.move.slots
        for digit, value in zip(self.digits, values, strict=True):
            context.frame[digit.slot] = digit.value(value)
        return context


def _is_written_first(move: r.MoveKind) -> bool:
    """Whether the notation of a move comes before all of its effects."""
    last = max((i for i, s in enumerate(move.body) if isinstance(s, r.Write)), default=-1)
    bare = r.Choose | r.ChooseRay | r.Let | r.Need | r.Write
    return all(isinstance(s, bare) for s in move.body[: last + 1])


def _writing_statements(move: r.MoveKind) -> tuple[r.Let | r.Write, ...]:
    """The statements that make the text of a move: `write`, and each `let` that a text needs."""
    slots, statements = set[int](), list[r.Let | r.Write]()
    for s in reversed(move.body):  # a `let` stands before all that it is used in
        if isinstance(s, r.Write) or (isinstance(s, r.Let) and s.slot in slots):
            statements.append(s)
            about = s.notation if isinstance(s, r.Write) else s.value
            slots |= {n.slot for n in nodes(about) if isinstance(n, m.Local)}
    return tuple(reversed(statements))


def _text(statements: Sequence[r.Let | r.Write], context: Context, rules: r.Rules) -> str:
    """The text that statements write with the choices in the frame."""
    text = ""
    for statement in statements:
        if isinstance(statement, r.Let):
            context.frame[statement.slot] = evaluate(statement.value, context)
        else:
            text = Effects.written(statement.notation, context, rules)
    return text


def _digits(move: r.MoveKind, layout: StateLayout) -> tuple[Digit, ...] | None:
    """The choices that the text of a move shows; None if it shows anything else."""
    statements = _statements_of(move.body, layout.rules)
    writes = sum(isinstance(statement, r.Write) for statement in move.body)
    if sum(isinstance(node, r.Write) for node in statements) != writes:
        return None  # a `write` stands in a block or an action
    slots = _slots(move)
    return None if slots is None else _numbered(move, sorted(slots), layout)


def _numbered(
    move: r.MoveKind, slots: Iterable[int], layout: StateLayout
) -> tuple[Digit, ...] | None:
    """The digits of the choices in some slots; None if one has no known range."""
    digits = list[Digit]()
    places = choice_places(move, layout.words)
    for slot in slots:
        type_, at, _ = places[slot]
        low, size = _values(move, slot, type_, layout.rules)
        if not size:
            return None
        steps = _domain(move, slot).steps if type_ is Type.STEP else ()
        digits.append(Digit(slot, type_, at, low, size, steps))
    return tuple(digits)


def _statements_of(body: Sequence[r.Effect], rules: r.Rules) -> list[Any]:
    """All records of statements and of the actions that they perform."""
    records, todo, actions = list[Any](), list[Any](nodes(tuple(body))), set[int]()
    while todo:
        node = todo.pop()
        records.append(node)
        if isinstance(node, r.Perform) and node.action not in actions:
            actions.add(node.action)
            todo += nodes(rules.actions[node.action].body)
    return records


@cache
def _slots(move: r.MoveKind) -> frozenset[int] | None:
    """The slots of the choices that the text depends on; None if it depends on more."""
    return _dependencies(move, [s.notation for s in move.body if isinstance(s, r.Write)])


def _dependencies(move: r.MoveKind, parts: Sequence[Any]) -> frozenset[int] | None:
    """The slots of the choices that parts of a text depend on; None if they depend on more."""
    binds = {s.slot: s.value for s in move.body if isinstance(s, r.Let)}
    choices = {slot for s in move.body for slot in _chosen_slots(s)}
    slots, names = set[int](), set[int]()
    todo = [n for part in parts for n in nodes(part)]
    while todo:
        node = todo.pop()
        if isinstance(node, m.Local):
            if node.slot in choices:
                slots.add(node.slot)
            elif node.slot in binds and node.slot not in names:
                names.add(node.slot)
                todo += nodes(binds[node.slot])
            elif node.slot not in binds:
                return None
        elif not _is_constant(node):
            return None
    return frozenset(slots)


def _is_constant(node: object) -> bool:
    """Whether a node of a text depends on nothing but its arguments."""
    if isinstance(node, m.Apply):
        return bool(OPERATIONS[node.operation].reads != "position")
    return isinstance(node, m.Const | m.Text | m.TextChoice | m.Conditional | m.Logic)


def _chosen_slots(statement: r.Effect) -> tuple[int, ...]:
    if isinstance(statement, r.Choose):
        return (statement.slot,)
    return statement.slots if isinstance(statement, r.ChooseRay) else ()


def _values(move: r.MoveKind, slot: int, type_: Type, rules: r.Rules) -> tuple[int, int]:
    """The least value of a choice, and how many there are from it on; (0, 0) if not known."""
    if type_ is Type.SITE:
        return 0, len(rules.board.names)
    domain = _domain(move, slot)
    values = domain.value if isinstance(domain, m.Const) else None
    if isinstance(values, tuple) and len(set(values)) < len(values):
        return 0, 0  # the same decision twice
    if type_ is Type.KIND:
        return 0, len(rules.kinds)
    if type_ is Type.STEP and isinstance(domain, m.Const):
        return 0, len(domain.steps)
    if not isinstance(domain, m.Const) or domain.type not in (Type.RANGE, Type.NUMBERS):
        return 0, 0
    numbers = [v for v in values if isinstance(v, int)] if isinstance(values, tuple) else []
    return (min(numbers), max(numbers) - min(numbers) + 1) if numbers else (0, 0)


def _domain(move: r.MoveKind, slot: int) -> Any:
    """The expression that a choice is taken from, None for marks of rays."""
    choices = (s for s in move.body if isinstance(s, r.Choose) and s.slot == slot)
    return next((s.domain for s in choices), None)
