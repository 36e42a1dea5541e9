"""What searches have said of the positions of a game: one store, so that no two answers part.

In: positions, and what a search that has ended says of them.  Out: of a position what the search
said that looked furthest, who has decided there, and answers that were given already.  Each game on
a desk has its own, which goes with it; the oldest go first.  Knows no searches itself.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import define, field, frozen

from rulewright.app.studio import answers as a
from rulewright.app.studio.written_moves import WrittenAnswers
from rulewright.games.engine.game import State

_MOST = 2_000
"""Positions of which something is kept: more than long games have."""
_MOST_TABLES = 40
"""Explanations that are kept: each is a table."""

K = TypeVar("K")
V = TypeVar("V")
Way = tuple[str, ...]
"""The decisions that led to a position: a game that began alike is there again."""


@frozen
class Judgement:
    """What a position is worth for a side, from -1 to 1, and what a search would play there.

    `line` is what it expects, `depth` how far it looked, `nodes` how much that was.
    """

    side: str
    value: float
    proven: str | None = None
    move: str = ""
    line: tuple[str, ...] = ()
    depth: int = 0
    nodes: int = 0

    def worth(self, side: str) -> float:
        """The value for a side."""
        return self.value if side == self.side else -self.value

    @property
    def reach(self) -> tuple[bool, int, int]:
        """How far it looked: what is larger is to be believed."""
        return self.proven is not None, self.depth, self.nodes


@frozen
class DecisionMade:
    """A decision that was made, by whom a chair has; by nobody where it was only shown."""

    by: str
    move: str


@define(eq=False)
class Recent(Generic[K, V]):
    """Values by keys, the last ones that were put; the oldest go where there are too many."""

    most: int = _MOST
    _values: dict[K, V] = field(factory=dict, init=False)

    def get(self, key: K) -> V | None:
        """The value of a key, if it is still there."""
        return self._values.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value, as the newest."""
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > self.most:
            del self._values[next(iter(self._values))]


@define(eq=False)
class Findings:
    """What is known of the positions of one game, told in its *notation*."""

    notation: WrittenAnswers = field(factory=WrittenAnswers)
    judgements: Recent[tuple[Way, int], Judgement] = field(factory=Recent)
    """By searches of one size, whose multiple belongs to the key."""
    analyses: Recent[Way, tuple[float, a.Analysis]] = field(factory=Recent)
    """With values of all decisions, and the seconds that these took."""
    decisions: Recent[tuple[Way, str], DecisionMade] = field(factory=Recent)
    """Made in the game, by what their player is made of."""
    explained: Recent[tuple[Way, str, str], a.Explained] = field(
        factory=lambda: Recent(_MOST_TABLES)
    )
    """By what the player is made of, and the decision that is explained if it was given."""
    _furthest: Recent[Way, Judgement] = field(factory=Recent)

    def furthest(self, state: State) -> Judgement | None:
        """What the search says of a position that looked furthest there."""
        return self._furthest.get(way(state))

    def weigh(self, state: State, judgement: Judgement) -> None:
        """Keep what a search says, unless another looked further."""
        last = self.furthest(state)
        if last is None or judgement.reach > last.reach:
            self._furthest.put(way(state), judgement)

    def value_of(self, state: State, move: str) -> float | None:
        """What a decision is worth by the analysis of a position, from -1 to 1."""
        analysis = self.analyses.get(way(state))
        candidates = analysis[1].candidates if analysis else ()
        value = next((c.value for c in candidates if c.move == move), None)
        return None if value is None else max(-1.0, min(1.0, value))


def way(state: State) -> Way:
    """The key of a position in the findings of its game."""
    return tuple(state.decisions())
