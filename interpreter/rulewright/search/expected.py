"""The exact value of a small game with everything open: by chance, or of several players.

In: a state.  Out: for each player a fraction that the player can be sure of on the average,
whatever all others do (what the paranoid search looks for); and what each of several gets where all
play for themselves (max^n).  All positions that can come are worked out, from the ends back.  Where
they come again, as when dice take back what was gained, decisions are made better until none can
be, and what they are worth is a system of linear equations, solved exactly (Hoffman and Karp 1966).

An end counts 1 for a win, 0 for a draw and -1 for a loss; of two players a `score` counts as it is,
of more the places count, evenly spaced from 1 to -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from attrs import define, evolve, field, frozen

from rulewright.compiler.lower.keys import reads_ply
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.ground import budget
from rulewright.ground.printable import amount
from rulewright.reference.position import Position
from rulewright.search.equilibrium import payoff_of
from rulewright.search.linear import solution
from rulewright.search.results import refuse_secrets
from rulewright.search.several import worths_of

MOST = 50_000
"""Positions that a game may have."""
MOST_AGAIN = 400
"""Positions that may lead back to each other."""
_BY_CHANCE, _ENDED = -1, -2

Worth = tuple[Fraction, ...]


@frozen
class ExpectedValue:
    """What a position is worth: `sure` and `each` are by player, in the order of the turns.

    `each` is None for two players, where it would be the same, and where positions come again.
    """

    players: tuple[str, ...]
    sure: Worth
    each: Worth | None
    move: str | None
    """The first decision by which whoever is to move is sure of that; None where chance decides."""
    positions: int


def expected_value(state: State) -> ExpectedValue:
    """The exact value of a position.

    Raises `RulewrightError` for a game with secrets, for more than `MOST` positions, and where a
    game may never end; `OutOfBudget` where there was no time.
    """
    if state.over:
        raise GameOver(f"there is nothing to solve: the game is over ({state.result})")
    refuse_secrets(state.game, "a value")
    rules = state.game.rules
    if rules.looks_back:
        raise RulewrightError("the rules look back, so a position alone does not tell its value")
    with state.game.located():
        graph = _Graph.of(state)
    sides = 1 if rules.is_puzzle else len(rules.players)
    sure = [_Side(graph, player).values() for player in range(sides if sides > 2 else 1)]
    at_root = [values[0] for values in sure]
    worth = (at_root[0], -at_root[0]) if sides == 2 else (*at_root,)
    move, mover = None, graph.movers[0]
    if mover >= 0:
        values = sure[mover] if sides > 2 else [-v for v in sure[0]] if mover else sure[0]
        move = state.moves.texts[_best(graph.children[0], values)]
    each = _each_for_themselves(graph) if sides > 2 else None
    return ExpectedValue(rules.players[:sides], worth, each, move, len(graph.movers))


def _best(children: Sequence[int], values: Sequence[Fraction]) -> int:
    """The first of the children that are worth most."""
    worths = [values[child] for child in children]
    return worths.index(max(worths))


# --- all positions ---


@define
class _Graph:
    """All positions that can come, each once, the first one the root."""

    movers: list[int] = field(factory=list)
    """Who decides: a player, or `_BY_CHANCE`, or `_ENDED`."""
    children: list[tuple[int, ...]] = field(factory=list)
    chances: list[tuple[Fraction, ...]] = field(factory=list)
    worths: list[Worth] = field(factory=list)
    groups: list[list[int]] = field(factory=list)
    """Positions that lead to each other, those first that lead to no others."""

    @classmethod
    def of(cls, start: State) -> _Graph:
        """The graph from a state on."""
        graph, by_ply = cls(), reads_ply(start.game.rules)
        numbers = {_key(start, by_ply): 0}
        states = [start]
        for state in states:  # which grows meanwhile
            if budget.over():
                raise OutOfBudget(budget.why())
            after = list[int]()
            for child in graph._add(state):
                key = _key(child, by_ply)
                if key not in numbers:
                    if len(states) == MOST:
                        raise RulewrightError(f"this game has more than {MOST:,} positions")
                    numbers[key] = len(states)
                    states.append(child)
                after.append(numbers[key])
            graph.children.append((*after,))
        graph.groups = [*_groups(graph.children)]
        return graph

    def _add(self, state: State) -> Iterator[State]:
        """Note a position; what follows it."""
        chances = {} if state.over else state.probabilities()
        mover = _ENDED if state.over else _BY_CHANCE if chances else state.position.mover
        self.movers.append(mover)
        self.chances.append((*chances.values(),))
        self.worths.append(_worth_of(state) if state.over else ())
        texts = chances or (() if state.over else state.moves.texts)
        return (state.play_decision(text) for text in texts)

    def comes_again(self, group: Sequence[int]) -> bool:
        """Whether the positions of a group lead back to themselves."""
        return len(group) > 1 or group[0] in self.children[group[0]]

    def may_last(self, group: Sequence[int]) -> bool:
        """Whether decisions may keep a game among positions that lead back to each other."""
        inside, before = {*group}, 0
        while len(inside) != before:
            before = len(inside)
            inside = {n for n in inside if self._may_stay(n, inside)}
        return bool(inside)

    def _may_stay(self, number: int, inside: set[int]) -> bool:
        stays = (child in inside for child in self.children[number])
        return all(stays) if self.movers[number] == _BY_CHANCE else any(stays)


def _key(state: State, by_ply: bool) -> tuple[Position, object]:
    """What tells positions apart."""
    position = state.situation.position
    return position if by_ply else evolve(position, ply=0), state.position.ended


def _worth_of(state: State) -> Worth:
    """What an end is worth for each player."""
    players = len(state.game.players)
    if players == 2:
        first = payoff_of(state)
        return first, -first
    spread = worths_of(state.situation.outcome, players)
    return tuple(Fraction(w).limit_denominator(2 * players * players) for w in spread)


def _groups(children: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The strongly connected parts of a graph, a part behind all that it leads to (Tarjan 1972)."""
    low, order, open_parts = [0] * len(children), [0] * len(children), list[int]()
    waiting, count = [(0, 0)], 0
    while waiting:
        node, at = waiting.pop()
        if at == 0:
            count += 1
            low[node] = order[node] = count
            open_parts.append(node)
        elif low[children[node][at - 1]] > 0:
            low[node] = min(low[node], low[children[node][at - 1]])
        if at < len(children[node]):
            waiting.append((node, at + 1))
            child = children[node][at]
            if not order[child]:
                waiting.append((child, 0))
        elif low[node] == order[node]:
            cut = open_parts.index(node)
            part = open_parts[cut:]
            del open_parts[cut:]
            for member in part:
                low[member] = -1
            yield part


# --- one player against all others ---


@define
class _Side:
    """What a player can be sure of in each position, whatever all others do."""

    graph: _Graph
    player: int
    _values: list[Fraction | None] = field(init=False)
    _choices: dict[int, int] = field(factory=dict)
    """Where positions come again: which decision is taken."""

    def values(self) -> list[Fraction]:
        """The worth of all positions, by their numbers."""
        self._values = [None] * len(self.graph.movers)
        for group in self.graph.groups:
            if self.graph.comes_again(group):
                self._settle(group)
            else:
                self._values[group[0]] = self._value(group[0])
        return [value for value in self._values if value is not None]

    def _value(self, number: int) -> Fraction:
        graph, mover = self.graph, self.graph.movers[number]
        if mover == _ENDED:
            return graph.worths[number][self.player]
        worths = [self._at(child) for child in graph.children[number]]
        if mover == _BY_CHANCE:
            pairs = zip(graph.chances[number], worths, strict=True)
            return sum((p * worth for p, worth in pairs), Fraction(0))
        return max(worths) if mover == self.player else min(worths)

    def _at(self, number: int) -> Fraction:
        value = self._values[number]
        assert value is not None, "ends come first"
        return value

    def _settle(self, group: Sequence[int]) -> None:
        """Make decisions of a group better, until nobody can: first all others', then the own."""
        if self.graph.may_last(group):
            raise RulewrightError("positions lead back to each other, and a game may never end")
        if len(group) > MOST_AGAIN:
            number = amount(len(group), "position")
            raise RulewrightError(f"{number} that lead back to each other are too many")
        own = [n for n in group if self.graph.movers[n] == self.player]
        others = [n for n in group if self.graph.movers[n] not in (self.player, _BY_CHANCE)]
        self._choices.update(dict.fromkeys([*own, *others], 0))
        improved = True
        while improved:
            self._evaluate(group)
            while self._improve(others, -1):
                self._evaluate(group)
            improved = self._improve(own, 1)

    def _improve(self, numbers: Iterable[int], sign: int) -> bool:
        """Take better decisions where there are some; whether there was one."""
        better = False
        for number in numbers:
            worths = [sign * self._at(child) for child in self.graph.children[number]]
            if max(worths) > worths[self._choices[number]]:
                self._choices[number] = worths.index(max(worths))
                better = True
        return better

    def _evaluate(self, group: Sequence[int]) -> None:
        """What the positions of a group are worth by the decisions that are taken now."""
        if budget.over():
            raise OutOfBudget(budget.why())
        inside = {*group}
        for number, value in solution({n: self._row(n, inside) for n in group}).items():
            self._values[number] = value

    def _row(self, number: int, inside: set[int]) -> tuple[dict[int, Fraction], Fraction]:
        """A position's worth as an equation: the sum of shares of others, and a number."""
        shares, constant = dict[int, Fraction](), Fraction(0)
        children = self.graph.children[number]
        chances = self.graph.chances[number] or (Fraction(1),)
        branches = children if self.graph.chances[number] else [children[self._choices[number]]]
        for child, chance in zip(branches, chances, strict=True):
            if child in inside:
                shares[child] = shares.get(child, Fraction(0)) + chance
            else:
                constant += chance * self._at(child)
        return shares, constant


# --- everybody for themselves ---


def _each_for_themselves(graph: _Graph) -> Worth | None:
    """What each gets where all take what is best for themselves, the first of equal decisions."""
    values: list[Worth] = [()] * len(graph.movers)
    for group in graph.groups:
        if graph.comes_again(group):
            return None
        number = group[0]
        values[number] = _worth_for_each(graph, number, values)
    return values[0]


def _worth_for_each(graph: _Graph, number: int, values: Sequence[Worth]) -> Worth:
    mover = graph.movers[number]
    if mover == _ENDED:
        return graph.worths[number]
    worths = [values[child] for child in graph.children[number]]
    if mover != _BY_CHANCE:
        return max(worths, key=lambda worth: worth[mover])
    pairs = [*zip(graph.chances[number], worths, strict=True)]
    players = range(len(worths[0]))
    return tuple(sum((p * worth[i] for p, worth in pairs), Fraction(0)) for i in players)
