"""Search: the decision that looks best, what is proven, and the line that is expected.

In: a state, limits. Out: decisions with what is known of them: one driver over kernels
(`kernels/`) that keeps clocks, threads and progress, and one oracle over the reference.

The package can be called: `rulewright.search(state, time=2)` is `search` of `best.py`.

Read first: `best.py`, `results.py`, `kernels/alphabeta.py`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.games.engine.game import State
    from rulewright.search.results import SearchResult


class _Face(ModuleType):
    """A package that is also a function: in the library's face both have the same name."""

    def __call__(self, state: State, **limits: Any) -> SearchResult:
        """The decision that looks best in a state."""
        from rulewright.search.best import search  # the kernels are loaded when they are needed

        return search(state, **limits)


sys.modules[__name__].__class__ = _Face
