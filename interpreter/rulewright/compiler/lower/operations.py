"""How each operation of the model is written, in the general form, and sets of a family in turn.

One entry for each operation that the model declares and kernels can do; those that are missing make
a game fall back to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import product

from attrs import frozen

from rulewright.compiler.earlier import EarlierRow
from rulewright.compiler.ir.nodes import Const, Expr, choice, op, truth
from rulewright.compiler.ir.types import FLOAT, INT
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.entries import ahead, alternatives, each_site
from rulewright.compiler.lower.floods import each_group, reach, reach_linked
from rulewright.compiler.lower.line_sites import places_of
from rulewright.compiler.lower.links import linked_sites, lower_crossed
from rulewright.compiler.lower.rays import some_match
from rulewright.compiler.lower.tables import TABLES, line_of, site_at
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.walks import MarkedRun
from rulewright.compiler.lower.writer import (
    AnySteps,
    GroupList,
    Lowered,
    OneStep,
    Site,
    Sites,
    also,
    as_steps,
    at,
)
from rulewright.compiler.passes.normalize import Normalizer, harmless, upper_bound
from rulewright.model import expressions as m
from rulewright.model.board import union
from rulewright.model.expressions import MOST, Type

Body = Callable[[Sites], None]


@frozen(eq=False)
class TableSet(Sites):
    """A set from a table, with its index there."""

    masks: tuple[int, ...]
    place: Expr


def each_set(v: Values, e: m.Expr, body: Body, stop: Expr | None) -> None:
    """Write *body* for every set of a family, while the truth *stop* holds."""
    match e:
        case m.Const():
            _table(v, tuple(e.value), body, stop)  # type: ignore[arg-type]
        case m.CallFunction():
            outer_body = v.from_here(body)
            with v.in_definition(e) as inner:
                each_set(v, inner, outer_body, stop)
        case m.Viewed():
            outer_body = v.from_here(body)
            with v.as_player(e.player):
                each_set(v, e.body, outer_body, stop)
        case m.Local():
            _listed(v, v.value(e), body, stop)
        case m.Quantified(quantifier="those"):
            _narrowed_family(v, e, body, stop)
        case m.Apply(operation="lines"):
            _lines(v, e, body, stop)
        case m.Apply(operation="groups" | "groups_linked"):
            each_group(v, e, body, stop)
        case m.Apply(operation="family"):
            for part in e.arguments:
                with v.w.when(also(truth(True), stop)):
                    body(v.sites(part))
        case _:
            raise Unsupported(f"a family made by {type(e).__name__}")


def _listed(v: Values, groups: Lowered, body: Body, stop: Expr | None) -> None:
    """Write *body* for each of the groups that were kept."""
    if not isinstance(groups, GroupList):
        raise Unsupported("a family that is chosen")
    index = v.w.var(-1, "i")
    with v.w.loop(also(index < groups.count - 1, stop)):
        v.w.set(index, index + 1)
        body(v.w.load("g.scratch", v.w.let(index * v.layout.words + groups.room, "r")))


def _narrowed_family(v: Values, e: m.Quantified, body: Body, stop: Expr | None) -> None:
    slot = e.slots[0]

    def test(sites: Sites) -> None:
        v.frame[slot] = sites
        with v.w.when(v.truth(e.body)):
            body(sites)

    each_set(v, e.domains[0], test, stop)


def _lines(v: Values, e: m.Apply, body: Body, stop: Expr | None) -> None:
    length = e.arguments[0]
    if not isinstance(length, m.Const) or not isinstance(length.value, int):
        raise Unsupported("lines of a length that depends on the position")
    _table(v, v.board.lines(length.value), body, stop)


def _table(v: Values, masks: tuple[int, ...], body: Body, stop: Expr | None) -> None:
    table = v.layout.mask_table(masks)
    with v.w.indices(len(masks), stop) as index:
        sites = v.w.load("g.tables", table + index * v.layout.words)
        body(TableSet(v.w, sites.words, masks, index))


Write = Callable[[Values, m.Apply], Lowered]


def _typed(v: Values, e: m.Apply) -> list[Expr]:
    """Write the arguments as numbers of one type: floats if any of them is one."""
    real = any(a.type is Type.REAL for a in e.arguments)
    return [v.real(a) if real else v.number(a) for a in e.arguments]


def _zero(a: Expr) -> float:
    return 0.0 if a.type == FLOAT else 0


def _abs(a: Expr) -> Expr:
    return choice(a >= _zero(a), a, -a)


def _sign(a: Expr) -> Expr:
    return choice(a > _zero(a), 1, choice(a < _zero(a), -1, 0))


def _numbers(form: Callable[..., Expr]) -> Write:
    """Return a writer that applies *form* to the arguments."""
    return lambda v, e: v.w.let(form(*_typed(v, e)), "n")


def _compare(form: Callable[..., Expr]) -> Write:
    return lambda v, e: form(*_compared(v, e))


def _compared(v: Values, e: m.Apply) -> list[Expr]:
    """Write numbers to compare: sets of a family are counted no further than a constant asks."""
    limits = [a.value for a in e.arguments if isinstance(a, m.Const)]
    counted = [a for a in e.arguments if isinstance(a, m.Apply) and a.operation == "members"]
    if len(e.arguments) != 2 or not limits or not counted or not isinstance(limits[0], int):
        return _typed(v, e)
    limit = limits[0]
    return [
        _members(v, a, limit)
        if isinstance(a, m.Apply) and harmless(Normalizer(v.rules, v.view, v.mover)(a))
        else v.number(a)
        for a in e.arguments
    ]


def _exact(form: Callable[[Expr, Expr], Expr]) -> Write:
    """Return a writer of a sum or difference, which is a fault beyond 62 bits."""

    def write(v: Values, e: m.Apply) -> Expr:
        value = form(*_typed(v, e))
        if e.type is Type.REAL:
            return v.finite(value)
        if upper_bound(e, v.rules) < MOST:
            return v.w.let(value, "n")
        result = v.w.var(value, "n")
        v.no_overflow(result)
        return result

    return write


def _multiply(v: Values, e: m.Apply) -> Expr:
    """Write a product, which is a fault beyond 62 bits."""
    left, right = _typed(v, e)
    if e.type is Type.REAL:
        return v.finite(left * right)
    if upper_bound(e, v.rules) < MOST:
        return v.w.let(left * right, "n")
    a, b = (v.w.let(choice(n >= 0, n, 0 - n), "n") for n in (left, right))
    with v.w.when(b.ne(0)), v.w.when(a > MOST // b):
        v.fault("overflow")
    result = v.w.var(op("wrap_mul", left, right), "n")
    v.no_overflow(result)
    return result


def _divided(form: Callable[[Expr, Expr], Expr]) -> Write:
    def write(v: Values, e: m.Apply) -> Expr:
        a, b = (v.number(i) for i in e.arguments)
        result = v.w.var(0, "n")
        with v.w.when(b.eq(0)):
            v.fault("divide-by-zero")
        with v.w.otherwise():
            v.w.set(result, form(a, b))
        return result

    return write


def _combined(form: Callable[[Sites, Sites], Sites]) -> Write:
    return lambda v, e: reduce(form, [v.sites(a) for a in e.arguments])


def _equal(v: Values, e: m.Apply) -> Expr:
    left, right = e.arguments
    if left.type in (Type.SITE, Type.SITES):
        return (v.sites(left) ^ v.sites(right)).none()
    if left.type is Type.TRUTH:
        flag = v.w.flag(v.truth(left))
        return flag.eq(v.w.flag(v.truth(right)))
    if {left.type, right.type} <= {Type.INT, Type.REAL}:
        a, b = _compared(v, e)
        return a.eq(b)
    if left.type in (Type.STEP, Type.STEPS):
        return _equal_steps(v, left, right)
    return v.word(left).eq(v.word(right))


def _equal_steps(v: Values, left: m.Expr, right: m.Expr) -> Expr:
    """Write whether two expressions give the same steps."""
    result = v.w.var(0, "b")

    def compare(a: AnySteps, b: AnySteps) -> None:
        for (test, steps), (other_test, other_steps) in product(alternatives(a), alternatives(b)):
            if steps == other_steps:
                with v.w.when(test & other_test):
                    v.w.set(result, 1)

    v.each_way(left, lambda a: v.each_way(right, lambda b: compare(a, b)))
    return result.ne(0)


def _inside(v: Values, e: m.Apply) -> Expr:
    inner, outer = e.arguments
    if inner.type is Type.SITE:
        outer_sites = v.sites(outer)
        return outer_sites.has(v.site(inner)).ne(0)
    sites = v.sites(inner)
    return sites.any() & (sites - v.sites(outer)).none()


def _owner(owner: Callable[[Values], int]) -> Write:
    return lambda v, e: v.w.load(v.state, v.layout.owned + owner(v) * v.layout.words)


def _enemy(v: Values, e: m.Apply) -> Sites:
    """Unite the pieces of all others."""
    first, *others = (player for player in v.rules.views if player != v.view)
    sites = v.w.load(v.state, v.layout.owned + first * v.layout.words)
    for player in others:
        sites = sites | v.w.load(v.state, v.layout.owned + player * v.layout.words)
    return sites


def _owned(v: Values, e: m.Apply) -> Sites:
    player = v.value(e.arguments[0])
    if not isinstance(player, Const):
        raise Unsupported("a player that depends on the position")
    return v.w.load(v.state, v.layout.owned + int(player.value) * v.layout.words)


def _height(v: Values, e: m.Apply) -> Expr:
    """Add up the heights of the piles on a set."""
    value, heights = v.value(e.arguments[0]), v.layout.piles.heights
    number = v.w.var(0, "h")
    with each_site(v, value) as site:
        v.w.set(number, number + at(v.state, heights + site))
    return number


def full(v: Values) -> Sites:
    """Write the set of sites that hold a piece."""
    owners = range(v.layout.owners)
    sets = [v.w.load(v.state, v.layout.owned + o * v.layout.words) for o in owners]
    return sets[0].each(lambda *words: reduce(lambda a, b: a | b, words), *sets[1:])


def _of_kind(v: Values, e: m.Apply) -> Sites:
    if not v.layout.kinds_kept:
        return full(v)
    kind = v.word(e.arguments[0])
    return v.w.load(v.state, v.layout.kinds + v.w.let(kind * v.layout.words, "k"))


def _sites_without(v: Values, sites: Sites) -> Sites:
    return v.w.constant(v.board.sites) - sites


def _opposite(v: Values, e: m.Apply) -> AnySteps:
    """Write the opposite steps."""
    steps, back = as_steps(v.value(e.arguments[0])), v.board.opposite
    if isinstance(steps, OneStep):
        return OneStep(tuple(map(back, steps.steps)), steps.index)
    return tuple(map(back, steps))


def _link_ends(v: Values, e: m.Apply) -> Sites:
    source = v.value(e.arguments[1])
    return linked_sites(v, source if isinstance(source, Site) else v.as_sites(source))


def _step(v: Values, e: m.Apply) -> Sites:
    along, sites = e.arguments
    value = v.value(sites)
    targets = v.w.empty()

    def use(steps: AnySteps) -> None:
        if isinstance(steps, OneStep):
            table = v.layout.next_table(steps.steps)
            count = len(v.board.names)
            with each_site(v, value) as site:
                place = table + steps.index * count + site
                target = v.w.let(at("g.tables", place), "s")
                with v.w.when(target >= 0):
                    v.w.add(targets, v.w.site_bit(target))
        elif isinstance(value, Sites):
            v.w.assign(targets, v.neighbours(steps, value))
        else:
            assert isinstance(value, Site)
            table = v.layout.near_table(steps)
            v.w.assign(targets, v.w.load("g.tables", table + value.number * v.layout.words))

    v.each_way(along, use)
    return targets


def _coordinate(key: str) -> Write:
    def write(v: Values, e: m.Apply) -> Expr:
        table = v.layout.number_table(key, places_of(v.board, key))
        return v.w.let(at("g.tables", table + v.site(e.arguments[0])), "n")

    return write


def _ends(v: Values, e: m.Apply) -> Sites:
    """Look up the sites beyond the ends of a line that a table holds."""
    line = v.value(e.arguments[0])
    if not isinstance(line, TableSet):
        raise Unsupported("the ends of a line that is not one of `lines(n)`")
    ends = tuple(v.board.beyond(mask) for mask in line.masks)
    return v.w.load("g.tables", v.layout.mask_table(ends) + line.place * v.layout.words)


def _whole_line(v: Values, e: m.Apply) -> Sites:
    site, sites = v.site(e.arguments[0]), v.w.empty()
    board = v.board

    def use(steps: AnySteps) -> None:
        choices = steps.steps if isinstance(steps, OneStep) else steps
        lines = []
        for step in choices:
            for s in range(len(board.names)):
                walks = (*board.walk(s, step), *board.walk(s, board.opposite(step)))
                lines.append(1 << s | union(walks))
        table, count = v.layout.mask_table(tuple(lines)), len(board.names)
        places: Iterable[Expr | int] = range(len(choices))
        if isinstance(steps, OneStep):
            places = [steps.index]
        for index in places:
            place = table + (index * count + site) * v.layout.words
            v.w.add(sites, v.w.load("g.tables", place))

    v.each_way(e.arguments[1], use)
    return sites


def _gather(v: Values, e: m.Apply) -> Sites:
    family = Normalizer(v.rules, v.view, v.mover)(e.arguments[0])
    if isinstance(family, m.Quantified):
        fast = v.forms.quantified(v, family)
        if isinstance(fast, Sites):
            return fast
    members = v.w.empty()
    each_set(v, e.arguments[0], lambda sites: v.w.add(members, sites), None)
    return members


def _members(v: Values, e: m.Apply, limit: int | None = None) -> Expr:
    """Count the sets of a family; those beyond *limit* by one or more count as one."""
    count = v.w.var(0, "n")
    stop = None if limit is None else count <= limit
    each_set(v, e.arguments[0], lambda _: v.w.set(count, count + 1), stop)
    return count


def _any(v: Values, e: m.Apply) -> Expr:
    sites = e.arguments[0]
    if isinstance(sites, m.Ray):
        fast: Expr | None = v.w.attempt(lambda: some_match(v, sites))
        if fast is not None:
            return fast
    return v.sites(sites).any()


def _count(v: Values, e: m.Apply) -> Expr:
    sites = e.arguments[0]
    marked = v.frame.get(sites.slot) if isinstance(sites, m.Local) else None
    return marked.length if isinstance(marked, MarkedRun) else v.sites(sites).count()


def _past(v: Values, e: m.Apply) -> Expr:
    """Write how often the position stood before, or its board."""
    row = EarlierRow.of(v.layout)
    size = row.board if e.operation == "board_repeats" else len(row)
    return v.w.let(v.w.call("count_past", v.game, size), "n")


OPERATIONS: dict[str, Write] = {
    "add": _exact(lambda a, b: a + b),
    "subtract": _exact(lambda a, b: a - b),
    "multiply": _multiply,
    "negate": _numbers(lambda a: -a),
    "abs": _numbers(_abs),
    "sign": _numbers(_sign),
    "div": _divided(lambda a, b: a // b),
    "mod": _divided(lambda a, b: a % b),
    "less": _compare(lambda a, b: a < b),
    "less_equal": _compare(lambda a, b: a <= b),
    "count": _count,
    "members": _members,
    **{key: _coordinate(key) for key in ("x", "y", "z")},
    "ply": lambda v, e: v.w.let(v.position.ply, "n"),
    "not": lambda v, e: ~v.truth(e.arguments[0]),
    "equal": _equal,
    "inside": _inside,
    "between": _compare(lambda a, low, high: (a >= low) & (a <= high)),
    "meets": lambda v, e: (v.sites(e.arguments[0]) & v.sites(e.arguments[1])).any(),
    "any": _any,
    "stuck": lambda v, e: truth(v.stuck),
    "crossed": lower_crossed,
    "unite": _combined(lambda a, b: a | b),
    "intersect": _combined(lambda a, b: a & b),
    "complement": lambda v, e: _sites_without(v, v.sites(e.arguments[0])),
    "gather": _gather,
    **TABLES,
    "own": _owner(lambda v: v.view),
    "enemy": _enemy,
    "owned": _owned,
    "of_kind": _of_kind,
    "height": _height,
    "full": lambda v, e: full(v),
    "empty": lambda v, e: _sites_without(v, full(v)),
    "step": _step,
    "ahead": ahead,
    "opposite": _opposite,
    "linked": _link_ends,
    "ends": _ends,
    "row": line_of("y"),
    "column": line_of("x"),
    "layer": line_of("z"),
    "site": site_at,
    "whole_line": _whole_line,
    "repeats": _past,
    "board_repeats": _past,
    "reach": reach,
    "reach_linked": reach_linked,
    "viewer": lambda v, e: Const(v.view, INT),
}
