"""A table where games are played: the game under way, where it is saved, a series of opponents.

In: lines, and that time passes; the texts of the opponents, and how many games against each.  Out:
replies; who plays the next game, and the score so far.  Both ways to play, at a terminal and by
lines, are skins over this.  Colours are exchanged from game to game of a series.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.engine.game import State
from rulewright.errors import Fault, RulewrightError
from rulewright.play.dialogue import Dialogue, Helpers, Reply
from rulewright.play.saved_games import Autosave
from rulewright.play.seats import Seat
from rulewright.play.session import Session
from rulewright.players.player import Decision, claims_draw
from rulewright.records import fields_as_json


@frozen
class Series:
    """Opponents in order, `each` games against every one; results as points of the human."""

    opponents: tuple[str, ...]
    each: int = 1
    me: str = "human"
    results: tuple[float, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all games are played."""
        return len(self.results) >= len(self.opponents) * self.each

    @property
    def opponent(self) -> str:
        """Who is to be played now."""
        return self.opponents[len(self.results) // self.each]

    @property
    def mine(self) -> int:
        """The human's chair in the game to be played now: he begins the first."""
        return len(self.results) % 2

    @property
    def players(self) -> tuple[str, str]:
        """The texts of both chairs."""
        both = (self.me, self.opponent)
        return both if self.mine == 0 else both[::-1]

    def after(self, winner: int | None) -> Series:
        """The series after a game won by the person *winner*; None for a draw."""
        points = 0.5 if winner is None else float(winner == self.mine)
        return evolve(self, results=(*self.results, points))

    def score(self) -> str:
        """The points against each opponent, and in all."""
        parts = []
        for number, name in enumerate(self.opponents):
            played = self.results[number * self.each : (number + 1) * self.each]
            if played:
                parts.append(f"{name} {sum(played):g}-{len(played) - sum(played):g}")
        mine, games = sum(self.results), len(self.results)
        told = f"; you have {mine:g} of {games}" if games else ""
        left = len(self.opponents) * self.each - games
        rest = f", {left} to play" * (left > 0)
        return (", ".join(parts) or "no game is finished yet") + told + rest

    def as_data(self) -> dict[str, Any]:
        """What a saved game keeps of it."""
        return fields_as_json(self, "opponents each me results")

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Series | None:
        """What `as_data` gave; None of an empty one.  Raises what is wrong with it."""
        if not data:
            return None
        try:
            names = tuple(map(str, data["opponents"]))
            results = tuple(map(float, data["results"]))
            each, me = int(data["each"]), str(data["me"])
        except (KeyError, TypeError, ValueError):
            raise RulewrightError("the saved series of opponents is damaged") from None
        if not names or each < 1 or len(results) > len(names) * each:
            raise RulewrightError("the saved series of opponents is damaged")
        return cls(names, each, me, results)


_CHANCE = SystemRandom()


def fresh_seed() -> int:
    """A seed that no other session has."""
    return _CHANCE.getrandbits(30)


@define
class GameTable:
    """The game under way; `seconds` a decision where a player's text does not say."""

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
        """Do what was typed; the game is kept afterwards."""
        reply = self.dialogue.answer(line)
        if self.session.number != self._number:  # another game was loaded: this one stays kept
            self._number = self.session.number
            self.autosave = Autosave.fresh(self.session.source)
        self.keep()
        return reply

    def decided(self, decision: Decision) -> str:
        """Play what a player has decided, and tell it."""
        mover, seat = self.session.state.mover, self.session.seat
        if claims_draw(self.session.state, decision):
            self.session.claim()
            self.keep()
            return f"{mover} claims a draw"
        self.session.play_decision(decision, seat)
        self.keep()
        return f"{mover} plays {decision.move}"

    def failed(self, error: RulewrightError) -> str:
        """Give the chair of a player that cannot go on to the human."""
        session = self.session
        mover, seat = session.state.mover, session.seat
        number = session.seat_of(str(mover))
        session.sit(number, Seat.of("human", session.state.game))
        what = "the rules have a fault here: " * isinstance(error, Fault)
        return f"{what}{seat.called} cannot go on: {error}; {mover} is yours now"

    def keep(self) -> None:
        """Keep the game as it is."""
        self.autosave.write(self.session.saved())

    @property
    def more(self) -> bool:
        """Whether another game of the series follows this one."""
        return self.series is not None and not self.series.after(self.session.winner()).done

    def standing(self) -> str:
        """The score of the series, with this game if it is over."""
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
        """Keep the game and end the programs that play."""
        self.keep()
        self.session.close()
