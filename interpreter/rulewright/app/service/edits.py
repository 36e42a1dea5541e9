"""Edits that an editor offers: formatting, and quick fixes from the hints of diagnostics.

In: a document, and its diagnostics.  Out: edits, each with a title.  A text that does not parse
cannot be formatted, and a hint that names no text to write has no edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from attrs import frozen

from rulewright.app.service.document import Document
from rulewright.app.service.navigation import Edit
from rulewright.checks.cases import CasesError
from rulewright.checks.cases import parse as parse_cases
from rulewright.language.diagnostics import Diagnostic, TextError
from rulewright.language.source import Source, Span

_DID_YOU_MEAN = re.compile(r"did you mean `([^`]+)`\?")
_PERCENT = re.compile(r"is (\S+%) meant\?")
_REWRITTEN = re.compile(r"^[^`]*: `([^`]+)`$")
_WRITE = re.compile(r"^write `([^`]+)`$")
_BRACKETS = re.compile(r"^write brackets: `(\([^`]+\))`")
_ABOVE = re.compile(r"^write `([^`]+)` above everything else$")
_BELOW = re.compile(r"^write `([^`]+)` below `format 1`$")
_LINE_CODES = frozenset({"syntax", "unknown-statement", "unfinished", "reserved-word"})


@frozen
class CodeAction:
    """A quick fix: a title, edits that belong together, and the diagnostic that they mend."""

    title: str
    edits: tuple[Edit, ...]
    mends: Diagnostic | None = None


def formatting(document: Document) -> list[Edit]:
    """The edits that format a text; none if it does not parse."""
    try:
        format_ = document.kind.formatted if document.kind else _formatted_cases
        new = format_(document.text)
    except (TextError, CasesError):
        return []
    return list(line_edits(document.text, new))


def formatting_of(document: Document, start: int, end: int) -> list[Edit]:
    """The edits that format the lines between two offsets."""
    first = document.text.rfind("\n", 0, start) + 1
    last = document.text.find("\n", end)
    last = last if last >= 0 else len(document.text)
    return [e for e in formatting(document) if first <= e.span.start and e.span.end <= last + 1]


def _formatted_cases(text: str) -> str:
    """Format cases: indent by two blanks, keep comments; raises `CasesError`."""
    parse_cases(text)
    lines = []
    for line in text.splitlines():
        word = line.split()[:1]
        inner = bool(word) and word[0] in ("set", "moves", "saw")
        lines.append(f"  {line.strip()}" if inner else line.rstrip())
    return "\n".join(lines).strip("\n") + "\n"


def line_edits(old: str, new: str) -> Iterator[Edit]:
    """The edits from an old text to a new one: one for each run of lines that differ."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    for tag, i, j, k, n in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Edit(Span(starts[i], starts[j]), "".join(after[k:n]))


# --- hints ---


def span_of(document: Document, diagnostic: Diagnostic) -> Span:
    """The place of a diagnostic as offsets in the text."""
    source, place = document.source or Source(document.name, document.text), diagnostic.place
    last = len(source.line_starts)
    first, end = min(place.line, last), min(place.end_line, last)
    length = len(document.text)  # what is missing at the end is complained of behind it
    start = min(source.line_starts[first - 1] + place.column - 1, length)
    stop = min(source.line_starts[end - 1] + place.end_column - 1, length)
    return Span(start, max(start, stop))


def actions(document: Document, diagnostics: Iterable[Diagnostic]) -> list[CodeAction]:
    """The quick fixes that the hints of diagnostics ask for."""
    return [action for diagnostic in diagnostics for action in _actions(document, diagnostic)]


def _actions(document: Document, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    span, hint = span_of(document, diagnostic), diagnostic.hint
    if diagnostic.place.file != document.name:
        return
    if match := _DID_YOU_MEAN.search(hint):
        yield _replace(document, _word(document, span), match[1], diagnostic)
    elif (match := _PERCENT.search(hint)) or (match := _BRACKETS.match(hint)):
        yield _replace(document, span, match[1], diagnostic)
    elif match := _ABOVE.match(hint):
        yield CodeAction(f"Write `{match[1]}`", (Edit(Span(0, 0), f"{match[1]}\n"),), diagnostic)
    elif match := _BELOW.match(hint):
        at = document.text.find("\n") + 1
        yield CodeAction(f"Write `{match[1]}`", (Edit(Span(at, at), f"{match[1]}\n"),), diagnostic)
    elif (match := _WRITE.match(hint)) and diagnostic.code == "bad-character":
        yield _replace(document, span, match[1], diagnostic)
    elif diagnostic.code in _LINE_CODES and (match := _REWRITTEN.match(hint)):
        yield _replace(document, _statement(document, span), match[1], diagnostic)
    elif diagnostic.code == "tab":
        tabs = [m.start() for m in re.finditer("\t", document.text)]
        edits = tuple(Edit(Span(at, at + 1), "  ") for at in tabs)
        yield CodeAction("Write two blanks for each tab", edits, diagnostic)


def _replace(document: Document, span: Span, text: str, diagnostic: Diagnostic) -> CodeAction:
    old = document.text[span.start : span.end]
    title = f"Change `{old}` to `{text}`" if len(old) < 40 else f"Write `{text}`"
    return CodeAction(title, (Edit(span, text),), diagnostic)


def _word(document: Document, span: Span) -> Span:
    """The word at the beginning of a span, else the span."""
    word = document.word_at(span.start)
    begins = word.start == span.start and word.end > span.start
    return word if begins and word.end <= span.end else span


def _statement(document: Document, span: Span) -> Span:
    """The statement at a span, without its comment and the lines below."""
    line = document.line_at(span.start)
    return line.span if line is not None else span
