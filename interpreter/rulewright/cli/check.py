"""`rulewright check`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen

from rulewright.checks.claims import failing
from rulewright.checks.examples import failing_examples
from rulewright.checks.pattern_examples import failing_patterns
from rulewright.checks.waiting import waiting
from rulewright.cli.common import print_json, settings
from rulewright.disk import read_source
from rulewright.errors import RulewrightError
from rulewright.knowledge import Where, check_evaluator
from rulewright.language.diagnostics import Diagnostic, errors
from rulewright.language.limits import REPORTED
from rulewright.language.parse_players import kind_of
from rulewright.loading import check_bytes, find, load_with, shown
from rulewright.pattern_files import check_patterns, no_game_named
from rulewright.personality_files import check_personality
from rulewright.search.engines import Played, played_by


def run(arguments: Namespace) -> int:
    """Show every mistake of every file; 1 when there is an error, 2 when a file cannot be read.

    Rules that are not played by machine code are named with the reason.
    """
    status, found, played = 0, list[Diagnostic](), list[dict[str, str]]()
    for name in arguments.files:
        try:
            checked = checked_file(name, dict(settings(arguments.set)), arguments.game or "")
        except RulewrightError as error:
            print(f"rulewright: {error}", file=sys.stderr)
            status = 2
            continue
        found += checked.diagnostics
        if errors(checked.diagnostics):
            status = max(status, 1)
        if checked.played is not None:
            by = checked.played
            played.append({"file": name, "backend": by.backend, "reason": by.reason})
        if arguments.format == "text":
            _print(name, checked)
    if arguments.format == "json":
        data = [d.as_data() for d in found]
        print_json({"files": arguments.files, "diagnostics": data, "played_by": played})
    return status


@frozen
class Checked:
    """What is wrong with a file, and what plays it if it is rules without errors."""

    diagnostics: list[Diagnostic]
    played: Played | None = None


def diagnostics_of(name: str, options: dict[str, str]) -> list[Diagnostic]:
    """What is wrong with a file, a bundled game, or the input (`-`)."""
    return checked_file(name, options).diagnostics


def checked_file(name: str, options: dict[str, str], game: str = "") -> Checked:
    """Check a file, a bundled game, or the input (`-`); *game* is that of patterns without one."""
    if name == "-":
        data = sys.stdin.buffer.read()
        kind = kind_of(data.decode("utf-8", "replace"))
        return _CHECKS[kind]("<input>", data, _where(kind, None, options, game))
    path: Path = find(name)
    data = read_source(path)
    kind = KINDS.get(path.suffix, "")
    if not kind and kind_of(data.decode("utf-8", "replace")) == "patterns":
        kind = "patterns"  # other programs call them as they like
    if not kind:
        known = ", ".join(KINDS)
        raise RulewrightError(f"{name} cannot be checked; these kinds of files can: {known}")
    return _CHECKS[kind](shown(path), data, _where(kind, path.parent, options, game))


def _where(kind: str, folder: Path | None, options: dict[str, Any], game: str) -> Where:
    """Where a file is read; a game that is given is for patterns alone, which may name none."""
    given = load_with(game, options) if game and kind == "patterns" else None
    return Where(given, folder, options)


KINDS = {
    ".rules": "rules", ".eval": "evaluator", ".personality": "personality",
    ".patterns": "patterns",
}  # fmt: skip


def _rules(name: str, data: bytes, where: Where) -> Checked:
    report = check_bytes(name, data, **where.options)
    if report.game is None:
        return Checked(list(report.diagnostics))
    found = [*report.diagnostics, *waiting(report.game)]
    if any(d.code == "too-slow" for d in found):
        return Checked(found)
    found += failing(report.game)
    return Checked(found, played_by(report.game) if report.ok else None)


def _evaluator(name: str, data: bytes, where: Where) -> Checked:
    report = check_evaluator(name, data, where)
    found = list(report.diagnostics)
    if report.evaluator is not None and report.game is not None:
        found += failing_examples(report.game, report.evaluator)
    return Checked(found)


def _personality(name: str, data: bytes, where: Where) -> Checked:
    return Checked(list(check_personality(name, data, where).diagnostics))


def _patterns(name: str, data: bytes, where: Where) -> Checked:
    report = check_patterns(name, data, where)
    if report.guessed and report.game is not None:
        print(no_game_named(name, report.game), file=sys.stderr)
    found = list(report.diagnostics)
    if report.patterns is not None and report.game is not None and report.source is not None:
        found += failing_patterns(report.game, report.patterns, report.source)
    return Checked(found)


_CHECKS: dict[str, Callable[[str, bytes, Where], Checked]] = {
    "rules": _rules, "evaluator": _evaluator, "personality": _personality,
    "patterns": _patterns,
}  # fmt: skip


def _print(name: str, checked: Checked) -> None:
    diagnostics, by = checked.diagnostics, checked.played
    for diagnostic in diagnostics[:REPORTED]:
        print(diagnostic.render())
    if len(diagnostics) > REPORTED:
        print(f"... and {len(diagnostics) - REPORTED} more")
    wrong = len(errors(diagnostics))
    told = ((wrong, "error"), (len(diagnostics) - wrong, "warning"))
    counts = [f"{n} {word}{'s' * (n != 1)}" for n, word in told if n]
    print(f"{name}: {', '.join(counts) or 'fine'}", file=sys.stderr)
    if by is not None and by.reason:
        print(f"{name}: played by the {by.backend}, which is slow: {by.reason}", file=sys.stderr)
