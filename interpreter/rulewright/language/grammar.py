"""The parsers of the languages: with `tables`, all that knows Lark.

In: a language and what builds its nodes.  Out: tokens of a line, and the node of a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lark import Lark, Token, UnexpectedToken
from lark.lexer import BasicLexer, LexerThread

from rulewright.language.tables import tables

__all__ = ["Grammar", "Token", "Unexpected"]


class Grammar:
    """The parser of one language; every line is parsed alone, by the rule of its block."""

    def __init__(self, language: str, builder: object) -> None:
        data, memo = tables(language)
        made: Any = Lark  # parsers that Lark generates begin like this; it has no types
        self._lark: Lark = made._load_from_dict(data, memo, transformer=builder)
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
