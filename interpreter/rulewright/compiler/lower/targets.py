"""The ways from one choice to another, each with the sites that it leads to from any source.

In: a set that depends on one site, and the sources that this site may be.  Out: for every way (a
vector, or a direction along empty sites) the sites reached; who was there before is known from the
site and the way alone.  Refuses (`Unsupported`) what is reached otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import combinations, product
from operator import and_, or_
from typing import TypeAlias, TypeVar

from attrs import define, evolve, field

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.rays import FEW_WORDS, Fill
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites
from rulewright.compiler.passes.choices import choices
from rulewright.compiler.passes.duplicates import parallel, shown_slots
from rulewright.compiler.passes.normalize import is_apply, is_inside, uses_slot
from rulewright.compiler.passes.pushdown import Pushdown
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const, Type

EMPTY = m.Apply(Type.SITES, "empty")


@record
class Way(Record):
    """From a source to a target: `length` times `by`, or on by it, past `passes` other pieces."""

    by: int
    length: int = 1
    passes: int | None = None

    @property
    def between(self) -> int:
        """How many other pieces lie on the way from the source; -1 where its length tells it."""
        return -1 if self.passes is None else self.passes


Normal: TypeAlias = Callable[[m.Expr], m.Expr]
"""Writes an expression out in normal form."""
_Key = TypeVar("_Key")
Vectors: TypeAlias = dict[Step, Sites]
"""For every vector the sites that lie so far from a source."""


@define(repr=False, eq=False)
class Targets(Record):
    """Reads a set that depends on the site of a slot, which is one of `sources`."""

    v: Values
    slot: int
    sources: Sites
    pieces: bool
    """Whether there is a piece on every source."""
    rays: dict[tuple[Step, int], Sites] = field(factory=dict)
    """The same for directions, by the number of pieces that are passed."""
    vectors: Vectors = field(factory=dict)

    def read(self, normal: Normal, chosen: r.Choose | r.ChooseRay) -> Mapping[Way, Sites]:
        """What can be chosen, by the ways that lead there."""
        if self.v.board.is_drawn:
            raise Unsupported
        if isinstance(chosen, r.ChooseRay):
            return self._matches(normal, chosen)
        self._terms(normal(chosen.domain), [])
        steps = {step for step, _ in self.rays}
        if any(a != b and parallel(a, b) for a, b in product(steps, {*steps, *self.vectors})):
            raise Unsupported  # both may lead from one site to another
        for (step, passes), sites in self.rays.items():
            if not passes and step in self.vectors:
                self.rays[step, 0] = sites | self.vectors.pop(step)
        found: dict[Way, Sites] = {}
        for (step, passes), sites in self.rays.items():
            _add(found, Way(self._by(step), passes=passes), sites)
        for vector, sites in self.vectors.items():  # several are one number on narrow boards
            _add(found, Way(self._by(vector)), sites)
        return found

    def _matches(self, normal: Normal, chosen: r.ChooseRay) -> Mapping[Way, Sites]:
        """Rays of one length: where each of them ends."""
        ray = m.Ray(
            Type.SITES,
            normal(chosen.source),
            normal(chosen.along),
            _plain(normal, chosen.pattern),
            1,
        )
        length = _length(ray.pattern)
        if length is None or len(dict(marked_places(chosen))) != len(chosen.slots):
            raise Unsupported
        found: dict[Way, Sites] = {}
        for step, sources, fill in self._walks(ray):
            forth = fill.forth(sources, step)
            ends = reduce(or_, [forth[n] for n in fill.whole.last])
            way = Way(self._by(step), length)
            _add(found, way, ends)
        return found

    def _by(self, step: Step) -> int:
        return step[0] + step[1] * self.v.board.width

    # --- parts of a set ---

    def _terms(self, e: m.Expr, within: list[Sites]) -> None:
        """Add what a part of the set allows, as far as it lies in all sets of *within*."""
        match e:
            case Const(value=0):
                return
            case m.Conditional():
                for part, sources in self._branches(e):
                    evolve(self, sources=sources)._terms(part, within)
            case m.Apply(operation="unite", arguments=parts):
                for part in parts:
                    self._terms(part, within)
            case m.Apply(operation="intersect", arguments=parts) if self._varying(parts) == 1:
                kept = [p for p in parts if uses_slot(p, self.slot)]
                others = [self.v.sites(p) for p in parts if not uses_slot(p, self.slot)]
                self._terms(kept[0], [*within, *others])
            case m.Ray() if _length(e.pattern) is None:
                self._ray(e, within)
            case _:
                for vector, sites in self._vectors(e).items():
                    _add(self.vectors, vector, reduce(and_, within, sites))

    def _varying(self, parts: tuple[m.Expr, ...]) -> int:
        return sum(uses_slot(part, self.slot) for part in parts)

    def _branches(self, e: m.Conditional) -> Iterator[tuple[m.Expr, Sites]]:
        """Both sides of a condition on the source, and the sources that it leaves them."""
        test = Pushdown(self.v, self.slot).truth(e.condition)
        yield e.then, self.sources & test
        yield e.otherwise, self.sources - test

    def _vectors(self, e: m.Expr) -> Vectors:
        """A set whose sites lie at known vectors from the source."""
        match e:
            case m.Local(slot=slot) if slot == self.slot:
                return {(0, 0): self.sources}
            case m.Conditional():
                return _united(
                    [evolve(self, sources=s)._vectors(part) for part, s in self._branches(e)]
                )
            case m.Apply(operation="unite", arguments=parts):
                return _united([self._vectors(part) for part in parts])
            case m.Apply(operation="intersect", arguments=parts):
                return self._intersected(parts)
            case m.Apply(operation="step", arguments=(way, inner)):
                return self._stepped(way, inner)
            case m.Ray() if _length(e.pattern) is not None:
                return self._ray_ends(e)
            case Const(value=0):
                return {}
        raise Unsupported

    def _intersected(self, parts: tuple[m.Expr, ...]) -> Vectors:
        kept = [self._vectors(p) for p in parts if uses_slot(p, self.slot)]
        if not kept:
            raise Unsupported  # the same sites, wherever the source is: no way leads to them
        others = [self.v.sites(p) for p in parts if not uses_slot(p, self.slot)]
        common = [vector for vector in kept[0] if all(vector in k for k in kept)]
        return {c: reduce(and_, [*(k[c] for k in kept), *others]) for c in common}

    def _stepped(self, way: m.Expr, inner: m.Expr) -> Vectors:
        found, fill = Vectors(), Fill(self.v.w, self.v.board)
        if not isinstance(way, Const):
            raise Unsupported
        for (x, y), sites in self._vectors(inner).items():
            for step in dict.fromkeys(way.value):  # type: ignore[arg-type]
                _add(found, (x + step[0], y + step[1]), fill.stepped([sites], step))  # type: ignore[misc, index, operator, arg-type]
        return found

    # --- rays ---

    def _walks(self, e: m.Ray) -> Iterator[tuple[Step, Sites, Fill]]:
        """Every step of a ray with the sources that may take it."""
        if e.source != m.Local(e.source.type, self.slot) or self.v.layout.words > FEW_WORDS:
            raise Unsupported
        fill = Fill(self.v.w, self.v.board)
        fill.read(e.pattern, self.v.sites)
        for along, sources in self._along(e.along, self.sources):
            for step in along:
                yield step, sources, fill

    def _along(self, e: m.Expr, sources: Sites) -> Iterator[tuple[tuple[Step, ...], Sites]]:
        """Steps that may depend on the source."""
        if isinstance(e, m.Conditional):
            test = Pushdown(self.v, self.slot).truth(e.condition)
            yield from self._along(e.then, sources & test)
            yield from self._along(e.otherwise, sources - test)
        elif isinstance(e, Const):
            yield tuple(dict.fromkeys(e.value)), sources  # type: ignore[arg-type]
        else:
            raise Unsupported

    def _ray(self, e: m.Ray, within: list[Sites]) -> None:
        """A ray along empty sites, or past so many pieces; the one before these is the source."""
        passes = _passes(e)
        if passes is None or not self.pieces:
            raise Unsupported
        for step, sources, fill in self._walks(e):
            _add(self.rays, (step, passes), reduce(and_, within, fill.marked(sources, step)))

    def _ray_ends(self, e: m.Ray) -> Vectors:
        """A ray of one length that gives its last site."""
        items, length = _items(e.pattern), _length(e.pattern)
        assert length is not None
        if length > 1 and not (e.marks and not any(map(_marked, items[:-1]))):
            raise Unsupported
        found = Vectors()
        for step, sources, fill in self._walks(e):
            _add(found, (step[0] * length, step[1] * length), fill.marked(sources, step))
        return found


def _add(found: dict[_Key, Sites], key: _Key, sites: Sites) -> None:
    found[key] = found[key] | sites if key in found else sites


def _united(parts: list[Vectors]) -> Vectors:
    found = Vectors()
    for part in parts:
        for vector, sites in part.items():
            _add(found, vector, sites)
    return found


# --- patterns ---


def _items(p: m.RayPattern) -> tuple[m.RayPattern, ...]:
    return p.items if isinstance(p, m.Sequence) else (p,)


def _marked(p: m.RayPattern) -> bool:
    return isinstance(p, m.Marked)


def _is_single(p: m.RayPattern) -> bool:
    """Whether a part of a pattern is one site."""
    match p:
        case m.OnSite():
            return True
        case m.Marked(item=item):
            return _is_single(item)
        case m.Alternatives(items=items):
            return all(map(_is_single, items))
    return False


def _length(p: m.RayPattern) -> int | None:
    """How many sites a pattern matches, where that is always the same."""
    items = _items(p)
    return len(items) if all(map(_is_single, items)) else None


def _passes(e: m.Ray) -> int | None:
    """How many pieces lie before the site that a ray gives; None where that is not known."""
    *before, last = _items(e.pattern)
    if all(map(_is_way, (*before, last))):
        return 0
    if any(map(_marked, before)) or not (_marked(last) and _is_single(last)):
        return None
    if not all(_is_way(p) or _is_piece(p) for p in before):
        return None
    return sum(_is_piece(p) for p in before)


def _is_way(p: m.RayPattern) -> bool:
    """Whether a part of a pattern matches nothing but empty sites."""
    while isinstance(p, m.Repeated | m.Marked):
        p = p.item
    return isinstance(p, m.OnSite) and is_inside(p.sites, EMPTY)


def _is_piece(p: m.RayPattern) -> bool:
    return isinstance(p, m.OnSite) and holds_pieces(p.sites)


def holds_pieces(e: m.Expr) -> bool:
    """Whether a set in normal form holds no empty site."""
    if is_apply(e, "full", "owned", "of_kind"):
        return True
    if is_apply(e, "intersect", "unite"):
        return (any if e.operation == "intersect" else all)(map(holds_pieces, e.arguments))
    return isinstance(e, m.Quantified) and e.quantifier == "those" and holds_pieces(e.domains[0])


def marked_places(s: r.ChooseRay) -> Iterator[tuple[int, int]]:
    """The place in the pattern, from 0, and the slot of every marked single site."""
    for place, item in enumerate(_items(s.pattern)):
        if isinstance(item, m.Marked) and _is_single(item):
            yield place, s.slots[item.mark]


def told_by_ends(move: r.MoveKind) -> bool:
    """Whether a move chooses a site and a ray of one length, and names the site and one mark.

    Then it is written differently for every choice, as the ray's step follows from both.
    """
    chosen = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    if len(chosen) != 2 or not isinstance(chosen[0], r.Choose):
        return False
    ray = chosen[1]
    if not isinstance(ray, r.ChooseRay) or _length(ray.pattern) is None:
        return False
    shown = shown_slots(move)
    return chosen[0].slot in shown and any(slot in shown for slot in ray.slots)


def _plain(normal: Normal, p: m.RayPattern) -> m.RayPattern:
    """A pattern of single sites in normal form."""
    match p:
        case m.OnSite(sites=sites):
            return m.OnSite(normal(sites))
        case m.Marked(item=item):
            return evolve(p, item=_plain(normal, item))
        case m.Sequence(items=items) | m.Alternatives(items=items):
            return evolve(p, items=tuple(_plain(normal, item) for item in items))
    raise Unsupported


# --- what a notation tells ---


@define(repr=False, eq=False)
class NotationCheck(Record):
    """Finds out whether a notation tells everything that a move chooses, though it names less."""

    move: r.MoveKind
    normal: Normal

    def everything(self) -> bool:
        """Whether no two choices are written alike."""
        found = [s.notation for s in self.move.body if isinstance(s, r.Write)]
        slots = {slot for s in self.move.body for slot, _ in choices(s)}
        return bool(found) and all(slots <= self._by(notation) for notation in found)

    def _by(self, notation: m.Notation) -> set[int]:
        """The choices that a notation tells; of two forms, those that both of them tell."""
        if isinstance(notation, m.TextChoice):
            here = set[int]()
            match self.normal(notation.condition):
                case m.Apply(operation="equal", arguments=(m.Local(slot=slot), Const())):
                    here.add(slot)
            return (self._by(notation.then) | here) & self._by(notation.otherwise)
        found = {part.slot for part in notation.parts if isinstance(part, m.Local)}
        before = -1
        while len(found) > before:
            before = len(found)
            for s in self.move.body:
                if isinstance(s, r.Need):
                    found |= self._counted(self.normal(s.condition), found)
                elif isinstance(s, r.Let) and s.slot in found:
                    found |= self._of_line(s, found)
        return found

    @staticmethod
    def _counted(need: m.Expr, told: set[int]) -> set[int]:
        """`count line = n` tells n, if the line is told."""
        match need:
            case m.Apply(
                operation="equal",
                arguments=(
                    m.Apply(operation="count", arguments=(m.Local(slot=line),)),
                    m.Local(slot=number),
                ),
            ) if line in told:
                return {number}
        return set()

    def _of_line(self, s: r.Let, told: set[int]) -> set[int]:
        """A line from a site along a step tells the site, if the step is told or follows."""
        value = self.normal(s.value)
        if not is_apply(value, "unite"):
            return set()
        (site, *others), ways = value.arguments, set[int]()
        if not isinstance(site, m.Local) or site.type is not Type.SITE:
            return set()
        for part in map(_if_there, others):
            if not isinstance(part, m.Ray) or part.source != site:
                return set()
            if not isinstance(part.along, m.Local):
                return set()
            ways.add(part.along.slot)
        if len(ways) != 1:
            return set()
        return {site.slot} | ways if ways <= told or self._follows(s.slot, *ways) else set()

    def _follows(self, line: int, way: int) -> bool:
        """Whether a line is so long that it tells its step, as no two steps are parallel."""
        domains = {s.slot: self.normal(s.domain) for s in self.move.body if isinstance(s, r.Choose)}
        steps = domains.get(way)
        known = steps.steps if isinstance(steps, Const) else None
        if known is None or any(a[0] * b[1] == a[1] * b[0] for a, b in combinations(known, 2)):
            return False
        needs = (self.normal(s.condition) for s in self.move.body if isinstance(s, r.Need))
        lengths = {slot for need in needs for slot in self._counted(need, {line})}
        return any(_least(domains.get(slot)) > 1 for slot in lengths)


def _least(e: m.Expr | None) -> int:
    """The least number of a range that is known, else 0."""
    ends = e.numbers if isinstance(e, Const) and e.type is Type.RANGE else None
    return ends[0] if ends else 0


def _if_there(e: m.Expr) -> m.Expr:
    """What a set may be that is otherwise empty."""
    empty = isinstance(e, m.Conditional) and e.otherwise == Const(Type.SITES, value=0)
    return e.then if isinstance(e, m.Conditional) and empty else e
