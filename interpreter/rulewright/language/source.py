"""Source texts and places in them.

In: bytes or text of one file.  Out: a `Source` whose characters stand where they stood in the file,
with the characters no text may have blanked out.  Refuses: bytes that are not UTF-8, NUL bytes,
files over the size limit.  A line may end with CR LF; a CR alone is reported, and ends a line too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from attrs import field

from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.language.diagnostics import Diagnostic, Place, Report

BAD = "\x02"
_ILLEGAL = re.compile(
    r'"[^"\n]*"|#[^\n]*|[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?|\.\.'
    r"|[ \n:=<>+\-*/?|,()\[\]{}]+|\r(?=\n)|(?P<tab>\t)|(?P<bad>[^\t])"
)
_ILLEGAL_BUT_PERCENT = re.compile(r"[0-9]+(?:\.[0-9]+)?%|" + _ILLEGAL.pattern)


@record
class Span(Record):
    """A half-open range of character offsets in one source text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of *other*."""
        return Span(self.start, other.end)


@record
class Source(Record):
    """One text with its name; knows lines and columns (both from 1)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of the first character of every line."""
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def line_of(self, offset: int) -> int:
        """The number of the line that holds *offset*."""
        return bisect_right(self.line_starts, offset)

    def line(self, number: int) -> str:
        """The text of line *number* without its end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def tabs_before(self, offset: int) -> int:
        """The number of tabs between the margin and *offset*."""
        return self.text.count("\t", self.line_starts[self.line_of(offset) - 1], offset)

    def place(self, span: Span) -> Place:
        """Lines and columns of *span*."""
        line, last = self.line_of(span.start), self.line_of(max(span.start, span.end - 1))
        column = span.start - self.line_starts[line - 1] + 1
        end_column = max(span.end, span.start + 1) - self.line_starts[last - 1] + 1
        return Place(self.name, line, column, last, end_column, self.line(line))

    def mention(self, span: Span) -> str:
        """How messages name the line of *span*: `line 12`."""
        return f"line {self.line_of(span.start)}"

    def report(self, report: Report, code: str, span: Span, message: str, hint: str = "") -> None:
        """Report a mistake at *span*: the only way in which a stage complains."""
        report(Diagnostic(code, message, self.place(span), hint))


def decode(name: str, data: bytes, report: Report) -> Source | None:
    """Read *data* as UTF-8 text, or report why that cannot be done and return None."""
    top = Place(name, 1, 1, 1, 2)
    if len(data) > limits.FILE_BYTES:
        kib = limits.FILE_BYTES // 1024
        message = f"this file has more than {kib} KiB, and no more is read"
        report(Diagnostic("too-large", message, top))
        return None
    if _looks_like_utf16(data):
        report(Diagnostic("not-utf8", "this file is UTF-16 text, not UTF-8", top, _SAVE))
        return None
    if b"\0" in data:
        hint = "rules are plain text; is this the right file?"
        report(Diagnostic("not-text", "this file holds binary data, not text", top, hint))
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"the byte {data[error.start]:#04x} here is not UTF-8 text"
        report(Diagnostic("not-utf8", message, _place_in(name, data, error.start), _SAVE))
        return None
    return _with_line_ends(Source(name, text), report)


_SAVE = "save the file as UTF-8 in your editor"
_LONE_CR = re.compile(r"\r(?!\n)")


def _looks_like_utf16(data: bytes) -> bool:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return marked or any(data[i : i + 40 : 2].count(0) >= 8 for i in (0, 1))


def _place_in(name: str, data: bytes, offset: int) -> Place:
    """The place of a byte that no text has; other such bytes of its line are shown as `?`."""
    line, start = data.count(b"\n", 0, offset) + 1, data.rfind(b"\n", 0, offset) + 1
    shown = data[start:].partition(b"\n")[0].decode("utf-8", "replace").rstrip("\r")
    column = len(data[start:offset].decode("utf-8", "replace")) + 1
    return Place(name, line, column, line, column + 1, shown.replace("\ufffd", "?"))


def _with_line_ends(source: Source, report: Report) -> Source:
    """The same text with every lone CR read as the end of a line; reports the first of them."""
    lone = _LONE_CR.search(source.text)
    if lone is None:
        return source
    plain = Source(source.name, _LONE_CR.sub("\n", source.text))
    message = "this line ends with a lone carriage return"
    hint = "save the file with the line ends of Unix or Windows"
    plain.report(report, "bad-character", Span(lone.start(), lone.end()), message, hint)
    return plain


def clean(source: Source, report: Report, percent: bool = False) -> str:
    """Return the text with tabs as blanks and foreign characters marked; report each of them.

    With *percent* a number may have a `%` behind it.
    """
    tabs = [m.start() for m in _ILLEGAL.finditer(source.text) if m["tab"]]
    if tabs:
        more = f", and {len(tabs) - 1} more in this file" if len(tabs) > 1 else ""
        message, hint = f"a tab stands here{more}", "indent with blanks, two for each level"
        source.report(report, "tab", Span(tabs[0], tabs[0] + 1), message, hint)
    return blanked(source.text, percent)


def blanked(text: str, percent: bool = False) -> str:
    """*text* with tabs as blanks and foreign characters marked, every place kept."""
    illegal = _ILLEGAL_BUT_PERCENT if percent else _ILLEGAL
    return illegal.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    if match["tab"]:
        return " "
    return BAD if match["bad"] else match[0]
