"""What goes into a search and what comes out of it.

Values belong to the side that is stated with them; limits are counted together.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulewright.engine.game import State
from rulewright.records import Brief
from rulewright.reference.play import Outcome
from rulewright.reference.position import Position

MEBIBYTE = 1 << 20
ALGORITHMS = ("auto", "alphabeta", "exact", "montecarlo")
"""`auto` looks for forced results and then plays random games; `exact` gives every decision of the
root its value with a full window."""

_FEW_NODES = 20_000
"""Code compiled quickly plays them before better code would be there."""


@frozen
class Limits:
    """When to stop: seconds, nodes (decisions played), depth of the full-width search.

    `memory` is in bytes, for tables and trees.  A depth counts decisions, or turns where `turns` is
    set.  More than one thread makes answers depend on chance.  Without `line` alpha-beta does not
    write out the play that it expects, which takes the reference longer than a short search.  What
    is not `watched` and has no limit of time runs in the calling thread, which for short searches
    costs less; an interruption waits for it.
    """

    seconds: float | None = 1.0
    nodes: int | None = None
    depth: int | None = None
    memory: int = 64 * MEBIBYTE
    threads: int = 1
    turns: bool = False
    line: bool = True
    watched: bool = True

    @property
    def brief(self) -> bool:
        """Whether code that is compiled quickly will do, at least to begin with."""
        return self.nodes <= _FEW_NODES if self.nodes is not None else self.seconds is not None


@frozen(repr=False)
class Found(Brief):
    """A decision and what is known of it.

    `value` is bigger for what is better for `side` (the colour at move): between -1 and 1, or in
    the units of the evaluator; then a proven win is 1e15 less its distance.  `proven` is win, loss,
    draw or None; `distance` counts decisions to a proven end; `root` has a value for each decision,
    None where none was found.  `depth` is the last one that was searched in full.
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

    def __repr__(self) -> str:
        sure = f", a proven {self.proven}" if self.proven else ""
        what = f"{self.move}: {self.value:+.3g} for {self.side}{sure}"
        return f"<Found {what}, {self.nodes:,} nodes, depth {self.depth}>"


@frozen(repr=False)
class Solved(Brief):
    """What `solve` found: `value` is win, loss or draw for `side`, None when a limit came first.

    `least` and `most` enclose the value ("loss" to "win"); `distance` counts decisions to the end,
    known only when the shortest win was asked for.
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

    def __repr__(self) -> str:
        best = f" by {self.move}" if self.move else ""
        open_ = f"at least a {self.least}, at most a {self.most}"
        what = f"{self.value or open_} for {self.side}{best}"
        return f"<Solved {what}, {self.nodes:,} nodes, depth {self.depth}>"


Progress = Callable[[Found], object]
"""Called with what is known so far; a true result ends the search."""


def person(state: State) -> int:
    """Who decides: 0 for the person who began with the first colour."""
    position = state.situation.position
    return position.mover ^ position.swapped


def result_of(outcome: Outcome, position: Position, who: int) -> int:
    """1, 0 or -1: what the end of a game is worth for a person."""
    if outcome.winner is None:
        return 0
    return 1 if outcome.winner ^ position.swapped == who else -1
