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
from rulewright.model.board import Board, Step, bits, sites_of, symmetry_map
from rulewright.model.expressions import Apply, Const, Expr, Type
from rulewright.model.walk import content, nodes, rebuilt

Sites: TypeAlias = tuple[int, ...]
"""The target of every site, by number."""
NAMES = ("mirror", "flip", "half", "quarter", "diagonal")
_TIED_TO_PLACES = frozenset({"x", "y", "row", "column", "site", "random"})
"""Operations that a symmetry does not commute with."""
MOST = 1 << 20
"""Words that the tables of all symmetries may have together."""
_UNORDERED = frozenset({"unite", "intersect", "join_steps", "family", "add", "multiply", "equal"})
"""Operations whose arguments may change places."""


@record
class BoardTurn(Record):
    """A turn of a board: the targets of sites, of a step to the right, and of one down."""

    sites: Sites
    right: Step
    down: Step

    def mask(self, sites: int) -> int:
        """Turn a set of sites."""
        return sum(1 << self.sites[i] for i in bits(sites))

    def step(self, step: Step) -> Step:
        """Turn a step."""
        (a, b), (c, d) = self.right, self.down
        return step[0] * a + step[1] * c, step[0] * b + step[1] * d

    def constant(self, e: Const) -> Const:
        """Turn a constant; families and steps are sorted."""
        match e.type:
            case Type.SITE | Type.SITES if isinstance(e.value, int):
                return evolve(e, value=self.mask(e.value))
            case Type.FAMILY:
                return evolve(e, value=tuple(sorted(map(self.mask, e.numbers or ()))))
            case Type.STEP | Type.STEPS:
                return evolve(e, value=tuple(sorted(map(self.step, e.steps))))
        return e

    def table(self, e: Expr) -> Expr:
        """Turn a table of sets or numbers by site."""
        if not isinstance(e, Const) or e.numbers is None:
            return e
        turn = self.mask if e.type is Type.FAMILY else int
        values = dict(zip(self.sites, map(turn, e.numbers), strict=True))
        return evolve(e, value=tuple(values[site] for site in range(len(values))))

    def of(self, part: Any) -> Any:
        """Turn the constants of an expression; operands without an order are sorted."""
        if isinstance(part, Const):
            return self.constant(part)
        if isinstance(part, Apply) and part.operation in ("image", "placed"):
            table, site = part.arguments
            return evolve(part, arguments=(self.table(table), self.of(site)))
        if isinstance(part, Apply) and part.operation == "step_item":
            steps, index = part.arguments
            if isinstance(steps, Const):  # their order matters, so they are not sorted
                steps = evolve(steps, value=tuple(map(self.step, steps.steps)))
            return evolve(part, arguments=(steps, self.of(index)))
        inner = rebuilt(part, self.of)
        if isinstance(inner, m.Logic):
            return evolve(inner, items=_ordered(inner.items))
        if isinstance(inner, Apply) and inner.operation in _UNORDERED:
            return evolve(inner, arguments=_ordered(inner.arguments))
        return inner


def _ordered(items: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(sorted(items, key=lambda e: repr(content(e, lambda number: number))))


def symmetries(rules: r.Rules) -> list[Sites]:
    """Return every symmetry that is proven, without the identity."""
    if rules.board.stacked or rules.board.layers > 1:
        return []
    if any(index.type is Type.SITE for state in rules.states for index in state.indices):
        return []
    if rules.board.is_irregular or any(isinstance(n, r.LinkEach) for n in nodes(_bodies(rules))):
        return []
    try:
        parts = [part for mover in rules.views for part in _normal_parts(rules, mover)]
    except Unsupported:
        return []
    if any(isinstance(n, Apply) and n.operation in _TIED_TO_PLACES for n in nodes(parts)):
        return []
    turns = [turn.sites for turn in _turns(rules.board) if _unchanged(rules, parts, turn)]
    return _close(turns, len(rules.board.names))


def _bodies(rules: r.Rules) -> list[r.Effect]:
    """Return the statements of all moves and actions, but for `write`."""
    bodies = [item.body for item in rules.moves] + [item.body for item in rules.actions]
    return [s for body in bodies for s in body if not isinstance(s, r.Write)]


def _normal_parts(rules: r.Rules, mover: int) -> Iterator[object]:
    """Walk all statements and ends, in the normal form for a player."""
    normal = Normalizer(rules, mover, mover)
    for statement in _bodies(rules):
        yield rebuilt(statement, normal)
    for end in rules.ends:
        yield rebuilt(end, normal)


def _turns(board: Board) -> Iterator[BoardTurn]:
    """Walk the turns that keep all sites on the board, and neighbours neighbours.

    Rules look at neighbours without a word of them: `lines(3)` does.  A rhombus of six-sided cells
    has the outline of a square, and is not turned by a quarter.
    """
    near = set(board.steps["near"])
    for name in NAMES:
        sites = sites_of(name, board)
        if sites is not None:
            turn = _turn(board, sites, name)
            if {turn.step(step) for step in near} == near:
                yield turn


def _turn(board: Board, sites: Sites, name: str) -> BoardTurn:
    """Make a turn: what it does to steps follows from how places of the picture are turned."""
    place = symmetry_map(name, board)
    (x, y), (a, b), (c, d) = place(0, 0), place(1, 0), place(0, 1)
    return BoardTurn(sites, (a - x, b - y), (c - x, d - y))


def _unchanged(rules: r.Rules, parts: Iterable[object], turn: BoardTurn) -> bool:
    """Whether a turn leaves all parts as they are, and the steps of links too."""
    for kind in rules.links:
        if {turn.step(s) for s in kind.steps} != set(kind.steps):
            return False
    identity = BoardTurn(tuple(range(len(turn.sites))), (1, 0), (0, 1))
    return all(_is_same(turn.of(part), identity.of(part)) for part in parts)


def _is_same(a: object, b: object) -> bool:
    return bool(content(a, lambda n: n) == content(b, lambda n: n))


def _close(turns: list[Sites], size: int) -> list[Sites]:
    """Return all compositions of turns, without the identity."""
    identity = tuple(range(size))
    closure, count = {identity, *turns}, 0
    while len(closure) > count:
        count = len(closure)
        closure |= {tuple(b[i] for i in a) for a, b in product(closure, closure)}
    return sorted(closure - {identity})


# --- tables, by which kernels turn positions ---


def tables(layout: StateLayout, turns: Iterable[Sites]) -> list[int]:
    """Return the words by which the kernel `turn_over` turns positions, byte by byte of each set.

    First the number of symmetries, then for each of them where its blocks begin and how many there
    are.  A block is a set of bits in the position: its first word, its words, its bytes, and where
    the images of its bytes stand: for each byte 256 sets.  Empty where that would be too much.
    """
    turns = list(turns)
    images = [_blocks(layout, sites) for sites in turns]
    words = [len(turns)]
    place = 1 + 2 * len(turns)
    for blocks in images:
        words += [place, len(blocks)]
        place += 4 * len(blocks)
    offsets: dict[tuple[Sites, int], int] = {}
    image_words: list[int] = []
    for blocks in images:
        for first, count, to in blocks:
            if (to, count) not in offsets:
                offsets[to, count] = place + len(image_words)
                if place + len(image_words) + 256 * count * _bytes(to) > MOST:
                    return [0]
                image_words += _images(to, count)
            words += [first, count, _bytes(to), offsets[to, count]]
    return words + image_words


def _blocks(layout: StateLayout, sites: Sites) -> list[tuple[int, int, Sites]]:
    """List the sets of a position: first word, words, and the target of each bit."""
    blocks = [(first, layout.words, sites) for first in set_places(layout)]
    if layout.link_table is not None and layout.link_words:
        table = layout.link_table
        ends = [sorted((sites[a], sites[b])) for a, b in table.ends]
        links = tuple(table.number[a, b] for a, b in ends)
        blocks.append((layout.links, layout.link_words, links))
    return blocks


def _bytes(to: Sites) -> int:
    return (len(to) + 7) // 8


def _images(to: Sites, words: int) -> list[int]:
    """List for every byte and each of its values its image, a set of *words* words."""
    images: list[int] = []
    for byte in range(_bytes(to)):
        for value in range(256):
            places = [8 * byte + i for i in bits(value)]
            mask = sum(1 << to[i] for i in places if i < len(to))
            images += [signed(mask >> 64 * w & 2**64 - 1) for w in range(words)]
    return images
