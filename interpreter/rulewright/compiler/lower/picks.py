"""The choices of a move as sets, so that a decision of a number is a bit of one.

In: the statements of a move before its effects.  Out: how many decisions there are, and the choices
of the k-th.  A move may choose no site, one site, or two of which the second is reached from the
first in ways that are known (`lower/targets.py`); everything else is refused (`Unsupported`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from math import prod
from operator import and_
from typing import TypeAlias

from attrs import define

from rulewright.compiler.ir.nodes import Expr, Local, as_expr, choice, op
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.operations import full
from rulewright.compiler.lower.targets import (
    Normal,
    NotationCheck,
    Targets,
    Way,
    holds_pieces,
    marked_places,
)
from rulewright.compiler.lower.trying import before_effects
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Lowered, OneStep, Site, Sites, at, total
from rulewright.compiler.passes.duplicates import SETS, distinct, has_need, may_repeat
from rulewright.compiler.passes.normalize import Normalizer, is_never, uses_slot
from rulewright.compiler.passes.pushdown import Pushdown, narrow_choice
from rulewright.ground.records import Record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type

_FEW = 8
"""Ways of which one is picked without branches."""
Frame = dict[int, Lowered]
"""Values of the choices, by slot."""
Pick = Callable[[Expr], Frame]
"""How the decision of a number is picked."""


@define(repr=False, eq=False)
class Picker(Record):
    """Reads the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]
    lenient: bool = False
    """Whether decisions may be among those counted that needs refuse."""
    among: Callable[[Sites], Sites] | None = None
    """Which of the sites of a single choice are wanted; None: all of them."""

    def read(self) -> tuple[Expr, Pick]:
        """The number of decisions, and how the k-th is picked."""
        choosing = r.Choose, r.ChooseRay
        chooses = [i for i, s in enumerate(self.tests) if isinstance(s, choosing)]
        if len(chooses) > 2 or not all(_of_sites(self.tests[i]) for i in chooses):
            raise Unsupported
        if chooses and not isinstance(self.tests[chooses[0]], r.Choose):
            raise Unsupported
        if not chooses:
            return self._single()
        before = self._needs(self.tests[: chooses[0]])
        if len(chooses) == 1:
            return self._one(self.tests[chooses[0] :], before)
        return self._two(self.tests[chooses[0] :], chooses[1] - chooses[0], before)

    def _needs(self, statements: Sequence[r.Effect]) -> list[m.Expr]:
        if any(isinstance(s, r.Let) for s in statements):
            raise Unsupported
        return [s.condition for s in statements if isinstance(s, r.Need)]

    def _single(self) -> tuple[Expr, Pick]:
        """A move without a choice: one decision if its needs are met."""
        w, found = self.v.w, self.v.w.var(1, "n")
        for need in () if self.lenient else self._needs(self.tests):
            with w.when(found.ne(0)):
                w.set(found, choice(self.v.truth(need), 1, 0))
        return found, lambda _: {}

    def _allowed(self, sites: Sites, needs: Sequence[m.Expr]) -> Sites:
        """A set, or nothing when a need that does not depend on the choice is not met."""
        for need in needs:
            sites = sites & Pushdown(self.v, -1).truth(need)
        return sites

    def _one(self, tests: Sequence[r.Effect], before: list[m.Expr]) -> tuple[Expr, Pick]:
        choose = tests[0]
        assert isinstance(choose, r.Choose)
        choice = narrow_choice(self.v, choose, tests[1:])
        self._settled(choice.settled, tests)
        sites = self._allowed(choice.sites, before)
        if self.among is not None:
            sites = self.among(sites)
        counts = counted(sites)
        found = self.v.w.let(total(counts), "n")
        return found, lambda k: {choose.slot: Site(pick_bit(sites, counts, k))}

    def _settled(self, settled: Sequence[r.Need], tests: Sequence[r.Effect]) -> None:
        """Refuse where needs are not settled for all choices at once."""
        if not self.lenient and len(settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unsupported

    # --- two choices, the second reached by known steps from the first ---

    def _two(
        self, tests: Sequence[r.Effect], second: int, before: list[m.Expr]
    ) -> tuple[Expr, Pick]:
        first, other = tests[0], tests[second]
        assert isinstance(first, r.Choose)
        assert isinstance(other, r.Choose | r.ChooseRay)
        w, choice = self.v.w, narrow_choice(self.v, first, tests[1:second])
        plain = Normalizer(self.v.rules, self.v.view, self.v.mover)
        self._settled(choice.settled, tests[1:second])
        normal: Normal = partial(plain, known=choice.lets)
        held = self._held(other, tests[second + 1 :], normal, first.slot)
        sources = self._allowed(choice.sites, before)
        targets = Targets(self.v, first.slot, sources, holds_pieces(normal(first.domain)))
        ways = targets.read(normal, other)
        sets = [(way, reduce(and_, held, reached)) for way, reached in ways.items()]
        picked = [(way, sites, counted(sites)) for way, sites in sets]
        totals = [w.let(total(counts), "n") for _, _, counts in picked]
        return w.let(total(totals), "n"), lambda k: self._pick_way(picked, totals, first, other, k)

    def _held(
        self,
        other: r.Choose | r.ChooseRay,
        after: Sequence[r.Effect],
        normal: Normal,
        slot: int,
    ) -> list[Sites]:
        """For every need that follows the sites whose choice it allows."""
        needs = [] if self.lenient else [normal(n) for n in self._needs(after)]
        if needs and (isinstance(other, r.ChooseRay) or any(uses_slot(n, slot) for n in needs)):
            raise Unsupported
        return [Pushdown(self.v, other.slot).truth(need) for need in needs]  # type: ignore[union-attr]

    def _pick_way(
        self,
        sets: list[tuple[Way, Sites, list[Expr]]],
        totals: list[Expr],
        first: r.Choose,
        other: r.Choose | r.ChooseRay,
        number: Expr,
    ) -> Frame:
        w = self.v.w
        few = 0 < len(sets) <= _FEW and all(len(sites.words) == 1 for _, sites, _ in sets)
        b, by, left = (self._pick_by_choices if few else self._pick_in_turn)(sets, totals, number)
        length = max((way.length for way, _, _ in sets), default=1)
        a = w.var(b - length * by, "s")
        if any(way.passes is not None for way, _, _ in sets):
            self._walk_back(a, by, left)
        if isinstance(other, r.Choose):
            return {first.slot: Site(a), other.slot: Site(b)}
        marks = {slot: Site(w.let(a + (i + 1) * by, "s")) for i, slot in marked_places(other)}
        return {first.slot: Site(a), **marks}

    def _pick_in_turn(
        self, sets: list[tuple[Way, Sites, list[Expr]]], totals: list[Expr], number: Expr
    ) -> tuple[Local, Local, Local]:
        """The site, its way and how many pieces lie between: one way after the other is tried."""
        w = self.v.w
        b, by, done, k = w.var(0, "s"), w.var(0, "y"), w.var(0, "d"), w.var(number, "k")
        left = w.var(0, "l")
        for (way, sites, counts), found in zip(sets, totals, strict=True):
            with w.when(done.eq(0) & (k < found)):
                w.set(b, pick_bit(sites, counts, k))
                w.set(by, way.by)
                w.set(left, way.between)
                w.set(done, 1)
            w.set(k, k - found)
        return b, by, left

    def _pick_by_choices(
        self, sets: list[tuple[Way, Sites, list[Expr]]], totals: list[Expr], number: Expr
    ) -> tuple[Local, Local, Local]:
        """The same without branches, which no processor can foresee."""
        w = self.v.w
        words = [sites.words[0] for _, sites, _ in sets]
        word, k, passed = w.var(words[0], "m"), w.var(number, "k"), w.var(totals[0], "p")
        by, left = w.var(sets[0][0].by, "y"), w.var(sets[0][0].between, "l")
        for (way, _, _), one, found in list(zip(sets, words, totals, strict=True))[1:]:
            beyond = number >= passed
            w.set(word, choice(beyond, one, word))
            w.set(k, choice(beyond, number - passed, k))
            w.set(by, choice(beyond, way.by, by))
            w.set(left, choice(beyond, way.between, left))
            w.set(passed, passed + found)
        return w.var(op("select_bit", word, k), "s"), by, left

    def _walk_back(self, a: Local, by: Expr, left: Local) -> None:
        """Go on to the piece behind so many others, none if *left* is negative."""
        w, pieces = self.v.w, full(self.v)
        with w.loop(left >= 0):
            with w.when(pieces.has(a).ne(0)):
                w.set(left, left - 1)
            with w.when(left >= 0):
                w.set(a, a - by)


Read: TypeAlias = Callable[[Values, list[r.Effect]], tuple[Expr, Pick]]
"""Reads the choices of a move, needs left out."""


def picked(v: Values, tests: list[r.Effect]) -> tuple[Expr, Pick]:
    """The choices of a move as sets; needs may refuse some."""
    return Picker(v, tests, lenient=True).read()


def _of_sites(s: r.Effect) -> bool:
    return isinstance(s, r.ChooseRay) or (isinstance(s, r.Choose) and s.domain.type in SETS)


def counted(sites: Sites) -> list[Expr]:
    """How many sites each word of a set holds."""
    return [sites.w.let(op("popcount", word), "n") for word in sites.words]


def pick_bit(sites: Sites, counts: Sequence[Expr], k: Expr) -> Expr:
    """The site of the k-th bit of a set, given the number of bits of each word."""
    w, words = sites.w, sites.words
    if len(words) == 1:
        return w.let(op("select_bit", words[0], k), "s")
    word, left, base = w.var(words[0], "m"), w.var(k, "k"), w.var(0, "n")
    passed: Expr = w.var(counts[0], "p")
    for index in range(1, len(words)):
        beyond = k >= passed
        w.set(word, choice(beyond, words[index], word))
        w.set(left, choice(beyond, k - passed, left))
        w.set(base, choice(beyond, 64 * index, base))
        if index < len(words) - 1:
            w.set(passed, passed + counts[index])
    return w.let(base + op("select_bit", word, left), "s")


# --- choices that do not depend on each other ---


def is_product(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether what a move chooses may be drawn each by itself, and its needs tried then.

    Several choices, of which none asks for another, and no two of them are the same decision.
    """
    chosen = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    tests = before_effects(move)
    if len(chosen) < 2 or not all(any(s is t for t in tests) for s in chosen):
        return False
    if rules.board.is_drawn or may_repeat(move, rules) or not has_need(move.body, rules):
        return False
    normal = Normalizer(rules, 0, 0)
    if is_never(move) or domains_of(tests, normal) is None:
        return False
    return distinct(move, rules) or NotationCheck(move, normal).everything()


def domains_of(tests: Sequence[r.Effect], normal: Normalizer) -> dict[int, m.Expr] | None:
    """The domains of choices, by slot, where none depends on another choice."""
    found: dict[int, m.Expr] = {}
    lets: dict[int, m.Expr] = {}
    for s in tests:
        if isinstance(s, r.Let):
            lets[s.slot] = normal(s.value, lets)
        if isinstance(s, r.ChooseRay):
            return None
        if isinstance(s, r.Choose):
            domain = normal(s.domain, lets)
            known = isinstance(domain, Const) and domain.type in _KNOWN
            if any(uses_slot(domain, slot) for slot in found):
                return None
            if s.domain.type not in SETS and not known:
                return None
            found[s.slot] = domain
    return found


_KNOWN = (Type.STEPS, Type.RANGE, Type.NUMBERS, Type.KINDS)


def product_of(v: Values, tests: list[r.Effect]) -> tuple[Expr, Pick]:
    """The number of ways to choose all, and the k-th; needs are left out."""
    domains = domains_of(tests, Normalizer(v.rules, v.view, v.mover))
    if domains is None:
        raise Unsupported
    sets = {slot: v.sites(e) for slot, e in domains.items() if e.type not in _KNOWN}
    counts = {slot: counted(sites) for slot, sites in sets.items()}
    sizes = {slot: v.w.let(total(counts[slot]), "n") for slot in sets}
    lists = {slot: _members(e) for slot, e in domains.items() if slot not in sets}
    found: Expr = as_expr(prod(lists.values()))
    for size in sizes.values():
        found = v.w.let(found * size, "n")

    def pick(k: Expr) -> Frame:
        w, left, frame = v.w, v.w.var(k, "k"), Frame()
        for slot, size in lists.items():
            index = w.let(left % size, "i")
            w.set(left, left // size)
            frame[slot] = _member(v, domains[slot], index)
        for slot, sites in sets.items():
            index = w.let(left % sizes[slot], "i")
            w.set(left, left // sizes[slot])
            frame[slot] = Site(pick_bit(sites, counts[slot], index))
        return frame

    return found, pick


def _members(e: m.Expr) -> int:
    """How many values a domain that is known has."""
    assert isinstance(e, Const)
    return len(e.steps if e.type is Type.STEPS else _listed(e))


def _listed(e: Const) -> tuple[int, ...]:
    """The numbers of a list or of a range."""
    assert e.numbers is not None
    return tuple(range(e.numbers[0], e.numbers[1] + 1)) if e.type is Type.RANGE else e.numbers


def _member(v: Values, e: m.Expr, index: Expr) -> Lowered:
    assert isinstance(e, Const)
    if e.type is Type.STEPS:
        return OneStep(e.steps, index)
    members = _listed(e)
    table = v.layout.number_table(str(members), members)
    return v.w.let(at("g.tables", table + index), "c")
