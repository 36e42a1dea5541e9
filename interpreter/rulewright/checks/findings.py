"""Findings: a property that does not hold, and the shortest game that shows it.

In: a property, a message, a state.  Out: text with moves, board and clauses; plain data; JUnit XML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol
from xml.etree import ElementTree

from attrs import field, frozen

from rulewright.ground.printable import amount, printable
from rulewright.ground.records import as_json, fields_as_json
from rulewright.language.diagnostics import Place
from rulewright.model.rules import Origin


@frozen
class Clause:
    """A line of a file: `file:line` and its text."""

    place: str
    text: str


class LocatedText(Protocol):
    """Rules or an evaluator: what knows the places of its text."""

    @property
    def origins(self) -> Sequence[Origin]:
        """All places that are referred to."""

    def place(self, origin: int) -> str:
        """`file:line` of one of them."""


def clause(text: LocatedText, origin: int) -> Clause:
    """The line of an origin."""
    return Clause(text.place(origin), text.origins[origin].text)


def place_of(text: LocatedText, origin: int) -> Place:
    """The whole line of an origin, for a diagnostic."""
    return whole_line(text.origins[origin])


def whole_line(line: Origin) -> Place:
    """The place of a line of a file, from its first column to its end."""
    return Place(line.file, line.line, 1, line.line, len(line.text) + 1, line.text)


@frozen
class Finding:
    """A property that does not hold.

    `moves` is the game that shows it, None where no game does; `about` the clause that the message
    is about; `clauses` those that acted in the last decision; `options` those of the game
    where they are not those of the file.
    """

    name: str
    message: str
    moves: tuple[str, ...] | None = None
    board: str = ""
    about: Clause | None = None
    clauses: tuple[Clause, ...] = ()
    replay: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def as_data(self) -> dict[str, object]:
        """The finding as plain data, with the names of `test --format json`."""
        data = {"property": self.name, **fields_as_json(self, "message moves board")}
        about = {"clause": as_json(self.about), "acted": as_json(self.clauses)}
        return {**data, **about, "replay": self.replay}

    def render(self, meaning: str) -> str:
        """The finding for people: what should hold, what does not, and how to see it."""
        head = f"{self.name}: {self.message}"
        lines = [f"  should hold: {meaning}"] if meaning else []
        if self.about and self.about.place:
            lines.append(f"  {self.about.place}: {self.about.text}")
        if self.moves is not None:
            decisions = " ".join(self.moves) or "(none: the first position shows it)"
            number = len(self.moves)
            lines.append(f"  after {amount(number, 'decision')}: {decisions}")
        lines += [f"    {row}" for row in self.board.splitlines()]
        if self.clauses:
            lines.append("  what the last decision did:")
            lines += [f"    {c.place}: {c.text}" for c in self.clauses]
        if self.replay:
            lines.append(f"  see it again: {self.replay}")
        return "\n".join([head, *lines])


@frozen
class PropertyResult:
    """One property of one file: its findings, how much was looked at, why it was skipped."""

    name: str
    findings: tuple[Finding, ...] = ()
    looked: str = ""
    skipped: str = ""

    @property
    def status(self) -> str:
        """`failed`, `left out` or `held`."""
        return "failed" if self.findings else "left out" if self.skipped else "held"


@frozen
class FileReport:
    """The results of all properties of one file."""

    file: str
    game: str
    options: dict[str, int | float | bool]
    seed: int
    tried: tuple[PropertyResult, ...] = field(factory=tuple)
    hints: tuple[Finding, ...] = ()
    """Findings that may be meant so; they fail no test."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all properties."""
        return tuple(finding for result in self.tried for finding in result.findings)

    def as_data(self) -> dict[str, object]:
        """The report as plain data."""
        results = [fields_as_json(result, "name status looked skipped") for result in self.tried]
        data = fields_as_json(self, "file game options seed")
        findings = {"findings": as_json(self.findings), "hints": as_json(self.hints)}
        return {**data, "properties": results, **findings}


def junit(reports: Sequence[FileReport], meaning: Callable[[str, str], str]) -> str:
    """The reports as JUnit XML: a suite for each file, a case for each property.

    *meaning* says of a file and a property what should hold.
    """
    top = ElementTree.Element("testsuites", name="rulewright")
    for report in reports:
        suite = ElementTree.SubElement(
            top,
            "testsuite",
            name=report.file,
            tests=str(len(report.tried)),
            failures=str(sum(bool(t.findings) for t in report.tried)),
            skipped=str(sum(bool(t.skipped) for t in report.tried)),
            errors="0",
        )
        for result in report.tried:
            name = result.name
            case = ElementTree.SubElement(suite, "testcase", name=name, classname=report.file)
            if result.skipped:
                ElementTree.SubElement(case, "skipped", message=result.skipped)
            for finding in result.findings:
                failure = ElementTree.SubElement(case, "failure", message=finding.message)
                failure.text = finding.render(meaning(report.file, name))
    ElementTree.indent(top)
    text = ElementTree.tostring(top, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{printable(text)}\n'
