"""Who sits at the board: a human, or a player of any kind, from one text.

In: `human`, `human:NAME` (hints by a personality), or the text of a contestant
(`protocols/contestant.py`); a game.  Out: a `Seat`, whose player has been met: what is wrong with
it is said before the game begins.  A bare `computer` is the best player that the game's text
`GAME.toml` names, and the plain search where it names none.
"""

from __future__ import annotations

from random import Random
from threading import Lock

from attrs import define, evolve, field

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.model.personality import Number
from rulewright.players.inside import PersonalityPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits, Player
from rulewright.protocols.contestant import SPEECHES, Contestant
from rulewright.protocols.formats import formats
from rulewright.search.listing import followed

HUMAN = "human"
COMPUTER = "computer"
SEARCH = "search"
MOST_SECONDS = 3600.0
"""The longest that one decision may take."""
SECONDS = 1.0
"""What the plain search has for a decision where nothing is said."""
_BRIEF = 0.02
"""Seconds of a decision that only has to compile."""
_LATER = 8
"""Decisions after which a player surely thinks for itself."""
OUTSIDE_SECONDS = 5.0
"""What a program from outside has."""


@define
class Seat:
    """A chair and who sits on it; `text` is what it was made of.

    `player` decides, for a human only where he asks for a hint (None: the plain search does).
    """

    text: str
    who: str
    human: bool
    limits: GameLimits
    player: Player | None
    _seed: int | None = field(default=None, init=False)
    _busy: Lock = field(factory=Lock, init=False)

    @classmethod
    def of(cls, text: str, game: Game, seconds: float | None = None) -> Seat:
        """The seat of a text; *seconds* for a decision where the text does not say."""
        kind, colon, rest = text.partition(":")
        human = kind == HUMAN
        if human and not rest:
            if colon:
                raise RulewrightError(f"{text} misses the personality that gives hints")
            return cls(text, HUMAN, True, GameLimits(seconds=seconds or SECONDS), None)
        who = _best_known(rest if human else text, game)
        contestant = Contestant.parse(who)
        allowed = contestant.seconds or seconds or _usual(contestant.who)
        if allowed > MOST_SECONDS:
            raise RulewrightError(f"`{text}`: a decision takes {MOST_SECONDS:.0f} seconds at most")
        limits = evolve(contestant.limits(GameLimits()), seconds=allowed)
        return cls(text, who, human, limits, contestant.open(game, limits))

    @property
    def seconds(self) -> float:
        """The most that a decision may take."""
        return self.limits.seconds or MOST_SECONDS

    @property
    def personality(self) -> Personality | None:
        """The personality that decides or gives hints."""
        return self.player.personality if isinstance(self.player, PersonalityPlayer) else None

    @property
    def called(self) -> str:
        """Who sits here, for people."""
        if self.human:
            return "you" if self.player is None else f"you, hints by {self.who}"
        return self.who

    def ready(self, state: State, seed: int) -> None:
        """Get ready, before any limit counts: what a first decision compiles is compiled."""
        with self._busy:
            if self.player is None or self._seed is not None:
                return
            self.player.start(state.game, self.limits, seed)
            if self.who.partition(":")[0] not in SPEECHES:
                for one in (state, _later(state)):  # openings may need no search
                    self.player.choose(one, Clock(_BRIEF))
                self.player.start(state.game, self.limits, seed)  # as if nothing had been thought
            self._seed = seed

    def decide(self, state: State, seed: int, seconds: float | None = None) -> Decision:
        """What the player here would play, within its seconds; a human's own adviser decides."""
        if self.player is None:
            self.player = Contestant.parse(SEARCH).open(state.game, self.limits)
        self.ready(state, seed)
        return self.player.choose(state, Clock(seconds or self.seconds))

    def change(self, name: str, value: Number, percent: bool = False) -> None:
        """Give a factor of the personality here another value; *percent*: it was said with `%`."""
        found = self.personality
        if found is None:
            raise RulewrightError(f"{self.called} has no factors; only personalities have")
        found.refuse_percent([name] if percent else [])
        own = found.with_factors(**{name: value})
        self.player = PersonalityPlayer(self.who, own)
        self._seed = None

    def close(self) -> None:
        """End a program that plays here."""
        if self.player is not None:
            self.player.close()


def _later(state: State) -> State:
    """A position some decisions on; the one before the end where the game ends sooner."""
    chance = Random(0)
    for _ in range(_LATER):
        after = followed(state, chance.choice(state.moves.texts))
        if after.over:
            break
        state = after
    return state


def _best_known(text: str, game: Game) -> str:
    """*text* with the game's best player in place of a bare `computer`."""
    rest = text.removeprefix(COMPUTER)
    if rest == text or rest[:1] not in ("", ":", "@"):
        return text
    return (formats(game).play.best or SEARCH) + rest


def _usual(who: str) -> float:
    """The seconds of players whom nothing limits; personalities have limits of their own."""
    if who.partition(":")[0] in SPEECHES:
        return OUTSIDE_SECONDS
    return SECONDS if who == SEARCH else MOST_SECONDS
