"""What games used of a file: counts by line, and what is remarkable about them.

In: notes of instrumented games (or counts made elsewhere).  Out: the file with its counts, and the
lines that nothing used, each with a proof where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Protocol

from attrs import define, field, frozen

from rulewright.checks.clauses import Clause
from rulewright.checks.instrument import Notebook, Spot
from rulewright.model.expressions import Type
from rulewright.model.rules import Origin
from rulewright.reference.position import Context


@frozen
class Use:
    """A clause, or a part of one: how often it was reached, and how often it was true or found any.

    `why` says what is remarkable: `never reached`, `never true`, `always true`, `never any`.  What
    another value of an option brings to life names it in `only`.
    """

    kind: str
    line: int
    clause: Clause
    reached: int
    true: int
    why: str = ""
    proof: str = ""
    only: str = ""
    spot: Spot | None = field(default=None, eq=False, repr=False)

    @property
    def count(self) -> int:
        """How often it was of use: reached, or for what is tried in each position, how often so."""
        return self.true if self.kind in ("factor", "pick", "consider", "pattern") else self.reached

    @property
    def noted(self) -> str:
        """What is remarkable, and whether of the clause or of a part of it."""
        if self.only:
            return f"only with {self.only}"
        return f"a part is {self.why}" if self.kind == "part" and self.why else self.why

    def as_data(self) -> dict[str, object]:
        """The use as plain data."""
        return {
            **self.clause.as_data(),
            "kind": self.kind,
            "reached": self.reached,
            "true": self.true,
            "why": self.why or None,
            "proof": self.proof or None,
            "only": self.only or None,
        }


@frozen
class Dead:
    """A line that nothing used, or that always comes out alike, and why that must be so."""

    place: str
    text: str
    why: str
    proof: str = ""

    def as_data(self) -> dict[str, object]:
        """The line as plain data."""
        proof = self.proof or None
        return {"place": self.place, "text": self.text, "why": self.why, "proof": proof}


@frozen
class Coverage:
    """What was used: every clause in the order of the text, and how much was looked at."""

    game: str
    options: dict[str, Any]
    uses: tuple[Use, ...]
    positions: int
    games: int
    whole: bool = False
    """Whether every position of the game was looked at."""

    @property
    def dead(self) -> list[Dead]:
        """The lines that nothing used, each once, and conditions that always come out alike."""
        found: dict[str, Dead] = {}
        for use in sorted(self.uses, key=lambda use: use.line):
            place = use.clause.place
            if use.why and not use.only and place not in found:
                found[place] = Dead(place, use.clause.text, use.noted, use.proof)
        return list(found.values())

    def as_data(self) -> dict[str, object]:
        """The coverage as plain data, with the names of `cover --format json`."""
        return {
            "game": self.game,
            "options": self.options,
            "positions": self.positions,
            "games": self.games,
            "whole": self.whole,
            "clauses": [use.as_data() for use in self.uses],
            "dead": [one.as_data() for one in self.dead],
        }

    def annotated(self, text: str) -> Iterator[str]:
        """The lines of the file, each with how often it was reached and what is remarkable."""
        ordered = sorted(self.uses, key=lambda use: use.line)
        by_line = {number: list(uses) for number, uses in groupby(ordered, lambda u: u.line)}
        for number, line in enumerate(text.splitlines(), 1):
            uses = by_line.get(number, [])
            count = f"{max(u.count for u in uses):,}" if uses else ""
            notes = list(dict.fromkeys(u.noted for u in uses if u.noted))
            told = f"   <- {', '.join(notes)}" if notes else ""
            yield f"{count:>10} | {line}{told}"


class Text(Protocol):
    """Rules or an evaluator: what knows the places of its text."""

    @property
    def origins(self) -> Sequence[Origin]:
        """All places that are referred to."""

    def place(self, origin: int) -> str:
        """`file:line` of one of them."""


@define(eq=False)
class Counter:
    """Listens to a notebook, and counts."""

    reached: dict[int, int] = field(factory=dict)
    true: dict[int, int] = field(factory=dict)

    def __call__(self, spot: Spot, value: Any, context: Context) -> None:
        """Count that a spot was reached, and whether its value was true or had members."""
        self.reached[spot.number] = self.reached.get(spot.number, 0) + 1
        if value:
            self.true[spot.number] = self.true.get(spot.number, 0) + 1

    def uses(self, book: Notebook, text: Text) -> Iterator[Use]:
        """What was noted of every spot."""
        for spot in book.spots:
            reached, true = self.reached.get(spot.number, 0), self.true.get(spot.number, 0)
            origin = text.origins[spot.origin]
            clause = Clause(text.place(spot.origin), origin.text)
            why = _why(spot, reached, true)
            yield Use(spot.kind, origin.line, clause, reached, true, why, spot=spot)


def _why(spot: Spot, reached: int, true: int) -> str:
    """What is remarkable about a clause."""
    if not reached:
        return "never reached"
    truth = getattr(spot.node, "type", None) is Type.TRUTH or spot.kind == "end"
    if spot.kind in ("choice", "effect") or not truth:
        return "never any" if spot.kind in ("choice", "effect") and not true else ""
    if not true:
        return "never true"
    return "always true" if true == reached and spot.kind in ("need", "if", "part") else ""
