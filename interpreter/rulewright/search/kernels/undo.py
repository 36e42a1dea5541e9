"""Going back: a position is short, so it is copied.  Y holds one for each level, C is control."""

from __future__ import annotations

from rulewright.codegen.runtime import i64, ints
from rulewright.search.kernels.layout import SIZE


def note(S: ints, Y: ints, C: ints, level: i64) -> None:
    """Keep the position of a level."""
    at = level * C[SIZE]
    for i in range(C[SIZE]):
        Y[at + i] = S[i]


def back(S: ints, Y: ints, C: ints, level: i64) -> None:
    """Go back to the position of a level."""
    at = level * C[SIZE]
    for i in range(C[SIZE]):
        S[i] = Y[at + i]
