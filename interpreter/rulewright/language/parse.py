"""Texts that consist of lines to syntax, and those of rules.

In: a `Source`.  Out: `syntax.Rules` (or another file) with every line that could be read.
Every line is parsed alone, so each faulty line gives one diagnostic and hides nothing.  The block
below a faulty line is read as well; the names that a faulty line may have declared are `excused`,
so that later stages do not complain about them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

from attrs import define, evolve, field

from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.ground.records import Record
from rulewright.language import build, node_rows, phrases, source_lines, syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.grammar import Grammar, Token, Unexpected
from rulewright.language.parse_cache import kept_lines
from rulewright.language.phrases import Language, LineComplaint
from rulewright.language.source import BAD, Source, Span, blanked, clean
from rulewright.language.source_lines import SourceLine

File = TypeVar("File", bound=syntax.File)
_HOLE = re.compile(r"\{([^{}]*)\}|([{}])")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_STRAY = "lines of a block stand under each other; `if` and `else` have lines of their own"
"""A hint for lines of a move that are indented for no reason."""


class Unreadable(Exception):
    """A line cannot be parsed, for the reason it carries."""

    def __init__(self, complaint: LineComplaint) -> None:
        self.complaint = complaint
        super().__init__(complaint.message)


def text_parts(token: node_rows.Lexeme) -> tuple[str | syntax.Expr, ...]:
    """Split `"a{b}c"` into plain parts and the expressions between braces."""
    parts: list[str | syntax.Expr] = []
    text_start, start = 1, (token.start_pos or 0)
    for hole in _HOLE.finditer(token.value):
        tokens = [] if hole[2] else list(RULES.grammar().tokens(blanked(hole[1])))
        if not tokens:
            span = Span(start + hole.start(), start + hole.end())
            message = "braces in a text hold an expression: `{cell}`"
            raise Unreadable(LineComplaint("syntax", span, message))
        if hole.start() > text_start:
            parts.append(token.value[text_start : hole.start()])
        parts.append(_hole(tokens, hole[1], start + hole.start(1)))
        text_start = hole.end()
    if text_start < len(token.value) - 1:
        parts.append(token.value[text_start:-1])
    return tuple(parts)


def _hole(tokens: list[Token], text: str, offset: int) -> syntax.Expr:
    for token in tokens:
        if token.type == "BAD":
            here = token.start_pos or 0
            raise Unreadable(
                phrases.bad_character(text[here], Span(offset + here, offset + here + 1), RULES)
            )
        token.start_pos = (token.start_pos or 0) + offset
        token.end_pos = (token.end_pos or 0) + offset
    end = Token("NEWLINE", "\n", tokens[-1].end_pos, end_pos=tokens[-1].end_pos)
    expression: syntax.Expr = _parse_tokens([*tokens, end], "hole", RULES)
    return expression


def _parse_tokens(tokens: list[Token], block: str, language: Language) -> Any:
    try:
        return language.grammar().parse(tokens, block)
    except Unexpected as error:
        complaint = phrases.explain(tokens, error.index, error.accepts, block, language)
        raise Unreadable(complaint) from None
    except node_rows.TooDeep as error:
        message = f"this is nested deeper than {limits.DEPTH} levels"
        hint = "give its parts names with `let`"
        start = Span(error.span.start, error.span.start + 1)
        raise Unreadable(LineComplaint("too-deep", start, message, hint)) from None


@define(repr=False, eq=False)
class Parser(Record):
    """Reads the lines of one file, block by block."""

    source: Source
    report: Collector
    language: Language
    excused: set[str] = field(factory=set)
    missing: set[str] = field(factory=set)
    mentioned: set[str] = field(factory=set)
    _indented: set[int] = field(factory=set, init=False)
    """The offsets of lines that were already reported as indented for no reason."""

    def file(self, kind: type[File]) -> File:
        """The syntax of the whole file, with what is known of its faulty lines."""
        source, report = self.source, self.report
        text = clean(source, report, self.language.percent)
        tree = source_lines.blocks(_lines(source, text, self.language))
        if not tree:
            if not text.strip():
                message = "there is nothing in this file"
                advice = f"begin with the lines `format 1` and `{self.language.head}`"
                source.report(report, "bad-head", Span(0, 1), message, advice)
            return kind((), missing=frozenset({*self.language.blocks["item"], ""}))
        items = tuple(self.block(tree, "item"))
        if report.hopeless:  # then most complaints about what follows would be wrong
            return kind((), missing=frozenset({""}))
        faulty = (self.excused, self.missing, self.mentioned)
        excused, missing, mentioned = (frozenset(words) for words in faulty)
        return kind(items, excused=excused, missing=missing, mentioned=mentioned)

    def block(self, lines: list[SourceLine], kind: str) -> list[Any]:
        """The nodes of the lines of one block; a faulty line gives its stand-in, if it has one."""
        nodes: list[Any] = []
        for line in lines:
            if self.report.hopeless:
                break
            node = self._line(line, kind)
            if isinstance(node, syntax.If) and node.word != "if":
                node = self._attached(node, nodes[-1] if nodes else None, line)
            if node is not None:
                nodes.append(node)
            if node is not None and line.block and not self.takes_block(node, line):
                nodes += self._stray(line.block, kind)
        return nodes

    def takes_block(self, node: object, line: SourceLine) -> bool:
        """Whether indented lines may stand below *node*."""
        return type(node) in self.language.inner

    def needs_block(self, node: object) -> bool:
        """Whether there must be lines below *node*."""
        return isinstance(node, self.language.need)

    def _attached(self, node: syntax.If, before: object, line: SourceLine) -> syntax.If:
        """`else` after an `if`; one that stands alone is read as an `if` of its own."""
        if isinstance(before, syntax.If) and before.word != "else":
            return node
        message = f"this `{node.word}` has no `if` above it"
        self._complain(LineComplaint("misplaced", line.span, message))
        return evolve(node, word="if", condition=node.condition or no_name(line))

    def _stray(self, lines: list[SourceLine], kind: str) -> list[Any]:
        """Lines that are indented for no reason are read as if they were not."""
        message = "this line is indented, but the statement above has no block"
        hint = _STRAY if kind == "effect" else ""
        self._complain(LineComplaint("stray-block", lines[0].span, message, hint))
        self._indented.update(line.span.start for line in lines)
        return self.block(lines, kind)

    def _line(self, line: SourceLine, kind: str) -> Any:
        try:
            node = self._kept_node(line, kind)
        except Unreadable as error:
            unknown = error.complaint.code == "unknown-statement"
            if not (unknown and line.span.start in self._indented):  # of a block that is none
                self._complain(error.complaint)
            return self._recovered(line, kind, error.complaint.code == "unclosed")
        return self._with_block(node, line)

    def _read(self, line: SourceLine, kind: str) -> Any:
        for token in line.tokens:
            self._check_token(token)
        if line.complaint and line.complaint.code == "bad-indent":
            self._complain(line.complaint)
        elif line.complaint:
            raise Unreadable(line.complaint)
        return _parse_tokens(line.tokens, kind, self.language)

    def _kept_node(self, line: SourceLine, kind: str) -> Any:
        """The node of a line; one that was read before is not read again."""
        lines, span = kept_lines(), line.span
        if lines is None or line.complaint is not None:
            return self._read(line, kind)
        key = self.language.name, kind, self.source.text[span.start : span.end]
        return lines.node(key, span.start, lambda: self._read(line, kind))

    def _check_token(self, token: Token) -> None:
        span, length = phrases.span_of(token), len(token.value)
        if token.type == "BAD":
            character = self.source.text[span.start]
            raise Unreadable(phrases.bad_character(character, span, self.language))
        limit = limits.TEXT if token.type == "STRING" else limits.WORD
        if length > limit and token.type in ("NAME", "CALL", "NUMBER", "STRING"):
            message = f"this has {amount(length, 'character')}; at most {limit} are possible"
            raise Unreadable(
                LineComplaint("too-large", Span(span.start, span.start + limit), message)
            )

    def _recovered(self, line: SourceLine, kind: str, unclosed: bool) -> Any:
        """Note the names that a faulty line may declare; return the node that stands for it."""
        word = phrases.guess_statement(line.tokens, self.language, kind)
        self.missing.add(word)
        self.mentioned.update(_words(line.tokens))
        self.excused.update(_words(line.tokens) if unclosed else _declared(line.tokens, word))
        return self.stand_in(line, kind, word)

    def stand_in(self, line: SourceLine, kind: str, word: str) -> Any:
        """The node that stands for a faulty line, meant to be the statement *word*; or None.

        The block below the line is read in any case.
        """
        if kind in ("effect", "scan_effect") and (line.block or word in ("if", "else")):
            block = tuple(self.block(line.block, kind))
            plain = word == "else" and not _has_condition(line.tokens)
            shown = "if" if word != "else" else "else" if plain else "else if"
            return syntax.If(shown, None if plain else no_name(line), block, span=line.span)
        return None

    def _with_block(self, node: Any, line: SourceLine) -> Any:
        """*node* with the lines below it."""
        if line.block and self.takes_block(node, line):
            inner = tuple(self.block(line.block, self.language.inner[type(node)]))
            return evolve(node, block=inner)
        if not line.block and self.needs_block(node):
            word = node.word if isinstance(node, syntax.If) else line.tokens[0].value
            message = f"`{word}` needs an indented block below it"
            hint = "indent by two blanks"
            self._complain(LineComplaint("missing-block", line.span, message, hint))
        return node

    def _complain(self, complaint: LineComplaint) -> None:
        c = complaint
        if not c.message:
            return  # part of what is reported elsewhere
        self.source.report(self.report, c.code, c.span, c.message, c.hint)


@define(repr=False, eq=False)
class _RulesParser(Parser):
    """Reads the lines of a rules file."""

    def _kept_node(self, line: SourceLine, kind: str) -> Any:
        """The node of a line; no line begins with two names but for that of the base."""
        types = [token.type for token in line.tokens]
        named = kind == "effect" and types[0] == "NAME" and types[1] in ("NAME", "CALL")
        if named and not (line.complaint or "BAD" in types) and not self._is_base(line.tokens[0]):
            raise Unreadable(phrases.explain(line.tokens, 1, _STATES, kind, self.language))
        return super()._kept_node(line, kind)

    def _is_base(self, token: Token) -> bool:
        base = _BASE.search(self.source.text)
        return base is not None and base[1] == token.value

    def takes_block(self, node: object, line: SourceLine) -> bool:
        """A board of rows has no block but of lines."""
        whole = isinstance(node, syntax.Board) and node.shape.text in ("square", "rhombus")
        has_lines = line.block[:1] and line.block[0].tokens[0].value == "line"
        return super().takes_block(node, line) and (not whole or bool(has_lines))

    def stand_in(self, line: SourceLine, kind: str, word: str) -> Any:
        """A move without a name for a block of effects, so that the effects are read."""
        stand_in = super().stand_in(line, kind, word)
        if stand_in is not None or not line.block:
            return stand_in
        if kind == "path" or line.block[0].tokens[0].value == "line":
            self.block(line.block, "path")
            return None
        inner = tuple(self.block(line.block, "effect"))
        if word == "setup":
            return syntax.Setup(inner, span=line.span)
        if word == "after":
            return syntax.AfterTurn(inner, span=line.span)
        return syntax.MoveKind(no_name(line), inner, span=line.span)


def no_name(line: SourceLine) -> syntax.Name:
    """An empty name, which no file can define, for the name that a faulty line lacks."""
    return syntax.Name("", span=line.span)


def _has_condition(tokens: Sequence[Token]) -> bool:
    """Whether a faulty `else` was meant to be an `else if`."""
    return len(tokens) > 2 and (tokens[0].value != "else" or tokens[1].value == "if")


def _words(tokens: Iterable[Token]) -> Iterator[str]:
    """Every word of a line that may be a name, those in its texts included."""
    for token in tokens:
        if token.type in ("NAME", "CALL"):
            yield token.value.rstrip("(")
        elif token.type == "STRING":
            yield from _WORD.findall(token.value)


_DECLARES_FIRST = frozenset(
    {
        "let", "state", "option", "links", "move", "label", "choose", "chance", "action", "factor",
        "table", "scan", "path", "value", "with",
    }
)  # fmt: skip
_DECLARES_ALL = frozenset({"players", "pieces", "line", "board", ""})


def _declared(tokens: Sequence[Token], word: str) -> Iterator[str]:
    """The names that a faulty line, meant to be the statement *word*, may have declared."""
    if word in _DECLARES_ALL:
        yield from _words(tokens)
        return
    if word in _DECLARES_FIRST:
        head = [t for t in tokens[1:] if t.type in ("NAME", "CALL")]
        many = word in ("let", "action", "scan") and head and head[0].type == "CALL"
        yield from _words(head if many else head[:1])
    for token, following in pairwise(tokens):
        if following.value in (":", "in"):  # the marks of a ray, the variables of `some`
            yield token.value


def grammar_of(name: str, builder: type[build.NodeBuilder]) -> Callable[[], Grammar]:
    """Return a function that gives a language's grammar; the first call loads it."""
    return cache(lambda: Grammar(name, builder(text_parts)))


MARGIN = ("at the margin", "a line that begins at the margin ends the block above")
RULES = Language(
    name="rules",
    head="game NAME",
    grammar=grammar_of("rules", build.RulesBuilder),
    homes={
        "item": MARGIN,
        "effect": ("in a block", "indent it by two blanks, below its `move`, `setup` or `action`"),
        "path": ("in the block of `board graph`", ""),
    },
    inner={
        syntax.MoveKind: "effect", syntax.Setup: "effect", syntax.Action: "effect",
        syntax.AfterTurn: "effect", syntax.If: "effect", syntax.Loop: "effect",
        syntax.Board: "path",
    },
    need=(syntax.Setup, syntax.AfterTurn, syntax.Action, syntax.If, syntax.Loop),
    unsure=frozenset(
        {"if", "else", "after", "first", "format", "game", "label", "score", "from", "to", "line"}
    ),
)  # fmt: skip


def parse(source: Source, report: Collector) -> syntax.Rules:
    """Read a rules text; report every line that cannot be read."""
    return _RulesParser(source, report, RULES).file(syntax.Rules)


_HEAD = re.compile(r"^ *(evaluator|personality|look) +[A-Za-z_]", re.MULTILINE)
_STATES = ("ASSIGN", "FOR")
"""The words that may stand behind the name of a state, where a line begins with it."""
_BASE = re.compile(r"^[ \t]*game[ \t]+\w+[ \t]+extends[ \t]+(\w+)", re.MULTILINE)
_GAME = re.compile(r"^ *game +[A-Za-z_]", re.MULTILINE)
_PATTERNS = re.compile(
    r"^[ \t]*(patterns[ \t]+for|(off|def)s?[ \t]+[\w-]+)\b", re.MULTILINE | re.IGNORECASE
)


def kind_of(text: str) -> str:
    """The language of a text, by its head: `rules`, `evaluator`, ..., or `patterns`."""
    head = _HEAD.search(text)
    if head is None and _PATTERNS.search(text) and not _GAME.search(text):
        return "patterns"
    return head[1] if head else "rules"


def tokens_of(text: str, language: Language) -> Iterator[Token]:
    """The words and signs of a text; those of lines that were read before are not read again."""
    lines, grammar = kept_lines(), language.grammar()
    return grammar.tokens(text) if lines is None else lines.tokens(language.name, grammar, text)


def _lines(source: Source, text: str, language: Language) -> Iterator[SourceLine]:
    """The logical lines; a tab that indents one counts two blanks."""
    for line in source_lines.lines(tokens_of(text, language), language.begins):
        tabs = source.tabs_before(line.span.start) if "\t" in source.text else 0
        line.indent += tabs
        line.tabs = tabs > 0
        yield line


assert BAD == "\x02"  # the terminal BAD of terminals.lark
