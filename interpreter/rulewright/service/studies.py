"""What `cover`, `mutate` and `claims` have said of a text, beside its lines and after edits.

In: a text and what a command wrote of it as JSON.  Out: notes at the lines that they are about, as
long as these stand as they stood, with claims to add; and how often each line was reached.  What
`mutate` has kept of earlier runs is a study too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import kept_report
from rulewright.checks.observing import added, claim_lines
from rulewright.language.source import Span
from rulewright.printable import amount
from rulewright.service.document import Document
from rulewright.service.edits import changed
from rulewright.service.navigation import Edit

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "cover": ("--time", "60"),
    "mutate": ("--time", "120", "--workers", "1"),
    "claims": (),
}
"""What can be studied, and the options of its command."""


@frozen
class Note:
    """What is said of a line, or of all of a text (line 0), and the claim that would answer it."""

    line: int
    text: str
    claim: str = ""
    dead: bool = False
    """Whether nothing uses the line."""


@frozen
class Study:
    """What a command found in a text: in words, as notes, and how often lines were reached."""

    what: str
    about: str
    told: str
    notes: tuple[Note, ...]
    counts: Mapping[int, int] = field(factory=dict)


@define
class Studies:
    """The last study of each kind for each text."""

    _known: dict[tuple[Path, str], Study] = field(factory=dict)

    def add(self, path: Path, study: Study) -> None:
        """Keep a study, in the place of an earlier one of its kind."""
        self._known[path, study.what] = study

    def of(self, document: Document) -> list[Study]:
        """What is known of a text, also of an earlier state of it."""
        return [one for (path, _), one in self._known.items() if path == document.path]

    def notes(self, document: Document) -> Iterator[tuple[Span, str, Note]]:
        """The notes with their places now; those of lines that changed or are claimed are gone."""
        claimed = claim_lines(document.text) if document.language == "rules" else set()
        for study in self.of(document):
            places = _places(study.about, document.text)
            for note in study.notes:
                if note.line in places and (not note.claim or note.claim not in claimed):
                    yield _line(document.text, places[note.line]), study.what, note

    def counts(self, document: Document) -> dict[int, int]:
        """How often lines were reached by games, by their numbers now."""
        found: dict[int, int] = {}
        for study in self.of(document):
            places = _places(study.about, document.text)
            found |= {places[n]: count for n, count in study.counts.items() if n in places}
        return found


def _places(old: str, new: str) -> dict[int, int]:
    """Where the lines of an old text stand in a new one: at their place, or alone elsewhere."""
    before, now = old.splitlines(), new.splitlines()
    where: dict[str, list[int]] = {}
    for number, line in enumerate(now, 1):
        where.setdefault(line, []).append(number)
    found = {0: 0}
    for number, line in enumerate(before, 1):
        there = where.get(line, [])
        if number in there or len(there) == 1:
            found[number] = number if number in there else there[0]
    return found


def _line(text: str, number: int) -> Span:
    """The words of a line; of line 0 the beginning of the text."""
    lines = text.splitlines(keepends=True)
    if not 1 <= number <= len(lines):
        return Span(0, min(1, len(text)))
    start = sum(map(len, lines[: number - 1]))
    line = lines[number - 1].partition("#")[0].rstrip()
    return Span(start + len(line) - len(line.lstrip()), start + len(line))


def claim_edits(document: Document, claims: list[str]) -> tuple[Edit, ...]:
    """The edits that add claims behind those that there are."""
    return tuple(changed(document.text, added(document.text, claims)))


# --- what commands say ---


def study(what: str, text: str, data: Mapping[str, Any]) -> Study:
    """What `cover`, `mutate` or `claims` wrote with `--format json`."""
    match what:
        case "cover":
            return _cover(text, data["reports"][0])
        case "mutate":
            return _mutate(text, data)
    claims = (one for one in data["claims"] if not one["counts"])
    found = tuple(Note(0, f"{c['claim']}  ({c['why']})", c["claim"]) for c in claims)
    return Study(what, text, f"{amount(len(found), 'claim')} proposed", found)


def _cover(text: str, report: Mapping[str, Any]) -> Study:
    notes = tuple(Note(_number(one["place"]), _unused(one), dead=True) for one in report["dead"])
    counts: dict[int, int] = {}
    for one in report["clauses"]:
        number = _number(one["place"])
        counts[number] = max(counts.get(number, 0), one["reached"])
    used = sum(not one.get("why") for one in report["clauses"])
    told = f"{used} of {amount(len(report['clauses']), 'part')} used"
    return Study("cover", text, told, notes, counts)


def _unused(one: Mapping[str, Any]) -> str:
    proof = f" (and cannot: {one['proof']})" if one.get("proof") else ""
    return f"{one['why']} by any game that was played{proof}"


def _number(place: str) -> int:
    return int(place.rpartition(":")[2])


def _mutate(text: str, data: Mapping[str, Any]) -> Study:
    notes = tuple(Note(one["line"], _survivor(one), one["claim"]) for one in data["survivors"])
    told = f"{data['found']} of {amount(data['mutants'], 'fault')} found"
    told += f", {data['untried']} not tried" * bool(data["untried"])
    return Study("mutate", text, told, notes)


def _survivor(one: Mapping[str, Any]) -> str:
    old, new = (" ".join(str(one[key]).split()) for key in ("from", "to"))
    change = f"with `{new}` for `{old}`" if new else f"without `{old}`"
    moves = " ".join(one["moves"] or ()) or "(the first position)"
    return f"nothing would notice {one['fault']}, {change}: it differs after {moves}"


def kept(document: Document) -> Study | None:
    """What earlier runs of `mutate` found in the file that an editor shows, if there were any."""
    if document.language != "rules":
        return None
    report = kept_report(MutationSubject(document.name, str(document.path), document.text))
    return None if report is None else _mutate(document.text, report.as_data())
