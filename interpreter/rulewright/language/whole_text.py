"""A text that is put together of parts of others, and still knows where each part stands.

In: parts of sources, and words that stand for others.  Out: a `Source` whose places are those of
the files that its parts were taken from, so that a message, a fault or a count of lines names the
file in which somebody can read the line.
"""

from __future__ import annotations

from bisect import bisect_right

from attrs import define, field

from rulewright.ground.records import Record, record
from rulewright.language.diagnostics import CODES, Diagnostic, Place, Report
from rulewright.language.source import Source, Span


@record
class TextPiece(Record):
    """A part of the text: where it begins, and where it stands in the file it was taken from.

    Without *exact* its words are others than those that stand there.
    """

    start: int
    home: Source
    offset: int
    exact: bool


@record
class WholeText(Source):
    """The whole text of rules that build on others; *anchor* is where they name these."""

    own: Source
    anchor: Span
    pieces: tuple[TextPiece, ...] = field(repr=False)

    def home(self, span: Span) -> tuple[Source, Span]:
        """The file that a part was taken from, and its place there."""
        first, start = self._origin(span.start)
        last, end = self._origin(max(span.start, span.end - 1))
        whole = first.home is last.home and end >= start
        return first.home, Span(start, max(start, end + 1 if whole else start))

    def _origin(self, offset: int) -> tuple[TextPiece, int]:
        number = bisect_right(self.pieces, offset, key=lambda piece: piece.start)
        piece = self.pieces[max(0, number - 1)]
        return piece, piece.offset + (offset - piece.start if piece.exact else 0)

    def own_span(self, span: Span) -> Span | None:
        """The place of a part in the file itself; None for one that stands elsewhere."""
        piece, _ = self._origin(span.start)
        return self.home(span)[1] if piece.home is self.own and piece.exact else None

    def place(self, span: Span) -> Place:
        """Lines and columns of *span* in the file that it was taken from."""
        source, at = self.home(span)
        return source.place(at)

    def mention(self, span: Span) -> str:
        """The line of *span*, with its file where that is another one."""
        source, at = self.home(span)
        line = source.mention(at)
        return line if source is self.own else f"{line} of {source.name}"

    def report(self, report: Report, code: str, span: Span, message: str, hint: str = "") -> None:
        """Report a mistake; one in the text built upon where this one names it.

        That text has no mistakes of its own, so what is one now is made by the lines of this file.
        """
        source, at = self.home(span)
        if source is self.own:
            source.report(report, code, at, message, hint)
        elif CODES[code].severity == "error":
            place = source.place(at)
            message = f"{message} ({place.file}:{place.line})"
            report(Diagnostic(code, message, self.own.place(self.anchor), hint))


@define(eq=False, repr=False)
class WholeWriter(Record):
    """Puts a text together, part by part."""

    parts: list[str] = field(factory=list)
    pieces: list[TextPiece] = field(factory=list)
    length: int = 0

    def copy(self, source: Source, span: Span) -> None:
        """Add a part of a source, which may be a whole text itself."""
        for start, end, home, offset, exact in _parts(source, span):
            self._add(source.text[start:end], TextPiece(self.length, home, offset, exact))

    def write(self, text: str, source: Source, span: Span) -> None:
        """Add words that stand for those at *span*."""
        home, at = source.home(span) if isinstance(source, WholeText) else (source, span)
        self._add(text, TextPiece(self.length, home, at.start, False))

    def _add(self, text: str, piece: TextPiece) -> None:
        if text:
            self.parts.append(text)
            self.pieces.append(piece)
            self.length += len(text)

    def whole(self, own: Source, anchor: Span) -> WholeText:
        """The text so far."""
        return WholeText(own.name, "".join(self.parts), own, anchor, tuple(self.pieces))


def _parts(source: Source, span: Span) -> list[tuple[int, int, Source, int, bool]]:
    """The parts of *span*: begin and end, the file each was taken from, and its place there."""
    if not isinstance(source, WholeText):
        return [(span.start, span.end, source, span.start, True)]
    parts = []
    first = max(0, bisect_right(source.pieces, span.start, key=lambda p: p.start) - 1)
    ends = [*(piece.start for piece in source.pieces[first + 1 :]), len(source.text)]
    for piece, stop in zip(source.pieces[first:], ends, strict=True):
        start, end = max(span.start, piece.start), min(span.end, stop)
        if start >= span.end:
            break
        offset = piece.offset + (start - piece.start if piece.exact else 0)
        parts.append((start, end, piece.home, offset, piece.exact))
    return parts
