"""Search for more than two players: a tree of random games that keeps a worth for each player.

In: a state, limits.  Out: `SearchResult`.  Whoever decides in a node takes the child that is best
for that player by UCB1, whatever it is worth to the others (max^n by random games, Sturtevant
2008): nobody is taken for an ally or for an enemy.  What all random games of a node were worth is
kept for each player, and a node whose end is known passes that on as soon as whoever decides there
cannot do better.  Machine code grows the tree where a game has it (`several_trees.py`); here the
reference does.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random

from attrs import define, field, frozen

from rulewright.errors import GameOver, RulewrightError
from rulewright.games.engine.game import State
from rulewright.reference.decisions import draw
from rulewright.reference.play import Outcome
from rulewright.search.results import EXPLORE, Cancelled, Limits, Progress, SearchResult, Watch
from rulewright.search.thread_arrays import PER_SITE, PLIES

Worths = tuple[float, ...]
"""What an end is worth for each player: 1 for the first place, -1 for the last one."""

FEW = 1_000
"""Random games, where nothing limits them."""
_REPORT_SECONDS = 0.5
"""Seconds between two reports of progress."""


def worths_of(outcome: Outcome | None, players: int) -> Worths:
    """What an end is worth for each player; nothing for all where a game was broken off.

    Places are evenly spaced from 1 to -1, and who shares places shares what they are worth.
    """
    if outcome is None:
        return (0.0,) * players
    places = outcome.places
    shared = (place + (places.count(place) - 1) / 2 for place in places)
    return tuple(1 - 2 * (place - 1) / (players - 1) for place in shared)


@frozen
class ReferenceGames:
    """Random games by the reference, broken off after so many decisions."""

    most: int

    def __call__(self, state: State, random: Random) -> tuple[Worths, int]:
        """Play one from a state."""
        situation, players = state.situation, len(state.game.players)
        for plies in range(self.most):
            play, position = situation.play, situation.position
            option = None if situation.ended else play.sample(position, random)
            if option is None:
                return worths_of(situation.ended or play.when_stuck(position), players), plies
            situation = situation.after(option)
        return worths_of(None, players), self.most


@define(eq=False)
class _Node:
    """A state of the tree; `end` is what it is worth for each player once that is known."""

    state: State
    totals: list[float]
    visits: int = 0
    children: list[_Node | None] = field(factory=list)
    end: Worths | None = None
    distance: int = 0
    """Decisions until the known end."""

    @classmethod
    def of(cls, state: State) -> _Node:
        """A new leaf, which knows its worth where the game is over."""
        players = len(state.game.players)
        node = cls(state, [0.0] * players)
        if state.over:
            node.end = worths_of(state.situation.outcome, players)
        return node

    def value(self, player: int) -> float:
        """The mean worth for a player, a game worth nothing counted in; the end where known."""
        if self.end is not None:
            return self.end[player]
        return self.totals[player] / (self.visits + 1)

    def end_rank(self, player: int) -> tuple[float, int]:
        """By what a known end is worth for a player: good ones soon, bad ones late."""
        value = self.value(player)
        return value, -self.distance if value > 0 else self.distance

    def rank(self, player: int) -> tuple[float, float]:
        """Known wins first, and known losses last; between them by visits, then by value."""
        value, distance = self.end_rank(player)
        if self.end is not None and abs(value) == 1:
            return value * math.inf, distance
        return self.visits, value

    def best(self, numbers: Iterable[int]) -> int:
        """Which of these children looks best to whoever decides here."""
        player, nothing = self.state.position.mover, (0.0, 0.0)
        children = self.children
        return max(numbers, key=lambda n: child.rank(player) if (child := children[n]) else nothing)

    def settle(self, player: int) -> None:
        """Take over the end of the children where whoever decides here cannot do better."""
        ends = [child for child in self.children if child is not None and child.end is not None]
        best = max(ends, key=lambda child: child.end_rank(player), default=None)
        if best is not None and (best.value(player) == 1 or len(ends) == len(self.children)):
            self.end, self.distance = best.end, best.distance + 1


@define
class SeveralSearch:
    """A search of one state; `only` are the decisions to choose from."""

    state: State
    limits: Limits
    random: Random
    play: ReferenceGames
    only: Collection[str] | None = None
    nodes: int = field(default=0, init=False)
    games: int = field(default=0, init=False)
    _root: _Node = field(init=False)
    _started: float = field(factory=time.perf_counter, init=False)

    def __attrs_post_init__(self) -> None:
        self._root = _Node.of(self.state)
        self._open(self._root)

    def _open(self, node: _Node) -> None:
        node.children = [None] * len(node.state.moves)

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._started

    def _is_over(self) -> bool:
        limits = self.limits
        if limits.seconds is None and limits.nodes is None:
            return self.games >= FEW
        late = limits.seconds is not None and self.seconds >= limits.seconds
        return late or (limits.nodes is not None and self.nodes >= limits.nodes)

    def run(self, progress: Progress | None, cancelled: Cancelled | None) -> SearchResult:
        """Play random games until a limit is met or the end is known."""
        report_time = self.seconds
        while self._root.end is None and not self._is_over():
            self._grow()
            if progress is not None and self.seconds > report_time + _REPORT_SECONDS:
                report_time = self.seconds
                if progress(self.result()):
                    break
            if cancelled is not None and self.games % 16 == 0 and cancelled():
                break
        return self.result()

    def _grow(self) -> None:
        """Walk to a leaf, play a random game from there, and count it on the way."""
        path = [*self._descend()]
        leaf = path[-1]
        if leaf.end is None:
            worths, plies = self.play(leaf.state, self.random)
            self.nodes += plies
        else:
            worths = leaf.end
            self.nodes += 1
        self.games += 1
        for node in reversed(path):
            node.visits += 1
            node.totals = [a + b for a, b in zip(node.totals, worths, strict=True)]
            if node.end is None and node.children and not node.state.by_chance:
                node.settle(node.state.position.mover)

    def _descend(self) -> Iterator[_Node]:
        """The nodes from the root to a leaf, which is new where the one before was seen before."""
        node = self._root
        yield node
        while node.end is None and (node.visits or node is self._root):
            if not node.children:
                self._open(node)
            number = self._choose_child(node)
            child = node.children[number]
            if child is None:
                self.nodes += 1
                move = node.state.moves[number]
                child = node.children[number] = _Node.of(node.state.play_decision(move))
            node = child
            yield node

    def _choose_child(self, node: _Node) -> int:
        """The child to look at next: the largest upper bound, of equal ones any; or by chance."""
        if node.state.by_chance:
            return draw([*node.state.probabilities().values()], self.random)
        player, log = node.state.position.mover, math.log(node.visits + 2)
        best, most = list[int](), -math.inf
        for number in self._allowed(node):
            child = node.children[number]
            if child is None:
                bound = EXPLORE * math.sqrt(log)
            elif child.end is not None:
                bound = child.end[player]
            else:
                bound = child.value(player) + EXPLORE * math.sqrt(log / (1 + child.visits))
            if bound > most:
                best, most = [number], bound
            elif bound == most:
                best.append(number)
        return self.random.choice(best)

    def _allowed(self, node: _Node) -> Sequence[int]:
        """The numbers of the decisions to choose from."""
        if node is not self._root or self.only is None:
            return range(len(node.children))
        return [n for n, text in enumerate(node.state.moves.texts) if text in self.only]

    # --- the answer ---

    def result(self) -> SearchResult:
        """What is known by now: the decision that most games went through, or a known win."""
        root, player = self._root, self.state.position.mover
        number = root.best(self._allowed(root))
        best = root.children[number]
        end = None if best is None else best.end
        is_known = end is not None and (root.end is not None or end[player] == 1)
        proven = WORDS.get(end[player] if len({*end}) > 1 else 0.0) if is_known and end else None
        values = [None if child is None else child.value(player) for child in root.children]
        texts = root.state.moves.texts
        line = (texts[number], *self._line(best))
        return SearchResult(
            line[0], values[number] or 0.0, str(self.state.mover), proven,
            best.distance + 1 if best is not None and proven in ("win", "loss") else None,
            line, self.nodes, len(line), self.seconds,
            tuple(zip(texts, values, strict=True)), searched=self.games > 0,
        )  # fmt: skip

    def _line(self, node: _Node | None) -> Iterator[str]:
        """The decisions of most visits that follow."""
        while node is not None and any(node.children):
            number = node.best(range(len(node.children)))
            if node.children[number] is None:
                return
            yield node.state.moves.texts[number]
            node = node.children[number]


WORDS = {1.0: "win", -1.0: "loss", 0.0: "draw"}
"""What a known worth is called."""


def search_several(
    state: State, limits: Limits, seed: int, watch: Watch | None = None
) -> SearchResult:
    """The decision that looks best to whoever is to move; the same for a seed and node limit."""
    refuse_depth(state, limits)
    watch = watch or Watch()
    most = max(PLIES, PER_SITE * state.game.rules.board.sites.bit_count())
    with state.game.located():
        search = SeveralSearch(state, limits, Random(seed), ReferenceGames(most), watch.only)
        return search.run(watch.progress, watch.cancelled)


def refuse_depth(state: State, limits: Limits) -> None:
    """Refuse a game that is over, and limits that mean nothing to a tree of random games."""
    if state.over:
        raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
    if limits.turns or limits.depth is not None or limits.threads > 1:
        message = "more than two players are searched by random games, by one thread"
        raise RulewrightError(f"{message}: limit seconds or nodes, not depth or turns")
