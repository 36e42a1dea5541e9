"""Counting lines of play, and the ways to finish a turn.

In: a state.  Out: perft by decisions or turns, by kernels where that is sooner done; every way to
finish a turn.  Refuses lines of more decisions than the language allows (`TooLong`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.errors import TooLong
from rulewright.language.limits import LINE

if TYPE_CHECKING:
    from rulewright.codegen.engine import Engine
    from rulewright.engine.game import State

_WORTH = 300
"""Positions from which on kernels are compiled to count them."""


def count(state: State, depth: int, unit: str) -> tuple[int, int]:
    """Perft, and the number of decisions counted on the way (the leaves' own included)."""
    if unit not in ("decision", "turn"):
        raise ValueError(f"perft counts by decision or by turn, not by {unit}")
    if depth < 0:
        raise ValueError(f"perft counts from depth 0, not {depth}")
    if depth > LINE:
        raise TooLong(LINE)
    if depth == 0:
        return 1, 0
    engine = _engine(state, depth) if state.position.ended is None else None
    if engine is not None:
        with state.game.located():
            return engine.count(state.situation.position, depth, unit)
    return _turns(state, depth, LINE) if unit == "turn" else _decisions(state, depth)


def _engine(state: State, depth: int) -> Engine | None:
    """The engine to count with, where that is sooner done."""
    machine = state.game.machine
    ready = machine is not None and machine.may_play()
    long = state.game.compiles and len(state.moves) ** (depth - 1) >= _WORTH
    if not (ready or long):
        return None
    from rulewright.codegen.engine import Engine
    from rulewright.engine.kernels import load_engine

    found = load_engine(state.game)
    return found if isinstance(found, Engine) else None


def _decisions(state: State, depth: int) -> tuple[int, int]:
    moves = len(state.moves)
    if depth == 1 or state.over:
        return moves, moves
    counts = [_decisions(state.follow(number, ""), depth - 1) for number in range(moves)]
    return sum(c[0] for c in counts), moves + sum(c[1] for c in counts)


def _turns(state: State, depth: int, most: int) -> tuple[int, int]:
    """The same by turns, along lines of so many decisions."""
    leaves, nodes = 0, 0
    for way, after in ways(state, most):
        inner = _turns(after, depth - 1, most - len(way)) if depth > 1 else (1, 0)
        leaves, nodes = leaves + inner[0], nodes + inner[1] + len(way)
    return leaves, nodes


def ways(state: State, most: int) -> Iterator[tuple[list[str], State]]:
    """Every way to finish the turn in so many decisions; `TooLong` for a longer one."""
    if most == 0 and state.moves:
        raise TooLong(LINE)
    for number, text in enumerate(state.moves.texts):
        after = state.follow(number, text)
        if after.turn_begins or after.over:
            yield [text], after
        else:
            for way, end in ways(after, most - 1):
                yield [text, *way], end
