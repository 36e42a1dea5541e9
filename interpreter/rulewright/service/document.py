"""One text as an editor holds it: its form, its names, its lines; nothing of other files.

In: a path and a text, which may be wrong and half typed.  Out: diagnostics of its form, the names
in it, its lines by blocks.  A document never changes: each edit makes a new one, and what is asked
of it is worked out once.  Places are numbers of characters from the beginning of the text.  A text
above the limit of size has one diagnostic and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.checks.cases import SUFFIX, Case, CasesError
from rulewright.checks.cases import parse as parse_cases
from rulewright.files import catalog
from rulewright.files.kinds import FileKind, Parsed, parse_file, shown
from rulewright.language import source_lines
from rulewright.language.diagnostics import Diagnostic, Place
from rulewright.language.grammar import Token
from rulewright.language.limits import FILE_BYTES
from rulewright.language.parse import LANGUAGES, tokens_of
from rulewright.language.parse_cache import KeptLines
from rulewright.language.phrases import Language
from rulewright.language.source import Source, Span, blanked
from rulewright.language.source_lines import SourceLine
from rulewright.language.syntax import NAME, WORD
from rulewright.service.names import Mention, mentions

_WORD = re.compile(r"[A-Za-z_0-9]*")
_CASE_LINE = re.compile(r"^(?P<word>[ ]*(?:cases[ ]+for|case|set))[ ]+(?P<name>\w+)", re.MULTILINE)
INNER = {
    "rules": {"move": "effect", "setup": "effect", "action": "effect", "board": "path"},
    "evaluator": {
        "table": "table_row", "scan": "scan_line", "path": "path_line", "on": "scan_effect",
    },
    "personality": {},
}  # fmt: skip
"""The block below a statement, by its first word; `if` and `else` go on with their own."""


@frozen
class StatementLine:
    """A statement of a text: the block it stands in, and the lines below it."""

    block: str
    tokens: tuple[Token, ...]
    span: Span
    """From its first sign to its last, without the lines below."""
    lines: tuple[StatementLine, ...] = ()

    @property
    def word(self) -> str:
        """What it begins with."""
        return str(self.tokens[0].value)

    @property
    def end(self) -> int:
        """Where it ends, the lines below included."""
        return self.lines[-1].end if self.lines else self.span.end


def walk(lines: Sequence[StatementLine]) -> Iterator[StatementLine]:
    """Every line, outer ones first."""
    for line in lines:
        yield line
        yield from walk(line.lines)


def language_of(path: Path, text: str) -> str:
    """The language of a text: by the ending of its name, else by its head."""
    if path.suffix == SUFFIX:
        return "cases"
    kind = catalog.by_suffix().get(path.suffix) or catalog.of_text(text[:FILE_BYTES])
    return kind.name


@define(eq=False, slots=False)
class Document:
    """A text at a path, with the number that an editor gave to this state of it."""

    path: Path
    text: str
    version: int | None = None
    open: bool = False
    kept: KeptLines = field(factory=KeptLines, repr=False)
    """What lines of it were found to be in earlier states."""
    _spare: list[None] = field(factory=lambda: [None], init=False)

    def __repr__(self) -> str:
        return f"<Document {self.path.name} {self.version}>"

    @cached_property
    def language(self) -> str:
        """`rules`, `evaluator`, `personality`, `patterns` or `cases`."""
        return language_of(self.path, self.text)

    @property
    def kind(self) -> FileKind[Any] | None:
        """The kind of the file; None for cases, which no game is made of."""
        return next((kind for kind in catalog.KINDS if kind.name == self.language), None)

    @property
    def grammar(self) -> Language | None:
        """The grammar of its lines; None for languages that need no parser."""
        return LANGUAGES.get(self.language)

    @cached_property
    def name(self) -> str:
        """How messages call the file."""
        return shown(self.path)

    @cached_property
    def data(self) -> bytes:
        """The text as a file would hold it."""
        more = "\ufeff" if self.text.startswith("\ufeff") else ""  # one of two is read as a mark
        return (more + self.text).encode("utf-8", "surrogatepass")

    def parsed(self) -> Parsed:
        """The text as who gives it a meaning needs it: once as it was read, then read anew."""
        assert self.kind is not None
        known: Parsed | None = self._form[0]
        spare = self._spare
        if known is not None and spare:
            try:
                spare.pop()  # of several threads one gets it
            except IndexError:
                pass
            else:
                return known
        with self.kept.used():
            return parse_file(self.kind, self.name, self.data)

    # --- form ---

    @cached_property
    def _form(self) -> tuple[Parsed | None, tuple[Diagnostic, ...]]:
        if self.kind is None:
            return None, tuple(self._wrong_cases())
        with self.kept.used():
            parsed = parse_file(self.kind, self.name, self.data)
        return parsed, parsed.report.diagnostics

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the form of the text."""
        return self._form[1]

    @cached_property
    def source(self) -> Source | None:
        """The text with its lines; None for one that is no text, or too large."""
        parsed = self._form[0]
        if parsed is not None:
            return parsed.source
        return Source(self.name, self.text) if len(self.data) <= FILE_BYTES else None

    @property
    def plain(self) -> str:
        """The text as it is read: every line ends with a line feed.  Places are the same."""
        return self.source.text if self.source is not None else self.text

    @cached_property
    def items(self) -> tuple[Any, ...]:
        """The statements that can be read."""
        tree = self._form[0].tree if self._form[0] is not None else None
        return tuple(tree.items) if tree is not None else ()

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The names in the text, in order."""
        return tuple(self._in_cases()) if self.kind is None else mentions(self.items)

    @cached_property
    def game(self) -> str:
        """The name of the game that the text is of or for; empty where it says none."""
        return next((m.text for m in self.mentions if m.of == "game"), "")

    # --- lines ---

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The words and signs of the text; none of languages that need no parser."""
        if self.source is None or self.grammar is None:
            return ()
        text = blanked(self.source.text, self.grammar.percent)
        with self.kept.used():
            return tuple(tokens_of(text, self.grammar))

    @cached_property
    def lines(self) -> tuple[StatementLine, ...]:
        """The statements by their blocks, those that cannot be read too."""
        if self.grammar is None:
            return ()
        return lines_of(self.tokens, self.grammar, self.language)

    def line_at(self, offset: int) -> StatementLine | None:
        """The innermost statement that a place is in, or behind."""
        before = (line for line in walk(self.lines) if line.span.start <= offset)
        return max(before, key=lambda line: line.span.start, default=None)

    def word_at(self, offset: int) -> Span:
        """The word that a place is in, or behind; empty where there is none."""
        start = offset
        while start > 0 and (self.text[start - 1].isalnum() or self.text[start - 1] == "_"):
            start -= 1
        found = _WORD.match(self.text, start)
        return Span(start, max(offset, found.end() if found else offset))

    # --- cases ---

    def _wrong_cases(self) -> Iterator[Diagnostic]:
        top = Place(self.name, 1, 1, 1, 2)
        if len(self.data) > FILE_BYTES:
            kib = FILE_BYTES // 1024
            yield Diagnostic("too-large", f"this file has more than {kib} KiB", top)
            return
        try:
            parse_cases(self.text, self.name)
        except CasesError as error:
            source = Source(self.name, self.text)
            number = min(error.line, len(source.line_starts))
            line = source.line(number)
            indent = len(line) - len(line.lstrip())
            place = Place(
                self.name, number, indent + 1, number, max(len(line), indent + 1) + 1, line
            )
            yield Diagnostic("syntax", error.reason, place)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of a file of cases that can be read."""
        try:
            return parse_cases(self.text, self.name).cases if self.source is not None else ()
        except CasesError:
            return ()

    def _in_cases(self) -> Iterator[Mention]:
        if self.source is None:
            return
        for found in _CASE_LINE.finditer(self.text):
            word = found["word"].split()[0]
            of = {"cases": "game", "case": WORD}.get(word, NAME)
            yield Mention(found["name"], Span(found.start("name"), found.end("name")), of)


def lines_of(tokens: Iterable[Token], language: Language, name: str) -> tuple[StatementLine, ...]:
    """The statements of a text, whether they can be read or not."""
    flat = source_lines.lines(tokens, language.begins)
    return _in_blocks(source_lines.blocks(flat), "item", name)


def _in_blocks(lines: Sequence[SourceLine], block: str, language: str) -> tuple[StatementLine, ...]:
    return tuple(
        StatementLine(
            block,
            tuple(line.tokens),
            line.span,
            _in_blocks(line.block, _inner(line, block, language), language),
        )
        for line in lines
    )


def _inner(line: SourceLine, block: str, language: str) -> str:
    """The block that stands below a line."""
    word = line.tokens[0].value
    if word in ("if", "else"):
        return block
    default = "effect" if language == "rules" else "scan_effect" if block != "item" else "scan_line"
    return INNER[language].get(word, default if language != "personality" else "item")
