"""Converting answers of the service to records of the Language Server Protocol.

In: places, names, edits and diagnostics of `rulewright.app.service`.  Out: records of the protocol,
with lines and columns from 0 as the editor counts them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from lsprotocol import types as t

from rulewright.app.service import completion, edits, tokens
from rulewright.app.service.document import Document
from rulewright.app.service.navigation import Edit
from rulewright.app.service.outline import OutlineEntry
from rulewright.app.service.studies import Note
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.source import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_SYMBOLS = {
    "player": t.SymbolKind.Class, "option": t.SymbolKind.Property, "state": t.SymbolKind.Field,
    "kind of piece": t.SymbolKind.EnumMember, "link": t.SymbolKind.Interface,
    "line": t.SymbolKind.Function,
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
    "look": t.CompletionItemKind.File, "colour": t.CompletionItemKind.Color,
    "patterns": t.CompletionItemKind.File,
}  # fmt: skip


# --- places ---


class ProtocolLines:
    """Converts offsets in a text to positions of the protocol, in UTF-16 or whole characters."""

    def __init__(self, text: str, utf16: bool) -> None:
        self._text, self._utf16 = text, utf16 and not text.isascii()
        self._starts = [0, *(m.end() for m in _LINE_END.finditer(text))]

    def offset(self, position: t.Position) -> int:
        """The offset of a position; the end of the line, or of the text, for one beyond it."""
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
        """The end of a line, without trailing blanks."""
        start = self._starts[min(number, len(self._starts) - 1)]
        return self.position(start + len(self._line(number).rstrip()))

    def position(self, offset: int) -> t.Position:
        """The position of an offset."""
        return t.Position(*self.place(offset))

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset."""
        number = bisect_right(self._starts, offset) - 1
        start = self._starts[number]
        if not self._utf16:
            return number, offset - start
        return number, sum(1 + (ord(c) > 0xFFFF) for c in self._text[start:offset])

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._starts)

    def range(self, span: Span) -> t.Range:
        """The range of a span."""
        return t.Range(self.position(span.start), self.position(span.end))


def diagnostic(lines: ProtocolLines, document: Document, problem: Diagnostic) -> t.Diagnostic:
    """A diagnostic with its hint."""
    severity = t.DiagnosticSeverity
    hint = f"\n{problem.hint}" if problem.hint else ""
    unused = problem.code in ("unused-name", "unused-move", "unreachable", "same-twice")
    return t.Diagnostic(
        range=lines.range(edits.span_of(document, problem)),
        message=problem.message + hint,
        severity=severity.Error if problem.severity == "error" else severity.Warning,
        code=problem.code,
        source="rulewright",
        tags=[t.DiagnosticTag.Unnecessary] if unused else None,
    )


def note(lines: ProtocolLines, span: Span, command: str, remark: Note) -> t.Diagnostic:
    """A note of a study as a diagnostic: a hint if nothing uses the line, else information."""
    return t.Diagnostic(
        range=lines.range(span),
        message=remark.text + (f"\nadd: {remark.claim}" if remark.claim and remark.line else ""),
        severity=t.DiagnosticSeverity.Hint if remark.dead else t.DiagnosticSeverity.Information,
        source=f"rulewright {command}",
        tags=[t.DiagnosticTag.Unnecessary] if remark.dead else None,
    )


def item_of(item: completion.Item, place: t.Range, number: int, snippets: bool) -> t.CompletionItem:
    """A completion that replaces the text at *place*; *number* is its rank."""
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


def text_edits(lines: ProtocolLines, changes: Iterable[Edit]) -> list[t.TextEdit]:
    """Edits of one text."""
    return [t.TextEdit(lines.range(edit.span), edit.text) for edit in changes]


def symbol(lines: ProtocolLines, entry: OutlineEntry) -> dict[str, object]:
    """An entry of an outline as a `DocumentSymbol` in JSON, with those inside it."""
    record: dict[str, object] = {
        "name": entry.name,
        "kind": _SYMBOLS.get(entry.kind, t.SymbolKind.Variable).value,
        "range": _plain_range(lines, entry.whole),
        "selectionRange": _plain_range(lines, entry.span),
        "detail": entry.detail,
    }
    if entry.parts:
        record["children"] = [symbol(lines, part) for part in entry.parts]
    return record


def _plain_range(lines: ProtocolLines, span: Span) -> dict[str, object]:
    (line, column), (end_line, end_column) = lines.place(span.start), lines.place(span.end)
    return {
        "start": {"line": line, "character": column},
        "end": {"line": end_line, "character": end_column},
    }


def numbers(lines: ProtocolLines, colours: Iterable[tokens.SemanticToken]) -> list[int]:
    """Semantic tokens in the encoding of the protocol: each relative to the one before."""
    data: list[int] = []
    line = column = 0
    for colour in colours:
        start, end = lines.position(colour.span.start), lines.position(colour.span.end)
        if start.line != end.line:
            continue
        step = start.character - (column if start.line == line else 0)
        bits = colour.declares * 1 + colour.built_in * 2
        length = end.character - start.character
        data += [start.line - line, step, length, tokens.KINDS.index(colour.kind), bits]
        line, column = start.line, start.character
    return data
