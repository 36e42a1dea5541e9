"""Rules that build on rules: from `game NAME extends BASE` to one whole text.

In: the text and the syntax of a file, and those of its base, whole already.  Out: the whole text,
which knows of every part where it stands (`WholeText`).  A statement replaces the one of the base
with its key (`replaces`), else it is added, an end before those of the base; claims of the base
are its own.  Names are bound in the whole text, so the lines of the base use what this file
defines.  What it calls by the base's name stays beside it, as BASE_NAME (`base_parts.py`).

Refuses: `without` of nothing, and names that the base does not have.
"""

from __future__ import annotations

import re
from typing import cast

from attrs import define, field

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.base_parts import BaseParts, Replacement
from rulewright.language.diagnostics import Collector, offer
from rulewright.language.source import Source, Span, blanked
from rulewright.language.syntax.statement_roles import statements_that
from rulewright.language.whole_text import WholeText, WholeWriter

_MARGIN = re.compile(r"^[^ \t\r\n#]", re.MULTILINE)
_NAMED, _OWN = statements_that("named"), statements_that("own")


@record
class WholeStatement(Record):
    """A statement with all of its text: the comments above it, its block, and what follows."""

    source: Source
    span: Span
    item: syntax.Item | None
    """None for a line that cannot be read."""

    @property
    def has_block(self) -> bool:
        """Whether lines stand below it."""
        return "\n " in self.source.text[self.span.start : self.span.end]

    @property
    def stands_apart(self) -> bool:
        """Whether a blank line stands above it."""
        return self.source.text[: self.span.start].endswith("\n\n")


def statements(source: Source, tree: syntax.Rules) -> list[WholeStatement]:
    """The statements of a text, in order; together they are all of it but blank lines."""
    text, heads = blanked(source.text), [item.span for item in tree.items]
    margins = [m.start() for m in _MARGIN.finditer(text)]
    starts = [s for s in margins if not any(head.start < s < head.end for head in heads)]
    items = {item.span.start: item for item in tree.items}
    tops = [_top(source.text, start) for start in starts]
    result = []
    for start, top, end in zip(starts, tops, [*tops[1:], len(text)], strict=True):
        stop = top + len(source.text[top:end].rstrip())
        result.append(WholeStatement(source, Span(top, stop), items.get(start)))
    return result


def _top(text: str, start: int) -> int:
    """The begin of the comments that stand right above a line."""
    while start and text.startswith("#", line := text.rfind("\n", 0, start - 1) + 1):
        start = line
    return start


def replaces(new: syntax.Item | None, old: syntax.Item) -> bool:
    """Whether a statement stands in the place of one of the base, having its key."""
    if type(new) is not type(old) or isinstance(new, syntax.End | syntax.Without):
        return False
    if isinstance(new, syntax.Let) and isinstance(old, syntax.Let):
        players = [let.player for let in (new, old)]
        return new.name == old.name and (None in players or players[0] == players[1])
    if isinstance(new, syntax.Turn) and isinstance(old, syntax.Turn):
        return new.first == old.first
    return isinstance(new, syntax.Links) or _name(new) == _name(old)


def _name(item: syntax.Item | None) -> syntax.Name | None:
    """The name by which `without` may leave a statement out; None where it has none."""
    return cast(syntax.Let, item).name if isinstance(item, _NAMED) else None


@record
class Base(Record):
    """The rules that others build on: their name there, their whole text and its syntax."""

    name: syntax.Name
    source: Source
    tree: syntax.Rules


def extend(source: Source, tree: syntax.Rules, base: Base, report: Collector) -> WholeText | None:
    """The whole text of a file that builds on *base*; None where it names what is not there."""
    collector = Collector()
    whole = _Merging(source, tree, base, collector).whole()
    for diagnostic in collector.diagnostics:
        report(diagnostic)
    return None if collector.failed else whole


@define(repr=False, eq=False)
class _Merging(Record):
    """Joins a file with its base, statement by statement."""

    source: Source
    tree: syntax.Rules
    base: Base
    report: Collector
    gone: set[int] = field(factory=set)
    """Where the statements of the base begin that are left out or replaced."""

    def whole(self) -> WholeText:
        """The whole text."""
        own = statements(self.source, self.tree)
        left_out = self._left_out()
        self._check_same(left_out)
        new = [s.item for s in own if not isinstance(s.item, _OWN)]
        old = [item for item in self.base.tree.items if not isinstance(item, _OWN)]
        replaced = {item.span.start for item in old if any(replaces(n, item) for n in new)}
        self.gone = left_out | replaced
        base, game = self.base, self.base.name.text
        parts = BaseParts(game, base.source, base.tree, self.gone, self.source, self.tree)
        parts.check(self.report)
        return self._whole_text(self._ordered(own), parts)

    def _complain(self, code: str, node: syntax.Node, message: str, hint: str = "") -> None:
        self.source.report(self.report, code, node.span, message, hint)

    def _left_out(self) -> set[int]:
        """Where the statements of the base begin that `without` leaves out."""
        starts: set[int] = set()
        for node in (n for i in self.tree.items if isinstance(i, syntax.Without) for n in i.items):
            out = [item for item in self.base.tree.items if _is_meant(node, item)]
            starts.update(item.span.start for item in out)
            if not out:
                names = (n.text for n in map(_name, self.base.tree.items) if n is not None)
                distinct = [*dict.fromkeys(names)]
                what = f"nothing called `{node.word}`" if node.name else f"no `{node.word}`"
                message = f"{self.base.name.text} has {what} that could be left out"
                hint = offer(node.word, distinct) if node.name else ""
                self._complain("unknown-name", node, message, hint)
        return starts

    def _check_same(self, left_out: set[int]) -> None:
        """Warn of statements that the base has too, word for word."""
        stays = [item for item in self.base.tree.items if item.span.start not in left_out]
        ends = [item for item in stays if isinstance(item, syntax.End)]
        candidates = [item for item in stays if item not in ends[1:]]
        for item in self.tree.items:
            if not isinstance(item, _OWN) and item in candidates:
                message = f"{self.base.name.text} says the same, so this changes nothing"
                self._complain("same-as-base", item, message, "leave it out")

    # --- the order of statements ---

    def _ordered(self, own: list[WholeStatement]) -> list[WholeStatement]:
        """The file's head, then the base's statements with those of the file in and among them.

        What the base is called for although it is replaced stands right before its replacement.
        """
        named = next((i for i, s in enumerate(own) if isinstance(s.item, syntax.GameName)), 0)
        todo = [s for s in own[named + 1 :] if not isinstance(s.item, syntax.Without)]
        result: list[WholeStatement] = []
        for old in statements(self.base.source, self.base.tree):
            if old.item is None or isinstance(old.item, _OWN):
                continue
            result.append(old)
            new = next((s for s in todo if replaces(s.item, old.item)), None)
            if new is not None:
                todo.remove(new)
                result.append(new)
        ends = [s for s in todo if isinstance(s.item, syntax.End)]
        first = next((i for i, s in enumerate(result) if isinstance(s.item, syntax.End)), None)
        result[first:first] = ends
        for s in (s for s in todo if s not in ends):
            result.insert(_place(s.item, [r.item for r in result]), s)
        return [*own[: named + 1], *result]

    def _whole_text(self, ordered: list[WholeStatement], parts: BaseParts) -> WholeText:
        writer, before = WholeWriter(), None
        for s in ordered:
            for edits in self._forms(s, parts):
                if before is not None:
                    apart = before.has_block or s.has_block or s.stands_apart
                    writer.write("\n\n" if apart else "\n", before.source, _last(before.span))
                _copy(writer, s, edits)
                before = s
        if before is not None:
            writer.write("\n", before.source, _last(before.span))
        return writer.whole(self.source, self.base.name.span)

    def _forms(self, s: WholeStatement, parts: BaseParts) -> list[list[Replacement]]:
        """The forms in which a statement stands in the whole text."""
        if s.item is None:
            return [[]]
        own = s.source is self.source
        return [parts.edits(s.item)] if own else parts.edits_of_base(s.item)


def _last(span: Span) -> Span:
    return Span(max(span.start, span.end - 1), span.end)


def _copy(writer: WholeWriter, s: WholeStatement, edits: list[Replacement]) -> None:
    """Write a statement, edited."""
    copied_to = s.span.start
    for edit in sorted(edits, key=lambda e: e.span.start):
        writer.copy(s.source, Span(copied_to, edit.span.start))
        edit.write(writer)
        copied_to = edit.span.end
    writer.copy(s.source, Span(copied_to, s.span.end))


def _is_meant(node: syntax.LeftOut, item: syntax.Item) -> bool:
    """Whether a word of `without` leaves a statement out."""
    if node.name is not None:
        return _name(item) == node.name
    if node.word == "after":
        return isinstance(item, syntax.AfterTurn)
    words = {"draw": ("draw", "claim")}.get(node.word, (node.word,))
    return isinstance(item, syntax.End) and item.verdict in words


def _place(item: syntax.Item | None, items: list[syntax.Item | None]) -> int:
    """Where a statement is added: behind those of its kind, else before the moves."""
    alike = [i for i, other in enumerate(items) if type(other) is type(item)]
    if alike or item is None or isinstance(item, _OWN):
        return alike[-1] + 1 if alike and item is not None else len(items)
    moves = syntax.Setup | syntax.AfterTurn | syntax.Action | syntax.MoveKind
    return next((i for i, other in enumerate(items) if isinstance(other, moves)), len(items))
