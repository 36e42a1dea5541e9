"""Texts of pattern files to syntax.

In: a source.  Out: one item a line, each line read alone, so that each faulty line gives one
diagnostic.  The language is T1's: a word and its numbers, in any case, indented as one likes; that
needs no parser, so lines are cut by the one expression below.  What it accepts stands in
`grammar/patterns.lark`.  `OLD` reads the older dialect, whose words have one letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from attrs import define

from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.ground.records import Record, record
from rulewright.language.diagnostics import Collector, nearest
from rulewright.language.source import Source, Span
from rulewright.language.syntax import Format, Name, Number
from rulewright.language.syntax import patterns as syntax

BEGINS = {"off": "Off", "def": "Def", "offs": "OffS", "defs": "DefS"}
"""The words that begin a pattern; one with S is symmetric, and used only as it is written."""
CONDITIONS = {
    "own": ("Own", 2), "opp": ("Opp", 2), "free": ("Free", 2), "edge": ("Edge", 2),
    "set": ("Set", 2), "bposs": ("BPoss", 4), "bexist": ("BExist", 4),
    "strong": ("Strong", 2), "nstrong": ("NStrong", 2), "row": ("Row", 1),
    "left": ("Left", 1), "middle": ("Middle", 1),
}  # fmt: skip
"""How conditions are written, and how many numbers each of them takes."""
OLD = {
    "o": "off", "d": "def", "e": "own", "g": "opp", "f": "free", "s": "set",
    "b": "bposs", "v": "bexist", "r": "row",
}  # fmt: skip
"""The words of T1's older dialect."""
HEADS = ("format", "patterns", "use", "around", "symmetry")
OTHERS = (*HEADS, "priority", "example")
WORDS = (*BEGINS, *CONDITIONS, *OTHERS)
CELLS = "@ox.+#?"
"""Signs of a picture: the reference point, own, the opponent's, free, the move, beyond, any."""
_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)|(?P<picture>\|[^|\n]*\|)|(?P<number>[+-]?\d[\w.]*)"
    r"|(?P<word>[A-Za-z_][\w-]*)|(?P<comma>,)|(?P<bad>[^\s])"
)
_FORM = {
    "around": "`Around own` or `Around ends of PATH`", "patterns": "`Patterns for GAME`",
    "symmetry": "`Symmetry mirror`", "use": "`Use basics`",
    "format": "`format 1`", "priority": "`Priority 5`",
    "example": "`Example own h5, e2 at h5 north set f4`",
}  # fmt: skip


@record
class PatternToken(Record):
    """A word, number, picture, comma or comment, and where it stands."""

    kind: str
    text: str
    span: Span


@record
class PatternLine(Record):
    """One line: its words, and its comment (empty when it has none)."""

    tokens: tuple[PatternToken, ...]
    comment: str
    span: Span


class _Unreadable(Exception):
    """A line cannot be read."""

    def __init__(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.code, self.span, self.hint = code, span, hint
        super().__init__(message)


def rows(source: Source) -> Iterator[PatternLine]:
    """The lines of a text, those without words too."""
    start = 0
    for line in source.text.split("\n"):
        tokens: list[PatternToken] = []
        comment = ""
        for match in _TOKEN.finditer(line):
            span = Span(start + match.start(), start + match.end())
            kind = match.lastgroup or ""
            if kind == "comment":
                comment = match[0].rstrip()
                break
            tokens.append(PatternToken(kind, match[0], span))
        end = tokens[-1].span.end if tokens else start + len(line)
        yield PatternLine(
            tuple(tokens), comment, Span(tokens[0].span.start if tokens else start, end)
        )
        start += len(line) + 1


def parse_patterns(
    source: Source, report: Collector, dialect: Mapping[str, str] | None = None
) -> syntax.Patterns:
    """Read a pattern file; *dialect* translates the words that lines begin with."""
    reader = _Reader(source, report, dialect or {})
    items: list[syntax.PatternItem] = []
    for row in rows(source):
        if report.hopeless:
            break
        if row.tokens:
            items.append(reader.item(row))
    return syntax.Patterns(tuple(items), span=Span(0, len(source.text)))


@define(repr=False, eq=False)
class _Reader(Record):
    """Reads single lines."""

    source: Source
    report: Collector
    dialect: Mapping[str, str]

    def item(self, row: PatternLine) -> syntax.PatternItem:
        """The item of a line; `Unread`, after a report, for a line with a mistake."""
        word = self._word(row.tokens[0])
        try:
            return self._read(row, word)
        except _Unreadable as error:
            self.source.report(self.report, error.code, error.span, str(error), error.hint)
            keyword = word if word in WORDS else nearest(word, WORDS)
            return syntax.Unread(keyword, span=row.span)

    def _word(self, token: PatternToken) -> str:
        low = token.text.casefold()
        return self.dialect.get(low, low if not self.dialect else f"?{low}")

    def _read(self, row: PatternLine, word: str) -> syntax.PatternItem:
        for token in row.tokens:
            _check(token)
        if row.tokens[0].kind == "picture":
            return _picture(row)
        if row.tokens[0].kind != "word":
            message = "a line begins with a word, such as `Own` or `Set`"
            raise _Unreadable("syntax", row.tokens[0].span, message)
        if word in BEGINS:
            return syntax.Begin(BEGINS[word], _name(row), span=row.span)
        if word in CONDITIONS:
            shown, count = CONDITIONS[word]
            return syntax.Condition(shown, _numbers(row, count), span=row.span)
        if word in _OTHERS:
            return _OTHERS[word](row)
        raise self._unknown(row.tokens[0])

    def _unknown(self, token: PatternToken) -> _Unreadable:
        message = f"no line of patterns begins with `{token.text}`"
        if self.dialect and token.text.casefold() in WORDS:
            hint = "this word is T1j's: files of T1j are read as they are, without `convert`"
            return _Unreadable("unknown-statement", token.span, message, hint)
        if self.dialect:
            words = ", ".join(word.upper() for word in OLD)
            return _Unreadable("unknown-statement", token.span, message, f"there is {words}")
        if token.text.casefold() in OLD:
            hint = "this is T1's older dialect; `rulewright patterns convert` translates it"
            return _Unreadable("unknown-statement", token.span, message, hint)
        close = nearest(token.text.casefold(), WORDS)
        shown = {**BEGINS, **{w: c[0] for w, c in CONDITIONS.items()}}.get(close, close.title())
        hint = f"did you mean `{shown}`?" if close else ""
        return _Unreadable("unknown-statement", token.span, message, hint)


def _check(token: PatternToken) -> None:
    """Refuse signs that no line has, and words that are too long."""
    if token.kind == "bad":
        if token.text == "|":
            message = "a row of a picture ends with `|`"
            raise _Unreadable("unclosed", token.span, message)
        message = f"the character `{token.text}` has no meaning here"
        raise _Unreadable("bad-character", token.span, message)
    if token.kind != "picture" and len(token.text) > limits.WORD:
        message = (
            f"this has {amount(len(token.text), 'character')}; at most {limits.WORD} are possible"
        )
        raise _Unreadable("too-large", token.span, message)
    if token.kind == "number" and not re.fullmatch(r"[+-]?\d+", token.text):
        if re.fullmatch(r"\d+[A-Za-z_]\w*", token.text):
            return  # a name such as `2a`; numbers are looked at where they are taken
        message = f"`{token.text}` is not a whole number"
        raise _Unreadable("wrong-type", token.span, message)


def _after(row: PatternLine) -> Span:
    return Span(row.span.end, row.span.end + 1)


def _beyond(row: PatternLine, count: int, subject: str) -> None:
    """Refuse more than *count* words."""
    if len(row.tokens) > count:
        span = row.tokens[count].span.to(row.tokens[-1].span)
        raise _Unreadable("syntax", span, f"{subject} ends before this")


def _name(row: PatternLine) -> Name:
    word = row.tokens[0].text
    if len(row.tokens) < 2:
        message = f"`{word}` needs a number or a name behind it"
        raise _Unreadable("unfinished", row.span, message, f"`{word} 1`, `{word} wedge`")
    token = row.tokens[1]
    if token.kind not in ("word", "number"):
        raise _Unreadable("syntax", token.span, f"`{token.text}` is no name of a pattern")
    _beyond(row, 2, "the name of a pattern")
    return Name(token.text, span=token.span)


def _numbers(row: PatternLine, count: int) -> tuple[int, ...]:
    word, tokens = row.tokens[0].text, row.tokens[1:]
    for token in tokens[:count]:
        if token.kind != "number" or not re.fullmatch(r"[+-]?\d+", token.text):
            message = f"`{word}` takes numbers, and `{token.text}` is none"
            raise _Unreadable("wrong-type", token.span, message)
    if len(tokens) != count:
        expectation = amount(count, "number")
        presence = {0: "are none", 1: "is one"}.get(len(tokens), f"are {len(tokens)}")
        message = f"`{word}` takes {expectation}, and here {presence}"
        code = "unfinished" if len(tokens) < count else "syntax"
        span = row.span if len(tokens) < count else tokens[count].span.to(tokens[-1].span)
        raise _Unreadable(code, span, message, _form(word, count))
    return tuple(int(token.text) for token in tokens)


def _form(word: str, count: int) -> str:
    places = {1: "n", 2: "x y", 4: "x1 y1 x2 y2"}
    return f"`{word} {places[count]}`"


def _picture(row: PatternLine) -> syntax.PictureRow:
    _beyond(row, 1, "a row of a picture")
    token = row.tokens[0]
    cells = tuple(token.text[1:-1].split())
    for cell in cells:
        if len(cell) > 1 and all(sign in CELLS for sign in cell):
            message, hint = "signs of a picture stand apart", f"`| {' '.join(cell)} |`"
            raise _Unreadable("bad-picture", token.span, message, hint)
        if len(cell) > 1 or cell not in CELLS:
            message = f"`{cell}` is no sign of a picture"
            hint = "@ reference, o own, x opponent, . free, + move, # beyond the border, ? any"
            raise _Unreadable("bad-picture", token.span, message, hint)
    if not cells:
        raise _Unreadable("bad-picture", token.span, "this row of a picture is empty")
    return syntax.PictureRow(cells, span=row.span)


def _words(row: PatternLine, word: str, *form: str) -> list[Name]:
    """The names of a line that has the form of its words; `*` stands for a name."""
    tokens = row.tokens[1:]
    names: list[Name] = []
    for place, form_word in enumerate(form):
        if place >= len(tokens):
            message = f"`{row.tokens[0].text}` does not end here"
            raise _Unreadable("unfinished", row.span, message, _FORM[word])
        token = tokens[place]
        if form_word != "*" and token.text.casefold() != form_word:
            message = f"`{form_word}` is expected here, not `{token.text}`"
            raise _Unreadable("syntax", token.span, message, _FORM[word])
        if form_word == "*":
            if token.kind not in ("word", "number"):
                raise _Unreadable("syntax", token.span, f"`{token.text}` is no name", _FORM[word])
            names.append(Name(token.text, span=token.span))
    _beyond(row, len(form) + 1, f"`{row.tokens[0].text}`")
    return names


def _format(row: PatternLine) -> syntax.PatternItem:
    (name,) = _words(row, "format", "*")
    if not name.text.isdigit():
        message = f"`format` takes a number, not `{name.text}`"
        raise _Unreadable("wrong-type", name.span, message, _FORM["format"])
    return Format(Number(int(name.text), span=name.span), span=row.span)


def _patterns(row: PatternLine) -> syntax.PatternItem:
    (name,) = _words(row, "patterns", "for", "*")
    return syntax.PatternsFor(name, span=row.span)


def _around(row: PatternLine) -> syntax.PatternItem:
    if len(row.tokens) > 1 and row.tokens[1].text.casefold() == "own":
        _beyond(row, 2, "`Around own`")
        return syntax.Around(None, None, span=row.span)
    words = [token.text.casefold() for token in row.tokens[4:]]
    named = ("in", "*") if words and (words[0] != "as" or len(words) > 2) else ()
    next_ = ("as", "next") if words[len(named) :] else ()
    path, *others = _words(row, "around", "ends", "of", "*", *named, *next_)
    return syntax.Around(path, others[0] if others else None, bool(next_), span=row.span)


def _use(row: PatternLine) -> syntax.PatternItem:
    (name,) = _words(row, "use", "*")
    return syntax.UsePatterns(name, span=row.span)


def _symmetry(row: PatternLine) -> syntax.PatternItem:
    (name,) = _words(row, "symmetry", "*")
    return syntax.Symmetry(Name(name.text.casefold(), span=name.span), span=row.span)


def _priority(row: PatternLine) -> syntax.PatternItem:
    (number,) = _numbers(row, 1)
    return syntax.Priority(syntax.Whole(number, span=row.tokens[1].span), span=row.span)


def _example(row: PatternLine) -> syntax.PatternItem:
    named = [t for t in row.tokens[1:] if t.kind != "comma"]
    for token in named:
        if token.kind != "word":
            raise _Unreadable("syntax", token.span, f"`{token.text}` is no hole and no word here")
    if not named:
        raise _Unreadable("unfinished", row.span, "this example is empty", _FORM["example"])
    words = (Name(example_word(t.text), span=t.span) for t in named)
    return syntax.PatternExample(tuple(words), span=row.span)


def example_word(text: str) -> str:
    """A word of an example: its own words and directions in small letters, sites as written."""
    low = text.casefold()
    return low if low.isalpha() else text


_OTHERS: dict[str, Callable[[PatternLine], syntax.PatternItem]] = {
    "format": _format, "patterns": _patterns, "use": _use, "around": _around, "symmetry": _symmetry,
    "priority": _priority, "example": _example,
}  # fmt: skip
