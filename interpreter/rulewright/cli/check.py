"""`rulewright check`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import print_json, settings
from rulewright.errors import RulewrightError
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.limits import REPORTED
from rulewright.loading import Report, check_bytes, find, shown
from rulewright.verify.claims import failing


def run(arguments: Namespace) -> int:
    """Show every mistake of every file; 1 when there is an error, 2 when a file cannot be read."""
    status, found = 0, list[Diagnostic]()
    for name in arguments.files:
        try:
            diagnostics = _diagnostics(name, dict(settings(arguments.set)))
        except RulewrightError as error:
            print(f"rulewright: {error}", file=sys.stderr)
            status = 2
            continue
        found += diagnostics
        if any(d.severity == "error" for d in diagnostics):
            status = max(status, 1)
        if arguments.format == "text":
            _print(name, diagnostics)
    if arguments.format == "json":
        print_json({"files": arguments.files, "diagnostics": [d.as_data() for d in found]})
    return status


def _diagnostics(name: str, options: dict[str, str]) -> list[Diagnostic]:
    report = _report(name, options)
    found = list(report.diagnostics)
    if report.game is not None:
        found += failing(report.game)
    return found


def _report(name: str, options: dict[str, str]) -> Report:
    if name == "-":
        return check_bytes("<input>", sys.stdin.buffer.read(), **options)  # type: ignore[arg-type]
    path: Path = find(name)
    if path.suffix != ".rules":
        raise RulewrightError(f"{name} is no .rules file, and no other kind can be checked yet")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RulewrightError(f"{name} cannot be read: {error.strerror}") from None
    return check_bytes(shown(path), data, **options)  # type: ignore[arg-type]


def _print(name: str, diagnostics: list[Diagnostic]) -> None:
    for diagnostic in diagnostics[:REPORTED]:
        print(diagnostic.render())
    if len(diagnostics) > REPORTED:
        print(f"... and {len(diagnostics) - REPORTED} more")
    errors = sum(d.severity == "error" for d in diagnostics)
    warnings = len(diagnostics) - errors
    counts = [
        f"{n} {word}{'s' * (n != 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n
    ]
    print(f"{name}: {', '.join(counts) or 'fine'}", file=sys.stderr)
