"""What goes into a search and what comes out of it, and what searches tell of their cost.

Values belong to the side that is stated with them; limits are counted together.  A search calls
`tell` when it has ended; whoever wants to know the cost of what it does opens `counted` around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import floor
from typing import TypeAlias

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.budget import bounded
from rulewright.ground.printable import amount
from rulewright.ground.records import Brief, Record, record
from rulewright.model.evaluation import REMEMBERED
from rulewright.model.rules import Rules
from rulewright.reference.play import Outcome, Situation
from rulewright.reference.position import Position

MEBIBYTE = 1 << 20
EXPLORE = 0.8
"""The weight of UCB1's exploration, unless a text says another."""
ALGORITHMS = ("auto", "alphabeta", "exact", "montecarlo")
"""`auto` looks for forced results and then plays random games; `exact` gives every decision of the
root its value with a full window."""


@record
class Limits(Record):
    """When to stop: seconds, nodes (decisions played), depth of the full-width search.

    `memory` is in bytes, for tables and trees.  A depth counts decisions, or turns where `turns` is
    set.  More than one thread makes answers depend on chance.  Without `line` alpha-beta does not
    write out the play that it expects, which takes the reference longer than a short search.
    """

    seconds: float | None = field(default=1.0, converter=bounded)
    nodes: int | None = None
    depth: int | None = None
    memory: int = 64 * MEBIBYTE
    threads: int = 1
    turns: bool = False
    line: bool = True

    @property
    def long(self) -> bool:
        """Whether so much will be searched that a table fills: large pages take 5 ms to clear."""
        limits = ((self.nodes, 5_000), (self.seconds, 0.05), (self.depth, 5))
        return all(limit is None or limit >= least for limit, least in limits)


@frozen(repr=False)
class SearchResult(Brief):
    """A decision and what is known of it.

    `value` is bigger for what is better for `side` (the colour at move): between -1 and 1, or in
    the units of the evaluator; then a proven win is 1e15 less its distance.  `proven` is win, loss,
    draw or None; `distance` counts decisions to a proven end; `root` has a value for each decision,
    None where none was found.  `depth` is the last one that was searched in full.
    Where a draw may be claimed and going on is worse, `value` and `proven` are those of the claim;
    `move` and `root` say what going on is worth.
    `believed` are the words of a text that the search took for true: what is proven rests on them.
    `lines` are those of the best decisions, the best first, where several were asked for; so many
    thousandths of the table are `filled`.
    Not `searched`: there was no time, and it is the first legal decision, or the first to be tried.
    """

    move: str
    value: float
    side: str
    proven: str | None
    distance: int | None
    pv: tuple[str, ...]
    nodes: int
    depth: int
    seconds: float
    root: tuple[tuple[str, float | None], ...]
    believed: tuple[str, ...] = ()
    searched: bool = True
    lines: tuple[tuple[str, ...], ...] = ()
    filled: int = 0

    def __repr__(self) -> str:
        sure = f", a proven {self.proven}" if self.proven else ""
        what = f"{self.move}: {self.value:+.3g} for {self.side}{sure}"
        return f"<SearchResult {what}, {amount(self.nodes, 'node')}, depth {self.depth}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook shows: the best decisions first."""
        from rulewright.games.render.markup import rich  # seldom asked for

        scores = [(move, value) for move, value in self.root if value is not None]
        scores.sort(key=lambda pair: -pair[1])
        rows = scores or [(self.move, self.value)]
        return rich(self, ("decision", f"value for {self.side}"), rows)


@frozen(repr=False)
class Solved(Brief):
    """What `solve` found: `value` is win, loss or draw for `side`, None when a limit came first.

    `least` and `most` enclose the value ("loss" to "win"); `distance` counts decisions to the end,
    known only when the shortest win was asked for.  `believed` are the words of a text (`must`,
    `drawn`, `decided`, `hopeless`) that the search took for true at least once: the value is as
    true as they are.  Where there is none it is unconditional.  `reason` says why nothing was
    proven.
    """

    value: str | None
    side: str
    least: str
    most: str
    move: str | None
    distance: int | None
    pv: tuple[str, ...]
    nodes: int
    depth: int
    seconds: float
    believed: tuple[str, ...] = ()
    reason: str = ""

    def __repr__(self) -> str:
        best = f" by {self.move}" if self.move else ""
        open_ = f"at least a {self.least}, at most a {self.most}"
        what = f"{self.value or open_} for {self.side}{best}"
        what += f", believed: {', '.join(self.believed)}" if self.believed else ""
        return f"<Solved {what}, {amount(self.nodes, 'node')}, depth {self.depth}>"


Progress = Callable[[SearchResult], object]
"""Called with what is known so far; a true result ends the search."""
Looking = Callable[[str, int], object]
"""Called with the decision of the root that is being searched, and its number from 1."""
Cancelled = Callable[[], bool]
"""Asked between two slices of a search; a true answer ends it."""


@define(repr=False, eq=False)
class Watch(Record):
    """Who looks on while a search runs: it is told what is found, and may end the search.

    It may ask for `only` some of the decisions, for the `lines` of several of the best, and to be
    told which is being searched, with its number.  `analysing`: nothing is taken from a book.
    """

    progress: Progress | None = None
    cancelled: Cancelled | None = None
    only: frozenset[str] | None = None
    lines: int = 1
    looking: Looking | None = None
    analysing: bool = False

    def take(self, other: Watch) -> None:
        """Look on as another does."""
        self.progress, self.cancelled, self.looking = other.progress, other.cancelled, other.looking
        self.only, self.lines, self.analysing = other.only, other.lines, other.analysing


def person(state: State) -> int:
    """Who decides: 0 for the person who began with the first colour."""
    return person_at(state.situation.position)


def refuse_chance(state: State, what: str) -> None:
    """Refuse a game in which chance has a part, for *what* knows nothing of that."""
    if state.game.lots:
        message = f"chance has a part in this game, and {what} cannot search such games"
        raise RulewrightError(message)


def refuse_secrets(game: Game, what: str) -> None:
    """Refuse a game whose players do not see everything, for *what* looks at all of it."""
    if game.rules.has_secrets:
        message = f"the players of {game.name} do not see everything, and {what} would tell it"
        raise RulewrightError(message)


def refuse_seats(rules: Rules, what: str) -> None:
    """Refuse a game of more than two players, for *what* knows of two at most."""
    if rules.has_several:
        number = len(rules.players)
        raise RulewrightError(f"this game has {number} players, and {what} is for one or two")


def refuse_throwing(state: State) -> None:
    """Refuse a position in which chance decides."""
    if state.by_chance:
        raise RulewrightError("chance decides here, and there is nothing to think about")


def person_at(position: Position) -> int:
    """Who decides in a position."""
    return position.mover ^ position.swapped


def result_of(outcome: Outcome, position: Position, person: int) -> int:
    """1, 0 or -1: what the end of a game is worth for a person."""
    if outcome.winner is None:
        return 0
    return 1 if outcome.winner ^ position.swapped == person else -1


# --- scores ---

Number: TypeAlias = int | float
Score: TypeAlias = tuple[Number, ...]
"""How the game ends (a win sooner before a win later, before all that is open), then the parts of a
value: scores compare as they should."""
FAR = 1_000_000
"""More decisions than any game has: a win after n decisions ranks FAR - n."""
_RANKED = 100_000
"""Games have fewer decisions: a whole value so near to FAR is the rank of a win or a loss."""
UNCERTAIN = 4.5e14
"""What losing counts where decisions were left out: as bad as the worst value, but no loss."""


def told_result(score: Score) -> str:
    """The result that a score stands for: `win in 5`, `loss as far as considered`; or nothing."""
    rank, value = int(score[0]), score[1] if len(score) > 1 else 0
    if rank:
        return f"win in {FAR - rank}" if rank > 0 else f"loss in {FAR + rank}"
    if abs(value) >= UNCERTAIN:  # decisions were left out, or a text calls it won
        return f"{'win' if value > 0 else 'loss'} as far as considered"
    return ""


def plain_value(value: Number | None) -> Number | None:
    """A value, or a difference of two; None where it stands for a result."""
    return None if value is None or abs(value) >= UNCERTAIN / 2 else value


def told_value(value: Number) -> str:
    """A value as people read it: a result where it stands for one, as old records have it."""
    if abs(value) >= UNCERTAIN:
        near = 10**15 - abs(value)
        exact = f"in {near:.0f}" if 0 <= near < _RANKED else "as far as considered"
        return f"{'win' if value > 0 else 'loss'} {exact}"
    if value == int(value) and FAR - _RANKED < abs(value) < FAR:
        return told_result((value, 0))
    return f"value {value:g}"


@record
class Line(Record):
    """A score, the decisions that lead to it, and the situation that was valued.

    A search by machine code tells no situation, but the `depth` that it has searched.
    """

    score: Score
    moves: tuple[str, ...]
    leaf: Situation | None = None
    depth: int = 0


Lines: TypeAlias = dict[str, Line | None]
"""A line for each decision of a position; None for those that a search leaves out."""


@record
class TreeSettings(Record):
    """How a text leads random games and the trees that grow by them.

    `rave`: after so many games those where a decision came later count half; 0 where they do not
    count.  `explore`: the weight of UCB1's exploration, for results between -1 and 1.  `policy`:
    the weight at which a decision is always made that was drawn; 0 where all weigh the same.
    `replies`: how many lines random games ask first.  `last`: the sites of the last decisions at
    the root, the last one first; -1 where there are fewer.
    """

    rave: int = 0
    explore: float = EXPLORE
    policy: int = 0
    replies: int = 0
    last: tuple[int, ...] = (-1,) * REMEMBERED


@record
class BeamShape(Record):
    """What a beam is told: decisions kept at first, levels, and what a level loses and fades."""

    breadth: int
    depth: int
    trim: float
    fade: float

    def breadths(self) -> list[int]:
        """How many decisions are kept at each level."""
        breadths = [self.breadth]
        while len(breadths) < self.depth:
            breadths.append(half_up(breadths[-1] * (1 - self.trim)))
        return [max(1, n) for n in breadths]


def half_up(number: float) -> int:
    """The nearest whole number; halves go up."""
    return floor(number + 0.5)


def foremost(lines: Lines, breadth: int) -> list[str]:
    """The decisions of the best scores, in the order of the scores."""
    judged = [(line.score, text) for text, line in lines.items() if line is not None]
    judged.sort(key=lambda pair: [-part for part in pair[0]])
    return [text for _, text in judged[: max(1, breadth)]]


# --- costs ---


@define(repr=False, eq=False)
class Spent(Record):
    """Nodes searched, and the depth of the last search that told one."""

    nodes: int = 0
    depth: int | None = None


_OPEN: ContextVar[Spent | None] = ContextVar("spent", default=None)


def tell(nodes: int, depth: int | None = None) -> None:
    """Say that a search has ended."""
    effort = _OPEN.get()
    if effort is not None:
        effort.nodes += nodes
        effort.depth = effort.depth if depth is None else depth


@contextmanager
def counting_searches() -> Iterator[Spent]:
    """Collect what searches inside the block spend."""
    effort = Spent()
    token = _OPEN.set(effort)
    try:
        yield effort
    finally:
        _OPEN.reset(token)
