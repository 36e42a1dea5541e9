"""How each operation of the model is written, in the general form, and sets of a family in turn.

One entry for each operation that the model declares and kernels can do; those that are missing make
a game fall back to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce

from rulewright.codegen.layout import Unsupported
from rulewright.codegen.lower.links import crossed, linked_words
from rulewright.codegen.lower.rays import some_match
from rulewright.codegen.lower.values import TRIAL, OneStep, Site, Value, Values
from rulewright.codegen.lower.writer import Words
from rulewright.codegen.passes.normalize import MOST, bound
from rulewright.model import expressions as m
from rulewright.model.board import bits
from rulewright.model.expressions import Expr, Type

Body = Callable[[Words], None]


class Listed(list[str]):
    """The words of a set that comes from a table, and its place in it."""

    def __init__(self, words: Words, masks: tuple[int, ...], index: str) -> None:
        super().__init__(words)
        self.masks, self.place = masks, index


def each_set(v: Values, e: Expr, body: Body, stop: str) -> None:
    """Write *body* for every set of a family, while the condition *stop* holds."""
    match e:
        case m.Const():
            _table(v, tuple(e.value), body, stop)  # type: ignore[arg-type]
        case m.CallFunction():
            outside = v.from_here(body)
            with v.called(e) as inner:
                each_set(v, inner, outside, stop)
        case m.Viewed():
            outside = v.from_here(body)
            with v.seen(e.player):
                each_set(v, e.body, outside, stop)
        case m.Quantified(quantifier="those"):
            _those(v, e, body, stop)
        case m.Apply(operation="lines"):
            _lines(v, e, body, stop)
        case m.Apply(operation="groups"):
            steps = v.known_steps(e.arguments[1])
            _groups(v, v.words(e.arguments[0]), lambda s: v.neighbours(steps, s), body, stop)
        case m.Apply(operation="groups_linked"):
            _groups(v, v.words(e.arguments[0]), lambda s: linked_words(v, s), body, stop)
        case m.Apply(operation="family"):
            for part in e.arguments:
                with v.w.block(f"if {stop or '1 == 1'}:"):
                    body(v.words(part))
        case _:
            raise Unsupported(f"a family made by {type(e).__name__}")


def _those(v: Values, e: m.Quantified, body: Body, stop: str) -> None:
    slot = e.slots[0]

    def test(words: Words) -> None:
        v.frame[slot] = words
        with v.w.block(f"if {v.truth(e.body)}:"):
            body(words)

    each_set(v, e.domains[0], test, stop)


def _lines(v: Values, e: m.Apply, body: Body, stop: str) -> None:
    length = e.arguments[0]
    if not isinstance(length, m.Const) or not isinstance(length.value, int):
        raise Unsupported("lines of a length that depends on the position")
    _table(v, v.board.lines(length.value), body, stop)


def _table(v: Values, masks: tuple[int, ...], body: Body, stop: str) -> None:
    table = v.layout.mask_table(masks)
    with v.w.indices(len(masks), stop) as index:
        words = v.w.load("g.tables", f"{table} + {index} * {v.layout.words}")
        body(Listed(words, masks, index))


def _groups(
    v: Values, sites: Words, neighbours: Callable[[Words], Words], body: Body, stop: str
) -> None:
    rest = v.w.variable(sites)
    more = f" and {stop}" if stop else ""
    with v.w.block(f"while {v.w.some(rest)}{more}:"):
        seed = v.w.site_bit(v.w.lowest(rest))
        group = v.w.flood(seed, rest, neighbours)
        v.w.assign(rest, v.w.without(rest, group))
        body(group)


Write = Callable[[Values, m.Apply], Value]


def _typed(v: Values, e: m.Apply) -> list[str]:
    """The arguments as numbers of one type: floats where one of them is one."""
    real = any(a.type is Type.REAL for a in e.arguments)
    return [v.real(a) if real else v.number(a) for a in e.arguments]


def _numbers(form: str) -> Write:
    """*form* of the arguments, and of their type's {zero}."""

    def write(v: Values, e: m.Apply) -> str:
        zero = "0.0" if any(a.type is Type.REAL for a in e.arguments) else "0"
        return v.w.let(form.format(*_typed(v, e), zero=zero), "n")

    return write


def _exact(sign: str) -> Write:
    """A sum, difference or product that is a fault when it has more than 62 bits."""

    def write(v: Values, e: m.Apply) -> str:
        left, right = _typed(v, e)
        if e.type is Type.REAL:
            return v.finite(v.w.let(f"{left} {sign} {right}", "r"))
        if bound(e, v.rules) < MOST:
            return v.w.let(f"{left} {sign} {right}", "n")
        result = v.w.fresh("n")
        v.w.put(f"{result} = 0")
        if sign == "*":
            a, b = (v.w.let(f"{n} if {n} >= 0 else 0 - {n}", "n") for n in (left, right))
            with v.w.block(f"if {b} != 0:"), v.w.block(f"if {a} > {MOST} // {b}:"):
                v.fault("overflow")
            wrapped = f"wrap_mul({left}, {right})"
        else:
            wrapped = f"{left} {sign} {right}"
        v.w.put(f"{result} = {wrapped}")
        v.no_overflow(result)
        return result

    return write


def _compare(form: str) -> Write:
    return lambda v, e: form.format(*_typed(v, e))


def _divided(form: str) -> Write:
    def write(v: Values, e: m.Apply) -> str:
        a, b = (v.number(i) for i in e.arguments)
        result = v.w.fresh("n")
        v.w.put(f"{result} = 0")
        with v.w.block(f"if {b} == 0:"):
            v.fault("divide-by-zero")
        with v.w.block("else:"):
            v.w.put(f"{result} = {form.format(a, b)}")
        return result

    return write


def _combined(form: str) -> Write:
    def write(v: Values, e: m.Apply) -> Words:
        return reduce(lambda a, b: v.w.each(form, a, b), [v.words(a) for a in e.arguments])

    return write


def _not(v: Values, e: m.Apply) -> str:
    return f"not ({v.truth(e.arguments[0])})"


def _equal(v: Values, e: m.Apply) -> str:
    left, right = e.arguments
    if left.type in (Type.SITE, Type.SITES):
        return v.w.none(v.w.each("{0} ^ {1}", v.words(left), v.words(right)))
    if left.type is Type.TRUTH:
        return f"{v.flag(v.truth(left))} == {v.flag(v.truth(right))}"
    if {left.type, right.type} <= {Type.INT, Type.REAL}:
        return "{} == {}".format(*_typed(v, e))
    return f"{v.value(left)} == {v.value(right)}"


def _inside(v: Values, e: m.Apply) -> str:
    inner, outer = e.arguments
    if inner.type is Type.SITE:
        return f"{v.w.has(v.words(outer), v.site(inner))} != 0"
    words = v.words(inner)
    out = v.w.without(words, v.words(outer))
    return f"{v.w.some(words)} and {v.w.none(out)}"


def _owner(owner: Callable[[Values], int]) -> Write:
    def write(v: Values, e: m.Apply) -> Words:
        return v.w.load(v.state, str(v.layout.owned + owner(v) * v.layout.words))

    return write


def _owned(v: Values, e: m.Apply) -> Words:
    player = v.value(e.arguments[0])
    if not player.isdigit():
        raise Unsupported("a player that depends on the position")
    return v.w.load(v.state, str(v.layout.owned + int(player) * v.layout.words))


def full(v: Values) -> Words:
    """The sites that hold a piece."""
    owners = range(v.layout.owners)
    sets = [v.w.load(v.state, str(v.layout.owned + o * v.layout.words)) for o in owners]
    return v.w.each(" | ".join(f"{{{o}}}" for o in owners), *sets)


def _of_kind(v: Values, e: m.Apply) -> Words:
    if not v.layout.kinds_kept:
        return full(v)
    kind = v.value(e.arguments[0])
    if kind.isdigit():
        return v.w.load(v.state, str(v.layout.kinds + int(kind) * v.layout.words))
    return v.w.load(v.state, f"{v.layout.kinds} + {kind} * {v.layout.words}")


def _sites_without(v: Values, words: Words) -> Words:
    return v.w.each("{1} & ~{0}", words, v.w.constant(v.board.sites))


@contextmanager
def _each_site(v: Values, at: Value) -> Iterator[str]:
    """The sites of a set, or the one site, without a loop."""
    if isinstance(at, Site):
        yield at.number
        return
    with v.w.sites(v.as_words(at)) as site:
        yield site


def _opposite(v: Values, e: m.Apply) -> Value:
    """The steps back."""
    steps, back = v.value(e.arguments[0]), v.board.opposite
    if isinstance(steps, OneStep):
        return OneStep(tuple(map(back, steps.steps)), steps.index)
    return tuple(map(back, steps))


def _step(v: Values, e: m.Apply) -> Words:
    way, sites = e.arguments
    at = v.value(sites)
    found = v.w.empty()

    def use(steps: Value) -> None:
        if isinstance(steps, OneStep):
            table = v.layout.next_table(steps.steps)
            count = len(v.board.names)
            with _each_site(v, at) as site:
                target = v.w.let(f"g.tables[{table} + {steps.index} * {count} + {site}]", "s")
                with v.w.block(f"if {target} >= 0:"):
                    v.w.add(found, v.w.site_bit(target))
        elif isinstance(at, list):
            v.w.assign(found, v.neighbours(steps, at))
        else:
            table = v.layout.near_table(steps)
            v.w.assign(found, v.w.load("g.tables", f"{table} + {at.number} * {v.layout.words}"))

    v.each_way(way, use)
    return found


def _coordinate(key: str) -> Write:
    def write(v: Values, e: m.Apply) -> str:
        board = v.board
        values = [c + 1 for c in board.columns] if key == "x" else board.numbers
        table = v.layout.number_table(key, values)
        return v.w.let(f"g.tables[{table} + {v.site(e.arguments[0])}]", "n")

    return write


def _ends(v: Values, e: m.Apply) -> Words:
    """The sites beyond a line that a table holds."""
    line = v.value(e.arguments[0])
    if not isinstance(line, Listed):
        raise Unsupported("the ends of a line that is not one of `lines(n)`")
    beyond = tuple(v.board.beyond(mask) for mask in line.masks)
    return v.w.load("g.tables", f"{v.layout.mask_table(beyond)} + {line.place} * {v.layout.words}")


def _line_of(key: str) -> Write:
    def write(v: Values, e: m.Apply) -> Words:
        board = v.board
        places = [c + 1 for c in board.columns] if key == "column" else list(board.numbers)
        most = max(places)
        masks = [sum(1 << s for s in bits(board.sites) if places[s] == n) for n in range(most + 1)]
        return _looked_up(v, tuple(masks), v.number(e.arguments[0]), most + 1)

    return write


def _looked_up(v: Values, masks: tuple[int, ...], index: str, count: int) -> Words:
    """A set from a table; empty outside of it."""
    table, found = v.layout.mask_table(masks), v.w.empty()
    with v.w.block(f"if {index} >= 0 and {index} < {count}:"):
        v.w.assign(found, v.w.load("g.tables", f"{table} + {index} * {v.layout.words}"))
    return found


def _site_at(v: Values, e: m.Apply) -> Words:
    board = v.board
    x, y = (v.number(a) for a in e.arguments)
    width, height = max(board.columns) + 2, max(board.numbers) + 1
    masks = tuple(board.site_at(i % width, i // width) for i in range(width * height))
    inside = f"{x} >= 0 and {x} < {width} and {y} >= 0 and {y} < {height}"
    index = v.w.let(f"{y} * {width} + {x} if {inside} else -1", "i")
    return _looked_up(v, masks, index, width * height)


def _whole_line(v: Values, e: m.Apply) -> Words:
    site, found = v.site(e.arguments[0]), v.w.empty()
    board = v.board

    def use(steps: Value) -> None:
        known = steps.steps if isinstance(steps, OneStep) else steps
        lines = []
        for step in known:
            for s in range(len(board.names)):
                both = (*board.walk(s, step), *board.walk(s, board.opposite(step)))
                lines.append(1 << s | sum(both))
        table, count = v.layout.mask_table(tuple(lines)), len(board.names)
        for i in range(len(known)):
            index = steps.index if isinstance(steps, OneStep) else str(i)
            at = f"{table} + ({index} * {count} + {site}) * {v.layout.words}"
            v.w.add(found, v.w.load("g.tables", at))
            if isinstance(steps, OneStep):
                break

    v.each_way(e.arguments[1], use)
    return found


def _gather(v: Values, e: m.Apply) -> Words:
    found = v.w.empty()
    each_set(v, e.arguments[0], lambda words: v.w.add(found, words), "")
    return found


def _members(v: Values, e: m.Apply) -> str:
    count = v.w.fresh("n")
    v.w.put(f"{count} = 0")
    each_set(v, e.arguments[0], lambda _: v.w.put(f"{count} = {count} + 1"), "")
    return count


def _reach(v: Values, e: m.Apply) -> Words:
    steps = v.known_steps(e.arguments[2])
    seed, within = v.words(e.arguments[0]), v.words(e.arguments[1])
    return v.w.flood(seed, within, lambda words: v.neighbours(steps, words))


def _reach_linked(v: Values, e: m.Apply) -> Words:
    seed, within = v.words(e.arguments[0]), v.words(e.arguments[1])
    return v.w.flood(seed, within, lambda words: linked_words(v, words))


def _any(v: Values, e: m.Apply) -> str:
    sites = e.arguments[0]
    if isinstance(sites, m.Ray):
        fast: str | None = v.w.attempt(lambda: some_match(v, sites))
        if fast is not None:
            return fast
    return v.w.some(v.words(sites))


def _past(size: str) -> Write:
    def write(v: Values, e: m.Apply) -> str:
        game = "g" if v.state == "g.state" else TRIAL
        return v.w.let(f"count_past({game}, {size})", "n")

    return write


OPERATIONS: dict[str, Write] = {
    "add": _exact("+"),
    "subtract": _exact("-"),
    "multiply": _exact("*"),
    "negate": _numbers("-{0}"),
    "abs": _numbers("{0} if {0} >= {zero} else -{0}"),
    "sign": _numbers("1 if {0} > {zero} else (-1 if {0} < {zero} else 0)"),
    "div": _divided("{0} // {1}"),
    "mod": _divided("{0} % {1}"),
    "less": _compare("{} < {}"),
    "less_equal": _compare("{} <= {}"),
    "count": lambda v, e: v.w.count_of(v.words(e.arguments[0])),
    "members": _members,
    "x": _coordinate("x"),
    "y": _coordinate("y"),
    "ply": lambda v, e: v.w.let(f"{v.state}.ply", "n"),
    "not": _not,
    "equal": _equal,
    "inside": _inside,
    "between": _compare("{0} >= {1} and {0} <= {2}"),
    "meets": lambda v, e: v.w.some(v.w.both(v.words(e.arguments[0]), v.words(e.arguments[1]))),
    "any": _any,
    "stuck": lambda v, e: "1 == 1" if v.stuck else "1 == 0",
    "crossed": crossed,
    "unite": _combined("{0} | {1}"),
    "intersect": _combined("{0} & {1}"),
    "complement": lambda v, e: _sites_without(v, v.words(e.arguments[0])),
    "gather": _gather,
    "own": _owner(lambda v: v.view),
    "enemy": _owner(lambda v: 1 - v.view),
    "owned": _owned,
    "of_kind": _of_kind,
    "full": lambda v, e: full(v),
    "empty": lambda v, e: _sites_without(v, full(v)),
    "step": _step,
    "opposite": _opposite,
    "linked": lambda v, e: linked_words(v, v.words(e.arguments[1])),
    "ends": _ends,
    "row": _line_of("row"),
    "column": _line_of("column"),
    "site": _site_at,
    "whole_line": _whole_line,
    "repeats": _past("KEY"),
    "board_repeats": _past("BOARD_KEY"),
    "reach": _reach,
    "reach_linked": _reach_linked,
    "viewer": lambda v, e: str(v.view),
}
