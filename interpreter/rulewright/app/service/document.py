"""A text in an editor: its syntax errors, its names, its lines; nothing of other files.

In: a path and a text, which may be wrong and half typed.  Out: diagnostics of its syntax, the names
in it, its lines by blocks.  A document never changes: each edit makes a new one, and its properties
are computed once.  Offsets count characters from the beginning of the text.  A text above the size
limit has a single diagnostic and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.app.service.names import Mention, mentions
from rulewright.checks.cases import SUFFIX, Case, CasesError
from rulewright.checks.cases import parse as parse_cases
from rulewright.games.files import catalog
from rulewright.games.files.kinds import FileKind, Parsed, message_name, parse_file
from rulewright.ground.limits import FILE_BYTES
from rulewright.language import source_lines
from rulewright.language.diagnostics import Collector, Diagnostic, Place
from rulewright.language.grammar import Token
from rulewright.language.languages import LANGUAGES
from rulewright.language.parse import tokens_of
from rulewright.language.parse_cache import KeptLines
from rulewright.language.phrases import Language
from rulewright.language.source import Source, Span, blanked, decode
from rulewright.language.source_lines import SourceLine
from rulewright.language.syntax import NAME, WORD

_WORD = re.compile(r"[A-Za-z_0-9]*")
_CASE_LINE = re.compile(r"^(?P<word>[ ]*(?:cases[ ]+for|case|set))[ ]+(?P<name>\w+)", re.MULTILINE)
INNER = {
    "rules": {
        "move": "effect", "setup": "effect", "after": "effect", "action": "effect",
        "board": "path",
    },
    "evaluator": {
        "table": "table_row", "scan": "scan_line", "path": "path_line", "on": "scan_effect",
    },
    "personality": {}, "look": {},
}  # fmt: skip
"""The block below a statement, by its first word; `if` and `else` go on with their own."""


@frozen
class StatementLine:
    """A statement of a text: the block it stands in, and the lines below it."""

    block: str
    tokens: tuple[Token, ...]
    span: Span
    """From its first character to its last, without the lines below."""
    lines: tuple[StatementLine, ...] = ()

    @property
    def word(self) -> str:
        """Its first word."""
        return str(self.tokens[0].value)

    @property
    def end(self) -> int:
        """The offset of its end, the lines below included."""
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
    """A text at a path, with the number that an editor gave to this version of it."""

    path: Path
    text: str
    version: int | None = None
    open: bool = False
    kept_lines: KeptLines = field(factory=KeptLines, repr=False)
    """Parsed lines of earlier versions, which are not parsed again."""
    _spare: list[None] = field(factory=lambda: [None], init=False)

    def __repr__(self) -> str:
        return f"<Document {self.path.name} {self.version}>"

    @cached_property
    def language(self) -> str:
        """`rules`, `evaluator`, `personality`, `patterns`, `look` or `cases`."""
        return language_of(self.path, self.text)

    @property
    def kind(self) -> FileKind[Any] | None:
        """The kind of the file; None for cases, which belong to no catalog."""
        return next((kind for kind in catalog.KINDS if kind.name == self.language), None)

    @property
    def grammar(self) -> Language | None:
        """The grammar of its lines; None for languages without a grammar."""
        return LANGUAGES.get(self.language)

    @cached_property
    def name(self) -> str:
        """The name of the file in messages."""
        return message_name(self.path)

    @cached_property
    def data(self) -> bytes:
        """The bytes of a file with this text."""
        more = "\ufeff" if self.text.startswith("\ufeff") else ""  # one of two is read as a mark
        return (more + self.text).encode("utf-8", "surrogatepass")

    def parsed(self) -> Parsed:
        """Parse the text for the resolver, which changes the tree: each call gives another one."""
        assert self.kind is not None
        form: Parsed | None = self._form[0]
        spare = self._spare
        if form is not None and spare:
            try:
                spare.pop()  # of several threads one gets it
            except IndexError:
                pass
            else:
                return form
        with self.kept_lines.used():
            return parse_file(self.kind, self.name, self.data)

    # --- form ---

    @cached_property
    def _form(self) -> tuple[Parsed | None, tuple[Diagnostic, ...]]:
        if self.kind is None:
            return None, tuple(self._case_diagnostics())
        with self.kept_lines.used():
            parsed = parse_file(self.kind, self.name, self.data)
        return parsed, parsed.report.diagnostics

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The syntax errors of the text."""
        return self._form[1]

    @cached_property
    def source(self) -> Source | None:
        """The text with its lines; None if it is no text, or too large."""
        if self.kind is not None:
            return decode(self.name, self.data, Collector())
        return Source(self.name, self.text) if len(self.data) <= FILE_BYTES else None

    @property
    def plain(self) -> str:
        """The text with line feeds for all line ends; offsets are the same."""
        return self.source.text if self.source is not None else self.text

    @cached_property
    def items(self) -> tuple[Any, ...]:
        """The syntax nodes of the statements that parse."""
        tree = self._form[0].tree if self._form[0] is not None else None
        return tuple(tree.items) if tree is not None else ()

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The names in the text, in order."""
        return tuple(self._case_mentions()) if self.kind is None else mentions(self.items)

    @cached_property
    def game(self) -> str:
        """The name of the game that the text is of or for; empty where it says none."""
        return next((m.text for m in self.mentions if m.of == "game"), "")

    # --- lines ---

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the text; none in languages without a grammar."""
        if self.source is None or self.grammar is None:
            return ()
        text = blanked(self.source.text, self.grammar.percent)
        with self.kept_lines.used():
            return tuple(tokens_of(text, self.grammar))

    @cached_property
    def lines(self) -> tuple[StatementLine, ...]:
        """The statements by their blocks, also those that do not parse."""
        if self.grammar is None:
            return ()
        return lines_of(self.tokens, self.grammar, self.language)

    def line_at(self, offset: int) -> StatementLine | None:
        """The last statement that begins at or before an offset; None before the first."""
        before = (line for line in walk(self.lines) if line.span.start <= offset)
        return max(before, key=lambda line: line.span.start, default=None)

    def word_at(self, offset: int) -> Span:
        """The word at an offset, or that ends there; empty where there is none."""
        start = offset
        while start > 0 and (self.text[start - 1].isalnum() or self.text[start - 1] == "_"):
            start -= 1
        match = _WORD.match(self.text, start)
        return Span(start, max(offset, match.end() if match else offset))

    # --- cases ---

    def _case_diagnostics(self) -> Iterator[Diagnostic]:
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
        """The cases of a file of cases; none if it does not parse."""
        try:
            return parse_cases(self.text, self.name).cases if self.source is not None else ()
        except CasesError:
            return ()

    def _case_mentions(self) -> Iterator[Mention]:
        if self.source is None:
            return
        for match in _CASE_LINE.finditer(self.text):
            word = match["word"].split()[0]
            of = {"cases": "game", "case": WORD}.get(word, NAME)
            yield Mention(match["name"], Span(match.start("name"), match.end("name")), of)


def lines_of(tokens: Iterable[Token], language: Language, name: str) -> tuple[StatementLine, ...]:
    """Group tokens into statements with the blocks below them; faulty lines are grouped too."""
    flat = source_lines.lines(tokens, language.begins)
    return _nested(source_lines.blocks(flat), "item", name)


def _nested(lines: Sequence[SourceLine], block: str, language: str) -> tuple[StatementLine, ...]:
    def statement(line: SourceLine) -> StatementLine:
        below = _nested(line.block, _inner_block(line, block, language), language)
        return StatementLine(block, tuple(line.tokens), line.span, below)

    return tuple(map(statement, lines))


def _inner_block(line: SourceLine, block: str, language: str) -> str:
    """The kind of the block below a line."""
    word = line.tokens[0].value
    if word in ("if", "else"):
        return block
    default = "effect" if language == "rules" else "scan_effect" if block != "item" else "scan_line"
    return INNER[language].get(word, default if INNER[language] else "item")
