"""The texts of decisions that kernels have listed: worked out once for each, then looked up.

In: rules, and how the rows of decisions lie in memory.  Out: for every row a number, by which its
text is looked up in a table that fills as it is asked.  Refuses nothing: decisions of moves whose
text tells of the position too, or whose choices cannot be numbered, have the number `ASKED`, and
the reference writes each when somebody asks (`asked_text`).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from attrs import define, field

from rulewright.codegen.layout import StateLayout, chosen
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import OPERATIONS, Type
from rulewright.model.walk import nodes
from rulewright.records import Record, record
from rulewright.reference.effects import Effects
from rulewright.reference.evaluate import evaluate
from rulewright.reference.lookup import shown_slots
from rulewright.reference.play import NONE, ReferencePlay
from rulewright.reference.position import Context, Position

MOST = 2_000_000
"""Texts that a game may come to have."""
ASKED = -1
"""In place of the number of a text that is made for one decision of one position."""


@record
class Digit(Record):
    """A choice that the text shows: its slot and type, its word in the row, its values."""

    slot: int
    type: Type
    at: int
    low: int
    size: int


@record
class _Written(Record):
    """How a move is written: where its numbers begin, and what they count."""

    move: r.MoveKind
    base: int
    digits: tuple[Digit, ...]

    @property
    def asked(self) -> bool:
        """Whether the choices do not tell its texts."""
        return self.base == ASKED

    @property
    def hides(self) -> bool:
        """Whether it makes choices that no text shows, or need not show."""
        chosen = {slot for s in self.move.body for slot in _chosen_slots(s)}
        if self.asked:
            return not chosen <= shown_slots(self.move)
        return chosen != {digit.slot for digit in self.digits}


@define(eq=False)
class Notation:
    """The numbers and texts of a game's decisions."""

    play: ReferencePlay
    moves: tuple[_Written, ...]
    table: dict[int, str] = field(factory=lambda: {0: NONE})
    """The texts that were asked for, by their numbers."""
    known: dict[str, int] = field(factory=lambda: {NONE: 0})
    ambiguous: bool = False
    """Whether two numbers have been found that have the same text."""
    passes: bool = field(init=False)
    """Whether `none` may stand twice in one list."""
    hides: bool = field(init=False)
    """Whether two decisions may have one number: choices that no text shows, `none` twice."""
    asks: bool = field(init=False)
    """Whether there are texts that are made for one position."""
    late: bool = field(init=False)
    """Whether one of those is written behind effects, so that all together are best listed."""
    _writers: dict[int, _Writer] = field(factory=dict, init=False)
    _begins: list[tuple[int, int]] = field(init=False)
    """The first number of each move whose choices tell its texts, with the move's own, rising."""
    _telling: list[tuple[r.Let | r.Write, ...] | None] = field(init=False)
    """What makes the text of each move that is written before it does anything."""
    doubtful: bool = field(init=False)
    """Whether two of those may be the same, so that lists of them are compared."""

    def __attrs_post_init__(self) -> None:
        rules = self.play.rules
        self.passes = any(_nones(course) > 1 for course in (rules.course, rules.first_course))
        self.hides = self.passes or any(w.hides and not w.asked for w in self.moves)
        self.asks = any(written.asked for written in self.moves)
        self._begins = [(w.base, n) for n, w in enumerate(self.moves) if not w.asked]
        self._telling = [
            _telling(w.move) if w.asked and _is_written_first(w.move) else None for w in self.moves
        ]
        self.late = any(
            w.asked and telling is None
            for w, telling in zip(self.moves, self._telling, strict=True)
        )
        self.doubtful = any(written.hides and written.asked for written in self.moves)

    @classmethod
    def of(cls, play: ReferencePlay, layout: StateLayout) -> Notation:
        """The notation of a game."""
        moves, base = list[_Written](), 1
        for move in play.rules.moves:
            digits = _digits(move, layout)
            if digits is None or base + _product(digits) > MOST:
                moves.append(_Written(move, ASKED, ()))
            else:
                moves.append(_Written(move, base, digits))
                base += _product(digits)
        return cls(play, tuple(moves))

    def layout(self) -> list[int]:
        """What the kernel `stepping.codes` knows of the moves."""
        heads, records = [len(self.moves) + 1], [0, 0, int(self.passes)]
        for written in self.moves:
            heads.append(len(self.moves) + 1 + len(records))
            records += [written.base, len(written.digits), int(written.hides and not written.asked)]
            factor = 1
            for digit in written.digits:
                records += [digit.at, digit.low, factor]
                factor *= digit.size
        return [*heads, *records]

    def texts(self, codes: Sequence[int]) -> tuple[str, ...]:
        """The texts of numbers."""
        if len(codes) > 1:
            try:
                return itemgetter(*codes)(self.table)  # type: ignore[no-any-return]  # a tuple
            except KeyError:
                pass
        table = self.table
        return tuple([table[code] if code in table else self._fill(code) for code in codes])

    def asked_text(self, move: int, frame: Mapping[int, Any], here: Position) -> str:
        """How the decision of a move that chooses these values is written in a position."""
        statements = self._telling[move]
        if statements is None:

            def order(statement: r.Choose | r.ChooseRay, _: object) -> list[Any]:
                if isinstance(statement, r.Choose):
                    return [frame[statement.slot]]
                return [tuple(frame[slot] for slot in statement.slots)]

            return next(self.play.decisions(move, here, order)).text
        context = self.play.context(here)
        context.frame = [frame.get(slot) for slot in range(self.moves[move].move.slots)]
        return _text(statements, context, self.play.rules)

    def _fill(self, code: int) -> str:
        """Work out a text."""
        base, number = self._begins[bisect(self._begins, (code, len(self.moves))) - 1]
        left, values = code - base, list[int]()
        for digit in self.moves[number].digits:
            left, value = divmod(left, digit.size)
            values.append(value)
        if number not in self._writers:
            self._writers[number] = _Writer(self.play, self.moves[number])
        text = self._writers[number].text(values)
        self.table[code] = text
        self.ambiguous |= self.known.setdefault(text, code) != code
        return text


class _Writer:
    """Writes the texts of a move: each part once for the values that it shows."""

    def __init__(self, play: ReferencePlay, written: _Written) -> None:
        """What writes the texts of a move that its choices tell."""
        self.play, self.written, self.telling = play, written, _telling(written.move)
        writes = [s.notation for s in self.telling if isinstance(s, r.Write)]
        self.notation = writes[0] if len(writes) == 1 else None
        self._known: dict[tuple[int, bool], tuple[tuple[int, ...], dict[tuple[int, ...], Any]]] = {}
        """Of each expression the digits that it asks for, and its values by them."""
        self._context = play.context(play.first)
        self._context.budget = None  # what is only written costs nobody anything

    def text(self, values: Sequence[int]) -> str:
        """The text with these digits."""
        notation = self.notation
        if notation is None:  # the last of several
            return _text(self.telling, self._with(values), self.play.rules)
        while not isinstance(notation, m.Text):
            chosen = self._value(notation.condition, values, shown=False)
            notation = notation.then if chosen else notation.otherwise
        return "".join(
            [
                part if isinstance(part, str) else self._value(part, values)
                for part in notation.parts
            ]
        )

    def _value(self, part: m.Expr, values: Sequence[int], shown: bool = True) -> Any:
        """The value of an expression, as it is shown."""
        asked = id(part), shown
        if asked not in self._known:
            self._known[asked] = self._asked(part), {}
        places, known = self._known[asked]
        key = tuple([values[place] for place in places])
        if key not in known:
            context = self._with(values)
            for statement in self.telling:
                if isinstance(statement, r.Let):
                    context.frame[statement.slot] = evaluate(statement.value, context)
            text = m.Text((part,))
            known[key] = (
                Effects.written(text, context, self.play.rules)
                if shown
                else evaluate(part, context)
            )
        return known[key]

    def _asked(self, part: m.Expr) -> tuple[int, ...]:
        """The digits that an expression asks for."""
        slots = _reached(self.written.move, (part,))
        return tuple(i for i, d in enumerate(self.written.digits) if d.slot in (slots or ()))

    def _with(self, values: Sequence[int]) -> Context:
        """The context with the choices in its frame."""
        frame: list[Any] = [None] * self.written.move.slots
        for digit, value in zip(self.written.digits, values, strict=True):
            site = digit.type is Type.SITE
            frame[digit.slot] = 1 << value if site else value + digit.low
        self._context.frame = frame
        return self._context


def _is_written_first(move: r.MoveKind) -> bool:
    """Whether a move has done nothing yet where it is written."""
    last = max((i for i, s in enumerate(move.body) if isinstance(s, r.Write)), default=-1)
    bare = r.Choose | r.ChooseRay | r.Let | r.Need | r.Write
    return all(isinstance(s, bare) for s in move.body[: last + 1])


def _telling(move: r.MoveKind) -> tuple[r.Let | r.Write, ...]:
    """The statements that make the text of a move: a `let` that no text needs may ask for more."""
    needed, statements = set[int](), list[r.Let | r.Write]()
    for s in reversed(move.body):  # a `let` stands before all that it is used in
        if isinstance(s, r.Write) or (isinstance(s, r.Let) and s.slot in needed):
            statements.append(s)
            about = s.notation if isinstance(s, r.Write) else s.value
            needed |= {n.slot for n in nodes(about) if isinstance(n, m.Local)}
    return tuple(reversed(statements))


def _text(statements: Sequence[r.Let | r.Write], context: Context, rules: r.Rules) -> str:
    """What these statements write with the choices that are in the frame."""
    text = ""
    for statement in statements:
        if isinstance(statement, r.Let):
            context.frame[statement.slot] = evaluate(statement.value, context)
        else:
            text = Effects.written(statement.notation, context, rules)
    return text


def _nones(course: r.Course) -> int:
    """How often a course offers the decision not to move."""
    return sum(isinstance(n, r.Maybe) or (isinstance(n, r.While) and n.free) for n in nodes(course))


def _product(digits: Sequence[Digit]) -> int:
    product = 1
    for digit in digits:
        product *= digit.size
    return product


def _digits(move: r.MoveKind, layout: StateLayout) -> tuple[Digit, ...] | None:
    """The choices that the text of a move shows; None where it shows anything else."""
    writes = [s for s in move.body if isinstance(s, r.Write)]
    if len([n for n in _performed(move.body, layout.rules) if isinstance(n, r.Write)]) != len(
        writes
    ):
        return None  # one of them stands in a block or an action
    slots = _slots(move)
    if slots is None:
        return None
    digits = list[Digit]()
    places = chosen(move, layout.words)
    for slot in sorted(slots):
        type_, at, _ = places[slot]
        low, size = _values(move, slot, type_, layout.rules)
        if not size:
            return None
        digits.append(Digit(slot, type_, at, low, size))
    return tuple(digits)


def _performed(body: Sequence[r.Effect], rules: r.Rules) -> list[Any]:
    """All records of statements and of the actions that they perform."""
    performed, todo, seen = list[Any](), list[Any](nodes(tuple(body))), set[int]()
    while todo:
        node = todo.pop()
        performed.append(node)
        if isinstance(node, r.Perform) and node.action not in seen:
            seen.add(node.action)
            todo += nodes(rules.actions[node.action].body)
    return performed


@cache
def _slots(move: r.MoveKind) -> frozenset[int] | None:
    """The choices that the text is made of; None where it is made of more."""
    return _reached(move, [s.notation for s in move.body if isinstance(s, r.Write)])


def _reached(move: r.MoveKind, parts: Sequence[Any]) -> frozenset[int] | None:
    """The choices that parts of the text are made of; None where they are made of more."""
    binds = {s.slot: s.value for s in move.body if isinstance(s, r.Let)}
    choices = {slot for s in move.body for slot in _chosen_slots(s)}
    slots, seen = set[int](), set[int]()
    todo = [n for part in parts for n in nodes(part)]
    while todo:
        node = todo.pop()
        if isinstance(node, m.Local):
            if node.slot in choices:
                slots.add(node.slot)
            elif node.slot in binds and node.slot not in seen:
                seen.add(node.slot)
                todo += nodes(binds[node.slot])
            elif node.slot not in binds:
                return None
        elif not _fixed(node):
            return None
    return frozenset(slots)


def _fixed(node: object) -> bool:
    """Whether a record of a text looks at nothing but values that are given."""
    if isinstance(node, m.Apply):
        return bool(OPERATIONS[node.operation].reads != "position")
    return isinstance(node, m.Const | m.Text | m.TextChoice | m.Conditional | m.Logic)


def _chosen_slots(statement: r.Effect) -> tuple[int, ...]:
    if isinstance(statement, r.Choose):
        return (statement.slot,)
    return statement.slots if isinstance(statement, r.ChooseRay) else ()


def _values(move: r.MoveKind, slot: int, type_: Type, rules: r.Rules) -> tuple[int, int]:
    """The least value of a choice and how many there are from it on; 0 where that is not known."""
    if type_ is Type.SITE:
        return 0, len(rules.board.names)
    chosen = (s for s in move.body if isinstance(s, r.Choose) and s.slot == slot)
    domain = next((s.domain for s in chosen), None)
    values = domain.value if isinstance(domain, m.Const) else None
    if isinstance(values, tuple) and len(set(values)) < len(values):
        return 0, 0  # the same decision twice
    if type_ is Type.KIND:
        return 0, len(rules.kinds)
    if not isinstance(domain, m.Const) or domain.type not in (Type.RANGE, Type.NUMBERS):
        return 0, 0
    numbers = [v for v in values if isinstance(v, int)] if isinstance(values, tuple) else []
    return (min(numbers), max(numbers) - min(numbers) + 1) if numbers else (0, 0)
