"""How hard a run of tests tries: how many examples a property is given.

A sample of the games (see `sample`) has an eighth of the examples; all games have all of them.
"""

from __future__ import annotations

import os

from tests.shared.sample import VARIABLE

WHOLE = 100
"""Examples of a property that names no number."""
_SHARE = 8


def tries(examples: int) -> int:
    """Give the number of examples of this run for a property that deserves *examples*."""
    whole = os.environ.get(VARIABLE, "") in ("", "all")
    return examples if whole else max(1, examples // _SHARE)
