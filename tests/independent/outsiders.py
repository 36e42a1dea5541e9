"""Twelve games that are not bundled, once more: what follows each decision, as dictionaries.

Nothing of the package is used.  A position is (mover, pieces, more): whose turn it is (0 or 1), who
stands where, and what else the game remembers.  `GAMES` gives the first position and the function
that says what follows it: all positions after one decision, each once; none when the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .common import AROUND, DIAGONAL, ORTHOGONAL, Point

Pieces = frozenset[tuple[Any, Any]]
State = tuple[int, Pieces, Any]
Follow = Callable[[State], Iterator[State]]


def after(mover: int, board: Mapping[Any, Any], more: Any = None) -> State:
    """The position in which the other player moves."""
    return 1 - mover, frozenset(board.items()), more


def near(p: Point, steps: tuple[Point, ...]) -> Iterator[Point]:
    """The places one step away."""
    return ((p[0] + dx, p[1] + dy) for dx, dy in steps)


def square(width: int, height: int) -> list[Point]:
    """All places of a board."""
    return [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]


def slides(board: Mapping[Point, Any], p: Point, size: int) -> Iterator[Point]:
    """Where a rook may go without capturing."""
    for dx, dy in ORTHOGONAL:
        x, y = p[0] + dx, p[1] + dy
        while 1 <= x <= size and 1 <= y <= size and (x, y) not in board:
            yield x, y
            x, y = x + dx, y + dy


# --- games of placing ---


def domineering(state: State) -> Iterator[State]:
    """Dominoes upright for the first player, flat for the second."""
    mover, pieces, size = state
    board = dict(pieces)
    dx, dy = ((0, 1), (1, 0))[mover]
    for x, y in square(size, size):
        other = (x + dx, y + dy)
        if max(other) <= size and (x, y) not in board and other not in board:
            yield after(mover, {**board, (x, y): mover, other: mover}, size)


def _teeko_won(own: set[Point]) -> bool:
    rows = [[(x + i * dx, y + i * dy) for i in range(4)] for x, y in own for dx, dy in AROUND]
    blocks = [[(x + i, y + j) for i in (0, 1) for j in (0, 1)] for x, y in own]
    return any(own.issuperset(line) for line in rows + blocks)


def teeko(state: State) -> Iterator[State]:
    """Four markers each, then steps; a row or a square of four wins."""
    mover, pieces, _ = state
    board = dict(pieces)
    mine = [p for p, who in pieces if who == mover]
    if _teeko_won({p for p, who in pieces if who != mover}):
        return
    places = square(5, 5)
    if len(mine) < 4:
        for p in places:
            if p not in board:
                yield after(mover, {**board, p: mover})
        return
    for p in mine:
        rest = {q: who for q, who in board.items() if q != p}
        for q in near(p, AROUND):
            if q in places and q not in board:
                yield after(mover, {**rest, q: mover})


_LINES = ("a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1")


def picaria(state: State) -> Iterator[State]:
    """Three men each on nine points, the first not in the middle."""
    mover, pieces, _ = state
    board = dict(pieces)
    lines = [{line[i : i + 2] for i in (0, 2, 4)} for line in _LINES]
    if any(all(board.get(p) == 1 - mover for p in line) for line in lines):
        return
    mine = [p for p, who in pieces if who == mover]
    points = [a + b for a in "abc" for b in "123"]
    if len(mine) < 3:
        for p in points:
            if p not in board and (board or p != "b2"):
                yield after(mover, {**board, p: mover})
        return
    for p in mine:
        rest = {q: who for q, who in board.items() if q != p}
        for line in _LINES:
            names = [line[i : i + 2] for i in (0, 2, 4)]
            if p in names:
                i = names.index(p)
                for q in names[max(i - 1, 0) : i + 2]:
                    if q not in board:
                        yield after(mover, {**rest, q: mover})


# --- games of moving ---


def clobber(state: State) -> Iterator[State]:
    """A stone takes one beside it."""
    mover, pieces, _ = state
    board = dict(pieces)
    for p in [p for p, who in pieces if who == mover]:
        for q in near(p, ORTHOGONAL):
            if board.get(q) == 1 - mover:
                yield after(mover, {k: v for k, v in board.items() if k != p} | {q: mover})


def hexapawn(state: State) -> Iterator[State]:
    """Pawns on three by three."""
    mover, pieces, _ = state
    board, ahead = dict(pieces), 1 - 2 * mover
    if any(who != mover and p[1] == (3 if who == 0 else 1) for p, who in pieces):
        return
    for p in [p for p, who in pieces if who == mover]:
        for dx in (-1, 0, 1):
            q = p[0] + dx, p[1] + ahead
            wanted = (1 - mover) if dx else None
            if 1 <= q[0] <= 3 and 1 <= q[1] <= 3 and board.get(q) == wanted:
                yield after(mover, {k: v for k, v in board.items() if k != p} | {q: mover})


def wolf_and_sheep(state: State) -> Iterator[State]:
    """A wolf against four sheep on the dark squares."""
    mover, pieces, _ = state
    board = dict(pieces)
    if any(who == 0 and p[1] == 1 for p, who in pieces):
        return
    for p in [p for p, who in pieces if who == mover]:
        for q in near(p, DIAGONAL if mover == 0 else ((1, 1), (-1, 1))):
            if q in square(8, 8) and q not in board:
                yield after(mover, {k: v for k, v in board.items() if k != p} | {q: mover})


def mu_torere(state: State) -> Iterator[State]:
    """Eight points around the middle, which is 8."""
    mover, pieces, ply = state
    board = dict(pieces)
    if ply == 60:
        return
    (free,) = set(range(9)) - set(board)
    for p in [p for p, who in pieces if who == mover]:
        beside = {(p - 1) % 8, (p + 1) % 8}
        to_middle = free == 8 and any(board.get(q) == 1 - mover for q in beside)
        if to_middle or (free != 8 and (p == 8 or free in beside)):
            rest = {k: v for k, v in board.items() if k != p}
            yield after(mover, {**rest, free: mover}, ply + 1)


def isolation(state: State) -> Iterator[State]:
    """A step, then a square is taken away."""
    mover, pieces, dropping = state
    board, places = dict(pieces), square(6, 8)
    if dropping:
        for p in places:
            if p not in board:
                yield after(mover, {**board, p: "hole"}, False)
        return
    (here,) = [p for p, who in pieces if who == mover]
    rest = {k: v for k, v in board.items() if k != here}
    for p in near(here, AROUND):
        if p in places and p not in board:
            yield mover, frozenset({**rest, p: mover}.items()), True


def slimetrail(state: State) -> Iterator[State]:
    """One snail, which leaves slime; a corner for each player."""
    mover, pieces, size = state
    board = dict(pieces)
    (here,) = [p for p, what in pieces if what == "snail"]
    if here in ((1, 1), (size, size)):
        return
    for p in near(here, AROUND):
        if p in square(size, size) and p not in board:
            yield after(mover, {**board, here: "slime", p: "snail"}, size)


# --- games of capturing ---


def ataxx(state: State) -> Iterator[State]:
    """Growing and jumping; enemies beside change sides.  No game is over within four plies."""
    mover, pieces, _ = state
    board, places = dict(pieces), square(7, 7)
    near_own = [p for p, who in pieces if who == mover]
    for p in places:
        if p in board:
            continue
        turned = {q: mover for q in near(p, AROUND) if board.get(q) == 1 - mover}
        far = [max(abs(p[0] - q[0]), abs(p[1] - q[1])) for q in near_own]
        if 1 in far:
            yield after(mover, {**board, **turned, p: mover})
        for q, distance in zip(near_own, far, strict=True):
            if distance == 2:
                rest = {k: v for k, v in board.items() if k != q}
                yield after(mover, {**rest, **turned, p: mover})


def _held(board: Mapping[Point, int], p: Point, mover: int) -> set[Point]:
    found = set[Point]()
    for dx, dy in ORTHOGONAL:
        line, q = [], (p[0] + dx, p[1] + dy)
        while board.get(q) == 1 - mover:
            line.append(q)
            q = q[0] + dx, q[1] + dy
        found |= set(line) if board.get(q) == mover else set()
    for c in ((1, 1), (1, 9), (9, 1), (9, 9)):
        sides = [q for q in near(c, ORTHOGONAL) if q in square(9, 9)]
        if board.get(c) == 1 - mover and p in sides and all(board.get(q) == mover for q in sides):
            found.add(c)
    return found


def hasami(state: State) -> Iterator[State]:
    """Rooks that take between two."""
    mover, pieces, _ = state
    board = dict(pieces)
    if sum(who == mover for _, who in pieces) < 2:
        return
    for p in [p for p, who in pieces if who == mover]:
        for q in slides(board, p, 9):
            moved = {k: v for k, v in board.items() if k != p} | {q: mover}
            taken = _held(moved, q, mover)
            yield after(mover, {k: v for k, v in moved.items() if k not in taken})


def _first(first: list[Any], second: list[Any], more: Any = None) -> State:
    board = dict.fromkeys(first, 0) | dict.fromkeys(second, 1)
    return 0, frozenset(board.items()), more


def _light() -> tuple[list[Point], list[Point]]:
    places = square(5, 6)
    return [p for p in places if sum(p) % 2 == 0], [p for p in places if sum(p) % 2]


GAMES: dict[str, tuple[State, Follow]] = {
    "ataxx": (_first([(1, 7), (7, 1)], [(1, 1), (7, 7)]), ataxx),
    "clobber": (_first(*_light()), clobber),
    "domineering": (_first([], [], 6), domineering),
    "hasami": (_first([(x, 1) for x in range(1, 10)], [(x, 9) for x in range(1, 10)]), hasami),
    "hexapawn": (_first([(1, 1), (2, 1), (3, 1)], [(1, 3), (2, 3), (3, 3)]), hexapawn),
    "isolation": (_first([(3, 1)], [(4, 8)], more=False), isolation),
    "mu_torere": (_first([0, 1, 2, 3], [4, 5, 6, 7], 0), mu_torere),
    "picaria": (_first([], []), picaria),
    "slimetrail": ((0, frozenset({((5, 5), "snail")}), 6), slimetrail),
    "teeko": (_first([], []), teeko),
    "wolf_and_sheep": (_first([(4, 8)], [(1, 1), (3, 1), (5, 1), (7, 1)]), wolf_and_sheep),
}


BUNDLED: dict[str, tuple[State, Follow]] = {
    "domineering": (_first([], [], 8), domineering),
    "mutorere": GAMES["mu_torere"],
    "slimetrail": ((0, frozenset({((5, 5), "snail")}), 7), slimetrail),
    "wolfandsheep": GAMES["wolf_and_sheep"],
    **{name: GAMES[name] for name in ("ataxx", "clobber", "hasami", "hexapawn", "isolation")},
    **{name: GAMES[name] for name in ("picaria", "teeko")},
}
"""Those that are bundled as well, in the sizes that they have there."""


def perft(name: str, depth: int) -> int:
    """Sequences of so many decisions of a game that is not bundled."""
    return count(*GAMES[name], depth)


def count(first: State, follow: Follow, depth: int) -> int:
    """Sequences of so many decisions."""
    layer = {first: 1}
    for _ in range(depth - 1):
        later: dict[State, int] = {}
        for state, times in layer.items():
            for one in set(follow(state)):
                later[one] = later.get(one, 0) + times
        layer = later
    return sum(times * len(set(follow(state))) for state, times in layer.items())
