"""Results of `cover`, `mutate` and `claims` as notes beside the lines of a text, also after edits.

In: a text and the JSON that a command wrote about it.  Out: notes with claims to add, each at its
line as long as that line is unchanged; and how often each line was reached.  What `mutate` has kept
of earlier runs is a study too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.app.service.document import Document
from rulewright.app.service.edits import line_edits
from rulewright.app.service.navigation import Edit
from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import kept_report
from rulewright.checks.observing import claim_lines, text_with_claims
from rulewright.ground.printable import amount
from rulewright.language.source import Span

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "cover": ("--time", "60"),
    "mutate": ("--time", "120", "--workers", "1"),
    "claims": (),
}
"""The commands that study a text, with their options."""


@frozen
class Note:
    """A note about a line, or about a whole text (line 0), and the claim that would answer it."""

    line: int
    text: str
    claim: str = ""
    dead: bool = False
    """Whether nothing uses the line."""


@frozen
class Study:
    """The result of a command: a summary, notes, and how often lines were reached.

    `about` is the text that was studied.
    """

    command: str
    about: str
    summary: str
    notes: tuple[Note, ...]
    counts: Mapping[int, int] = field(factory=dict)


@define
class Studies:
    """The last study of each text by each command."""

    _studies: dict[tuple[Path, str], Study] = field(factory=dict)

    def add(self, path: Path, study: Study) -> None:
        """Keep a study, in place of an earlier one by the same command."""
        self._studies[path, study.command] = study

    def of(self, document: Document) -> list[Study]:
        """The studies of a text, also of earlier versions of it."""
        return [study for (path, _), study in self._studies.items() if path == document.path]

    def notes(self, document: Document) -> Iterator[tuple[Span, str, Note]]:
        """The notes: current place, command, note; not those of changed lines or written claims."""
        claimed = claim_lines(document.text) if document.language == "rules" else set()
        for study in self.of(document):
            places = _places(study.about, document.text)
            for note in study.notes:
                if note.line in places and (not note.claim or note.claim not in claimed):
                    yield _line(document.text, places[note.line]), study.command, note

    def counts(self, document: Document) -> dict[int, int]:
        """Count how often games of kept studies reached each line, numbered as the text is now."""
        counts: dict[int, int] = {}
        for study in self.of(document):
            places = _places(study.about, document.text)
            counts |= {places[n]: count for n, count in study.counts.items() if n in places}
        return counts


def _places(old: str, new: str) -> dict[int, int]:
    """Map line numbers of an old text to a new one: unchanged lines, and unique ones that moved."""
    numbers = defaultdict[str, list[int]](list)
    for number, line in enumerate(new.splitlines(), 1):
        numbers[line].append(number)
    places = {0: 0}
    for number, line in enumerate(old.splitlines(), 1):
        places_there = numbers[line]
        if number in places_there or len(places_there) == 1:
            places[number] = number if number in places_there else places_there[0]
    return places


def _line(text: str, number: int) -> Span:
    """The span of the words of a line; for line 0 the first character of the text."""
    lines = text.splitlines(keepends=True)
    if not 1 <= number <= len(lines):
        return Span(0, min(1, len(text)))
    start = sum(map(len, lines[: number - 1]))
    line = lines[number - 1].partition("#")[0].rstrip()
    return Span(start + len(line) - len(line.lstrip()), start + len(line))


def claim_edits(document: Document, claims: list[str]) -> tuple[Edit, ...]:
    """The edits that add claims behind those of the text."""
    return tuple(line_edits(document.text, text_with_claims(document.text, claims)))


# --- the JSON of commands ---


def study(command: str, text: str, data: Mapping[str, Any]) -> Study:
    """Read what `cover`, `mutate` or `claims` wrote with `--format json`."""
    match command:
        case "cover":
            return _cover(text, data["reports"][0])
        case "mutate":
            return _mutate(text, data)
    claims = (claim for claim in data["claims"] if not claim["counts"])
    notes = tuple(Note(0, f"{c['claim']}  ({c['why']})", c["claim"]) for c in claims)
    return Study(command, text, f"{amount(len(notes), 'claim')} proposed", notes)


def _cover(text: str, report: Mapping[str, Any]) -> Study:
    notes = tuple(Note(_number(c["place"]), _unused(c), dead=True) for c in report["dead"])
    counts: dict[int, int] = {}
    for clause in report["clauses"]:
        number = _number(clause["place"])
        counts[number] = max(counts.get(number, 0), clause["reached"])
    count = sum(not clause.get("why") for clause in report["clauses"])
    summary = f"{count} of {amount(len(report['clauses']), 'part')} used"
    return Study("cover", text, summary, notes, counts)


def _unused(clause: Mapping[str, Any]) -> str:
    proof = f" (and cannot: {clause['proof']})" if clause.get("proof") else ""
    return f"{clause['why']} by any game that was played{proof}"


def _number(place: str) -> int:
    return int(place.rpartition(":")[2])


def _mutate(text: str, data: Mapping[str, Any]) -> Study:
    notes = tuple(Note(s["line"], _survivor(s), s["claim"]) for s in data["survivors"])
    summary = f"{data['found']} of {amount(data['mutants'], 'fault')} found"
    summary += f", {data['untried']} not tried" * bool(data["untried"])
    return Study("mutate", text, summary, notes)


def _survivor(survivor: Mapping[str, Any]) -> str:
    old, new = (" ".join(str(survivor[key]).split()) for key in ("from", "to"))
    change = f"with `{new}` for `{old}`" if new else f"without `{old}`"
    moves = " ".join(survivor["moves"] or ()) or "(the first position)"
    return f"nothing would notice {survivor['fault']}, {change}: it differs after {moves}"


def kept_study(document: Document) -> Study | None:
    """The study of earlier runs of `mutate` on the file of a document; None if there were none."""
    if document.language != "rules":
        return None
    report = kept_report(MutationSubject(document.name, str(document.path), document.text))
    return None if report is None else _mutate(document.text, report.as_data())
