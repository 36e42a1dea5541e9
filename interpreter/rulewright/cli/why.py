"""`rulewright why`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.why_not import answer


def run(arguments: Namespace) -> int:
    """Say what makes a decision legal; 1 when it is not, with the clause that forbids it."""
    return int(not answer(arguments).legal)
