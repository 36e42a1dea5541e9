"""Nine of the games in `tests/games/sample` once more, from the same accounts of their rules.

Nothing of the package is used.  `GAMES` gives the first position of each, and the function that
lists what follows: for each decision, or whole turn, how it is told apart and the position behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any

Follow = Callable[[Any], Iterator[tuple[Hashable, Any]]]
Men = frozenset[tuple[Any, Any]]

# --- the bicycle game ---

_ARCS = {
    ((4, 3), (1, 0)): ((3, 4), (0, -1)), ((3, 4), (0, 1)): ((4, 3), (-1, 0)),
    ((4, 2), (1, 0)): ((3, 1), (0, 1)), ((3, 1), (0, -1)): ((4, 2), (-1, 0)),
    ((1, 3), (-1, 0)): ((2, 4), (0, -1)), ((2, 4), (0, 1)): ((1, 3), (1, 0)),
    ((1, 2), (-1, 0)): ((2, 1), (0, 1)), ((2, 1), (0, -1)): ((1, 2), (1, 0)),
}  # fmt: skip
"""Where a man goes on who leaves an inner line at its end."""
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def bicycle(state: tuple[int, Men]) -> Iterator[tuple[Hashable, Any]]:
    """Steps to a free neighbour, and captures round at least one arc."""
    mover, men = state
    board = dict(men)
    if mover not in board.values():
        return
    for a in [p for p, who in men if who == mover]:
        rest = {p: who for p, who in board.items() if p != a}
        for dx, dy in _STEPS:
            b = a[0] + dx, a[1] + dy
            if b not in board and min(b) >= 1 and max(b) <= 4:
                yield (a, b), (1 - mover, frozenset((rest | {b: mover}).items()))
        for b in {_ridden(rest, a, step) for step in _STEPS}:
            if board.get(b) == 1 - mover:
                yield (a, "x", b), (1 - mover, frozenset((rest | {b: mover}).items()))


def _ridden(board: dict[Any, int], p: Any, step: Any) -> Any:
    """The first man that is met round an arc."""
    is_round = False
    for _ in range(30):
        if (p, step) in _ARCS:
            p, step = _ARCS[p, step]
            is_round = True
        else:
            p = p[0] + step[0], p[1] + step[1]
            if not (min(p) >= 1 and max(p) <= 4):
                return None
        if p in board:
            return p if is_round else None
    return None


# --- the star ---

_STAR = ("TUKW", "TVLE", "NUVR", "NKOE", "RLOW")
"""The five lines, by letters of their points."""


def star(state: tuple[int, str]) -> Iterator[tuple[Hashable, Any]]:
    """Nine pegs are placed, then they jump; a position is the number placed and the full points."""
    placed, full = state
    for line in _STAR:
        for i, way in ((i, way) for i in (0, 1) for way in (line, line[::-1])):
            a, over, b = way[i], way[i + 1], way[i + 2]
            if placed < 9 and a not in full and b not in full:
                yield (a, b), (placed + 1, "".join(sorted(full + b)))
            if placed == 9 and a in full and over in full and b not in full:
                yield (a, "x", b), (9, "".join(sorted((set(full) - {a, over}) | {b})))


# --- sowing ---


def congkak(state: tuple[int, tuple[int, ...]]) -> Iterator[tuple[Hashable, Any]]:
    """Whole turns; pits 0 to 6 and store 7 of the first player, then those of the second."""
    mover, first = state
    own, others = 8 * mover, 8 - 8 * mover
    if max(first[7], first[15]) > 49 or first[7] == first[15] == 49:
        return
    for pit in range(own, own + 7):
        seeds, last = list(first), pit
        if not seeds[pit]:
            continue
        while True:
            hand, seeds[last] = seeds[last], 0
            while hand:
                last = (last + 1) % 16
                if last != others + 7:
                    seeds[last] += 1
                    hand -= 1
            if last == own + 7 or seeds[last] == 1:
                break
        across = 14 - last
        if last in range(own, own + 7) and seeds[across]:
            seeds[own + 7] += 1 + seeds[across]
            seeds[last] = seeds[across] = 0
        yield pit, (mover if last == own + 7 else 1 - mover, tuple(seeds))


def hus(state: tuple[int, tuple[int, ...], tuple[int, ...]]) -> Iterator[tuple[Hashable, Any]]:
    """Whole turns; each player's sixteen pits from the outer left one on, round and round."""
    mover, own, enemy = state
    for pit in range(16):
        mine, yours, last, laps = list(own), list(enemy), pit, 0
        if mine[pit] < 2:
            continue
        hand, mine[pit] = mine[pit], 0
        while True:
            for _ in range(hand):
                last = (last + 1) % 16
                mine[last] += 1
            laps += 1
            if mine[last] == 1 or laps == 100:
                break
            # the pits of the inner row are 8 to 15; the enemy's across run the other way
            inner = 23 - last
            if last >= 8 and yours[inner]:
                hand = yours[inner] + yours[15 - inner]
                yours[inner] = yours[15 - inner] = 0
            else:
                hand, mine[last] = mine[last], 0
        yield pit, (1 - mover, tuple(yours), tuple(mine))


def toguz(state: Any) -> Iterator[tuple[Hashable, Any]]:
    """Nine pits each, from the mover's first on; stores and tuzdiks of both."""
    first, stores, marks = state
    if max(stores) > 81:
        return
    for pit in range(9):
        if not first[pit]:
            continue
        seeds, kept, made = list(first), list(stores), list(marks)
        hand = seeds[pit]
        seeds[pit] = int(hand > 1)
        last = pit
        for _ in range(max(1, hand - 1)):
            last = (last + 1) % 18
            seeds[last] += 1
        if last >= 9 and last not in marks:
            is_free = marks[0] is None and last != 17 and marks[1] != last - 9
            if seeds[last] == 3 and is_free:
                made[0] = last
            elif seeds[last] % 2 == 0:
                kept[0] += seeds[last]
                seeds[last] = 0
        for player, mark in enumerate(made):
            if mark is not None:
                kept[player] += seeds[mark]
                seeds[mark] = 0
        turned = [None if mark is None else (mark + 9) % 18 for mark in reversed(made)]
        yield pit, ((*seeds[9:], *seeds[:9]), tuple(reversed(kept)), tuple(turned))


# --- piles ---


def focus(state: Any) -> Iterator[tuple[Hashable, Any]]:
    """The mover, his hand and the other's, and the piles from the bottom up, men by player."""
    mover, hands, piles = state
    board = dict(piles)
    cells = [(x, y) for x in range(8) for y in range(8) if min(x, 7 - x) + min(y, 7 - y) > 1]
    ways = [(a, n, step) for a in cells for n in range(1, 6) for step in _STEPS]
    for a, n, (dx, dy) in ways:
        b = a[0] + n * dx, a[1] + n * dy
        pile = board.get(a, "")
        if b in cells and len(pile) >= n and pile[-1] == str(mover):
            moved = {**board, a: pile[:-n], b: board.get(b, "") + pile[-n:]}
            yield (a, b), _cut(moved, b, mover, hands)
    for b in cells if hands[0] else ():
        full = {**board, b: board.get(b, "") + str(mover)}
        yield b, _cut(full, b, mover, (hands[0] - 1, hands[1]))


def _cut(board: dict[Any, str], b: Any, mover: int, hands: tuple[int, int]) -> Any:
    """Take what is too high off a pile; the next player's hand comes first."""
    over, board[b] = board[b][:-5], board[b][-5:]
    kept = hands[0] + over.count(str(mover))
    return 1 - mover, (hands[1], kept), frozenset((c, pile) for c, pile in board.items() if pile)


def _pairs() -> Any:
    """Pairs of one colour, six in a row."""
    inner = [(x, y) for x in range(1, 7) for y in range(1, 7)]
    return frozenset(((x, y), str(((x + 1) // 2 + y + 1) % 2)) for x, y in inner)


# --- puzzles ---

_LESS = (("a1", "b1"), ("b1", "c1"), ("d2", "e2"), ("b5", "a5"), ("d5", "c5"), ("e5", "d5"))
_GIVEN = {"e2": 4, "c3": 4, "a4": 4, "e4": 2}


def futoshiki(known: frozenset[tuple[str, int]]) -> Iterator[tuple[Hashable, Any]]:
    """The next empty cell is filled, row by row, with what contradicts nothing."""
    cells = {**_GIVEN, **dict(known)}
    cell = next((x + y for y in "12345" for x in "abcde" if x + y not in cells), None)
    if cell is None:
        return
    for n in range(1, 6):
        tried = cells | {cell: n}
        alike = [c for c in cells if cells[c] == n and (c[0] == cell[0]) != (c[1] == cell[1])]
        if not alike and all(tried.get(p, 0) < tried.get(q, 9) for p, q in _LESS):
            yield n, frozenset(tried.items())


_ROWS = (
    " 0 3 3 3 0", "   6  6   ", " 456   75 ", "5 6 89 85 ", "4 3  88  1",
    "2   3 5   ", "0  0    21", "     0 2  ", " 0  0    4", "      1 44",
)  # fmt: skip
"""The numbers of the picture, from the lowest row on."""
_CLUES = {(x, y): int(c) for y, row in enumerate(_ROWS) for x, c in enumerate(row) if c != " "}


def picture(cells: tuple[bool, ...]) -> Iterator[tuple[Hashable, Any]]:
    """The next cell is coloured or not."""
    for colour in (True, False) if len(cells) < 100 else ():
        tried = (*cells, colour)
        if all(_fits(tried, x, y) for x, y in _CLUES):
            yield colour, tried


def _fits(cells: tuple[bool, ...], x: int, y: int) -> bool:
    around = [10 * v + u for v in range(y - 1, y + 2) for u in range(x - 1, x + 2)
              if 0 <= u < 10 and 0 <= v < 10]  # fmt: skip
    coloured = sum(cells[i] for i in around if i < len(cells))
    return coloured <= _CLUES[x, y] <= coloured + sum(i >= len(cells) for i in around)


def _corners() -> Men:
    white = [(1, 3), (2, 3), (1, 4), (2, 4)]
    black = [(3, 1), (4, 1), (3, 2), (4, 2)]
    return frozenset((dict.fromkeys(white, 0) | dict.fromkeys(black, 1)).items())


_HUS = (2,) * 8 + (2, 2, 2, 2, 0, 0, 0, 0)


def sliding(tiles: str) -> Iterator[tuple[Hashable, Any]]:
    """A tile beside the gap slides into it; rows from the lowest one on."""
    gap = tiles.index(" ")
    for x, y in ((gap % 3 + dx, gap // 3 + dy) for dx, dy in _STEPS):
        if tiles != ORDERED and 0 <= x < 3 and 0 <= y < 3:
            tile = tiles[3 * y + x]
            yield tile, tiles.translate({ord(" "): tile, ord(tile): " "})


ORDERED = "78 456123"

GAMES: dict[str, tuple[Any, Follow]] = {
    "congkak": ((0, ((7,) * 7 + (0,)) * 2), congkak),
    "fill_a_pix": ((), picture),
    "focus": ((0, (0, 0), _pairs()), focus),
    "futoshiki": (frozenset(), futoshiki),
    "hus": ((0, _HUS, _HUS), hus),
    "ja_jeon_geo_gonu": ((0, _corners()), bicycle),
    "lam_turki": ((0, ""), star),
    "sliding": ("3 1254867", sliding),
    "toguz_kumalak": (((9,) * 18, (0, 0), (None, None)), toguz),
}


def counts(name: str, depth: int) -> list[int]:
    """Counts the sequences of one, two, ... decisions (whole turns in games of sowing laps)."""
    first, follow = GAMES[name]
    layer, found = Counter({first: 1}), list[int]()
    for _ in range(depth):
        later: Counter[Any] = Counter()
        for state, times in layer.items():
            for _, after in dict(follow(state)).items():
                later[after] += times
        layer = later
        found.append(layer.total())
    return found
