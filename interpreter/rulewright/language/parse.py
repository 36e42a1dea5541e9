"""Text to syntax.

In: a `Source`.  Out: `syntax.Rules` with every line that could be read.  Every line is parsed
alone, so each faulty line gives one diagnostic and hides nothing; the words of faulty lines are
`excused`, so that later stages do not complain about names they would have defined.
"""

from __future__ import annotations

import re
from functools import cache

from attrs import define, evolve, field

from rulewright.language import build, layout, phrases, syntax
from rulewright.language.diagnostics import Report
from rulewright.language.grammar import Grammar, Token, Unexpected
from rulewright.language.layout import Line
from rulewright.language.phrases import Complaint
from rulewright.language.source import BAD, Source, Span, clean

_HOLE = re.compile(r"\{([^{}]*)\}|([{}])")
_INNER = {
    syntax.Move: "effect",
    syntax.Setup: "effect",
    syntax.Action: "effect",
    syntax.Branch: "effect",
    syntax.Board: "path",
}
_CONTINUED = frozenset({"if", "else if"})


class Unreadable(Exception):
    """A line cannot be parsed, for the reason it carries."""

    def __init__(self, complaint: Complaint) -> None:
        self.complaint = complaint
        super().__init__(complaint.message)


@cache
def _grammar() -> Grammar:
    return Grammar("rules", build.Items(_text_parts))


def _text_parts(token: build.Lexeme) -> tuple[str | syntax.Expr, ...]:
    """Split `"a{b}c"` into plain parts and the expressions between braces."""
    parts: list[str | syntax.Expr] = []
    done, start = 1, (token.start_pos or 0)
    for hole in _HOLE.finditer(token.value):
        if hole[2] or not hole[1].strip():
            span = Span(start + hole.start(), start + hole.end())
            message = "braces in a text hold an expression: `{cell}`"
            raise Unreadable(Complaint("syntax", span, message))
        if hole.start() > done:
            parts.append(token.value[done : hole.start()])
        parts.append(_hole(hole[1], start + hole.start(1)))
        done = hole.end()
    if done < len(token.value) - 1:
        parts.append(token.value[done:-1])
    return tuple(parts)


def _hole(text: str, offset: int) -> syntax.Expr:
    tokens = list(_grammar().tokens(text))
    for token in tokens:
        token.start_pos = (token.start_pos or 0) + offset
        token.end_pos = (token.end_pos or 0) + offset
    end = Token("NEWLINE", "\n", tokens[-1].end_pos, end_pos=tokens[-1].end_pos)
    expression: syntax.Expr = _parse_tokens([*tokens, end], "hole")
    return expression


def _parse_tokens(tokens: list[Token], block: str) -> syntax.Node:
    try:
        node: syntax.Node = _grammar().parse(tokens, block)
    except Unexpected as error:
        raise Unreadable(phrases.explain(tokens, error.index, error.accepts, block)) from None
    except build.TooDeep as error:
        message = "this expression is nested too deeply; give its parts names with `let`"
        raise Unreadable(Complaint("too-deep", error.span, message)) from None
    return node


@define
class _Parser:
    source: Source
    report: Report
    excused: set[str] = field(factory=set)
    missing: set[str] = field(factory=set)

    def block(self, lines: list[Line], kind: str) -> list[syntax.Node]:
        nodes: list[syntax.Node] = []
        previous = ""  # the word of the line before, also of one that failed
        for line in lines:
            node = self._line(line, kind)
            word = line.tokens[0].value
            if isinstance(node, syntax.Branch) and node.word != "if" and previous != "if":
                self._complain(Complaint("misplaced", line.span, f"`{node.word}` has no `if` above"))
            elif node is not None:
                nodes.append(node)
            if node is not None and line.block and not self._takes_block(node):
                nodes += self._stray(line.block, kind)
            previous = "if" if word == "if" or line.tokens[1].value == "if" else word
        return nodes

    def _stray(self, lines: list[Line], kind: str) -> list[syntax.Node]:
        """Lines that are indented for no reason are read as if they were not."""
        message = "this line is indented, but the statement above has no block"
        self._complain(Complaint("stray-block", lines[0].span, message))
        return self.block(lines, kind)

    @staticmethod
    def _takes_block(node: syntax.Node) -> bool:
        whole = isinstance(node, syntax.Board) and node.width is not None
        return type(node) in _INNER and not whole

    def _line(self, line: Line, kind: str) -> syntax.Node | None:
        try:
            node = self._read(line, kind)
        except Unreadable as error:
            self._complain(error.complaint)
            self._excuse(line)
            self.missing.add(phrases.guess_statement(line.tokens, kind))
            if line.block:
                first = line.block[0].tokens[0].value
                self.block(line.block, "path" if first == "line" else "effect")
            return None
        return self._with_block(node, line)

    def _read(self, line: Line, kind: str) -> syntax.Node:
        for token in line.tokens:
            if token.type == "BAD":
                raise Unreadable(self._bad(token))
        if line.complaint and line.complaint.code == "bad-indent":
            self._complain(line.complaint)
        elif line.complaint:
            raise Unreadable(line.complaint)
        return _parse_tokens(line.tokens, kind)

    def _bad(self, token: Token) -> Complaint:
        span = phrases.span_of(token)
        return phrases.bad_character(self.source.text[span.start], span)

    def _with_block(self, node: syntax.Node, line: Line) -> syntax.Node | None:
        if not line.block:
            self._missing_block(node, line)
        if not line.block or not self._takes_block(node):
            return node
        inner = tuple(self.block(line.block, _INNER[type(node)]))
        if isinstance(node, syntax.Board):
            return evolve(node, paths=inner)
        assert isinstance(node, syntax.Move | syntax.Setup | syntax.Action | syntax.Branch)
        return evolve(node, block=inner)

    def _missing_block(self, node: syntax.Node, line: Line) -> None:
        if isinstance(node, syntax.Setup | syntax.Action | syntax.Branch):
            word = line.tokens[0].value
            message = f"`{word}` needs an indented block below it"
            self._complain(Complaint("missing-block", line.span, message))

    def _excuse(self, line: Line) -> None:
        for token in line.tokens:
            if token.type in ("NAME", "CALL"):
                self.excused.add(token.value.rstrip("("))
        for inner in line.block:
            self._excuse(inner)

    def _complain(self, complaint: Complaint) -> None:
        c = complaint
        self.source.report(self.report, c.code, c.span, c.message, c.hint)


def parse(source: Source, report: Report) -> syntax.Rules:
    """Read a rules text; report every line that cannot be read."""
    text = clean(source, report)
    if source.text.strip() == "":
        source.report(report, "bad-head", Span(0, 1), "the file is empty", _HEAD)
        return syntax.Rules((), missing=frozenset(phrases.ITEM_WORDS))
    parser = _Parser(source, report)
    tree = layout.blocks(layout.lines(_grammar().tokens(text)))
    nodes = parser.block(tree, "item")
    items = tuple(n for n in nodes if isinstance(n, syntax.Node))
    return syntax.Rules(items, frozenset(parser.excused), frozenset(parser.missing))  # type: ignore[arg-type]


_HEAD = "begin with the lines `format 1` and `game NAME`"
assert BAD == "\x02"  # the terminal BAD of terminals.lark
