"""Opening books by search: the likeliest positions are judged, and their values go back.

In: a game of two players without chance or secrets, a judge, how many positions it may judge.  Out:
lines of a book, one for each judged position, with the decisions that are best after all that was
judged below.  Which position is next follows T. R. Lincke, "Strategies for the automatic
construction of opening books" (2000): a decision costs one, and one more for each decision that is
better there; what is cheapest to reach is judged first, so that good lines are followed far.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.mirror_images import Map, canonical, symmetries
from rulewright.learning.book_making import DEPTH, MadeLine
from rulewright.model.personality import BookLine
from rulewright.players.analyze import Judge, worth_of
from rulewright.search.results import Score, person


@frozen
class SearchTerms:
    """How far a book goes: `positions` that are judged, `depth` decisions from the beginning."""

    positions: int
    depth: int = DEPTH


@define(eq=False)
class _Node:
    """A judged position: a score for each decision, for its mover, and what each leads to."""

    state: State
    scores: dict[str, Score]
    after: dict[str, object] = field(factory=dict, init=False)
    """The keys of the positions that decisions lead to."""

    @property
    def best(self) -> Score:
        """The score of the best decision."""
        return max(self.scores.values())


@define(eq=False)
class BookSearch:
    """A book while positions are judged."""

    game: Game
    judge: Judge
    terms: SearchTerms
    _maps: list[Map] = field(init=False)
    _nodes: dict[object, _Node] = field(factory=dict, init=False)
    _queue: list[tuple[int, int, State]] = field(factory=list, init=False)
    _ticket: Iterator[int] = field(factory=count, init=False)

    def __attrs_post_init__(self) -> None:
        rules = self.game.rules
        if len(rules.players) != 2 or rules.has_chance or rules.has_secrets:
            raise RulewrightError("a book by search is for two players, without chance or secrets")
        self._maps = symmetries(self.game)

    def run(self) -> list[MadeLine]:
        """Judge positions and return the lines, the shortest first."""
        self._ask(self.game.start(), 0)
        while self._queue and len(self._nodes) < self.terms.positions:
            cost, _, state = heapq.heappop(self._queue)
            key = canonical(state, self._maps)
            if key not in self._nodes:
                self._judge(key, state, cost)
        self._go_back()
        lines = [self._line(node) for node in self._nodes.values()]
        return sorted(lines, key=lambda entry: (len(entry.line.after.split()), entry.line.after))

    def _ask(self, state: State, cost: int) -> None:
        if not state.over and len(state.decisions()) < self.terms.depth:
            heapq.heappush(self._queue, (cost, next(self._ticket), state))

    def _judge(self, key: object, state: State, cost: int) -> None:
        scores = self.judge.scores(state, state.moves.texts[0])
        node = _Node(state, {text: score for text, score in scores.items() if score is not None})
        if not node.scores:
            return
        self._nodes[key] = node
        for rank, text in enumerate(
            sorted(node.scores, key=lambda t: node.scores[t], reverse=True)
        ):
            after = state.play_decision(text)
            node.after[text] = canonical(after, self._maps)
            self._ask(after, cost + 1 + rank)

    def _go_back(self) -> None:
        """Give each decision the value of what is best below it, the deepest positions first."""
        for node in sorted(self._nodes.values(), key=lambda n: -len(n.state.decisions())):
            for text, key in node.after.items():
                below = self._nodes.get(key)
                if below and len(below.state.decisions()) > len(node.state.decisions()):
                    same = person(below.state) == person(node.state)
                    node.scores[text] = _one_earlier(below.best, 1 if same else -1)

    def _line(self, node: _Node) -> MadeLine:
        """Return the best decisions of a position, with their values."""
        best = node.best
        images = {
            node.after[t]: t for t in sorted(node.scores, reverse=True) if node.scores[t] == best
        }
        texts = sorted(images.values())
        line = BookLine(" ".join(node.state.decisions()), tuple((text, 1) for text in texts))
        value = worth_of(best)
        return MadeLine(line, (str(value),) * len(texts), ({"value": value.value},) * len(texts))


def _one_earlier(score: Score, sign: int) -> Score:
    """A score as it is for who decides before: a forced end is one decision farther."""
    rank = score[0] - (score[0] > 0) + (score[0] < 0)
    return (sign * rank, *(sign * part or 0 for part in score[1:]))
