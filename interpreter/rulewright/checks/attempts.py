"""Attempts at a decision: every way through a move that is written like a text, tests or not.

In: a game, a text and a position.  Out: of those ways the one that breaks fewest clauses, with
these clauses and the values that they saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.checks.seen import (
    Pairs,
    RayBreak,
    named_values,
    ray_to_hold,
    ray_to_marks,
    ray_to_site,
    value_text,
)
from rulewright.errors import Fault
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Type
from rulewright.reference.effects import Effects
from rulewright.reference.evaluate import Marks, evaluate, members, ray_matches
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
    values: Pairs
    far: int = 0
    """Distance from a legal choice: 0 a `need`, 1 a ray that breaks, 2 another site, 3 no ray."""


@define(eq=False)
class Attempts:
    """Tries all choices of one move, also those that its `need` lines refuse."""

    play: ReferencePlay
    text: str
    wide: bool
    """Whether sites are chosen among all, and rays may pass over anything."""
    tries_left: int = MOST
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
        # A failed statement ends nothing here: position, frame and clauses are put back by hand.
        before, failures, frame = c.position, len(self.broken), list(c.frame)
        for index in range(at, len(body)):
            statement = body[index]
            if isinstance(statement, r.Choose | r.ChooseRay):
                for _ in self._make_choices(statement, c):
                    here = c.position
                    self._run(body, index + 1, c)
                    c.position = here
                break
            if not self._carry_out(statement, c):
                break
        else:
            self._finished(c)
        c.position = before
        c.frame[:] = frame
        del self.broken[failures:]

    def _finished(self, c: Context) -> None:
        self.tries_left -= 1
        fewer = self.best is None or distance(self.broken) < distance(self.best)
        if c.notation.casefold() == self.text.casefold() and fewer:
            self.best = list(self.broken)

    def _carry_out(self, statement: r.Effect, c: Context) -> bool:
        """Carry out a statement; a `need` that fails is noted.  False where nothing can follow."""
        if self.tries_left <= 0:
            return False
        try:
            if isinstance(statement, r.Need):
                if not evaluate(statement.condition, c):
                    self._note_need(statement, c)
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
        self._names = {}  # slots of the action mean other things than those of the move
        self._lets = {s.slot: s.value for s in action.body if isinstance(s, r.Let)}
        try:
            return all(self._carry_out(inner, c) for inner in action.body)
        finally:
            c.frame, self._names, self._lets = outer, names, lets

    def _note_need(self, s: r.Need, c: Context) -> None:
        """Note a `need` that does not hold."""
        values = named_values(self.play.rules, s.condition, c, self._names)
        stop = self._stop("the longest ray", ray_to_hold(s.condition, self._lets, c), c)
        self.broken.append(BrokenClause(s.origin, "this does not hold", (*stop, *values)))

    def _stop(self, name: str, stop: RayBreak | None, c: Context) -> Pairs:
        """Where a ray breaks, as a value of a clause; nothing where none does."""
        return () if stop is None else ((name, stop.text(self.play.rules, c)),)

    # --- choices ---

    def _make_choices(self, s: r.Choose | r.ChooseRay, c: Context) -> Iterator[None]:
        """Make every choice in turn; one that is not legal is noted as a broken clause."""
        for broken in self._rays(s, c) if isinstance(s, r.ChooseRay) else self._members(s, c):
            failures = len(self.broken)
            if broken is not None:
                self.broken.append(broken)
            yield
            del self.broken[failures:]

    def _members(self, s: r.Choose, c: Context) -> Iterator[BrokenClause | None]:
        """Set the slot to each member, then (`wide`) to all other sites, which break the clause."""
        domain = list(members(evaluate(s.domain, c), s.domain.type))
        tried: list[tuple[Any, bool]] = [(member, True) for member in domain]
        if self.wide and s.domain.type in (Type.SITE, Type.SITES):
            others = (1 << i for i in bits(c.board.sites))
            tried += [(site, False) for site in others if site not in domain]
        for member, legal in tried:
            if self.tries_left > 0 and self._fits(s, member, c):
                c.frame[s.slot] = member
                yield None if legal else self._not_among(s, member, domain, c)

    def _not_among(self, s: r.Choose, site: Mask, domain: list[Mask], c: Context) -> BrokenClause:
        name = value_text(site, Type.SITE, c.board)
        sites = value_text(sum(domain), Type.SITES, c.board)
        message = f"{name} is not among the sites to choose `{s.name}` from"
        values = named_values(self.play.rules, s.domain, c, self._names)
        others = tuple(pair for pair in values if pair[0] != s.name)
        stop = self._stop("the ray", ray_to_site(s.domain, site, c), c)
        values = (*stop, ("the sites", sites), *others)
        return BrokenClause(s.origin, message, values, 1 if stop else 2)

    def _fits(self, s: r.Choose, member: Any, c: Context) -> bool:
        """Whether *member* is no site that the notation names, or is named in the text."""
        if s.slot not in self._shown or s.domain.type not in (Type.SITE, Type.SITES):
            return True
        return c.board.names[member.bit_length() - 1].casefold() in self.text.casefold()

    def _rays(self, s: r.ChooseRay, c: Context) -> Iterator[BrokenClause | None]:
        """Set the slots to the marks of each match, then (`wide`) of rays over anything."""
        legal = list(ray_matches(s.source, s.along, s.pattern, len(s.slots), c))
        others: dict[Any, None] = {}
        if self.wide:
            anything = _anything(s.pattern)
            steps: Any = m.Const(Type.STEPS, tuple(c.board.steps["around"]))
            for along in (s.along, steps):
                matches = ray_matches(s.source, along, anything, len(s.slots), c)
                others |= dict.fromkeys(marks for marks in matches if marks not in legal)
        for number, marks in enumerate((*legal, *others)):
            if self.tries_left <= 0:
                return
            for slot, marked in zip(s.slots, marks, strict=True):
                c.frame[slot] = marked
            yield None if number < len(legal) else self._no_match(s, marks, c)

    def _no_match(self, s: r.ChooseRay, marks: Marks, c: Context) -> BrokenClause:
        pairs = zip(s.names, marks, strict=True)
        marked = tuple((name, value_text(sites, Type.SITES, c.board)) for name, sites in pairs)
        values = named_values(self.play.rules, s.source, c, self._names)
        others = tuple(pair for pair in values if pair not in marked)
        stop = self._stop("the ray", ray_to_marks(s.source, s.along, s.pattern, marks, c), c)
        message = "the ray breaks" if stop else "no way of this kind leads there"
        return BrokenClause(s.origin, message, (*stop, *others, *marked), 1 if stop else 3)


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
    """The distance to a legal decision: the number of broken clauses, then the farthest of them."""
    return len(broken), max((b.far for b in broken), default=0)
