"""Candidates for the native search: patterns compiled for an engine.

In: an engine, a pattern file, and how many decisions may be kept.  Out: kernels that narrow the
decisions of a position to those that patterns propose.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from attrs import frozen

from rulewright.kernels.engine import Engine
from rulewright.kernels.path_ends import Rooms
from rulewright.kernels.source import Linked, load
from rulewright.model.patterns import Patterns
from rulewright.reference.patterns import Matcher
from rulewright.reference.position import Position
from rulewright.search.kernels import matching
from rulewright.search.pattern_table import MOST_KEPT, Tables, face_text
from rulewright.search.workspace import Workspace


@frozen(eq=False)
class Candidates:
    """What narrows decisions: kernels to be linked, in this order, and what they were made of."""

    linked: tuple[Linked, ...]
    table: int
    """Where in K the description lies."""
    file: Patterns
    widest: int = MOST_KEPT


@cache
def _matching() -> Linked:
    return load(matching)


_KNOWN: WeakKeyDictionary[Engine, dict[tuple[int, int], tuple[Patterns, Candidates]]] = (
    WeakKeyDictionary()
)


def candidates(engine: Engine, file: Patterns, widest: int = MOST_KEPT) -> Candidates:
    """The candidates by a pattern file; its tables are laid once for an engine.

    Raises `NoPlan` for what has no kernels: paths whose costs are not whole, boards that are drawn.
    """
    known = _KNOWN.setdefault(engine, {})
    key = (id(file), widest)
    if key not in known:
        plan = engine.plan
        rooms = Rooms.of(plan) if file.evaluator is not None else None
        directions = Matcher(engine.play, file).directions
        table = Tables(plan, file, directions).lay(engine.row, widest)
        face = Linked(face_text(plan, file, table, rooms), {})
        found = Candidates((face, _matching()), table, file, widest)
        known[key] = (file, found)
    return known[key][1]


@frozen(eq=False)
class Proposing:
    """What patterns propose in positions, by machine code."""

    found: Candidates
    space: Workspace

    @classmethod
    def of(cls, engine: Engine, file: Patterns) -> Proposing:
        """The patterns of a file at work; raises `NoPlan` as `candidates` does."""
        found = candidates(engine, file)
        return cls(found, Workspace(engine, 0, candidates=found))

    def proposals(self, position: Position) -> dict[int, tuple[int, ...]]:
        """The sites proposed, each with the numbers of its patterns; legal or not."""
        space = self.space
        space.place(position)
        kernels: Any = space.kernels
        count = kernels["matched"](*space.game)
        x, constants = space.game[4], space.game[1]
        first = constants[self.found.table + matching.FOUND]
        pairs: dict[int, set[int]] = {}
        for i in range(count):
            pairs.setdefault(x[first + 2 * i], set()).add(x[first + 2 * i + 1])
        return {site: tuple(sorted(pairs[site])) for site in sorted(pairs)}
