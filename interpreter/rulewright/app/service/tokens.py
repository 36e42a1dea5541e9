"""Semantic tokens: the kind of each word of a text, for editors that colour by meaning.

In: a workspace and a document.  Out: spans in the order of the text, each with its kind and whether
the name is declared there or built in.  Kinds are those of the Language Server Protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from rulewright.app.service import words
from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.names import FILES, Mention
from rulewright.language.parse import RULES
from rulewright.language.parse_patterns import rows
from rulewright.language.resolve.evaluator_expressions import OWN_WORDS
from rulewright.language.resolve.scope import BUILT_IN, FUNCTIONS, QUANTIFIERS
from rulewright.language.source import Span, blanked
from rulewright.language.syntax import COLOUR, MOVE, OPENING, PATTERN, REPLY, VALUE, WORD

KINDS = (
    "comment", "string", "number", "keyword", "operator", "variable", "parameter", "property",
    "function", "method", "enumMember", "class", "namespace", "macro", "type",
)  # fmt: skip
_BY_KIND = {
    "player": "class", "option": "property", "kind of piece": "enumMember", "link": "type",
    "line": "function",
    "state": "property", "let": "variable", "action": "method", "factor": "property",
    "table": "variable", "scan": "function", "path": "variable", "parameter": "parameter",
}  # fmt: skip
_BY_USE = {
    OPENING: "function", REPLY: "function", MOVE: "method", VALUE: "variable",
    PATTERN: "function", WORD: "macro", COLOUR: "macro",
}  # fmt: skip
_COMMENT = re.compile(r'"[^"\n]*"|(#[^\n]*)')
_HOLE = re.compile(r"\{([^{}]*)\}")
_CASE = re.compile(
    r'(?P<word>^[ ]*\w+|\bfor\b)|(?P<string>"[^"\n]*")|(?P<number>\b\d+\b)', re.MULTILINE
)


@frozen
class SemanticToken:
    """A semantic token: its span, its kind (of `KINDS`), whether it is declared or built in."""

    span: Span
    kind: str
    declares: bool = False
    built_in: bool = False


def colours(workspace: Workspace, document: Document) -> list[SemanticToken]:
    """The semantic tokens of a document: words, numbers, texts, comments."""
    if document.source is None:
        return []
    by_start = {c.span.start: c for c in _colours_without_names(document)}
    visible = workspace.visible(document)
    kinds = {name: mention.kind for name, (_, mention) in visible.items()}
    kinds |= {name: "function" for name, (_, mention) in visible.items() if mention.call}
    for mention in document.mentions:
        by_start[mention.span.start] = _name_colour(document, mention, kinds)
    return [by_start[start] for start in sorted(by_start)]


def _name_colour(document: Document, mention: Mention, kinds: dict[str, str]) -> SemanticToken:
    span, text = mention.span, mention.text
    if mention.of in FILES:
        return SemanticToken(span, "namespace", mention.declares)
    if mention.of in _BY_USE:
        return SemanticToken(span, _BY_USE[mention.of], mention.declares)
    if mention.home is not None:
        kind = "parameter" if mention.kind == "parameter" else "variable"
        return SemanticToken(span, kind, mention.declares)
    colour = kinds.get(text, "")
    if colour or mention.declares:
        return SemanticToken(
            span, _BY_KIND.get(colour or mention.kind, "function"), mention.declares
        )
    if text in FUNCTIONS or text in QUANTIFIERS or mention.call:
        return SemanticToken(span, "function", built_in=True)
    return SemanticToken(span, "variable", built_in=text in BUILT_IN | OWN_WORDS)


def _colours_without_names(document: Document) -> Iterator[SemanticToken]:
    """The tokens by syntax alone; names among them are replaced later."""
    text = document.plain
    if document.language == "cases":
        yield from _case_colours(text)
    if document.language == "patterns":
        yield from _pattern_colours(document)
    else:
        comments = (m for m in _COMMENT.finditer(text) if m[1] is not None)
        yield from (SemanticToken(Span(m.start(1), m.end(1)), "comment") for m in comments)
    if document.grammar is None:
        return
    grammar = document.grammar.grammar()
    for token in document.tokens:
        start, end = token.start_pos or 0, token.end_pos or 0
        match token.type:
            case "STRING":
                yield from _text_colours(text[start:end], start)
            case "NUMBER" | "PERCENT":
                yield SemanticToken(Span(start, end), "number")
            case "NEWLINE" | "BAD" | "LPAR" | "RPAR" | "LSQB" | "RSQB" | "LBRACE" | "RBRACE":
                pass
            case "NAME" | "CALL":
                yield SemanticToken(Span(start, end - (token.type == "CALL")), "variable")
            case _ if token.type in grammar.keywords:
                yield SemanticToken(Span(start, end), "keyword")
            case _:
                yield SemanticToken(Span(start, end), "operator")


def _text_colours(text: str, start: int) -> Iterator[SemanticToken]:
    """The tokens of a text; words in its braces have kinds of their own."""
    end = 0
    for hole in _HOLE.finditer(text):
        yield SemanticToken(Span(start + end, start + hole.start(1)), "string")
        for token in RULES.grammar().tokens(blanked(hole[1])):
            at = start + hole.start(1) + (token.start_pos or 0)
            if token.type in RULES.grammar().keywords:
                yield SemanticToken(Span(at, at + len(token.value)), "keyword")
        end = hole.end(1)
    if end < len(text):
        yield SemanticToken(Span(start + end, start + len(text)), "string")


def _pattern_colours(document: Document) -> Iterator[SemanticToken]:
    assert document.source is not None
    starts = document.source.line_starts
    for row, start in zip(rows(document.source), starts, strict=True):
        for index, token in enumerate(row.tokens):
            word = words.entry("patterns", token.text, "item") if index == 0 else None
            kind = {"picture": "string", "number": "number", "comma": "operator"}.get(token.kind)
            yield SemanticToken(token.span, "keyword" if word else kind or "variable")
        if row.comment:
            at = document.plain.index(row.comment, row.span.end if row.tokens else start)
            yield SemanticToken(Span(at, at + len(row.comment)), "comment")


def _case_colours(text: str) -> Iterator[SemanticToken]:
    for match in _CASE.finditer(text):
        start = match.end() - len(match[0].lstrip())
        group = match.lastgroup or ""
        yield SemanticToken(Span(start, match.end()), "keyword" if group == "word" else group)
