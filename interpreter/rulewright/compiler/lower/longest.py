"""Longest ways through a part of a turn, found by trying every way on.

In: a state layout.  Out: for every longest part a kernel for each player, `longest_K_P`, which
writes the rows that longest ways begin with; and the search that they share.  A way is followed on
the position itself, which is kept in scratch words meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.compiler.faults import TOO_MANY
from rulewright.compiler.ir.nodes import Expr, Function, Local
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import GAME, STATE, Writer, at, by_mover, signature
from rulewright.compiler.passes.offers import Instead, Option, Within, options
from rulewright.ground import limits
from rulewright.model.rules import Rules
from rulewright.reference.courses import ceiling_of, ends_by_itself

_N = Local("n", INT)
_DEAD = -(2**62)
"""The length of ways that cannot be finished."""
WriteOptions = Callable[[Writer, int, Sequence[Option]], None]


def longest_parts(layout: StateLayout) -> tuple[Within, ...]:
    """List the longest parts that some position of a turn begins with."""
    parts = {p.course: p for c in layout.courses for p in _parts(options(c))}
    return tuple(parts.values())


def _parts(offers: Sequence[Option]) -> Iterator[Within]:
    for option in offers:
        if isinstance(option, Within):
            yield option
        if isinstance(option, Instead):
            yield from _parts((*option.first, *option.second))


def kernel_of(part: Within, layout: StateLayout, player: int) -> str:
    """Return the name of the kernel that lists a longest part."""
    place = [p.course for p in longest_parts(layout)].index(part.course)
    return f"longest_{place}_{player}"


def ways_of(part: Within, layout: StateLayout, player: int) -> str:
    """Return the name of the kernel that lists what may begin a longest way, or a shorter one."""
    return kernel_of(part, layout, player).replace("longest", "ways")


def has_ceiling(part: Within, rules: Rules) -> bool:
    """Whether it is known what no way through a longest part exceeds."""
    return ceiling_of(part.part, rules) is not None


def reaches_ceiling(w: Writer, part: Within, row: Expr) -> Expr:
    """Write whether a way that begins with a row is as long as any way can be."""
    layout = w.layout
    number = [p.course for p in longest_parts(layout)].index(part.course)
    rest, counts = layout.courses.get(part.tail, -1), int(part.part.by is None)
    w.set(at("g.scratch", layout.search + 2), 0)
    length = w.call("way_length", GAME, row * layout.row, _N, rest, number, counts)
    return w.let(length, "r").eq(ceiling_of(part.part, layout.rules) or 0)


def longest_kernels(layout: StateLayout, write: WriteOptions) -> list[Function]:
    """Write the kernels of all longest parts; *write* writes rows for options."""
    parts = longest_parts(layout)
    if not parts:
        return []
    kernels = []
    for player in layout.rules.views:
        kernels += [_listing(layout, part, player, write) for part in parts]
        kernels += [_ways(layout, part, player, write) for part in parts]
        kernels += [_onward(layout, parts, player), _part_length(layout, parts, player)]
    takes = signature("n", "part")
    return [
        *kernels,
        by_mover(layout, "onward", signature("n")),
        by_mover(layout, "part_length", takes),
    ]


def _listing(layout: StateLayout, part: Within, player: int, write: WriteOptions) -> Function:
    w, reached = Writer(layout=layout), at("g.scratch", layout.search)
    number = [p.course for p in longest_parts(layout)].index(part.course)
    first = w.var(_N, "n")
    looking = _compare_all_ways(w)
    write(w, player, part.offers)
    with w.when(_N.eq(first)):
        worth: Expr | int = _DEAD
        if ends_by_itself(part.part.item):
            worth = w.call(f"part_length_{player}", GAME, _N, number)
        w.set(reached, worth)
        _look_on(w, looking)
        w.give(_N)
    counts = int(part.part.by is None)
    rest = layout.courses.get(part.tail, -1)
    ceiling = ceiling_of(part.part, layout.rules)
    most = -_DEAD if ceiling is None else ceiling
    w.set(_N, w.call("keep_longest", GAME, first, _N, rest, number, counts, most))
    _look_on(w, looking)
    return w.function(f"longest_{number}_{player}", signature("n"), _N)


def _looking(layout: StateLayout) -> Expr:
    """The word that says whether one decision is enough to know (lower/turn_finishing.py)."""
    return at("g.scratch", layout.search + search_words(layout))


def _compare_all_ways(w: Writer) -> Local | None:
    """Write that one way on is not enough to know, since all are compared; what it was before."""
    if w.layout.rules.closing is None:
        return None
    before = w.var(_looking(w.layout), "looking")
    w.set(_looking(w.layout), 0)
    return before


def _look_on(w: Writer, before: Local | None) -> None:
    """Write that as many ways as before are enough."""
    if before is not None:
        w.set(_looking(w.layout), before)


def _ways(layout: StateLayout, part: Within, player: int, write: WriteOptions) -> Function:
    """Write the rows that ways begin with, of any length; only of parts that have a ceiling."""
    w = Writer(layout=layout)
    if ceiling_of(part.part, layout.rules) is not None:
        write(w, player, part.offers)
    return w.function(ways_of(part, layout, player), signature("n"), _N)


def _onward(layout: StateLayout, parts: Sequence[Within], player: int) -> Function:
    """Write `onward`: the length of the best way on through what is left of a part."""
    w = Writer(layout=layout)
    for number, part in enumerate(parts):
        with w.when(STATE.rest.eq(layout.courses.get(part.course, -1))):
            w.let(w.call(f"longest_{number}_{player}", GAME, _N), "n")
            w.give(at("g.scratch", layout.search))
    return w.function(f"onward_{player}", signature("n"), _DEAD)


def _part_length(layout: StateLayout, parts: Sequence[Within], player: int) -> Function:
    """Write `part_length`: what a way through a part comes to that ends in this position."""
    w = Writer(layout=layout)
    values = Values(GENERAL, layout, w, player, player)
    for number, part in enumerate(parts):
        if part.part.by is not None:
            values.frame = {}
            with w.when(Local("part", INT).eq(number)):
                w.give(values.number(part.part.by))
    return w.function(f"part_length_{player}", signature("n", "part"), 0)


def longest_text(layout: StateLayout) -> str:
    """The search that all longest parts of a game share."""
    if not longest_parts(layout):
        return ""
    keeps = "    push(g)\n" * layout.rules.looks_back
    return _SEARCH.format(
        reached=layout.search, depth=layout.search + 1, tried=layout.search + 2,
        stack=layout.search + 3, dead=_DEAD, deepest=limits.WAY, most=limits.BRANCHES, keeps=keeps,
        turn=layout.rules.turn, fault=TOO_MANY,
    )  # fmt: skip


def search_words(layout: StateLayout) -> int:
    """Count the scratch words that the search takes."""
    return 3 + limits.WAY * layout.size if longest_parts(layout) else 0


_SEARCH = """def keep_longest(
    g: GameArrays, first: i64, n: i64, rest: i64, part: i64, counts: i64, ceiling: i64
) -> i64:
    listed = g.scratch.listed
    dropped = g.scratch.dropped
    may_end = g.scratch.may_end
    if g.scratch[{depth}] == 0:
        g.scratch[{tried}] = 0
    best = {dead}
    free_row = first
    for i in range(first, n):
        if best == ceiling and g.scratch[{depth}] != 0:
            break
        length = way_length(g, i * ROW, n, rest, part, counts)
        if length > best:
            best = length
            free_row = first
        if length == best and length != {dead}:
            for k in range(ROW):
                g.rows[free_row * ROW + k] = g.rows[i * ROW + k]
            free_row = free_row + 1
    g.scratch.listed = listed
    g.scratch.dropped = dropped
    g.scratch.may_end = may_end
    g.scratch[{reached}] = best
    return free_row


def way_length(
    g: GameArrays, row: i64, top: i64, rest: i64, part: i64, counts: i64
) -> i64:
    depth = g.scratch[{depth}]
    g.scratch[{tried}] = g.scratch[{tried}] + 1
    if depth >= {deepest} or g.scratch[{tried}] > {most} or top > MOST_ROWS:
        if g.state.fault == 0:
            g.state.fault = {fault}
            g.scratch.origin = {turn}
    if g.state.fault != 0:
        return {dead}
    saved = {stack} + depth * SIZE
    for i in range(SIZE):
        g.scratch[saved + i] = g.state[i]
    swapped = g.state.swapped
    g.scratch[{depth}] = depth + 1
    g.scratch.listed = 0
    g.state.rest = g.rows[row + 1]
    g.state.fresh = 0
    if g.rows[row] >= 0:
        effects(g, row)
{keeps}    if g.state.swapped != swapped:
        g.state.mover = 1 - g.state.mover
    length = {dead}
    if g.state.rest == rest:
        length = part_length(g, top, part)
    else:
        length = onward(g, top)
    if length != {dead} and counts != 0 and g.rows[row] >= 0:
        length = length + 1
    fault = g.state.fault
    for i in range(SIZE):
        g.state[i] = g.scratch[saved + i]
    if g.state.fault == 0:
        g.state.fault = fault
    g.scratch[{depth}] = depth
    return length


"""
