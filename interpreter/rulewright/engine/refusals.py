"""Why a text is no move of a position, in words.

In: the text and the legal decisions.  Out: the error to raise, which says how moves are written, or
which are legal, and what may have been meant.
"""

from __future__ import annotations

from rulewright.errors import IllegalMove, UnreadableMove
from rulewright.language.diagnostics import did_you_mean
from rulewright.reference.play import NONE

SHOWN = 60
"""Letters of a move that messages show."""


def refusal(text: str, texts: list[str], mover: str | None) -> IllegalMove | UnreadableMove:
    """What is wrong with a text where *texts* are the decisions of *mover*."""
    legal = counted(texts)
    some = ", ".join(legal[:8]) + (f", ... ({len(legal)} in all)" if len(legal) > 8 else "")
    hint = did_you_mean(shortened(text), legal)
    tail = f"{hint or 'legal:'} {'legal: ' if hint else ''}{some}"
    if not any(_form(text) == _form(move) for move in legal):
        example = next((m for m in legal if m != NONE), NONE)
        return UnreadableMove(
            f"`{shortened(text)}` is no move of this position, which are written like "
            f"`{example}`; {tail}"
        )
    return IllegalMove(f"`{shortened(text)}` is not legal for {mover} here; {tail}")


def counted(decisions: list[str]) -> list[str]:
    """Decisions that are numbers by their size, others as the rules have them."""
    return sorted(decisions, key=int) if all(map(str.isdecimal, decisions)) else decisions


def shortened(text: str) -> str:
    """A text as messages show it: so many letters of it."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _form(text: str) -> str:
    """The form of a move: letters and figures without their values."""
    form = ""
    for character in text:
        kind = "a" if character.isalpha() else "9" if character.isdigit() else character
        form += kind if not form.endswith(kind) else ""
    return form
