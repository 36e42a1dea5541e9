"""The value of a small game with secrets: what each player can be sure of, whatever the other does.

In: the first state of a game.  Out: bounds of its value for the first player, as exact fractions,
and a strategy for each player: how often each decision is taken, for all that may be observed.

Regrets are minimised by CFR+ (Tammelin 2014: Solving Large Imperfect Information Games Using CFR+)
in floating point.  What the strategies are worth is worked out exactly: against each the other
player's best response is found, so the bounds do not rest on what the rounds have converged to.
Of very small games the value is worked out itself (`sequence_form.py`), and both bounds are it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.sight import Observation, observation
from rulewright.ground import budget
from rulewright.reference.evaluate import evaluate
from rulewright.search.sequence_form import InformationSet, SecretNode, exact_value

MOST = 50_000
"""Positions that the tree of a game may have."""
ROUNDS = 2_000
"""Rounds of regret minimisation, unless a limit says otherwise."""
_CHECKED = 50
"""Rounds after which the bounds are looked at."""


@frozen
class Equilibrium:
    """What is known of the value of a game: the first player gets at least `least`, on average.

    `most` is what the other player can hold him to: the same where the value is known.  `sets`
    counts what may be observed where a decision is to be made; `positions` are those of the tree.
    """

    least: Fraction
    most: Fraction
    rounds: int
    sets: int
    positions: int

    @property
    def simplest(self) -> Fraction:
        """The fraction between the bounds with the smallest denominator."""
        denominator = 1
        while ceil(self.least * denominator) > self.most * denominator:
            denominator += 1
        return Fraction(ceil(self.least * denominator), denominator)


@define
class SecretTree:
    """The whole tree of a game."""

    root: SecretNode = field(init=False)
    sets: list[InformationSet] = field(factory=list)
    size: int = 0
    least: Fraction = Fraction(0)
    """What no end is worth less than, for the first player."""
    _numbers: dict[tuple[int, int], int] = field(factory=dict)
    """Of sets: by the player and the chain of observations."""
    _chains: dict[tuple[int, Observation], int] = field(factory=dict)
    """The number of a chain of observations, by the chain before and the last of it."""

    def build(self, state: State, chains: tuple[int, int]) -> SecretNode:
        """The tree from a state on; *chains* are what the players had observed before it."""
        self.size += 1
        if self.size > MOST:
            raise RulewrightError(f"this game has more than {MOST:,} positions")
        first, second = (self._chain(state, player, chains[player]) for player in (0, 1))
        if state.over:
            payoff = payoff_of(state)
            self.least = min(self.least, payoff)
            return SecretNode(payoff)
        node = SecretNode()
        if state.by_chance:
            chances = state.probabilities()
            node.chances, moves = tuple(chances.values()), list(chances)
        else:
            moves, player = state.moves.texts, state.position.mover
            node.set = self._set_of(player, (first, second)[player], node, len(moves))
        node.branches += (self.build(state.play_decision(m), (first, second)) for m in moves)
        return node

    def _chain(self, state: State, player: int, before: int) -> int:
        moment = observation(state, player)
        if moment is None:
            return before
        return self._chains.setdefault((before, moment), len(self._chains) + 1)

    def _set_of(self, player: int, chain: int, node: SecretNode, choices: int) -> int:
        number = self._numbers.setdefault((player, chain), len(self.sets))
        if number == len(self.sets):
            self.sets.append(InformationSet(player, [], [0.0] * choices, [0.0] * choices))
        self.sets[number].nodes.append(node)
        return number


def payoff_of(state: State) -> Fraction:
    """What the end of a game is worth for the first player: its score, else 1, 0 or -1."""
    situation, rules = state.situation, state.game.rules
    outcome = situation.outcome
    assert outcome is not None
    end = next(end for end in rules.ends if end.origin == outcome.origin)
    if end.score is not None:
        context = state.game.play.context(situation.position)
        number = Fraction(evaluate(end.score, context))
        return number if situation.position.mover == 0 else -number
    return Fraction(0 if outcome.winner is None else 1 - 2 * outcome.winner)


def equilibrium(state: State, rounds: int = ROUNDS, width: float = 0.0) -> Equilibrium:
    """Bounds of the value of a game from its first state, after so many *rounds*.

    It ends earlier where the bounds are no further apart than *width*.  Raises `RulewrightError`
    for a game that has begun, or is too large.
    """
    if state.before is not None:
        raise RulewrightError("what a player knows depends on the whole game: begin at its start")
    tree = SecretTree()
    with state.game.located():
        tree.root = tree.build(state, (0, 0))
    value = exact_value(tree.root, tree.sets, tree.least)
    if value is not None:
        return Equilibrium(value, value, 0, len(tree.sets), tree.size)
    number, bounds = 0, _bounds(tree)
    while number < rounds and bounds[1] - bounds[0] > width and not budget.over():
        number += 1
        for player in (0, 1):
            _Round(tree, player, number).play()
        if number % _CHECKED == 0 or number == rounds:
            bounds = _bounds(tree)
    return Equilibrium(*bounds, number, len(tree.sets), tree.size)


# --- regrets ---


@define
class _Round:
    """One round for a player: the other one plays as he does now."""

    tree: SecretTree
    player: int
    number: int
    _mixes: list[list[float]] = field(init=False)
    _gains: list[list[float]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        sets = self.tree.sets
        self._mixes = [information.mix() for information in sets]
        self._gains = [[0.0] * len(information.regrets) for information in sets]

    def play(self) -> None:
        """Go through the whole tree, and add what each decision would have been better by."""
        self._value(self.tree.root, 1.0, 1.0)
        for information, gains in zip(self.tree.sets, self._gains, strict=True):
            if information.player == self.player:
                pairs = zip(information.regrets, gains, strict=True)
                information.regrets = [max(0.0, r + g) for r, g in pairs]

    def _value(self, node: SecretNode, own: float, others: float) -> float:
        """What a node is worth for the player; it is come to as often as *own* times *others*."""
        if node.payoff is not None:
            return float(node.payoff if self.player == 0 else -node.payoff)
        information = self.tree.sets[node.set] if node.set >= 0 else None
        if information is not None and information.player == self.player:
            return self._own_value(node, information, own, others)
        weights = map(float, node.chances) if information is None else self._mixes[node.set]
        pairs = zip(node.branches, weights, strict=True)
        return sum(p * self._value(branch, own, others * p) for branch, p in pairs)

    def _own_value(
        self, node: SecretNode, information: InformationSet, own: float, others: float
    ) -> float:
        mix, gains = self._mixes[node.set], self._gains[node.set]
        pairs = zip(node.branches, mix, strict=True)
        values = [self._value(branch, own * p, others) for branch, p in pairs]
        mean = sum(p * v for p, v in zip(mix, values, strict=True))
        for i, value in enumerate(values):
            gains[i] += others * (value - mean)
            information.sums[i] += self.number * own * mix[i]
        return mean


# --- bounds ---


def _bounds(tree: SecretTree) -> tuple[Fraction, Fraction]:
    """What the average strategies are sure to bring the first player: the least and the most."""
    averages = [information.average() for information in tree.sets]
    return -_Response(tree, averages, 1).value(), _Response(tree, averages, 0).value()


@define
class _Response:
    """The best response of a player to the average strategy of the other, exactly."""

    tree: SecretTree
    averages: Sequence[Sequence[Fraction]]
    player: int
    _reach: dict[int, Fraction] = field(factory=dict)
    """How likely the others come to a node, by its identity."""
    _choices: dict[int, int] = field(factory=dict)
    _values: dict[int, Fraction] = field(factory=dict)

    def value(self) -> Fraction:
        """What the response is worth for its player."""
        self._spread(self.tree.root, Fraction(1))
        return self._value(self.tree.root)

    def _weights(self, node: SecretNode) -> Sequence[Fraction]:
        """How often each branch is taken by chance or by the other player."""
        return node.chances if node.set < 0 else self.averages[node.set]

    def _is_own(self, node: SecretNode) -> bool:
        return node.set >= 0 and self.tree.sets[node.set].player == self.player

    def _spread(self, node: SecretNode, reach: Fraction) -> None:
        self._reach[id(node)] = reach
        weights = [Fraction(1)] * len(node.branches) if self._is_own(node) else self._weights(node)
        for branch, weight in zip(node.branches, weights, strict=node.payoff is None):
            self._spread(branch, reach * weight)

    def _value(self, node: SecretNode) -> Fraction:
        if node.payoff is not None:
            return node.payoff if self.player == 0 else -node.payoff
        if id(node) not in self._values:
            if self._is_own(node):
                self._values[id(node)] = self._value(node.branches[self._choice(node.set)])
            else:
                pairs = zip(node.branches, self._weights(node), strict=True)
                values = (weight * self._value(branch) for branch, weight in pairs if weight)
                self._values[id(node)] = sum(values, Fraction(0))
        return self._values[id(node)]

    def _choice(self, number: int) -> int:
        """The decision that is best for all that looks the same."""
        if number not in self._choices:
            nodes = self.tree.sets[number].nodes
            sums = [
                sum((self._reach[id(n)] * self._value(n.branches[i]) for n in nodes), Fraction(0))
                for i in range(len(nodes[0].branches))
            ]
            self._choices[number] = sums.index(max(sums))
        return self._choices[number]
