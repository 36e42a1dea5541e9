"""What a file takes from its base by the base's name, and what that changes in its lines.

In: a file and its base.  Out: for each statement the edits by which it stands in the whole text.
`chess attacked(c)` becomes a call of `chess_attacked`, under which name the replaced definition
stays; the line `chess castle` becomes the lines of that move; `turn chess or drop` has the course
of the base.  Refuses names that the base does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from attrs import define

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, offer
from rulewright.language.source import Source, Span
from rulewright.language.whole_text import WholeWriter

_TURN = re.compile(r"(?:first\s+)?turn\s+")
_CLOSED = re.compile(r"(?:\s*\))*")


@record
class Replacement(Record):
    """A part of a statement that is written otherwise."""

    span: Span
    write: Callable[[WholeWriter], None]


def base_calls(nodes: object, base: str) -> Iterator[tuple[syntax.Name, syntax.Name]]:
    """The base's name and the name behind it, wherever both stand side by side."""
    for node in syntax.nodes(nodes):
        match node:
            case syntax.Many("&", items):
                called = [i.name if isinstance(i, syntax.Call) else i for i in items]
                yield from _pairs(called, base)
            case syntax.Places(items):
                yield from _pairs([name for _, name in items], base)
            case syntax.Perform(syntax.Name() as name, call) if name.text == base:
                yield name, call.name


def _pairs(items: list[Any], base: str) -> Iterator[tuple[syntax.Name, syntax.Name]]:
    names = [item if isinstance(item, syntax.Name) else None for item in items]
    for first, second in pairwise(names):
        if first is not None and second is not None and first.text == base:
            yield first, second


@define(eq=False, repr=False, slots=False)
class BaseParts(Record):
    """A file, and a base of which some statements are gone: left out, or replaced."""

    base: str
    base_source: Source
    base_tree: syntax.Rules
    gone: set[int]
    source: Source
    tree: syntax.Rules

    # --- what is there ---

    @cached_property
    def _definitions(self) -> dict[str, bool]:
        """The base's definitions and actions by name, and whether any of a name is gone."""
        definitions: dict[str, bool] = {}
        for item in self.base_tree.items:
            if isinstance(item, syntax.Let | syntax.Action):
                gone = item.span.start in self.gone
                definitions[item.name.text] = definitions.get(item.name.text, False) or gone
        return definitions

    @cached_property
    def _moves(self) -> dict[str, syntax.MoveKind]:
        items = self.base_tree.items
        return {item.name.text: item for item in items if isinstance(item, syntax.MoveKind)}

    @cached_property
    def new_names(self) -> dict[str, str]:
        """The definitions that are gone and called by the base's name: the name of each."""
        calls = {called.text for _, called in base_calls(self.tree.items, self.base)}
        names = {name.text for name in syntax.nodes(self.tree.items, self.base_tree.items)
                 if isinstance(name, syntax.Name)}  # fmt: skip
        by_name: dict[str, str] = {}
        for name in sorted(calls & {n for n, gone in self._definitions.items() if gone}):
            new = f"{self.base}_{name}"
            while new in names:
                new += "_"
            by_name[name] = new
        return by_name

    def check(self, report: Collector) -> None:
        """Report what is called by the base's name and not there."""
        for _, name in base_calls(self.tree.items, self.base):
            if name.text not in self._definitions:
                self._complain(report, "definition or action", name, self._definitions)
        for node in syntax.nodes(self.tree.items):
            match node:
                case syntax.PerformMove(base, move) if base.text == self.base:
                    if move.text not in self._moves:
                        self._complain(report, "move", move, self._moves)

    def _complain(
        self, report: Collector, noun: str, name: syntax.Name, names: dict[str, Any]
    ) -> None:
        message = f"{self.base} has no {noun} `{name.text}` that could be called by its name"
        self.source.report(report, "unknown-name", name.span, message, offer(name.text, names))

    # --- edits ---

    def edits_of_base(self, item: syntax.Item) -> list[list[Replacement]]:
        """The forms in which a statement of the base stands in the whole text, each by its edits.

        What is called by the base's name has one of its own, what is gone has no other.
        """
        forms: list[list[Replacement]] = []
        if isinstance(item, syntax.Let | syntax.Action) and item.name.text in self.new_names:
            forms.append([_words(item.name.span, self.new_names[item.name.text], self.base_source)])
        if item.span.start not in self.gone:
            forms.append([*self._course(item, self.base_source)])
        return forms

    def edits(self, item: syntax.Item) -> list[Replacement]:
        """How a statement of the file stands in the whole text."""
        return [*self._own_edits(item)]

    def _own_edits(self, item: syntax.Item) -> Iterator[Replacement]:
        if isinstance(item, syntax.GameName) and item.base is not None:
            yield _words(Span(item.name.span.end, item.base.span.end), "", self.source)
        for base, called in base_calls(item, self.base):
            at = base.span.to(called.span)
            yield _words(at, self.new_names.get(called.text, called.text), self.source)
        yield from self._course(item, self.source)
        if isinstance(item, syntax.MoveKind):
            yield from self._lines_of_moves(item)

    # --- turns ---

    def _course(self, item: syntax.Item, source: Source) -> Iterator[Replacement]:
        """The course of a turn, with the base's in it, without moves that are left out."""
        if not isinstance(item, syntax.Turn):
            return
        text = _printed(self._joined(item.course, item.first))
        named = {node.name.text for node in syntax.nodes(item.course)
                 if isinstance(node, syntax.OneMove)}  # fmt: skip
        if not named & (self._missing_moves | ({self.base} - {*self._moves, *self._own_moves})):
            return
        yield _words(_behind_the_word(item, source.text), text, source)

    @cached_property
    def _own_moves(self) -> set[str]:
        return {i.name.text for i in self.tree.items if isinstance(i, syntax.MoveKind)}

    @cached_property
    def _missing_moves(self) -> set[str]:
        """The moves of the base that are left out."""
        gone = {name for name, move in self._moves.items() if move.span.start in self.gone}
        return gone - self._own_moves

    def _joined(self, course: syntax.Course, first: bool) -> syntax.Course | None:
        """A course with the base's in place of its name; None where nothing is left of it."""
        match course:
            case syntax.OneMove(name):
                if name.text in self._missing_moves:
                    return None
                if name.text != self.base or name.text in {*self._moves, *self._own_moves}:
                    return course
                return self._joined_base(first)
            case syntax.Often(item):
                inner = self._joined(item, first)
                return inner and syntax.Often(inner, course.sign, span=course.span)
            case syntax.Longest(item, by):
                inner = self._joined(item, first)
                return inner and syntax.Longest(inner, by, span=course.span)
            case syntax.Otherwise(tried, other):
                sides = [self._joined(tried, first), self._joined(other, first)]
                parts = [part for part in sides if part is not None]
                both = len(parts) == len(sides)
                return syntax.Otherwise(*parts, span=course.span) if both else _only(parts)
        parts = [part for i in course.items if (part := self._joined(i, first)) is not None]
        if isinstance(course, syntax.Either):
            parts = [i for part in parts for i in _ways(part)]
        return type(course)(tuple(parts), span=course.span) if len(parts) > 1 else _only(parts)

    def _joined_base(self, first: bool) -> syntax.Course | None:
        turns = [item for item in self.base_tree.items if isinstance(item, syntax.Turn)]
        turn = next((t for t in turns if t.first == first), turns[0] if turns else None)
        return None if turn is None else self._joined(turn.course, first)

    # --- the lines of moves ---

    def _lines_of_moves(self, item: syntax.MoveKind) -> Iterator[Replacement]:
        """The lines of the base's moves in place of their names; the last `write` counts."""
        todo = list(self._writes(item))
        spare = {id(node) for node in todo[:-1]}
        for node in item.block:
            if isinstance(node, syntax.Write) and id(node) in spare:
                yield _words(_whole_lines(self.source, node.span), "", self.source)
            move = self._performed(node)
            if move is not None:
                lines = _Lines(self.base_source, move, spare, self.source, node.span)
                yield Replacement(lines.place, lines.write)

    def _performed(self, node: syntax.Effect) -> syntax.MoveKind | None:
        if isinstance(node, syntax.PerformMove) and node.base.text == self.base:
            return self._moves.get(node.move.text)
        return None

    def _writes(self, item: syntax.MoveKind) -> Iterator[syntax.Write]:
        for node in item.block:
            move = self._performed(node)
            for inner in move.block if move else (node,):
                if isinstance(inner, syntax.Write):
                    yield inner


@record
class _Lines(Record):
    """The lines of a move of the base, in place of a line of the file."""

    base: Source
    move: syntax.MoveKind
    spare: set[int]
    source: Source
    span: Span

    @property
    def place(self) -> Span:
        """The line that they stand for, from its margin; a comment beside it stays."""
        return Span(self.source.text.rfind("\n", 0, self.span.start) + 1, self.span.end)

    def write(self, writer: WholeWriter) -> None:
        """Write them, indented as the line is."""
        margin = self.span.start - self.place.start
        lines = [*self._lines()]
        for number, (start, end, indent) in enumerate(lines):
            writer.write(" " * (margin + indent), self.base, Span(start, start + 1))
            writer.copy(self.base, Span(start, end))
            if number + 1 < len(lines):
                writer.write("\n", self.base, Span(end - 1, end))

    def _lines(self) -> Iterator[tuple[int, int, int]]:
        """Begin and end of each line, and how much deeper than the first it stands."""
        text = self.base.text
        inside = [node.span for node in syntax.nodes(self.move.block)]
        left_out = [n.span for n in self.move.block if id(n) in self.spare]
        at, last = text.find("\n", self.move.span.end) + 1, max(s.end for s in inside)
        margin = min(_indent(text, span.start) for span in inside)
        while at < last:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            start = at + len(text[at:end]) - len(text[at:end].lstrip())
            skip = any(s.start < end and start < s.end for s in left_out)
            if text[at:end].strip() and not skip:
                yield start, end, max(0, start - at - margin)
            at = end + 1


def _indent(text: str, offset: int) -> int:
    """The blanks before the line that holds *offset*."""
    start = text.rfind("\n", 0, offset) + 1
    return len(text[start:]) - len(text[start:].lstrip(" "))


def _whole_lines(source: Source, span: Span) -> Span:
    """The lines of a statement, from the break before them."""
    end = source.text.find("\n", span.end)
    start = source.text.rfind("\n", 0, span.start)
    return Span(start, len(source.text) if end < 0 else end)


def _words(span: Span, text: str, source: Source) -> Replacement:
    return Replacement(span, lambda writer: writer.write(text, source, span))


def _only(parts: list[Any]) -> Any:
    return parts[0] if parts else None


def _behind_the_word(turn: syntax.Turn, text: str) -> Span:
    """The whole course of a turn, with the brackets around it, which no node has."""
    start, end = _TURN.match(text, turn.span.start), _CLOSED.match(text, turn.course.span.end)
    assert start is not None
    assert end is not None
    return Span(start.end(), end.end())


def _ways(course: syntax.Course) -> tuple[syntax.Course, ...]:
    return course.items if isinstance(course, syntax.Either) else (course,)


def _longest(by: syntax.Expr | None) -> str:
    """The words before a part of which the longest ways count."""
    return f"longest by {by.text} " if isinstance(by, syntax.Name) else "longest "


def _printed(course: syntax.Course | None, loosest: int = 0) -> str:
    """The text of a course, in brackets where it binds less than what stands around it."""
    binds, text = 4, ""
    match course:
        case syntax.OneMove(name):
            text = name.text
        case syntax.Often(item, sign):
            binds, text = 3, _printed(item, 4) + sign
        case syntax.Longest(item, by):
            binds, text = 2, _longest(by) + _printed(item, 3)
        case syntax.Otherwise(first, second):
            binds, text = 0, f"{_printed(first, 0)} else {_printed(second, 1)}"
        case syntax.InOrder(items):
            binds, text = 1, " ".join(_printed(i, 3) for i in items)
        case syntax.Either(items):
            binds, text = 2, " or ".join(_printed(i, 3) for i in items)
    return f"({text})" if binds < loosest else text
