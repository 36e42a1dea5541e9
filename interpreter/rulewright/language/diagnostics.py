"""Complaints as values: what is wrong, where, and what to do.

A diagnostic is never raised while a text is read; stages hand it to a `Report` and go on.  The
registry of codes is `codes.py`; tests and docs name the code, wording may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from attrs import evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.language.codes import CODES


@frozen
class Place:
    """Where a complaint is about: file, line and column from 1, and the text of the line."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    excerpt: str = field(default="", repr=False)


@frozen
class Diagnostic:
    """One complaint about one place."""

    code: str = field()
    message: str
    place: Place
    hint: str = ""

    @code.validator
    def _registered(self, _: object, code: str) -> None:
        if code not in CODES:
            raise KeyError(f"the code {code} is not in the registry")

    @property
    def severity(self) -> str:
        """`error`, or `warning` for what a game can be played with."""
        return CODES[self.code].severity

    def __str__(self) -> str:
        where = f"{self.place.file}:{self.place.line}:{self.place.column}"
        kind = "" if self.severity == "error" else "warning: "
        return f"{where}: {kind}{self.message} [{self.code}]"

    def render(self) -> str:
        """The complaint, the line it is about with carets below, and the hint."""
        lines = [str(self)]
        if self.place.excerpt.strip():
            lines += [f"    {_plain(self.place.excerpt)}", f"    {self._carets()}"]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def _carets(self) -> str:
        place = self.place
        width = len(place.excerpt) + 1 - place.column
        if place.end_line == place.line:
            width = min(width, place.end_column - place.column)
        return " " * (place.column - 1) + "^" * max(1, width)

    def as_data(self) -> dict[str, object]:
        """The complaint as plain data, with the names of `check --format json`."""
        place = self.place
        return {
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
        }


class TextError(RulewrightError):
    """A text cannot be used; `diagnostics` holds every mistake found in it, not only the first."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in self.diagnostics))


Report = Callable[[Diagnostic], None]


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)


class Collector:
    """Keeps diagnostics, each once; itself the `Report` that stages call."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Place], Diagnostic] = {}

    def __call__(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault((diagnostic.code, diagnostic.place), diagnostic)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All of them in the order of the text."""
        return tuple(
            sorted(self._found.values(), key=lambda d: (d.place.line, d.place.column, d.code))
        )

    @property
    def failed(self) -> bool:
        """Whether any of them is an error."""
        return any(d.severity == "error" for d in self._found.values())


def renamed(diagnostics: Iterable[Diagnostic], file: str) -> list[Diagnostic]:
    """The same complaints about a text known to the user as *file*."""
    return [evolve(d, place=evolve(d.place, file=file)) for d in diagnostics]


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that *word* was probably meant to be, or an empty text."""
    choices = sorted(set(known))
    same = [k for k in choices if k.casefold() == word.casefold()]
    close = same or get_close_matches(word, choices, n=1, cutoff=0.65)
    return close[0] if close else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint with the nearest known word, or an empty text."""
    close = nearest(word, known)
    return f"did you mean `{close}`?" if close else ""
