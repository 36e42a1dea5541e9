"""Patterns: what proposes a move near a reference point.  Right by construction.

Places are written (x, y): y counts ahead, in the direction in which a path leaves the reference
point, and x to the left of it.  A `Frame` turns them into steps of the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from itertools import product
from typing import TypeAlias

from attrs import field, frozen

from rulewright.ground.records import Unchanging
from rulewright.model.board import Board, Step
from rulewright.model.evaluation import Evaluator

Spot: TypeAlias = tuple[int, int]
"""A place relative to a reference point: to the left, and ahead."""
HERE: Spot = (0, 0)
ASIDE: Spot = (1, 0)
"""The place to the left: `Left` counts along the step to it."""


class Test(Enum):
    """The question that a condition asks; its value is how it is written."""

    OWN = "Own"
    OPP = "Opp"
    FREE = "Free"
    EDGE = "Edge"
    POSSIBLE = "BPoss"
    EXISTS = "BExist"
    STRONG = "Strong"
    WEAK = "NStrong"
    ROW = "Row"
    LEFT = "Left"
    MIDDLE = "Middle"

    __hash__ = object.__hash__  # a member is equal to itself alone

    @property
    def joins(self) -> bool:
        """Whether it is about a link, and so about two places."""
        return self in (Test.POSSIBLE, Test.EXISTS)

    @property
    def counts(self) -> bool:
        """Whether it has a number: how far the reference point is from a border or the middle."""
        return self in (Test.ROW, Test.LEFT, Test.MIDDLE)


@frozen
class Condition(Unchanging):
    """One condition: of a place, of the link between two, or (`number`) of where the point lies."""

    test: Test
    spot: Spot = HERE
    other: Spot = HERE
    number: int = 0
    line: int = field(default=0, eq=False)

    def __str__(self) -> str:
        if self.test.counts:
            return f"{self.test.value} {self.number}"
        places = (*self.spot, *self.other) if self.test.joins else self.spot
        return " ".join([self.test.value, *map(str, places)])


@frozen
class Example(Unchanging):
    """A position in which a pattern must propose a move: sites by name.

    `at` is the reference point, `direction` a step of the compass or nothing.
    """

    own: tuple[str, ...]
    opponents: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    at: str
    direction: Step | None
    move: str
    line: int


@frozen
class Pattern(Unchanging):
    """A pattern: all its conditions must hold for `move` to be proposed.

    `defends`: it is tried at the opponent's reference points.  `symmetric`: as it is written only.
    """

    name: str
    defends: bool
    symmetric: bool
    conditions: tuple[Condition, ...]
    move: Spot
    priority: int = 0
    about: str = ""
    line: int = 0
    examples: tuple[Example, ...] = ()
    file: str = field(default="", eq=False)
    """The name of its file: a file may use the patterns of others."""

    @property
    def kind(self) -> str:
        """The word that begins it: `Off`, `OffS`, `Def` or `DefS`."""
        return ("Def" if self.defends else "Off") + ("S" if self.symmetric else "")

    @property
    def title(self) -> str:
        """Its kind and name."""
        return f"{self.kind} {self.name}"


@frozen
class EndsOf(Unchanging):
    """The ends of own groups on the cheapest `path` of an evaluator are reference points.

    `as_next`: each player's path is found as if that player moved next.
    """

    path: str
    evaluator: Evaluator
    as_next: bool = False


@frozen
class Patterns(Unchanging):
    """A whole file.

    Reference points are the ends of all paths of `around` together, or (without one) all stones of
    a player.  `symmetry` is `mirror`, `all` or `none`.
    """

    name: str
    game: str
    around: tuple[EndsOf, ...]
    symmetry: str
    patterns: tuple[Pattern, ...]
    about: str = ""

    @property
    def ranks(self) -> list[int]:
        """For each pattern its rank from 1, the best one's highest: by priority, then by order."""
        numbers = range(len(self.patterns))
        order = sorted(numbers, key=lambda i: (self.patterns[i].priority, -i))
        ranks = [0] * len(order)
        for rank, number in enumerate(order, 1):
            ranks[number] = rank
        return ranks


# --- frames: how places lie on the board ---


@frozen
class Frame(Unchanging):
    """A symmetry of the lattice: where the steps to the left of and ahead of a point lead."""

    left: Step
    ahead: Step

    def __call__(self, spot: Spot) -> Step:
        """A place as a step of the board."""
        x, y = spot
        return (
            x * self.left[0] + y * self.ahead[0],
            x * self.left[1] + y * self.ahead[1],
        )

    @property
    def mirrored(self) -> bool:
        """Whether left and right are exchanged."""
        return self.left[0] * self.ahead[1] - self.left[1] * self.ahead[0] < 0


NORTH: Step = (0, -1)


def aside(board: Board, site: int, ahead: Step) -> int:
    """The places from the middle to a site, to the left looking ahead; negative to the right.

    Where the middle is between two lines of places, both lie at 0.
    """
    x = 2 * board.columns[site] - board.width + 1
    y = 2 * board.rows[site] - board.height + 1
    twice = x * ahead[1] - y * ahead[0]
    return abs(twice) // 2 * (1 if twice > 0 else -1)


@cache
def _frames(steps: frozenset[Step]) -> tuple[Frame, ...]:
    frames = []
    for a, b, c, d in product((-1, 0, 1), repeat=4):
        image = frozenset((a * x + b * y, c * x + d * y) for x, y in steps)
        if a * d - b * c != 0 and image == steps:
            frames.append(Frame((-a, -c), (-b, -d)))
    frames.sort(key=lambda f: (f.ahead != NORTH, f.mirrored, f.ahead, f.left))
    return tuple(frames)


def frames(board: Board) -> tuple[Frame, ...]:
    """Every symmetry of the board's lattice, the one of the text first."""
    return _frames(frozenset(board.compass.values()))


def has_frames(board: Board) -> bool:
    """Whether patterns can lie on a board: drawn ones have no mirrored side."""
    return sum(f.ahead == NORTH for f in frames(board)) == 2


def frames_towards(board: Board, direction: Step) -> tuple[Frame, Frame]:
    """The two frames that look in a direction: as written, and mirrored."""
    plain, mirrored = (f for f in frames(board) if f.ahead == direction)
    return plain, mirrored


@frozen
class Placed(Unchanging):
    """A pattern in one frame: its conditions and its move as steps of the board.

    Conditions stand in the order of the text; of those about links the two ends may be exchanged.
    """

    pattern: int
    frame: Frame = field(eq=False)
    conditions: tuple[Condition, ...]
    move: Step

    @property
    def key(self) -> object:
        """A key equal for equal meanings: conditions and move, the direction where one counts."""
        counts = any(c.test.counts for c in self.conditions)
        return meaning(self.conditions), self.move, self.frame.ahead if counts else None


def place_pattern(number: int, pattern: Pattern, frame: Frame) -> Placed:
    """A pattern as a frame lays it on the board."""
    turned = tuple(
        Condition(c.test, frame(c.spot), frame(c.other), c.number, c.line)
        for c in pattern.conditions
    )
    return Placed(number, frame, turned, frame(pattern.move))


def all_placed(file: Patterns, board: Board, direction: Step, defends: bool) -> list[Placed]:
    """Every different way in which the patterns of one kind lie at a point with a direction."""
    if file.symmetry == "all":
        kept_frames = frames(board)
    else:
        kept_frames = frames_towards(board, direction)
        kept_frames = kept_frames[:1] if file.symmetry == "none" else kept_frames
    ways: dict[object, Placed] = {}  # of a pattern that is its own mirror image the first stays
    for number, pattern in enumerate(file.patterns):
        if pattern.defends == defends:
            for frame in kept_frames:
                if not (pattern.symmetric and frame.mirrored != kept_frames[0].mirrored):
                    way = place_pattern(number, pattern, frame)
                    ways.setdefault((number, way.key), way)
    return list(ways.values())


def meaning(conditions: Iterable[Condition]) -> frozenset[Condition]:
    """Conditions without their order, and links without theirs."""
    return frozenset(
        Condition(c.test, c.other, c.spot, line=c.line) if c.other < c.spot and c.test.joins else c
        for c in conditions
    )
