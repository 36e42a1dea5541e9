"""Seats of a game: a human, or a player of any kind, made from a text.

In: `human`, `human:NAME` (hints by a personality), or the text of a contestant
(`matches/protocols/contestant.py`); a game.  Out: a `Seat` whose player is loaded, so that mistakes
in the text are reported before the game begins.  A bare `computer` is the best player that
`GAME.toml` names, else the plain search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice, repeat
from random import Random
from threading import Lock, RLock

from attrs import define, evolve, field

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.matches.protocols.contestant import CONTROLLERS, Contestant
from rulewright.matches.protocols.format_settings import formats
from rulewright.model.personality import Number
from rulewright.players.builtin import PersonalityPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits, Player
from rulewright.search.listing import followed

HUMAN = "human"
COMPUTER = "computer"
SEARCH = "search"
MOST_SECONDS = 3600.0
"""The longest time limit of a decision."""
SECONDS = 1.0
"""Seconds of the plain search for a decision, by default."""
_WARM_UP_SECONDS = 0.02
"""Seconds of a decision that is made only to have its code compiled."""
_PLIES_PAST_OPENINGS = 8
"""Plies after which no opening book decides any more."""
OUTSIDE_SECONDS = 5.0
"""Seconds of a program from outside for a decision, by default."""


@define
class Seat:
    """A chair and its player; `text` is what it was made from, `player_name` the name in it.

    A human's `player` gives hints; None stands for the plain search, loaded at the first hint.
    """

    text: str
    player_name: str
    human: bool
    limits: GameLimits
    player: Player | None
    _seed: int | None = field(default=None, init=False)
    _busy: Lock = field(factory=Lock, init=False)
    _deciding: RLock = field(factory=RLock, init=False)
    """Held while the player decides: nobody else asks it, and it is not closed."""
    _closed: bool = field(default=False, init=False)

    @classmethod
    def of(cls, text: str, game: Game, seconds: float | None = None) -> Seat:
        """Make a seat from a text; *seconds* limit a decision where the text does not.

        Raises `RulewrightError` for an unknown player, or limits that mean nothing to it.
        """
        kind, colon, tail = text.partition(":")
        human = kind == HUMAN
        if human and not tail:
            if colon:
                raise RulewrightError(f"{text} needs the name of a personality that gives hints")
            return cls(text, HUMAN, True, GameLimits(seconds=seconds or SECONDS), None)
        player_name = _with_best_player(tail if human else text, game)
        contestant = Contestant.parse(player_name)
        limit = contestant.seconds or seconds or _default_seconds(contestant.player_name)
        if limit > MOST_SECONDS:
            raise RulewrightError(f"`{text}`: a decision takes {MOST_SECONDS:.0f} seconds at most")
        limits = evolve(contestant.limits(GameLimits()), seconds=limit)
        return cls(text, player_name, human, limits, contestant.open(game, limits))

    @property
    def seconds(self) -> float:
        """The time limit of a decision, in seconds."""
        return self.limits.seconds or MOST_SECONDS

    @property
    def personality(self) -> Personality | None:
        """The personality that decides or gives hints; None for other players."""
        return self.player.personality if isinstance(self.player, PersonalityPlayer) else None

    @property
    def label(self) -> str:
        """The name of the player, for people: `you` for a human."""
        if self.human:
            return "you" if self.player is None else f"you, hints by {self.player_name}"
        return self.player_name

    def ready(self, state: State, seed: int) -> None:
        """Start the player and compile what its decisions need, before any clock runs."""
        with self._busy:
            if self.player is None or self._seed is not None:
                return
            self.player.start(state.game, self.limits, seed)
            if self.player_name.partition(":")[0] not in CONTROLLERS:
                for position in (state, _later(state)):  # the opening may be decided by a book
                    self.player.choose(position, Clock(_WARM_UP_SECONDS))
                self.player.start(state.game, self.limits, seed)  # forgets what it has searched
            self._seed = seed

    def decide(self, state: State, seed: int, seconds: float | None = None) -> Decision:
        """Let the player decide within its time limit; a human's adviser decides for a human.

        A seat that is closed meanwhile is closed when this has ended; then nobody decides here.
        """
        with self._present():
            if self.player is None:
                self.player = Contestant.parse(SEARCH).open(state.game, self.limits)
            self.ready(state, seed)
            return self.player.choose(state, Clock(seconds or self.seconds))

    def prepare(self, state: State, seed: int) -> None:
        """Get the player ready while others decide; raises `RulewrightError` if it has left."""
        with self._present():
            self.ready(state, seed)

    @contextmanager
    def _present(self) -> Iterator[None]:
        """A block in which the player stays; one that is told to leave goes when it has ended."""
        try:
            with self._deciding:
                if self._closed:
                    raise RulewrightError(f"{self.label} has left the game")
                yield
        finally:
            if self._closed:
                self.close()

    def change(self, name: str, value: Number, percent: bool = False) -> None:
        """Set a factor of the personality; *percent*: the value was typed with `%`.

        Raises `RulewrightError` for players without factors and values out of range.
        """
        personality = self.personality
        if personality is None:
            raise RulewrightError(f"{self.label} has no factors; only personalities have")
        personality.refuse_percent([name] if percent else [])
        own = personality.with_factors(**{name: value})
        self.player = PersonalityPlayer(self.player_name, own)
        self._seed = None

    def close(self) -> None:
        """End the program that plays here, if it is one; at once where it does not decide."""
        self._closed = True
        if self._deciding.acquire(blocking=False):
            try:
                if self.player is not None:
                    self.player.close()
            finally:
                self._deciding.release()


def seats_of(texts: Sequence[str], game: Game) -> tuple[Seat, ...]:
    """A seat for each who decides in a game; the last of the *texts* is for all that are left.

    Texts beyond the last seat are for nobody.
    """
    last = texts[-1] if texts else HUMAN
    return tuple(
        Seat.of(text, game) for text in islice(chain(texts, repeat(last)), len(game.rules.seats))
    )


def _later(state: State) -> State:
    """The state after some random decisions, before the game is over."""
    chance = Random(0)
    for _ in range(_PLIES_PAST_OPENINGS):
        after = followed(state, random_decision(state, chance))
        if after.over:
            break
        state = after
    return state


def _with_best_player(text: str, game: Game) -> str:
    """Replace a bare `computer` in the text of a player by the game's best player."""
    tail = text.removeprefix(COMPUTER)
    if tail == text or tail[:1] not in ("", ":", "@"):
        return text
    return (formats(game).play.best or SEARCH) + tail


def _default_seconds(player_name: str) -> float:
    """Seconds of a player whose text sets no limit; personalities have limits of their own."""
    if player_name.partition(":")[0] in CONTROLLERS:
        return OUTSIDE_SECONDS
    return SECONDS if player_name == SEARCH else MOST_SECONDS
