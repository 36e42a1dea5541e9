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
from rulewright.compiler.passes.normalize import is_apply, is_inside, uses_slot
from rulewright.compiler.passes.notations import parallel, shown_slots
from rulewright.compiler.passes.pushdown import Pushdown
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const, Type

EMPTY = m.Apply(Type.SITES, "empty")


@record
class Way(Record):
    """A way to a target: `length` steps of `by` (in site numbers), or past `passes` pieces."""

    by: int
    length: int = 1
    passes: int | None = None

    @property
    def between(self) -> int:
        """The number of other pieces on the way from the source; -1 if the length is given."""
        return -1 if self.passes is None else self.passes


Normal: TypeAlias = Callable[[m.Expr], m.Expr]
"""Writes an expression out in normal form."""
_Key = TypeVar("_Key")
Vectors: TypeAlias = dict[Step, Sites]
"""Sites by their vector from a source."""


@define(repr=False, eq=False)
class Targets(Record):
    """Read a set that depends on the site of a slot, which is one of `sources`."""

    v: Values
    slot: int
    sources: Sites
    pieces: bool
    """Whether there is a piece on every source."""
    rays: dict[tuple[Step, int], Sites] = field(factory=dict)
    """Sites by the direction from a source, and the number of pieces that are passed."""
    vectors: Vectors = field(factory=dict)

    def read(self, normal: Normal, choice: r.Choose | r.ChooseRay) -> Mapping[Way, Sites]:
        """Return the sites that can be chosen, by the ways that lead there."""
        if self.v.board.is_irregular:
            raise Unsupported
        if isinstance(choice, r.ChooseRay):
            return self._matches(normal, choice)
        self._terms(normal(choice.domain), [])
        steps = {step for step, _ in self.rays}
        if any(a != b and parallel(a, b) for a, b in product(steps, {*steps, *self.vectors})):
            raise Unsupported  # both may lead from one site to another
        for (step, passes), sites in self.rays.items():
            if not passes and step in self.vectors:
                self.rays[step, 0] = sites | self.vectors.pop(step)
        targets: dict[Way, Sites] = {}
        for (step, passes), sites in self.rays.items():
            _add(targets, Way(self._by(step), passes=passes), sites)
        for vector, sites in self.vectors.items():  # several are one number on narrow boards
            _add(targets, Way(self._by(vector)), sites)
        return targets

    def _matches(self, normal: Normal, choice: r.ChooseRay) -> Mapping[Way, Sites]:
        """Return the ends of rays of one length, by ways."""
        ray = m.Ray(
            Type.SITES,
            normal(choice.source),
            normal(choice.along),
            _plain(normal, choice.pattern),
            1,
        )
        length = _length(ray.pattern)
        if length is None or len(dict(marked_places(choice))) != len(choice.slots):
            raise Unsupported
        targets: dict[Way, Sites] = {}
        for step, sources, fill in self._walks(ray):
            forth = fill.forth(sources, step)
            ends = reduce(or_, [forth[n] for n in fill.whole.last])
            way = Way(self._by(step), length)
            _add(targets, way, ends)
        return targets

    def _by(self, step: Step) -> int:
        return step[0] + step[1] * self.v.board.width

    # --- parts of a set ---

    def _terms(self, e: m.Expr, within: list[Sites]) -> None:
        """Add the sites of a part of the set, as far as they lie in all sets of *within*."""
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
                dependent = [p for p in parts if uses_slot(p, self.slot)]
                fixed = [self.v.sites(p) for p in parts if not uses_slot(p, self.slot)]
                self._terms(dependent[0], [*within, *fixed])
            case m.Ray() if _length(e.pattern) is None:
                self._ray(e, within)
            case _:
                for vector, sites in self._vectors(e).items():
                    _add(self.vectors, vector, reduce(and_, within, sites))

    def _varying(self, parts: tuple[m.Expr, ...]) -> int:
        return sum(uses_slot(part, self.slot) for part in parts)

    def _branches(self, e: m.Conditional) -> Iterator[tuple[m.Expr, Sites]]:
        """Walk both sides of a condition on the source, each with its sources."""
        test = Pushdown(self.v, self.slot).truth(e.condition)
        yield e.then, self.sources & test
        yield e.otherwise, self.sources - test

    def _vectors(self, e: m.Expr) -> Vectors:
        """Return a set by the vectors from the source; raises `Unsupported`."""
        match e:
            case m.Local(slot=slot) if slot == self.slot:
                return {(0, 0): self.sources}
            case m.Conditional():
                return _unite(
                    [evolve(self, sources=s)._vectors(part) for part, s in self._branches(e)]
                )
            case m.Apply(operation="unite", arguments=parts):
                return _unite([self._vectors(part) for part in parts])
            case m.Apply(operation="intersect", arguments=parts):
                return self._intersect(parts)
            case m.Apply(operation="step", arguments=(way, inner)):
                return self._step_vectors(way, inner)
            case m.Ray() if _length(e.pattern) is not None:
                return self._ray_ends(e)
            case Const(value=0):
                return {}
        raise Unsupported

    def _intersect(self, parts: tuple[m.Expr, ...]) -> Vectors:
        dependent = [self._vectors(p) for p in parts if uses_slot(p, self.slot)]
        if not dependent:
            raise Unsupported  # the same sites, wherever the source is: no way leads to them
        fixed = [self.v.sites(p) for p in parts if not uses_slot(p, self.slot)]
        common = [vector for vector in dependent[0] if all(vector in k for k in dependent)]
        return {c: reduce(and_, [*(k[c] for k in dependent), *fixed]) for c in common}

    def _step_vectors(self, way: m.Expr, inner: m.Expr) -> Vectors:
        vectors, fill = Vectors(), Fill(self.v.w, self.v.board)
        if not isinstance(way, Const):
            raise Unsupported
        for (x, y), sites in self._vectors(inner).items():
            for step in dict.fromkeys(way.value):  # type: ignore[arg-type]
                _add(vectors, (x + step[0], y + step[1]), fill.step_on([sites], step))  # type: ignore[misc, index, operator, arg-type]
        return vectors

    # --- rays ---

    def _walks(self, e: m.Ray) -> Iterator[tuple[Step, Sites, Fill]]:
        """Walk the steps of a ray, each with its sources and its automaton."""
        if e.source != m.Local(e.source.type, self.slot) or self.v.layout.words > FEW_WORDS:
            raise Unsupported
        fill = Fill(self.v.w, self.v.board)
        fill.read(e.pattern, self.v.sites)
        for along, sources in self._along(e.along, self.sources):
            for step in along:
                yield step, sources, fill

    def _along(self, e: m.Expr, sources: Sites) -> Iterator[tuple[tuple[Step, ...], Sites]]:
        """Walk steps that may depend on the source, each with its sources."""
        if isinstance(e, m.Conditional):
            test = Pushdown(self.v, self.slot).truth(e.condition)
            yield from self._along(e.then, sources & test)
            yield from self._along(e.otherwise, sources - test)
        elif isinstance(e, Const):
            yield tuple(dict.fromkeys(e.value)), sources  # type: ignore[arg-type]
        else:
            raise Unsupported

    def _ray(self, e: m.Ray, within: list[Sites]) -> None:
        """Add a ray along empty sites, or past a fixed number of pieces behind the source."""
        passes = _passes(e)
        if passes is None or not self.pieces:
            raise Unsupported
        for step, sources, fill in self._walks(e):
            _add(self.rays, (step, passes), reduce(and_, within, fill.marked_sites(sources, step)))

    def _ray_ends(self, e: m.Ray) -> Vectors:
        """Return the last sites of a ray of one length, by vectors."""
        items, length = _items(e.pattern), _length(e.pattern)
        assert length is not None
        if length > 1 and not (e.marks and not any(map(_marked, items[:-1]))):
            raise Unsupported
        vectors = Vectors()
        for step, sources, fill in self._walks(e):
            _add(vectors, (step[0] * length, step[1] * length), fill.marked_sites(sources, step))
        return vectors


def _add(table: dict[_Key, Sites], key: _Key, sites: Sites) -> None:
    table[key] = table[key] | sites if key in table else sites


def _unite(parts: list[Vectors]) -> Vectors:
    vectors = Vectors()
    for part in parts:
        for vector, sites in part.items():
            _add(vectors, vector, sites)
    return vectors


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
    """Return the number of sites that a pattern matches; None if it varies."""
    items = _items(p)
    return len(items) if all(map(_is_single, items)) else None


def _passes(e: m.Ray) -> int | None:
    """Count the pieces before the site that a ray gives; None if that varies."""
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
    """Walk the marked single sites of a ray: the place in the pattern, from 0, and the slot."""
    for place, item in enumerate(_items(s.pattern)):
        if isinstance(item, m.Marked) and _is_single(item):
            yield place, s.slots[item.mark]


def told_by_ends(move: r.MoveKind) -> bool:
    """Whether a move chooses a site and a ray of one length, and names the site and one mark.

    Then it is written differently for every choice, as the ray's step follows from both.
    """
    choosing = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    if len(choosing) != 2 or not isinstance(choosing[0], r.Choose):
        return False
    ray = choosing[1]
    if not isinstance(ray, r.ChooseRay) or _length(ray.pattern) is None:
        return False
    slots = shown_slots(move)
    return choosing[0].slot in slots and any(slot in slots for slot in ray.slots)


def _plain(normal: Normal, p: m.RayPattern) -> m.RayPattern:
    """Normalize a pattern of single sites; raises `Unsupported` for other patterns."""
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
    """Decide whether a notation determines all choices of a move, though it names fewer."""

    move: r.MoveKind
    normal: Normal

    def everything(self) -> bool:
        """Whether no two choices are written alike."""
        notations = [s.notation for s in self.move.body if isinstance(s, r.Write)]
        slots = {slot for s in self.move.body for slot, _ in choices(s)}
        return bool(notations) and all(slots <= self._by(notation) for notation in notations)

    def _by(self, notation: m.Notation) -> set[int]:
        """Return the choices that a notation determines; of two forms, those common to both."""
        if isinstance(notation, m.TextChoice):
            direct = set[int]()
            match self.normal(notation.condition):
                case m.Apply(operation="equal", arguments=(m.Local(slot=slot), Const())):
                    direct.add(slot)
            return (self._by(notation.then) | direct) & self._by(notation.otherwise)
        slots = {part.slot for part in notation.parts if isinstance(part, m.Local)}
        count = -1
        while len(slots) > count:
            count = len(slots)
            for s in self.move.body:
                if isinstance(s, r.Need):
                    slots |= self._line_length(self.normal(s.condition), slots)
                elif isinstance(s, r.Let) and s.slot in slots:
                    slots |= self._of_line(s, slots)
        return slots

    @staticmethod
    def _line_length(need: m.Expr, slots: set[int]) -> set[int]:
        """Return n of `count line = n`, if the line is among *slots*."""
        match need:
            case m.Apply(
                operation="equal",
                arguments=(
                    m.Apply(operation="count", arguments=(m.Local(slot=line),)),
                    m.Local(slot=number),
                ),
            ) if line in slots:
                return {number}
        return set()

    def _of_line(self, s: r.Let, slots: set[int]) -> set[int]:
        """Return the site and the step of a line, if the step is among *slots* or follows."""
        value = self.normal(s.value)
        if not is_apply(value, "unite"):
            return set()
        (site, *rays), ways = value.arguments, set[int]()
        if not isinstance(site, m.Local) or site.type is not Type.SITE:
            return set()
        for part in map(_if_there, rays):
            if not isinstance(part, m.Ray) or part.source != site:
                return set()
            if not isinstance(part.along, m.Local):
                return set()
            ways.add(part.along.slot)
        if len(ways) != 1:
            return set()
        return {site.slot} | ways if ways <= slots or self._follows(s.slot, *ways) else set()

    def _follows(self, line: int, way: int) -> bool:
        """Whether a line is long enough to determine its step: no two steps are parallel."""
        domains = {s.slot: self.normal(s.domain) for s in self.move.body if isinstance(s, r.Choose)}
        steps = domains.get(way)
        vectors = steps.steps if isinstance(steps, Const) else None
        if vectors is None or any(a[0] * b[1] == a[1] * b[0] for a, b in combinations(vectors, 2)):
            return False
        needs = (self.normal(s.condition) for s in self.move.body if isinstance(s, r.Need))
        lengths = {slot for need in needs for slot in self._line_length(need, {line})}
        return any(_least(domains.get(slot)) > 1 for slot in lengths)


def _least(e: m.Expr | None) -> int:
    """Return the least number of a constant range, else 0."""
    ends = e.numbers if isinstance(e, Const) and e.type is Type.RANGE else None
    return ends[0] if ends else 0


def _if_there(e: m.Expr) -> m.Expr:
    """Return the side of a condition whose other side is empty; else the set itself."""
    empty = isinstance(e, m.Conditional) and e.otherwise == Const(Type.SITES, value=0)
    return e.then if isinstance(e, m.Conditional) and empty else e
