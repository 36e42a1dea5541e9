"""`rulewright cover`."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial
from typing import Any

from rulewright.checks.cover_files import Wanted, cover_file
from rulewright.checks.coverage import Coverage
from rulewright.cli.common import print_json, settings
from rulewright.disk import read_text
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.files.games import find
from rulewright.files.kinds import shown
from rulewright.language.diagnostics import TextError
from rulewright.search.beside import in_time


def run(arguments: Namespace) -> int:
    """Show what games use of each file; 1 when something is never used, 2 without a file."""
    options: dict[str, Any] = {**settings(arguments.set)}
    wanted = Wanted(options, arguments.effort, arguments.seed)
    found: list[tuple[str, str, Coverage]] = []
    status = 0
    for name in arguments.files:
        try:
            path = find(name)
            coverage = in_time(partial(cover_file, path, wanted))
        except RulewrightError as error:
            located = isinstance(error, TextError)
            print(error if located else f"rulewright: {error}", file=sys.stderr)
            status = max(status, 1 if located or isinstance(error, OutOfBudget) else 2)
            continue
        found.append((shown(path), read_text(path), coverage))
    if arguments.format == "json":
        reports = [{"file": file, **one.as_data()} for file, _, one in found]
        print_json({"reports": reports})
    else:
        for file, text, one in found:
            _print(file, text, one, arguments.dead)
    return max(status, int(any(one.dead for _, _, one in found)))


def _print(file: str, text: str, one: Coverage, only_dead: bool) -> None:
    """The file with counts, then what nothing has used."""
    if not only_dead:
        print("\n".join(one.annotated(text)) + "\n")
    for dead in one.dead:
        proof = f" (and cannot: {dead.proof})" if dead.proof else ""
        print(f"{dead.place}: {dead.why}{proof}: {dead.text}")
    much = "every position of the game" if one.whole else f"{one.positions:,} positions"
    used = sum(not use.why for use in one.uses)
    print(f"{file}: {used} of {len(one.uses)} parts used by {much}", file=sys.stderr)
