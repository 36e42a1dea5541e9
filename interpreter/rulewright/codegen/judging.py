"""Expressions of evaluators as kernel text: factors, tables, scans, paths, and what moves change.

In: an expression of an evaluator, and for values of moves what the judged move has chosen.  Out:
lines in a `Writer`, and a value.  Whole numbers are i64, others f64, worked out in the order of the
reference, so that both agree to the last bit; a whole factor lies in `factors` as the float of the
same 64 bits.  Refuses (`NoPlan`) what `scans.py`, `ways.py`, `changes.py` and `reals.py` refuse.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field, frozen

from rulewright.codegen.changes import changed
from rulewright.codegen.families import each_set
from rulewright.codegen.lift import attempt, numbers_by_site
from rulewright.codegen.operations import OPERATIONS
from rulewright.codegen.plain import Plainer
from rulewright.codegen.plan import NoPlan
from rulewright.codegen.rays import ray_words
from rulewright.codegen.reals import REALS, finite
from rulewright.codegen.scans import scanned
from rulewright.codegen.shapes import quantified
from rulewright.codegen.sums import line_sum
from rulewright.codegen.touched import Grouped
from rulewright.codegen.values import Forms, Site, Value, Values
from rulewright.codegen.ways import cheapest
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import nodes


@frozen(eq=False)
class Shared:
    """What all decisions of a position share, while one player decides.

    `before` are numbers, by view and expression, with the place in X where they lie; `guards` are
    sums that have to be tested once.
    """

    before: dict[tuple[int, Expr], int] = field(factory=dict)
    guards: dict[tuple[int, Expr], Grouped] = field(factory=dict)


@frozen(eq=False)
class Judged:
    """The move that is judged, and what it has chosen, by name and by slot.

    `bodies` are the numbers whose changes the value asks for; `changes` are the names of those that
    are known.
    """

    move: int
    by_name: Mapping[str, Value]
    by_slot: Mapping[int, Value]
    shared: Shared
    bodies: tuple[Expr, ...] = ()
    changes: dict[tuple[int, Expr], str] = field(factory=dict)


@define
class Judging(Values):
    """Writes the expressions that only evaluators have, and numbers that are not whole."""

    judge: ev.Evaluator = field(kw_only=True)
    judged: Judged | None = field(default=None, kw_only=True)

    def number(self, e: Expr) -> str:
        """A number of the expression's own type."""
        found: str = self.value(e)
        return found

    def no_overflow(self, name: str, real: bool = False) -> None:
        """A fault when a number has grown beyond its bounds; it is 0 then."""
        if real:
            finite(self, name)
        else:
            super().no_overflow(name)

    def value(self, e: Expr) -> Value:
        """The value of any expression but a family."""
        match e:
            case m.FactorValue(index=index):
                cell = (
                    f"factors[{index}]" if e.type is Type.REAL else f"float_bits(factors[{index}])"
                )
                return self.w.let(cell, "f")
            case m.ScanValue():
                with self.at(self.judge.scans[e.scan].origin):
                    return scanned(self, e)
            case m.PathValue(path=number):
                path = self.judge.paths[number]
                with self.at(path.origin):
                    return cheapest(self, path, e.type)
            case m.Const(type=Type.REAL):
                return repr(e.value)
            case m.Chosen(name=name):
                if self.judged is None:
                    raise NoPlan("what a move chooses, where no move is judged")
                return self.judged.by_name[name]
            case m.Change():
                return changed(self, e)
            case m.Each(type=Type.INT) | m.CallFunction(type=Type.INT):
                found = self._by_site(e)
                if found is not None:
                    return found
        return super().value(e)

    def _by_site(self, e: Expr) -> str | None:
        """A number that depends on a site alone, worked out now for every site."""
        whole = Plainer(self.plan.rules, self.view, self.mover)(e)
        inner = {slot for n in nodes(whole) if isinstance(n, m.Each) for slot in n.slots}
        free = {n.slot for n in nodes(whole) if isinstance(n, m.Local)} - inner
        slot = next(iter(free), None)
        if len(free) != 1 or slot is None or not isinstance(self.frame.get(slot), Site):
            return None
        values = numbers_by_site(self.plan.rules, whole, slot)
        if values is None:
            return None
        table = self.plan.number_table(f"by site {values}", values)
        return self.w.let(f"g.tables[{table} + {self.frame[slot].number}]", "n")


def _fast(v: Values, e: m.Each) -> Value:
    if e.quantifier == "sum":
        return attempt(v.w, lambda: line_sum(v, e))
    return attempt(v.w, lambda: quantified(v, e))


def _written_out(v: Values, e: m.CallFunction) -> Value:
    """Definitions of evaluators may ask for factors, which kernels of definitions do not take."""
    del v, e
    return None


FORMS = Forms({**OPERATIONS, **REALS}, each_set, ray_words, _fast, _written_out)
