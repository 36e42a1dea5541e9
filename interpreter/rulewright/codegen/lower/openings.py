"""Lines of openings as kernels.

In: a layout, an evaluator and some of its opening lines.  Out: a module, `Linked`, with
`opens(g, factors, last, line)`, whether the condition of a line holds, and
`wanted_by(g, factors, last, line, number, site)`, whether one of its sets holds a site.  `last` are
the sites of the last decisions, the last one first.  Refuses what evaluators have no kernels for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from rulewright.codegen.backend import Linked
from rulewright.codegen.ir.nodes import Expr, Function, Local, choice
from rulewright.codegen.ir.types import FLOATS, INT, INTS
from rulewright.codegen.layout import MOVER, StateLayout
from rulewright.codegen.lower.evaluators import FORMS, EvaluatorValues
from rulewright.codegen.lower.game import module_of
from rulewright.codegen.lower.values import Site
from rulewright.codegen.lower.writer import Writer, at, signature
from rulewright.model import evaluation as ev
from rulewright.records import Record

_MORE = (("factors", FLOATS), ("last", INTS))
_LINE, _NUMBER, _SITE = (Local(name, INT) for name in ("line", "number", "site"))


def lower_openings(
    layout: StateLayout, evaluator: ev.Evaluator, lines: Sequence[ev.OpeningLine]
) -> Linked:
    """The module of some lines; its tables are added to those of *layout*."""
    lowering = _Lines(layout.for_definitions(evaluator.functions), evaluator, lines)
    found = list(lowering.functions())
    layout.scratch_size = lowering.layout.scratch_size
    module = module_of(layout, {"how_many": signature("n")})
    module.add([*lowering.layout.kernels, *found])
    return Linked.of(module)


@frozen(repr=False, eq=False)
class _Lines(Record):
    layout: StateLayout
    evaluator: ev.Evaluator
    lines: Sequence[ev.OpeningLine]

    def functions(self) -> Iterator[Function]:
        """Both kernels."""
        yield self._kernel("opens", (_LINE,), self._conditions)
        yield self._kernel("wanted_by", (_LINE, _NUMBER, _SITE), self._sets)

    def _kernel(
        self, name: str, numbers: tuple[Local, ...], write: Callable[[EvaluatorValues], None]
    ) -> Function:
        """A kernel that asks who is at move first."""
        w = Writer(layout=self.layout)
        for mover in (0, 1):
            with w.when(at("g.state", MOVER).eq(mover)):
                write(
                    EvaluatorValues(FORMS, self.layout, w, mover, mover, evaluator=self.evaluator)
                )
        return w.function(name, signature(*(n.name for n in numbers), more=_MORE), 0)

    def _conditions(self, v: EvaluatorValues) -> None:
        for number, line in enumerate(self.lines):
            with v.w.when(_LINE.eq(number)):
                v.frame = self._frame(line)
                self._give(v, v.truth(line.condition))

    def _sets(self, v: EvaluatorValues) -> None:
        for number, line in enumerate(self.lines):
            for place, sites in enumerate(line.sets):
                with v.w.when(_LINE.eq(number) & _NUMBER.eq(place)):
                    v.frame = self._frame(line)
                    self._give(v, v.sites(sites).has(_SITE).ne(0))

    def _give(self, v: EvaluatorValues, found: Expr) -> None:
        v.w.give(choice(found, 1, 0))

    def _frame(self, line: ev.OpeningLine) -> dict[int, object]:
        return {slot: Site(at("last", slot)) for slot in range(line.last)}
