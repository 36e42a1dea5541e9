"""Search: finds the computer's decision.

The package can be called: `rulewright.search(state, time=2)` is `search` of `best.py`, which says
what it takes.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.engine.game import State
    from rulewright.search.results import SearchResult


class _Face(ModuleType):
    """A package that is also a function: in the library's face both have the same name."""

    def __call__(self, state: State, **limits: Any) -> SearchResult:
        """The decision that looks best in a state."""
        from rulewright.search.best import search  # the kernels are loaded when they are needed

        return search(state, **limits)


sys.modules[__name__].__class__ = _Face
