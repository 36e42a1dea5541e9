"""Choices as sets: how many decisions a move has, and which is the k-th.

In: the statements of a move before its first effect.  Out: a number, and how the choices of the
k-th decision are found.  Refuses (`Unfit`) all but: no choice; one site; two sites, the second a
single step from the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define

from rulewright.codegen.choices import SETS
from rulewright.codegen.fills import Fill, Unfit
from rulewright.codegen.lift import Lift, uses_slot
from rulewright.codegen.narrow import narrowed
from rulewright.codegen.plain import Plainer, is_apply
from rulewright.codegen.values import Site, Value, Values
from rulewright.codegen.writer import Words, Writer
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const, Expr

Frame = dict[int, Value]
"""Values of the choices, by slot."""


@define
class Picker:
    """Reads the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]

    def read(self) -> tuple[str, Callable[[str], Frame]]:
        """The number of decisions, and how the k-th is picked."""
        chooses = [i for i, s in enumerate(self.tests) if isinstance(s, r.Choose)]
        if any(isinstance(s, r.ChooseRay) for s in self.tests) or len(chooses) > 2:
            raise Unfit
        if any(self.tests[i].domain.type not in SETS for i in chooses):  # type: ignore[union-attr]
            raise Unfit
        if not chooses:
            return self._single()
        before = self._needs(self.tests[: chooses[0]])
        if len(chooses) == 1:
            return self._one(self.tests[chooses[0] :], before)
        return self._two(self.tests[chooses[0] :], chooses[1] - chooses[0], before)

    def _needs(self, statements: Sequence[r.Effect]) -> list[Expr]:
        if any(isinstance(s, r.Bind) for s in statements):
            raise Unfit
        return [s.condition for s in statements if isinstance(s, r.Need)]

    def _single(self) -> tuple[str, Callable[[str], Frame]]:
        """A move without a choice: one decision if its needs are met."""
        w, found = self.v.w, self.v.w.fresh("n")
        w.put(f"{found} = 1")
        for need in self._needs(self.tests):
            with w.block(f"if {found} != 0:"):
                w.put(f"{found} = 1 if {self.v.truth(need)} else 0")
        return found, lambda _: {}

    def _allowed(self, words: Words, needs: Sequence[Expr]) -> Words:
        """A set, or nothing when a need that does not depend on the choice is not met."""
        for need in needs:
            words = self.v.w.each("{0} & {1}", words, Lift(self.v, -1).truth(need))
        return words

    def _one(
        self, tests: Sequence[r.Effect], before: list[Expr]
    ) -> tuple[str, Callable[[str], Frame]]:
        choose = tests[0]
        assert isinstance(choose, r.Choose)
        choice = narrowed(self.v, choose, tests[1:])
        if len(choice.settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unfit
        sites = self._allowed(choice.sites, before)
        counts = [self.v.w.let(f"popcount({word})", "n") for word in sites]
        total = self.v.w.let(" + ".join(counts), "n")
        return total, lambda k: {choose.slot: Site(pick_bit(self.v.w, sites, counts, k))}

    # --- two choices, the second a step from the first ---

    def _two(
        self, tests: Sequence[r.Effect], second: int, before: list[Expr]
    ) -> tuple[str, Callable[[str], Frame]]:
        first, other = tests[0], tests[second]
        assert isinstance(first, r.Choose)
        assert isinstance(other, r.Choose)
        w, plain = self.v.w, Plainer(self.v.plan.rules, self.v.view, self.v.mover)
        choice = narrowed(self.v, first, tests[1:second])
        after = tests[second + 1 :]
        needs = [plain(n) for n in self._needs(after)]
        if len(choice.settled) != len(self._needs(tests[1:second])):
            raise Unfit
        if any(uses_slot(n, first.slot) for n in needs):
            raise Unfit
        sources = self._allowed(choice.sites, before)
        held = [Lift(self.v, other.slot).truth(need) for need in needs]
        by_step = self._targets(plain(other.domain), first.slot, sources)
        sets: list[tuple[int, Words, list[str]]] = []
        for step, reached in by_step.items():
            words = reached
            for test in held:
                words = w.each("{0} & {1}", words, test)
            counts = [w.let(f"popcount({word})", "n") for word in words]
            sets.append((step[0] + step[1] * self.v.plan.rules.board.width, words, counts))
        totals = [w.let(" + ".join(counts), "n") for _, _, counts in sets]
        total = w.let(" + ".join(totals), "n")
        slots = first.slot, other.slot
        return total, lambda k: self._pick_step(sets, totals, slots, k)

    def _pick_step(
        self,
        sets: list[tuple[int, Words, list[str]]],
        totals: list[str],
        slots: tuple[int, int],
        k: str,
    ) -> Frame:
        w, a, b, done = self.v.w, *(self.v.w.fresh("s") for _ in range(2)), self.v.w.fresh("d")
        w.put(f"{a} = 0")
        w.put(f"{b} = 0")
        w.put(f"{done} = 0")
        for (by, words, counts), total in zip(sets, totals, strict=True):
            with w.block(f"if {done} == 0 and {k} < {total}:"):
                w.put(f"{b} = {pick_bit(w, words, counts, k)}")
                w.put(f"{a} = {b} - {by}" if by >= 0 else f"{a} = {b} + {-by}")
                w.put(f"{done} = 1")
            w.put(f"{k} = {k} - {total}")
        return {slots[0]: Site(a), slots[1]: Site(b)}

    def _targets(self, e: Expr, slot: int, sources: Words) -> dict[Step, Words]:
        """For every step the sites that can be chosen after a step from *sources*."""
        w, found = self.v.w, dict[Step, Words]()
        fill = Fill(w, self.v.plan.rules.board)
        if self.v.plan.rules.board.shape == "graph":
            raise Unfit
        terms = e.arguments if is_apply(e, "unite") else (e,)
        for term in terms:
            steps, conditions = _step_term(term, slot)
            allowed = w.constant(self.v.plan.rules.board.sites)
            for condition in conditions:
                allowed = w.each("{0} & {1}", allowed, self.v.words(condition))
            for step in steps:
                already = found.get(step, w.constant(0))
                found[step] = w.each("{0} | {1}", already, allowed)
        for step, allowed in found.items():
            found[step] = w.each("{0} & {1}", allowed, fill.stepped([sources], step))
        return found


def _step_term(e: Expr, slot: int) -> tuple[tuple[Step, ...], list[Expr]]:
    """The steps and the conditions of `steps(a) and ...`, where the slot is a."""
    parts = e.arguments if is_apply(e, "intersect") else (e,)
    varying = [part for part in parts if uses_slot(part, slot)]
    if len(varying) != 1 or not is_apply(varying[0], "step"):
        raise Unfit
    way, site = varying[0].arguments
    if not isinstance(way, Const) or not isinstance(site, m.Local):
        raise Unfit
    steps: tuple[Step, ...] = tuple(dict.fromkeys(way.value))  # type: ignore[arg-type]
    return steps, [part for part in parts if part is not varying[0]]


def pick_bit(w: Writer, words: Words, counts: Sequence[str], k: str) -> str:
    """The site of the k-th bit of a set, given the number of bits of each word."""
    if len(words) == 1:
        return w.let(f"select_bit({words[0]}, {k})", "s")
    word, left, base, passed = (w.fresh(n) for n in "mknp")
    w.put(f"{word} = {words[0]}")
    w.put(f"{left} = {k}")
    w.put(f"{base} = 0")
    w.put(f"{passed} = {counts[0]}")
    for index in range(1, len(words)):
        w.put(f"{word} = {words[index]} if {k} >= {passed} else {word}")
        w.put(f"{left} = {k} - {passed} if {k} >= {passed} else {left}")
        w.put(f"{base} = {64 * index} if {k} >= {passed} else {base}")
        if index < len(words) - 1:
            w.put(f"{passed} = {passed} + {counts[index]}")
    return w.let(f"{base} + select_bit({word}, {left})", "s")
