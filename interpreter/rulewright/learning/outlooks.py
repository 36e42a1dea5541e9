"""What is asked around a reference point, and how a move lies from it, up to symmetry.

In: a board, a pattern file (its symmetry), how far to look.  Out: a `Lattice`: for each step to a
move the frames in which a file would write it, and the questions that are asked there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product

from attrs import field, frozen

from rulewright.model import patterns as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
from rulewright.model.patterns import HERE, Condition, Frame, Patterns, Spot, Test

ANSWERS: tuple[Test, ...] = (
    Test.FREE, Test.OWN, Test.OPP, Test.EDGE, Test.POSSIBLE, Test.EXISTS,
)  # fmt: skip
"""The condition that each number in a row stands for; 6 stands for none."""
SILENT = len(ANSWERS)
FREE, OWN, OPP, EDGE, POSSIBLE, EXISTS = range(SILENT)


@frozen
class ShapeQuestion:
    """What a column asks: about a place, or (`other`) about the link between two places."""

    spot: Spot
    other: Spot | None = None

    def condition(self, answer: int) -> Condition:
        """Return the condition that holds where the answer is this one."""
        return Condition(ANSWERS[answer], self.spot, self.other or HERE)


@frozen
class Outlook:
    """The move as it lies from the reference point, and whether the point is the opponent's."""

    defends: bool
    move: Spot


@frozen(eq=False)
class Lattice:
    """The lattice of a board with the frames in which a file's patterns may lie."""

    board: Board
    file: Patterns
    reach: int
    """How far, in steps along the lattice, the move may lie from its reference point."""
    near: int
    """How far what is asked about may lie from the point or the move."""
    links: tuple[r.LinkKind, ...]
    _ways: dict[Step, Mapping[Step, tuple[tuple[Frame, Spot], ...]]] = field(
        factory=dict, init=False, repr=False
    )

    def frames(self, direction: Step) -> tuple[Frame, ...]:
        """The frames in which a pattern may lie at a point of a direction."""
        if self.file.symmetry == "all":
            return m.frames(self.board)
        both = m.frames_towards(self.board, direction)
        return both[:1] if self.file.symmetry == "none" else both

    def distance(self, spot: Spot) -> int:
        """The square of a place's distance, as the lattice is drawn."""
        x, y = spot
        return x * x + y * y + (x * y if self.board.hexagonal else 0)

    @cached_property
    def moves(self) -> tuple[Spot, ...]:
        """The places within reach, but the reference point."""
        far = range(-2 * self.reach, 2 * self.reach + 1)
        spots = (spot for spot in product(far, far) if spot != HERE)
        return tuple(spot for spot in spots if self.distance(spot) <= self.reach**2)

    def window(self, move: Spot) -> tuple[Spot, ...]:
        """The places that are asked about: those near the point or the move, the nearest first."""

        def far(spot: Spot) -> int:
            to_move = (spot[0] - move[0], spot[1] - move[1])
            return min(self.distance(spot), self.distance(to_move))

        width = range(-self.reach - self.near, self.reach + self.near + 1)
        spots = (s for s in product(width, width) if s not in (HERE, move))
        return tuple(sorted((s for s in spots if far(s) <= self.near**2), key=far))

    def ways(self, direction: Step) -> Mapping[Step, tuple[tuple[Frame, Spot], ...]]:
        """Return for each step to a move the frames in which it lies as a file writes it."""
        if direction not in self._ways:
            by_step = defaultdict[Step, list[tuple[Frame, Spot]]](list)
            for frame, spot in product(self.frames(direction), self.moves):
                by_step[frame(spot)].append((frame, spot))
            self._ways[direction] = {step: _foremost(ways) for step, ways in by_step.items()}
        return self._ways[direction]

    def questions(self, move: Spot) -> tuple[ShapeQuestion, ...]:
        """Return what is asked where the move lies so: of places, then of links of either end."""
        steps = self.board_links
        ends = [(end, _plus(end, step)) for end in (HERE, move) for step in steps]
        links = dict.fromkeys(ShapeQuestion(*sorted(pair)) for pair in ends)
        return (*map(ShapeQuestion, self.window(move)), *links)

    @cached_property
    def board_links(self) -> tuple[Spot, ...]:
        """The steps of links, both ways, as a point that looks north sees them."""
        kinds = self.links
        north = m.frames_towards(self.board, m.NORTH)[0]
        back = {north(spot): spot for spot in product(range(-6, 7), range(-6, 7))}
        steps = kinds[0].steps if kinds else ()
        return tuple(sorted({back[s] for step in steps for s in (step, self.board.opposite(step))}))


def _foremost(ways: Sequence[tuple[Frame, Spot]]) -> tuple[tuple[Frame, Spot], ...]:
    """Of the ways to write a move those that lie furthest ahead, then furthest to the left."""
    best = max((spot[1], spot[0]) for _, spot in ways)
    return tuple(way for way in ways if (way[1][1], way[1][0]) == best)


def _plus(spot: Spot, step: Spot) -> Spot:
    return spot[0] + step[0], spot[1] + step[1]
