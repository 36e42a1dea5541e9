"""The exact value of a very small game with secrets, by a linear program over sequences.

In: the tree of a game of two players, and what looks the same to whom.  Out: what the first player
gets on the average where both play as well as can be, as a fraction.

A plan says for each sequence of a player's own decisions how often it is taken, as far as that is
up to the player (Koller, Megiddo and von Stengel 1996: Efficient Computation of Equilibria for
Extensive Two-Person Games).  Payoffs are raised until none is negative: then a plan that gives some
of it away is never better, so that all conditions are bounds from above.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import define, field

from rulewright.search.linear import most

MOST = 2_500
"""Entries that the program may have: its conditions times its unknowns."""
Decisions: TypeAlias = tuple[int, int]
"""The own decisions so far: the last information set, and the number of the decision there."""
_NONE: Decisions = (-1, 0)


@define
class SecretNode:
    """A position of the tree: its value for the first player at the end, else its branches."""

    payoff: Fraction | None = None
    chances: tuple[Fraction, ...] = ()
    set: int = -1
    """The number of what the player to move has observed; -1 where chance decides."""
    branches: list[SecretNode] = field(factory=list)


@define
class InformationSet:
    """All that looks the same to a player who decides, and what was learnt of it."""

    player: int
    nodes: list[SecretNode] = field(factory=list)
    regrets: list[float] = field(factory=list)
    sums: list[float] = field(factory=list)

    def mix(self) -> list[float]:
        """How often each decision is taken in the next round."""
        total = sum(self.regrets)
        share = 1 / len(self.regrets)
        return [r / total if total else share for r in self.regrets]

    def average(self) -> list[Fraction]:
        """How often each was taken on the average of all rounds, exactly 1 in sum."""
        weights = [Fraction(s).limit_denominator(10**6) for s in self.sums]
        total = sum(weights)
        return [w / total if total else Fraction(1, len(weights)) for w in weights]


@define
class SequenceForm:
    """What the ends behind each two sequences of the players' decisions are worth together."""

    sets: Sequence[InformationSet]
    least: Fraction
    """No end is worth less for the first player."""
    before: dict[int, Decisions] = field(factory=dict)
    """The own decisions that lead to an information set."""
    worths: defaultdict[tuple[Decisions, Decisions], Fraction] = field(
        factory=lambda: defaultdict(Fraction)
    )

    def walk(self, node: SecretNode, path: tuple[Decisions, Decisions], chance: Fraction) -> None:
        """Note what lies behind a node."""
        if node.payoff is not None:
            self.worths[path] += chance * (node.payoff - self.least)
            return
        player = self.sets[node.set].player if node.set >= 0 else None
        if player is not None:
            self.before[node.set] = path[player]
        chances = node.chances or [Fraction(1)] * len(node.branches)
        for number, (branch, share) in enumerate(zip(node.branches, chances, strict=True)):
            first, second = path
            first = (node.set, number) if player == 0 else first
            second = (node.set, number) if player == 1 else second
            self.walk(branch, (first, second), chance * share)

    def sequences(self, player: int) -> list[Decisions]:
        """The sequences of a player, the empty one first."""
        own = (n for n in sorted(self.before) if self.sets[n].player == player)
        return [_NONE, *((n, i) for n in own for i in range(len(self.sets[n].regrets)))]

    def value(self) -> Fraction | None:
        """The value for the first player; None where the program would be too large.

        Unknown are how often each sequence of the first player is taken, and what each information
        set of the second is worth: the least that a decision there leaves.
        """
        firsts, seconds = self.sequences(0), self.sequences(1)
        sets = dict.fromkeys(number for number, _ in seconds)
        unknowns: list[Decisions | int] = [*firsts, *sets]
        rows: list[dict[Decisions | int, Fraction]] = [{_NONE: Fraction(1)}]
        own = dict.fromkeys(number for number, _ in firsts[1:])
        rows += [self._split(number) for number in own]
        rows += [self._leaves(decisions, firsts) for decisions in seconds]
        if len(rows) * len(unknowns) > MOST:
            return None
        table = [[row.get(what, Fraction(0)) for what in unknowns] for row in rows]
        objective = [Fraction(what == _NONE[0]) for what in unknowns]
        limits = [Fraction(1), *[Fraction(0)] * (len(rows) - 1)]
        return most(objective, table, limits) + self.least

    def _split(self, number: int) -> dict[Decisions | int, Fraction]:
        """Decisions of a set are taken no more often together than it is come to."""
        row: dict[Decisions | int, Fraction] = {
            (number, i): Fraction(1) for i in range(len(self.sets[number].regrets))
        }
        return row | {self.before[number]: Fraction(-1)}

    def _leaves(
        self, decisions: Decisions, firsts: Sequence[Decisions]
    ) -> dict[Decisions | int, Fraction]:
        """A set of the second player is worth no more than a decision there leaves."""
        row: dict[Decisions | int, Fraction] = {decisions[0]: Fraction(1)}
        for number, before in self.before.items():
            if self.sets[number].player == 1 and before == decisions:
                row[number] = Fraction(-1)
        for first in firsts:
            if (first, decisions) in self.worths:
                row[first] = -self.worths[first, decisions]
        return row


def exact_value(
    root: SecretNode, sets: Sequence[InformationSet], least: Fraction
) -> Fraction | None:
    """The value for the first player, for whom no end is worth less than *least*.

    None where the game is too large.
    """
    if len(sets) > MOST // 10:
        return None
    form = SequenceForm(sets, least)
    form.walk(root, (_NONE, _NONE), Fraction(1))
    return form.value()
