"""Small games solved by going through all their positions: the reference alone is asked.

In: a game.  Out: a `Graph` of its positions with who can force what, and in how many decisions, by
retrograde analysis.  A position is all that may matter for what follows: the number of turns only
where a rule asks for it, what stood before only where a rule looks back, and then how often each.
Nothing is won, lost or drawn by a game that never ends.  Refuses games of more positions than are
allowed (`TooManyPositions`); faults of the rules come out as they are.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable

from attrs import define, evolve, field, frozen

from rulewright.model.expressions import Apply
from rulewright.model.walk import nodes
from rulewright.reference.play import Outcome, ReferencePlay, Situation

WIN, DRAW, LOSS = 1, 0, -1


class TooManyPositions(Exception):
    """A game is too large to be gone through."""


@frozen(eq=False)
class Node:
    """A position: who decides, what follows each decision, and who won where it is an end.

    Where a draw may be claimed one more position follows, which is drawn.
    """

    situation: Situation
    person: int
    following: list[int] = field(factory=list)
    winner: int | None = None
    """The person who has won; -1 for a draw, None where the game goes on."""


@frozen
class Truth:
    """What is true of a position for who decides.

    `least` and `most` are equal where the value is forced: between them lies what only endless
    games decide.  `distance` counts decisions to a forced win or loss.
    """

    least: int
    most: int
    distance: int | None

    @property
    def value(self) -> int | None:
        """What is forced, if anything is."""
        return self.least if self.least == self.most else None

    def allows(self, least: int, most: int) -> bool:
        """Whether bounds hold where who never wins has not won: so far words may see ahead.

        Who is called hopeless cannot win, also where the game need not end.
        """
        won, lost = self.least == WIN, self.most == LOSS
        return least <= (WIN if won else LOSS if lost else DRAW) <= most


@define(eq=False)
class Graph:
    """All positions of a game that can be reached from its first."""

    nodes: list[Node] = field(factory=list)
    wins: list[dict[int, int]] = field(factory=list)
    """For each person the positions in which a win is forced, and in how many decisions."""
    holds: list[dict[int, int]] = field(factory=list)
    """The same for a win or a draw."""
    open: list[set[int]] = field(factory=list)
    """For each person the positions from which a win can follow, if both want it."""
    endless: bool = False
    """Whether a game can come back to where it was."""

    def truth(self, number: int) -> Truth:
        """What is true of a position."""
        me = self.nodes[number].person
        won, lost = self.wins[me].get(number), self.wins[1 - me].get(number)
        least = LOSS if number not in self.holds[me] else DRAW if won is None else WIN
        most = WIN if number not in self.holds[1 - me] else DRAW if lost is None else LOSS
        return Truth(least, most, won if won is not None else lost)


def graph(play: ReferencePlay, most: int) -> Graph:
    """The positions of a game, and who can force what in them."""
    found = _explored(play, most)
    ends = [{n for n, x in enumerate(found.nodes) if x.winner == who} for who in (0, 1, -1)]
    found.wins = [_forced(found.nodes, who, ends[who]) for who in (0, 1)]
    found.holds = [_forced(found.nodes, who, ends[who] | ends[-1]) for who in (0, 1)]
    found.open = [_leading_to(found.nodes, ends[who]) for who in (0, 1)]
    found.endless = _comes_back(found.nodes)
    return found


def _explored(play: ReferencePlay, most: int) -> Graph:
    key, found = _keys(play), Graph()
    numbers: dict[Hashable, int] = {}
    waiting: deque[int] = deque()

    def number(situation: Situation) -> int:
        name = key(situation)
        if name not in numbers:
            if len(numbers) >= most:
                raise TooManyPositions
            numbers[name] = len(found.nodes)
            found.nodes.append(_node(situation))
            waiting.append(numbers[name])
        return numbers[name]

    number(play.start())
    while waiting:
        node = found.nodes[waiting.popleft()]
        if node.winner is None:
            options = node.situation.options
            if len(options) > most:
                raise TooManyPositions
            node.following.extend(number(node.situation.after(option)) for option in options)
            if node.situation.position.claimable:  # a draw instead of a decision, behind the others
                drawn = Situation(play, node.situation.position, Outcome(None, 0))
                node.following.append(number(drawn))
    return found


def _node(situation: Situation) -> Node:
    position, outcome = situation.position, situation.outcome
    winner = None
    if outcome is not None:
        winner = -1 if outcome.winner is None else outcome.winner ^ position.swapped
    return Node(situation, position.mover ^ position.swapped, [], winner)


def _keys(play: ReferencePlay) -> Callable[[Situation], Hashable]:
    """What tells positions apart that do not go on alike."""
    rules = play.rules
    counted = any(isinstance(n, Apply) and n.operation == "ply" for n in nodes(rules))

    def key(situation: Situation) -> Hashable:
        position = situation.position
        past = Counter[Hashable]()
        history = position.history
        while history is not None:
            earlier, history = history
            past[earlier] += 1
        bare = position if counted else evolve(position, ply=0)
        return bare, frozenset(past.items()), situation.ended

    return key


# --- retrograde analysis ---


def _forced(found: list[Node], who: int, goals: set[int]) -> dict[int, int]:
    """From where a person comes to the goals whatever the other does, and in how many decisions.

    Where the person decides the shortest way counts, where the other does the longest: so positions
    are settled in the order of their distance.
    """
    before = _before(found)
    left = [len(node.following) for node in found]
    known = dict.fromkeys(goals, 0)
    layer, distance = list(goals), 0
    while layer:
        distance += 1
        following = list[int]()
        for number in layer:
            for earlier in before[number]:
                left[earlier] -= 1
                own = found[earlier].person == who
                if earlier not in known and (own or left[earlier] == 0):
                    known[earlier] = distance
                    following.append(earlier)
        layer = following
    return known


def _leading_to(found: list[Node], goals: set[int]) -> set[int]:
    """From where the goals can be reached."""
    before, known, todo = _before(found), set(goals), list(goals)
    while todo:
        for earlier in before[todo.pop()]:
            if earlier not in known:
                known.add(earlier)
                todo.append(earlier)
    return known


def _comes_back(found: list[Node]) -> bool:
    """Whether some position can follow itself: then not all can be taken from the end on."""
    before, left = _before(found), [len(node.following) for node in found]
    todo = [number for number, count in enumerate(left) if count == 0]
    taken = 0
    while todo:
        taken += 1
        for earlier in before[todo.pop()]:
            left[earlier] -= 1
            if left[earlier] == 0:
                todo.append(earlier)
    return taken < len(found)


def _before(found: list[Node]) -> list[list[int]]:
    """For every position those that lead there, once for each decision."""
    before: list[list[int]] = [[] for _ in found]
    for number, node in enumerate(found):
        for after in node.following:
            before[after].append(number)
    return before
