"""Testing rules and other files: `test` tries their properties, `cover` counts what games use.

`diff` finds the first position in which two games differ.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, print_json, say, settings, tell, write_text
from rulewright.checks import cases
from rulewright.checks.compare import Comparison, alike_text, difference_lines
from rulewright.checks.coverage import Coverage
from rulewright.checks.findings import FileReport, Finding, PropertyResult, junit
from rulewright.checks.properties_of_rules import LATE, NOT_TRIED
from rulewright.checks.run import CheckRequest, check_names, cover_file, meaning, try_file
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.files.catalog import by_suffix
from rulewright.games.files.games import find, load_with
from rulewright.games.files.kinds import message_name
from rulewright.ground.disk import read_text
from rulewright.ground.printable import amount, plural
from rulewright.ground.records import fields_as_json
from rulewright.ground.translation import translate
from rulewright.language.diagnostics import TextError
from rulewright.search.background import in_time

# --- test ---


def test_files(arguments: Namespace) -> int:
    """Test every file; 1 if a property fails, 2 if a file cannot be read."""
    if arguments.list:
        return _list()
    if not arguments.files:
        raise RulewrightError("name a file to test, or --list")
    check_names(arguments.property, arguments.files)
    options: dict[str, Any] = {**settings(arguments.set)}
    request = CheckRequest(
        tuple(arguments.property), arguments.effort, arguments.games, arguments.seed, options
    )
    status, reports = 0, list[FileReport]()
    for name in arguments.files:
        try:
            report = in_time(partial(_kept_report, find(name), request, arguments.no_cases))
        except RulewrightError as error:
            status = max(status, _report_error(error))
            continue
        reports.append(report)
        status = max(status, 1 if report.findings else 0)
        if arguments.format == "text":
            _print_tested(report)
    if arguments.format == "json":
        print_json({"reports": [report.as_data() for report in reports]})
    if arguments.junit:
        write_text(arguments.junit, junit(reports, meaning))
    return status


def _report_error(error: RulewrightError) -> int:
    """Print an error about a file; returns the exit status that follows."""
    located = isinstance(error, TextError)
    say(error if located else f"rulewright: {error}")
    return 1 if located or isinstance(error, OutOfBudget) else 2


def _list() -> int:
    for suffix, kind in by_suffix().items():
        tell(f"{suffix} files:")
        width = max(map(len, kind.properties), default=0)
        for name, about in kind.properties.items():
            print(f"  {name:<{width}}  {translate(about)}")
    return 0


def _kept_report(path: Path, request: CheckRequest, forget: bool) -> FileReport:
    """Test a file, and write the games that show a failure to the cases beside the rules."""
    report = try_file(path, request)
    if forget or path.suffix != ".rules":
        return report
    game = load_with(path, request.options)
    games = {f: cases.of_finding(f, game) for f in report.findings}
    place = cases.cases_path(path)
    try:
        cases.add(place, game.name, [case for case in games.values() if case])
    except cases.CasesError as error:
        say(f"rulewright: {error}; the games are only shown")
        return report
    rows = cases.read(place).cases if place.is_file() else ()
    return evolve(report, tried=tuple(_with_numbers(t, games, rows, place) for t in report.tried))


def _with_numbers(
    result: PropertyResult,
    games: dict[Finding, cases.Case | None],
    rows: tuple[cases.Case, ...],
    place: Path,
) -> PropertyResult:
    """Add to findings the command that replays the case they are kept as."""

    def numbered(finding: Finding) -> Finding:
        case = games.get(finding)
        at = next((n for n, k in enumerate(rows, 1) if case and case.same(k)), None)
        return evolve(finding, replay=f"rulewright replay {place} --case {at}") if at else finding

    return evolve(result, findings=tuple(map(numbered, result.findings)))


def _print_tested(report: FileReport) -> None:
    """Print the findings; a summary of the file goes to standard error."""
    for finding in report.findings:
        tell(f"{report.file}: {finding.render(meaning(report.file, finding.name))}\n")
    for hint in report.hints:
        tell(f"{report.file}: hint: {hint.render('')}\n")
    for result in report.tried:
        if result.looked.startswith(NOT_TRIED):
            say(f"{report.file}: {result.name}: {result.looked}")
    good = _names(t for t in report.tried if t.status == "held")
    late = _names(t for t in report.tried if t.skipped == LATE)
    rest = _names(t for t in report.tried if t.status == "left out" and t.skipped != LATE)
    failed = _names(t for t in report.tried if t.status == "failed")
    parts = [f"{amount(len(good), 'property', 'properties')} {plural(len(good), 'holds', 'hold')}"]
    parts += [f"{len(failed)} do not: {', '.join(failed)}"] if failed else []
    parts += [f"left out: {', '.join(rest)}"] if rest else []
    parts += [f"not reached in time: {', '.join(late)}"] if late else []
    say(f"{report.file}: {'; '.join(parts)} (seed {report.seed})")


def _names(results: Iterable[PropertyResult]) -> list[str]:
    return [t.name for t in results]


# --- cover ---


def cover(arguments: Namespace) -> int:
    """Show what games use of each file; 1 if a part is never used, 2 if a file cannot be read."""
    options: dict[str, Any] = {**settings(arguments.set)}
    request = CheckRequest(options=options, effort=arguments.effort, seed=arguments.seed)
    covered, status = list[tuple[str, str, Coverage]](), 0
    for name in arguments.files:
        try:
            path = find(name)
            coverage = in_time(partial(cover_file, path, request))
        except RulewrightError as error:
            status = max(status, _report_error(error))
            continue
        covered.append((message_name(path), read_text(path), coverage))
    if arguments.format == "json":
        reports = [{"file": file, **coverage.as_data()} for file, _, coverage in covered]
        print_json({"reports": reports})
    else:
        for file, text, coverage in covered:
            _print_cover(file, text, coverage, arguments.dead)
    return max(status, int(any(coverage.dead for _, _, coverage in covered)))


def _print_cover(file: str, text: str, coverage: Coverage, only_dead: bool) -> None:
    """Print the file with counts, then the parts that no game has used."""
    if not only_dead:
        print("\n".join(coverage.annotated(text)) + "\n")
    for dead in coverage.dead:
        proof = f" (and cannot: {dead.proof})" if dead.proof else ""
        print(f"{dead.place}: {translate(dead.why + proof)}: {dead.text}")
    positions = amount(coverage.positions, "position")
    much = "every position of the game" if coverage.whole else positions
    count = sum(not use.why for use in coverage.uses)
    say(f"{file}: {count} of {amount(len(coverage.uses), 'part')} used by {much}")


# --- diff ---


def diff(arguments: Namespace) -> int:
    """Show the first position in which two games differ; 1 when there is one."""
    options: dict[str, Any] = {**settings(arguments.set)}
    games = load_with(arguments.first, options), load_with(arguments.second, options)
    comparison = Comparison(*games, arguments.seed, arguments.effort).run()
    difference = comparison.difference
    names = arguments.first, arguments.second
    data = {"first": names[0], "second": names[1]}
    data |= fields_as_json(comparison, "difference positions depth games")
    lines = difference_lines(difference, *names) if difference else [alike_text(comparison)]
    answer(arguments, data, lines)
    return int(difference is not None)


COMMANDS: dict[str, a.Command] = {
    "test": (test_files, [
        a.value(
            "files", "FILE", "rules, evaluators, personalities, or bundled games", nargs="*"
        ),
        a.SETTINGS,
        a.value(
            "--property", "NAME", "try only this property; may be repeated",
            action="append", default=[],
        ),
        a.flag("--list", "list the properties and what they mean"),
        a.EFFORT,
        a.value("--games", "N", "random games by kernels (default 1000)", type=a.from_zero),
        a.seed(), a.whole_time(),
        a.value("--junit", "FILE", "write a JUnit report too; - writes it out"),
        a.flag("--no-cases", "keep no file of failing games beside the rules"),
        a.FORM,
    ]),
    "cover": (cover, [
        a.value("files", "FILE", "files of any kind, or bundled games", nargs="+"),
        a.SETTINGS, a.EFFORT, a.seed(), a.whole_time(),
        a.flag("--dead", "list only what nothing has used"), a.FORM,
    ]),
    "diff": (diff, [
        a.value("first", "A", "a rules file, or a bundled game"),
        a.value("second", "B", "the other file of rules"),
        a.SETTINGS, a.EFFORT, a.seed(), a.FORM,
    ]),
}  # fmt: skip
