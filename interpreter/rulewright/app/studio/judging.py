"""The course of a game: each position judged by a search of the same size, mistakes by name.

In: the positions of a line, seconds, a `Telling`.  Out: values for whoever began, what was better,
and the drop in expected score from the best decision to the one that was made.  Both are judged by
searches of as many nodes, so that a name depends on no clock: what there is no time for has none.
What seems to be a mistake is looked at again by more nodes, which settle what was better.
A game of `judges.toml` is judged by a player, as its rules alone say too little within so few
nodes; `scale` makes points of that player's values.
"""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from rulewright.app.studio.answers import JudgedNode
from rulewright.app.studio.thinking import Telling, refuse_endless
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.disk import read_text
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.builtin import PersonalityPlayer
from rulewright.players.player import Clock, GameLimits
from rulewright.search.best import best
from rulewright.search.results import MEBIBYTE, Limits, refuse_seats

NODES = 200_000
"""Nodes of each search by the rules alone."""
MORE = 5
"""So many times the nodes go to what seems to be a mistake."""
MISTAKES = (("blunder", 0.3), ("mistake", 0.2), ("inaccuracy", 0.1))
"""What a decision is called that costs so much of a point, a win being one and a draw a half."""
_LINE = 8
"""Decisions of a refutation that are told at most."""
_MEMORY = 16
"""The memory of a search, in MiB: more would take longer to clear than to use."""
_SURE = {"win": 1.0, "loss": -1.0}


@frozen
class Judgement:
    """What a position is worth for a side, from -1 to 1, and what a search would play there.

    `line` is what it expects, `depth` how far it looked.
    """

    side: str
    value: float
    proven: str | None = None
    move: str = ""
    line: tuple[str, ...] = ()
    depth: int = 0

    def worth(self, side: str) -> float:
        """The value for a side."""
        return self.value if side == self.side else -self.value


@frozen
class Improvement:
    """What was better than a decision, what that cost, how it is refuted, and by which depth."""

    move: str
    drop: float
    refutation: tuple[str, ...]
    depth: int

    def entry_with(self, entry: JudgedNode) -> JudgedNode:
        """The entry of the decision, with all this where it is a mistake."""
        name = mistake(self.drop)
        line = self.refutation[:_LINE] if name else ()
        return evolve(
            entry, best=self.move, drop=self.drop, name=name, refutation=line, depth=self.depth
        )


@frozen
class PositionJudge:
    """Judges positions until a time is over: by a player of the game, else by the rules alone."""

    until: float
    player: PersonalityPlayer | None = None
    scale: float = 1.0
    nodes: int = NODES
    """Nodes of a search by the rules alone."""

    @classmethod
    def of(cls, game: Game, until: float, times: int = 1) -> PositionJudge:
        """The judge of a game, by so many *times* the usual nodes.

        Rules of one's own that have its name may not know the player.
        """
        entry, nodes = _judges().get(game.name), NODES * times
        if entry is None:
            return cls(until, nodes=nodes)
        try:
            return cls(until, _player(entry["player"], game, until, times), entry["scale"])
        except RulewrightError:
            return cls(until, nodes=nodes)

    def judge(self, state: State) -> Judgement | None:
        """Judge a position; None where the time is over before."""
        if state.result is not None:
            return _ended(state)
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            return None
        judgement = self._by_player(state) if self.player else _by_rules(state, seconds, self.nodes)
        sure = judgement is None or judgement.proven is not None
        late = time.monotonic() >= self.until  # a shorter search says something else
        return judgement if sure or not late else None

    def _by_player(self, state: State) -> Judgement | None:
        assert self.player is not None
        decision, side = self.player.choose(state, Clock()), str(state.mover)
        result = decision.result.partition(" ")[0]
        if result in _SURE:
            sure = f"{side}: {result}"
            return Judgement(side, _SURE[result], sure, decision.move, depth=decision.depth or 0)
        if decision.value is None:
            return None
        value = math.tanh(decision.value / (2 * self.scale))
        return Judgement(side, value, None, decision.move, depth=decision.depth or 0)


@cache
def _judges() -> Mapping[str, Mapping[str, Any]]:
    """The players that judge games, with their scales."""
    return tomllib.loads(read_text(Path(__file__).with_name("judges.toml")))


def _player(text: str, game: Game, until: float, times: int) -> PersonalityPlayer:
    """A player that is ready, and gives up when the time is over."""
    contestant = Contestant.parse(text)
    limits = contestant.limits(GameLimits(memory=_MEMORY))
    limits = evolve(limits, nodes=limits.nodes and limits.nodes * times)
    player = PersonalityPlayer(text, contestant.personality(game, limits))
    player.watch.cancelled = lambda: time.monotonic() >= until
    player.start(game, limits, 0)
    return player


def _ended(state: State) -> Judgement:
    """Return the value of a finished game."""
    first, winner = state.game.players[0], state.result and state.result.winner
    value = 0.0 if winner is None else 1.0 if winner == first else -1.0
    return Judgement(first, value, "draw" if winner is None else f"{winner} has won")


def _by_rules(state: State, seconds: float, nodes: int) -> Judgement:
    """Judge by a search of so many nodes that knows the rules alone."""
    result = best(state, Limits(seconds, nodes, memory=_MEMORY * MEBIBYTE), 0)
    sure = None if result.proven is None else f"{result.side}: {result.proven}"
    value = max(-1.0, min(1.0, result.value))
    value = value if result.proven is None else _SURE.get(result.proven, 0.0)
    return Judgement(result.side, value, sure, result.move, result.pv, result.depth)


def curve(line: list[tuple[int, State]], seconds: float, telling: Telling) -> list[JudgedNode]:
    """Judge each position of a game, the last ones first, and name the mistakes."""
    refuse_endless(seconds)
    refuse_seats(line[0][1].game.rules, "the course of a game")
    judge = PositionJudge.of(line[0][1].game, time.monotonic() + seconds)
    judged: list[JudgedNode] = []
    careful = PositionJudge.of(line[0][1].game, judge.until, MORE)
    for entry in _judged(line, judge, careful, telling.ended):
        if judged and judged[-1].node == entry.node:
            judged.pop()  # the same decision, with what was better
        judged.append(entry)
        telling.sometimes(lambda: judged[::-1])
    return judged[::-1]


def _judged(
    line: list[tuple[int, State]],
    judge: PositionJudge,
    careful: PositionJudge,
    ended: Callable[[], bool],
) -> Iterator[JudgedNode]:
    """Judgements from the last position back; each decision again when its drop is known."""
    first = _beginner(line[0][1])
    last: tuple[JudgedNode, State, Judgement] | None = None
    for node, state in reversed(line):
        here = None if ended() else judge.judge(state)
        if here is None:
            return
        if last is not None and (better := _better(state, here, *last[1:], judge)) is not None:
            if mistake(better.drop) and not ended():
                better = _better_by_more(state, *last[1:], careful)
            if better is not None:
                yield better.entry_with(last[0])
        entry = JudgedNode(node, here.worth(first), here.proven)
        yield entry
        last = (entry, state, here)


def _beginner(state: State) -> str:
    """The colour of the person who began the game."""
    return state.game.players[int(state.swapped)]


def _better_by_more(
    before: State, after: State, then: Judgement, careful: PositionJudge
) -> Improvement | None:
    """What was better, and the drop, by more nodes; None where time is over."""
    here = careful.judge(before)
    again = then if then.proven is not None else careful.judge(after)
    if here is None or again is None:
        return None
    return _better(before, here, after, again, careful)


def _better(
    before: State, here: Judgement, after: State, then: Judgement, judge: PositionJudge
) -> Improvement | None:
    """What was better, and the drop; None where time is over."""
    loss = drop(before, here, after, then, judge)
    return None if loss is None else Improvement(here.move, loss, then.line, here.depth)


def drop(
    before: State, here: Judgement, after: State, then: Judgement, judge: PositionJudge
) -> float | None:
    """The share of a point that a decision cost against the best one; None where time is over."""
    if after.decisions()[-1] == here.move or here.value == -1.0:
        return 0.0
    rival: Judgement | None = here
    if here.proven is None:  # as far away from the position as what was played
        rival = judge.judge(before.play_decision(here.move))
    if rival is None:
        return None
    return max(0.0, (rival.worth(here.side) - then.worth(here.side)) / 2)


def mistake(loss: float) -> str:
    """The name of a decision that costs so much; empty where it is good enough."""
    return next((name for name, least in MISTAKES if loss >= least), "")
