"""A program from outside as a player: whatever it speaks, a referee sees one face.

In: a command and how to speak to it.  Out: a `Player`.  Its time is held by the wall clock; when it
hangs, crashes, floods or answers what is no move it is ended and `Failed` says why, so that it
loses that game; the next game starts it anew.  A program that cannot be started raises
`CannotStart`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from attrs import define, field

from rulewright.engine.game import Game, State
from rulewright.players.player import Clock, Decision, Failed, Limits
from rulewright.protocols.gomocup.manager import Manager
from rulewright.protocols.gtp.controller import Controller
from rulewright.protocols.process import Child, words
from rulewright.protocols.text.asking import Asking

READY = 30.0
"""Seconds a program has to get ready for its first game, when no clock runs."""
SLOWER = 3
"""How many times as long as before it may take to get ready again."""
PATIENCE = 60.0
"""Seconds a program has for a decision when no time limits it."""


class Speech(Protocol):
    """How to speak to a program; one for each program, it may remember what was said."""

    def begin(self, child: Child, game: Game, limits: Limits, seed: int, deadline: float) -> None:
        """Begin a game; the program is fresh or has ended a game."""

    def ask(self, child: Child, state: State, clock: Clock, deadline: float) -> Decision:
        """Ask for a decision.  Raises `Failed`."""

    @property
    def farewell(self) -> tuple[str, ...]:
        """What is said last."""


@define
class OutsidePlayer:
    """A program as a player; it is started with the first game and kept for the next ones."""

    name: str
    command: tuple[str, ...]
    speaks: Callable[[], Speech]
    speech: Speech = field(init=False)
    _child: Child | None = field(default=None, init=False)
    _limits: Limits = field(factory=Limits, init=False)
    _took: float | None = field(default=None, init=False)
    """The longest time that it took to get ready; 0 when it has never been."""

    def __attrs_post_init__(self) -> None:
        self.speech = self.speaks()

    def start(self, game: Game, limits: Limits, seed: int) -> None:
        """Start the program if it does not run, and begin a game."""
        self._limits = limits
        if self._child is None:
            self.speech = self.speaks()
            self._child = Child.start(self.command)
        begun, allowed = time.monotonic(), self._ready_in()
        self._took = self._took or 0.0
        with _Guard(self):
            self.speech.begin(self._child, game, limits, seed, begun + allowed)
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
        if self._child is None:
            raise Failed("crash", "the program does not run")
        with _Guard(self):
            decision = self.speech.ask(self._child, state, clock, self._deadline(clock))
            if decision.move not in state.moves:
                raise Failed("illegal", f"`{decision.move}` is no legal decision here")
            return decision

    def _deadline(self, clock: Clock) -> float:
        given = [s for s in (clock.seconds, clock.left) if s is not None]
        allowed = min(given) + self._limits.grace if given else PATIENCE
        return time.monotonic() + allowed

    def close(self) -> None:
        """End the program."""
        child, self._child = self._child, None
        if child is not None:
            child.close(*self.speech.farewell)


@define
class _Guard:
    """Ends the program of a player that fails."""

    player: OutsidePlayer

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.player.close()


def outside_player(who: str, name: str = "") -> OutsidePlayer | None:
    """The player of `gomocup:COMMAND`, `gtp:COMMAND` or `engine:COMMAND`; None for another text."""
    kind, colon, command = who.partition(":")
    if not colon or kind not in SPEECHES:
        return None
    return OutsidePlayer(name or who, words(command), SPEECHES[kind])


SPEECHES: dict[str, Callable[[], Speech]] = {
    "gomocup": Manager,
    "gtp": Controller,
    "engine": Asking,
}
"""How to speak, by the word before the command."""
