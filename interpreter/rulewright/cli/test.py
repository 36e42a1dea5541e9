"""`rulewright test`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve

from rulewright.checks import cases
from rulewright.checks.battery import LATE
from rulewright.checks.findings import Finding, Report, Tried, junit
from rulewright.checks.run import Request, check_names, meaning, try_file
from rulewright.cli.common import print_json, settings, write_text
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.files.games import find, load_with
from rulewright.files.table import by_suffix
from rulewright.language.diagnostics import TextError
from rulewright.search.beside import in_time


def run(arguments: Namespace) -> int:
    """Test every file; 1 when something is found, 2 when a file cannot be read."""
    if arguments.list:
        return _list()
    if not arguments.files:
        raise RulewrightError("name a file to test, or --list")
    check_names(arguments.property, arguments.files)
    options: dict[str, Any] = {**settings(arguments.set)}
    request = Request(
        tuple(arguments.property),
        arguments.effort,
        arguments.games,
        arguments.seed,
        options,
    )
    status, reports = 0, list[Report]()
    for name in arguments.files:
        try:
            report = in_time(partial(_kept, find(name), request, arguments.no_cases))
        except RulewrightError as error:
            print(
                error if isinstance(error, TextError) else f"rulewright: {error}", file=sys.stderr
            )
            status = max(status, 1 if isinstance(error, TextError | OutOfBudget) else 2)
            continue
        reports.append(report)
        status = max(status, 1 if report.findings else 0)
        if arguments.format == "text":
            _print(report)
    if arguments.format == "json":
        print_json({"reports": [report.as_data() for report in reports]})
    if arguments.junit:
        write_text(arguments.junit, junit(reports, meaning))
    return status


def _list() -> int:
    for suffix, kind in by_suffix().items():
        print(f"{suffix} files:")
        width = max(map(len, kind.properties))
        for name, told in kind.properties.items():
            print(f"  {name:<{width}}  {told}")
    return 0


def _kept(path: Path, request: Request, forget: bool) -> Report:
    """Test a file, and keep the games that it found beside the rules."""
    report = try_file(path, request)
    if forget or path.suffix != ".rules":
        return report
    game = load_with(path, request.options)
    found = {f: cases.of_finding(f, game) for f in report.findings}
    place = cases.beside(path)
    try:
        cases.add(place, game.name, [case for case in found.values() if case])
    except cases.CasesError as error:
        print(f"rulewright: {error}; the games are only shown", file=sys.stderr)
        return report
    known = cases.read(place).cases if place.is_file() else ()
    return evolve(report, tried=tuple(_with_numbers(t, found, known, place) for t in report.tried))


def _with_numbers(
    tried: Tried,
    found: dict[Finding, cases.Case | None],
    known: tuple[cases.Case, ...],
    place: Path,
) -> Tried:
    """The findings with the command that replays the case they are kept as."""

    def numbered(finding: Finding) -> Finding:
        case = found.get(finding)
        at = next((n for n, k in enumerate(known, 1) if case and case.same(k)), None)
        return evolve(finding, replay=f"rulewright replay {place} --case {at}") if at else finding

    return evolve(tried, findings=tuple(map(numbered, tried.findings)))


def _print(report: Report) -> None:
    """What was found; a line for each file to standard error."""
    for finding in report.findings:
        print(f"{report.file}: {finding.render(meaning(report.file, finding.name))}\n")
    held = _names(t for t in report.tried if t.status == "held")
    late = _names(t for t in report.tried if t.skipped == LATE)
    left = _names(t for t in report.tried if t.status == "left out" and t.skipped != LATE)
    failed = _names(t for t in report.tried if t.status == "failed")
    told = [f"{len(held)} properties hold"]
    told += [f"{len(failed)} do not: {', '.join(failed)}"] if failed else []
    told += [f"left out: {', '.join(left)}"] if left else []
    told += [f"not reached in time: {', '.join(late)}"] if late else []
    print(f"{report.file}: {'; '.join(told)} (seed {report.seed})", file=sys.stderr)


def _names(tried: Iterable[Tried]) -> list[str]:
    return [t.name for t in tried]
