"""What stands around decisions, seen from reference points: rows of numbers for mining.

In: decisions of games, and where patterns are tried.  Out: `ShapeTable`s, one for each `Outlook`:
a kind of pattern (attack or defence) and where the move lies from the reference point.  A row is
a move that was played, or one of a few drawn ones that were not, with a column for each question:
what stands on a place, or whether a link of the point or of the move could be made or is there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field, frozen

from rulewright.ground.records import Record
from rulewright.learning.lane_arrays import numpy
from rulewright.learning.outlooks import (
    EDGE,
    EXISTS,
    FREE,
    OPP,
    OWN,
    POSSIBLE,
    SILENT,
    Lattice,
    Outlook,
    ShapeQuestion,
)
from rulewright.learning.placements import PlacedDecision
from rulewright.model.board import Board, Mask, Step, bits
from rulewright.model.patterns import Frame, Spot
from rulewright.players.pattern_use import Workbench
from rulewright.reference.matching import ReferencePoint
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Position

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

DRAWN = 8
"""Moves that were not played, for each that was: the others are alike."""


@frozen(eq=False)
class ShapeTable:
    """The rows of one outlook: answers (rows, questions), and whether the move was played."""

    outlook: Outlook
    questions: tuple[ShapeQuestion, ...]
    answers: Numbers
    played: Numbers


# --- positions as arrays ---


@define(eq=False)
class PaddedBoard(Record):
    """A board in a margin of places beyond it, so that no place is looked for in vain."""

    board: Board
    margin: int
    width: int = field(init=False)
    places: list[int] = field(init=False)
    """The place of each site."""

    def __attrs_post_init__(self) -> None:
        board, margin = self.board, self.margin
        self.width = board.width + 2 * margin
        pairs = zip(board.rows, board.columns, strict=True)
        self.places = [(row + margin) * self.width + column + margin for row, column in pairs]

    def offset(self, step: Step) -> int:
        """Return a step as a difference of places."""
        return step[1] * self.width + step[0]

    def answers(self, position: Position, enemies: Mask) -> Numbers:
        """Return what stands on each place, as the player to move sees it."""
        np, mover = numpy(), position.mover
        cells = np.full(self.width * (self.board.height + 2 * self.margin), EDGE, np.int8)
        pieces = (self.board.sites & ~position.full, FREE), (position.full, SILENT)
        own = (position.owned[mover], OWN), (enemies, OPP)
        for mask, answer in (*pieces, *own):
            cells[[self.places[site] for site in bits(mask)]] = answer
        return cells


@define(eq=False)
class ShapeReader(Record):
    """Reads rows of all decisions into the tables of their outlooks."""

    bench: Workbench
    lattice: Lattice
    random: Random
    padded: PaddedBoard = field(init=False)
    rows: dict[Outlook, list[tuple[Numbers, bool]]] = field(init=False)
    _columns: dict[tuple[Spot, Frame], _Columns] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.padded = PaddedBoard(self.lattice.board, 2 * self.lattice.reach + self.lattice.near)
        self.rows = defaultdict(list)

    def read(self, decisions: Iterable[PlacedDecision]) -> list[ShapeTable]:
        """Return the tables of all outlooks from which a move was played."""
        for decision in decisions:
            self._add(decision)
        np, tables = numpy(), []
        for outlook, rows in self.rows.items():
            answers, played = zip(*rows, strict=True)
            if any(played):
                questions = self.lattice.questions(outlook.move)
                tables.append(ShapeTable(outlook, questions, np.array(answers), np.array(played)))
        return sorted(tables, key=lambda table: (table.outlook.defends, table.outlook.move))

    def _add(self, decision: PlacedDecision) -> None:
        position = decision.position
        others = [site for site in decision.legal if site != decision.site]
        drawn = self.random.sample(others, min(DRAWN, len(others)))
        links, views = _LinkAnswers(self.bench.game.play, position), list(self._looks(position))
        for site in (decision.site, *drawn):
            played = site == decision.site
            for defends, point, cells in views:
                for outlook, answers in self._views(defends, point, site, (cells, links)):
                    self.rows[outlook].append((answers, played))

    def _looks(self, position: Position) -> Iterator[tuple[bool, ReferencePoint, Numbers]]:
        """Yield all points, whether patterns defend there, and what is seen from them."""
        matcher = self.bench.matcher
        for defends, player in matcher.users(position):
            points = self.bench.points(position, player)
            if points:  # from all points of a player the same are enemies
                enemies = matcher.enemies(position, points[0].site)
                cells = self.padded.answers(position, enemies)
                yield from ((defends, point, cells) for point in points)

    def _views(
        self, defends: bool, point: ReferencePoint, site: int, views: tuple[Numbers, _LinkAnswers]
    ) -> Iterator[tuple[Outlook, Numbers]]:
        """Yield what is seen of a move from a point, once for each frame in which it lies."""
        board = self.lattice.board
        step = (
            board.columns[site] - board.columns[point.site],
            board.rows[site] - board.rows[point.site],
        )
        for frame, spot in self.lattice.ways(point.direction).get(step, ()):
            yield Outlook(defends, spot), self._columns_of(spot, frame).answers(point.site, *views)

    def _columns_of(self, move: Spot, frame: Frame) -> _Columns:
        key = (move, frame)
        if key not in self._columns:
            self._columns[key] = _Columns.of(self.padded, self.lattice.questions(move), frame)
        return self._columns[key]


@frozen(eq=False)
class _Columns:
    """The questions of an outlook as a frame lays them on the board."""

    padded: PaddedBoard
    offsets: Numbers
    links: tuple[tuple[Step, Step], ...]

    @classmethod
    def of(cls, padded: PaddedBoard, questions: Sequence[ShapeQuestion], frame: Frame) -> _Columns:
        places = [padded.offset(frame(q.spot)) for q in questions if q.other is None]
        links = tuple((frame(q.spot), frame(q.other)) for q in questions if q.other is not None)
        return cls(padded, numpy().array(places), links)

    def answers(self, site: int, cells: Numbers, links: _LinkAnswers) -> Numbers:
        """Return the answers around a site."""
        of_places = cells[self.padded.places[site] + self.offsets]
        if not self.links:
            return of_places
        np, board = numpy(), self.padded.board
        of_links = [links(board.beside(site, a), board.beside(site, b)) for a, b in self.links]
        return np.concatenate([of_places, np.array(of_links, np.int8)])


@define(eq=False)
class _LinkAnswers(Record):
    """What may be said of the links of a position."""

    play: ReferencePlay
    position: Position
    _answers: dict[tuple[int, int], int] = field(factory=dict, init=False)

    def __call__(self, first: int, second: int) -> int:
        key = (first, second)
        if key not in self._answers:
            self._answers[key] = self._answer(first, second)
        return self._answers[key]

    def _answer(self, first: int, second: int) -> int:
        table, links = self.play.links[0], self.position.links[0]
        number = table.number.get((min(first, second), max(first, second)))
        if number is None:
            return SILENT
        if links >> number & 1:
            return EXISTS
        return SILENT if links & table.crossing(first, second) else POSSIBLE
