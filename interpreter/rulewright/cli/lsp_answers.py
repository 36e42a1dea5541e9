"""Answers of the service in the words of the Language Server Protocol.

In: places, names, edits and diagnostics of `rulewright.service`.  Out: records of the protocol,
with lines and columns from 0 as the editor counts them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from lsprotocol import types as t

from rulewright.language.diagnostics import Diagnostic
from rulewright.language.source import Span
from rulewright.service import completion, edits, navigation, tokens
from rulewright.service.document import Document
from rulewright.service.navigation import Edit
from rulewright.service.studies import Note

_LINE_END = re.compile(r"\r\n|\n|\r")
_SYMBOLS = {
    "player": t.SymbolKind.Class, "option": t.SymbolKind.Property, "state": t.SymbolKind.Field,
    "kind of piece": t.SymbolKind.EnumMember, "link": t.SymbolKind.Interface,
    "let": t.SymbolKind.Variable, "action": t.SymbolKind.Function, "move": t.SymbolKind.Method,
    "factor": t.SymbolKind.Property, "table": t.SymbolKind.Array, "scan": t.SymbolKind.Function,
    "path": t.SymbolKind.Function, "value": t.SymbolKind.Constant, "end": t.SymbolKind.Event,
    "pattern": t.SymbolKind.Object, "board": t.SymbolKind.Struct, "turn": t.SymbolKind.Operator,
    "opening": t.SymbolKind.Function,
}  # fmt: skip
_ITEMS = {
    "statement": t.CompletionItemKind.Snippet, "word": t.CompletionItemKind.Keyword,
    "function": t.CompletionItemKind.Function, "question": t.CompletionItemKind.Function,
    "move": t.CompletionItemKind.Method, "action": t.CompletionItemKind.Method,
    "scan": t.CompletionItemKind.Function, "player": t.CompletionItemKind.Class,
    "kind of piece": t.CompletionItemKind.EnumMember, "option": t.CompletionItemKind.Property,
    "factor": t.CompletionItemKind.Property, "state": t.CompletionItemKind.Field,
    "property": t.CompletionItemKind.Constant, "game": t.CompletionItemKind.Module,
    "evaluator": t.CompletionItemKind.File, "personality": t.CompletionItemKind.File,
    "patterns": t.CompletionItemKind.File,
}  # fmt: skip


# --- places ---


class ProtocolLines:
    """Lines of a text as the protocol counts them, columns in UTF-16 or whole characters."""

    def __init__(self, text: str, utf16: bool) -> None:
        self._text, self._utf16 = text, utf16
        self._starts = [0, *(m.end() for m in _LINE_END.finditer(text))]

    def offset(self, position: t.Position) -> int:
        """The character at a position; the end of the line, or the text, for one beyond it."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        line = self._line(position.line)
        if not self._utf16 or line.isascii():
            return start + min(position.character, len(line))
        units = 0
        for index, character in enumerate(line):
            if units >= position.character:
                return start + index
            units += 1 + (ord(character) > 0xFFFF)
        return start + len(line)

    def _line(self, number: int) -> str:
        start = self._starts[number]
        last = number + 1 >= len(self._starts)
        return self._text[start : None if last else self._starts[number + 1]].rstrip("\r\n")

    def end(self, number: int) -> t.Position:
        """Where a line ends, its blanks left out."""
        start = self._starts[min(number, len(self._starts) - 1)]
        return self.position(start + len(self._line(number).rstrip()))

    def position(self, offset: int) -> t.Position:
        """The position of a character."""
        number = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[number] : offset]
        if self._utf16 and not before.isascii():
            return t.Position(number, sum(1 + (ord(c) > 0xFFFF) for c in before))
        return t.Position(number, len(before))

    def range(self, span: Span) -> t.Range:
        """The range of a span."""
        return t.Range(self.position(span.start), self.position(span.end))


def diagnostic(lines: ProtocolLines, document: Document, one: Diagnostic) -> t.Diagnostic:
    """A complaint with its hint, where it stands."""
    severity = t.DiagnosticSeverity
    hint = f"\n{one.hint}" if one.hint else ""
    unused = one.code in ("unused-name", "unused-move", "unreachable", "same-twice")
    return t.Diagnostic(
        range=lines.range(edits.span_of(document, one)),
        message=one.message + hint,
        severity=severity.Error if one.severity == "error" else severity.Warning,
        code=one.code,
        source="rulewright",
        tags=[t.DiagnosticTag.Unnecessary] if unused else None,
    )


def note(lines: ProtocolLines, span: Span, what: str, one: Note) -> t.Diagnostic:
    """What a study says of a line: grey where nothing uses it, else for whoever looks there."""
    return t.Diagnostic(
        range=lines.range(span),
        message=one.text + (f"\nadd: {one.claim}" if one.claim and one.line else ""),
        severity=t.DiagnosticSeverity.Hint if one.dead else t.DiagnosticSeverity.Information,
        source=f"rulewright {what}",
        tags=[t.DiagnosticTag.Unnecessary] if one.dead else None,
    )


def item_of(item: completion.Item, place: t.Range, number: int, snippets: bool) -> t.CompletionItem:
    """What completion offers, in the place of *place*; *number* is its rank."""
    snippet = item.snippet and snippets
    about = t.MarkupContent(t.MarkupKind.Markdown, item.about) if item.about else None
    return t.CompletionItem(
        label=item.label,
        kind=_ITEMS.get(item.kind, t.CompletionItemKind.Variable),
        detail=item.detail or None,
        documentation=about,
        sort_text=f"{number:04}",
        insert_text_format=t.InsertTextFormat.Snippet if snippet else None,
        text_edit=t.TextEdit(place, item.insert if snippet else item.label),
    )


def text_edits(lines: ProtocolLines, found: Iterable[Edit]) -> list[t.TextEdit]:
    """Edits of one text."""
    return [t.TextEdit(lines.range(edit.span), edit.text) for edit in found]


def symbol(lines: ProtocolLines, entry: navigation.OutlineEntry) -> t.DocumentSymbol:
    """A part of an outline."""
    kind = _SYMBOLS.get(entry.kind, t.SymbolKind.Variable)
    inner = [symbol(lines, part) for part in entry.parts]
    whole, name = lines.range(entry.whole), lines.range(entry.span)
    return t.DocumentSymbol(entry.name, kind, whole, name, entry.detail, children=inner)


def numbers(lines: ProtocolLines, found: Iterable[tokens.Colour]) -> list[int]:
    """Tokens as the protocol wants them: each by its distance from the one before."""
    data: list[int] = []
    line = column = 0
    for colour in found:
        start, end = lines.position(colour.span.start), lines.position(colour.span.end)
        if start.line != end.line:
            continue
        step = start.character - (column if start.line == line else 0)
        bits = colour.declares * 1 + colour.built_in * 2
        length = end.character - start.character
        data += [start.line - line, step, length, tokens.KINDS.index(colour.kind), bits]
        line, column = start.line, start.character
    return data
