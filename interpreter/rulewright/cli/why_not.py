"""`rulewright why-not`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.checks.forbid import why_not
from rulewright.checks.reasons import Reason
from rulewright.cli.common import load_state, print_json


def run(arguments: Namespace) -> int:
    """Say which clause forbids a decision; 1 when it is legal."""
    return int(answer(arguments).legal)


def answer(arguments: Namespace) -> Reason:
    """The reason, which is printed."""
    reason = why_not(load_state(arguments), arguments.move)
    if arguments.format == "json":
        print_json(reason.as_data())
    else:
        print(reason)
    return reason
