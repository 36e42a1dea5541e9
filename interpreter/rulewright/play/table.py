"""A table where games are played: the game under way, what is kept of it, a series of opponents.

In: lines, and that time passes.  Out: replies.  Both ways to play, at a terminal and by lines,
are skins over this.
"""

from __future__ import annotations

from random import SystemRandom

from attrs import define, field

from rulewright.errors import Fault, RulewrightError
from rulewright.game import State
from rulewright.play.dialogue import Dialogue, Helpers, Reply
from rulewright.play.kept import Keeper
from rulewright.play.seats import Seat
from rulewright.play.series import Series
from rulewright.play.session import Session
from rulewright.players.player import Decision

_CHANCE = SystemRandom()


def fresh_seed() -> int:
    """A seed that no other session has."""
    return _CHANCE.getrandbits(30)


@define
class Table:
    """The game under way; `seconds` a decision where a player's text does not say."""

    session: Session
    helpers: Helpers
    keeper: Keeper
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
            self.keeper = Keeper.fresh(self.session.source)
        self.keep()
        return reply

    def decided(self, decision: Decision) -> str:
        """Play what a player has decided, and tell it."""
        mover, seat = self.session.state.mover, self.session.seat
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
        self.keeper.keep(self.session.saved())

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
        self.keeper, self._number = Keeper.fresh(old.source), 1
        self.dialogue = Dialogue(self.session, self.helpers)

    def close(self) -> None:
        """Keep the game and end the programs that play."""
        self.keep()
        self.session.close()
