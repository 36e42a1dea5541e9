"""Matches of more than two players: entrants change seats, everybody has a place, ratings by pairs.

In: a game, the texts of entrants, rounds, limits, a seed.  Out: a `PlacedGame` after the other, and
a table of them.  A round takes one opening and a line-up for the seats, and turns it by a seat from
game to game until everybody has sat everywhere; rounds go through all line-ups.  A player that
fails is last, and the others share the first place.

Ratings are those of Bradley and Terry (`statistics.py`): a game counts as a comparison of each two
of its entrants, won by whoever stands in front, half for each where they share a place.  Each
comparison weighs 1 / (seats - 1), so that a game counts once for everybody: the comparisons of a
game depend on each other, and an interval from whole ones would be too narrow.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import combinations, cycle, islice
from random import Random
from typing import Any

from attrs import define, field, frozen

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import throw
from rulewright.ground.records import Record, record
from rulewright.matches import openings, statistics
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.referee import decision_of, not_ready
from rulewright.players.player import Clock, Failed, GameLimits, Player
from rulewright.search.listing import followed

LONG = "long"
"""The reason of a game that is broken off; all share the first place."""


@record
class PlacedGame(Record):
    """A game that is over: who sat where, its decisions, and the place of each seat from 1.

    Of a game in which the rules went wrong nobody has a place.
    """

    number: int
    line_up: tuple[str, ...]
    moves: tuple[str, ...]
    places: tuple[int, ...]
    reason: str
    detail: str = ""


@frozen
class PlacedMatch:
    """What is played: entrants, rounds, limits, random turns of an opening, the longest game."""

    game: Game
    entrants: tuple[str, ...]
    rounds: int
    limits: GameLimits = field(factory=GameLimits)
    turns: int | None = None
    seed: int = 0
    longest: int = 2000

    def __attrs_post_init__(self) -> None:
        if len(self.entrants) < 2 or len({*self.entrants}) < len(self.entrants):
            raise RulewrightError("a match needs two entrants or more, each named once")
        if self.rounds < 1:
            raise RulewrightError("a match has one round at least")

    @property
    def seats(self) -> int:
        """How many players a game has."""
        return len(self.game.players)

    def line_ups(self) -> Iterator[tuple[str, ...]]:
        """Who meets in each round; fewer entrants than seats sit in several of them."""
        if len(self.entrants) >= self.seats:
            groups = [*combinations(self.entrants, self.seats)]
        else:
            shifts = range(len(self.entrants))
            groups = [tuple(islice(cycle(self.entrants), n, n + self.seats)) for n in shifts]
        return islice(cycle(groups), self.rounds)

    def play(self) -> Iterator[PlacedGame]:
        """All games, one after the other; players are closed at the end."""
        turns = self.seats if self.turns is None else self.turns
        lines = openings.generate(self.game, self.rounds, turns, self.seed, []) or [()]
        with_players = _Hall(self)
        try:
            for number, line_up in enumerate(self.line_ups()):
                opening = lines[number % len(lines)]
                for shift in range(self.seats):
                    seated = (*line_up[shift:], *line_up[:shift])
                    yield with_players.game(number * self.seats + shift + 1, seated, opening)
        finally:
            with_players.close()


@define(eq=False)
class _Hall:
    """A match at work: players are opened once for each seat."""

    match: PlacedMatch
    _players: dict[tuple[str, int], Player] = field(factory=dict)

    def close(self) -> None:
        """Close every player."""
        for player in self._players.values():
            player.close()

    def _player(self, text: str, seat: int) -> Player:
        if (text, seat) not in self._players:
            opened = Contestant.parse(text).open(self.match.game, self.match.limits)
            self._players[text, seat] = opened
        return self._players[text, seat]

    def game(self, number: int, line_up: tuple[str, ...], opening: Sequence[str]) -> PlacedGame:
        """Play a game to its end, or until a player fails."""
        table = _Table(
            self.match, line_up, tuple(self._player(text, s) for s, text in enumerate(line_up)),
            self.match.game.start(), Random(f"{self.match.seed} {number}"),
            Random(f"{self.match.seed} luck of {(number - 1) // len(line_up)}").getrandbits(62),
        )  # fmt: skip
        try:
            table.begin(opening)
            table.run()
        except Failed as failure:
            places = tuple(len(line_up) if s == table.seat else 1 for s in range(len(line_up)))
            return table.ended(number, places, failure.reason, f"{line_up[table.seat]}: {failure}")
        except Fault as fault:
            return table.ended(number, (), "fault", str(fault))
        outcome = table.state.situation.outcome
        if outcome is None:
            return table.ended(number, (1,) * len(line_up), LONG, "")
        return table.ended(number, outcome.places, "rules", str(table.state.result))


@define
class _Table:
    """A game under way; *seat* is who was asked last, *luck* the seed of what chance decides."""

    match: PlacedMatch
    line_up: tuple[str, ...]
    players: tuple[Player, ...]
    state: State
    random: Random
    luck: int
    seat: int = 0

    def begin(self, opening: Sequence[str]) -> None:
        """Play the opening and get all players ready; raises `Failed` for one that is not."""
        for text in opening:
            self.state = followed(self.state, text)
        for seat, player in enumerate(self.players):
            self.seat, seed = seat, self.random.getrandbits(62)
            failure = not_ready(self.match.game, player, self._limits(seat), seed)
            if failure is not None:
                raise failure

    def _limits(self, seat: int) -> GameLimits:
        return Contestant.parse(self.line_up[seat]).limits(self.match.limits)

    def run(self) -> None:
        """Ask one player after the other; raises `Failed`."""
        while not self.state.over and self.state.ply < self.match.longest:
            if self.state.by_chance:
                self.state = followed(self.state, throw(self.state, self.luck))
            else:
                self._decide()

    def _decide(self) -> None:
        self.seat = self.state.position.mover
        limits, started = self._limits(self.seat), time.perf_counter()
        decision = decision_of(self.players[self.seat], self.state, Clock(limits.seconds))
        late = time.perf_counter() - started
        if limits.seconds is not None and late > limits.seconds + limits.grace:
            raise Failed("time", f"{late:.2f} s for a decision, {limits.seconds:g} s are allowed")
        if decision.move not in self.state.moves:
            raise Failed("illegal", f"`{decision.move}` is no legal decision here")
        self.state = followed(self.state, decision.move)

    def ended(self, number: int, places: tuple[int, ...], reason: str, detail: str) -> PlacedGame:
        """The record of the game."""
        moves = tuple(self.state.decisions())
        return PlacedGame(number, self.line_up, moves, places, reason, detail)


@define
class Placings:
    """Counts games: how often each entrant had each place, and the comparisons of each two."""

    entrants: tuple[str, ...]
    games: int = field(default=0, init=False)
    _places: dict[str, list[int]] = field(factory=dict, init=False)
    _points: dict[tuple[int, int], float] = field(factory=dict, init=False)

    def add(self, game: PlacedGame) -> None:
        """Count a game; one of which nobody has a place counts for nobody."""
        self.games += bool(game.places)
        numbers = [self.entrants.index(text) for text in game.line_up]
        for text, place in zip(game.line_up, game.places, strict=False):
            self._places.setdefault(text, []).append(place)
        seated = [*zip(numbers, game.places, strict=False)]
        for (i, a), (j, b) in combinations(seated, 2):
            if i != j:
                share, weight = 0.5 if a == b else float(a < b), 1 / (len(seated) - 1)
                self._points[i, j] = self._points.get((i, j), 0.0) + weight * share
                self._points[j, i] = self._points.get((j, i), 0.0) + weight * (1 - share)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each entrant, the strongest first."""
        rows = list[dict[str, Any]]()
        for rating in statistics.ratings(self.entrants, self._points):
            places = self._places.get(rating.player, [])
            counts = {place: places.count(place) for place in sorted({*places})}
            rows.append({
                "player": rating.player, "elo": round(rating.elo, 1), "low": round(rating.low, 1),
                "high": round(rating.high, 1), "games": len(places), "places": counts,
            })  # fmt: skip
        return rows
