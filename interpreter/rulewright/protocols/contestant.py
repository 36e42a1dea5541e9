"""Who plays: one text that every command and every process reads in the same way.

In: `WHO`, `WHO:SECONDS` or `WHO@depth=2,nodes=500,time=0.1`, where WHO is a personality (a name or
a path), `search` or `computer` (the search that knows only the rules), `random`, or a program
from outside (`gomocup:COMMAND`, `gtp:COMMAND`, `uci:COMMAND`, `engine:COMMAND`).  Out: a player.
Limits after `@` hold for this one player; other names there are factors of a personality, with new
values (`flip@flip_cost=30`).  Refuses limits and factors that mean nothing to the player.

A program from outside is a player like any other.  Its time is held by the wall clock; when it
hangs, crashes, floods its output or answers with something that is no move, it is ended, and
`Failed` says why: it loses that game, and the next game starts it again.  One that cannot be
started raises `CannotStart`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from attrs import define, evolve, field, frozen

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.players.inside import PersonalityPlayer, RandomPlayer, SearchPlayer, limited
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, Failed, GameLimits, Player
from rulewright.protocols.gomocup import GomocupManager
from rulewright.protocols.gtp import GtpController
from rulewright.protocols.process import Program, words
from rulewright.protocols.text_protocol import TextController
from rulewright.protocols.uci import UciController

_OWN = {
    "depth": ("depth", int), "nodes": ("nodes", int), "time": ("seconds", float),
    "threads": ("threads", int),
}  # fmt: skip
_SECONDS = re.compile(r"^(?P<who>.*[^:]):(?P<seconds>[-+]?[0-9.][0-9.e+-]*)$")
"""`WHO:SECONDS`, the short form of `WHO@time=SECONDS`."""


@frozen
class Contestant:
    """Who plays: `text` as it was written, `who` without what follows, limits, factors.

    `shares` are the factors that were said with `%`.
    """

    text: str
    who: str
    own: tuple[tuple[str, int | float], ...] = ()
    factors: tuple[tuple[str, int | float], ...] = ()
    shares: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Read `WHO`, `WHO:SECONDS` or `WHO@NAME=N,...`."""
        who, at, tail = text.rpartition("@")
        if not at or "=" not in tail:
            who, tail = text, ""
        short = None if who.partition(":")[0] in SPEECHES else _SECONDS.match(who)
        pairs = [_pair(part, text) for part in tail.split(",") if part]
        if short:
            who = short["who"]
            pairs.append(_pair(f"time={short['seconds']}", text))
        if not who.strip():
            raise RulewrightError("a player is missing: a personality, computer or random")
        shares = frozenset(one.partition("=")[0].strip() for one in tail.split(",") if "%" in one)
        if shares & _OWN.keys():
            raise RulewrightError(f"`{text}`: limits are no percentages")
        own = tuple(_limit(name, value, text) for name, value in pairs if name in _OWN)
        factors = tuple(pair for pair in pairs if pair[0] not in _OWN)
        return cls(text, who, own, factors, shares)

    @property
    def seconds(self) -> float | None:
        """The seconds for a decision that the text itself gives."""
        return dict(self.own).get("seconds")

    def limits(self, limits: GameLimits) -> GameLimits:
        """The limits that hold for this player."""
        changes: dict[str, Any] = dict(self.own)
        return evolve(limits, **changes) if changes else limits

    def open(self, game: Game, limits: GameLimits) -> Player:
        """The player, which is refused when it cannot play this game within these limits."""
        plain = self._plain()
        if plain is not None and self.factors:
            raise RulewrightError(f"`{self.text}`: only personalities have factors")
        return plain or PersonalityPlayer(self.text, self.personality(game, limits))

    def personality(self, game: Game, limits: GameLimits) -> Personality:
        """The personality with its factors, refused when these limits mean nothing to it."""
        found = Personality.load(self.who, game)
        found.refuse_percent(self.shares)
        found = found.with_factors(**dict(self.factors))
        limited(found.model, self.limits(limits))
        return found

    def alone(self, game: Game, given: GameLimits | None = None) -> Personality:
        """The personality as it thinks outside of matches, within its own limits or those given."""
        own = self.limits(given or GameLimits())
        found = self.personality(game, own)
        means = evolve(found.means, threads=own.threads)
        return evolve(found, model=limited(found.model, own), means=means)

    def _plain(self) -> Player | None:
        if self.who == "random":
            return RandomPlayer(self.text)
        if self.who in ("computer", "search"):
            return SearchPlayer(self.text)
        return outside_player(self.who, self.text)


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
        known = "depth=N, nodes=N, time=SECONDS, threads=N and FACTOR=N"
        raise RulewrightError(f"`{text}`: behind @ stand {known}, not `{part}`") from None


def _limit(name: str, value: float, text: str) -> tuple[str, int | float]:
    field, kind = _OWN[name]
    if not 0 < value < float("inf") or (kind is int and not isinstance(value, int)):
        what = "a whole number from 1" if kind is int else "a time above 0"
        raise RulewrightError(f"`{text}`: the limit {name} is {what}")
    return field, value


# --- programs from outside ---


READY = 30.0
"""Seconds a program has to get ready for its first game, when no clock runs."""
SLOWER = 3
"""How many times as long as before it may take to get ready again."""
PATIENCE = 60.0
"""Seconds a program has for a decision when no time limits it."""


class Speech(Protocol):
    """How to speak to one program; it may remember what was said."""

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Begin a game; the program is fresh or has ended a game."""

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Ask for a decision.  Raises `Failed`."""

    @property
    def farewell(self) -> tuple[str, ...]:
        """What is said last."""


@define
class OutsidePlayer:
    """A program as a player; it is started for the first game and runs on for the next ones."""

    name: str
    command: tuple[str, ...]
    speaks: Callable[[], Speech]
    speech: Speech = field(init=False)
    _program: Program | None = field(default=None, init=False)
    _limits: GameLimits = field(factory=GameLimits, init=False)
    _took: float | None = field(default=None, init=False)
    """The longest time that it took to get ready; 0 when it has never been."""

    def __attrs_post_init__(self) -> None:
        self.speech = self.speaks()

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        """Start the program if it does not run, and begin a game."""
        self._limits = limits
        if self._program is None:
            self.speech = self.speaks()
            self._program = Program.start(self.command)
        begun, allowed = time.monotonic(), self._ready_in()
        self._took = self._took or 0.0
        with self._ended_by_failure():
            self.speech.begin(self._program, game, limits, seed, begun + allowed)
        self._took = max(self._took, time.monotonic() - begun)

    def _ready_in(self) -> float:
        """The seconds it has to get ready: many the first time, then what it needed or a decision.

        So a program that has fallen silent costs its own limit in every game, and not `READY`.
        """
        if self._took is None:
            return READY
        limits = self._limits
        given = [s for s in (limits.seconds, limits.clock) if s is not None]
        return min(READY, max(min(given, default=READY) + limits.grace, SLOWER * self._took))

    def choose(self, state: State, clock: Clock) -> Decision:
        """What it answers, if that is legal and in time."""
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
        given = [s for s in (clock.seconds, clock.left) if s is not None]
        allowed = min(given) + self._limits.grace if given else PATIENCE
        return time.monotonic() + allowed

    def close(self) -> None:
        """End the program."""
        program, self._program = self._program, None
        if program is not None:
            program.close(*self.speech.farewell)


def outside_player(who: str, name: str = "") -> OutsidePlayer | None:
    """The player of `gomocup:COMMAND`, `gtp:COMMAND` and their like; None for another text.

    Options of a program of UCI stand before it: `uci:NAME=VALUE COMMAND`.
    """
    kind, colon, command = who.partition(":")
    if not colon or kind not in SPEECHES:
        return None
    parts, options = list(words(command)), dict[str, str]()
    if kind == "uci":
        while parts and re.fullmatch(r"[A-Za-z][^=/]*=.*", parts[0]):
            option, _, value = parts.pop(0).partition("=")
            options[option] = value
        if not parts:
            raise RulewrightError("the command of a program is missing")
        return OutsidePlayer(name or who, tuple(parts), partial(UciController, options))
    return OutsidePlayer(name or who, tuple(parts), SPEECHES[kind])


SPEECHES: dict[str, Callable[[], Speech]] = {
    "gomocup": GomocupManager,
    "gtp": GtpController,
    "uci": UciController,
    "engine": TextController,
}
"""How to speak, by the word before the command."""
