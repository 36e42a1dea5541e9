"""`rulewright report`: a record as one page."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import tell_damaged, write_text
from rulewright.errors import RulewrightError
from rulewright.matches.record_store import read_matches
from rulewright.matches.report import report


def run(arguments: Namespace) -> int:
    """Write the page of the last match of a record."""
    path = Path(arguments.file)
    matches = read_matches(path)
    status = tell_damaged(matches)
    out = arguments.out or str(path.with_suffix(".html"))
    if out == arguments.file:
        raise RulewrightError(f"{out} is the record; choose another name with --out")
    write_text(out, report(matches[-1], arguments.games))
    if out != "-":
        print(f"{out} written", file=sys.stderr)
    return status
