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
from rulewright.compiler.passes.decision_rows import SETS, distinct, may_repeat
from rulewright.compiler.passes.normalize import Normalizer, is_never, uses_slot
from rulewright.compiler.passes.pushdown import Pushdown, narrow_choice
from rulewright.ground.records import Record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type
from rulewright.reference.effects import has_need

_FEW_WAYS = 8
"""Ways of which one is picked without branches."""
Frame = dict[int, Lowered]
"""Values of the choices, by slot."""
Pick = Callable[[Expr], Frame]
"""Writes the choices of the decision of a number."""


@define(repr=False, eq=False)
class Picker(Record):
    """Read the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]
    lenient: bool = False
    """Whether decisions that needs refuse may be counted."""
    among: Callable[[Sites], Sites] | None = None
    """Narrows the sites of a single choice; None: all of them count."""

    def read(self) -> tuple[Expr, Pick]:
        """Return the number of decisions, and the writer of the k-th; raises `Unsupported`."""
        choosing = r.Choose, r.ChooseRay
        chooses = [i for i, s in enumerate(self.tests) if isinstance(s, choosing)]
        if len(chooses) > 2 or not all(_of_sites(self.tests[i]) for i in chooses):
            raise Unsupported
        if chooses and not isinstance(self.tests[chooses[0]], r.Choose):
            raise Unsupported
        if not chooses:
            return self._no_choice()
        needs = self._needs(self.tests[: chooses[0]])
        if len(chooses) == 1:
            return self._single_choice(self.tests[chooses[0] :], needs)
        return self._two_choices(self.tests[chooses[0] :], chooses[1] - chooses[0], needs)

    def _needs(self, statements: Sequence[r.Effect]) -> list[m.Expr]:
        if any(isinstance(s, r.Let) for s in statements):
            raise Unsupported
        return [s.condition for s in statements if isinstance(s, r.Need)]

    def _no_choice(self) -> tuple[Expr, Pick]:
        """Read a move without a choice: one decision if its needs are met."""
        w, count = self.v.w, self.v.w.var(1, "n")
        for need in () if self.lenient else self._needs(self.tests):
            with w.when(count.ne(0)):
                w.set(count, choice(self.v.truth(need), 1, 0))
        return count, lambda _: {}

    def _allowed(self, sites: Sites, needs: Sequence[m.Expr]) -> Sites:
        """Narrow a set by needs that do not depend on the choice: to all of it, or nothing."""
        for need in needs:
            sites = sites & Pushdown(self.v, -1).truth(need)
        return sites

    def _single_choice(self, tests: Sequence[r.Effect], needs: list[m.Expr]) -> tuple[Expr, Pick]:
        choose = tests[0]
        assert isinstance(choose, r.Choose)
        choice = narrow_choice(self.v, choose, tests[1:])
        self._check_settled(choice.settled, tests)
        sites = self._allowed(choice.sites, needs)
        if self.among is not None:
            sites = self.among(sites)
        counts = count_bits(sites)
        count = self.v.w.let(total(counts), "n")
        return count, lambda k: {choose.slot: Site(pick_bit(sites, counts, k))}

    def _check_settled(self, settled: Sequence[r.Need], tests: Sequence[r.Effect]) -> None:
        """Raise `Unsupported` unless needs are settled for all choices at once."""
        if not self.lenient and len(settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unsupported

    # --- two choices, the second reached by known steps from the first ---

    def _two_choices(
        self, tests: Sequence[r.Effect], second: int, needs: list[m.Expr]
    ) -> tuple[Expr, Pick]:
        first, target = tests[0], tests[second]
        assert isinstance(first, r.Choose)
        assert isinstance(target, r.Choose | r.ChooseRay)
        w, choice = self.v.w, narrow_choice(self.v, first, tests[1:second])
        plain = Normalizer(self.v.rules, self.v.view, self.v.mover)
        self._check_settled(choice.settled, tests[1:second])
        normal: Normal = partial(plain, values=choice.lets)
        allowed = self._allowed_targets(target, tests[second + 1 :], normal, first.slot)
        sources = self._allowed(choice.sites, needs)
        targets = Targets(self.v, first.slot, sources, holds_pieces(normal(first.domain)))
        reached = targets.read(normal, target)
        sets = [(way, reduce(and_, allowed, sites)) for way, sites in reached.items()]
        ways = [(way, sites, count_bits(sites)) for way, sites in sets]
        totals = [w.let(total(counts), "n") for _, _, counts in ways]
        return w.let(total(totals), "n"), lambda k: self._pick_way(ways, totals, first, target, k)

    def _allowed_targets(
        self,
        target: r.Choose | r.ChooseRay,
        statements: Sequence[r.Effect],
        normal: Normal,
        slot: int,
    ) -> list[Sites]:
        """Write, for every need that follows, the set of sites that it allows."""
        needs = [] if self.lenient else [normal(n) for n in self._needs(statements)]
        if needs and (isinstance(target, r.ChooseRay) or any(uses_slot(n, slot) for n in needs)):
            raise Unsupported
        return [Pushdown(self.v, target.slot).truth(need) for need in needs]  # type: ignore[union-attr]

    def _pick_way(
        self,
        sets: list[tuple[Way, Sites, list[Expr]]],
        totals: list[Expr],
        first: r.Choose,
        target: r.Choose | r.ChooseRay,
        number: Expr,
    ) -> Frame:
        w = self.v.w
        small = 0 < len(sets) <= _FEW_WAYS and all(len(sites.words) == 1 for _, sites, _ in sets)
        pick = self._pick_by_choices if small else self._pick_in_turn
        b, by, passes = pick(sets, totals, number)
        length = max((way.length for way, _, _ in sets), default=1)
        a = w.var(b - length * by, "s")
        if any(way.passes is not None for way, _, _ in sets):
            self._walk_back(a, by, passes)
        if isinstance(target, r.Choose):
            return {first.slot: Site(a), target.slot: Site(b)}
        marks = {slot: Site(w.let(a + (i + 1) * by, "s")) for i, slot in marked_places(target)}
        return {first.slot: Site(a), **marks}

    def _pick_in_turn(
        self, sets: list[tuple[Way, Sites, list[Expr]]], totals: list[Expr], number: Expr
    ) -> tuple[Local, Local, Local]:
        """Pick the site, its way and the pieces between, trying one way after the other."""
        w = self.v.w
        b, by, is_done, k = w.var(0, "s"), w.var(0, "y"), w.var(0, "d"), w.var(number, "k")
        passes = w.var(0, "l")
        for (way, sites, counts), count in zip(sets, totals, strict=True):
            with w.when(is_done.eq(0) & (k < count)):
                w.set(b, pick_bit(sites, counts, k))
                w.set(by, way.by)
                w.set(passes, way.between)
                w.set(is_done, 1)
            w.set(k, k - count)
        return b, by, passes

    def _pick_by_choices(
        self, sets: list[tuple[Way, Sites, list[Expr]]], totals: list[Expr], number: Expr
    ) -> tuple[Local, Local, Local]:
        """Pick them without branches, which no processor can predict."""
        w = self.v.w
        words = [sites.words[0] for _, sites, _ in sets]
        word, k, bound = w.var(words[0], "m"), w.var(number, "k"), w.var(totals[0], "p")
        by, passes = w.var(sets[0][0].by, "y"), w.var(sets[0][0].between, "l")
        for (way, _, _), candidate, count in list(zip(sets, words, totals, strict=True))[1:]:
            is_beyond = number >= bound
            w.set(word, choice(is_beyond, candidate, word))
            w.set(k, choice(is_beyond, number - bound, k))
            w.set(by, choice(is_beyond, way.by, by))
            w.set(passes, choice(is_beyond, way.between, passes))
            w.set(bound, bound + count)
        return w.var(op("select_bit", word, k), "s"), by, passes

    def _walk_back(self, a: Local, by: Expr, passes: Local) -> None:
        """Walk back to the piece behind *passes* others; not at all if that is negative."""
        w, pieces = self.v.w, full(self.v)
        with w.loop(passes >= 0):
            with w.when(pieces.has(a).ne(0)):
                w.set(passes, passes - 1)
            with w.when(passes >= 0):
                w.set(a, a - by)


Reader: TypeAlias = Callable[[Values, list[r.Effect]], tuple[Expr, Pick]]
"""Reads the choices of a move, without its needs."""


def pick_choices(v: Values, tests: list[r.Effect]) -> tuple[Expr, Pick]:
    """Read the choices of a move as sets; needs may refuse some decisions."""
    return Picker(v, tests, lenient=True).read()


def _of_sites(s: r.Effect) -> bool:
    return isinstance(s, r.ChooseRay) or (isinstance(s, r.Choose) and s.domain.type in SETS)


def count_bits(sites: Sites) -> list[Expr]:
    """Count the sites in each word of a set."""
    return [sites.w.let(op("popcount", word), "n") for word in sites.words]


def pick_bit(sites: Sites, counts: Sequence[Expr], k: Expr) -> Expr:
    """Pick the site of the k-th bit of a set, given the number of bits of each word."""
    w, words = sites.w, sites.words
    if len(words) == 1:
        return w.let(op("select_bit", words[0], k), "s")
    word, rank, base = w.var(words[0], "m"), w.var(k, "k"), w.var(0, "n")
    bound: Expr = w.var(counts[0], "p")
    for index in range(1, len(words)):
        is_beyond = k >= bound
        w.set(word, choice(is_beyond, words[index], word))
        w.set(rank, choice(is_beyond, k - bound, rank))
        w.set(base, choice(is_beyond, 64 * index, base))
        if index < len(words) - 1:
            w.set(bound, bound + counts[index])
    return w.let(base + op("select_bit", word, rank), "s")


# --- choices that do not depend on each other ---


def is_product(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether each choice of a move may be drawn by itself, and needs be tried then.

    So it is for several choices of which none asks for another, if no two combinations are the same
    decision.
    """
    choices = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    tests = before_effects(move)
    if len(choices) < 2 or not all(any(s is t for t in tests) for s in choices):
        return False
    if rules.board.is_irregular or may_repeat(move, rules) or not has_need(move.body, rules):
        return False
    normal = Normalizer(rules, 0, 0)
    if is_never(move) or domains_of(tests, normal) is None:
        return False
    return distinct(move, rules) or NotationCheck(move, normal).everything()


def domains_of(tests: Sequence[r.Effect], normal: Normalizer) -> dict[int, m.Expr] | None:
    """Return the domains of choices, by slot; None if one depends on another choice."""
    domains: dict[int, m.Expr] = {}
    lets: dict[int, m.Expr] = {}
    for s in tests:
        if isinstance(s, r.Let):
            lets[s.slot] = normal(s.value, lets)
        if isinstance(s, r.ChooseRay):
            return None
        if isinstance(s, r.Choose):
            domain = normal(s.domain, lets)
            is_constant = isinstance(domain, Const) and domain.type in _CONSTANT_TYPES
            if any(uses_slot(domain, slot) for slot in domains):
                return None
            if s.domain.type not in SETS and not is_constant:
                return None
            domains[s.slot] = domain
    return domains


_CONSTANT_TYPES = (Type.STEPS, Type.RANGE, Type.NUMBERS, Type.KINDS)


def product_of(v: Values, tests: list[r.Effect]) -> tuple[Expr, Pick]:
    """Return the number of combinations of choices, and the writer of the k-th, without needs."""
    domains = domains_of(tests, Normalizer(v.rules, v.view, v.mover))
    if domains is None:
        raise Unsupported
    sets = {slot: v.sites(e) for slot, e in domains.items() if e.type not in _CONSTANT_TYPES}
    counts = {slot: count_bits(sites) for slot, sites in sets.items()}
    sizes = {slot: v.w.let(total(counts[slot]), "n") for slot in sets}
    lists = {slot: _members(e) for slot, e in domains.items() if slot not in sets}
    count: Expr = as_expr(prod(lists.values()))
    for size in sizes.values():
        count = v.w.let(count * size, "n")

    def pick(k: Expr) -> Frame:
        w, rank, frame = v.w, v.w.var(k, "k"), Frame()
        for slot, size in lists.items():
            index = w.let(rank % size, "i")
            w.set(rank, rank // size)
            frame[slot] = _member(v, domains[slot], index)
        for slot, sites in sets.items():
            index = w.let(rank % sizes[slot], "i")
            w.set(rank, rank // sizes[slot])
            frame[slot] = Site(pick_bit(sites, counts[slot], index))
        return frame

    return count, pick


def _members(e: m.Expr) -> int:
    """Count the values of a constant domain."""
    assert isinstance(e, Const)
    return len(e.steps if e.type is Type.STEPS else _numbers(e))


def _numbers(e: Const) -> tuple[int, ...]:
    """Return the numbers of a list or of a range."""
    assert e.numbers is not None
    return tuple(range(e.numbers[0], e.numbers[1] + 1)) if e.type is Type.RANGE else e.numbers


def _member(v: Values, e: m.Expr, index: Expr) -> Lowered:
    assert isinstance(e, Const)
    if e.type is Type.STEPS:
        return OneStep(e.steps, index)
    members = _numbers(e)
    table = v.layout.number_table(str(members), members)
    return v.w.let(at("g.tables", table + index), "c")
