"""Which clauses of a rules file were used, by the positions of random games.

In: a game, an effort and a seed.  Out: for each clause how often it was reached and how it came
out; the clauses that nothing used, with a proof where there is a cheap one (see `dead.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.errors import Fault
from rulewright.game import Game, State
from rulewright.model.expressions import Type
from rulewright.reference.context import Context
from rulewright.verify.chance import is_fault, shown, tally
from rulewright.verify.clauses import Clause, clause
from rulewright.verify.dead import proofs
from rulewright.verify.effort import CALLS, GAMES, Price, price
from rulewright.verify.explore import sampled, shortest
from rulewright.verify.ground import Ground
from rulewright.verify.instrument import Notebook, Spot, instrumented

_WHOLE = 0.5
"""The share of the calls that goes into looking at the whole game, where it is small enough."""
_RARE = 0.5
"""What may be spent beside that to play rare games again."""


@frozen
class Use:
    """A clause, or a part of one: how often it was reached, and how often it was true or found any.

    `why` says what is remarkable: `never reached`, `never true`, `always true`, `never any`.
    """

    spot: Spot
    clause: Clause
    reached: int
    true: int
    why: str = ""
    proof: str = ""

    def as_data(self) -> dict[str, object]:
        """The use as plain data."""
        return {
            **self.clause.as_data(),
            "kind": self.spot.kind,
            "reached": self.reached,
            "true": self.true,
            "why": self.why or None,
            "proof": self.proof or None,
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
        return {"place": self.place, "text": self.text, "why": self.why, "proof": self.proof}


@frozen
class Coverage:
    """What was used: every clause in the order of the text, and how much was looked at."""

    game: Game
    uses: tuple[Use, ...]
    positions: int
    games: int
    whole: bool
    """Whether every position of the game was looked at."""

    @property
    def dead(self) -> list[Dead]:
        """The lines that nothing used, each once, and conditions that always come out alike."""
        found: dict[str, Dead] = {}
        for use in self.uses:
            if use.why and use.clause.place not in found:
                found[use.clause.place] = Dead(
                    use.clause.place, use.clause.text, _noted(use), use.proof
                )
        return list(found.values())

    def as_data(self) -> dict[str, object]:
        """The coverage as plain data, with the names of `cover --format json`."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "positions": self.positions,
            "games": self.games,
            "whole": self.whole,
            "clauses": [use.as_data() for use in self.uses],
            "dead": [one.as_data() for one in self.dead],
        }

    def annotated(self, text: str) -> Iterator[str]:
        """The lines of the file, each with how often it was reached and what is remarkable."""
        by_line = {
            number: list(uses)
            for number, uses in groupby(sorted(self.uses, key=self._line), self._line)
        }
        for number, line in enumerate(text.splitlines(), 1):
            uses = by_line.get(number, [])
            count = f"{max(u.reached for u in uses):,}" if uses else ""
            notes = list(dict.fromkeys(_noted(u) for u in uses if u.why))
            told = f"   <- {', '.join(notes)}" if notes else ""
            yield f"{count:>10} | {line}{told}"

    def _line(self, use: Use) -> int:
        return self.game.rules.origins[use.spot.origin].line


def _noted(use: Use) -> str:
    """What is remarkable, and whether of the clause or of a part of it."""
    return f"a part is {use.why}" if use.spot.kind == "part" else use.why


@define(eq=False)
class _Counter:
    """Counts what the notes say."""

    reached: dict[int, int] = field(factory=dict)
    true: dict[int, int] = field(factory=dict)

    def __call__(self, spot: Spot, value: Any, context: Context) -> None:
        self.reached[spot.number] = self.reached.get(spot.number, 0) + 1
        if value:
            self.true[spot.number] = self.true.get(spot.number, 0) + 1


def cover_rules(game: Game, effort: float = 1.0, seed: int = 0) -> Coverage:
    """Play random games on rules with notes in them, and count what they note."""
    rules, book = instrumented(game.rules)
    noted, counter = Game(rules), _Counter()
    cost, calls = price(game, seed), round(CALLS * effort)
    book.listener = counter
    states, whole = _short(noted, round(calls * _WHOLE), cost.listing)
    games = 0
    if not whole:
        for state in sampled(noted, cost, round(calls * (1 - _WHOLE)), seed):
            states += 1
            games += state.situation.ended is not None
            _looked(state)
        for moves in _rare(game, cost, round(calls * _RARE), seed):
            _looked(Ground(noted).played(moves))
            games += 1
    book.listener = None
    return Coverage(game, tuple(_uses(game, book, counter, whole)), states, games, whole)


def _short(game: Game, calls: int, listing: int) -> tuple[int, bool]:
    """Look at the positions of short games; how many, and whether these were all."""
    number = 0
    for state in shortest(game):
        number += 1
        _looked(state)
        calls -= listing
        if calls < 0:
            return number, False
    return number, not game.rules.looks_back


def _rare(game: Game, cost: Price, calls: int, seed: int) -> Iterator[list[str]]:
    """Games that end in rare ways, found among many that kernels play, as far as calls allow."""
    ground = Ground(game)
    if ground.engine is None:
        return
    found = tally(ground, cost, 0, GAMES, seed)
    for kind, played in sorted(found.first.items(), key=lambda one: found.ends[one[0]]):
        calls -= played.plies * cost.listing
        if calls < 0:
            return
        state = None if is_fault(kind) else shown(ground, played, played.plies)
        if state is not None:
            yield state.decisions()


def _looked(state: State) -> None:
    try:
        state.moves()
        _ = state.result
    except Fault:
        return


def _uses(game: Game, book: Notebook, counter: _Counter, whole: bool) -> Iterator[Use]:
    """What was noted, with what is remarkable about it."""
    known = proofs(game.rules)
    for spot in book.spots:
        reached, true = counter.reached.get(spot.number, 0), counter.true.get(spot.number, 0)
        use = Use(spot, clause(game.rules, spot.origin), reached, true)
        why = _why(spot, reached, true)
        proof = "every position of the game was looked at" if whole else ""
        yield evolve(use, why=why, proof=(known.get(spot.origin) or proof) if why else "")


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
