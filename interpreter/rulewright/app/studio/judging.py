"""The course of a game: each position judged by a search of the same size, mistakes by name.

In: the positions of a line, seconds, a `Telling`.  Out: values for whoever began, what was better,
and the drop in expected score from the best decision to the one that was made.  Both are judged by
searches of as many nodes, so that a name depends on no clock: what there is no time for has none.
What seems to be a mistake is looked at again by more nodes, which settle what was better.
A game of `judges.toml` is judged by a player, as its rules alone say too little within so few
nodes; `scale` makes points of that player's values.  What was found is kept: nothing is judged
twice, and a search of the same position that looked further, such as the best moves, is believed.
"""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rulewright.app.studio.answers import JudgedNode
from rulewright.app.studio.findings import Findings, Judgement, way
from rulewright.app.studio.menu import MISTAKES
from rulewright.app.studio.thinking import Telling, refuse_endless
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.disk import read_text
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.builtin import PersonalityPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits
from rulewright.search.best import best
from rulewright.search.results import MEBIBYTE, Limits, Watch, refuse_seats

NODES = 200_000
"""Nodes of each search by the rules alone."""
MORE = 5
"""So many times the nodes go to what seems to be a mistake."""
_LINE = 8
"""Decisions of a refutation that are told at most."""
_MEMORY = 16
"""The memory of a search, in MiB: more would take longer to clear than to use."""
_SURE = {"win": 1.0, "loss": -1.0}


def bounded_points(value: float) -> float:
    """A value of a search by the rules alone as points, from -1 to 1."""
    return max(-1.0, min(1.0, value))


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
class GameJudge:
    """The player that judges a game: its text, and the scale that makes points of its values."""

    text: str
    personality: Personality
    scale: float

    @classmethod
    def of(cls, game: Game) -> GameJudge | None:
        """The judge of a game; None where the rules alone judge.

        Rules of one's own that have the name of a game may not know its player.
        """
        entry = _judges().get(game.name)
        if entry is None:
            return None
        text = str(entry["player"])
        with suppress(RulewrightError):
            personality = Contestant.parse(text).personality(game, GameLimits())
            return cls(text, personality, entry["scale"])
        return None

    @property
    def name(self) -> str:
        """The player without its limits."""
        return self.personality.name

    def points(self, value: float) -> float:
        """A value of the player as points, from -1 to 1."""
        return math.tanh(value / (2 * self.scale))

    def player(self, times: int, until: float) -> PersonalityPlayer:
        """A player by so many times its nodes, that is ready, and gives up when time is over."""
        limits = Contestant.parse(self.text).limits(GameLimits(memory=_MEMORY))
        limits = evolve(limits, nodes=limits.nodes and limits.nodes * times)
        watch = Watch(cancelled=lambda: time.monotonic() >= until, analysing=True)
        player = PersonalityPlayer(self.text, self.personality, watch, tells_line=times > 1)
        player.start(self.personality.game, limits, 0)
        return player


@frozen
class PositionJudge:
    """Judges positions until a time is over: by a player of the game, else by the rules alone."""

    until: float
    findings: Findings = field(factory=Findings)
    player: PersonalityPlayer | None = None
    points: Callable[[float], float] = bounded_points
    """Makes points of values."""
    times: int = 1
    """So many times the usual nodes."""

    @classmethod
    def of(
        cls, game: Game, until: float, findings: Findings | None = None, times: int = 1
    ) -> PositionJudge:
        """The judge of a game, by so many *times* the usual nodes."""
        judge, findings = GameJudge.of(game), findings or Findings()
        if judge is None:
            return cls(until, findings, times=times)
        return cls(until, findings, judge.player(times, until), judge.points, times)

    def judge(self, state: State) -> Judgement | None:
        """Judge a position, unless that is done already; None where the time is over before."""
        if state.result is not None:
            return _ended(state)
        last = self.findings.judgements.get((way(state), self.times))
        return last or self._judge(state)

    def _judge(self, state: State) -> Judgement | None:
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            return None
        judgement = self._by_player(state) if self.player else self._by_rules(state, seconds)
        sure = judgement is not None and judgement.proven is not None
        if judgement is None or (not sure and time.monotonic() >= self.until):
            return None  # a shorter search says something else
        self.findings.judgements.put((way(state), self.times), judgement)
        self.findings.weigh(state, judgement)
        return judgement

    def _by_player(self, state: State) -> Judgement | None:
        assert self.player is not None
        return judgement_of(self.player.choose(state, Clock()), str(state.mover), self.points)

    def _by_rules(self, state: State, seconds: float) -> Judgement:
        """Judge by a search of so many nodes that knows the rules alone."""
        limits = Limits(seconds, NODES * self.times, memory=_MEMORY * MEBIBYTE)
        result = best(state, limits, 0)
        sure = None if result.proven is None else f"{result.side}: {result.proven}"
        value = bounded_points(result.value)
        value = value if result.proven is None else _SURE.get(result.proven, 0.0)
        return Judgement(
            result.side, value, sure, result.move, result.pv, result.depth, result.nodes
        )


@cache
def _judges() -> Mapping[str, Mapping[str, Any]]:
    """The players that judge games, with their scales."""
    return tomllib.loads(read_text(Path(__file__).with_name("judges.toml")))


def judgement_of(
    decision: Decision, side: str, points: Callable[[float], float]
) -> Judgement | None:
    """What a player says who decides for a side, as a judgement; None where it says nothing."""
    effort = decision.line, decision.depth or 0, decision.nodes or 0
    result = decision.result.partition(" ")[0]
    if result in _SURE:
        return Judgement(side, _SURE[result], f"{side}: {result}", decision.move, *effort)
    if decision.value is None:
        return None
    return Judgement(side, points(decision.value), None, decision.move, *effort)


def _ended(state: State) -> Judgement:
    """Return the value of a finished game."""
    first, winner = state.game.players[0], state.result and state.result.winner
    value = 0.0 if winner is None else 1.0 if winner == first else -1.0
    return Judgement(first, value, "draw" if winner is None else f"{winner} has won")


def curve(
    line: list[tuple[int, State]],
    seconds: float,
    telling: Telling,
    findings: Findings | None = None,
) -> list[JudgedNode]:
    """Judge each position of a game, the last ones first, and name the mistakes."""
    refuse_endless(seconds)
    game, until = line[0][1].game, time.monotonic() + seconds
    refuse_seats(game.rules, "the course of a game")
    findings, states = findings or Findings(), dict(line)
    judge, careful = (PositionJudge.of(game, until, findings, times) for times in (1, MORE))
    judged: list[JudgedNode] = []
    for entry in _judged(line, judge, careful, telling.ended):
        if judged and judged[-1].node == entry.node:
            judged.pop()  # the same decision, with what was better
        judged.append(findings.notation.judged(states, entry))
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
                yield _settled(better, state, last[1].decisions()[-1], judge.findings).entry_with(
                    last[0]
                )
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
    is_told = after.result is not None or (then.proven is not None and then.line)
    again = then if is_told else careful.judge(after)
    if here is None or again is None:
        return None
    return _better(before, here, after, again, careful)


def _better(
    before: State, here: Judgement, after: State, then: Judgement, judge: PositionJudge
) -> Improvement | None:
    """What was better, and the drop; None where time is over."""
    loss = drop(before, here, after, then, judge)
    return None if loss is None else Improvement(here.move, loss, then.line, here.depth)


def _settled(better: Improvement, before: State, played: str, findings: Findings) -> Improvement:
    """The same by what looked further at the position before, if anything did."""
    best = findings.furthest(before)
    if best is None or best.depth <= better.depth:
        return better
    if best.move == played:
        return Improvement(played, 0.0, (), best.depth)
    value = findings.value_of(before, played)
    loss = better.drop if value is None else max(0.0, (best.value - value) / 2)
    return evolve(better, move=best.move, drop=loss, depth=best.depth)


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
