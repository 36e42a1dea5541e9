"""From tokens to lines and blocks.

In: the tokens of a text.  Out: a tree of `Line`s by indentation.  A line goes on while a bracket is
open; a bracket still open where the next line begins with a statement's word was never closed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import define, field

from rulewright.ground import limits
from rulewright.ground.records import Record
from rulewright.language.grammar import Token
from rulewright.language.phrases import LineComplaint, span_of
from rulewright.language.source import Span

_OPEN = {"LPAR": "RPAR", "CALL": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
_CLOSE = frozenset(_OPEN.values())


@define(repr=False, eq=False)
class SourceLine(Record):
    """One statement: its tokens with the line break at the end, and the lines indented below."""

    tokens: list[Token]
    indent: int
    complaint: LineComplaint | None = None
    block: list[SourceLine] = field(factory=list)
    tabs: bool = False

    @property
    def span(self) -> Span:
        """From the first token to the last before the line break."""
        return Span(span_of(self.tokens[0]).start, span_of(self.tokens[-2]).end)


def lines(tokens: Iterable[Token], words: Collection[str]) -> Iterator[SourceLine]:
    """Cut *tokens* into logical lines, in order; statements begin with *words*."""
    yield from _in_columns(_lines(tokens, words))


def _in_columns(source_lines: Iterable[SourceLine]) -> Iterator[SourceLine]:
    """Rows of numbers below each other are one block, however their columns are lined up."""
    before: SourceLine | None = None
    for line in source_lines:
        if before is not None and is_row(before) and is_row(line):
            line.indent = before.indent
        yield line
        before = line


def is_row(line: SourceLine) -> bool:
    """Whether *line* is a row of numbers."""
    return line.tokens[0].type in ("NUMBER", "MINUS")


def _lines(tokens: Iterable[Token], words: Collection[str]) -> Iterator[SourceLine]:
    current: list[Token] = []
    opened: list[Token] = []
    stream = list(tokens)
    for index, token in enumerate(stream):
        if token.type != "NEWLINE":
            current.append(token)
            _balance(opened, token)
            continue
        if not current or (opened and _goes_on(stream[index + 1 : index + 3], words)):
            continue
        yield _line([*current, token], opened)
        current, opened = [], []
    if current:
        end = Token.new_borrow_pos("NEWLINE", "\n", current[-1])
        end.start_pos, end.end_pos = current[-1].end_pos, (current[-1].end_pos or 0) + 1
        yield _line([*current, end], opened)


def _goes_on(following: Sequence[Token], words: Collection[str]) -> bool:
    """Whether the words after a line break may belong to the line before, a bracket being open."""
    if not following:
        return False
    begins = following[0].value in words or [t.type for t in following] == ["NAME", "ASSIGN"]
    return not begins


def _balance(opened: list[Token], token: Token) -> None:
    if token.type in _OPEN:
        opened.append(token)
    elif token.type in _CLOSE and opened:
        opened.pop()


def _line(tokens: list[Token], opened: Sequence[Token]) -> SourceLine:
    complaint = None
    if opened:
        sign = opened[-1].value[-1]
        span = span_of(opened[-1])
        hint = "lines go on while a bracket is open"
        complaint = LineComplaint("unclosed", span, f"this `{sign}` is never closed", hint)
    elif len(tokens) - 1 > limits.LINE_TOKENS:  # the end of the line is no word
        message = f"a statement of more than {limits.LINE_TOKENS} words and signs"
        complaint = LineComplaint("too-large", span_of(tokens[0]), message)
    return SourceLine(tokens, (tokens[0].column or 1) - 1, complaint)


def blocks(flat: Iterable[SourceLine]) -> list[SourceLine]:
    """Nest *flat* lines by their indentation; a line that fits nowhere carries a complaint."""
    top: list[SourceLine] = []
    opened: list[tuple[int, list[SourceLine]]] = [(0, top)]
    too_deep = False
    for line in flat:
        if not top and line.indent:
            if not line.tabs:
                _complain(line, "bad-indent", "the first line begins at the margin")
            opened = [(line.indent, top)]
        while line.indent < opened[-1][0] and len(opened) > 1:
            opened.pop()
        indent, siblings = opened[-1]
        if line.indent > indent and not _ragged(siblings, line):
            level = len(opened)
            if level <= limits.BLOCK_DEPTH + 1:
                siblings = _enter(siblings[-1], line)
                opened.append((line.indent, siblings))
            if level > limits.BLOCK_DEPTH:
                message = f"blocks are nested deeper than {limits.BLOCK_DEPTH}"
                line.complaint = LineComplaint("too-deep", line.span, "" if too_deep else message)
                too_deep = True
        siblings.append(line)
    return top


def _ragged(siblings: Sequence[SourceLine], line: SourceLine) -> bool:
    """Whether *line* comes back to the indentation that a block had before it was broken."""
    return bool(siblings) and siblings[0].indent == line.indent


def _enter(parent: SourceLine, line: SourceLine) -> list[SourceLine]:
    if parent.block and not line.tabs:
        hint = (
            f"the block above is indented by {parent.block[0].indent}, this line by {line.indent}"
        )
        _complain(line, "bad-indent", "this indentation matches no line above", hint)
    return parent.block


def _complain(line: SourceLine, code: str, message: str, hint: str = "") -> None:
    line.complaint = line.complaint or LineComplaint(code, line.span, message, hint)
