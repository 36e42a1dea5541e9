"""The shortest game that shows a fault: Hypothesis takes decisions away as long as it still does.

In: the decisions of a game, and whether a game made of some of them shows the fault.  Out: as few
of them as could be found.  Deterministic: the work is limited by a number of tries, not by time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase, choices_to_bytes
from hypothesis.errors import FlakyFailure

from rulewright.ground import budget

Moves = tuple[str, ...]


def parts_of(vocabulary: Sequence[str]) -> st.SearchStrategy[Moves]:
    """Sequences of texts: `more?` and which one, again and again."""

    @st.composite
    def moves(draw: st.DrawFn) -> Moves:
        texts: list[str] = []
        while draw(st.booleans()):
            texts.append(draw(st.sampled_from(vocabulary)))
        return tuple(texts)

    return moves()


def shortest(moves: Moves, shows: Callable[[Moves], Moves | None], tries: int) -> Moves:
    """The least part of *moves* for which *shows* gives what was really played of it.

    *shows* is None for a game without the fault; it leaves out what is not legal.  Where it raises
    `OutOfTries` the shortest so far is the answer.
    """
    best, left = moves, tries
    known = {moves: True}

    def still(candidate: Moves) -> bool:
        nonlocal best, left
        left = -1 if budget.over() else left - 1
        if candidate in known:
            return known[candidate]
        if left < 0:
            raise OutOfTries
        played = shows(candidate)
        if played is not None and len(played) < len(best):
            best = played
        known[candidate] = played is not None
        return known[candidate]

    vocabulary = list(dict.fromkeys(moves))
    if vocabulary:
        _run(moves, vocabulary, still)
    return best


def _run(moves: Moves, vocabulary: list[str], still: Callable[[Moves], bool]) -> None:
    """Let Hypothesis begin with *moves*, which it finds in its database, and make less of them.

    The last choice is one too many: what it knows exactly it would take for the least already.
    """
    choices = [c for text in moves for c in (True, vocabulary.index(text))]

    @settings(
        database=_Known(choices_to_bytes([*choices, False, False])),
        phases=(Phase.reuse, Phase.shrink),
        max_examples=1,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @seed(0)
    @given(parts_of(vocabulary))
    def fails(candidate: Moves) -> None:
        if still(candidate):
            raise _Shown

    with suppress(_Shown, FlakyFailure, OutOfTries):
        fails()


class OutOfTries(BaseException):
    """No more work may be done.  Hypothesis would take an `Exception` for another way to fail."""


class _Shown(Exception):
    """The candidate still shows the fault."""


class _Known(ExampleDatabase):
    """A database that knows one example of any test and learns nothing."""

    def __init__(self, example: bytes) -> None:
        super().__init__()
        self._example = example

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """The example, but none of another kind."""
        return () if key.endswith((b".secondary", b".pareto")) else (self._example,)

    def save(self, key: bytes, value: bytes) -> None:
        """Learn nothing."""

    def delete(self, key: bytes, value: bytes) -> None:
        """Forget nothing."""
