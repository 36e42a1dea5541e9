"""A plain search over the reference, for games without kernels and machines without LLVM.

In: a state and limits.  Out: a decision with what is known about it.  First the reference's search
looks, deeper and deeper, for forced wins and for decisions that lose by force; then random games,
spread by UCB1 (Auer et al. 2002), choose among what is left.  Values belong to the person at move,
so that an exchange of colours is just another decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from random import Random

from attrs import define, evolve, field

from rulewright.errors import GameOver, OutOfBudget
from rulewright.games.engine.game import State
from rulewright.ground import budget
from rulewright.reference.play import Situation
from rulewright.search.reference_search import OutOfTime, Reference, ResultScorer, SearchBudget
from rulewright.search.results import (
    Limits,
    SearchResult,
    Watch,
    person,
    person_at,
    refuse_secrets,
    refuse_throwing,
    result_of,
)
from rulewright.search.several import search_several
from rulewright.search.thread_arrays import PER_SITE, PLIES

_PROOF_SHARE = 0.3
"""The share of the limits that the search for forced results may use."""
_DEPTH_ONLY = 20_000
"""Positions that playouts may use when only a depth limits the search."""
_DEEPEST = 60
_EXPLORE = 0.8
"""The weight of UCB1's exploration for results between -1 and 1."""
_LATER = 60.0
"""Own games after which those that made a decision later count half."""


def plain_search(
    state: State,
    limits: Limits | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] | None = None,
) -> SearchResult:
    """The decision that looks best within *limits*; the same for the same seed and node limit."""
    if state.over:
        raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
    refuse_throwing(state)
    refuse_secrets(state.game, "the plain search")
    if state.game.rules.has_several:
        return search_several(state, limits or Limits(), seed, Watch(cancelled=cancelled))
    with state.game.located():
        return _Search(state, SearchBudget(limits or Limits(), cancelled), Random(seed)).run()


@define
class _Search:
    state: State
    clock: SearchBudget
    random: Random
    proven: dict[str, tuple[int, int]] = field(factory=dict)  # decision: value, distance
    depth: int = 0

    def run(self) -> SearchResult:
        moves, limits = self.state.moves.texts, self.clock.limits
        if (len(moves) > 1 or limits.depth is not None) and not self.state.game.lots:
            self._prove()
        wins = {m: d for m, (v, d) in self.proven.items() if v > 0}
        open_moves = [m for m in moves if m not in self.proven]
        values: dict[str, float | None] = dict.fromkeys(moves)
        values |= {m: float(v) for m, (v, _) in self.proven.items()}
        if not wins and len(open_moves) > 1:
            if limits.seconds is None and limits.nodes is None:
                self.clock.limits = evolve(limits, nodes=self.clock.nodes + _DEPTH_ONLY)
            values |= self._playouts(open_moves)
        return self._result(moves, values, wins)

    def _holding(self, share: float = 1.0) -> AbstractContextManager[object]:
        """Limits to a share of the time, inside a position too."""
        self.clock.share, seconds = share, self.clock.limits.seconds
        if seconds is None:
            return nullcontext()
        return budget.within_seconds(max(0.0, share * seconds - self.clock.seconds), 0, "")

    def _result(
        self, moves: list[str], values: dict[str, float | None], wins: dict[str, int]
    ) -> SearchResult:
        proven_values = self.proven
        if wins:
            move = min(wins, key=lambda m: wins[m])
        else:
            order = self.random.sample(moves, len(moves))  # equal values: a random one
            move = max(order, key=lambda m: self._rank(m, values[m]))
        settled = bool(wins) or len(proven_values) == len(moves)
        proven = {1: "win", 0: "draw", -1: "loss"}[proven_values[move][0]] if settled else None
        side = self.state.mover
        assert side is not None
        return SearchResult(
            move=move,
            value=values[move] or 0.0,
            side=side,
            proven=proven,
            distance=proven_values[move][1] if proven and proven != "draw" else None,
            pv=tuple(self._line(move)),
            nodes=self.clock.nodes,
            depth=self.depth,
            seconds=self.clock.seconds,
            root=tuple(values.items()),
        )

    def _rank(self, move: str, value: float | None) -> tuple[float, int]:
        """By value; among proven losses the longest resistance."""
        return (-0.5 if value is None else value), self.proven.get(move, (0, 0))[1]

    def _line(self, move: str) -> Iterator[str]:
        """The decision, and forced answers as far as they are proven at once."""
        yield move
        with suppress(OutOfBudget), self._holding():
            after = self.state.play_decision(move)
            if self.proven.get(move, (0, 0))[0] > 0 and not after.over and len(after.moves) == 1:
                yield after.moves.texts[0]

    # --- full width ---

    def _prove(self) -> None:
        """Deepen until the limits or until every decision is settled."""
        scores, moves = ResultScorer(person(self.state)), self.state.moves.texts
        with suppress(OutOfTime, OutOfBudget), self._holding(_PROOF_SHARE):
            for depth in range(1, (self.clock.limits.depth or _DEEPEST) + 1):
                for move in (m for m in moves if m not in self.proven):
                    self.clock.spend()
                    after = self.state.play_decision(move).situation
                    search = Reference(scores, self.clock, depth)
                    line = search.search(after, 1, (-1,), (1,))
                    if line is not None and search.settled:
                        line = search.claimed(after, line)
                        self.proven[move] = int(line.score[0]), depth
                self.depth = depth
                if len(self.proven) == len(moves) or any(v > 0 for v, _ in self.proven.values()):
                    return

    # --- playouts ---

    def _playouts(self, moves: list[str]) -> dict[str, float | None]:
        """The results of random games after each of *moves*."""
        arms: list[_Arm] = []
        with suppress(OutOfTime, OutOfBudget), self._holding():
            for move in moves:
                arms.append(_Arm(move, self.state.play_decision(move).situation))
            self._compare(arms)
        return {arm.move: arm.value for arm in arms}

    def _compare(self, arms: list[_Arm]) -> None:
        """Play random games, most of those that promise most."""
        by_text = {arm.move: arm for arm in arms}
        self.random.shuffle(arms)
        me = person(self.state)
        while not self.clock.over():
            log = math.log(2 + sum(arm.games for arm in arms))
            arm = max(arms, key=lambda a: a.promise(log))
            result, played = self._playout(arm.after, me)
            arm.total, arm.games = arm.total + result, arm.games + 1
            for text in played:
                if text in by_text:
                    by_text[text].later(result)

    def _playout(self, situation: Situation, me: int) -> tuple[int, list[str]]:
        """The result of a random game for person *me*, and the decisions that person made."""
        play, played = self.state.game.play, list[str]()
        sites = play.rules.board.sites.bit_count()
        for _ in range(max(PLIES, PER_SITE * sites)):
            self.clock.spend()
            option = None
            if not situation.ended:
                option = play.sample(situation.position, self.random)
            if option is None:
                outcome = situation.ended or play.when_stuck(situation.position)
                return result_of(outcome, situation.position, me), played
            if person_at(situation.position) == me:
                played.append(option.text)
            situation = situation.after(option)
        return 0, played


@define
class _Arm:
    """A decision at the root: its own games, and games in which it was made later.

    The later ones (all moves as first, Gelly and Silver 2007) count until there are enough of its
    own: their weight is sqrt(k / (3 n + k)) after n own games.
    """

    move: str
    after: Situation
    total: float = 0
    games: int = 0
    later_total: float = 0
    later_games: int = 0

    def later(self, result: float) -> None:
        """Count a game in which this decision was made later."""
        self.later_total += result
        self.later_games += 1

    @property
    def value(self) -> float | None:
        """The mean result with a drawn game added, so that one win is not taken for certain.

        None when nothing is known.
        """
        if not self.games and not self.later_games:
            return None
        own = self.total / (self.games + 1)
        if not self.later_games:
            return own
        weight = math.sqrt(_LATER / (3 * self.games + _LATER)) if self.games else 1.0
        return weight * self.later_total / self.later_games + (1 - weight) * own

    def promise(self, log: float) -> float:
        """UCB1's upper bound."""
        weight = self.games + 0.2 * self.later_games
        if weight == 0:
            return 10.0
        return (self.value or 0.0) + _EXPLORE * math.sqrt(log / (1 + weight))
