"""Links as kernel text: numbers of possible links, which are there, what they join and cross.

For paths that step `when not crossed(a, b, ...)`, four sets say where links may begin, so that the
steps of a set are taken at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, frozen

from rulewright.codegen.layout import StateLayout, Unsupported
from rulewright.codegen.lower.values import Site, Values
from rulewright.codegen.lower.writer import Words
from rulewright.codegen.passes.normalize import Normalizer, is_apply, uses_slot
from rulewright.model import expressions as m
from rulewright.model.board import Step
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import operations

if TYPE_CHECKING:
    from rulewright.codegen.lower.evaluators import EvaluatorValues


@frozen
class LinkedSite(Site):
    """A site that a link could join to `source`, and that link's number."""

    source: str
    link: str


def link_each(v: Values, source: m.Local, target: Expr, done: Callable[[LinkedSite], None]) -> None:
    """Write *done* for every target of a link from a site, going through its possible links.

    Refuses (`Unsupported`) targets that are not narrowed from the sites a link away.
    """
    e = Normalizer(v.rules, v.view, v.mover)(target)
    slot, body = -1, None
    if isinstance(e, m.Quantified) and e.quantifier == "those":
        slot, body, e = e.slots[0], e.body, e.domains[0]
    if body is not None and operations(body) & _READ_LINKS:
        raise Unsupported
    parts = list(e.arguments) if is_apply(e, "intersect") else [e]
    ways = [part for part in parts if uses_slot(part, source.slot)]
    if len(ways) != 1 or not _is_a_link_away(v, ways[0], source):
        raise Unsupported
    place = v.value(source)
    table, row = v.layout.incident_table
    base, index = v.w.let(f"{table} + {place.number} * {row}", "k"), v.w.fresh("i")
    with v.w.block(f"for {index} in range(g.tables[{base}]):"):
        other = v.w.let(f"g.tables[{base} + 1 + 2 * {index}]", "s")
        tests = [site_in(v, part, other) for part in parts if part is not ways[0]]
        with v.w.block(f"if {' & '.join(tests) or '1'} != 0:"):
            link = v.w.let(f"g.tables[{base} + 2 + 2 * {index}]", "n")
            site = LinkedSite(other, place.number, link)
            if body is None:
                done(site)
                return
            v.frame[slot] = site
            with v.w.block(f"if {v.truth(body)}:"):
                done(site)


_READ_LINKS = frozenset({"linked", "groups_linked", "reach_linked", "repeats", "board_repeats"})


def _is_a_link_away(v: Values, e: Expr, source: m.Local) -> bool:
    if not is_apply(e, "step"):
        return False
    way, site = e.arguments
    kind = v.rules.links[0]
    both = {*kind.steps, *map(v.board.opposite, kind.steps)}
    return isinstance(way, Const) and set(way.value) == both and site == source  # type: ignore[arg-type]


def site_in(v: Values, e: Expr, site: str) -> str:
    """1 if a set holds a site, else 0; sets that lie in memory are not loaded whole."""
    if isinstance(e, Const):
        table = v.layout.mask_table((e.value,))  # type: ignore[arg-type]
        return v.w.let(f"shift_right(g.tables[{table} + ({site} >> 6)], {site} & 63) & 1", "b")
    if isinstance(e, m.Apply):
        match e.operation:
            case "owned" if isinstance(e.arguments[0], Const):
                offset = v.layout.owned + int(e.arguments[0].value) * v.layout.words  # type: ignore[arg-type]
                return bit_at(v, offset, site)
            case "complement" if e.type in (Type.SITE, Type.SITES):
                return v.w.let(f"1 - {site_in(v, e.arguments[0], site)}", "b")
            case "intersect":
                return v.w.let(" & ".join(site_in(v, a, site) for a in e.arguments), "b")
            case "unite":
                return v.w.let(" | ".join(site_in(v, a, site) for a in e.arguments), "b")
    return v.w.has(v.words(e), site)


def bit_at(v: Values, offset: int, site: str) -> str:
    """The bit of a site in a set that lies in the position."""
    if v.layout.words == 1:
        return v.w.let(f"shift_right({v.layout.word(v.state, offset)}, {site}) & 1", "b")
    word = v.layout.word_of(v.state, offset, site)
    return v.w.let(f"shift_right({word}, {site} & 63) & 1", "b")


def crossed(v: Values, e: m.Apply) -> str:
    """Whether a link that is there crosses the one that could join a and b."""
    if v.layout.link_table is None:
        return "1 == 0"
    number = _number_of(v, e.arguments[0], e.arguments[1])
    whole = v.board.sites
    anybody = isinstance(e.arguments[2], Const) and e.arguments[2].value == whole
    whose = [] if anybody else v.words(e.arguments[2])
    table, row = v.layout.crossing_table
    found, index = v.w.fresh("b"), v.w.fresh("i")
    v.w.put(f"{found} = 0")
    base = v.w.let(f"{table} + {number} * {row}", "k")
    v.w.put(f"{index} = 0")
    with v.w.block(f"while {index} < g.tables[{base}] and {found} == 0:"):
        at = v.w.let(f"{base} + 1 + 3 * {index}", "k")
        v.w.put(f"{index} = {index} + 1")
        with v.w.block(f"if {link_bit(v, f'g.tables[{at}]')} != 0:"):
            ends = (v.w.let(f"g.tables[{at} + {i}]", "s") for i in (1, 2))
            held = " & ".join(v.w.has(whose, s) for s in ends) if whose else "1"
            v.w.put(f"{found} = {held}")
    return f"{found} != 0"


def _number_of(v: Values, one: Expr, other: Expr) -> str:
    """The number of the link between two sites; known when they came by way of it."""
    a, b = v.value(one), v.value(other)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, LinkedSite) and isinstance(y, Site) and x.source == y.number:
            return x.link
    return link_number(v, v.site(one), v.site(other))


def link_number(v: Values, a: str, b: str) -> str:
    """The number of the link between two sites; a fault when none can join them."""
    table, row = v.layout.incident_table
    number, index = v.w.fresh("n"), v.w.fresh("i")
    v.w.put(f"{number} = -1")
    v.w.put(f"{index} = 0")
    base = v.w.let(f"{table} + {a} * {row}", "k")
    with v.w.block(f"while {index} < g.tables[{base}] and {number} < 0:"):
        with v.w.block(f"if g.tables[{base} + 1 + 2 * {index}] == {b}:"):
            v.w.put(f"{number} = g.tables[{base} + 2 + 2 * {index}]")
        v.w.put(f"{index} = {index} + 1")
    with v.w.block(f"if {number} < 0:"):
        v.fault("link-length")
        v.w.put(f"{number} = 0")
    return number


def link_bit(v: Values, number: str) -> str:
    """1 if the link with that number is there, else 0."""
    n = v.w.let(number, "n")
    word = v.layout.word_of(v.state, v.layout.links, n)
    return v.w.let(f"shift_right({word}, {n} & 63) & 1", "b")


def linked_words(v: Values, words: Words) -> Words:
    """The sites joined to a set by links that are there."""
    table, row = v.layout.incident_table
    found = v.w.empty()
    with v.w.sites(words) as site:
        base = v.w.let(f"{table} + {site} * {row}", "k")
        index = v.w.fresh("i")
        v.w.put(f"{index} = 0")
        with v.w.block(f"while {index} < g.tables[{base}]:"):
            at = v.w.let(f"{base} + 1 + 2 * {index}", "k")
            v.w.put(f"{index} = {index} + 1")
            with v.w.block(f"if {link_bit(v, f'g.tables[{at} + 1]')} != 0:"):
                other = v.w.site_bit(v.w.let(f"g.tables[{at}]", "s"))
                v.w.add(found, other)
    return found


def goes_uncrossed(v: EvaluatorValues, step: PathStep) -> bool:
    """Whether a step goes wherever a link could be made, and nothing else depends on its sites."""
    if step.linked or not step.named or not v.layout.link_table:
        return False
    if any(uses_slot(_normal(v, e), slot) for e in (step.into, step.cost) for slot in (0, 1)):
        return False
    kind = v.rules.links[0]
    board = v.board
    links = {*kind.steps, *map(board.opposite, kind.steps)}
    if not isinstance(step.steps, m.Const) or {*step.steps.value} != links:  # type: ignore[misc]
        return False
    when = _normal(v, step.when)
    if not is_apply(when, "not") or not is_apply(when.arguments[0], "crossed"):
        return False
    one, other, whose = when.arguments[0].arguments
    named = {e.slot for e in (one, other) if isinstance(e, m.Local)}
    return named == {0, 1} and isinstance(whose, m.Const) and whose.value == board.sites


def _normal(v: EvaluatorValues, e: m.Expr) -> m.Expr:
    return Normalizer(v.rules, v.view, v.mover)(e)


@define
class Uncrossed:
    """For each direction (of every two opposite ones) the sites where a link could begin."""

    v: EvaluatorValues
    directions: list[tuple[Step, Words]]

    @classmethod
    def of(cls, v: EvaluatorValues, path: CheapestPath) -> Uncrossed | None:
        """Written where the path begins; None when none of its steps goes along links."""
        if not any(goes_uncrossed(v, step) for step in path.steps):
            return None
        w, layout = v.w, v.layout
        begins = _begins(layout)
        room = layout.scratch(len(begins) * layout.words)
        for number, sites in enumerate(begins.values()):
            w.store("g.scratch", str(room + number * layout.words), w.constant(sites))
        table, row = _closed_table(layout, list(begins))
        word, rest, index = w.fresh("i"), w.fresh("m"), w.fresh("i")
        with w.block(f"for {word} in range({layout.link_words}):"):
            w.put(f"{rest} = g.state[{layout.links} + {word}]")
            with w.block(f"while {rest} != 0:"):
                link = w.let(f"{word} * 64 + trailing({rest})", "n")
                w.put(f"{rest} = {rest} & wrap_add({rest}, -1)")
                base = w.let(f"{table} + {link} * {row}", "k")
                with w.block(f"for {index} in range(g.tables[{base}]):"):
                    at = w.let(f"g.tables[{base} + 1 + {index}]", "k")
                    cell = w.let(f"{room} + ({at} >> 6)", "k")
                    w.put(f"g.scratch[{cell}] = g.scratch[{cell}] & ~wrap_shl(1, {at} & 63)")
        loaded = [w.load("g.scratch", str(room + i * layout.words)) for i in range(len(begins))]
        return cls(v, list(zip(begins, loaded, strict=True)))

    def near(self, words: Words) -> Words:
        """The sites that could be linked with a set."""
        w, width = self.v.w, self.v.board.width
        found = w.constant(0)
        for (dx, dy), begins in self.directions:
            by = dy * width + dx
            there = w.shifted(w.both(words, begins), by)
            back = w.both(w.shifted(words, -by), begins)
            found = w.each("{0} | {1} | {2}", found, there, back)
        return found


def _begins(layout: StateLayout) -> dict[Step, int]:
    """For each direction of the links the sites where one may begin; numbers rise along it."""
    board, table = layout.rules.board, layout.link_table
    assert table is not None
    found: dict[Step, int] = {}
    for a, b in table.ends:
        step = (board.columns[b] - board.columns[a], board.rows[b] - board.rows[a])
        found[step] = found.get(step, 0) | 1 << a
    return found


def _closed_table(layout: StateLayout, directions: list[Step]) -> tuple[int, int]:
    """For each link the places (as bits) of the links that it crosses; and a row's length."""
    table, board = layout.link_table, layout.rules.board
    assert table is not None
    crossing, row = layout.crossing_table
    place = []
    for a, b in table.ends:
        step = (board.columns[b] - board.columns[a], board.rows[b] - board.rows[a])
        place.append(directions.index(step) * layout.words * 64 + a)
    most = (row - 1) // 3
    values: list[int] = []
    for number in range(len(table.ends)):
        base = crossing + number * row
        count = layout.table[base]
        closed = [place[layout.table[base + 1 + 3 * i]] for i in range(count)]
        values += [count, *closed, *([0] * (most - count))]
    return layout.add("closed links", values), 1 + most
