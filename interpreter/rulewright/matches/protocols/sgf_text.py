"""The text of SGF files: encodings, collections, and nodes whose values know their places.

In: the bytes of a file.  Out: its text, the spans of its games, the nodes of a game's main line.
The library `sgfmill` parses (extra `sgf`).  Refuses, each at its place: encodings that are unknown
or that do not fit the bytes, and text that is no SGF.  After https://www.red-bean.com/sgf/ (FF[4]).
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from attrs import field, frozen

from rulewright.errors import RulewrightError
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.recorded import RecordReading, text_of

_VALUE = re.compile(r"\[([^\\\]]*(?:\\.[^\\\]]*)*)\]", re.DOTALL)
_BRACKETS = re.compile(rf"{_VALUE.pattern}|[()]", re.DOTALL)
_CHARSET = re.compile(rb"\bCA\s*\[\s*([\x21-\x5c\x5e-\x7e]{1,40})\s*\]")
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252"}
"""Encodings that files name, and the larger ones that they are really written in."""
_UNDECLARED = 1 << 16
"""Bytes at the beginning of a file in which `CA` is looked for."""
_WORD = 64
"""Characters before a value in which the letters of its property are searched."""


def grammar() -> Any:
    """Load the module `sgf_grammar` of sgfmill, which has no types."""
    try:
        from sgfmill import sgf_grammar
    except ImportError:
        message = "SGF needs the library sgfmill: pip install 'rulewright[sgf]'"
        raise RulewrightError(message) from None
    return sgf_grammar


@frozen
class SgfValue:
    """A value of a property, with the property's name as it is written, and its span."""

    name: str
    text: str
    span: Span


def decode(data: bytes, name: str) -> str:
    """Decode a file called *name* as its property `CA` says; without it as `text_of` does.

    Raises `TextError` at the property for an encoding that is unknown or does not fit.
    """
    charset = _CHARSET.search(data, 0, _UNDECLARED)
    if charset is None:
        return text_of(data)
    label = charset[1].decode("ascii")
    try:
        codec = codecs.lookup(label).name
        codec = "utf-8-sig" if codec == "utf-8" else _SUPERSETS.get(codec, codec)
        return data.decode(codec).replace("\r\n", "\n")
    except (LookupError, UnicodeError):
        reading = RecordReading(Source(name, data.decode("latin-1")))
        message = f"the file says that it is written in {label}, and it cannot be read so"
        return reading.fail("bad-record", Span(charset.start(1), charset.end(1)), message)


def game_spans(text: str) -> list[Span]:
    """The spans of the games of a collection; text between them belongs to none."""
    spans, depth, start = list[Span](), 0, 0
    for match in _BRACKETS.finditer(text):
        if match[0] == "(":
            start = match.start() if depth == 0 else start
            depth += 1
        elif match[0] == ")" and depth:
            depth -= 1
            if depth == 0:
                spans.append(Span(start, match.end()))
    return spans if depth == 0 else [*spans, Span(start, len(text))]


def parse_tree(reading: RecordReading, span: Span) -> Any:
    """Parse the game at *span* to sgfmill's tree; fails at its place, or where it breaks off."""
    text = reading.source.text[span.start : span.end]
    try:
        return grammar().parse_sgf_game(text.encode())
    except ValueError as error:
        if "unexpected end" in str(error):
            end = span.start + max(len(text.rstrip()), 1)
            message = "the game breaks off here: a `)` or a `]` is missing"
            reading.fail("bad-record", Span(end - 1, end), message)
        reading.fail("bad-record", Span(span.start, span.start + 1), f"this is no SGF: {error}")


@frozen
class SgfTree:
    """Nodes one after another, each a list of values, and the trees that follow them."""

    nodes: list[list[SgfValue]] = field(factory=list)
    children: list[SgfTree] = field(factory=list)

    def line(self) -> Iterator[tuple[list[SgfValue], list[SgfTree]]]:
        """The nodes along the first children, each with the other trees that may follow it."""
        tree = self
        while True:
            last = len(tree.nodes) - 1
            for number, node in enumerate(tree.nodes):
                yield node, (tree.children[1:] if number == last else [])
            if not tree.children:
                return
            tree = tree.children[0]


def placed_tree(tree: Any, text: str, start: int) -> SgfTree:
    """The values of every node of the game that begins at *start*, with their places."""
    begin = re.compile(r"\(\s*;").search(text, start)
    places = _VALUE.finditer(text, begin.start() if begin else start)
    root = SgfTree()
    todo = [(tree, root)]
    while todo:  # in the order of the text
        coarse, placed = todo.pop()
        placed.nodes.extend(_node(properties, text, places) for properties in coarse.sequence)
        placed.children.extend(SgfTree() for _ in coarse.children)
        todo += reversed(list(zip(coarse.children, placed.children, strict=True)))
    return root


def _node(
    properties: dict[str, list[bytes]], text: str, places: Iterator[re.Match[str]]
) -> list[SgfValue]:
    sgf = grammar()
    places_by_text = defaultdict[str, deque[re.Match[str]]](deque)
    for match in islice(places, sum(map(len, properties.values()))):
        places_by_text[match[1]].append(match)
    node = list[SgfValue]()
    for name, values in properties.items():
        for raw in values:
            # a property that stands twice in a node has its values out of order
            text_shown = raw.decode("utf-8")
            place = places_by_text[text_shown].popleft()
            plain = (sgf.text_value if name == "C" else sgf.simpletext_value)(raw)
            small = "" if name else _letters(text, place.start())
            span = Span(place.start(1), place.start(1) + max(len(text_shown), 1))
            node.append(SgfValue(name or small, plain.decode("utf-8"), span))
    return node


def _letters(text: str, end: int) -> str:
    """The letters before an offset, with blanks between skipped."""
    word = text[max(0, end - _WORD) : end].rstrip()
    match = re.search(r"[A-Za-z]*$", word)
    return match[0] if match else ""
