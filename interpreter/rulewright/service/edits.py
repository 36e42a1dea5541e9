"""Changes that an editor offers: the one layout, and what the hints of diagnostics say to write.

In: a document, and diagnostics of it.  Out: edits, each with what it does in words.  A text that
does not parse has no layout, and a hint that names no text to write has no edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from attrs import frozen

from rulewright.checks.cases import CasesError
from rulewright.checks.cases import parse as parse_cases
from rulewright.language.diagnostics import Diagnostic, TextError
from rulewright.language.source import Source, Span
from rulewright.service.document import Document
from rulewright.service.navigation import Edit

_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_PERCENT = re.compile(r"is (\S+%) meant\?")
_TOLD = re.compile(r"^[^`]*: `([^`]+)`$")
_WRITE = re.compile(r"^write `([^`]+)`$")
_BRACKETS = re.compile(r"^write brackets: `(\([^`]+\))`")
_ABOVE = re.compile(r"^write `([^`]+)` above everything else$")
_BELOW = re.compile(r"^write `([^`]+)` below `format 1`$")
_LINE_CODES = frozenset({"syntax", "unknown-statement", "unfinished", "reserved-word"})


@frozen
class CodeAction:
    """Edits that belong together, what they do, and the diagnostic that they mend."""

    title: str
    edits: tuple[Edit, ...]
    mends: Diagnostic | None = None


def formatting(document: Document) -> list[Edit]:
    """The edits that give a text the one layout; none for one that does not parse."""
    try:
        if document.kind is not None:
            new = document.kind.formatted(document.text)
        else:
            new = _formatted_cases(document.text)
    except (TextError, CasesError):
        return []
    return list(changed(document.text, new))


def formatting_of(document: Document, start: int, end: int) -> list[Edit]:
    """Those edits that touch the lines from one place to another."""
    first = document.text.rfind("\n", 0, start) + 1
    last = document.text.find("\n", end)
    last = last if last >= 0 else len(document.text)
    return [e for e in formatting(document) if first <= e.span.start and e.span.end <= last + 1]


def _formatted_cases(text: str) -> str:
    """Cases indented by two blanks, comments as they are; raises `CasesError`."""
    parse_cases(text)
    lines = []
    for line in text.splitlines():
        word = line.split()[:1]
        inner = bool(word) and word[0] in ("set", "moves", "saw")
        lines.append(f"  {line.strip()}" if inner else line.rstrip())
    return "\n".join(lines).strip("\n") + "\n"


def changed(old: str, new: str) -> Iterator[Edit]:
    """The lines that differ, each run of them as one edit."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    for tag, i, j, k, n in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Edit(Span(starts[i], starts[j]), "".join(after[k:n]))


# --- hints ---


def span_of(document: Document, diagnostic: Diagnostic) -> Span:
    """The place of a diagnostic as characters of the text."""
    source, place = document.source or Source(document.name, document.text), diagnostic.place
    last = len(source.line_starts)
    first, end = min(place.line, last), min(place.end_line, last)
    length = len(document.text)  # what is missing at the end is complained of behind it
    start = min(source.line_starts[first - 1] + place.column - 1, length)
    stop = min(source.line_starts[end - 1] + place.end_column - 1, length)
    return Span(start, max(start, stop))


def actions(document: Document, diagnostics: Iterable[Diagnostic]) -> list[CodeAction]:
    """What the hints of these diagnostics say to write, as edits."""
    return [action for one in diagnostics for action in _actions(document, one)]


def _actions(document: Document, one: Diagnostic) -> Iterator[CodeAction]:
    span, hint = span_of(document, one), one.hint
    if one.place.file != document.name:
        return
    if found := _MEANT.search(hint):
        yield _replace(document, _word(document, span), found[1], one)
    elif (found := _PERCENT.search(hint)) or (found := _BRACKETS.match(hint)):
        yield _replace(document, span, found[1], one)
    elif found := _ABOVE.match(hint):
        yield CodeAction(f"Write `{found[1]}`", (Edit(Span(0, 0), f"{found[1]}\n"),), one)
    elif found := _BELOW.match(hint):
        at = document.text.find("\n") + 1
        yield CodeAction(f"Write `{found[1]}`", (Edit(Span(at, at), f"{found[1]}\n"),), one)
    elif (found := _WRITE.match(hint)) and one.code == "bad-character":
        yield _replace(document, span, found[1], one)
    elif one.code in _LINE_CODES and (found := _TOLD.match(hint)):
        yield _replace(document, _statement(document, span), found[1], one)
    elif one.code == "tab":
        tabs = [m.start() for m in re.finditer("\t", document.text)]
        edits = tuple(Edit(Span(at, at + 1), "  ") for at in tabs)
        yield CodeAction("Write two blanks for each tab", edits, one)


def _replace(document: Document, span: Span, text: str, one: Diagnostic) -> CodeAction:
    old = document.text[span.start : span.end]
    title = f"Change `{old}` to `{text}`" if len(old) < 40 else f"Write `{text}`"
    return CodeAction(title, (Edit(span, text),), one)


def _word(document: Document, span: Span) -> Span:
    """The word at the beginning of a place that is longer than one."""
    word = document.word_at(span.start)
    begins = word.start == span.start and word.end > span.start
    return word if begins and word.end <= span.end else span


def _statement(document: Document, span: Span) -> Span:
    """The statement that a place is in, without its comment and the lines below."""
    line = document.line_at(span.start)
    return line.span if line is not None else span
