"""How a match or a tournament stands: what has been counted so far, as numbers and as data.

In: records of games in any order.  Out: results by pairing and by player, ratings, the sequential
test.  With a sequential test, pairs count in the order of their numbers, and none counts after the
one that decided it, so that the outcome does not depend on which worker was faster.

A pair that can only repeat another tells nothing new and does not count.  That is so where both
players have met on the same opening before, and neither chance nor time had a part in either game:
without chance a game follows from its opening, so one pair stands for all of its kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from attrs import define, field

from rulewright.ground.printable import amount
from rulewright.ground.records import as_json, fields_as_json
from rulewright.matches import statistics
from rulewright.matches.game_record import GameRecord
from rulewright.matches.placings import Placings
from rulewright.matches.plan import MatchPlan, OpeningLines, Pair
from rulewright.matches.statistics import Pentanomial, Sprt
from rulewright.players.player import REASONS

Kind = tuple[tuple[str, ...], tuple[str, ...]]
"""The players, who begins the first game in front, and the opening."""
Games = Sequence[GameRecord]
"""The games of a pair, in the order of their numbers."""


@define
class Samples:
    """The games known of each kind of pair; without openings, none before a pair is played."""

    names: tuple[str, ...]
    openings: OpeningLines = ()
    _fixed: dict[Kind, bool] = field(factory=dict, init=False)
    _counted: set[Kind] = field(factory=set, init=False)

    def kind(self, pair: Pair) -> Kind | None:
        """A key that pairs of the same players on one opening have in common."""
        if not self.openings:
            return None
        opening = tuple(self.openings[pair.round % len(self.openings)])
        return tuple(self.names[index] for index in pair.players), opening

    def learn(self, games: Games) -> None:
        """Remember whether the kind of a pair that was played can only come out the same again."""
        self._fixed.setdefault(_kind(games), all(game.fixed for game in games))

    def count(self, games: Games) -> bool:
        """Whether a pair counts: always where chance or time had a part, else once for its kind."""
        if not all(game.fixed for game in games):
            return True
        kind = _kind(games)
        if kind in self._counted:
            return False
        self._counted.add(kind)
        return True

    def has(self, pair: Pair) -> bool:
        """Whether a pair of its kind was played."""
        return self.kind(pair) in self._fixed

    def repeats(self, pair: Pair) -> bool:
        """Whether it would only repeat a pair that was played."""
        kind = self.kind(pair)
        return kind is not None and self._fixed.get(kind, False)


def _kind(games: Games) -> Kind:
    first = games[0]
    return first.players, tuple(first.decisions[: first.opening])


@define
class Cell:
    """The games of two players in one order of seats."""

    games: int = 0
    p1_wins: int = 0
    p2_wins: int = 0
    draws: int = 0
    turns: int = 0
    decisions: int = 0

    def add(self, record: GameRecord) -> None:
        """Count a game."""
        self.games += 1
        self.p1_wins += record.winner == 0
        self.p2_wins += record.winner == 1
        self.draws += record.winner is None
        self.turns += record.turns
        self.decisions += len(record.moves)

    @property
    def points(self) -> float:
        """The points of the player who began."""
        return self.p1_wins + self.draws / 2


@define
class PlayerUsage:
    """The effort of a player: decisions that were thought about, their seconds and nodes."""

    decisions: int = 0
    seconds: float = 0.0
    nodes: int = 0
    failures: int = 0
    unsearched: int = 0
    """Decisions for which there was no time, or no code yet."""


@define
class Standing:
    """Counts the games of a plan, pair by pair as soon as all games of a pair are there.

    Pairs that only repeat others do not count, nor do those in which the rules went wrong, or in
    which somebody decided without a search: they say nothing of how strong players are.
    """

    plan: MatchPlan
    openings: OpeningLines = ()
    cells: dict[tuple[str, str], Cell] = field(factory=dict, init=False)
    efforts: dict[str, PlayerUsage] = field(factory=dict, init=False)
    reasons: dict[str, int] = field(factory=dict, init=False)
    lengths: list[int] = field(factory=list, init=False)
    verdict: int | None = field(default=None, init=False)
    """Which hypothesis of the sequential test was accepted."""
    repeated: int = field(default=0, init=False)
    """Games that only repeat others."""
    faulty: int = field(default=0, init=False)
    """Games of pairs in which the rules went wrong."""
    refused: int = field(default=0, init=False)
    """Games of pairs in which a program refused a legal decision, where such pairs do not count."""
    unsearched: int = field(default=0, init=False)
    """Games of pairs in which somebody decided without a search."""
    placings: Placings = field(init=False)
    """Where more than two play, what `cells` are where two do."""
    samples: Samples = field(init=False)
    _points: dict[tuple[str, str], list[float]] = field(factory=dict, init=False)
    _waiting: dict[int, list[GameRecord]] = field(factory=dict, init=False)
    _pairs: list[Pair] = field(init=False)
    _played: set[int] = field(factory=set, init=False)
    _next: int = field(default=0, init=False)
    _distinct: set[bytes] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        self.efforts = {name: PlayerUsage() for name in self.plan.players}
        self.samples = Samples(self.plan.players, self.openings)
        self.placings = Placings(self.plan.players)
        self._pairs = self.plan.pairs()

    @property
    def test(self) -> Sprt | None:
        """The sequential test, where one was asked for."""
        return Sprt(*self.plan.sprt) if self.plan.sprt else None

    @property
    def games(self) -> int:
        """The number of games that count."""
        return sum(cell.games for cell in self.cells.values()) + self.placings.games

    # --- counting ---

    def add(self, record: GameRecord) -> None:
        """Take in a game; with a sequential test its pair counts when its turn has come."""
        waiting = self._waiting.setdefault(record.pair, [])
        waiting.append(record)
        if len(waiting) < self.plan.seats:
            return
        waiting.sort(key=lambda game: game.number)
        self.samples.learn(waiting)
        self._played.add(record.pair)
        if self.test is None:
            self._settle(record.pair)
        else:
            self._go_on(self.test)

    def _go_on(self, test: Sprt) -> None:
        """Count pairs in the order of their numbers until the test has an answer."""
        while self.verdict is None and self._next < len(self._pairs):
            pair = self._pairs[self._next]
            if pair.number in self._played:
                self._settle(pair.number)
                self.verdict = test.verdict(self.counts(*self.plan.players))
            elif not self.samples.repeats(pair):
                return
            self._next += 1

    def _settle(self, number: int) -> None:
        games: Games = self._waiting.pop(number)
        if not self.samples.count(games):
            self.repeated += len(games)
            return
        if self.plan.seats > 2:
            different = _different(games)
            self.repeated += len(games) - len(different)
            games = different
        for game in games:
            self.reasons[game.reason] = self.reasons.get(game.reason, 0) + 1
            self._distinct.add(sha256(" ".join(game.decisions).encode()).digest()[:12])
            self._effort(game)
        if any(game.reason == "fault" for game in games):
            self.faulty += len(games)
            return
        if self.plan.refused == "void" and any(game.reason == "refused" for game in games):
            self.refused += len(games)
            return
        if not all(game.searched for game in games):
            self.unsearched += len(games)
            return
        self._score(games)

    def _score(self, games: Games) -> None:
        """Count what the games of a pair gave."""
        self.lengths += [game.turns for game in games]
        if self.plan.seats > 2:
            for game in games:
                self.placings.add(game)
            return
        first, second = games[0].players
        for game in games:
            self.cells.setdefault((game.players[0], game.players[1]), Cell()).add(game)
        points = games[0].points[0] + games[1].points[1]
        self._points.setdefault((first, second), []).append(points)

    def _order(self, name: str) -> int:
        return self.plan.players.index(name)

    def _effort(self, record: GameRecord) -> None:
        """Add what both players used; moves of the opening cost them nothing."""
        for seat, name in enumerate(record.players):
            effort = self.efforts[name]
            moves = [m for m in record.moves if m.seat == seat and m.seconds is not None]
            effort.decisions += len(moves)
            effort.seconds += sum(m.seconds or 0.0 for m in moves)
            effort.nodes += sum(m.nodes or 0 for m in moves)
            effort.unsearched += sum(not m.searched for m in moves)
            effort.failures += record.reason in REASONS and record.is_last(seat)

    # --- what it says ---

    def counts(self, first: str, second: str) -> Pentanomial:
        """The number of pairs of games that gave the first one 0, 1/2, 1, 3/2, 2 points."""
        return statistics.pentanomial(self._points.get((first, second), []))

    def elo(self, first: str, second: str) -> statistics.Elo:
        """The difference between two players, from their pairs of games."""
        return statistics.elo(self.counts(first, second))

    def ratios(self, count: int = 0) -> list[float]:
        """The log-likelihood ratio of the sequential test after each pair that counts.

        Those of the first *count* pairs are left out; there are none without a test.
        """
        test = self.test
        points = self._points.get((self.plan.players[0], self.plan.players[-1]), [])
        ends = range(count + 1, len(points) + 1)
        return [test.ratio(statistics.pentanomial(points[:end])) for end in ends] if test else []

    def ratings(self) -> list[statistics.Rating]:
        """The ratings of all players, the strongest first."""
        if self.plan.seats > 2:
            return self.placings.ratings()
        names = self.plan.players
        points: dict[tuple[int, int], float] = {}
        for (first, second), cell in self.cells.items():
            if first != second:
                i, j = self._order(first), self._order(second)
                points[i, j] = points.get((i, j), 0.0) + cell.points
                points[j, i] = points.get((j, i), 0.0) + cell.games - cell.points
        return statistics.ratings(names, points)

    @property
    def first_share(self) -> float | None:
        """The share of games that whoever began has won; draws are no wins."""
        wins = sum(cell.p1_wins for cell in self.cells.values()) + self.placings.first_wins
        return wins / self.games if self.games else None

    def score(self, name: str) -> tuple[float, int]:
        """The points and the games of a player against the others."""
        points, games = 0.0, 0
        for (first, second), cell in self.cells.items():
            if first != second and name in (first, second):
                points += cell.points if name == first else cell.games - cell.points
                games += cell.games
        return points, games

    def ended(self) -> str:
        """The reason why there is nothing more to play; empty while there is."""
        test = self.test
        if self.verdict is not None and test is not None:
            return self._decided(test, self.verdict)
        pairs = [pair for pair in self._pairs if pair.number not in self._played]
        each = self.plan.seats
        games = each * len(self._pairs)
        if not pairs:
            return f"all {amount(games, 'game')} are played"
        if not all(self.samples.repeats(pair) for pair in pairs):
            return ""
        counted = amount(games - each * len(pairs), "game")
        return (
            f"{counted} are all that count: no chance is drawn and no clock "
            f"runs, so the other {each * len(pairs)} of {games} would repeat them move by move"
        )

    def _decided(self, test: Sprt, verdict: int) -> str:
        counts, (low, high) = self.counts(*self.plan.players), test.bounds
        sign, bound = (">=", high) if verdict else ("<=", low)
        believed = test.elo1 if verdict else test.elo0
        pairs = amount(sum(counts), "pair")
        return (
            f"sequential test: elo {sign} {believed:g} is accepted after {pairs} "
            f"(log-likelihood ratio {test.ratio(counts):.2f} {sign} {bound:.2f})"
        )

    # --- data ---

    def as_data(self, stopped: str) -> dict[str, Any]:
        """The standing as commands print it in JSON; *stopped* says why no more is played."""
        cells, games = self.cells, self.games
        counts: list[Cell | Placings] = [*cells.values(), self.placings]
        data: dict[str, Any] = {
            **fields_as_json(self.plan, "game options players both_seats"),
            "games": games,
            "distinct_games": len(self._distinct),
            "repeated_games": self.repeated,
            "faulty_games": self.faulty,
            "refused_games": self.refused,
            "unsearched_games": self.unsearched,
            "pairings": [_cell_data(*names, cell) for names, cell in sorted(cells.items())],
            "ratings": [
                {"player": r.player, **{n: _round(getattr(r, n)) for n in ("elo", "low", "high")}}
                for r in self.ratings()
            ],
            "first_share": self.first_share,
            "draw_share": sum(c.draws for c in counts) / games if games else None,
            "mean_turns": sum(c.turns for c in counts) / games if games else None,
            "reasons": dict(sorted(self.reasons.items())),
            "effort": [
                {"player": name, "decisions": e.decisions, "seconds": round(e.seconds, 3),
                 "nodes": e.nodes, "failures": e.failures, "unsearched": e.unsearched}
                for name, e in self.efforts.items()
            ],
            "seed": self.plan.seed,
            "stopped": stopped,
        }  # fmt: skip
        if self.plan.seats > 2:
            data |= {"seats": self.plan.seats, "placings": self.placings.rows()}
        elif len(self.plan.players) == 2:
            data |= self._duel()
        return data

    def _duel(self) -> dict[str, Any]:
        first, second = self.plan.players
        counts, test = self.counts(first, second), self.test
        difference = statistics.elo(counts)
        data: dict[str, Any] = {
            "elo": _finite(difference.value), "low": _finite(difference.low),
            "high": _finite(difference.high), "pairs": list(counts),
            "superiority": round(statistics.likelihood_of_superiority(counts), 4),
        }  # fmt: skip
        if test is not None:
            low, high = test.bounds
            data["sprt"] = {
                **as_json(test),
                "llr": round(test.ratio(counts), 4), "low": round(low, 4), "high": round(high, 4),
                "accepted": None if self.verdict is None else f"elo{self.verdict}",
            }  # fmt: skip
        return data


def _different(games: Games) -> Games:
    """The games of a pair without those that only repeat others of it.

    Where few sit in many seats, a line-up moved on by some seats may be itself again.
    """
    if not all(game.fixed for game in games):
        return games
    return [*{game.players: game for game in reversed(games)}.values()][::-1]


def _cell_data(p1: str, p2: str, cell: Cell) -> dict[str, Any]:
    return {
        "p1": p1, "p2": p2, "games": cell.games, "p1_wins": cell.p1_wins, "p2_wins": cell.p2_wins,
        "draws": cell.draws, "p1_score": cell.points / cell.games,
        "mean_turns": cell.turns / cell.games, "mean_decisions": cell.decisions / cell.games,
    }  # fmt: skip


def _round(number: float) -> float:
    return round(number, 1) + 0.0  # no minus zero


def _finite(number: float) -> float | None:
    """JSON knows no infinity."""
    return _round(number) if math.isfinite(number) else None
