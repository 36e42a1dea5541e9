"""Patterns mined from recorded games.

In: a game, files of recorded games, where patterns are tried.  Out: `Mined`: patterns with their
strengths, the best first, and how well they tell the moves of games that were held out.  Rules are
grown for each outlook (`growing.py`), then weighed together by contests (`strengths.py`) over all
legal moves, with the same matching that players use; those that are no stronger than a move which
nothing proposes are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.ground.records import Record
from rulewright.language.resolve.pattern_bodies import MOST_PRIORITY
from rulewright.learning.aims import PROBE, aim
from rulewright.learning.growing import grow
from rulewright.learning.lane_arrays import numpy
from rulewright.learning.outlooks import Lattice
from rulewright.learning.placements import PlacedDecision
from rulewright.learning.shapes import ShapeReader
from rulewright.learning.strengths import Contests, Prediction, Proposals, predict
from rulewright.model import patterns as m
from rulewright.model.patterns import Pattern, Patterns
from rulewright.players.pattern_use import Workbench

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

LEAST, MOST = 10, 100
_ROUNDS = 4
"""How often patterns are ranked by their strengths and weighed again."""
_SURE = 1.96


@frozen
class MiningTerms:
    """How patterns are mined.

    `reach`: how far the move may lie from its reference point, `near`: how far conditions may lie
    from either.  `least`: moves played for which each pattern must hold.  `most`: patterns that are
    kept.  `held_out`: the share of games that judge them, drawn by `seed`.
    """

    reach: int = 5
    near: int = 2
    least: int = LEAST
    most: int = MOST
    held_out: float = 0.2
    seed: int = 1


@frozen
class MinedPattern:
    """A pattern and what is known of it.

    `strength`: how much stronger than a move that no pattern proposes.  `played` of the `proposed`
    moves for which it was the best pattern were played.  `example` is a decision that shows it.
    """

    pattern: Pattern
    strength: float
    played: int
    proposed: int
    example: PlacedDecision | None = None


@frozen(eq=False)
class Mined:
    """The patterns, as a file of the game, and how they do on games that were held out."""

    bench: Workbench
    patterns: tuple[MinedPattern, ...]
    train: tuple[PlacedDecision, ...]
    test: tuple[PlacedDecision, ...]
    prediction: Prediction


def held_out(
    decisions: Sequence[PlacedDecision], share: float, seed: int
) -> tuple[list[PlacedDecision], list[PlacedDecision]]:
    """Return the decisions of games to learn from, and those of games that judge; by *seed*."""
    games = sorted({decision.game for decision in decisions})
    count = min(len(games) - 1, max(1, round(share * len(games))))
    drawn = set(Random(seed).sample(games, count))
    return (
        [d for d in decisions if d.game not in drawn],
        [d for d in decisions if d.game in drawn],
    )


def mine(
    game: Game, decisions: Sequence[PlacedDecision], like: Patterns | None, terms: MiningTerms
) -> Mined:
    """Mine patterns from decisions; raises `RulewrightError` where none is worth anything."""
    train, test = held_out(decisions, terms.held_out, terms.seed)
    file = aim(game, like)
    lattice = Lattice(game.rules.board, file, terms.reach, terms.near, game.rules.links)
    eyes = Workbench(game, evolve(file, patterns=(PROBE,)))
    tables = ShapeReader(eyes, lattice, Random(terms.seed)).read(train)
    grown = [(rule, table) for table in tables for rule in grow(table, terms.least)]
    drafts = _different([rule.pattern(table) for rule, table in grown], file, lattice)
    if not drafts:
        raise RulewrightError(f"no shape was played {terms.least} times or more: nothing is mined")
    weighing = Weighing.of(game, evolve(file, patterns=tuple(drafts)), train)
    entries = weighing.weighed(terms.least, terms.most)
    if not entries:
        raise RulewrightError("no shape was played more often than moves elsewhere")
    return _judged(game, file, entries, (train, test))


def _judged(
    game: Game,
    file: Patterns,
    entries: Sequence[MinedPattern],
    parts: tuple[list[PlacedDecision], list[PlacedDecision]],
) -> Mined:
    """Return patterns with names and priorities, and what they tell of games held out."""
    named = _with_priorities(entries)
    bench = Workbench(game, evolve(file, patterns=tuple(entry.pattern for entry in named)))
    train, test = map(tuple, parts)
    return Mined(bench, tuple(named), train, test, judge(bench, train, test))


def judge(
    bench: Workbench, train: Sequence[PlacedDecision], test: Sequence[PlacedDecision]
) -> Prediction:
    """Judge any file of patterns: strengths are fitted to *train*, moves are told of *test*."""
    ranks = bench.file.ranks
    fitted = Contests.of(train, _all_proposals(bench, train), ranks).strengths()
    return predict(Contests.of(test, _all_proposals(bench, test), ranks), ranks, fitted)


def _all_proposals(bench: Workbench, decisions: Sequence[PlacedDecision]) -> list[Proposals]:
    return [bench.sites(decision.position) for decision in decisions]


def _different(patterns: Sequence[Pattern], file: Patterns, lattice: Lattice) -> list[Pattern]:
    """Return patterns without those that say the same as one before them."""
    ways = set[object]()
    different = list[Pattern]()
    for pattern in patterns:
        single = evolve(file, patterns=(pattern,))
        placed = m.all_placed(single, lattice.board, m.NORTH, pattern.defends)
        key = pattern.defends, frozenset(way.key for way in placed)
        if key not in ways:
            ways.add(key)
            different.append(evolve(pattern, name=f"p{len(different)}"))
    return different


@define(eq=False)
class Weighing(Record):
    """Patterns that are weighed together: their proposals in all positions, and an order."""

    patterns: Sequence[Pattern]
    decisions: Sequence[PlacedDecision]
    proposals: list[Proposals]
    strengths: Numbers = field(init=False)
    contests: Contests = field(init=False)

    @classmethod
    def of(cls, game: Game, file: Patterns, decisions: Sequence[PlacedDecision]) -> Weighing:
        """Let patterns propose moves in the positions of decisions."""
        return cls(file.patterns, decisions, _all_proposals(Workbench(game, file), decisions))

    def __attrs_post_init__(self) -> None:
        np = numpy()
        played, proposed = np.ones(len(self.patterns)), np.full(len(self.patterns), 50.0)
        for decision, sites in zip(self.decisions, self.proposals, strict=True):
            for site, numbers in sites.items():
                proposed[list(numbers)] += 1
                if site == decision.site:
                    played[list(numbers)] += 1
        self.strengths = np.concatenate([[1.0], played / proposed])
        self._rank()

    def _rank(self) -> None:
        """Rank patterns by their strengths, and weigh them by the contests that follow."""
        for _ in range(_ROUNDS):
            ranks = numpy().argsort(numpy().argsort(self.strengths[1:], kind="stable")) + 1
            self.contests = Contests.of(self.decisions, self.proposals, ranks.tolist())
            self.strengths = self.contests.strengths()

    def weighed(self, least: int, most: int) -> list[MinedPattern]:
        """Return the patterns that are worth something, the strongest first."""
        while len(good := self._worth(least)) < len(self.patterns) or len(good) > most:
            good = sorted(good, key=self._part, reverse=True)[:most]
            self._keep(sorted(good))
        order = sorted(range(len(self.patterns)), key=lambda i: -self.strengths[i + 1])
        return [self._entry(number) for number in order]

    def _worth(self, least: int) -> list[int]:
        """Return patterns that are surely stronger than nothing, and often decide."""
        wins = self.contests.wins[1:]
        lower = numpy().log(self.strengths[1:]) - _SURE / numpy().sqrt(numpy().maximum(wins, 1))
        return [i for i in range(len(wins)) if wins[i] >= least and lower[i] > 0]

    def _part(self, number: int) -> float:
        """Return how much a pattern adds to what is told."""
        return float(self.contests.wins[number + 1] * math.log(self.strengths[number + 1]))

    def _keep(self, numbers: list[int]) -> None:
        places = {number: place for place, number in enumerate(numbers)}
        self.patterns = [self.patterns[number] for number in numbers]
        self.strengths = self.strengths[[0, *(number + 1 for number in numbers)]]
        self.proposals = [
            {
                site: own
                for site, patterns in sites.items()
                if (own := tuple(places[p] for p in patterns if p in places))
            }
            for sites in self.proposals
        ]
        self._rank()

    def _entry(self, number: int) -> MinedPattern:
        column, contests = number + 1, self.contests
        shown = numpy().flatnonzero(contests.winners == column)
        example = self.decisions[int(shown[len(shown) // 2])] if len(shown) else None
        return MinedPattern(
            self.patterns[number], float(self.strengths[column]), int(contests.wins[column]),
            int(contests.counts[:, column].sum()), example,
        )  # fmt: skip


def _with_priorities(entries: Sequence[MinedPattern]) -> list[MinedPattern]:
    """Return the patterns with names, and with priorities by the logarithms of their strengths."""
    logs = [math.log(entry.strength) for entry in entries]
    low, high = min(logs), max(logs)
    names, named = set[str](), []
    for entry, log in zip(entries, logs, strict=True):
        priority = round(1 + (MOST_PRIORITY - 1) * (log - low) / (high - low or 1))
        name = _name(entry.pattern)
        number = next(n for n in range(1, len(entries) + 1) if f"{name}_{n}" not in names)
        names.add(f"{name}_{number}")
        pattern = evolve(entry.pattern, name=f"{name}_{number}", priority=priority)
        named.append(evolve(entry, pattern=pattern))
    return named


def _name(pattern: Pattern) -> str:
    """Return words for where a move lies from the reference point: `block_ahead2_aside1`."""
    x, y = pattern.move
    ways = [f"{'ahead' if y > 0 else 'back'}{abs(y)}"] * (y != 0)
    ways += [f"aside{abs(x)}"] * (x != 0)
    return "_".join(["block" if pattern.defends else "go", *ways])
