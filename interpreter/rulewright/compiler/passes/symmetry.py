"""Which ways to turn the board over or round change nothing: proven from the rules, not believed.

In: rules.  Out: for each symmetry, where every site goes.  Each part of the moves and ends is
written out in its normal form for either player; its constants (sets of sites, families, steps) are
turned, and what comes out has to be the same text again, but for the order of `and`, `or` and
unions.  All other operations commute with a symmetry by what they mean.  So no position is looked
at and no claim is asked.  The setup need not be symmetric: a position and its image have the same
value wherever they came from.

Refuses (there is no symmetry) what asks for columns and rows of the picture, for numbers by site,
and links that are added one after the other, where the order counts.  Drawn boards have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, TypeAlias

from attrs import evolve

from rulewright.compiler.layout import StateLayout, Unsupported, set_places
from rulewright.compiler.passes.normalize import Normalizer
from rulewright.compiler.runtime import signed
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step, bits, sites_of, turned
from rulewright.model.expressions import Apply, Const, Expr, Type
from rulewright.model.walk import content, nodes, rebuilt

Sites: TypeAlias = tuple[int, ...]
"""For every site, by number, the one that it goes to."""
NAMES = ("mirror", "flip", "half", "quarter", "diagonal")
_TIED_TO_PLACES = frozenset({"x", "y", "row", "column", "site", "placed", "random"})
"""Operations that a symmetry does not commute with."""
MOST = 1 << 20
"""Words that the tables of all symmetries may have together."""
_UNORDERED = frozenset({"unite", "intersect", "join_steps", "family", "add", "multiply", "equal"})
"""Operations whose arguments may change places."""


@record
class BoardTurn(Record):
    """A way to turn a board: where sites go, and where a step to the right and one down go."""

    sites: Sites
    right: Step
    down: Step

    def mask(self, sites: int) -> int:
        """A set of sites, turned."""
        return sum(1 << self.sites[i] for i in bits(sites))

    def step(self, step: Step) -> Step:
        """A step, turned."""
        (a, b), (c, d) = self.right, self.down
        return step[0] * a + step[1] * c, step[0] * b + step[1] * d

    def constant(self, e: Const) -> Const:
        """A constant, turned; sets stand in one order."""
        match e.type:
            case Type.SITE | Type.SITES if isinstance(e.value, int):
                return evolve(e, value=self.mask(e.value))
            case Type.FAMILY:
                return evolve(e, value=tuple(sorted(map(self.mask, e.numbers or ()))))
            case Type.STEP | Type.STEPS:
                return evolve(e, value=tuple(sorted(map(self.step, e.steps))))
        return e

    def of(self, part: Any) -> Any:
        """An expression with its constants turned, written in one order."""
        if isinstance(part, Const):
            return self.constant(part)
        inner = rebuilt(part, self.of)
        if isinstance(inner, m.Logic):
            return evolve(inner, items=_ordered(inner.items))
        if isinstance(inner, Apply) and inner.operation in _UNORDERED:
            return evolve(inner, arguments=_ordered(inner.arguments))
        return inner


def _ordered(items: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(sorted(items, key=lambda e: repr(content(e, lambda number: number))))


def symmetries(rules: r.Rules) -> list[Sites]:
    """Every symmetry that is proven, but for the one that leaves all sites where they are."""
    if rules.board.is_drawn or any(isinstance(n, r.LinkEach) for n in nodes(_bodies(rules))):
        return []
    try:
        parts = [part for mover in (0, 1) for part in _written_out(rules, mover)]
    except Unsupported:
        return []
    if any(isinstance(n, Apply) and n.operation in _TIED_TO_PLACES for n in nodes(parts)):
        return []
    found = [turn.sites for turn in _turns(rules.board) if _unchanged(rules, parts, turn)]
    return _closed(found, len(rules.board.names))


def _bodies(rules: r.Rules) -> list[r.Effect]:
    """The statements of all moves and actions, but for those that only write."""
    bodies = [one.body for one in rules.moves] + [one.body for one in rules.actions]
    return [s for body in bodies for s in body if not isinstance(s, r.Write)]


def _written_out(rules: r.Rules, mover: int) -> Iterator[object]:
    """All that says what may be played and how a game ends, in the normal form for a player."""
    normal = Normalizer(rules, mover, mover)
    for statement in _bodies(rules):
        yield rebuilt(statement, normal)
    for end in rules.ends:
        yield rebuilt(end, normal)


def _turns(board: Board) -> Iterator[BoardTurn]:
    """The ways to turn a board that leave all its sites on it."""
    for name in NAMES:
        sites = sites_of(name, board)
        if sites is not None:
            yield _turn(board, sites, name)


def _turn(board: Board, sites: Sites, name: str) -> BoardTurn:
    """What a way to turn sites does to steps, read off how a place of the picture is turned."""
    place = turned(name, board)
    (x, y), (a, b), (c, d) = place(0, 0), place(1, 0), place(0, 1)
    return BoardTurn(sites, (a - x, b - y), (c - x, d - y))


def _unchanged(rules: r.Rules, parts: Iterable[object], turn: BoardTurn) -> bool:
    """Whether all parts are the same when the board is turned, and its steps and links too."""
    for kind in rules.links:
        if {turn.step(s) for s in kind.steps} != set(kind.steps):
            return False
    still = BoardTurn(tuple(range(len(turn.sites))), (1, 0), (0, 1))
    return all(_same(turn.of(part), still.of(part)) for part in parts)


def _same(one: object, other: object) -> bool:
    return bool(content(one, lambda n: n) == content(other, lambda n: n))


def _closed(found: list[Sites], size: int) -> list[Sites]:
    """These, one after the other in every way, but for what leaves all sites where they are."""
    still = tuple(range(size))
    known, before = {still, *found}, 0
    while len(known) > before:
        before = len(known)
        known |= {tuple(b[i] for i in a) for a, b in product(known, known)}
    return sorted(known - {still})


# --- tables, by which kernels turn positions ---


def tables(layout: StateLayout, found: Iterable[Sites]) -> list[int]:
    """Words by which the kernel `turn_over` turns positions, a byte of a set after the other.

    First the number of symmetries, then for each of them where its blocks begin and how many there
    are.  A block is a set of bits in the position: its first word, its words, its bytes, and where
    the images of its bytes stand: for each byte 256 sets.  Empty where that would be too much.
    """
    found = list(found)
    images = [_blocks(layout, sites) for sites in found]
    words = [len(found)]
    place = 1 + 2 * len(found)
    for blocks in images:
        words += [place, len(blocks)]
        place += 4 * len(blocks)
    kept: dict[tuple[Sites, int], int] = {}
    rest: list[int] = []
    for blocks in images:
        for first, count, to in blocks:
            if (to, count) not in kept:
                kept[to, count] = place + len(rest)
                if place + len(rest) + 256 * count * _bytes(to) > MOST:
                    return [0]
                rest += _images(to, count)
            words += [first, count, _bytes(to), kept[to, count]]
    return words + rest


def _blocks(layout: StateLayout, sites: Sites) -> list[tuple[int, int, Sites]]:
    """The sets of a position: first word, words, and where each bit goes."""
    found = [(first, layout.words, sites) for first in set_places(layout)]
    if layout.link_table is not None and layout.link_words:
        table = layout.link_table
        ends = [sorted((sites[a], sites[b])) for a, b in table.ends]
        links = tuple(table.number[a, b] for a, b in ends)
        found.append((layout.links, layout.link_words, links))
    return found


def _bytes(to: Sites) -> int:
    return (len(to) + 7) // 8


def _images(to: Sites, words: int) -> list[int]:
    """For every byte and each of its values the set that it becomes, in so many words."""
    found: list[int] = []
    for byte in range(_bytes(to)):
        for value in range(256):
            places = [8 * byte + i for i in bits(value)]
            mask = sum(1 << to[i] for i in places if i < len(to))
            found += [signed(mask >> 64 * w & 2**64 - 1) for w in range(words)]
    return found
