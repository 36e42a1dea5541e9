"""A table where games are played: the current game, its saved file, a series of opponents.

In: typed lines and decisions of players; the texts of the opponents, and how many games against
each.  Out: replies, the players of the next game, the score so far.  The terminal and the line
interface are skins over this.  Colours are exchanged from game to game of a series.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import SystemRandom
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.app.play.dialogue import Dialogue, Helpers, Reply
from rulewright.app.play.saved_games import Autosave
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import State
from rulewright.ground.records import DataError, fields_as_json, from_json
from rulewright.players.player import Decision, claims_draw


@frozen
class Series:
    """A series of games: opponents in order, `each` games against each, points of the human."""

    opponents: tuple[str, ...]
    each: int = 1
    me: str = "human"
    results: tuple[float, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether all games are played."""
        return len(self.results) >= len(self.opponents) * self.each

    @property
    def opponent(self) -> str:
        """The text of the opponent in the next game."""
        return self.opponents[len(self.results) // self.each]

    @property
    def mine(self) -> int:
        """The human's chair in the next game, 0 or 1; chair 0 begins."""
        return len(self.results) % 2

    @property
    def players(self) -> tuple[str, str]:
        """The texts of both players of the next game, chair 0 first."""
        pair = (self.me, self.opponent)
        return pair if self.mine == 0 else pair[::-1]

    def after(self, winner: int | None) -> Series:
        """Add the result of a game that chair *winner* won (None: a draw)."""
        points = 0.5 if winner is None else float(winner == self.mine)
        return evolve(self, results=(*self.results, points))

    def score(self) -> str:
        """Format the points against each opponent, and in all."""
        parts = []
        for number, name in enumerate(self.opponents):
            points = self.results[number * self.each : (number + 1) * self.each]
            if points:
                parts.append(f"{name} {sum(points):g}-{len(points) - sum(points):g}")
        own, games = sum(self.results), len(self.results)
        total = f"; you have {own:g} of {games}" if games else ""
        remainder = len(self.opponents) * self.each - games
        ending = f", {remainder} to play" * (remainder > 0)
        return (", ".join(parts) or "no game is finished yet") + total + ending

    def as_data(self) -> dict[str, Any]:
        """Write the series as JSON data, for a saved game."""
        return fields_as_json(self, "opponents each me results")

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Series | None:
        """Read what `as_data` wrote; None if *data* is empty, `RulewrightError` if damaged."""
        if not data:
            return None
        with suppress(DataError):
            series = from_json(data, cls)
            games = len(series.opponents) * max(series.each, 0)
            if games and len(series.results) <= games:
                return series
        raise RulewrightError("the saved series of opponents is damaged")


_CHANCE = SystemRandom()


def fresh_seed() -> int:
    """Draw a seed from the system's randomness, 30 bits."""
    return _CHANCE.getrandbits(30)


@define
class GameTable:
    """Plays the current game; `seconds` limit a decision where a player's text does not."""

    session: Session
    helpers: Helpers
    autosave: Autosave
    series: Series | None = None
    seconds: float | None = None
    seed: int | None = None
    dialogue: Dialogue = field(init=False)
    _number: int = field(default=1, init=False)

    def __attrs_post_init__(self) -> None:
        self.dialogue = Dialogue(self.session, self.helpers)

    def answer(self, line: str) -> Reply:
        """Carry out a typed line, and save the game."""
        reply = self.dialogue.answer(line)
        if self.session.number != self._number:  # another game was loaded: this one stays kept
            self._number = self.session.number
            self.autosave = Autosave.fresh(self.session.source)
        self.keep()
        return reply

    def play_decision(self, decision: Decision) -> str:
        """Play a player's decision, save the game, and return a message for people."""
        mover, seat = self.session.state.mover, self.session.seat
        if claims_draw(self.session.state, decision):
            self.session.claim()
            self.keep()
            return f"{mover} claims a draw"
        move = self.session.notation.text(self.session.state, decision.move)
        self.session.play_decision(decision, seat)
        self.keep()
        return "" if self.session.secret else f"{mover} plays {move}"

    def replace_player(self, error: RulewrightError) -> str:
        """Give the chair of a player that failed to the human; return a message for people."""
        session = self.session
        mover, seat = session.state.mover, session.seat
        number = session.seat_of(str(mover))
        if session.secret:
            session.sit(number, Seat.of("random", session.state.game))
            return f"{seat.label} cannot go on; {mover} plays at random now"
        session.sit(number, Seat.of("human", session.state.game))
        fault = "the rules have a fault here: " * isinstance(error, Fault)
        return f"{fault}{seat.label} cannot go on: {error}; {mover} is yours now"

    def keep(self) -> None:
        """Save the game to its file."""
        self.autosave.write(self.session.saved())

    @property
    def has_next_game(self) -> bool:
        """Whether the series has another game after this one."""
        return self.series is not None and not self.series.after(self.session.winner()).is_over

    def score_text(self) -> str:
        """Format the score of the series, this game included if it is over; empty without one."""
        if self.series is None:
            return ""
        now = self.series.after(self.session.winner()) if self.session.over else self.series
        return now.score()

    def next_game(self) -> None:
        """Begin the next game of the series."""
        assert self.series is not None
        self.series = self.series.after(self.session.winner())
        old = self.session
        start: State = old.state.states()[0]
        seed = fresh_seed() if self.seed is None else self.seed + len(self.series.results)
        first, second = (Seat.of(text, start.game, self.seconds) for text in self.series.players)
        old.close()
        self.session = Session(old.source, start, (first, second), seed)
        self.session.series = self.series.as_data()
        self.autosave, self._number = Autosave.fresh(old.source), 1
        self.dialogue = Dialogue(self.session, self.helpers)

    def close(self) -> None:
        """Save the game and end the programs that play."""
        self.keep()
        self.session.close()
