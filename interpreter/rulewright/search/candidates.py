"""Candidates for the native search: patterns compiled for an engine.

In: an engine, a pattern file, and how many decisions may be kept.  Out: kernels that narrow the
decisions of a position to those that patterns propose.
"""

from __future__ import annotations

from functools import cache
from weakref import WeakKeyDictionary

from attrs import frozen

from rulewright.codegen.backend import Linked, load
from rulewright.codegen.engine import Engine
from rulewright.codegen.lower.paths import Rooms
from rulewright.model.patterns import Patterns
from rulewright.reference.matching import Matcher
from rulewright.search.kernels import matching
from rulewright.search.pattern_table import MOST_KEPT, Tables, face_text


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
