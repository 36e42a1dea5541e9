"""A player as a referee sees one: the interface that everything that plays has.

In: a game and limits once, then positions with a clock.  Out: decisions with what is known of them.
A personality, the plain search, chance and a program outside all have this face, and nothing else
is asked of them.  A player that cannot go on raises `Failed` (any other exception counts as a
crash): it loses the game, with the reason on record, and the match goes on.
"""

from __future__ import annotations

from math import inf
from typing import Any, Protocol

from attrs import asdict, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.budget import bounded

REASONS = ("crash", "hang", "illegal", "time", "refused")
"""How a player loses a game without being beaten on the board.

One that has `refused` a decision which the rules allow, of either side, need not have lost.
"""


class Failed(RulewrightError):
    """A player cannot go on: `reason` is one of `REASONS`, the message says what happened."""

    def __init__(self, reason: str, message: str) -> None:
        if reason not in REASONS:
            raise ValueError(f"a player fails by {', '.join(REASONS)}, not by {reason}")
        self.reason = reason
        super().__init__(message)


@frozen
class GameLimits:
    """What both players of a game may use.

    `seconds` for each decision; `clock` seconds for all decisions of a game and `increment` seconds
    given back after each turn; `nodes` and `depth` of each search; `memory` in MiB; how many
    `threads` search together, after which nothing is the same twice.  `grace` are
    the seconds by which a decision may be late before the game is lost for it.
    """

    seconds: float | None = field(default=None, converter=bounded)
    clock: float | None = field(default=None, converter=bounded)
    increment: float = 0.0
    nodes: int | None = None
    depth: int | None = None
    memory: int = 64
    grace: float = 1.0
    threads: int = 1

    @property
    def timed(self) -> bool:
        """Whether decisions depend on the speed of the machine."""
        return self.seconds is not None or self.clock is not None

    def or_nodes(self, nodes: int) -> GameLimits:
        """These limits; with none of time, nodes or depth, so many *nodes* for each search."""
        free = not self.timed and self.nodes is None and self.depth is None
        return evolve(self, nodes=nodes) if free else self

    def as_data(self) -> dict[str, Any]:
        """The limits that are set, as JSON has them."""
        plain = asdict(GameLimits())
        return {name: value for name, value in asdict(self).items() if value != plain[name]}


@frozen
class Clock:
    """What is left when a decision is asked for, in seconds; None where there is no limit.

    `seconds` is the most for this decision, `reserve` what the whole game may still take.
    """

    seconds: float | None = None
    reserve: float | None = None
    increment: float = 0.0


@frozen
class Decision:
    """A decision, exactly as `State.moves` writes it, and what the player says of it.

    `value` is bigger for what is better for whoever decides, in the player's own units; what a
    player does not know is None.  Where its search has seen the end `result` says it in place of a
    value (`win in 5`).  The referee measures the time.  `fixed` promises that the same
    decision comes again where the game has gone the same way: neither chance nor time had a part.
    Not `searched`: there was no time, or no code yet, for what this player does as a rule.
    `line` is what it expects, itself first, where it was asked to say so.
    """

    move: str
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None
    fixed: bool = False
    searched: bool = True
    result: str = ""
    line: tuple[str, ...] = ()

    @property
    def ahead(self) -> float:
        """Its value, where it may be compared: more than any for a win."""
        if self.result:
            return inf if self.result.startswith("win") else -inf
        return 0.0 if self.value is None else self.value


def claims_draw(state: State, decision: Decision) -> bool:
    """Whether a player claims a draw that it may claim, instead of playing what it has decided.

    It does unless it says that going on is better for it than a draw.
    """
    return state.claimable and decision.ahead <= 0


class Player(Protocol):
    """Plays one game after the other, one decision at a time."""

    @property
    def name(self) -> str:
        """What the player is called in tables."""

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        """Get ready for a new game; `game.options` are its options, *seed* is for all chance.

        May take long (compiling, starting a process): no clock runs.
        """

    def choose(self, state: State, clock: Clock) -> Decision:
        """Decide here; `state.states()` is the whole way.  Raises `Failed`."""

    def close(self) -> None:
        """Let go of everything, also after a failure; `start` may follow, and begins afresh."""
