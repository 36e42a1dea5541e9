"""The module of a value: what a position, or a decision, is worth, as kernels.

In: an evaluator, one of its values, and the plan of its game.  Out: a module, `Linked`.

- `parts(g, factors, parts, at)` writes all parts of the value, for the player it is said for.
- `value(g, factors)`, for values of positions with one part, is bigger for the first colour.
- For values of moves `worth(g, factors, at)` is the first part, bigger for the first colour, of the
  decision in the row at word `at`, and `judges(rows, at)` whether that decision is judged.
  `look(g, factors)` has to be called first in every position: it works out what decisions share.

A part that is not whole is written as its 64 bits.  A whole number that a float cannot hold sets
`g.scratch.rounded`, and the reference decides.  Refuses (`NoPlan`) moves whose decisions can be the
same decision though something else was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from attrs import evolve, frozen

from rulewright.codegen import touched
from rulewright.codegen.choices import distinct
from rulewright.codegen.judging import FORMS, Judged, Judging, Shared
from rulewright.codegen.moves import MoveWriter
from rulewright.codegen.plan import NoPlan, Plan
from rulewright.codegen.source import Linked
from rulewright.codegen.subset import Signature
from rulewright.codegen.writer import Writer
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model.expressions import MOVER, Expr, Type
from rulewright.model.walk import nodes
from rulewright.reference.evaluation import chosen_slots

HEAD = "g: Game, factors: floats"
PASSED = "g, factors"
_FIELDS = ("state", "tables", "rows", "past", "scratch", "trial")
_FLAT = (*((f"g.{name}", "ints") for name in _FIELDS), ("n", "i64"))
_COUNTING = {"how_many": Signature((("g", "Game"), ("n", "i64")), "i64", _FLAT)}
"""What an evaluator may call of its game."""


def value_kernels(plan: Plan, evaluator: ev.Evaluator, value: ev.Value) -> Linked:
    """The module of a value; its tables are added to those of *plan*."""
    module = _Module(_own_plan(plan, evaluator), evaluator, value)
    head = f'"""Value {value.name} of {evaluator.name}."""\n\n\n{plan.records()}'
    parts = [head, *module.texts()]
    plan.scratch_size = module.plan.scratch_size
    parts[1:1] = module.plan.kernels
    return Linked("\n\n\n".join(parts) + "\n", _COUNTING)


def draws_chance(kernels: Linked) -> bool:
    """Whether a value asks for `random`."""
    return "g.scratch.chance = " in kernels.text


def _own_plan(plan: Plan, evaluator: ev.Evaluator) -> Plan:
    """The same places and tables, but definitions of the evaluator and kernels of its own."""
    inner = copy(plan)
    inner.rules = evolve(plan.rules, functions=evaluator.functions)
    inner.shared, inner.kernels, inner.sizes, inner.notes = {}, [], {}, {}
    return inner


@frozen
class _Case:
    """Who decides, and which move is judged (None: a position is)."""

    mover: int
    move: int | None

    def name(self, part: int) -> str:
        """The kernel of one part."""
        return f"part{part}_{'p' if self.move is None else self.move}_{self.mover}"

    @property
    def test(self) -> str:
        """When this case is the present one."""
        who = f"g.state.mover == {self.mover}"
        return who if self.move is None else f"{who} and g.rows[at] == {self.move}"


@frozen
class _Module:
    """The kernels of one value."""

    plan: Plan
    evaluator: ev.Evaluator
    value: ev.Value

    def texts(self) -> Iterator[str]:
        """One text for each kernel."""
        cases = [_Case(who, n) for who in (0, 1) for n in self.value.moves or (None,)]
        shared = (Shared(), Shared())
        for case in cases:
            yield from self._parts(case, shared[case.mover])
        yield self._all_parts(cases)
        if not self.value.of_move:
            if len(self.value.parts) == 1:
                yield self._first(cases, "value", "")
            return
        yield self._first(cases, "worth", ", at: i64")
        yield from self._looks(shared)
        known = " or ".join(f"rows[at] == {n}" for n in self.value.moves)
        yield f"def judges(rows: ints, at: i64) -> i64:\n    return 1 if {known} else 0"

    def _judging(self, mover: int, judged: Judged | None = None) -> Judging:
        view = mover if self.value.player == MOVER else self.value.player
        writer = Writer(self.plan)
        return Judging(FORMS, self.plan, writer, view, mover, judge=self.evaluator, judged=judged)

    def _parts(self, case: _Case, shared: Shared) -> Iterator[str]:
        for number, part in enumerate(self.value.parts):
            v = self._judging(case.mover)
            if case.move is not None:
                v.judged = self._judged(v, case.move, part, shared)
                v.w.books = [v.judged.changes, shared.before, shared.guards]
            found = v.number(part)
            gives = "f64" if part.type is Type.REAL else "i64"
            head = f"def {case.name(number)}({HEAD}, at: i64) -> {gives}:"
            yield "\n".join([head, *v.w.lines, f"    return {found}"])

    def _judged(self, v: Judging, number: int, part: Expr, shared: Shared) -> Judged:
        move = self.plan.rules.moves[number]
        if not distinct(move, self.plan.rules):
            raise NoPlan(f"different choices of `{move.name}` can be the same decision")
        by_slot = MoveWriter(self.plan, number, v.mover, 0).choices(v)
        by_name = {name: by_slot[slot] for name, slot in chosen_slots(move)}
        bodies = tuple(dict.fromkeys(_bodies(part, self.plan)))
        return Judged(number, by_name, by_slot, shared, bodies)

    def _all_parts(self, cases: Sequence[_Case]) -> str:
        lines = [f"def parts({HEAD}, parts: ints, at: i64) -> None:"]
        for case in cases:
            lines.append(f"    if {case.test}:")
            for number, part in enumerate(self.value.parts):
                call = f"{case.name(number)}({PASSED}, at)"
                bits = f"float_bits({call})" if part.type is Type.REAL else call
                lines.append(f"        parts[{number}] = {bits}")
            lines.append("        return")
        return "\n".join([*lines, "    return"])

    def _first(self, cases: Sequence[_Case], name: str, more: str) -> str:
        """The first part as a float, bigger for the first colour."""
        whole = self.value.parts[0].type is not Type.REAL
        lines = [f"def {name}({HEAD}{more}) -> f64:"]
        for case in cases:
            view = case.mover if self.value.player == MOVER else self.value.player
            r, most = f"r{case.mover}", touched.EXACT
            lines.append(f"    if {case.test}:")
            lines.append(f"        {r} = {case.name(0)}({PASSED}, {'at' if more else '0'})")
            if whole:
                lines.append(f"        if {r} > {most} or {r} < -{most}:")
                lines.append("            g.scratch.rounded = 1")
            lines.append(f"        return {'-' * view}{f'real({r})' if whole else r}")
        return "\n".join([*lines, "    return 0.0"])

    def _looks(self, shared: Sequence[Shared]) -> Iterator[str]:
        """What all decisions of a position share, worked out once."""
        for mover, known in enumerate(shared):
            v = self._judging(mover)
            for (view, e), place in known.before.items():
                v.view, v.frame = view, {}
                found = v.number(e)
                bits = f"float_bits({found})" if e.type is Type.REAL else found
                v.w.put(f"g.scratch[{place}] = {bits}")
            for (view, _), form in known.guards.items():
                v.view, v.frame = view, {}
                touched.guard(v, form)
            yield "\n".join([f"def look_{mover}({HEAD}) -> None:", *v.w.lines, "    return"])
        lines = [f"def look({HEAD}) -> None:", "    if g.state.mover == 0:"]
        lines += [f"        look_0({PASSED})", "        return", f"    look_1({PASSED})"]
        yield "\n".join([*lines, "    return"])


def _bodies(part: Expr, plan: Plan) -> Iterator[Expr]:
    """The numbers whose change an expression asks for, also in the definitions that it calls."""
    todo, known = [part], set[int]()
    while todo:
        for node in nodes(todo.pop()):
            if isinstance(node, m.Change):
                yield node.body
            elif isinstance(node, m.CallFunction) and node.function not in known:
                known.add(node.function)
                todo += plan.rules.functions[node.function].bodies
