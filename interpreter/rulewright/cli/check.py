"""`rulewright check`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rulewright.cli.common import print_json, settings
from rulewright.errors import RulewrightError
from rulewright.knowledge import Where, check_evaluator
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.limits import REPORTED
from rulewright.language.parse_players import kind_of
from rulewright.loading import check_bytes, find, shown
from rulewright.pattern_files import check_patterns
from rulewright.personality_files import check_personality
from rulewright.verify.claims import failing
from rulewright.verify.examples import failing_examples
from rulewright.verify.pattern_examples import failing_patterns


def run(arguments: Namespace) -> int:
    """Show every mistake of every file; 1 when there is an error, 2 when a file cannot be read."""
    status, found = 0, list[Diagnostic]()
    for name in arguments.files:
        try:
            diagnostics = diagnostics_of(name, dict(settings(arguments.set)))
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


def diagnostics_of(name: str, options: dict[str, str]) -> list[Diagnostic]:
    """What is wrong with a file, a bundled game, or the input (`-`)."""
    if name == "-":
        data = sys.stdin.buffer.read()
        kind = kind_of(data.decode("utf-8", "replace"))
        return list(_CHECKS[kind]("<input>", data, None, options))
    path: Path = find(name)
    kind = KINDS.get(path.suffix, "")
    if not kind:
        known = ", ".join(KINDS)
        raise RulewrightError(f"{name} cannot be checked; these kinds of files can: {known}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RulewrightError(f"{name} cannot be read: {error.strerror}") from None
    return list(_CHECKS[kind](shown(path), data, path.parent, options))


KINDS = {
    ".rules": "rules", ".eval": "evaluator", ".personality": "personality",
    ".patterns": "patterns",
}  # fmt: skip


def _rules(
    name: str, data: bytes, folder: Path | None, options: dict[str, Any]
) -> Iterator[Diagnostic]:
    report = check_bytes(name, data, **options)
    yield from report.diagnostics
    if report.game is not None:
        yield from failing(report.game)


def _evaluator(
    name: str, data: bytes, folder: Path | None, options: dict[str, Any]
) -> Iterator[Diagnostic]:
    report = check_evaluator(name, data, Where(None, folder, options))
    yield from report.diagnostics
    if report.evaluator is not None and report.game is not None:
        yield from failing_examples(report.game, report.evaluator)


def _personality(
    name: str, data: bytes, folder: Path | None, options: dict[str, Any]
) -> Iterator[Diagnostic]:
    yield from check_personality(name, data, Where(None, folder, options)).diagnostics


def _patterns(
    name: str, data: bytes, folder: Path | None, options: dict[str, Any]
) -> Iterator[Diagnostic]:
    report = check_patterns(name, data, Where(None, folder, options))
    yield from report.diagnostics
    if report.patterns is not None and report.game is not None and report.source is not None:
        yield from failing_patterns(report.game, report.patterns, report.source)


_CHECKS: dict[str, Callable[[str, bytes, Path | None, dict[str, Any]], Iterator[Diagnostic]]] = {
    "rules": _rules, "evaluator": _evaluator, "personality": _personality,
    "patterns": _patterns,
}  # fmt: skip


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
