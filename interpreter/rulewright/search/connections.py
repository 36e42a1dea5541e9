"""Who wins a race of connections: cells and groups as words, and a search of them.

In: a race (`compiler.passes.connection_race`), a position, arrays of a thread.  Out: whether who is
at move wins, and by which site.  The kernels are those of `kernels/must_play.py`.  Sites that are
empty in the position become cells with numbers; positions that follow from it are found again in
the table.  Refuses (`Unsupported`) boards with too many empty sites for a word, and positions in
which somebody is connected already.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from attrs import define, field

from rulewright.compiler.backend import Linked
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.passes.connection_race import ConnectionRace
from rulewright.compiler.runtime import place
from rulewright.ground.records import Record
from rulewright.model.board import Board, Mask, bits, mask_of
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.position import Position, components
from rulewright.search.kernels import must_play, pairing, race, virtual_connections
from rulewright.search.thread_arrays import ThreadArrays, module

UNPAIRED, RARER = 5000, 4
"""Positions that are looked at before pairs are tried; the next try is at so many times as many."""
EFFORT = 1200
"""Work for a try, for each position that was looked at: so pairs take less time than the rest."""


def connections() -> Linked:
    """The kernels that search races of connections."""
    return module(virtual_connections, must_play, pairing)


@define(repr=False, eq=False)
class PlayerGraph(Record):
    """The neighbours of each cell for one player: sets of cells and of groups by their numbers."""

    home: int = 0
    goal: int = 0
    near: list[int] = field(factory=list)
    tied: list[int] = field(factory=list)
    reach: list[int] = field(factory=list)

    def words(self) -> list[int]:
        """Return the words that kernels read of this graph."""
        words = [0] * race.SIDE
        words[race.HOME], words[race.GOAL] = self.home, self.goal
        words[race.GROUPS] = (1 << len(self.reach)) - 1
        for at, part in ((race.NEAR, self.near), (race.TIED, self.tied), (race.REACH, self.reach)):
            words[at : at + len(part)] = part
        return words


def player_graph(
    board: Board, aim: ConnectionRace, position: Position, player: int, cells: dict[int, int]
) -> PlayerGraph:
    """The graph of a player; *cells* gives numbers to empty sites."""

    def numbered(sites: Mask) -> int:
        return sum(1 << cells[site] for site in bits(sites) if site in cells)

    home, goal = aim.goals[player]
    near = board.neighbours(aim.steps[player])
    graph = PlayerGraph(numbered(home), numbered(goal), [numbered(near[s]) for s in cells])
    graph.tied = [0] * len(cells)
    for group in components(position.owned[player], near):
        beside = numbered(_around(group, near))
        if group & home and group & goal:
            raise Unsupported("a player is connected already")
        if group & home:
            graph.home |= beside
        elif group & goal:
            graph.goal |= beside
        elif beside & beside - 1:  # others lead nowhere
            _add_group(graph, beside)
    return graph


def _around(group: Mask, near: tuple[Mask, ...]) -> Mask:
    """The sites beside a group."""
    sites = 0
    for site in bits(group):
        sites |= near[site]
    return sites


def _add_group(graph: PlayerGraph, beside: int) -> None:
    for cell in bits(beside):
        graph.tied[cell] |= 1 << len(graph.reach)
    graph.reach.append(beside)
    if len(graph.reach) > race.CELLS:
        raise Unsupported(f"there are more than {race.CELLS} groups")


@define(repr=False, eq=False)
class ConnectionSearch(Record):
    """A search of one race, from any position that follows from its first."""

    worker: ThreadArrays
    aim: ConnectionRace
    first: Position
    cells: dict[int, int] = field(init=False)
    """For each empty site its number."""
    _words: Any = field(init=False)
    _frames: Any = field(init=False)
    arrays: tuple[Any, ...] = field(init=False)
    """The arrays of `race.Race`, made for one position."""

    def __attrs_post_init__(self) -> None:
        board, ints = self.worker.engine.play.rules.board, self.worker.ints
        empty = board.sites & ~self.first.full
        if empty.bit_count() > race.CELLS:
            raise Unsupported(f"more than {race.CELLS} sites are empty")
        self.cells = {site: number for number, site in enumerate(bits(empty))}
        graphs = [player_graph(board, self.aim, self.first, p, self.cells) for p in (0, 1)]
        self._words, self._frames = ints(16), ints(race.FRAME * (race.CELLS + 2))
        graph = self.worker.engine.arrays.of([word for graph in graphs for word in graph.words()])
        pairs = ints(race.MOST_ENDS * race.MOST_ENDS * race.PAIR)
        self.arrays = (
            self._words, graph, ints(race.ENDS), pairs, ints(race.QUEUE + 4), self._frames,
            ints(2 * 64), ints(race.PAIRED),
        )  # fmt: skip
        self.worker.control.mask = self.worker.control.widest >> 1  # two entries are a bucket
        self.place(self.first)

    def place(self, position: Position) -> None:
        """Put a position at the root: the first, or one that follows from it."""
        words = self._words
        words[place(race.RaceWords, "level")] = words[place(race.RaceWords, "full_board")] = 0
        words[place(race.RaceWords, "mover")] = position.mover
        words[place(race.RaceWords, "cells")] = (1 << len(self.cells)) - 1
        for player in (0, 1):
            new_stones = position.owned[player] & ~self.first.owned[player]
            stones = sum(1 << self.cells[site] for site in bits(new_stones))
            self._frames[race.STONES + player] = stones
        self._frames[race.STATE] = race.NEW

    def wins(self) -> Generator[None, None, bool | None]:
        """Whether who is at move at the root wins; None where a full board may have no winner."""
        control = self.worker.control
        begun, nodes = control.nodes, UNPAIRED
        while True:
            limit = control.node_limit
            control.node_limit = min(limit, begun + nodes)
            verdict = self.worker.call("race", *self.arrays)
            control.node_limit = limit
            if verdict != must_play.STOPPED:
                return None if verdict == must_play.NOBODY else bool(verdict == must_play.WINS)
            if begun + nodes <= control.nodes < limit:
                control.stop = 0
                paired = yield from self._paired(EFFORT * nodes)
                if paired is not None:
                    return paired
                nodes *= RARER
            yield

    def _paired(self, effort: int) -> Generator[None, None, bool | None]:
        """Whether who is at move at the root wins by pairs, or loses to some; None: neither."""
        if self.worker.call("pair_against", *self.arrays, effort):
            return False
        frames = self._frames
        occupied = frames[race.STONES] | frames[race.STONES + 1]
        empty = [cell for cell in self.cells.values() if not occupied >> cell & 1]
        best = sorted(empty, key=lambda cell: -frames[race.SCORES + cell])[: must_play.PROBED]
        for cell in best:
            yield
            if self.worker.call("pair_after", *self.arrays, effort, cell):
                return True
        return None

    @property
    def region(self) -> Mask:
        """The empty sites that the winner needs, once it is known who wins."""
        region_bits = self._frames[race.REGION]
        return mask_of([site for site, number in self.cells.items() if region_bits >> number & 1])

    @property
    def winning(self) -> Mask:
        """A site by which who is at move at the root wins, once that is known."""
        return mask_of([list(self.cells)[self._frames[race.MOVE]]])


def number_of(position: Position, options: tuple[LegalDecision, ...], site: int) -> int | None:
    """The number of the decision that puts a piece of who is at move on a site."""
    mover, own = position.mover, position.owned[position.mover]
    for number, option in enumerate(options):
        if option.after.owned[mover] == own | site:
            return number
    return None
