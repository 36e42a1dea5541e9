"""The bundled drawings of pieces by name, and what the outline of somebody's own may hold."""

from __future__ import annotations

import re

_NAMES = """
    pawn rook knight bishop queen king amazon man crowned stone disc flat coin peg dot seed cross
    ring mark triangle circle box bar blot tile card die letter
"""
DRAWINGS = frozenset(_NAMES.split())
"""The names of drawings, and `bar` and `letter`, which have no form of their own."""
LONGEST_PATH = 4000
"""Characters."""
_PATH = re.compile(
    r"\s*[Mm](?:[MmLlHhVvCcSsQqTtAaZz\s,]|[-+]?(?:\d{1,6}(?:\.\d{0,6})?|\.\d{1,6}))*"
)


def is_path(text: str) -> bool:
    """Whether *text* is path data, and no longer than a drawing needs: it can do no more."""
    return len(text) <= LONGEST_PATH and _PATH.fullmatch(text) is not None
