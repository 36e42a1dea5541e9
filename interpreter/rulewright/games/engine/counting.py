"""Counting lines of play, and the ways to finish a turn.

In: a state.  Out: perft by decisions or turns, by kernels where that is sooner done; every way to
finish a turn.  Refuses lines of more decisions than the language allows (`TooLong`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, Self, TypeAlias, TypeVar

from rulewright.errors import TooLong
from rulewright.games.engine.moves import Move, Moves
from rulewright.ground.limits import LINE

WORTH = 300
"""Positions to count from which compiling kernels takes less time than counting without."""
Counter: TypeAlias = Callable[[int, str], tuple[int, int]]
"""Counts by kernels, given depth and unit: leaves, and decisions on the way."""


class Countable(Protocol):
    """A position whose lines of play are counted, such as a `State`."""

    @property
    def moves(self) -> Moves:
        """The legal decisions."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def turn_begins(self) -> bool:
        """Whether the next decision is the first of a turn."""

    def follow(self, number: int, move: Move | str) -> Self:
        """The position after decision *number*."""


S = TypeVar("S", bound=Countable)


def count(
    state: Countable, depth: int, unit: str, kernels: Callable[[int], Counter | None]
) -> tuple[int, int]:
    """Perft, and the number of decisions counted on the way (the leaves' own included).

    *kernels* gives the counter that is faster at a depth, None if there is none.  Raises
    `ValueError` for other units and depths below 0, `TooLong` for depths above the longest line.
    """
    if unit not in ("decision", "turn"):
        raise ValueError(f"perft counts by decision or by turn, not by {unit}")
    if depth < 0:
        raise ValueError(f"perft counts from depth 0, not {depth}")
    if depth > LINE:
        raise TooLong(LINE)
    if depth == 0:
        return 1, 0
    counter = kernels(depth)
    if counter is not None:
        return counter(depth, unit)
    return _turns(state, depth, LINE) if unit == "turn" else _decisions(state, depth)


def _decisions(state: Countable, depth: int) -> tuple[int, int]:
    moves = len(state.moves)
    if depth == 1 or state.over:
        return moves, moves
    counts = [_decisions(state.follow(number, ""), depth - 1) for number in range(moves)]
    return sum(c[0] for c in counts), moves + sum(c[1] for c in counts)


def _turns(state: Countable, depth: int, most: int) -> tuple[int, int]:
    """Perft by turns, along lines of at most so many decisions."""
    leaves, nodes = 0, 0
    for way, after in ways(state, most):
        inner = _turns(after, depth - 1, most - len(way)) if depth > 1 else (1, 0)
        leaves, nodes = leaves + inner[0], nodes + inner[1] + len(way)
    return leaves, nodes


def ways(state: S, most: int) -> Iterator[tuple[list[str], S]]:
    """Every way to finish the turn; raises `TooLong` if one takes more than *most* decisions."""
    if most == 0 and state.moves:
        raise TooLong(LINE)
    for number, text in enumerate(state.moves.texts):
        after = state.follow(number, text)
        if after.turn_begins or after.over:
            yield [text], after
        else:
            for way, end in ways(after, most - 1):
                yield [text, *way], end
