"""Rules and evaluators with tracepoints: which clauses are reached, which values conditions have.

In: rules, or an evaluator and the name of its file.  Out: the same in which statements, conditions
and their parts (of an evaluator also scans, steps of paths and values that this file writes) tell a
`Tracer` what they come to.  They play and judge alike; the reference knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.ground.records import record
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import reachable_nodes
from rulewright.reference.evaluate import WALK, evaluate
from rulewright.reference.position import Context

Listener = Callable[["TracePoint", Any, Context], None]


@frozen
class TracePoint:
    """A clause, or a part of one, whose values a tracer is told: its `kind` and its origin."""

    number: int
    kind: str
    origin: int
    node: Any = field(eq=False, repr=False)
    owner: str = ""
    depth: int = 0
    """The place of the statement in the body of its move or action, from 0."""


@define(eq=False)
class Tracer:
    """The tracepoints of one game, and the listener that gets their values."""

    points: list[TracePoint] = field(factory=list)
    listener: Listener | None = None

    def point(
        self, kind: str, origin: int, node: Any, owner: str = "", depth: int = 0
    ) -> TracePoint:
        """A new point."""
        point = TracePoint(len(self.points), kind, origin, node, owner, depth)
        self.points.append(point)
        return point


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
    """Puts tracepoints into the rules of one game."""

    tracer: Tracer
    owner: str = ""
    depth: int = 0
    at: int = 0
    """The line that is under way, for parts that have none of their own."""

    # --- expressions: truths and choices between values ---

    def traced(self, e: Expr, kind: str, origin: int) -> Expr:
        """An expression whose value, and that of its parts, the tracer is told."""
        point = self.tracer.point(kind, origin or e.origin or self.at, e, self.owner, self.depth)
        return Traced(e.type, self.parts(e), point, self.tracer, origin=e.origin)  # type: ignore[return-value]

    def varying(self, e: Expr, kind: str, origin: int) -> Expr:
        """A traced expression; a constant stays as it is, for it always has the same value."""
        return e if isinstance(e, Const) else self.traced(e, kind, origin)

    def parts(self, e: Expr) -> Expr:
        """An expression with tracepoints in those parts of it that can be true or false."""
        match e:
            case m.Logic(_, _, items):
                return evolve(e, items=tuple(self.varying(i, "part", i.origin) for i in items))
            case m.Conditional():
                return evolve(
                    e,
                    condition=self.varying(e.condition, "part", e.origin),
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
        """Statements, each behind a tracepoint that says that it is reached."""
        statements: list[r.Effect] = []
        for number, statement in enumerate(body):
            if top:
                self.depth = number
            statements.append(self.reached(statement))
            statements.append(self.statement(statement))
        return tuple(statements)

    def reached(self, statement: r.Effect) -> r.Need:
        """A `need` that always holds, whose tracepoint says that *statement* is reached."""
        kind = type(statement).__name__.lower()
        point = self.tracer.point(kind, statement.origin, statement, self.owner, self.depth)
        note: Any = Traced(Type.TRUTH, _TRUE, point, self.tracer, origin=statement.origin)
        return r.Need(note, origin=statement.origin)

    def statement(self, s: r.Effect) -> r.Effect:
        """A statement with its expressions traced."""
        self.at = s.origin
        match s:
            case r.Need():
                return evolve(s, condition=self.varying(s.condition, "need", s.origin))
            case r.If():
                return evolve(
                    s,
                    condition=self.varying(s.condition, "if", s.origin),
                    then=self.body(s.then),
                    otherwise=self.body(s.otherwise),
                )
            case r.Choose():
                return evolve(s, domain=self.varying(s.domain, "choice", s.origin))
            case r.Each():
                domain = self.varying(s.domain, "effect", s.origin)
                return evolve(s, domain=domain, body=self.body(s.body))
            case r.Let() | r.Assign():
                return evolve(s, value=self.parts(s.value))
            case r.Put() | r.Clear():
                return evolve(s, sites=self.varying(s.sites, "effect", s.origin))
            case r.MoveEach() | r.LinkEach():
                return evolve(s, domain=self.varying(s.domain, "effect", s.origin))
            case r.Link():
                return evolve(s, target=self.varying(s.target, "effect", s.origin))
        return s

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

    def _named(self, part: Any, kind: str) -> Any:
        self.owner = f"{kind} {part.name}"
        return evolve(part, body=self.body(part.body, top=True))

    def function(self, f: m.Function) -> m.Function:
        """A definition with its bodies traced."""
        self.at = f.origin
        self.owner, self.depth = f"let {f.name}", 0
        return evolve(f, bodies=tuple(self.varying(body, "let", f.origin) for body in f.bodies))

    def _end(self, end: r.End) -> r.End:
        self.owner, self.depth, self.at = "end", 0, end.origin
        point = self.tracer.point("end", end.origin, end)
        inner = self.parts(end.condition)
        noted: Any = Traced(Type.TRUTH, inner, point, self.tracer, origin=end.condition.origin)
        return evolve(end, condition=noted)


def instrumented_rules(rules: r.Rules) -> tuple[r.Rules, Tracer]:
    """The rules with notes, and the tracer that they are written in."""
    tracer = Tracer()
    return Instrumenter(tracer).rules(rules), tracer


def instrumented_evaluator(evaluator: v.Evaluator, file: str) -> tuple[v.Evaluator, Tracer]:
    """The evaluator with notes, and the tracer that they are written in."""
    tracer = Tracer()
    return _EvaluatorInstrumenter(tracer, file=file).evaluator(evaluator), tracer


@define
class _EvaluatorInstrumenter(Instrumenter):
    """Puts tracepoints into one evaluator."""

    file: str = ""

    def evaluator(self, e: v.Evaluator) -> v.Evaluator:
        """The whole evaluator; what other files say stays as it is."""

        def own(part: Any) -> bool:
            return bool(e.origins[part.origin].file == self.file)

        definitions = _definitions_of(e)
        functions = (
            self.function(f) if own(f) and (f.name or n in definitions) else f
            for n, f in enumerate(e.functions)
        )
        return evolve(
            e,
            functions=tuple(functions),
            scans=tuple(self._scan(s) if own(s) else s for s in e.scans),
            paths=tuple(self._path(p) if own(p) else p for p in e.paths),
            values=tuple(self._value(u) if own(u) else u for u in e.values),
        )

    def _value(self, value: v.ValueOf) -> v.ValueOf:
        self.owner, self.at = f"value {value.name}", value.origin
        parts = (self.varying(part, "value", value.origin) for part in value.parts)
        return evolve(value, parts=tuple(parts))

    # --- scans ---

    def _scan(self, scan: v.Scan) -> v.Scan:
        self.owner, self.at = f"scan {scan.name}", scan.origin
        reactions = (evolve(r, deeds=self._deeds(r.deeds)) for r in scan.reactions)
        give = self.traced(scan.give, "scan", scan.origin)
        return evolve(scan, reactions=tuple(reactions), give=give)

    def _deeds(self, deeds: tuple[v.ScanEffect, ...]) -> tuple[v.ScanEffect, ...]:
        return tuple(self._deed(deed) for deed in deeds)

    def _deed(self, deed: v.ScanEffect) -> v.ScanEffect:
        match deed:
            case v.SetRegister():
                return evolve(deed, value=self.traced(deed.value, "register", deed.origin))
            case v.If():
                return evolve(
                    deed,
                    condition=self.varying(deed.condition, "if", deed.origin),
                    then=self._deeds(deed.then),
                    otherwise=self._deeds(deed.otherwise),
                )
        return deed

    # --- paths ---

    def _path(self, path: v.CheapestPath) -> v.CheapestPath:
        self.owner = f"path {path.name}"
        return evolve(path, steps=tuple(self._step(s) for s in path.steps))

    def _step(self, step: v.PathStep) -> v.PathStep:
        self.at = step.origin
        when = self.varying(step.when, "when", step.origin)
        return evolve(step, when=when, cost=self.traced(step.cost, "step", step.origin))


def _definitions_of(e: v.Evaluator) -> set[int]:
    """The definitions that values ask for; claims and explanations have some of their own."""
    parts = [value.parts for value in e.values]
    nodes = reachable_nodes([parts, e.scans, e.paths], e.functions)
    return {node.function for node in nodes if isinstance(node, m.CallFunction)}
