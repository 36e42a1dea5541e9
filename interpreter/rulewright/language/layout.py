"""From tokens to lines and blocks.

In: the tokens of a text.  Out: a tree of `Line`s by indentation.  A line goes on while a bracket is
open; a bracket still open where the next line begins with a statement's word was never closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from rulewright.language import limits
from rulewright.language.grammar import Token
from rulewright.language.phrases import EFFECT_WORDS, ITEM_WORDS, Complaint, span_of
from rulewright.language.source import Span

_OPEN = {"LPAR": "RPAR", "CALL": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
_CLOSE = frozenset(_OPEN.values())
_BEGINS = (ITEM_WORDS | EFFECT_WORDS) - {"if", "else", "first", "format", "game", "label", "score"}


@define
class Line:
    """One statement: its tokens with the line break at the end, and the lines indented below."""

    tokens: list[Token]
    indent: int
    complaint: Complaint | None = None
    block: list[Line] = field(factory=list)

    @property
    def span(self) -> Span:
        """From the first token to the last before the line break."""
        return Span(span_of(self.tokens[0]).start, span_of(self.tokens[-2]).end)


def lines(tokens: Iterable[Token]) -> Iterator[Line]:
    """Cut *tokens* into logical lines, in order."""
    current: list[Token] = []
    opened: list[Token] = []
    stream = list(tokens)
    for index, token in enumerate(stream):
        if token.type != "NEWLINE":
            current.append(token)
            _balance(opened, token)
            continue
        follows = stream[index + 1] if index + 1 < len(stream) else None
        if not current or (opened and follows is not None and follows.value not in _BEGINS):
            continue
        yield _line([*current, token], opened)
        current, opened = [], []
    if current:
        end = Token.new_borrow_pos("NEWLINE", "\n", current[-1])
        end.start_pos, end.end_pos = current[-1].end_pos, (current[-1].end_pos or 0) + 1
        yield _line([*current, end], opened)


def _balance(opened: list[Token], token: Token) -> None:
    if token.type in _OPEN:
        opened.append(token)
    elif token.type in _CLOSE and opened:
        opened.pop()


def _line(tokens: list[Token], opened: Sequence[Token]) -> Line:
    complaint = None
    if opened:
        sign = opened[-1].value[-1]
        span = span_of(opened[-1])
        hint = "lines go on while a bracket is open"
        complaint = Complaint("unclosed", span, f"this `{sign}` is never closed", hint)
    elif len(tokens) > limits.LINE_TOKENS:
        message = f"a statement of more than {limits.LINE_TOKENS} words and signs"
        complaint = Complaint("too-large", span_of(tokens[0]), message)
    return Line(tokens, (tokens[0].column or 1) - 1, complaint)


def blocks(flat: Iterable[Line]) -> list[Line]:
    """Nest *flat* lines by their indentation; a line that fits nowhere carries a complaint."""
    top: list[Line] = []
    open_blocks: list[tuple[int, list[Line]]] = [(0, top)]
    for line in flat:
        while line.indent < open_blocks[-1][0]:
            open_blocks.pop()
        indent, siblings = open_blocks[-1]
        if line.indent > indent and not siblings:
            _complain(line, "bad-indent", "the first line begins at the margin")
        elif line.indent > indent:
            parent = siblings[-1]
            if parent.block:
                _complain(line, "bad-indent", "this indentation matches no line above")
            siblings = parent.block
            open_blocks.append((line.indent, siblings))
        if len(open_blocks) > limits.BLOCK_DEPTH:
            _complain(line, "too-deep", f"blocks are nested deeper than {limits.BLOCK_DEPTH}")
        siblings.append(line)
    return top


def _complain(line: Line, code: str, message: str) -> None:
    line.complaint = line.complaint or Complaint(code, line.span, message)
