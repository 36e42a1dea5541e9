"""The outline of a text, from the heads of its lines: no line is parsed.

In: a document, which may be wrong and half typed.  Out: its declarations and unnamed statements in
order, each with what the lines of its block declare.  A text at the limit has an outline long
before it is parsed.  An open bracket ends, as in the parser, where a line begins a statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import define, frozen

from rulewright.app.service.document import Document
from rulewright.app.service.names import FILES
from rulewright.language import syntax
from rulewright.language.parse_patterns import BEGINS
from rulewright.language.source import Span
from rulewright.language.syntax.statement_roles import ROLES


@frozen
class OutlineEntry:
    """An entry of an outline: name, detail, kind, spans of statement and name, entries inside."""

    name: str
    detail: str
    kind: str
    whole: Span
    span: Span
    parts: tuple[OutlineEntry, ...] = ()


@define
class _Statement:
    """A statement without its block: its first word and line, from where to where, how far in."""

    word: str
    line: str
    start: int
    end: int
    indent: int


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TEXT_OR_NAME = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*')
_MARK = re.compile(
    r'"[^"\n]*"|#[^\n]*|\[(?:\s|#[^\n]*\n)*([A-Za-z_][A-Za-z0-9_]*)(?:\s|#[^\n]*\n)*:'
)
"""A named part of a ray, `[b: empty]`; texts and comments, in which there is none."""
_CODE = re.compile(r'(?:[^"#]|"[^"]*"?)*')
"""A line up to its comment."""
_BRACKETS = re.compile(r'"[^"]*"|[()\[\]{}]')
_PATTERN = re.compile(rf"^[ \t]*({'|'.join(BEGINS)})[ \t]+([\w-]+)", re.IGNORECASE | re.MULTILINE)

# --- what a line declares by its first word ---


def _kinds(*nodes: type[syntax.Node]) -> dict[str, str]:
    """The kinds of names that statements declare for a whole file, by the words of these kinds."""
    roles = [role for node in nodes for role in syntax.roles(node).values()]
    return {r.declares: r.declares for r in roles if r.declares and r.declares not in _NOT_LISTED}


_NOT_LISTED = ("local", "parameter", *FILES)
_DECLARING: dict[str, Mapping[str, str]] = {
    "rules": {
        **{row.word: kind for node, row in ROLES.items() for kind in _kinds(node)},
        ROLES[syntax.Pieces].word: "".join(_kinds(syntax.PieceKind)),
    },
    "evaluator": _kinds(
        syntax.Factor, syntax.Let, syntax.Table, syntax.Scan, syntax.CheapestPath, syntax.ValueOf,
        syntax.OpeningLine,
    ) | {syntax.REPLY: syntax.REPLY},
    "look": _kinds(syntax.Let, syntax.OwnColour),
}  # fmt: skip
"""For each language the words that declare names, and of what kind these are."""
_UNNAMED: dict[str, Mapping[str, str]] = {
    "rules": {w: row.word for row in ROLES.values() for w in row.outlined},
    "personality": {"search": "search"},
}
"""The words of statements without a name that are listed, and how they are called."""
_IN_BLOCKS = {
    "choose": "choice", "chance": "choice", "let": "local", "each": "local", "with": "register",
    "line": "line",
}  # fmt: skip
"""The words that declare names in blocks, and of what kind these are."""
_IN_LISTS = ("player", "kind of piece")
"""Kinds of names of which a statement declares several."""


def outline(document: Document) -> list[OutlineEntry]:
    """The declarations of a text, with the choices and local names in each."""
    if document.source is None:
        return []
    text, language = document.plain, document.language
    if language == "patterns":
        return list(_patterns(text))
    if document.grammar is None:
        return []
    declaring, unnamed = _DECLARING.get(language, {}), _UNNAMED.get(language, {})
    words = {*declaring, *unnamed, *_IN_BLOCKS} - document.grammar.unsure
    entries: list[OutlineEntry] = []
    for item, block in _items(list(_statements(text, words))):
        whole = Span(item.start, (block or [item])[-1].end)
        parts = tuple(part for line in block for part in _parts(text, line))
        entries += _entries(item, whole, parts, declaring, unnamed)
    return entries


def _entries(
    item: _Statement, whole: Span, parts: tuple[OutlineEntry, ...], declaring: Mapping[str, str],
    unnamed: Mapping[str, str],
) -> Iterator[OutlineEntry]:  # fmt: skip
    """The entries of a statement: the first of its names has what is declared inside it."""
    word = item.word
    if word in unnamed:
        span = Span(item.start, item.end)
        yield OutlineEntry(item.line, unnamed[word], unnamed[word], whole, span, parts)
        return
    kind = declaring.get(word, "")
    for name, span in _names(item, kind) if kind else ():
        yield OutlineEntry(name, kind, kind, whole, span, parts)
        parts = ()


def _parts(text: str, line: _Statement) -> Iterator[OutlineEntry]:
    """What a line of a block declares."""
    kind = _IN_BLOCKS.get(line.word, "")
    if not kind or (kind == "line" and ":" not in line.line):
        return
    for name, span in _names(line, kind):
        if name == "ray":
            yield from _marks(text, line)
        else:
            yield OutlineEntry(name, kind, kind, span, span)


def _marks(text: str, line: _Statement) -> Iterator[OutlineEntry]:
    """The places that `choose ray` names inside the ray."""
    for match in _MARK.finditer(text, line.start, line.end):
        if match[1]:
            span = Span(match.start(1), match.end(1))
            yield OutlineEntry(match[1], "local", "local", span, span)


def _names(statement: _Statement, kind: str) -> Iterator[tuple[str, Span]]:
    """The names that a statement declares behind its first word, and where they stand."""
    for match in _TEXT_OR_NAME.finditer(statement.line, len(statement.word)):
        name = match[0]
        if name == "when" or (kind == "value" and name == "of"):
            return
        if not name.startswith('"'):
            yield name, Span(statement.start + match.start(), statement.start + match.end())
        if kind not in _IN_LISTS:
            return


# --- lines ---


def _statements(text: str, words: set[str]) -> Iterator[_Statement]:
    """The statements of a text, those of blocks too; *words* surely begin one."""
    statement, start, opened = None, 0, 0
    for line in text.split("\n"):
        code = _without_comment(line)
        bare = code.lstrip()
        if bare:
            indent = len(code) - len(bare)
            word = bare[: match.end()] if (match := _WORD.match(bare)) else ""
            if statement is None or not opened or word in words:
                if statement is not None:
                    yield statement
                statement, opened = _Statement(word, bare, start + indent, 0, indent), 0
            statement.end = start + len(code)
            opened = _still_open(bare, opened)
        start += len(line) + 1
    if statement is not None:
        yield statement


def _without_comment(line: str) -> str:
    """A line up to its comment, without blanks at its end."""
    if "#" in line:
        code = _CODE.match(line)
        line = code[0] if code else line
    return line.rstrip()


def _still_open(code: str, opened: int) -> int:
    """How many brackets are open behind a line, before which there were so many."""
    for match in _BRACKETS.finditer(code):
        if match[0] in "([{":
            opened += 1
        elif match[0] in ")]}":
            opened = max(0, opened - 1)
    return opened


def _items(
    statements: Sequence[_Statement],
) -> Iterator[tuple[_Statement, Sequence[_Statement]]]:
    """The statements at the margin, each with those of its block."""
    margin = statements[0].indent if statements else 0
    tops = [n for n, statement in enumerate(statements) if statement.indent <= margin]
    for top, after in pairwise([*tops, len(statements)]):
        yield statements[top], statements[top + 1 : after]


def _patterns(text: str) -> Iterator[OutlineEntry]:
    """The patterns of a text, each with its conditions."""
    heads = list(_PATTERN.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        start = head.start(1)
        whole = Span(start, start + len(_without_last_comments(text[start:end])))
        yield OutlineEntry(head[2], "pattern", "pattern", whole, Span(head.start(2), head.end(2)))


def _without_last_comments(block: str) -> str:
    """The lines of a block up to the last that says something; the first one does."""
    lines = block.split("\n")
    while not lines[-1].strip() or lines[-1].lstrip().startswith("#"):
        lines.pop()
    return "\n".join(lines).rstrip()
