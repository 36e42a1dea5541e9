"""Matches played to their end, their results without what clocks say, and players by a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulewright.games.engine.game import Game, State
from rulewright.matches.run import Run
from rulewright.players.player import Clock, Decision, GameLimits


@define
class Scripted:
    """Does what a function says."""

    deed: Callable[[State, Clock], Decision]
    name: str = "scripted"
    clocks: list[Clock] = field(factory=list)

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        pass

    def choose(self, state: State, clock: Clock) -> Decision:
        self.clocks.append(clock)
        return self.deed(state, clock)

    def close(self) -> None:
        pass


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    for effort in result["effort"]:
        effort.pop("seconds")
    return result


def played(run: Run) -> dict[str, Any]:
    with run:
        for _ in run:
            pass
    return timeless(run.result())
