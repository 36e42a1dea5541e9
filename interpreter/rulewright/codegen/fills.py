"""Rays by whole sets: a pattern as an automaton, run over all sites of a board at once.

In: a ray's pattern.  Out: for one step, the sites where its parts stand in some match, or the sites
from which it matches.  A part is matched *at* a site; that it can be reached from the source, and
that the rest can follow, are two sets, filled along the step by shifts.  Refuses (`Unfit`) drawn
boards, and patterns that repeat more than a single set.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen

from rulewright.codegen.writer import Words, Writer
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step
from rulewright.model.expressions import Expr


class Unfit(Exception):
    """The fast form does not cover this; the general one does."""


@define
class _Leaf:
    """One set of the pattern; `again` when it may be matched several times in a row."""

    words: Words
    marks: tuple[int, ...]
    again: bool = False
    follow: list[int] = field(factory=list)


@frozen
class _Part:
    """Where a part of the pattern begins and ends, and whether it may match nothing."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    empty: bool


@define
class Fill:
    """A ray's pattern with the values of its sets."""

    w: Writer
    board: Board
    leaves: list[_Leaf] = field(factory=list)
    whole: _Part = field(init=False)

    def read(self, pattern: m.RayPattern, words: Callable[[Expr], Words]) -> None:
        """Build the automaton; *words* writes the sets."""
        if self.board.shape == "graph":
            raise Unfit
        self.whole = self._part(pattern, (), words)

    def _part(
        self, p: m.RayPattern, marks: tuple[int, ...], words: Callable[[Expr], Words]
    ) -> _Part:
        match p:
            case m.OnSite(sites=sites):
                self.leaves.append(_Leaf(words(sites), marks))
                number = (len(self.leaves) - 1,)
                return _Part(number, number, empty=False)
            case m.Marked(mark=mark, item=item):
                return self._part(item, (*marks, mark), words)
            case m.Sequence(items=items):
                found = _Part((), (), empty=True)
                for item in items:
                    found = self._joined(found, self._part(item, marks, words))
                return found
            case m.Alternatives(items=items):
                parts = [self._part(i, marks, words) for i in items]
                first = tuple(n for x in parts for n in x.first)
                last = tuple(n for x in parts for n in x.last)
                return _Part(first, last, any(x.empty for x in parts))
            case m.Repeated():
                return self._repeated(p, marks, words)

    def _joined(self, a: _Part, b: _Part) -> _Part:
        for number in a.last:
            self.leaves[number].follow += b.first
        first = a.first + b.first if a.empty else a.first
        last = a.last + b.last if b.empty else b.last
        return _Part(first, last, a.empty and b.empty)

    def _repeated(
        self, p: m.Repeated, marks: tuple[int, ...], words: Callable[[Expr], Words]
    ) -> _Part:
        low, high = _number(p.low), None if p.high is None else _number(p.high)
        if low > 8 or (high or 0) > 8:
            raise Unfit
        copies = max(low, 1) if high is None else high
        found = _Part((), (), empty=True)
        for i in range(copies):
            part = self._part(p.item, marks, words)
            if high is None and i == copies - 1:
                if not isinstance(p.item, m.OnSite):
                    raise Unfit
                self.leaves[-1].again = True
            may_stop = _Part(part.first, part.last, part.empty or i >= low)
            found = self._joined(found, may_stop)
        return found

    # --- running it along a step ---

    def back(self, step: Step) -> dict[int, Words]:
        """For every leaf the sites where it stands and the rest of the pattern can follow."""
        found: dict[int, Words] = {}
        for number in reversed(range(len(self.leaves))):
            leaf = self.leaves[number]
            after = [found[n] for n in leaf.follow]
            words = leaf.words
            if number not in self.whole.last:
                words = self._arrived(leaf.words, self.opposite(step), after)
            found[number] = self._filled(words, leaf, self.opposite(step))
        return found

    def forth(self, source: Words, step: Step) -> dict[int, Words]:
        """For every leaf the sites where it stands and the pattern before it has matched."""
        found: dict[int, Words] = {}
        for number, leaf in enumerate(self.leaves):
            before = [found[n] for n in range(number) if number in self.leaves[n].follow]
            if number in self.whole.first:
                before.append(source)
            found[number] = self._filled(self._arrived(leaf.words, step, before), leaf, step)
        return found

    def matching(self, step: Step) -> Words:
        """The sites from which the pattern matches along *step*."""
        if self.whole.empty:
            return self.w.constant(self.board.sites)
        back = self.back(step)
        return self.stepped([back[n] for n in self.whole.first], self.opposite(step))

    def marked(self, source: Words, step: Step) -> Words:
        """The marked sites of all matches from *source* along *step*."""
        forth, back = self.forth(source, step), self.back(step)
        wanted = [n for n, leaf in enumerate(self.leaves) if leaf.marks] or list(forth)
        found = self.w.constant(0)
        for number in wanted:
            both = self.w.each("{0} & {1}", forth[number], back[number])
            found = self.w.each("{0} | {1}", found, both)
        return found

    # --- shifts ---

    def opposite(self, step: Step) -> Step:
        """The step back."""
        return self.board.opposite(step)

    def _by(self, step: Step) -> int:
        return step[0] + step[1] * self.board.width

    def stepped(self, sets: list[Words], step: Step) -> Words:
        """The sites one *step* after those of *sets*."""
        reached = self.w.constant(arrivals(self.board, step))
        return self.w.each("{0} & {1}", reached, self._shifted(sets, step))

    def _shifted(self, sets: list[Words], step: Step) -> Words:
        joined = self.w.constant(0)
        for one in sets:
            joined = self.w.each("{0} | {1}", joined, one)
        return self.w.shifted(joined, self._by(step))

    def _arrived(self, words: Words, step: Step, sets: list[Words]) -> Words:
        """The sites of *words* that are one *step* after a site of *sets*."""
        if not sets:
            return self.w.constant(0)
        return self.w.each("{0} & {1}", words, self.stepped(sets, step))

    def _filled(self, seed: Words, leaf: _Leaf, step: Step) -> Words:
        """The sites of a leaf reached from *seed* by any number of steps within it.

        Doubling: after k rounds all that is up to 2**k - 1 steps away is reached.
        """
        if not leaf.again:
            return seed
        through = self.w.each("{0} & {1}", leaf.words, self.w.constant(arrivals(self.board, step)))
        found, way = seed, 1
        while way < self.board.longest(step):
            moved = self.w.shifted(found, way * self._by(step))
            found = self.w.each("{0} | {1} & {2}", found, through, moved)
            if 2 * way < self.board.longest(step):
                moved = self.w.shifted(through, way * self._by(step))
                through = self.w.each("{0} & {1}", through, moved)
            way *= 2
        return found


def _number(e: Expr) -> int:
    if isinstance(e, m.Const) and isinstance(e.value, int):
        return e.value
    raise Unfit


def arrivals(board: Board, step: Step) -> int:
    """The sites that are one *step* after another; a plain shift by the step is right there."""
    found = 0
    for target in board.targets(step):
        found |= target
    return found
