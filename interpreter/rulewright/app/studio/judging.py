"""The course of a game: each position judged by a search of the same size, mistakes by name.

In: the positions of a line, seconds, a `Telling`.  Out: values for whoever began, what was better,
and the drop in expected score from the best decision to the one that was made.  Both are judged by
searches of as many nodes, so that a name depends on no clock: what there is no time for has none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from rulewright.app.studio.answers import JudgedNode
from rulewright.app.studio.thinking import Telling, refuse_endless
from rulewright.games.engine.game import State
from rulewright.search.best import best
from rulewright.search.results import MEBIBYTE, Limits

NODES = 200_000
"""Nodes of each search."""
MISTAKES = (("blunder", 0.3), ("mistake", 0.2), ("inaccuracy", 0.1))
"""What a decision is called that costs so much of a point, a win being one and a draw a half."""
_MEMORY = 16 * MEBIBYTE
"""The memory of a search, in bytes: more would take longer to clear than to use."""
_SURE = {"win": 1.0, "loss": -1.0}


@frozen
class Judgement:
    """What a position is worth for a side, from -1 to 1, and what a search would play there."""

    side: str
    value: float
    proven: str | None = None
    move: str = ""

    def worth(self, side: str) -> float:
        """The value for a side."""
        return self.value if side == self.side else -self.value


def curve(line: list[tuple[int, State]], seconds: float, telling: Telling) -> list[JudgedNode]:
    """Judge each position of a game, the last ones first, and name the mistakes."""
    refuse_endless(seconds)
    judged: list[JudgedNode] = []
    for entry in _judged(line, time.monotonic() + seconds, telling.ended):
        if judged and judged[-1].node == entry.node:
            judged.pop()  # the same decision, with what was better
        judged.append(entry)
        telling.sometimes(lambda: judged[::-1])
    return judged[::-1]


def _judged(
    line: list[tuple[int, State]], until: float, ended: Callable[[], bool]
) -> Iterator[JudgedNode]:
    """Judgements from the last position back; each decision again when its drop is known."""
    first = _beginner(line[0][1])
    last: tuple[JudgedNode, State, Judgement] | None = None
    for node, state in reversed(line):
        here = None if ended() else judge(state, until)
        if here is None:
            return
        if last is not None and (loss := drop(state, here, last[1], last[2], until)) is not None:
            yield evolve(last[0], best=here.move, drop=loss, name=mistake(loss))
        entry = JudgedNode(node, here.worth(first), here.proven)
        yield entry
        last = (entry, state, here)


def _beginner(state: State) -> str:
    """The colour of the person who began the game."""
    return state.game.players[int(state.swapped)]


def judge(state: State, until: float) -> Judgement | None:
    """Judge a position by a search of `NODES`; None where the time is over before."""
    first = state.game.players[0]
    if state.result is not None:
        winner = state.result.winner
        value = 0.0 if winner is None else 1.0 if winner == first else -1.0
        return Judgement(first, value, "draw" if winner is None else f"{winner} has won")
    seconds = until - time.monotonic()
    if seconds <= 0:
        return None
    result = best(state, Limits(seconds, NODES, memory=_MEMORY), 0)
    if result.proven is not None:
        sure = _SURE.get(result.proven, 0.0)
        return Judgement(result.side, sure, f"{result.side}: {result.proven}", result.move)
    if time.monotonic() >= until:  # a shorter search says something else
        return None
    return Judgement(result.side, max(-1.0, min(1.0, result.value)), None, result.move)


def drop(
    before: State, here: Judgement, after: State, then: Judgement, until: float
) -> float | None:
    """The share of a point that a decision cost against the best one; None where time is over."""
    if after.decisions()[-1] == here.move or here.value == -1.0:
        return 0.0
    rival: Judgement | None = here
    if here.proven is None:  # as far away from the position as what was played
        rival = judge(before.play_decision(here.move), until)
    if rival is None:
        return None
    return max(0.0, (rival.worth(here.side) - then.worth(here.side)) / 2)


def mistake(loss: float) -> str:
    """The name of a decision that costs so much; empty where it is good enough."""
    return next((name for name, least in MISTAKES if loss >= least), "")
