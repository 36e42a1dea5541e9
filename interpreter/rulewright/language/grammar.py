"""The one module that knows Lark: grammar files become tables, tables become parsers.

Building the tables takes a quarter of a second, so they are kept in the user's cache directory,
keyed by the grammar's text and Lark's version; a file that cannot be read or written is ignored.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, UnexpectedToken
from platformdirs import user_cache_path

from rulewright import resources

__all__ = ["Grammar", "Token", "UnexpectedToken"]

_STARTS = {"rules": ["item", "effect", "path", "hole"]}
_IGNORED = "\n%ignore COMMENT\n%ignore BLANKS\n"


def cache_folder() -> Path:
    """Where derived files may be kept; `RULEWRIGHT_CACHE` names another folder."""
    named = os.environ.get("RULEWRIGHT_CACHE")
    return Path(named) if named else user_cache_path("rulewright", appauthor=False)


def _text(language: str) -> str:
    folder = resources.root("grammar")
    names = (f"{language}.lark", "expressions.lark", "terminals.lark")
    return "\n".join((folder / n).read_text("utf-8") for n in names) + _IGNORED


def _key(text: str) -> str:
    parts = (text, lark.__version__, sys.version)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _build(language: str, text: str) -> Lark:
    return Lark(text, parser="lalr", lexer="basic", start=_STARTS[language])


def _keep(parser: Lark, path: Path) -> None:
    """Write the tables beside their final name and move them there: readers see all or nothing."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            parser.save(file)
        Path(name).replace(path)


class Grammar:
    """The parser of one language; every line is parsed alone, by the rule of its block."""

    def __init__(self, language: str, builder: object) -> None:
        text = _text(language)
        path = cache_folder() / "grammar" / f"{language}-{_key(text)}.tables"
        try:
            with path.open("rb") as file:
                self._lark = Lark.load(file, transformer=builder)
        except Exception:  # a damaged or foreign cache entry is only a slow start
            _keep(_build(language, text), path)
            self._lark = self._loaded(language, text, path, builder)
        self.words = {t.pattern.value: t.name for t in self._lark.terminals if t.name.isalpha()}

    def _loaded(self, language: str, text: str, path: Path, builder: object) -> Lark:
        with suppress(Exception), path.open("rb") as file:
            return Lark.load(file, transformer=builder)
        starts = _STARTS[language]
        return Lark(text, parser="lalr", lexer="basic", start=starts, transformer=builder)

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of *text*; every character of it must belong to one."""
        return self._lark.lex(text)

    def parse(self, tokens: list[Token], start: str) -> Any:
        """The node of one line; raises `UnexpectedToken` at the first token that does not fit."""
        machine = self._lark.parse_interactive(start=start)
        for token in tokens:
            self._feed(machine, token)
        return machine.feed_eof(tokens[-1])

    @staticmethod
    def _feed(machine: Any, token: Token) -> None:
        choices = machine.choices()
        if token.type not in choices and token.type in SOFT and "NAME" in choices:
            token = Token.new_borrow_pos("NAME", token.value, token)
        try:
            machine.feed_token(token)
        except UnexpectedToken as error:
            error.accepts = machine.accepts()
            raise


SOFT = frozenset({
    "LINE", "LABEL", "FROM", "TO", "AT", "BY", "ALONG", "START", "ALWAYS", "UNDER", "SIDES", "TOGETHER",
    "EACH", "WITHIN", "UNSEEN", "FIRST", "SCORE", "PERFT", "SYMMETRIC", "GAME", "FORMAT", "WHEN", "WHERE",
})  # fmt: skip
"""Words that may also be names, where the grammar allows nothing but a name."""
