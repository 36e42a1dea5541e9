"""Rules and evaluators with tracepoints: what is reached, and which values conditions have.

In: rules, or an evaluator and the name of its file.  Out: the same in which statements, conditions
and their parts (of an evaluator also scans, steps of paths and values that this file writes) tell a
`Tracer` what they come to.  They play and judge alike; the reference knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import nodes
from rulewright.records import record
from rulewright.reference.evaluate import WALK, evaluate
from rulewright.reference.position import Context

Listener = Callable[["TracePoint", Any, Context], None]


@frozen
class TracePoint:
    """A place that notes come from: `kind` of clause, its origin, and which part of it."""

    number: int
    kind: str
    origin: int
    node: Any = field(eq=False, repr=False)
    owner: str = ""
    depth: int = 0
    """The place of the statement in the body of its move or action, from 0."""


@define(eq=False)
class Tracer:
    """The points of one game, and who listens."""

    points: list[TracePoint] = field(factory=list)
    listener: Listener | None = None

    def point(
        self, kind: str, origin: int, node: Any, owner: str = "", depth: int = 0
    ) -> TracePoint:
        """A new point."""
        found = TracePoint(len(self.points), kind, origin, node, owner, depth)
        self.points.append(found)
        return found


@record
class Traced(m.Expression):
    """An expression whose value is noted."""

    body: Expr
    point: TracePoint
    tracer: Tracer

    __hash__ = object.__hash__


def _noted(e: Traced, c: Context) -> Any:
    value = evaluate(e.body, c)
    if e.tracer.listener is not None:
        e.tracer.listener(e.point, value, c)
    return value


WALK[Traced] = _noted
_TRUE = Const(Type.TRUTH, True)


@define
class Instrumenter:
    """Puts notes into one game."""

    tracer: Tracer
    owner: str = ""
    depth: int = 0
    at: int = 0
    """The line that is under way, for parts that have none of their own."""

    # --- expressions: truths and choices between values ---

    def condition(self, e: Expr, kind: str, origin: int) -> Expr:
        """A condition, and the parts of an `and` or `or`."""
        if isinstance(e, Const):
            return e
        point = self.tracer.point(kind, origin or e.origin or self.at, e, self.owner, self.depth)
        inner = self.parts(e)
        return Traced(e.type, inner, point, self.tracer, origin=e.origin)  # type: ignore[return-value]

    def parts(self, e: Expr) -> Expr:
        """An expression whose own parts are noted where they can come out either way."""
        match e:
            case m.Logic(_, _, items):
                return evolve(e, items=tuple(self.condition(i, "part", i.origin) for i in items))
            case m.Conditional():
                return evolve(
                    e,
                    condition=self.condition(e.condition, "part", e.origin),
                    then=self.parts(e.then),
                    otherwise=self.parts(e.otherwise),
                )
            case m.Apply(_, "not", (inner,)):
                return evolve(e, arguments=(self.parts(inner),))
            case m.Apply(_, _, arguments) if arguments:
                return evolve(e, arguments=tuple(self.parts(a) for a in arguments))
            case m.Viewed() | m.Quantified() | m.Change():
                return evolve(e, body=self.parts(e.body))
        return e

    # --- statements ---

    def body(self, body: tuple[r.Effect, ...], top: bool = False) -> tuple[r.Effect, ...]:
        """Statements, each after a note that it is reached."""
        found: list[r.Effect] = []
        for number, statement in enumerate(body):
            if top:
                self.depth = number
            found.append(self.reached(statement))
            found.append(self.statement(statement))
        return tuple(found)

    def reached(self, statement: r.Effect) -> r.Need:
        """A note that is no test."""
        kind = type(statement).__name__.lower()
        point = self.tracer.point(kind, statement.origin, statement, self.owner, self.depth)
        note: Any = Traced(Type.TRUTH, _TRUE, point, self.tracer, origin=statement.origin)
        return r.Need(note, origin=statement.origin)

    def statement(self, s: r.Effect) -> r.Effect:
        """A statement with its expressions noted."""
        self.at = s.origin
        match s:
            case r.Need():
                return evolve(s, condition=self.condition(s.condition, "need", s.origin))
            case r.If():
                return evolve(
                    s,
                    condition=self.condition(s.condition, "if", s.origin),
                    then=self.body(s.then),
                    otherwise=self.body(s.otherwise),
                )
            case r.Choose():
                return evolve(s, domain=self.valued(s.domain, "choice", s.origin))
            case r.Let() | r.Assign():
                return evolve(s, value=self.parts(s.value))
            case r.Put() | r.Clear():
                return evolve(s, sites=self.valued(s.sites, "effect", s.origin))
            case r.MoveEach() | r.LinkEach():
                return evolve(s, domain=self.valued(s.domain, "effect", s.origin))
            case r.Link():
                return evolve(s, target=self.valued(s.target, "effect", s.origin))
        return s

    def valued(self, e: Expr, kind: str, origin: int) -> Expr:
        """A set whose emptiness matters."""
        if isinstance(e, Const):
            return e
        point = self.tracer.point(kind, origin, e, self.owner, self.depth)
        return Traced(e.type, self.parts(e), point, self.tracer, origin=e.origin)  # type: ignore[return-value]

    # --- the whole ---

    def rules(self, rules: r.Rules) -> r.Rules:
        """The whole game."""
        return evolve(
            rules,
            functions=tuple(self.function(f) for f in rules.functions),
            actions=tuple(self._named(a, "action") for a in rules.actions),
            moves=tuple(self._named(v, "move") for v in rules.moves),
            ends=tuple(self._end(e) for e in rules.ends),
        )

    def _named(self, one: Any, what: str) -> Any:
        self.owner = f"{what} {one.name}"
        return evolve(one, body=self.body(one.body, top=True))

    def function(self, f: m.Function) -> m.Function:
        """A definition; the values of its bodies are noted."""
        self.at = f.origin
        self.owner, self.depth = f"let {f.name}", 0
        return evolve(f, bodies=tuple(self._body(b, f.origin) for b in f.bodies))

    def _body(self, body: Expr, origin: int) -> Expr:
        if isinstance(body, Const):
            return body  # its value stands wherever it is used
        if body.type is Type.TRUTH:
            return self.condition(body, "let", origin or body.origin)
        point = self.tracer.point("let", origin or body.origin, body, self.owner)
        return Traced(body.type, self.parts(body), point, self.tracer, origin=body.origin)  # type: ignore[return-value]

    def _end(self, end: r.End) -> r.End:
        self.owner, self.depth, self.at = "end", 0, end.origin
        point = self.tracer.point("end", end.origin, end)
        inner = self.parts(end.condition)
        noted: Any = Traced(Type.TRUTH, inner, point, self.tracer, origin=end.condition.origin)
        return evolve(end, condition=noted)


def instrumented(rules: r.Rules) -> tuple[r.Rules, Tracer]:
    """The rules with notes, and the tracer that they are written in."""
    tracer = Tracer()
    return Instrumenter(tracer).rules(rules), tracer


def instrumented_evaluator(evaluator: v.Evaluator, file: str) -> tuple[v.Evaluator, Tracer]:
    """The evaluator with notes, and the tracer that they are written in."""
    tracer = Tracer()
    return _Judged(tracer, file=file).evaluator(evaluator), tracer


@define
class _Judged(Instrumenter):
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
        point = self.tracer.point(kind, origin, e, self.owner)
        return Traced(e.type, self.parts(e), point, self.tracer, origin=e.origin)  # type: ignore[return-value]

    def _value(self, value: v.ValueOf) -> v.ValueOf:
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

    def _deeds(self, deeds: tuple[v.ScanEffect, ...]) -> tuple[v.ScanEffect, ...]:
        return tuple(self._deed(deed) for deed in deeds)

    def _deed(self, deed: v.ScanEffect) -> v.ScanEffect:
        match deed:
            case v.SetRegister():
                return evolve(deed, value=self._told(deed.value, "register", deed.origin))
            case v.If():
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
