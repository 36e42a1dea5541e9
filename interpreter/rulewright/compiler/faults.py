"""Faults that kernels meet in a game, by number.

In: the number of a fault, and the place in the text where it was met.  Out: a `Fault` with the code
and message that the reference would give.
"""

from __future__ import annotations

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.model import rules as r

FAULT_MESSAGES = {
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
    "too-high": "a pile would hold more pieces than the board allows",
    "too-few": "more pieces would be taken from a pile than it holds",
    "negative-cost": "a step of a path costs less than nothing",
}
FAULTS = ("", *FAULT_MESSAGES)
"""Names of the faults by their number."""
STUCK = FAULTS.index("stuck")
TOO_MANY = FAULTS.index("too-many")


def fault_of(number: int, origin: int, rules: r.Rules) -> Fault:
    """Return the fault of a number at a place of the text; `stuck` stands at the turn's place."""
    code = FAULTS[number]
    return Fault(code, FAULT_MESSAGES[code], rules.turn if code == "stuck" else origin)
