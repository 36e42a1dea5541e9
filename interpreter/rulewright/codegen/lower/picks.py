"""The choices of a move as sets, so that a decision of a number is a bit of one.

In: the statements of a move before its effects.  Out: how many decisions there are, and the choices
of the k-th.  A move may choose no site, one site, or two of which the second is a single step from
the first; everything else is refused (`Unsupported`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_

from attrs import define

from rulewright.codegen.ir.nodes import Expr, choice, op
from rulewright.codegen.layout import Unsupported
from rulewright.codegen.lower.rays import Fill
from rulewright.codegen.lower.values import Site, Values
from rulewright.codegen.lower.writer import Sites, total
from rulewright.codegen.passes.duplicates import SETS
from rulewright.codegen.passes.normalize import Normalizer, is_apply, uses_slot
from rulewright.codegen.passes.pushdown import Pushdown, narrow_choice
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const

Frame = dict[int, object]
"""Values of the choices, by slot."""
Pick = Callable[[Expr], Frame]
"""How the decision of a number is picked."""


@define
class Picker:
    """Reads the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]
    lenient: bool = False
    """Whether decisions may be among those counted that needs refuse."""

    def read(self) -> tuple[Expr, Pick]:
        """The number of decisions, and how the k-th is picked."""
        chooses = [i for i, s in enumerate(self.tests) if isinstance(s, r.Choose)]
        if any(isinstance(s, r.ChooseRay) for s in self.tests) or len(chooses) > 2:
            raise Unsupported
        if any(self.tests[i].domain.type not in SETS for i in chooses):  # type: ignore[union-attr]
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
        counts = counted(sites)
        found = self.v.w.let(total(counts), "n")
        return found, lambda k: {choose.slot: Site(pick_bit(sites, counts, k))}

    def _settled(self, settled: Sequence[r.Need], tests: Sequence[r.Effect]) -> None:
        """Refuse where needs are not settled for all choices at once."""
        if not self.lenient and len(settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unsupported

    # --- two choices, the second a step from the first ---

    def _two(
        self, tests: Sequence[r.Effect], second: int, before: list[m.Expr]
    ) -> tuple[Expr, Pick]:
        first, other = tests[0], tests[second]
        assert isinstance(first, r.Choose)
        assert isinstance(other, r.Choose)
        w, normal = self.v.w, Normalizer(self.v.rules, self.v.view, self.v.mover)
        choice = narrow_choice(self.v, first, tests[1:second])
        after = tests[second + 1 :]
        needs = [] if self.lenient else [normal(n) for n in self._needs(after)]
        self._settled(choice.settled, tests[1:second])
        if any(uses_slot(n, first.slot) for n in needs):
            raise Unsupported
        sources = self._allowed(choice.sites, before)
        held = [Pushdown(self.v, other.slot).truth(need) for need in needs]
        by_step = self._targets(normal(other.domain), first.slot, sources)
        sets: list[tuple[int, Sites, list[Expr]]] = []
        for step, reached in by_step.items():
            sites = reduce(and_, held, reached)
            sets.append((step[0] + step[1] * self.v.board.width, sites, counted(sites)))
        totals = [w.let(total(counts), "n") for _, _, counts in sets]
        slots = first.slot, other.slot
        return w.let(total(totals), "n"), lambda k: self._pick_step(sets, totals, slots, k)

    def _pick_step(
        self,
        sets: list[tuple[int, Sites, list[Expr]]],
        totals: list[Expr],
        slots: tuple[int, int],
        number: Expr,
    ) -> Frame:
        w = self.v.w
        a, b, done, k = w.var(0, "s"), w.var(0, "s"), w.var(0, "d"), w.var(number, "k")
        for (by, sites, counts), found in zip(sets, totals, strict=True):
            with w.when(done.eq(0) & (k < found)):
                w.set(b, pick_bit(sites, counts, k))
                w.set(a, b - by)
                w.set(done, 1)
            w.set(k, k - found)
        return {slots[0]: Site(a), slots[1]: Site(b)}

    def _targets(self, e: m.Expr, slot: int, sources: Sites) -> dict[Step, Sites]:
        """For every step the sites that can be chosen after a step from *sources*."""
        w, found = self.v.w, dict[Step, Sites]()
        fill = Fill(w, self.v.board)
        if self.v.board.is_drawn:
            raise Unsupported
        terms = e.arguments if is_apply(e, "unite") else (e,)
        for term in terms:
            steps, conditions = _step_term(term, slot)
            allowed = w.constant(self.v.board.sites)
            for condition in conditions:
                allowed = allowed & self.v.sites(condition)
            for step in steps:
                found[step] = found[step] | allowed if step in found else allowed
        for step, allowed in found.items():
            found[step] = allowed & fill.stepped([sources], step)
        return found


def _step_term(e: m.Expr, slot: int) -> tuple[tuple[Step, ...], list[m.Expr]]:
    """The steps and the conditions of `steps(a) and ...`, where the slot is a."""
    parts = e.arguments if is_apply(e, "intersect") else (e,)
    varying = [part for part in parts if uses_slot(part, slot)]
    if len(varying) != 1 or not is_apply(varying[0], "step"):
        raise Unsupported
    way, site = varying[0].arguments
    if not isinstance(way, Const) or not isinstance(site, m.Local):
        raise Unsupported
    steps: tuple[Step, ...] = tuple(dict.fromkeys(way.value))  # type: ignore[arg-type]
    return steps, [part for part in parts if part is not varying[0]]


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
