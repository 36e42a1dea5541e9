"""The one module that knows Lark: grammar files become tables, tables become parsers.

Building the tables takes a quarter of a second, so they are kept in the user's cache directory,
keyed by the grammar's text and Lark's version; a file that cannot be read or written is ignored.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, UnexpectedToken
from lark.lexer import BasicLexer, LexerThread

from rulewright import resources
from rulewright.resources import cache_folder

__all__ = ["Grammar", "Token", "Unexpected"]

_STARTS = {
    "rules": ["item", "effect", "path", "hole"],
    "evaluator": ["item", "row", "watch", "deed", "road", "hole"],
    "personality": ["item", "hole"],
}
_IGNORED = "\n%ignore COMMENT\n%ignore BLANKS\n"


def _text(language: str) -> str:
    folder = resources.root("grammar")
    names = (f"{language}.lark", "expressions.lark", "terminals.lark")
    return "\n".join((folder / n).read_text("utf-8") for n in names) + _IGNORED


def _key(text: str) -> str:
    parts = (text, lark.__version__, sys.version)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _tables(language: str, builder: object) -> Lark:
    """A parser over kept tables; tables built now are moved to their name when complete."""
    text = _text(language)
    options: dict[str, Any] = {"start": _STARTS[language], "transformer": builder}
    path = cache_folder() / "grammar" / f"{language}-{_key(text)}.tables"
    if path.exists():
        return Lark(text, parser="lalr", lexer="basic", cache=str(path), **options)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            fresh = Path(folder) / path.name
            parser = Lark(text, parser="lalr", lexer="basic", cache=str(fresh), **options)
            fresh.replace(path)
    except OSError:
        parser = Lark(text, parser="lalr", lexer="basic", **options)
    return parser


class Grammar:
    """The parser of one language; every line is parsed alone, by the rule of its block."""

    def __init__(self, language: str, builder: object) -> None:
        self._lark = _tables(language, builder)
        self._lexer = BasicLexer(self._lark.lexer_conf)  # `Lark.lex` would make one for each text

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of *text*; every character of it must belong to one."""
        thread: Any = LexerThread.from_text(self._lexer, text)
        tokens: Iterator[Token] = thread.lex(None)
        return tokens

    def parse(self, tokens: list[Token], start: str) -> Any:
        """The node of one line; raises `Unexpected` at the first token that does not fit."""
        machine: Any = self._lark.parse_interactive(start=start)
        for index, token in enumerate(tokens):
            try:
                machine.feed_token(_as_name(machine, token))
            except UnexpectedToken:
                raise Unexpected(index, self._accepted(tokens[:index], start)) from None
        return machine.feed_eof(tokens[-1])

    def _accepted(self, tokens: list[Token], start: str) -> frozenset[str]:
        machine: Any = self._lark.parse_interactive(start=start)
        for token in tokens:
            machine.feed_token(_as_name(machine, token))
        return frozenset(machine.accepts())


def _as_name(machine: Any, token: Token) -> Token:
    choices = machine.choices()
    if token.type not in choices and token.type in SOFT and "NAME" in choices:
        return Token.new_borrow_pos("NAME", token.value, token)
    return token


class Unexpected(Exception):
    """The token at `index` does not fit; `accepts` names the terminals that would."""

    def __init__(self, index: int, accepts: frozenset[str]) -> None:
        self.index, self.accepts = index, accepts
        super().__init__(index)


SOFT = frozenset({
    "LINE", "LABEL", "FROM", "TO", "AT", "BY", "ALONG", "START", "ALWAYS", "UNDER", "SIDES",
    "TOGETHER", "SWAP", "EACH", "WITHIN", "UNSEEN", "FIRST", "SCORE", "PERFT", "SYMMETRIC", "GAME",
    "FORMAT", "WHEN", "WHERE",
    "EVALUATOR", "PERSONALITY", "USE", "FACTOR", "TABLE", "SCAN", "PATH", "VALUE", "WITH", "ON",
    "GIVE", "STOP", "STEP", "EXTENDS", "SEARCH", "PICK", "PREFER", "TIES", "OPENING", "AFTER",
    "FLIPPED", "OF", "POSITION", "INTO", "COSTS", "BEST",
    "UNTESTED", "ANTISYMMETRIC",
})  # fmt: skip
"""Words that may also be names, where the grammar allows nothing but a name."""
