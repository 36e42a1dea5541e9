"""A pattern file as one decision structure, with all that the kernels need to walk it.

In: a pattern file and the plan of its game.  Out: tables behind those of the plan, for the
kernels of the game's part (`pattern_face.py`).  Conditions are ordered so that those that most
patterns share come first, cheap ones before those about links; patterns that begin alike share
records.
Refuses (`Unsupported`) what the paths of its evaluator refuse, and boards that are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import define, field, frozen

from rulewright.compiler.backend import Linked
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.model.board import Step, bits
from rulewright.model.patterns import (
    NORTH,
    Condition,
    Frame,
    Pattern,
    Patterns,
    Test,
    aside,
    frames,
    frames_towards,
)
from rulewright.reference.matching import places_one
from rulewright.search.kernels import matching as k

Question: TypeAlias = tuple[int, int, int, int, int]
"""What is asked (a number of `matching.py`), of which step, and two numbers more.

The step is that of a pattern that looks north; other directions turn it.
"""
Proposal: TypeAlias = tuple[Step, int, int]
"""A pattern's move, its number and its rank."""
_CELLS = {
    Test.OWN: k.OWN_PIECE, Test.OPP: k.ENEMY_PIECE, Test.FREE: k.NOTHING, Test.EDGE: k.OUTSIDE,
}  # fmt: skip
_LINKS = {Test.POSSIBLE: k.POSSIBLE, Test.EXISTS: k.EXISTS}
ROWS, WITHIN = 0, 2
"""What is counted: rows ahead, places from the middle; 1 and -1, places to one side of it."""
MOST_FOUND = 8192
MOST_KEPT = 10_000
MOST_BY_SETS = 500
"""Questions of patterns that are asked around all points at once, at the most: it is all code."""


@frozen(eq=False)
class CandidateKernels:
    """What narrows decisions: kernels to be linked, in this order, and what they were made of."""

    linked: tuple[Linked, ...]
    table: int
    """Where in K the description lies."""
    file: Patterns
    widest: int = MOST_KEPT


@define
class Branch:
    """Patterns that have begun alike: what they ask next, and those that ask nothing more."""

    below: dict[Question, Branch] = field(factory=dict)
    proposals: list[Proposal] = field(factory=list)
    """Of the patterns that end here."""


@frozen
class Padding:
    """The board in a frame of places beyond it, so that no place is looked for in vain."""

    plan: StateLayout
    reach: int
    width: int = field(init=False)
    count: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        board = self.plan.rules.board
        object.__setattr__(self, "width", board.width + 2 * self.reach)
        object.__setattr__(self, "count", self.width * (board.height + 2 * self.reach))

    def place(self, site: int) -> int:
        """Where a site lies."""
        board = self.plan.rules.board
        row, column = board.rows[site] + self.reach, board.columns[site] + self.reach
        return row * self.width + column

    def step(self, step: Step) -> int:
        """A step as a difference of places."""
        return step[1] * self.width + step[0]

    def rows_ahead(self, ahead: Step) -> list[int]:
        """For every place the steps from it to the border of the lattice, -1 beyond."""
        board = self.plan.rules.board
        counts = [-1] * self.count
        for row in range(board.height):
            for column in range(board.width):
                c, r, steps = column, row, -1
                while 0 <= c < board.width and 0 <= r < board.height:
                    c, r, steps = c + ahead[0], r + ahead[1], steps + 1
                counts[(row + self.reach) * self.width + column + self.reach] = steps
        return counts

    def beside(self, kind: int, number: int, ahead: Step) -> list[int]:
        """For every place whether it lies as a condition that counts from the middle wants it."""
        board, flags = self.plan.rules.board, [0] * self.count
        for site in bits(board.sites):
            sideways = aside(board, site, ahead)
            far = -abs(sideways) if kind == WITHIN else sideways * kind
            flags[self.place(site)] = int(far >= number)
        return flags


@define
class Tables:
    """The tables of a pattern file, while they are laid into a plan."""

    plan: StateLayout
    file: Patterns
    directions: tuple[tuple[Step, ...], ...]
    """For each player those that reference points may have."""
    pad: Padding = field(init=False)
    steps: tuple[Step, ...] = field(init=False)
    ways: dict[Step, int] = field(init=False)
    """The number of each step that a link may have."""
    counted: dict[tuple[int, int, Step], int] = field(factory=dict, init=False)
    """Where the tables of conditions that count are: by kind, number and the step ahead."""
    ranks: list[int] = field(init=False)
    trees: dict[bool, Branch] = field(factory=dict, init=False)
    """The patterns that attack and those that defend."""

    def __attrs_post_init__(self) -> None:
        board = self.plan.rules.board
        self.ranks = self.file.ranks
        if board.is_irregular:
            raise Unsupported("patterns on a board that is drawn")
        self.pad = Padding(self.plan, _reach(self.file, frames(board)))
        kinds = self.plan.rules.links
        single = kinds[0].steps if kinds else ()
        self.trees = {defends: self._tree(defends) for defends in (False, True)}
        self.steps = tuple(sorted({*single, *map(board.opposite, single)}))
        self.ways = {step: number for number, step in enumerate(self.steps)}

    def lay(self, row: int, widest: int, fallback: int) -> int:
        """Add all tables; where the description begins."""
        plan, pad = self.plan, self.pad
        words = [0] * k.DESCRIPTION
        words[k.WORDS], words[k.OWNED], words[k.LINKS] = plan.words, plan.owned, plan.links
        if self.steps:
            words[k.CROSSING], words[k.CROSSING_ROW] = plan.crossing_words
            words[k.LINK_AT] = self._add(self._links())
        words[k.STEPS], words[k.OWNERS] = len(self.steps), plan.owners
        words[k.PLAYERS], words[k.ROOTS] = len(self.directions), self._add(self._roots())
        sites = len(plan.rules.board.names)
        inside = [pad.place(s) if plan.rules.board.sites >> s & 1 else -1 for s in range(sites)]
        words[k.PADDED], words[k.SITES] = self._add(inside), sites
        words[k.COUNT], words[k.CELLS] = pad.count, plan.scratch(pad.count)
        words[k.ENDS] = plan.scratch(2 * plan.words)
        words[k.PROPOSALS], words[k.MOST] = plan.scratch(2 * MOST_FOUND), MOST_FOUND
        words[k.RANKS] = plan.scratch(sites)
        words[k.BACK] = self._add(_inverse(inside, pad.count))
        words[k.KINDS] = self._add([int(places_one(m)) for m in plan.rules.moves])
        words[k.ROW], words[k.WIDEST], words[k.REST] = row, widest, fallback
        words[k.RANKED] = len(self.file.patterns)
        words[k.LAID] = plan.scratch(3 * plan.words)
        words[k.TALLY] = plan.scratch(len(self.file.patterns) + 2)
        words[k.HITS] = plan.scratch(self.proposals * (plan.words + 3))
        return self._add(words)

    def _add(self, values: Iterable[int]) -> int:
        """A table behind all others."""
        at = len(self.plan.table)
        self.plan.table += values
        return at

    def _links(self) -> list[int]:
        """For every place and step the number of the link, or -1."""
        table = self.plan.link_table
        assert table is not None
        board, pad, count = self.plan.rules.board, self.pad, len(self.steps)
        numbers = [-1] * (pad.count * count)
        for number, (a, b) in enumerate(table.ends):
            step = (board.columns[b] - board.columns[a], board.rows[b] - board.rows[a])
            back = (-step[0], -step[1])
            numbers[pad.place(a) * count + self.ways[step]] = number
            numbers[pad.place(b) * count + self.ways[back]] = number
        return numbers

    @property
    def proposals(self) -> int:
        """How many patterns, in all frames, may hold at once; 0 unless they are matched by sets."""
        return sum(len(b.proposals) for b in self._branches()) if self.by_sets else 0

    @cached_property
    def by_sets(self) -> bool:
        """Whether patterns are matched for whole sets of sites at once.

        They are if all ask only what stands where, around all own stones, the same way for all
        players, on a whole lattice, in `MOST_BY_SETS` questions at most.
        """
        board = self.plan.rules.board
        questions = [question for branch in self._branches() for question in branch.below]
        return (
            not self.file.around
            and len({ways[0] for ways in self.directions}) == 1
            and all(question[0] == k.CELL for question in questions)
            and len(questions) <= MOST_BY_SETS
            and all(board.rows[s] * board.width + board.columns[s] == s for s in bits(board.sites))
        )

    def _branches(self) -> Iterator[Branch]:
        todo = list(self.trees.values())
        while todo:
            branch = todo.pop()
            yield branch
            todo += branch.below.values()

    # --- the structure ---

    def _roots(self) -> list[int]:
        """Where the records begin, for attack and defence, all players, and both ways."""
        numbers: dict[tuple[Step, bool], int] = {}
        records = []
        for defends in (False, True):
            tree = self.trees[defends]
            for ways in self.directions:
                for direction in (ways[0], ways[-1]):
                    key = (direction, defends)
                    if key not in numbers:
                        numbers[key] = self._add_tree(tree, direction)
                    records.append(numbers[key])
        return records

    def _frames(self) -> tuple[Frame, ...]:
        """The frames of points that look north."""
        board = self.plan.rules.board
        if self.file.symmetry == "all":
            return frames(board)
        both = frames_towards(board, NORTH)
        return both[:1] if self.file.symmetry == "none" else both

    def _tree(self, defends: bool) -> Branch:
        """The patterns of one kind around a point that looks north, those alike merged."""
        kept_frames = self._frames()
        rows: dict[tuple[frozenset[Question], Proposal], None] = {}
        for number, pattern in enumerate(self.file.patterns):
            if pattern.defends == defends:
                for frame in kept_frames:
                    if not (pattern.symmetric and frame.mirrored != kept_frames[0].mirrored):
                        rows.setdefault(self._questions_of(number, pattern, frame))
        often = Counter(question for questions, _ in rows for question in questions)
        order = sorted(often, key=lambda q: (_PRICES.get(q[0], 4), -often[q], q))
        place = {question: number for number, question in enumerate(order)}
        tree = Branch()
        for questions, proposal in rows:
            branch = tree
            for question in sorted(questions, key=place.__getitem__):
                branch = branch.below.setdefault(question, Branch())
            branch.proposals.append(proposal)
        return tree

    def _questions_of(
        self, number: int, pattern: Pattern, frame: Frame
    ) -> tuple[frozenset[Question], Proposal]:
        """What a pattern asks in a frame, and what it proposes."""
        move = frame(pattern.move)
        questions = {_question(c, frame) for c in pattern.conditions}
        questions.add((k.CELL, *move, k.NOTHING, 0))
        return frozenset(questions), (move, number, self.ranks[number])

    def _counts(self, question: Question, frame: Frame) -> tuple[int, int]:
        """What a question that counts expects of a table, and where that is."""
        _, dx, dy, number, kind = question
        ahead = frame((-dx, -dy))
        key = (kind, 0 if kind == ROWS else number, ahead)
        if key not in self.counted:
            pad = self.pad
            counts = pad.rows_ahead(ahead) if kind == ROWS else pad.beside(kind, number, ahead)
            self.counted[key] = self._add(counts)
        return number if kind == ROWS else 1, self.counted[key]

    def _add_tree(self, tree: Branch, direction: Step) -> int:
        """Write the records of a tree as points of a direction see it."""
        frame = frames_towards(self.plan.rules.board, direction)[0]
        for question in _counting(tree):  # their tables come first
            self._counts(question, frame)
        start = len(self.plan.table)
        records: list[int] = []
        self._write(tree, frame, records, start)
        records += [k.END, 0, 0, 0]
        self.plan.table += records
        return start

    def _write(self, branch: Branch, frame: Frame, records: list[int], start: int) -> None:
        """Each branch stands behind its question, which tells where to go on without it."""
        for (dx, dy), number, rank in branch.proposals:
            records += [k.PROPOSE, self.pad.step(frame((-dx, -dy))), number, rank]
        for question, below in branch.below.items():
            at = len(records)
            records += [*self._record(question, frame), 0]
            self._write(below, frame, records, start)
            records[at + 3] = start + len(records)

    def _record(self, question: Question, frame: Frame) -> tuple[int, int, int]:
        """A question of a point that looks another way than north."""
        op, dx, dy, first, second = question
        if op == k.AHEAD:
            return op, *self._counts(question, frame)
        step = frame((-dx, -dy))
        if op in (k.POSSIBLE, k.EXISTS):
            end = frame((-first, -second))
            way = (end[0] - step[0], end[1] - step[1])
            return op, self.pad.step(step), self.ways[way]
        return op, self.pad.step(step), first


_PRICES = {k.AHEAD: 0, k.CELL: 1, k.STRONG: 2, k.WEAK: 2, k.EXISTS: 3}
"""Cheap questions come first; those about rows before all, so that they stand at the root."""


def _question(c: Condition, frame: Frame) -> Question:
    """A condition as a frame that looks north lays it."""
    test = c.test
    if test is Test.ROW:
        return k.AHEAD, *frame.ahead, c.number, ROWS
    if test is Test.MIDDLE:
        return k.AHEAD, *frame.ahead, -c.number, WITHIN
    if test is Test.LEFT:
        return k.AHEAD, *frame.ahead, c.number, -1 if frame.mirrored else 1
    spot = frame(c.spot)
    if test in _CELLS:
        return k.CELL, *spot, _CELLS[test], 0
    if test in _LINKS:
        first, second = sorted((spot, frame(c.other)))
        return _LINKS[test], *first, *second
    return (k.STRONG if test is Test.STRONG else k.WEAK), *spot, 0, 0


def _counting(tree: Branch) -> Iterator[Question]:
    """All questions of a tree that count."""
    for question, below in tree.below.items():
        if question[0] == k.AHEAD:
            yield question
            yield from _counting(below)


def _inverse(places: list[int], count: int) -> list[int]:
    sites = [-1] * count
    for site, place in enumerate(places):
        if place >= 0:
            sites[place] = site
    return sites


def _reach(file: Patterns, turned: tuple[Frame, ...]) -> int:
    """How far from a reference point patterns look."""
    spots = {p.move for p in file.patterns}
    spots |= {s for p in file.patterns for c in p.conditions for s in (c.spot, c.other)}
    return max(abs(n) for frame in turned for spot in spots for n in frame(spot))
