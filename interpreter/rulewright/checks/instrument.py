"""A game with notes in it: what is reached, and which values conditions have.

In: rules.  Out: the same rules in which statements, conditions and their parts tell a `Notebook`
what they come to.  They play alike; the reference knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.reference.evaluate import WALK, evaluate
from rulewright.reference.position import Context

Listener = Callable[["Spot", Any, Context], None]


@frozen
class Spot:
    """A place that notes come from: `kind` of clause, its origin, and which part of it."""

    number: int
    kind: str
    origin: int
    node: Any = field(eq=False, repr=False)
    owner: str = ""
    depth: int = 0
    """The place of the statement in the body of its move or action, from 0."""


@define(eq=False)
class Notebook:
    """The spots of one game, and who listens."""

    spots: list[Spot] = field(factory=list)
    listener: Listener | None = None

    def spot(self, kind: str, origin: int, node: Any, owner: str = "", depth: int = 0) -> Spot:
        """A new spot."""
        found = Spot(len(self.spots), kind, origin, node, owner, depth)
        self.spots.append(found)
        return found


@frozen(repr=False, eq=False)
class Noted(m.Expression):
    """An expression whose value is noted."""

    body: Expr
    spot: Spot
    book: Notebook

    __hash__ = object.__hash__


def _noted(e: Noted, c: Context) -> Any:
    value = evaluate(e.body, c)
    if e.book.listener is not None:
        e.book.listener(e.spot, value, c)
    return value


WALK[Noted] = _noted
_TRUE = Const(Type.TRUTH, True)


@define
class Writer:
    """Puts notes into one game."""

    book: Notebook
    owner: str = ""
    depth: int = 0
    at: int = 0
    """The line that is under way, for parts that have none of their own."""

    # --- expressions: truths and choices between values ---

    def condition(self, e: Expr, kind: str, origin: int) -> Expr:
        """A condition, and the parts of an `and` or `or`."""
        if isinstance(e, Const):
            return e
        spot = self.book.spot(kind, origin or e.origin or self.at, e, self.owner, self.depth)
        inner = self.parts(e)
        return Noted(e.type, inner, spot, self.book, origin=e.origin)  # type: ignore[return-value]

    def parts(self, e: Expr) -> Expr:
        """An expression whose own parts are noted where they can come out either way."""
        match e:
            case m.Logic(_, _, items):
                return evolve(e, items=tuple(self.condition(i, "part", i.origin) for i in items))
            case m.Choice():
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
            case m.Seen() | m.Each() | m.Change():
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
        spot = self.book.spot(kind, statement.origin, statement, self.owner, self.depth)
        note: Any = Noted(Type.TRUTH, _TRUE, spot, self.book, origin=statement.origin)
        return r.Need(note, origin=statement.origin)

    def statement(self, s: r.Effect) -> r.Effect:
        """A statement with its expressions noted."""
        self.at = s.origin
        match s:
            case r.Need():
                return evolve(s, condition=self.condition(s.condition, "need", s.origin))
            case r.Branch():
                return evolve(
                    s,
                    condition=self.condition(s.condition, "if", s.origin),
                    then=self.body(s.then),
                    otherwise=self.body(s.otherwise),
                )
            case r.Choose():
                return evolve(s, domain=self.valued(s.domain, "choice", s.origin))
            case r.Bind() | r.Assign():
                return evolve(s, value=self.parts(s.value))
            case r.Put() | r.Clear():
                return evolve(s, sites=self.valued(s.sites, "effect", s.origin))
            case r.CarryEach() | r.TieEach():
                return evolve(s, domain=self.valued(s.domain, "effect", s.origin))
            case r.Tie():
                return evolve(s, target=self.valued(s.target, "effect", s.origin))
        return s

    def valued(self, e: Expr, kind: str, origin: int) -> Expr:
        """A set whose emptiness matters."""
        if isinstance(e, Const):
            return e
        spot = self.book.spot(kind, origin, e, self.owner, self.depth)
        return Noted(e.type, self.parts(e), spot, self.book, origin=e.origin)  # type: ignore[return-value]

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
        spot = self.book.spot("let", origin or body.origin, body, self.owner)
        return Noted(body.type, self.parts(body), spot, self.book, origin=body.origin)  # type: ignore[return-value]

    def _end(self, end: r.End) -> r.End:
        self.owner, self.depth, self.at = "end", 0, end.origin
        spot = self.book.spot("end", end.origin, end)
        inner = self.parts(end.condition)
        noted: Any = Noted(Type.TRUTH, inner, spot, self.book, origin=end.condition.origin)
        return evolve(end, condition=noted)


def instrumented(rules: r.Rules) -> tuple[r.Rules, Notebook]:
    """The rules with notes, and the book that they are written in."""
    book = Notebook()
    return Writer(book).rules(rules), book
