"""Faults that kernels have met, as the exceptions of the language.

In: the number of a fault and the place in the text that stood in X.  Out: a `Fault`, which whoever
knows the text gives its file and line.  What the reference says of the values at fault is lost; the
code and the place are the same.
"""

from __future__ import annotations

from rulewright.codegen.plan import FAULTS
from rulewright.errors import Fault
from rulewright.language import limits
from rulewright.model.rules import Rules

_TOLD = {
    "out-of-range": "a state would leave its range",
    "divide-by-zero": "a division by zero",
    "nothing-to-compare": "`max` or `min` of nothing has no value",
    "not-one-site": "one site is needed here, and the set has none or several",
    "target-twice": "two pieces would be carried to the same site",
    "no-target": "a piece would be carried to no site",
    "no-piece": "there is no piece to carry",
    "stuck": "a player has no decision and no rule says what follows",
    "not-in-list": "a list has no number at this place (the first is 0)",
    "link-length": "a link would join sites that are no link apart",
    "no-lines": "a line has at least one site",
    "too-many": f"more than {limits.BRANCHES:,} decisions in one position, "
    f"or than {limits.KEPT:,} earlier positions to look back to",
    "overflow": "a number too large for 64 bits (whole numbers: 62)",
    "bad-power": "a power has an exponent from 0 to 64",
    "negative-cost": "a step of a path costs less than nothing",
}


def fault_of(number: int, origin: int, rules: Rules) -> Fault:
    """The fault of that number, at a place of the text; nobody's turn to move is the turn's."""
    code = FAULTS[number]
    return Fault(code, _TOLD[code], rules.turn if code == "stuck" else origin)
