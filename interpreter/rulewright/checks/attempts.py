"""Attempts at a decision: every way through a move that is written like a text, tests or not.

In: a game, a text and a position.  Out: of those ways the one that breaks fewest clauses, with
these clauses and the values that they saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.checks.seen import ray_to_hold, ray_to_marks, ray_to_site, seen, value_text
from rulewright.errors import Fault
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import bits
from rulewright.model.expressions import Type
from rulewright.reference.effects import Effects
from rulewright.reference.evaluate import evaluate, members, ray_matches
from rulewright.reference.lookup import shown_slots
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Context

MOST = 60_000
"""Ways through moves that are tried."""


@frozen
class BrokenClause:
    """A clause that a way breaks, with the values that it saw."""

    origin: int
    message: str
    values: tuple[tuple[str, str], ...]
    far: int = 0
    """How far this is from legal: 0 a test, 1 a ray that breaks, 2 another site, 3 another way."""


@define(eq=False)
class Attempts:
    """Attempts every way through one move, tests or not."""

    play: ReferencePlay
    text: str
    wide: bool
    """Whether sites are chosen among all, and rays may pass over anything."""
    left: int = MOST
    best: list[BrokenClause] | None = None
    broken: list[BrokenClause] = field(factory=list)

    def move(self, number: int, context: Context) -> list[BrokenClause] | None:
        """The fewest clauses that a way written like the text breaks, None if there is none."""
        move = self.play.rules.moves[number]
        context.frame = [None] * move.slots
        self._names = {s.slot: s.name for s in move.body if isinstance(s, r.Choose | r.Let)}
        self._lets = {s.slot: s.value for s in move.body if isinstance(s, r.Let)}
        for s in move.body:
            if isinstance(s, r.ChooseRay):
                self._names.update(zip(s.slots, s.names, strict=True))
        self._shown = shown_slots(move)
        self._run(move.body, 0, context)
        return self.best

    _names: dict[int, str] = field(factory=dict)
    _lets: dict[int, m.Expr] = field(factory=dict)
    _shown: frozenset[int] = frozenset()

    def _run(self, body: tuple[r.Effect, ...], at: int, c: Context) -> None:
        before, known, kept = c.position, len(self.broken), list(c.frame)
        for index in range(at, len(body)):
            statement = body[index]
            if isinstance(statement, r.Choose | r.ChooseRay):
                for _ in self._chosen(statement, c):
                    here = c.position
                    self._run(body, index + 1, c)
                    c.position = here
                break
            if not self._done(statement, c):
                break
        else:
            self._finished(c)
        c.position = before
        c.frame[:] = kept
        del self.broken[known:]

    def _finished(self, c: Context) -> None:
        self.left -= 1
        fewer = self.best is None or distance(self.broken) < distance(self.best)
        if c.notation.casefold() == self.text.casefold() and fewer:
            self.best = list(self.broken)

    def _done(self, statement: r.Effect, c: Context) -> bool:
        """Do a statement; a test that fails is noted.  False where it cannot be done at all."""
        if self.left <= 0:
            return False
        try:
            if isinstance(statement, r.Need):
                if not evaluate(statement.condition, c):
                    self._needed(statement, c)
                return True
            if isinstance(statement, r.Perform):
                return self._performed(statement, c)
            effects: Effects = self.play.effects
            return effects.do(statement, c)
        except Fault as fault:
            if not self.broken:
                message = f"{fault.message} [{fault.code}]"
                self.broken.append(BrokenClause(fault.origin or statement.origin, message, ()))
            return True  # after something forbidden, what follows may make no sense

    def _performed(self, statement: r.Perform, c: Context) -> bool:
        action = self.play.rules.actions[statement.action]
        arguments = [evaluate(a, c) for a in statement.arguments]
        outer, names, lets = c.frame, self._names, self._lets
        c.frame = arguments + [None] * (action.slots - len(arguments))
        self._names, self._lets = (
            {},
            {s.slot: s.value for s in action.body if isinstance(s, r.Let)},
        )
        try:
            return all(self._done(inner, c) for inner in action.body)
        finally:
            c.frame, self._names, self._lets = outer, names, lets

    def _needed(self, s: r.Need, c: Context) -> None:
        """Note a test that fails."""
        values = seen(self.play.rules, s.condition, c, self._names)
        stop = ray_to_hold(s.condition, self._lets, c)
        told = (("the longest ray", stop.told(self.play.rules, c)),) if stop else ()
        self.broken.append(BrokenClause(s.origin, "this does not hold", (*told, *values)))

    # --- choices ---

    def _chosen(self, s: r.Choose | r.ChooseRay, c: Context) -> Iterator[None]:
        if isinstance(s, r.ChooseRay):
            yield from self._rays(s, c)
            return
        domain = list(members(evaluate(s.domain, c), s.domain.type))
        tried: list[tuple[Any, bool]] = [(member, True) for member in domain]
        if self.wide and s.domain.type in (Type.SITE, Type.SITES):
            more = (1 << i for i in bits(c.board.sites))
            tried += [(site, False) for site in more if site not in domain]
        for member, legal in tried:
            if self.left <= 0 or not self._fits(s, member, c):
                continue
            c.frame[s.slot] = member
            known = len(self.broken)
            if not legal:
                name = value_text(member, Type.SITE, c.board)
                sites = value_text(sum(domain), Type.SITES, c.board)
                message = f"{name} is not among the sites to choose `{s.name}` from"
                values = seen(self.play.rules, s.domain, c, self._names)
                others = tuple(v for v in values if v[0] != s.name)
                stop = ray_to_site(s.domain, member, c)
                told = (("the ray", stop.told(self.play.rules, c)),) if stop else ()
                values = (*told, ("the sites", sites), *others)
                self.broken.append(BrokenClause(s.origin, message, values, 1 if stop else 2))
            yield
            del self.broken[known:]

    def _fits(self, s: r.Choose, member: Any, c: Context) -> bool:
        """Whether a site that the notation shows by its name stands in the text."""
        shown = s.slot in self._shown and s.domain.type in (Type.SITE, Type.SITES)
        return (
            not shown or c.board.names[member.bit_length() - 1].casefold() in self.text.casefold()
        )

    def _rays(self, s: r.ChooseRay, c: Context) -> Iterator[None]:
        found = list(ray_matches(s.source, s.along, s.pattern, len(s.slots), c))
        wide: list[Any] = []
        if self.wide:
            anything = _anything(s.pattern)
            steps: Any = m.Const(Type.STEPS, tuple(c.board.steps["around"]))
            wide = [
                marks
                for along in (s.along, steps)
                for marks in ray_matches(s.source, along, anything, len(s.slots), c)
                if marks not in found
            ]
        for marks, legal in [
            *((f, True) for f in found),
            *((w, False) for w in dict.fromkeys(wide)),
        ]:
            if self.left <= 0:
                return
            for slot, marked in zip(s.slots, marks, strict=True):
                c.frame[slot] = marked
            known = len(self.broken)
            if not legal:
                pairs = zip(s.names, marks, strict=True)
                shown = tuple((n, value_text(v, Type.SITES, c.board)) for n, v in pairs)
                values = tuple(
                    v for v in seen(self.play.rules, s.source, c, self._names) if v not in shown
                )
                stop = ray_to_marks(s.source, s.along, s.pattern, marks, c)
                told = (("the ray", stop.told(self.play.rules, c)),) if stop else ()
                message = "the ray breaks" if stop else "no way of this kind leads there"
                values = (*told, *values, *shown)
                self.broken.append(BrokenClause(s.origin, message, values, 1 if stop else 3))
            yield
            del self.broken[known:]


def _anything(pattern: m.RayPattern) -> m.RayPattern:
    """The pattern with every site for each of its sets."""
    match pattern:
        case m.OnSite():
            return m.OnSite(m.Apply(Type.SITES, "complement", (m.Const(Type.SITES, 0),)))
        case m.Sequence(items) | m.Alternatives(items):
            return type(pattern)(tuple(_anything(i) for i in items))
        case m.Repeated() | m.Marked():
            return evolve(pattern, item=_anything(pattern.item))


def distance(broken: list[BrokenClause]) -> tuple[int, int]:
    """How far a way that breaks these clauses is from a legal one."""
    return len(broken), max((b.far for b in broken), default=0)
