"""An evaluator with notes in it; see `instrument.py`, which does the same for rules.

In: an evaluator and the name of its file.  Out: an evaluator of the same values in which the
definitions, conditions, scans, steps of paths and values that this file writes tell a `Notebook`
what they come to.
"""

from __future__ import annotations

from typing import Any

from attrs import define, evolve

from rulewright.checks.instrument import Notebook, Noted, Writer
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr
from rulewright.model.walk import nodes


def instrumented_evaluator(evaluator: v.Evaluator, file: str) -> tuple[v.Evaluator, Notebook]:
    """The evaluator with notes, and the book that they are written in."""
    book = Notebook()
    return _Judged(book, file=file).evaluator(evaluator), book


@define
class _Judged(Writer):
    """Puts notes into one evaluator."""

    file: str = ""

    def evaluator(self, e: v.Evaluator) -> v.Evaluator:
        """The whole evaluator; what other files say stays as it is."""

        def own(one: Any) -> bool:
            return bool(e.origins[one.origin].file == self.file)

        asked = _asked(e)
        functions = (
            self.function(f) if own(f) and (f.name or n in asked) else f
            for n, f in enumerate(e.functions)
        )
        return evolve(
            e,
            functions=tuple(functions),
            scans=tuple(self._scan(s) if own(s) else s for s in e.scans),
            paths=tuple(self._path(p) if own(p) else p for p in e.paths),
            values=tuple(self._value(u) if own(u) else u for u in e.values),
        )

    def _told(self, e: Expr, kind: str, origin: int) -> Expr:
        """A number that is noted whenever it is asked for."""
        spot = self.book.spot(kind, origin, e, self.owner)
        return Noted(e.type, self.parts(e), spot, self.book, origin=e.origin)  # type: ignore[return-value]

    def _value(self, value: v.Value) -> v.Value:
        self.owner, self.at = f"value {value.name}", value.origin
        parts = tuple(
            self.parts(p) if isinstance(p, Const) else self._told(p, "value", value.origin)
            for p in value.parts
        )
        return evolve(value, parts=parts)

    # --- scans ---

    def _scan(self, scan: v.Scan) -> v.Scan:
        self.owner, self.at = f"scan {scan.name}", scan.origin
        reactions = (evolve(r, deeds=self._deeds(r.deeds)) for r in scan.reactions)
        give = self._told(scan.give, "scan", scan.origin)
        return evolve(scan, reactions=tuple(reactions), give=give)

    def _deeds(self, deeds: tuple[v.Deed, ...]) -> tuple[v.Deed, ...]:
        return tuple(self._deed(deed) for deed in deeds)

    def _deed(self, deed: v.Deed) -> v.Deed:
        match deed:
            case v.SetRegister():
                return evolve(deed, value=self._told(deed.value, "register", deed.origin))
            case v.Test():
                return evolve(
                    deed,
                    condition=self.condition(deed.condition, "if", deed.origin),
                    then=self._deeds(deed.then),
                    otherwise=self._deeds(deed.otherwise),
                )
        return deed

    # --- paths ---

    def _path(self, path: v.CheapestPath) -> v.CheapestPath:
        self.owner = f"path {path.name}"
        return evolve(path, steps=tuple(self._step(s) for s in path.steps))

    def _step(self, step: v.PathStep) -> v.PathStep:
        when, self.at = step.when, step.origin
        if not isinstance(when, Const):
            when = self.condition(when, "when", step.origin)
        return evolve(step, when=when, cost=self._told(step.cost, "step", step.origin))


def _asked(e: v.Evaluator) -> set[int]:
    """The definitions that values ask for; claims and explanations have some of their own."""
    asked: set[int] = set()
    parts = [value.parts for value in e.values]
    todo: list[Any] = list(nodes(parts, e.scans, e.paths))
    while todo:
        node = todo.pop()
        if isinstance(node, m.CallFunction) and node.function not in asked:
            asked.add(node.function)
            todo += nodes(e.functions[node.function].bodies)
    return asked
