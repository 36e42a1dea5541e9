"""Steps along links that nothing crosses, by whole sets.

In: a step of a path.  Out: whether it goes wherever a link could be made (`when not crossed(a, b)`,
by links of anybody, into sites and at a cost that do not depend on where it begins); then all such
steps of a set are taken at once.  For each direction the sites where a link may begin lie in X:
all of them first, less those of the links that are crossed by one that is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from rulewright.codegen.lift import uses_slot
from rulewright.codegen.plain import Plainer, is_apply
from rulewright.codegen.plan import Plan
from rulewright.codegen.writer import Words
from rulewright.model import expressions as m
from rulewright.model.board import Step
from rulewright.model.evaluation import CheapestPath, PathStep

if TYPE_CHECKING:
    from rulewright.codegen.judging import Judging


def goes_uncrossed(v: Judging, step: PathStep) -> bool:
    """Whether a step goes wherever a link could be made, and nothing else depends on its sites."""
    if step.linked or not step.named or not v.plan.link_table:
        return False
    if any(uses_slot(_plain(v, e), slot) for e in (step.into, step.cost) for slot in (0, 1)):
        return False
    kind = v.plan.rules.links[0]
    board = v.plan.rules.board
    links = {*kind.steps, *map(board.opposite, kind.steps)}
    if not isinstance(step.steps, m.Const) or {*step.steps.value} != links:  # type: ignore[misc]
        return False
    when = _plain(v, step.when)
    if not is_apply(when, "not") or not is_apply(when.arguments[0], "crossed"):
        return False
    one, other, whose = when.arguments[0].arguments
    named = {e.slot for e in (one, other) if isinstance(e, m.Local)}
    return named == {0, 1} and isinstance(whose, m.Const) and whose.value == board.sites


def _plain(v: Judging, e: m.Expr) -> m.Expr:
    return Plainer(v.plan.rules, v.view, v.mover)(e)


@define
class Uncrossed:
    """For each direction (of every two opposite ones) the sites where a link could begin."""

    v: Judging
    directions: list[tuple[Step, Words]]

    @classmethod
    def of(cls, v: Judging, path: CheapestPath) -> Uncrossed | None:
        """Written where the path begins; None when none of its steps goes along links."""
        if not any(goes_uncrossed(v, step) for step in path.steps):
            return None
        w, plan = v.w, v.plan
        begins = _begins(plan)
        room = plan.scratch(len(begins) * plan.words)
        for number, sites in enumerate(begins.values()):
            w.store("g.scratch", str(room + number * plan.words), w.constant(sites))
        table, row = _closed_table(plan, list(begins))
        word, rest, index = w.fresh("i"), w.fresh("m"), w.fresh("i")
        with w.block(f"for {word} in range({plan.link_words}):"):
            w.put(f"{rest} = g.state[{plan.links} + {word}]")
            with w.block(f"while {rest} != 0:"):
                link = w.let(f"{word} * 64 + trailing({rest})", "n")
                w.put(f"{rest} = {rest} & wrap_add({rest}, -1)")
                base = w.let(f"{table} + {link} * {row}", "k")
                with w.block(f"for {index} in range(g.tables[{base}]):"):
                    at = w.let(f"g.tables[{base} + 1 + {index}]", "k")
                    cell = w.let(f"{room} + ({at} >> 6)", "k")
                    w.put(f"g.scratch[{cell}] = g.scratch[{cell}] & ~wrap_shl(1, {at} & 63)")
        loaded = [w.load("g.scratch", str(room + i * plan.words)) for i in range(len(begins))]
        return cls(v, list(zip(begins, loaded, strict=True)))

    def near(self, words: Words) -> Words:
        """The sites that could be linked with a set."""
        w, width = self.v.w, self.v.plan.rules.board.width
        found = w.constant(0)
        for (dx, dy), begins in self.directions:
            by = dy * width + dx
            there = w.shifted(w.each("{0} & {1}", words, begins), by)
            back = w.each("{0} & {1}", w.shifted(words, -by), begins)
            found = w.each("{0} | {1} | {2}", found, there, back)
        return found


def _begins(plan: Plan) -> dict[Step, int]:
    """For each direction of the links the sites where one may begin; numbers rise along it."""
    board, table = plan.rules.board, plan.link_table
    assert table is not None
    found: dict[Step, int] = {}
    for a, b in table.ends:
        step = (board.columns[b] - board.columns[a], board.rows[b] - board.rows[a])
        found[step] = found.get(step, 0) | 1 << a
    return found


def _closed_table(plan: Plan, directions: list[Step]) -> tuple[int, int]:
    """For each link the places in X (as bits) of the links that it crosses; and a row's length."""
    table, board = plan.link_table, plan.rules.board
    assert table is not None
    crossing, row = plan.crossing_table
    place = []
    for a, b in table.ends:
        step = (board.columns[b] - board.columns[a], board.rows[b] - board.rows[a])
        place.append(directions.index(step) * plan.words * 64 + a)
    most = (row - 1) // 3
    values: list[int] = []
    for number in range(len(table.ends)):
        base = crossing + number * row
        count = plan.table[base]
        closed = [place[plan.table[base + 1 + 3 * i]] for i in range(count)]
        values += [count, *closed, *([0] * (most - count))]
    return plan.add("closed links", values), 1 + most
