"""The text of PGN files: games one after another, and the tokens of a game.

In: the lines of a file, however many.  Out: each game with its place in the file, holding one game
in memory at a time; the tags, moves, comments and marks of its text.  Refuses text that is none of
these, at its place.  After the standard of 1994 (Steven J. Edwards).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.ground.disk import LARGEST
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.recorded import RecordReading, text_of

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Tokens that end a game."""
ASSESSMENTS = {
    "!": "1", "?": "2", "!!": "3", "??": "4", "!?": "5", "?!": "6", "=": "10", "+=": "14",
    "=+": "15", "+/=": "14", "=/+": "15", "+/-": "16", "-/+": "17", "+-": "18", "-+": "19",
    "\u25a1": "7", "\u221e": "13", "\u2a72": "14", "\u2a71": "15", "\u00b1": "16", "\u2213": "17",
}  # fmt: skip
"""Numbers of assessments that are written as signs."""
_TOKEN = (
    r'(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])'
    r"|(?P<comment>\{(?P<inside>[^}]*)\}|;(?P<line>[^\n]*))|(?P<skipped>^%[^\n]*|e\.p\.|\be\.?p\b\.?)"
    r"|(?P<open>\()|(?P<close>\))|\$(?P<number>\d{1,3})\b"
    r"|(?P<assessment>[!?]{1,2}|(?<!\S)(?:[+=]/?[+=-]|-/?\+|=)(?!\S)"
    r"|[\u25a1\u221e\u2a72\u2a71\u00b1\u2213])"
    r"|(?P<result>(?:RESULTS)(?![^\s(){};])|\*)|(?P<count>\d+\s*[.\u2026]+|\d{1,3}(?!\S)|[.\u2026]+)"
    r"|(?P<move>(?:(?!e\.p\.)[^\s(){}\[\];!?$.\u2026\u25a1\u221e\u2a72\u2a71\u00b1\u2213])+)|(?P<bad>\S)"
)
_DRAWN = ("½-½", "½", "1/2")
"""Other ways to write that a game is drawn."""
_OUTSIDE = re.compile(rb"[{;]")


@frozen
class TokenGrammar:
    """The tokens of a format, and the end of a game, by the results that it knows."""

    token: re.Pattern[str]
    last: re.Pattern[bytes]


@cache
def grammar(results: tuple[str, ...] = RESULTS) -> TokenGrammar:
    """The grammar of a format whose games end with one of these results."""
    plain = [re.escape(result) for result in results if result != "*"]
    token = _TOKEN.replace("RESULTS", "|".join([*plain, *_DRAWN]))
    last = rb"(?:^|\s)(?:%s|\*)\s*$" % "|".join(plain).encode()
    return TokenGrammar(re.compile(token, re.MULTILINE), re.compile(last))


@frozen
class Token:
    """A token of a game: its kind (a group of `_TOKEN`), its text, and its span."""

    kind: str
    text: str
    span: Span
    name: str = ""
    """The name of a tag."""


def tokens(reading: RecordReading, results: tuple[str, ...] = RESULTS) -> Iterator[Token]:
    """Yield the tokens of the text of one game."""
    for match in grammar(results).token.finditer(reading.source.text):
        span, kind = Span(match.start(), match.end()), match.lastgroup or ""
        if match["bad"] is not None:
            _refuse(reading, match["bad"], span)
        if match["tag"] is not None:
            value = re.sub(r"\\(.)", r"\1", match["value"])
            yield Token("tag", value, Span(match.start("value"), match.end("value")), match["name"])
        elif match["comment"] is not None:
            inside = match["inside"]
            yield Token("comment", (match["line"] if inside is None else inside).strip(), span)
        elif match["assessment"] is not None:
            yield Token("number", ASSESSMENTS.get(match["assessment"], "0"), span)
        elif kind == "number":
            yield Token("number", match["number"], span)
        elif kind not in ("skipped", "count"):
            yield Token(kind, RESULTS[2] if match[0] in _DRAWN else match[0], span)


def _refuse(reading: RecordReading, sign: str, span: Span) -> None:
    message = {
        "{": "a comment begins here, and nothing ends it",
        "[": 'a tag is written as [Name "value"]',
    }.get(sign, f"`{sign}` means nothing in PGN")
    reading.fail("bad-record", span, message)


@define
class _Splitter:
    """Collects the lines of a game until the next one begins."""

    name: str
    last: re.Pattern[bytes]
    lines: list[bytes] = field(factory=list)
    size: int = 0
    inside: bool = False
    """Whether a comment goes on in the next line."""
    moved: bool = False
    """Whether moves have begun."""
    ended: bool = False

    def begins_anew(self, line: bytes) -> bool:
        """Whether a line belongs to the next game."""
        word = line.lstrip()[:1]
        if self.inside or not word:
            return False
        return (self.moved and word == b"[") or (self.ended and word not in (b"{", b";", b"%"))

    def add(self, line: bytes) -> None:
        """Take a line of this game."""
        self.lines.append(line)
        self.size += len(line)
        if self.size > LARGEST:
            raise RulewrightError(f"{self.name}: a game has more than {LARGEST:,} bytes")
        word = line.lstrip()[:1]
        if not self.inside and (not word or word in (b"[", b"%")):
            return
        self.moved = True
        self.inside = _is_inside(line, self.inside)
        self.ended = not self.inside and self.last.search(line) is not None


def _is_inside(line: bytes, inside: bool) -> bool:
    """Whether a comment in braces goes on behind a line."""
    at = 0
    while True:
        if inside:
            at = line.find(b"}", at) + 1
            if at == 0:
                return True
            inside = False
        sign = _OUTSIDE.search(line, at)
        if sign is None or sign[0] == b";":
            return False
        inside, at = True, sign.end()


def games(
    name: str, lines: Iterable[bytes], results: tuple[str, ...] = RESULTS
) -> Iterator[RecordReading]:
    """Yield the games in the lines of a file called *name*, one after another."""
    last = grammar(results).last
    splitter, before = _Splitter(name, last), 0
    for line in lines:
        if splitter.begins_anew(line):
            yield _reading(splitter, before)
            before += len(splitter.lines)
            splitter = _Splitter(name, last)
        splitter.add(line)
    if splitter.moved or any(line.strip() for line in splitter.lines):
        yield _reading(splitter, before)


def _reading(splitter: _Splitter, before: int) -> RecordReading:
    return RecordReading(Source(splitter.name, text_of(b"".join(splitter.lines))), before)
