"""A pytest plugin: rules, evaluators, personalities, counts and cases are tests of their own.

In: files that begin with `format`, and `perft.txt` beside such rules.  Out: an item for each
property, line of counts and case.  Files of other tools are left alone, and nothing
of rulewright but this module is loaded until such a file is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulewright.checks.findings import FileReport
    from rulewright.checks.run import CheckRequest

KINDS = (".rules", ".eval", ".personality", ".patterns", ".look")
_BEGINS = b"format "
_COUNTS = "perft.txt"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the plugin."""
    group = parser.getgroup("rulewright", "board games as text")
    group.addoption("--rulewright-effort", type=float, default=0.2, help="of tests of rules (0.2)")
    group.addoption("--rulewright-seed", type=int, default=0, help="of tests of rules (0)")
    group.addoption("--rulewright-cover", action="store_true", help="nothing of a file is unused")
    group.addoption(
        "--rulewright-mutate",
        type=float,
        metavar="PERCENT",
        help="so many of the faults put into rules must be found",
    )
    group.addoption("--no-rulewright", action="store_true", help="leave files of games alone")


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.File | None:
    """A file of a game, by its suffix and its first line."""
    if parent.config.getoption("--no-rulewright"):
        return None
    if file_path.suffix in KINDS and _begins(file_path):
        return TextFile.from_parent(parent, path=file_path)
    if file_path.suffix == ".cases" and _begins(file_path):
        return CasesFile.from_parent(parent, path=file_path)
    if file_path.name == _COUNTS and any(map(_begins, file_path.parent.glob("*.rules"))):
        return CountsFile.from_parent(parent, path=file_path)
    return None


def _begins(path: Path) -> bool:
    """Whether the first line that is neither empty nor a comment begins with `format`."""
    from rulewright.ground.disk import open_file

    try:
        with open_file(path) as file:
            head = file.read(4096)
    except OSError:
        return False
    lines = (line.strip() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines())
    return next((line for line in lines if line and line[:1] != b"#"), b"").startswith(_BEGINS)


def _request(config: pytest.Config) -> CheckRequest:
    """The effort and the seed of tests, by the options of the command line."""
    from rulewright.checks.run import CheckRequest

    effort, seed = (config.getoption(f"--rulewright-{name}") for name in ("effort", "seed"))
    return CheckRequest(effort=effort, seed=seed)


class Broken(Exception):
    """A property that does not hold; its text is the whole report."""


class _Item(pytest.Item):
    """A test whose failure is shown as text, without a traceback."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report alone for what the rules do; a traceback for what this program does."""
        from rulewright.errors import RulewrightError

        if isinstance(excinfo.value, Broken | RulewrightError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, its first line, and the headline of a failure."""
        return self.path, 0, f"{self.path.name}: {self.name}"


class TextFile(pytest.File):
    """Rules, an evaluator or a personality: an item that checks it, and one for each property."""

    _report: FileReport | None = None

    def collect(self) -> Iterator[pytest.Item]:
        """The check, and the properties of its kind of file."""
        from rulewright.games.files.catalog import by_suffix

        yield CheckItem.from_parent(self, name="check")
        for name in by_suffix()[self.path.suffix].properties:
            yield PropertyItem.from_parent(self, name=name)
        if self.config.getoption("--rulewright-cover"):
            yield CoverItem.from_parent(self, name="cover")
        if self.path.suffix == ".rules" and self.config.getoption("--rulewright-mutate"):
            yield MutateItem.from_parent(self, name="mutate")

    @property
    def report(self) -> FileReport:
        """The report on all properties of the file, which is tested once."""
        from rulewright.checks.run import try_file

        if self._report is None:
            self._report = try_file(self.path, _request(self.config))
        return self._report


class CheckItem(_Item):
    """The file has no mistakes."""

    def runtest(self) -> None:
        """Check the file."""
        from rulewright.checks.run import mistakes

        diagnostics = mistakes(self.path)
        if diagnostics:
            raise Broken("\n".join(d.render() for d in diagnostics))


class PropertyItem(_Item):
    """A property of a file; skipped where the file leaves it out or claims nothing of the kind."""

    def runtest(self) -> None:
        """Test the file, once for all properties."""
        from rulewright.checks.run import meaning

        assert isinstance(self.parent, TextFile)
        result = next((r for r in self.parent.report.tried if r.name == self.name), None)
        if result is None:
            pytest.skip("the file claims nothing of this kind")
        if result.skipped:
            pytest.skip(result.skipped)
        if result.findings:
            should_hold = meaning(self.path.name, self.name)
            raise Broken("\n\n".join(f.render(should_hold) for f in result.findings))


class CoverItem(_Item):
    """Nothing of the file is unused."""

    def runtest(self) -> None:
        """Cover the file."""
        from rulewright.checks.run import cover_file

        unused = cover_file(self.path, _request(self.config)).dead
        if unused:
            raise Broken("\n".join(f"{line.place}: {line.why}: {line.text}" for line in unused))


class MutateItem(_Item):
    """The claims and properties of the file find enough of the faults put into it."""

    def runtest(self) -> None:
        """Try the faults, in this process."""
        from rulewright.checks.mutants import MutationSubject
        from rulewright.checks.mutate import MutationRun, report_lines
        from rulewright.games.files.kinds import message_name
        from rulewright.ground.disk import read_text
        from rulewright.matches.executors import InProcess

        percent = self.config.getoption("--rulewright-mutate")
        request, text = _request(self.config), read_text(self.path)
        trial = MutationSubject(
            message_name(self.path), str(self.path), text, request.seed, request.effort
        )
        report = MutationRun(trial, InProcess().executor).run()
        if 100 * report.score < percent:
            raise Broken("\n".join(report_lines(trial, report)))


class CasesFile(pytest.File):
    """Games that once broke a property: an item for each."""

    def collect(self) -> Iterator[pytest.Item]:
        """The cases."""
        from rulewright.checks import cases

        for number, case in enumerate(cases.read(self.path).cases, 1):
            yield CaseItem.from_parent(self, name=f"{number}-{case.property}", number=number)


class CaseItem(_Item):
    """A kept game: it must not break its property again."""

    def __init__(self, *, number: int, **fields: Any) -> None:
        super().__init__(**fields)
        self.number = number

    def runtest(self) -> None:
        """Play the game again."""
        from rulewright.checks import cases
        from rulewright.checks.cases import game_of, replay_case
        from rulewright.model.properties import RULES

        file = cases.read(self.path)
        case = file.cases[self.number - 1]
        result = replay_case(case, game_of(self.path, file.game, case))
        if result.finding is not None:
            raise Broken(result.finding.render(RULES[case.property]))
        if result.stopped:
            raise Broken(f"this game cannot be played to its end: `{result.stopped}` is not legal")


class CountsFile(pytest.File):
    """Counts beside rules: an item for each line."""

    def collect(self) -> Iterator[pytest.Item]:
        """The lines of counts."""
        from rulewright.checks.counts import BadLine, counts_in

        for count in counts_in(self.path):
            line = count.place.rpartition(":")[2]
            options = {} if isinstance(count, BadLine) else count.options
            suffix = "".join(f"-{k}={v}" for k, v in options.items())
            yield CountItem.from_parent(self, name=f"line{line}{suffix}", count=count)


class CountItem(_Item):
    """A line of counts: depths that take long are left out."""

    def __init__(self, *, count: Any, **fields: Any) -> None:
        super().__init__(**fields)
        self.count = count

    def runtest(self) -> None:
        """Count the line's depth by every rules file that the line is about."""
        from rulewright.checks.claims import miscount
        from rulewright.checks.counts import BadLine, rules_of
        from rulewright.checks.subject import Subject
        from rulewright.games.files.games import load_with

        if isinstance(self.count, BadLine):
            raise Broken(str(self.count))
        files = rules_of(self.count, self.path)
        if not files:
            raise Broken(f"{self.count.where}no rules file here is the one that was counted")
        for rules in files:
            wrong = miscount(Subject(load_with(rules, {**self.count.options})), self.count)
            if wrong is not None and not wrong.unknown:
                raise Broken(wrong.message)
