"""What many of the games share: names of sites, a rectangular board, runs and groups."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeVar

Point = tuple[int, int]  # column and row, both from 1
Site = TypeVar("Site")

ORTHOGONAL = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))
AROUND = ORTHOGONAL + DIAGONAL
HEXAGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
HALF_AROUND = ((1, 0), (0, 1), (1, 1), (1, -1))  # one of each two opposite directions

EMPTY, OUTSIDE = ".", "#"
SIDES = ("first", "second")  # the colour that moves first, and the other


@cache
def name(point: Point) -> str:
    """Give the text of a site: `c4`; the column after `z` is `aa`."""
    column, row = point
    letters = ""
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{row}"


@cache
def point(text: str) -> Point:
    """Read the text of a site."""
    letters = text.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column, int(text[len(letters) :])


class Board(NamedTuple):
    """A rectangle of one-letter cells, row 1 first."""

    width: int
    height: int
    cells: str

    def at(self, site: Point) -> str:
        x, y = site
        if 1 <= x <= self.width and 1 <= y <= self.height:
            return self.cells[(y - 1) * self.width + x - 1]
        return OUTSIDE

    def having(self, pieces: str) -> list[Point]:
        """List the sites whose piece is one of these letters."""
        found = [i for i, cell in enumerate(self.cells) if cell in pieces]
        return [(i % self.width + 1, i // self.width + 1) for i in found]

    def put(self, piece: str, sites: Iterable[Point]) -> "Board":
        cells = list(self.cells)
        for x, y in sites:
            cells[(y - 1) * self.width + x - 1] = piece
        return self._replace(cells="".join(cells))


def empty_board(width: int, height: int) -> Board:
    return Board(width, height, EMPTY * (width * height))


def runs(board: Board, site: Point) -> list[int]:
    """Measure the four straight runs of equal pieces through a piece."""
    piece = board.at(site)
    return [
        1 + reach(board, piece, site, dx, dy) + reach(board, piece, site, -dx, -dy)
        for dx, dy in HALF_AROUND
    ]


def reach(board: Board, piece: str, site: Point, dx: int, dy: int) -> int:
    """Count such pieces that follow without a gap after the site in one direction."""
    length, (x, y) = 0, site
    while board.at((x + dx, y + dy)) == piece:
        length, x, y = length + 1, x + dx, y + dy
    return length


def connected(start: Site, neighbours: Callable[[Site], Iterable[Site]]) -> set[Site]:
    """Find all that can be reached from the start."""
    seen, waiting = {start}, [start]
    while waiting:
        for site in neighbours(waiting.pop()):
            if site not in seen:
                seen.add(site)
                waiting.append(site)
    return seen


def most(first: int, second: int) -> str:
    """Say who has more."""
    return "draw" if first == second else SIDES[second > first]


class Decided:
    """A position whose `result` says how the game ended, and of which each decision is a turn."""

    result: str

    def winner(self) -> str:
        return self.result

    def over(self) -> bool:
        return bool(self.result)

    def fresh(self) -> bool:
        return True
