"""Contestants: the text of a player, read in the same way by every command and every process.

In: `WHO`, `WHO:SECONDS` or `WHO@depth=2,nodes=500,time=0.1`, where WHO is a personality (a name or
a path), `search` or `computer` (the search that knows only the rules), `random`, or a program
from outside (`gomocup:COMMAND`, `gtp:COMMAND`, `uci:COMMAND`,
`usi:COMMAND`, `ucci:COMMAND`, `engine:COMMAND`).  Out: a player.
Limits after `@` hold for this player alone; other names there are factors of a personality, with
new values (`flip@flip_cost=30`).  Refuses limits and factors that the player does not have.

A program from outside is a player like any other, timed by the wall clock.  If it hangs, crashes,
floods its output or answers no legal move, it is ended and `Failed` says why: it loses the game,
and the next game starts it again.  A program that cannot be started raises `CannotStart`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols.dialects import Dialect, UcciDialect, UsiDialect
from rulewright.matches.protocols.gomocup import GomocupManager
from rulewright.matches.protocols.gtp import GtpController
from rulewright.matches.protocols.process import Program, words
from rulewright.matches.protocols.text_protocol import TextController
from rulewright.matches.protocols.uci import UciController
from rulewright.players.builtin import PersonalityPlayer, RandomPlayer, SearchPlayer, limited
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, Failed, GameLimits, Player
from rulewright.search.results import refuse_secrets

_LIMITS = {
    "depth": ("depth", int), "nodes": ("nodes", int), "time": ("seconds", float),
    "threads": ("threads", int),
}  # fmt: skip
_SECONDS = re.compile(r"^(?P<who>.*[^:]):(?P<seconds>[-+]?[0-9.][0-9.e+-]*)$")
"""Matches `WHO:SECONDS`, the short form of `WHO@time=SECONDS`."""


@frozen
class Contestant:
    """A player's text, parsed: its name, its `own` limits, and its `factors` with their values.

    `shares` are the factors whose values were written with `%`.
    """

    text: str
    player_name: str
    own: tuple[tuple[str, int | float], ...] = ()
    factors: tuple[tuple[str, int | float], ...] = ()
    shares: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Parse `WHO`, `WHO:SECONDS` or `WHO@NAME=N,...`; raises `RulewrightError`."""
        player_name, at, tail = text.rpartition("@")
        if not at or "=" not in tail:
            player_name, tail = text, ""
        short = (
            None if player_name.partition(":")[0] in CONTROLLERS else _SECONDS.match(player_name)
        )
        parts = [part for part in tail.split(",") if part]
        pairs = [_pair(part, text) for part in parts]
        if short:
            player_name = short["who"]
            pairs.append(_pair(f"time={short['seconds']}", text))
        if not player_name.strip():
            raise RulewrightError("a player is missing: a personality, computer or random")
        shares = frozenset(part.partition("=")[0].strip() for part in parts if "%" in part)
        if shares & _LIMITS.keys():
            raise RulewrightError(f"`{text}`: limits are no percentages")
        own = tuple(_limit(name, value, text) for name, value in pairs if name in _LIMITS)
        factors = tuple(pair for pair in pairs if pair[0] not in _LIMITS)
        return cls(text, player_name, own, factors, shares)

    @property
    def seconds(self) -> float | None:
        """The time limit of a decision in the text, in seconds."""
        return dict(self.own).get("seconds")

    def limits(self, limits: GameLimits) -> GameLimits:
        """The limits of a match, replaced by the player's own where it has some."""
        changes: dict[str, Any] = dict(self.own)
        return evolve(limits, **changes) if changes else limits

    def open(self, game: Game, limits: GameLimits) -> Player:
        """Load the player; raises `RulewrightError` if it cannot play this game or these limits."""
        plain = self._without_personality()
        if not isinstance(plain, RandomPlayer | SearchPlayer):
            refuse_secrets(game, f"`{self.text}`")
        if plain is not None and self.factors:
            raise RulewrightError(f"`{self.text}`: only personalities have factors")
        return plain or PersonalityPlayer(self.text, self.personality(game, limits))

    def personality(self, game: Game, limits: GameLimits) -> Personality:
        """Load the personality with its factors; raises `RulewrightError` for unknown limits."""
        personality = Personality.load(self.player_name, game)
        personality.refuse_percent(self.shares)
        personality = personality.with_factors(**dict(self.factors))
        limited(personality.model, self.limits(limits))
        return personality

    def alone(self, game: Game, limits: GameLimits | None = None) -> Personality:
        """Load the personality for decisions outside of matches; its own limits go first."""
        own = self.limits(limits or GameLimits())
        personality = self.personality(game, own)
        resources = evolve(personality.resources, threads=own.threads)
        return evolve(personality, model=limited(personality.model, own), resources=resources)

    def _without_personality(self) -> Player | None:
        if self.player_name == "random":
            return RandomPlayer(self.text)
        if self.player_name in ("computer", "search"):
            return SearchPlayer(self.text)
        return outside_player(self.player_name, self.text)


def factor_value(text: str) -> int | float:
    """The value of a factor as it is typed: `3`, `2.5` or `50%`; raises `ValueError`."""
    share = text.endswith("%")
    value = float(text.removesuffix("%")) / (100 if share else 1)
    # What is written with a point or as a share stays a float, also where it is whole.
    return int(value) if value.is_integer() and not share and "." not in text else value


def _pair(part: str, text: str) -> tuple[str, int | float]:
    """Read `NAME=VALUE` of the contestant *text*; raises `RulewrightError`."""
    name, _, value = part.partition("=")
    try:
        return name.strip(), factor_value(value)
    except ValueError:
        settings = "depth=N, nodes=N, time=SECONDS, threads=N and FACTOR=N"
        raise RulewrightError(f"`{text}`: behind @ stand {settings}, not `{part}`") from None


def _limit(name: str, value: float, text: str) -> tuple[str, int | float]:
    field, kind = _LIMITS[name]
    if not 0 < value < float("inf") or (kind is int and not isinstance(value, int)):
        expected = "a whole number from 1" if kind is int else "a time above 0"
        raise RulewrightError(f"`{text}`: the limit {name} is {expected}")
    return field, value


# --- programs from outside ---


READY = 30.0
"""Seconds for a program to get ready for its first game, before any clock runs."""
SLOWER = 3
"""Factor by which getting ready again may take longer than before."""
PATIENCE = 60.0
"""Seconds for a decision of a program without a time limit."""


class Controller(Protocol):
    """The protocol of a program, for one connection; may remember what was sent."""

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Begin a game with a program, new or after another game.  Raises `Failed`."""

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Ask for a decision.  Raises `Failed`."""

    @property
    def farewell(self) -> tuple[str, ...]:
        """The lines to send last."""


@define
class OutsidePlayer:
    """A program as a player: started for the first game, kept running for the next ones."""

    name: str
    command: tuple[str, ...]
    speaks: Callable[[], Controller]
    speech: Controller = field(init=False)
    _program: Program | None = field(default=None, init=False)
    _limits: GameLimits = field(factory=GameLimits, init=False)
    _took: float | None = field(default=None, init=False)
    """The longest time that it took to get ready, in seconds; 0 if it never was."""

    def __attrs_post_init__(self) -> None:
        self.speech = self.speaks()

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        """Start the program if it does not run, and begin a game."""
        self._limits = limits
        if self._program is None:
            self.speech = self.speaks()
            self._program = Program.start(self.command)
        start, patience = time.monotonic(), self._ready_in()
        self._took = self._took or 0.0
        with self._ended_by_failure():
            self.speech.begin(self._program, game, limits, seed, start + patience)
        self._took = max(self._took, time.monotonic() - start)

    def _ready_in(self) -> float:
        """Seconds to get ready: `READY` the first time, then by its time limit or what it took.

        So a program that has fallen silent costs its own limit in every game, and not `READY`.
        """
        if self._took is None:
            return READY
        limits = self._limits
        bounds = [s for s in (limits.seconds, limits.clock) if s is not None]
        return min(READY, max(min(bounds, default=READY) + limits.grace, SLOWER * self._took))

    def choose(self, state: State, clock: Clock) -> Decision:
        """Ask the program for a decision.  Raises `Failed` if it is late or illegal."""
        if self._program is None:
            raise Failed("crash", "the program does not run")
        with self._ended_by_failure():
            decision = self.speech.ask(self._program, state, clock, self._deadline(clock))
            if decision.move not in state.moves:
                raise Failed("illegal", f"`{decision.move}` is no legal decision here")
            return decision

    @contextmanager
    def _ended_by_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _deadline(self, clock: Clock) -> float:
        bounds = [s for s in (clock.seconds, clock.reserve) if s is not None]
        patience = min(bounds) + self._limits.grace if bounds else PATIENCE
        return time.monotonic() + patience

    def close(self) -> None:
        """End the program."""
        program, self._program = self._program, None
        if program is not None:
            program.close(*self.speech.farewell)


def outside_player(text: str, name: str = "") -> OutsidePlayer | None:
    """The player of `gomocup:COMMAND`, `gtp:COMMAND` and the like; None for another text.

    Options of a program of UCI, USI or UCCI stand before it: `uci:NAME=VALUE COMMAND`.
    """
    kind, colon, command = text.partition(":")
    if not colon or kind not in CONTROLLERS:
        return None
    parts, options = list(words(command)), dict[str, str]()
    if kind in DIALECTS:
        while parts and re.fullmatch(r"[A-Za-z][^=/]*=.*", parts[0]):
            option, _, value = parts.pop(0).partition("=")
            options[option] = value
        if not parts:
            raise RulewrightError("the command of a program is missing")
        return OutsidePlayer(
            name or text, tuple(parts), partial(UciController, options, DIALECTS[kind])
        )
    return OutsidePlayer(name or text, tuple(parts), CONTROLLERS[kind])


DIALECTS = {"uci": Dialect, "usi": UsiDialect, "ucci": UcciDialect}
"""The dialects of the Universal Chess Interface, by the same word."""
CONTROLLERS: dict[str, Callable[[], Controller]] = {
    "gomocup": GomocupManager,
    "gtp": GtpController,
    "uci": UciController,
    "usi": partial(UciController, interface=UsiDialect),
    "ucci": partial(UciController, interface=UcciDialect),
    "engine": TextController,
}
"""The protocols of programs, by the word before the command."""
