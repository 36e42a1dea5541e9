"""Loops over the sets of a family: lines, groups, lists, and those of them that pass a test."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.codegen.links import linked_words
from rulewright.codegen.plan import NoPlan
from rulewright.codegen.values import Values
from rulewright.codegen.writer import Words
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr

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
        case m.Seen():
            outside = v.from_here(body)
            with v.seen(e.player):
                each_set(v, e.body, outside, stop)
        case m.Each(quantifier="those"):
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
            raise NoPlan(f"a family made by {type(e).__name__}")


def _those(v: Values, e: m.Each, body: Body, stop: str) -> None:
    slot = e.slots[0]

    def test(words: Words) -> None:
        v.frame[slot] = words
        with v.w.block(f"if {v.truth(e.body)}:"):
            body(words)

    each_set(v, e.domains[0], test, stop)


def _lines(v: Values, e: m.Apply, body: Body, stop: str) -> None:
    length = e.arguments[0]
    if not isinstance(length, m.Const) or not isinstance(length.value, int):
        raise NoPlan("lines of a length that depends on the position")
    _table(v, v.plan.rules.board.lines(length.value), body, stop)


def _table(v: Values, masks: tuple[int, ...], body: Body, stop: str) -> None:
    table, index = v.plan.mask_table(masks), v.w.fresh("i")
    v.w.put(f"{index} = -1")
    more = f" and {stop}" if stop else ""
    with v.w.block(f"while {index} < {len(masks) - 1}{more}:"):
        v.w.put(f"{index} = {index} + 1")
        body(Listed(v.w.load("g.tables", f"{table} + {index} * {v.plan.words}"), masks, index))


def _groups(
    v: Values, sites: Words, neighbours: Callable[[Words], Words], body: Body, stop: str
) -> None:
    rest = v.w.variable(sites)
    more = f" and {stop}" if stop else ""
    with v.w.block(f"while {v.w.some(rest)}{more}:"):
        seed = v.w.site_bit(v.w.lowest(rest))
        group = v.w.flood(seed, rest, neighbours)
        v.w.assign(rest, v.w.each("{0} & ~{1}", rest, group))
        body(group)
