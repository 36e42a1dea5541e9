"""Testing a file of any kind: the one way in for the command line and for pytest.

In: a path and what is asked for.  Out: a report.  `KINDS` says what each kind of file is tested
for; a further kind is a further line there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from rulewright.checks import cases
from rulewright.checks.battery import Battery
from rulewright.checks.effort import Effort
from rulewright.checks.findings import Finding, Report, Tried
from rulewright.checks.ground import Ground
from rulewright.checks.judged import Judged
from rulewright.checks.playing import Playing
from rulewright.checks.proposed import Proposed
from rulewright.disk import read_source
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.knowledge import Where, check_evaluator
from rulewright.language.diagnostics import Diagnostic, TextError, did_you_mean, errors
from rulewright.loading import check_bytes, load_with, shown
from rulewright.model.properties import EVALUATOR, PATTERNS, PERSONALITY, RULES
from rulewright.pattern_files import check_patterns
from rulewright.personality_files import check_personality
from rulewright.resolve.statements import OptionSetting


@frozen
class Request:
    """What is asked for: properties (none named: all), how much work, chance, options."""

    properties: tuple[str, ...] = ()
    effort: float = 1.0
    games: int | None = None
    seed: int = 0
    options: dict[str, OptionSetting] = field(factory=dict)

    def of(self, known: Sequence[str]) -> tuple[str, ...]:
        """The properties that are asked for, of those that a kind of file has."""
        return tuple(n for n in known if n in self.properties) if self.properties else tuple(known)


def try_rules(path: Path, request: Request) -> Report:
    """Test a rules file; games that showed a fault earlier come first."""
    game = load_with(path, request.options)
    kept = cases.beside(path)
    known = cases.read(kept).cases if kept.is_file() else ()
    ground = Ground(game, path, lambda options: load_with(path, options))
    effort = Effort.of(request.effort, request.games)
    battery = Battery(ground, request.seed, effort, request.of(tuple(RULES)), known)
    tried = tuple(_replayable(one, path, game) for one in battery.run())
    return Report(shown(path), game.name, dict(game.options), request.seed, tried)


def _replayable(one: Tried, path: Path, game: Game) -> Tried:
    """The findings, each with the command that shows its game again."""
    return evolve(
        one, findings=tuple(_with_command(f, shown_name(path), game) for f in one.findings)
    )


def shown_name(path: Path) -> str:
    """How a command names a rules file: bundled games by their name."""
    named = shown(path)
    return path.stem if named == path.name and path.stem == path.parent.name else named


def _with_command(found: Finding, name: str, game: Game) -> Finding:
    if found.moves is None:
        return found
    options = found.options or cases.shown_options(game).items()
    words = [name, *(f"--set {option}={value}" for option, value in options)]
    moves = [f'--moves "{" ".join(found.moves)}"'] if found.moves else []
    return evolve(found, replay=" ".join(["rulewright show", *words, *moves]))


def try_evaluator(path: Path, request: Request) -> Report:
    """Test an evaluator on the game that it names."""
    where = Where(None, path.parent, request.options)
    read = check_evaluator(shown(path), read_source(path), where)
    if read.evaluator is None or read.game is None:
        raise TextError(errors(read.diagnostics))
    number = max(1, round(60 * request.effort))
    judged = Judged(read.game, read.evaluator, request.seed, number)
    return _report(path, read.game, request, judged.run(request.of(tuple(EVALUATOR))))


def try_personality(path: Path, request: Request) -> Report:
    """Test a personality of the game that it names."""
    where = Where(None, path.parent, request.options)
    read = check_personality(shown(path), read_source(path), where)
    if read.personality is None or read.game is None:
        raise TextError(errors(read.diagnostics))
    number = max(1, round(12 * request.effort))
    playing = Playing(read.game, read.personality, request.seed, number)
    return _report(path, read.game, request, playing.run(request.of(tuple(PERSONALITY))))


def try_patterns(path: Path, request: Request) -> Report:
    """Test a pattern file on the game that it names."""
    where = Where(None, path.parent, request.options)
    read = check_patterns(shown(path), read_source(path), where)
    if read.patterns is None or read.game is None or read.source is None:
        raise TextError(errors(read.diagnostics))
    number = max(1, round(10 * request.effort))
    proposed = Proposed(read.game, read.patterns, read.source, request.seed, number)
    return _report(path, read.game, request, proposed.run(request.of(tuple(PATTERNS))))


def _report(path: Path, game: Game, request: Request, tried: tuple[Tried, ...]) -> Report:
    beside = path.parent / f"{game.name}.rules"
    name = shown_name(beside) if beside.is_file() else game.name
    tried = tuple(
        evolve(one, findings=tuple(_with_command(f, name, game) for f in one.findings))
        for one in tried
    )
    return Report(shown(path), game.name, dict(game.options), request.seed, tried)


@frozen
class Kind:
    """A kind of file: its properties with their meanings, and what tests it."""

    properties: dict[str, str]
    test: Callable[[Path, Request], Report]


KINDS = {
    ".rules": Kind(RULES, try_rules),
    ".eval": Kind(EVALUATOR, try_evaluator),
    ".personality": Kind(PERSONALITY, try_personality),
    ".patterns": Kind(PATTERNS, try_patterns),
}


def try_file(path: Path, request: Request) -> Report:
    """Test a file of a known kind; raises `RulewrightError` for others."""
    kind = KINDS.get(path.suffix)
    if kind is None:
        known = ", ".join(KINDS)
        raise RulewrightError(f"{path} cannot be tested; these kinds of files can: {known}")
    return kind.test(path, request)


def mistakes(path: Path) -> list[Diagnostic]:
    """The errors of a file, as `check` finds them without its claims."""
    data, where = read_source(path), Where(None, path.parent)
    if path.suffix == ".eval":
        return errors(check_evaluator(shown(path), data, where).diagnostics)
    if path.suffix == ".personality":
        return errors(check_personality(shown(path), data, where).diagnostics)
    if path.suffix == ".patterns":
        return errors(check_patterns(shown(path), data, where).diagnostics)
    return errors(check_bytes(shown(path), data).diagnostics)


def check_names(names: Sequence[str], files: Sequence[str] = ()) -> None:
    """Refuse names of properties that no kind of file has, or none of *files*."""
    known = {name for kind in KINDS.values() for name in kind.properties}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(sorted(known))}"
            raise RulewrightError(f"no property is called `{name}`; {hint}")
        kinds = {Path(file).suffix or ".rules" for file in files} & KINDS.keys()
        if kinds and not any(name in KINDS[kind].properties for kind in kinds):
            other = next(suffix for suffix, kind in KINDS.items() if name in kind.properties)
            raise RulewrightError(f"`{name}` is a property of {other} files, and there are none")


def meaning(path_or_name: str, name: str) -> str:
    """What a property of a file says."""
    kind = KINDS.get(Path(path_or_name).suffix, KINDS[".rules"])
    return kind.properties.get(name, "")
