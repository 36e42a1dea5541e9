"""What a prompt asks for: the kinds of moves here, the keys that stand for them.

In: a state.  Out: short texts and keys.
"""

from __future__ import annotations

import re

from rulewright.game import State
from rulewright.reference.play import NONE

_FEW = 30
"""Characters of decisions that a prompt lists at the most."""


def keys(state: State) -> dict[str, str]:
    """A single key for every decision, or nothing when some decision has none.

    A decision of one character is its own key.  A kind of move with one decision here also has
    its first letter, and `none` has `p` (pass).
    """
    found = {text: text for text in state.moves() if len(text) == 1}
    if len(found) < len(state.moves()):
        return {}
    for text, letter in state.letters().items():
        found.setdefault(letter, text)
    return found


def wanted(state: State) -> str:
    """What the turn expects now: the kinds of moves, with their letters where they have some."""
    letters = state.letters()
    parts = []
    for name, texts in state.by_kind().items():
        only = texts[0] if len(texts) == 1 else ""
        key = f" {letters[only]}" if only in letters else f" {only}" if only else ""
        parts.append(f"{name}{key}" if only else f"{name} {some(texts)}")
    return ", ".join(parts) + "; ? lists moves"


def briefly(state: State) -> str:
    """`wanted` where there is little room."""
    return f"such as {state.moves()[0]}; ? lists moves"


def some(texts: list[str]) -> str:
    """A few of many decisions: all, a range without a gap, or an example."""
    if texts == [NONE]:
        return NONE
    ordered = sorted(texts, key=_natural)
    if all(text.isdecimal() for text in ordered) and len(ordered) > 2:
        first, last = int(ordered[0]), int(ordered[-1])
        if last - first + 1 == len(ordered):
            return f"{first}-{last}"
    listed = " ".join(ordered)
    return listed if len(listed) <= _FEW else f"such as {ordered[0]}"


def _natural(text: str) -> list[tuple[int, str]]:
    """Numbers by their size, the rest by the alphabet."""
    parts = re.findall(r"\d+|\D+", text)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
