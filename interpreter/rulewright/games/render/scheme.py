"""Boards as lists of rows, `((- X O) ...)`: the form in which Connect 5 was given its positions.

In: the text of a board.  Out: rows of `-`, `X` (self, to move) and `O` (the opponent).  Reads any
white space, square brackets, quotes before lists and symbols, `(list ...)` and `(quote ...)`,
small letters, and the digit 0 for O.  Refuses ragged rows, other symbols and unbalanced brackets,
each with its place.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from attrs import frozen

from rulewright.errors import PositionError
from rulewright.ground.printable import amount

_TOKEN = re.compile(
    r"\s+|;[^\n]*|(?P<quote>')|(?P<open>[(\[])|(?P<close>[)\]])|(?P<word>[^\s()\[\]';]+)"
)
_SYMBOLS = {"-": "-", "X": "X", "O": "O", "0": "O"}
_FORM = "a board is a list of rows: ((- - X) (- O -) ...)"
_PAIRS = {"(": ")", "[": "]"}
Tree: TypeAlias = "_Word | _List"


@frozen
class _Word:
    text: str
    at: int


@frozen
class _List:
    items: tuple[Tree, ...]
    at: int


@frozen
class Square:
    """One square of a board: `-`, `X` or `O`, and its place in the text."""

    symbol: str
    text: str
    at: int

    @property
    def place(self) -> tuple[int, int]:
        """Its line and column."""
        return _place(self.text, self.at)

    def fault(self, message: str) -> PositionError:
        """The error with this square's line and column."""
        return _fail(self.text, self.at, message)


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def _fail(text: str, at: int, message: str) -> PositionError:
    line, column = _place(text, at)
    return PositionError(f"line {line}, column {column}: {message}")


def read_squares(text: str) -> list[list[Square]]:
    """The rows of the board, top row first, every square with its place."""
    board = _plain(_parse(text))
    if not isinstance(board, _List) or not board.items:
        raise _fail(text, 0, _FORM)
    rows = [_row(text, row) for row in board.items]
    width = len(rows[0])
    for row, tree in zip(rows, board.items, strict=True):
        if len(row) != width:
            message = f"this row has {amount(len(row), 'square')}, and the first has {width}"
            raise _fail(text, tree.at, message)
    return rows


def _parse(text: str) -> Tree:
    """The one list that *text* holds."""
    stack: list[tuple[str, int, list[Tree]]] = [("", 0, [])]
    for token in _TOKEN.finditer(text):
        if token["open"]:
            stack.append((token["open"], token.start(), []))
        elif token["close"]:
            opener, at, items = stack.pop()
            if _PAIRS.get(opener) != token["close"]:
                raise _fail(text, token.start(), f"this `{token['close']}` closes nothing")
            stack[-1][2].append(_List(tuple(items), at))
        elif token["word"]:
            stack[-1][2].append(_Word(token["word"], token.start()))
    if len(stack) > 1:
        raise _fail(text, stack[-1][1], f"this `{stack[-1][0]}` is never closed")
    trees = stack[0][2]
    if trees and isinstance(trees[0], _Word):  # a picture, say
        raise _fail(text, trees[0].at, _FORM)
    if len(trees) != 1:
        at = trees[1].at if trees else 0
        raise _fail(text, at, "one board is expected" + ("" if trees else ", and there is none"))
    return trees[0]


def _plain(tree: Tree) -> Tree:
    """*tree* without the words `list` and `quote` in front of lists."""
    if not isinstance(tree, _List) or not tree.items:
        return tree
    first = tree.items[0]
    if isinstance(first, _Word) and first.text.casefold() == "list":
        return _List(tuple(_plain(i) for i in tree.items[1:]), tree.at)
    if isinstance(first, _Word) and first.text.casefold() == "quote" and len(tree.items) == 2:
        return _plain(tree.items[1])
    return _List(tuple(_plain(i) for i in tree.items), tree.at)


def _row(text: str, row: Tree) -> list[Square]:
    if not isinstance(row, _List) or not row.items:
        raise _fail(text, row.at, "a row is a list of squares: (- X O)")
    squares: list[Square] = []
    for square in row.items:
        symbol = _SYMBOLS.get(square.text.upper()) if isinstance(square, _Word) else None
        if symbol is None:
            word = square.text if isinstance(square, _Word) else "a list"
            raise _fail(text, square.at, f"`{word}` is no square; there are -, X and O")
        squares.append(Square(symbol, text, square.at))
    return squares
