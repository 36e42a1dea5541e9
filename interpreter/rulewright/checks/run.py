"""Testing and covering a file of any kind: the one way in for the command line and for pytest.

In: a path and what is asked for.  Out: a report, or a coverage.  The table of the kinds of files
says what each is tested for, `CHECKS` what tests and covers it.  Refuses (`TextError`) files with
mistakes, and what is of no kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rulewright.checks import cases
from rulewright.checks.cover_rules import cover_rules, with_options
from rulewright.checks.coverage import Coverage
from rulewright.checks.findings import FileReport, Finding, PropertyResult
from rulewright.checks.properties_of_rules import RulesProperties
from rulewright.checks.remembering import memory_hints
from rulewright.checks.sampling import Workload
from rulewright.checks.subject import Subject
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files import catalog
from rulewright.games.files.games import RULES, load_with
from rulewright.games.files.kinds import FileContext, FileKind, check_path, message_name
from rulewright.language.diagnostics import Diagnostic, errors, offer
from rulewright.language.resolve.options import OptionSetting
from rulewright.language.source import Source


@frozen
class CheckRequest:
    """A request: properties (none named: all), effort, seed, options."""

    properties: tuple[str, ...] = ()
    effort: float = 1.0
    games: int | None = None
    seed: int = 0
    options: dict[str, OptionSetting] = field(factory=dict)

    def of(self, names: Sequence[str]) -> tuple[str, ...]:
        """The properties that are asked for, of those that a kind of file has."""
        return tuple(n for n in names if n in self.properties) if self.properties else tuple(names)

    def number(self, usual: int) -> int:
        """The usual number of positions times the effort, at least 1."""
        return max(1, round(usual * self.effort))


# --- what tests and covers each kind ---


@frozen
class PlayersChecks:
    """The tests of a kind of texts that players use, their positions, and its coverage."""

    properties: Callable[[Game, Any, Source, int, int], Any]
    positions: int
    cover: Callable[[Game, Any, Source, float, int], Coverage]


CHECKS = ("evaluator", "personality", "patterns")
"""The kinds that have such checks; rules have a way of their own."""


def _checks_of(kind: str) -> PlayersChecks:
    """The checks of a kind, loaded where they are used."""
    from rulewright.checks import cover_players as cover  # noqa: PLC0415
    from rulewright.checks import properties_of_players as players  # noqa: PLC0415
    from rulewright.checks.properties_of_evaluators import EvaluatorProperties  # noqa: PLC0415

    def without_text(make: Callable[..., Any]) -> Callable[..., Any]:
        return lambda game, model, _, seed, number: make(game, model, seed, number)

    if kind == "evaluator":
        return PlayersChecks(without_text(EvaluatorProperties), 60, cover.cover_evaluator)
    if kind == "personality":
        properties = without_text(players.PersonalityProperties)
        return PlayersChecks(properties, 12, cover.cover_personality)
    return PlayersChecks(players.PatternProperties, 10, cover.cover_patterns)


def _read(kind: FileKind[Any], path: Path, request: CheckRequest) -> tuple[Game, Any, Source]:
    """The game, the model and the text of a file; raises `TextError` with its mistakes."""
    read = check_path(kind, path, FileContext(None, path.parent, dict(request.options)))
    model = read.loaded()
    assert read.game is not None
    assert read.source is not None
    return read.game, model, read.source


def try_file(path: Path, request: CheckRequest) -> FileReport:
    """Test a file; raises `RulewrightError` for what is of no kind."""
    kind = _kind(path, "cannot be tested; `test` reads these kinds of files")
    if kind is RULES:
        return _try_rules(path, request)
    game, model, source = _read(kind, path, request)
    tried: tuple[PropertyResult, ...] = ()
    if kind.name in CHECKS:
        checks = _checks_of(kind.name)
        run = checks.properties(game, model, source, request.seed, request.number(checks.positions))
        tried = run.run(request.of(tuple(kind.properties)))
    beside = path.parent / f"{game.name}.rules"
    name = shown_name(beside) if beside.is_file() else game.name
    return _report(path, name, game, request, tried)


def cover_file(path: Path, request: CheckRequest) -> Coverage:
    """The coverage of a file; raises `RulewrightError` for what is of no kind."""
    kind = _kind(path, "has no coverage; `cover` reads these kinds of files")
    if kind is not RULES and kind.name not in CHECKS:
        raise RulewrightError(f"{path} has no coverage: of {kind.suffix} files nothing is counted")
    if kind is not RULES:
        game, model, source = _read(kind, path, request)
        return _checks_of(kind.name).cover(game, model, source, request.effort, request.seed)
    game = load_with(path, dict(request.options))
    coverage = cover_rules(game, request.effort, request.seed)
    with suppress(OutOfBudget):  # the rules themselves are covered
        coverage = with_options(coverage, game, _reload(path), request.effort, request.seed)
    return coverage


def _kind(path: Path, refused: str) -> FileKind[Any]:
    """The kind of a file, by its suffix; an error says that it is *refused*, and what is not."""
    kind = catalog.by_suffix().get(path.suffix)
    if kind is None:
        raise RulewrightError(f"{path} {refused}: {', '.join(catalog.by_suffix())}")
    return kind


def _reload(path: Path) -> Callable[[dict[str, Any]], Game]:
    return lambda options: load_with(path, options)


# --- rules ---


def _try_rules(path: Path, request: CheckRequest) -> FileReport:
    """Test a rules file; games that showed a fault earlier come first."""
    game = load_with(path, request.options)
    case_file = cases.cases_path(path)
    earlier_cases = cases.read(case_file).cases if case_file.is_file() else ()
    workload = Workload.of(request.effort, request.games)
    chosen = request.of(tuple(RULES.properties))
    subject = Subject(game, path, _reload(path))
    tried = RulesProperties(subject, request.seed, workload, chosen, earlier_cases).run()
    hints = () if request.properties else memory_hints(game, request.effort, request.seed)
    name = shown_name(path)
    report = _report(path, name, game, request, tried)
    return evolve(report, hints=tuple(_with_command(hint, name, game) for hint in hints))


def _report(
    path: Path, name: str, game: Game, request: CheckRequest, tried: tuple[PropertyResult, ...]
) -> FileReport:
    """The findings, each with the command that shows its game again; *name* is that of the game."""
    results = tuple(
        evolve(result, findings=tuple(_with_command(f, name, game) for f in result.findings))
        for result in tried
    )
    return FileReport(message_name(path), game.name, dict(game.options), request.seed, results)


def shown_name(path: Path) -> str:
    """The name of a rules file in a command: bundled games by their name."""
    named = message_name(path)
    return path.stem if named == path.name and path.stem == path.parent.name else named


def _with_command(finding: Finding, name: str, game: Game) -> Finding:
    if finding.moves is None:
        return finding
    options = finding.options or cases.shown_options(game).items()
    words = [name, *(f"--set {option}={value}" for option, value in options)]
    moves = [f'--moves "{" ".join(finding.moves)}"'] if finding.moves else []
    return evolve(finding, replay=" ".join(["rulewright show", *words, *moves]))


# --- names of properties ---


def mistakes(path: Path) -> list[Diagnostic]:
    """The errors of a file, as `check` finds them without its claims."""
    return errors(check_path(catalog.by_suffix().get(path.suffix, RULES), path).diagnostics)


def check_names(names: Sequence[str], files: Sequence[str] = ()) -> None:
    """Refuse names of properties that no kind of file has, or none of *files*."""
    properties = {name for kind in catalog.KINDS for name in kind.properties}
    for name in names:
        if name not in properties:
            hint = offer(name, sorted(properties))
            raise RulewrightError(f"no property is called `{name}`; {hint}")
        kinds = catalog.by_suffix()
        suffixes = {Path(file).suffix or ".rules" for file in files} & kinds.keys()
        if suffixes and not any(name in kinds[suffix].properties for suffix in suffixes):
            other = next(suffix for suffix, kind in kinds.items() if name in kind.properties)
            raise RulewrightError(f"`{name}` is a property of {other} files, and there are none")


def meaning(path_or_name: str, name: str) -> str:
    """The meaning of a property of a file."""
    kind = catalog.by_suffix().get(Path(path_or_name).suffix, RULES)
    return kind.properties.get(name, "")
