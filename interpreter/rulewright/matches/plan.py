"""Plans: what a match or a tournament is, before a game is played.

In: players, games, limits, a seed.  Out: numbered pairs of games, each with its players and its
opening, the same on every machine; a name for the plan, by which records know their own.  Where a
game has more than two seats, a "pair" is as many games as there are seats: everybody moves on by a
seat from game to game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, cycle, islice
from math import comb
from typing import Any, ClassVar, Literal, get_args

from attrs import field, frozen
from attrs.validators import ge, le

from rulewright.errors import RulewrightError
from rulewright.ground import cache
from rulewright.ground.limits import SEATS
from rulewright.ground.records import Setting, fields_as_json
from rulewright.players.player import GameLimits

Form = Literal["round robin", "gauntlet"]
Refusal = Literal["void", "lost", "drawn"]
REFUSALS: tuple[Refusal, ...] = get_args(Refusal)
Pairing = tuple[tuple[int, ...], int]
"""Players by their numbers, and how many pairs of games they play."""
OpeningLines = Sequence[Sequence[str]]
"""Openings, as decisions."""
MOST_GAMES = 10_000_000
"""Games of one plan: as many as fit into memory as pairs."""
LONGEST = 2000
"""Turns after which a game counts as a draw, where nothing else is asked for."""


@frozen
class Adjudication:
    """Ends a game when both players' values have agreed for `turns` turns, by at least `value`."""

    value: float
    turns: int
    JSON_LIST: ClassVar = True

    def as_data(self) -> list[float]:
        """As JSON has it."""
        return [self.value, self.turns]

    def winner(self, lead: Sequence[float]) -> int | None:
        """The seat that wins by the values of all turns, as the first seat sees them; or nobody."""
        last = lead[-self.turns :]
        if len(last) < self.turns:
            return None
        if all(value >= self.value for value in last):
            return 0
        return 1 if all(value <= -self.value for value in last) else None


@frozen
class Openings:
    """The source of openings: *turns* random turns, or given lines of moves.

    `deeper`: more turns where *turns* do not give every pair of a pairing an opening of its own.
    """

    turns: int = 2
    lines: tuple[str, ...] = ()
    deeper: bool = False

    def as_data(self) -> dict[str, Any]:
        """As JSON has it."""
        deeper = {"deeper": True} if self.deeper else {}
        return {"turns": self.turns, "lines": list(self.lines), **deeper}


@frozen
class MatchPlan:
    """Everything that decides what is played: equal plans give equal games unless time limits them.

    `games` are those of each pairing, all seats together; with `both_seats` they are those of each
    pairing in each order, a player against itself included.  In a gauntlet the first player meets
    all others.  With more than two `seats` a pairing is a line-up of so many.
    """

    game: str
    options: Mapping[str, Setting]
    players: tuple[str, ...]
    games: int
    form: Form = "round robin"
    both_seats: bool = False
    limits: GameLimits = field(factory=GameLimits)
    openings: Openings = field(factory=Openings)
    seed: int = 0
    sprt: tuple[float, float, float, float] | None = None
    adjudication: Adjudication | None = None
    longest: int = LONGEST
    hashes: Mapping[str, Mapping[str, str]] = field(factory=dict)
    """Of the `rules`, and of the files of each player."""
    refused: Refusal = "void"
    """How a game counts in which a program refuses a legal decision."""
    drawn: str = ""
    """`EVALUATOR:VALUE`, which tells positions that nobody can win any more; or nothing."""
    seats: int = field(default=2, validator=(ge(2), le(SEATS)))

    def __attrs_post_init__(self) -> None:
        if self.games < 1 or self.games % self.seats:
            message = f"games are played in pairs: {self.games} is no even number"
            if self.seats > 2:
                round_ = f"a round has {self.seats} games, so that everybody has every seat"
                message = f"{round_}: {self.games} cannot be divided into rounds"
            raise RulewrightError(message)
        if len(self.players) < (1 if self.both_seats else 2):
            raise RulewrightError("a tournament needs two players at least")
        if self.seats > 2:
            self._refuse_terms_of_two()
        if self.total > MOST_GAMES:
            raise RulewrightError(f"a match has {MOST_GAMES:,} games at the most")
        if len(set(self.players)) < len(self.players):
            twice = next(p for p in self.players if self.players.count(p) > 1)
            raise RulewrightError(f"{twice} is named twice; `--both-seats` plays it against itself")

    def _refuse_terms_of_two(self) -> None:
        """Refuse what means nothing where more than two play."""
        terms = {
            "--both-seats": self.both_seats, "--sprt": self.sprt, "--drawn": self.drawn,
            "--adjudicate": self.adjudication,
        }  # fmt: skip
        for term, value in terms.items():
            if value:
                message = f"{term} is for two players, and this game has {self.seats}"
                raise RulewrightError(message)

    # --- pairs ---

    @property
    def total(self) -> int:
        """The number of games."""
        if self.seats > 2:
            return self.games * self._number_of_line_ups()
        opponents = len(self.players) - 1
        meetings = opponents if self.form == "gauntlet" else opponents * len(self.players) // 2
        alone = len(self.players) * self.games if self.both_seats else 0
        return meetings * self.games * (2 if self.both_seats else 1) + alone

    def _number_of_line_ups(self) -> int:
        """How many there are, without making them where there are many."""
        players, seats = len(self.players), self.seats
        if players < seats:
            return len(self.pairings())
        return comb(players - 1, seats - 1) if self.form == "gauntlet" else comb(players, seats)

    def pairings(self) -> Sequence[Pairing]:
        """List who meets whom, by number, and in how many pairs of games."""
        if self.seats > 2:
            return _line_ups(len(self.players), self.games, self.form, self.seats)
        return _pairings(len(self.players), self.games, self.form, self.both_seats)

    def pairs(self) -> list[Pair]:
        """Every pair of games in the order of its number: all pairings take turns."""
        pairings = self.pairings()
        most = max(pairs for _, pairs in pairings)
        order = [(r, p) for r in range(most) for p in pairings if r < p[1]]
        return [Pair(number, p[0], r) for number, (r, p) in enumerate(order)]

    def pair(self, number: int) -> Pair:
        """The pair of a number, without making all others."""
        pairings = self.pairings()
        alone = len(self.players) if self.both_seats else 0
        early = self.games // self.seats * len(pairings)
        if number < early:
            round_, place = divmod(number, len(pairings))
        else:  # a player has met himself often enough
            round_, place = divmod(number - early, len(pairings) - alone)
            round_, place = round_ + self.games // 2, place + alone
        return Pair(number, pairings[place][0], round_)

    @property
    def rounds(self) -> int:
        """The largest number of openings that is needed."""
        return max(pairs for _, pairs in self.pairings())

    # --- records ---

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        names = "game options players games form both_seats limits seed longest openings sprt?"
        return {
            **fields_as_json(self, f"{names} adjudication? hashes"),
            **({"drawn": self.drawn} if self.drawn else {}),
            **({"refused": self.refused} if self.refused != "void" else {}),
            **({"seats": self.seats} if self.seats != 2 else {}),
        }  # fmt: skip

    @property
    def name(self) -> str:
        """A short name that no other plan has."""
        return cache.digest(json.dumps(self.as_data(), sort_keys=True))[:16]

    def differences(self, other: MatchPlan) -> list[str]:
        """The names of the settings in which two plans differ."""
        first, second = self.as_data(), other.as_data()
        return [name for name in {**first, **second} if first.get(name) != second.get(name)]


@lru_cache(maxsize=4)
def _pairings(players: int, games: int, form: Form, both_seats: bool) -> Sequence[Pairing]:
    ids = range(players)
    meetings = (
        [(0, other) for other in ids if other] if form == "gauntlet" else combinations(ids, 2)
    )
    pairs = games if both_seats else games // 2
    alone = [((i, i), games // 2) for i in ids] if both_seats else []
    return (*alone, *(((i, j), pairs) for i, j in meetings))


@lru_cache(maxsize=4)
def _line_ups(players: int, games: int, form: Form, seats: int) -> Sequence[Pairing]:
    """Who meets where more than two play; fewer players than seats sit in several of them.

    In a gauntlet the first player sits in every line-up.  Of line-ups that are the same but for the
    seat with which they begin, there is one.
    """
    ids = range(players)
    if players >= seats:
        groups = [group for group in combinations(ids, seats) if form != "gauntlet" or 0 in group]
    else:
        groups = [tuple(islice(cycle(ids), shift, shift + seats)) for shift in ids]
    different = dict[tuple[int, ...], tuple[int, ...]]()
    for group in groups:
        different.setdefault(min(rotations(group)), group)
    return tuple((group, games // seats) for group in different.values())


def rotations(line_up: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The line-up itself, and with everybody moved on by a seat, two, and so on."""
    return [(*line_up[shift:], *line_up[:shift]) for shift in range(len(line_up))]


@frozen
class Pair:
    """Games with one opening: the first player begins one, the second the next."""

    number: int
    players: tuple[int, ...]
    round: int

    def games(self) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Number and seats of each game."""
        first = len(self.players) * self.number
        return [*enumerate(rotations(self.players), first)]
