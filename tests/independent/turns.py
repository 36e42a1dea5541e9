"""What a turn allows, once more: a machine that goes through the turn's text, and keeps a stack.

Nothing of the package is used.  A turn is written as rules write it (`a? (b or c)* else d`).  A
state of the machine is a stack of parts that are still to come; `offered` says which decisions are
on top of it, each with what is left then, and whether the turn may end without one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

NONE = "-"
"""The decision not to move."""
May = Callable[[str], bool]
"""Whether a move can be made here."""


class Part(NamedTuple):
    """A part of a turn: `move`, `row`, `or`, `else`, or a sign (`?`, `?*`, `*`) with its part."""

    how: str
    parts: tuple[Part, ...] = ()
    name: str = ""


Stack = tuple[Part, ...]
Offers = list[tuple[str, Stack]]


def read(text: str) -> Part:
    """The parts of a turn's text."""
    spaced = text.replace("(", " ( ").replace(")", " ) ")
    for sign in ("?", "*", "+"):
        spaced = spaced.replace(sign, f" {sign} ")
    words = spaced.split()
    part = _else(words)
    assert not words
    return part


def _else(words: list[str]) -> Part:
    parts = [_row(words)]
    while words and words[0] == "else":
        words.pop(0)
        parts.append(_row(words))
    *first, last = parts
    for one in reversed(first):
        last = Part("else", (one, last))
    return last


def _row(words: list[str]) -> Part:
    parts = []
    while words and words[0] not in (")", "else"):
        parts.append(_or(words))
    return parts[0] if len(parts) == 1 else Part("row", tuple(parts))


def _or(words: list[str]) -> Part:
    parts = [_signed(words)]
    while words and words[0] == "or":
        words.pop(0)
        parts.append(_signed(words))
    return parts[0] if len(parts) == 1 else Part("or", tuple(parts))


def _signed(words: list[str]) -> Part:
    word = words.pop(0)
    part = _else(words) if word == "(" else Part("move", name=word)
    if word == "(":
        assert words.pop(0) == ")"
    if words and words[0] in ("?", "*", "+"):
        sign = words.pop(0)
        if sign == "?" and words and words[0] == "*":
            sign += words.pop(0)
        if sign == "+":
            return Part("row", (part, Part("*", (part,))))
        return Part(sign, (part,))
    return part


def offered(stack: Stack, may: May) -> tuple[Offers, bool]:
    """The decisions on top of a stack, and whether the turn may end here."""
    if not stack:
        return [], True
    part, rest = stack[0], stack[1:]
    match part.how:
        case "move":
            return ([(part.name, rest)] if may(part.name) else []), False
        case "row":
            return offered((*part.parts, *rest), may)
        case "or":
            ways = [offered((one, *rest), may) for one in part.parts]
            return [offer for offers, _ in ways for offer in offers], any(end for _, end in ways)
        case "else":
            first = offered((part.parts[0], *rest), may)
            return first if first[0] else offered((part.parts[1], *rest), may)
        case "?":
            offers, end = offered((part.parts[0], *rest), may)
            return [*offers, (NONE, rest)], end
        case "?*":
            offers, end = offered((part.parts[0], part, *rest), may)
            return [*offers, (NONE, rest)], end
    offers, end = offered((part.parts[0], part, *rest), may)
    return (offers, end) if offers else offered(rest, may)


def lines(text: str, limits: dict[str, int], longest: int) -> set[tuple[str, ...]]:
    """All beginnings of a turn of up to so many decisions, `.` behind those after which it is over.

    *limits*: how often a move can be made in a turn.
    """
    found = set[tuple[str, ...]]()
    todo: list[tuple[tuple[str, ...], Stack]] = [((), (read(text),))]
    while todo:
        line, stack = todo.pop()

        def may(name: str, line: tuple[str, ...] = line) -> bool:
            return line.count(name) < limits[name]

        offers, end = offered(stack, may)
        over = bool(line) and (not stack or (not offers and end))
        found.add((*line, ".") if over else line)
        if not over and len(line) < longest:
            todo += [((*line, word), rest) for word, rest in offers]
    return found
