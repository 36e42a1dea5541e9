"""The parsers of the languages: all that knows Lark.

In: a language and what builds its nodes.  Out: tokens of a line, and the node of a line.

The package brings the tables of its own grammars (setting up a checkout or building a wheel writes
them: `hatch_build.py`, `make tables`), because building them takes longer than reading, checking
and compiling a small game.  Tables for another text or another Lark are built, and kept in the
user's cache directory; a file that cannot be read or written, or was changed, is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import BasicLexer, LexerThread, TerminalDef

from rulewright.ground import cache, disk

__all__ = ["Grammar", "Token", "Unexpected"]

BLOCKS = {
    "rules": ("item", "effect", "path"),
    "evaluator": ("item", "table_row", "scan_line", "scan_effect", "path_line"),
    "personality": ("item",),
    "look": ("item",),
}
"""The rules by which the lines of each language are parsed."""
STARTS = {language: (*blocks, "hole", "soft") for language, blocks in BLOCKS.items()}
"""The rules with which a parser may begin; `soft` only lists the words that may be names."""
SHIPPED = Path(__file__).parent / "built"
_IGNORED = "\n%ignore COMMENT\n%ignore BLANKS\n"
_MOST_BYTES = 4 * 1024 * 1024
Tables = tuple[dict[str, Any], dict[int, Any]]
"""Lark's data of a parser, and the rules and terminals that it refers to by number."""


class Grammar:
    """The parser of one language; every line is parsed alone, by the rule of its block."""

    def __init__(self, language: str, builder: object) -> None:
        data, memo = tables(language)
        parsers: Any = Lark  # parsers that Lark generates begin like this; it has no types
        self._lark: Lark = parsers._load_from_dict(data, memo, transformer=builder)
        self._blocks = BLOCKS[language]
        self._lexer = BasicLexer(self._lark.lexer_conf)  # `Lark.lex` would make one for each text

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of *text*; every character of it must belong to one."""
        thread: Any = LexerThread.from_text(self._lexer, text)
        tokens: Iterator[Token] = thread.lex(None)
        return tokens

    @cached_property
    def words(self) -> dict[str, frozenset[str]]:
        """The words with which a line of each block may begin."""
        return {block: self._words_of(block) for block in self._blocks}

    @cached_property
    def keywords(self) -> dict[str, str]:
        """The word that each terminal is, of those that are words."""
        patterns = ((t.name, t.pattern.value) for t in self._lark.terminals)
        return {name: word for name, word in patterns if word.isalpha()}

    @property
    def soft_words(self) -> frozenset[str]:
        """The words that may be names where nothing but a name fits."""
        return self._words_of("soft")

    @cached_property
    def _soft(self) -> frozenset[str]:
        return frozenset(word.upper() for word in self._words_of("soft"))

    def _words_of(self, start: str) -> frozenset[str]:
        machine: Any = self._lark.parse_interactive(start=start)
        fits = machine.choices()
        patterns = (t.pattern.value for t in self._lark.terminals if t.name in fits)
        return frozenset(word for word in patterns if word.isalpha())

    def parse(self, tokens: list[Token], start: str) -> Any:
        """The node of one line; raises `Unexpected` at the first token that does not fit."""
        machine: Any = self._lark.parse_interactive(start=start)
        for index, token in enumerate(tokens):
            try:
                machine.feed_token(self._as_name(machine, token, *tokens[1:2] if not index else ()))
            except UnexpectedToken:
                # Asked of a new machine: this one has left its state on the way to the error.
                raise Unexpected(index, self.accepted(tokens[:index], start)) from None
        return machine.feed_eof(tokens[-1])

    def accepted(self, tokens: list[Token], start: str) -> frozenset[str]:
        """The terminals that may follow *tokens*, which begin a line, in a block of *start*.

        Raises `UnexpectedToken` of Lark where these do not fit themselves.
        """
        machine: Any = self._lark.parse_interactive(start=start)
        for index, token in enumerate(tokens):
            machine.feed_token(self._as_name(machine, token, *tokens[1:2] if not index else ()))
        return frozenset(machine.accepts())

    def _as_name(self, machine: Any, token: Token, *following: Token) -> Token:
        """The token as a NAME where it is a soft word and its own terminal does not fit.

        A line that begins with a soft word and sets it (`each := 1`) means a name by it.
        """
        choices = machine.choices()
        if following and token.type == _LISTED:
            return token
        is_set = any(after.type in ("ASSIGN", "FOR") for after in following)
        fits = token.type in choices and not is_set
        if not fits and token.type in self._soft and "NAME" in choices:
            return Token.new_borrow_pos("NAME", token.value, token)
        return token


_LISTED = "PLAYERS"
"""A word that is a name in expressions and never begins a line as one."""


class Unexpected(Exception):
    """The token at `index` does not fit; `accepts` names the terminals that would."""

    def __init__(self, index: int, accepts: frozenset[str]) -> None:
        self.index, self.accepts = index, accepts
        super().__init__(index)


# --- tables ---


def tables(language: str) -> Tables:
    """The tables of a language: those that came with the package, kept ones, or new ones."""
    text = _text(language)
    key = key_of(text, language)
    file = cache.cache_folder() / "grammar" / f"{language}-{key}.tables"
    for data in (cache.read_checked(shipped_tables(language)), cache.read(file)):
        usable = _read(data, key)
        if usable:
            return usable
    data = write(language)
    cache.write(file, data, _MOST_BYTES)
    return _read(data, key) or _build(language, text)


def key_of(text: str, language: str) -> str:
    """The digest of all that a language's tables depend on: its text, Lark's version, the rules."""
    return cache.digest(text, lark.__version__, *STARTS[language])


def write(language: str) -> bytes:
    """The tables of a language as they are kept."""
    text = _text(language)
    data, memo = _build(language, text)
    return json.dumps([key_of(text, language), data, memo], separators=(",", ":")).encode()


def _text(language: str) -> str:
    folder = disk.root("grammar")
    names = (f"{language}.lark", "expressions.lark", "terminals.lark")
    return "\n".join((folder / n).read_text("utf-8") for n in names) + _IGNORED


def shipped_tables(language: str) -> Path:
    """Return where the tables of a language stand if they come with the package."""
    return SHIPPED / f"{language}.tables"


def _build(language: str, text: str) -> Tables:
    parser = Lark(text, parser="lalr", lexer="basic", start=[*STARTS[language]])
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return data, memo


def _read(data: bytes | None, key: str) -> Tables | None:
    """The tables in a file, if they are those of this grammar."""
    if data is None or not data.startswith(f'["{key}"'.encode()):
        return None
    _, tables, memo = json.loads(data)
    parser = tables["parser"]["parser"]
    for name in ("tokens", "states"):
        parser[name] = _numbered(parser[name])
    parser["states"] = {n: _numbered(actions) for n, actions in parser["states"].items()}
    return tables, _numbered(memo)


def _numbered(named: dict[str, Any]) -> dict[int, Any]:
    """Turn the keys of a dictionary back to numbers, which JSON writes as texts."""
    return {int(key): value for key, value in named.items()}


def main() -> None:
    """Write the tables that the package brings, where their grammar has changed."""
    for language in STARTS:
        contents = cache.read_checked(shipped_tables(language))
        if not _read(contents, key_of(_text(language), language)):
            cache.write_checked(shipped_tables(language), write(language))


if __name__ == "__main__":
    main()
