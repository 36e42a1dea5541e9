"""Boards: sites in reading order, the steps between them, and the regions a shape has.

A set of sites is an integer: bit i stands for site i.  Sites are numbered in reading order on the
whole lattice (top row first), so the lowest bit of a set is its first site; `where` cuts sites away
without renumbering.  A step is a pair: (dx, dy) on a lattice, with dy growing downwards, and (line,
+1 or -1) on a drawn board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, reduce, wraps
from itertools import pairwise
from operator import or_
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from rulewright.ground.records import Record, Unchanging, record

Mask: TypeAlias = int
Step: TypeAlias = tuple[int, int]
P = ParamSpec("P")
T = TypeVar("T")

COMPASS: dict[str, Step] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
HEX_COMPASS: dict[str, Step] = {
    "northeast": (1, -1), "east": (1, 0), "southeast": (0, 1),
    "southwest": (-1, 1), "west": (-1, 0), "northwest": (0, -1),
}  # fmt: skip
_STRAIGHT = frozenset({"north", "east", "south", "west", "up", "down"})


def bits(mask: Mask) -> Iterator[int]:
    """The sites of *mask*, in reading order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Iterable[Mask]) -> Mask:
    """The sites that are in any of *masks*."""
    return reduce(or_, masks, 0)


def mask_of(sites: Iterable[int]) -> Mask:
    """The set of the numbered *sites*."""
    return union(1 << site for site in sites)


def letters(column: int) -> str:
    """The name of a column from 1: a ... z, aa, ab ..."""
    name = ""
    while column > 0:
        column, remainder = divmod(column - 1, 26)
        name = chr(97 + remainder) + name
    return name


def cross(first: tuple[Step, Step], second: tuple[Step, Step]) -> bool:
    """Whether two segments, given by their ends, cross in a point that is no end of either."""
    (a, b), (c, d) = first, second
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Step, b: Step, c: Step) -> int:
    """On which side of the line a-b the place c lies: -1, 0 or 1."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


@record
class Shape(Record):
    """A word behind `board`: how many sizes it takes, and whether its cells have six sides."""

    sizes: int
    hexagonal: bool = False


SHAPES = {
    "square": Shape(2), "rhombus": Shape(2, hexagonal=True), "hexagon": Shape(1, hexagonal=True),
    "triangle": Shape(1, hexagonal=True), "graph": Shape(0),
}  # fmt: skip


LINE = 10_000  # steps along lines with names have numbers from here on


@record
class NamedLine(Record):
    """A line with a name, which is the step to the next site; closed if it ends where it began.

    `player` is who sees it so: 0 or 1, or None for both.  Where a line comes to a site several
    times there is one such record for each time: the step begins at a site's place `turn`.
    """

    name: str
    player: int | None
    sites: tuple[int, ...]
    turn: int = 0

    @property
    def is_closed(self) -> bool:
        """Whether it ends where it began."""
        return self.sites[0] == self.sites[-1]

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Its sites in order, the first one of a closed line once."""
        return self.sites[:-1] if self.is_closed else self.sites

    @cached_property
    def crosses_itself(self) -> bool:
        """Whether it comes to a site several times."""
        return len(set(self.places)) < len(self.places)

    def walk(self, site: int, sign: int) -> tuple[int, ...]:
        """The sites after *site*, or before it, to the end of the line or once round."""
        at = [place for place, other in enumerate(self.places) if other == site]
        if len(at) <= self.turn:
            return ()
        before, after = self.places[: at[self.turn]], self.places[at[self.turn] + 1 :]
        if sign > 0:
            return after + before if self.is_closed else after
        return (before[::-1] + after[::-1]) if self.is_closed else before[::-1]


def _kept_result(method: Callable[Concatenate[Board, P], T]) -> Callable[Concatenate[Board, P], T]:
    """A method of boards whose results are kept with the board, by its positional arguments."""

    @wraps(method)
    def cached(board: Board, /, *arguments: P.args, **options: P.kwargs) -> T:
        key = method.__name__, arguments
        if key not in board.cached_results:
            board.cached_results[key] = method(board, *arguments, **options)
        return board.cached_results[key]  # type: ignore[return-value]

    return cached


@frozen
class Board(Unchanging):
    """A board with its size fixed; `stacked` is how high piles are at most, or 0.

    `columns` and `rows` are places in the picture, `numbers` rows as people read them.  The
    layers of a third extent lie side by side, with a column without sites between them: so a step
    from one layer to the next is a shift of the whole lattice like any other.
    """

    shape: str
    width: int
    height: int
    sites: Mask
    names: tuple[str, ...]
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    numbers: tuple[int, ...]
    regions: dict[str, Mask]
    sides: tuple[Mask, ...]
    paths: tuple[tuple[int, ...], ...] = ()
    labelled: bool = False
    named_lines: tuple[NamedLine, ...] = ()
    stacked: int = 0
    layers: int = 1
    wraps: tuple[bool, bool] = (False, False)
    """Whether its left side is joined with the right one, and its top with its bottom."""
    cached_results: dict[object, object] = field(factory=dict, init=False, repr=False, eq=False)
    """Results of methods, by method and arguments."""

    @property
    def is_drawn(self) -> bool:
        """Whether its lines are drawn one by one: then it has no directions, rows or columns."""
        return self.shape == "graph"

    @property
    def is_irregular(self) -> bool:
        """Whether some steps are no shifts of the whole board: along drawn lines, over an edge."""
        return self.is_drawn or bool(self.named_lines) or any(self.wraps)

    @property
    def is_square(self) -> bool:
        """Whether its sites are squares."""
        return self.shape == "square"

    @property
    def hexagonal(self) -> bool:
        """Whether sites have six neighbours."""
        return SHAPES[self.shape].hexagonal

    @property
    def lift(self) -> int:
        """How many columns of the picture lie between a site and the one above it."""
        return (self.width + 1) // self.layers

    def place_name(self, site: int) -> str:
        """Return the name of a site by its layer, column and row."""
        layer = letters(self.zs[site]).upper() if self.layers > 1 else ""
        return f"{layer}{letters(self.xs[site])}{self.numbers[site]}"

    @cached_property
    def xs(self) -> tuple[int, ...]:
        """The number of its column for every site, from 1."""
        return tuple(column % self.lift + 1 for column in self.columns)

    @cached_property
    def zs(self) -> tuple[int, ...]:
        """The number of its layer for every site, from 1."""
        return tuple(column // self.lift + 1 for column in self.columns)

    @cached_property
    def compass(self) -> dict[str, Step]:
        """The single steps that have a name."""
        if self.is_drawn:
            return {}
        if self.layers > 1:
            return {**COMPASS, "up": (self.lift, 0), "down": (-self.lift, 0)}
        return HEX_COMPASS if self.hexagonal else COMPASS

    @cached_property
    def steps(self) -> dict[str, tuple[Step, ...]]:
        """Every named set of steps."""
        named = {name: (step,) for name, step in self.compass.items()}
        if self.is_drawn:
            ways = tuple((k, sign) for k in range(len(self.paths)) for sign in (1, -1))
            return {"near": ways, "around": ways}
        around = tuple(self.compass.values())
        if self.hexagonal:
            return {**named, "near": around, "around": around}
        straight = tuple(step for name, step in self.compass.items() if name in _STRAIGHT)
        if self.layers > 1:
            aslant = (self.lifted(s, z) for z in (1, -1) for s in COMPASS.values())
            around = (*around, *aslant)
        diagonal = tuple(s for s in around if s not in straight)
        return {
            **named,
            "orthogonal": straight,
            "near": straight,
            "diagonal": diagonal,
            "around": around,
        }

    def lifted(self, step: Step, layers: int) -> Step:
        """A step within a layer and so many layers up."""
        return step[0] + layers * self.lift, step[1]

    @cached_property
    def by_name(self) -> dict[str, int]:
        """Site numbers by name."""
        return {self.names[i]: i for i in bits(self.sites)}

    @cached_property
    def count(self) -> int:
        """The number of sites."""
        return self.sites.bit_count()

    def at(self, column: int, row: int) -> int:
        """The site at a place of the lattice (row 0 at the top), or -1."""
        if not (0 <= column < self.width and 0 <= row < self.height):
            return -1
        site = row * self.width + column
        return site if self.sites >> site & 1 else -1

    def site_at(self, x: int, y: int) -> Mask:
        """The site with column *x* from 1 and row number *y*, of each layer; empty without one."""
        return self._by_place.get((x, y), 0)

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], Mask]:
        by_place = dict[tuple[int, int], Mask]()
        for i in bits(self.sites):
            place = self.xs[i], self.numbers[i]
            by_place[place] = by_place.get(place, 0) | 1 << i
        return by_place

    @_kept_result
    def targets(self, step: Step) -> tuple[Mask, ...]:
        """For every site the set of the site one *step* away, empty past the border."""
        targets = [0] * len(self.names)
        if step[0] >= LINE:
            walks = (self.walk(site, step) for site in range(len(self.names)))
            return tuple(walk[0] if walk else 0 for walk in walks)
        if self.is_drawn:
            for site, following in pairwise(self.paths[step[0]][:: step[1]]):
                targets[site] = 1 << following
            return tuple(targets)
        for site in bits(self.sites):
            other = self.beside(site, step)
            targets[site] = 1 << other if other >= 0 else 0
        return tuple(targets)

    def beside(self, site: int, step: Step) -> int:
        """The site of the lattice one *step* from another, over joined sides too; or -1."""
        column, row = self.columns[site] + step[0], self.rows[site] + step[1]
        across, down = self.wraps
        return self.at(
            column % self.width if across else column, row % self.height if down else row
        )

    @_kept_result
    def neighbours(self, steps: tuple[Step, ...]) -> tuple[Mask, ...]:
        """For every site the sites one of *steps* away."""
        neighbours = [0] * len(self.names)
        for step in steps:
            for site, target in enumerate(self.targets(step)):
                neighbours[site] |= target
        return tuple(neighbours)

    @_kept_result
    def walk(self, site: int, step: Step) -> tuple[Mask, ...]:
        """The sites after *site* along *step*, to the border, or once round a closed line."""
        if step[0] >= LINE:
            return tuple(1 << s for s in self.named_lines[step[0] - LINE].walk(site, step[1]))
        targets, path, first = self.targets(step), [], 1 << site
        while targets[site] not in (0, first):
            path.append(targets[site])
            site = targets[site].bit_length() - 1
        return tuple(path)

    def round(self, site: int, step: Step) -> int:
        """How many steps lead from a site once round a closed line; 0 along others."""
        walk = self.walk(site, step)
        if step[0] >= LINE:
            return len(walk) + 1 if walk and self.named_lines[step[0] - LINE].is_closed else 0
        last = walk[-1].bit_length() - 1 if walk else site
        return len(walk) + 1 if self.targets(step)[last] >> site & 1 else 0

    def crosses_itself(self, step: Step) -> bool:
        """Whether the line that a step follows comes to a site several times."""
        return step[0] >= LINE and self.named_lines[step[0] - LINE].crosses_itself

    @cached_property
    def has_rounds(self) -> bool:
        """Whether a walk may come back to where it began: along a closed line, over an edge."""
        return any(line.is_closed for line in self.named_lines) or any(self.wraps)

    def ahead(self, site: int, step: Step, number: int) -> Mask:
        """The site a *number* of steps on, round and round on a closed line; else empty."""
        walk = self.walk(site, step)
        if number and self.round(site, step):
            number %= self.round(site, step)
        if number == 0:
            return 1 << site
        return walk[number - 1] if number <= len(walk) else 0

    def coordinates(self, key: str) -> tuple[int, ...]:
        """The number of its column (`x`), row (`y`) or layer (`z`) for every site."""
        return {"x": self.xs, "y": self.numbers, "z": self.zs}[key]

    @_kept_result
    def by_number(self, key: str) -> dict[int, Mask]:
        """The sites of each column (`x`), row (`y`) or layer (`z`), by the number people read."""
        sites_by_number: dict[int, Mask] = {}
        for site in bits(self.sites):
            number = self.coordinates(key)[site]
            sites_by_number[number] = sites_by_number.get(number, 0) | 1 << site
        return sites_by_number

    @_kept_result
    def longest(self, step: Step) -> int:
        """The most sites in a row along *step*."""
        return max((1 + len(self.walk(site, step)) for site in bits(self.sites)), default=1)

    @_kept_result
    def arrivals(self, step: Step) -> Mask:
        """The sites that one *step* leads to: there a shift of a mask by the step is right."""
        return union(self.targets(step))

    def opposite(self, step: Step) -> Step:
        """The step back."""
        return (step[0] if self.is_drawn or step[0] >= LINE else -step[0], -step[1])

    def both_ways(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """The steps, and after them the steps back that are not among them."""
        return tuple(dict.fromkeys([*steps, *map(self.opposite, steps)]))

    @cached_property
    def axes(self) -> tuple[Step, ...]:
        """One step for each direction in which lines run."""
        if self.is_drawn:
            return tuple((k, 1) for k in range(len(self.paths)))
        if self.hexagonal:
            return ((1, 0), (0, 1), (-1, 1))
        flat = ((1, 0), (0, 1), (1, 1), (-1, 1))
        within = ((0, 0), *COMPASS.values()) if self.layers > 1 else ()
        return (*flat, *(self.lifted(step, 1) for step in within))

    @_kept_result
    def runs(self, length: int) -> tuple[tuple[Mask, Mask], ...]:
        """Every line of *length* sites, once, with the sites just beyond its two ends."""
        ends_by_line: dict[Mask, Mask] = {}
        for step in self.axes:
            back = self.targets(self.opposite(step))
            for site in bits(self.sites):
                walk = self.walk(site, step)
                if len(walk) >= length - 1:
                    line = 1 << site | union(walk[: length - 1])
                    beyond = walk[length - 1] if len(walk) >= length else 0
                    ends_by_line.setdefault(line, 0)
                    ends_by_line[line] |= (beyond | back[site]) & ~line
        return tuple(ends_by_line.items())

    @_kept_result
    def lines(self, length: int) -> tuple[Mask, ...]:
        """Every run of *length* sites along a row, a column, a diagonal or a drawn line."""
        return tuple(line for line, _ in self.runs(length))

    def beyond(self, line: Mask) -> Mask:
        """The sites just beyond the ends of *line*; empty when it is no line."""
        length = line.bit_count()
        return self._ends_by_line(length).get(line, 0) if length else 0

    @_kept_result
    def _ends_by_line(self, length: int) -> dict[Mask, Mask]:
        return dict(self.runs(length))

    def leap(self, a: int, b: int) -> tuple[Step, ...]:
        """The steps of a leaper: (a, b) in all its rotations and reflections."""
        images = [(x * s, y * t) for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)]
        return tuple(dict.fromkeys(images))

    def region(self, name: str) -> Mask | None:
        """A region of the whole shape, cut to the sites that are left; None where it has none."""
        whole = self.regions.get(name)
        return None if whole is None else whole & self.sites

    def cut(self, keep: Mask) -> Board:
        """Return the board with only the sites of *keep*."""
        return evolve(self, sites=self.sites & keep)

    def label(self, names: dict[int, str]) -> Board:
        """Return the board with other names for some sites."""
        changed = tuple(names.get(i, old) for i, old in enumerate(self.names))
        return evolve(self, names=changed, labelled=True)

    def direction_name(self, step: Step) -> str:
        """The name of *step* (`north`), or its two numbers with signs where it has none."""
        if step[0] >= LINE:
            line = self.named_lines[step[0] - LINE]
            name = f"{line.name}{line.turn + 1}" if line.turn else line.name
            return name if step[1] > 0 else f"opposite({name})"
        named = {s: n for n, s in self.compass.items()}
        for name, layers in (("up", 1), ("down", -1)) if self.layers > 1 else ():
            named |= {self.lifted(s, layers): name + n for n, s in COMPASS.items()}
        return named.get(step, f"{step[0]:+d}{step[1]:+d}")


def symmetry_map(name: str, board: Board) -> Callable[[int, int], Step]:
    """The function that a symmetry (`mirror`, `half`, ...) is: from column and row to the image's.

    The rows of hexagonal boards lean by half a site each.  Of layers each is turned where it lies.
    """
    turn, lift = _turned(name, board, board.lift - 2), board.lift
    if board.layers == 1:
        return turn

    def in_layer(c: int, r: int) -> Step:
        x, y = turn(c % lift, r)
        return c - c % lift + x, y

    return in_layer


def _turned(name: str, board: Board, wide: int) -> Callable[[int, int], Step]:
    high = board.height - 1
    if name == "diagonal":
        return lambda c, r: (r, c)
    if name == "half":
        return lambda c, r: (wide - c, high - r)
    if name == "quarter":
        return lambda c, r: (high - r, c)
    if board.hexagonal:
        lean = wide + high // 2
        if name == "mirror":
            return lambda c, r: (lean - c - r, r)
        return lambda c, r: (c + r - high // 2, high - r)
    return (lambda c, r: (wide - c, r)) if name == "mirror" else (lambda c, r: (c, high - r))


def sites_of(name: str, board: Board) -> tuple[int, ...] | None:
    """For every site, by number, its image under a symmetry, if all images are on the board.

    Otherwise there is None for the whole; a site that is cut away is its own image.
    """
    place = symmetry_map(name, board)
    by_place = {(board.columns[i], board.rows[i]): i for i in bits(board.sites)}
    images = list(range(len(board.names)))
    for site in bits(board.sites):
        target = by_place.get(place(board.columns[site], board.rows[site]))
        if target is None:
            return None
        images[site] = target
    return tuple(images)
