"""Testing a file of any kind: the one way in for the command line and for pytest.

In: a path and what is asked for.  Out: a report.  The table of the kinds of files says what each is
tested for, `TRIALS` what tests it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rulewright.checks import cases
from rulewright.checks.battery import Battery
from rulewright.checks.effort import Effort
from rulewright.checks.findings import Finding, Report, Tried
from rulewright.checks.ground import Ground
from rulewright.checks.judged import Judged
from rulewright.checks.playing import Playing
from rulewright.checks.proposed import Proposed
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.files import catalog
from rulewright.files.games import RULES, load_with
from rulewright.files.kinds import Report as Checked
from rulewright.files.kinds import Where, check_path, shown
from rulewright.language.diagnostics import Diagnostic, did_you_mean, errors
from rulewright.model.evaluation import Evaluator
from rulewright.model.patterns import Patterns
from rulewright.model.personality import Personality
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
    battery = Battery(ground, request.seed, effort, request.of(tuple(RULES.properties)), known)
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


def _report(path: Path, game: Game, request: Request, tried: tuple[Tried, ...]) -> Report:
    beside = path.parent / f"{game.name}.rules"
    name = shown_name(beside) if beside.is_file() else game.name
    tried = tuple(
        evolve(one, findings=tuple(_with_command(f, name, game) for f in one.findings))
        for one in tried
    )
    return Report(shown(path), game.name, dict(game.options), request.seed, tried)


Trial = Callable[[Checked[Any], int, int], Judged | Playing | Proposed]
"""Of what was read, a seed and a number of positions or games."""


def _judged(read: Checked[Evaluator], seed: int, number: int) -> Judged:
    return Judged(_game(read), read.loaded(), seed, number)


def _playing(read: Checked[Personality], seed: int, number: int) -> Playing:
    return Playing(_game(read), read.loaded(), seed, number)


def _proposed(read: Checked[Patterns], seed: int, number: int) -> Proposed:
    assert read.source is not None
    return Proposed(_game(read), read.loaded(), read.source, seed, number)


def _game(read: Checked[Any]) -> Game:
    assert read.game is not None
    return read.game


TRIALS: dict[str, tuple[int, Trial]] = {
    "evaluator": (60, _judged), "personality": (12, _playing), "patterns": (10, _proposed),
}  # fmt: skip
"""What tests a kind of file, and with how many positions or games."""


def try_file(path: Path, request: Request) -> Report:
    """Test a file; raises `RulewrightError` for what is of no kind."""
    kind = catalog.by_suffix().get(path.suffix)
    if kind is None:
        known = ", ".join(catalog.by_suffix())
        raise RulewrightError(f"{path} cannot be tested; these kinds of files can: {known}")
    if kind is RULES:
        return try_rules(path, request)
    read = check_path(kind, path, Where(None, path.parent, request.options))
    read.loaded()
    many, trial = TRIALS.get(kind.name, (0, None))
    properties, number = request.of(tuple(kind.properties)), max(1, round(many * request.effort))
    tried = trial(read, request.seed, number).run(properties) if trial else ()
    return _report(path, _game(read), request, tried)


def mistakes(path: Path) -> list[Diagnostic]:
    """The errors of a file, as `check` finds them without its claims."""
    return errors(check_path(catalog.by_suffix().get(path.suffix, RULES), path).diagnostics)


def check_names(names: Sequence[str], files: Sequence[str] = ()) -> None:
    """Refuse names of properties that no kind of file has, or none of *files*."""
    known = {name for kind in catalog.KINDS for name in kind.properties}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(sorted(known))}"
            raise RulewrightError(f"no property is called `{name}`; {hint}")
        known_kinds = catalog.by_suffix()
        kinds = {Path(file).suffix or ".rules" for file in files} & known_kinds.keys()
        if kinds and not any(name in known_kinds[kind].properties for kind in kinds):
            other = next(suffix for suffix, kind in known_kinds.items() if name in kind.properties)
            raise RulewrightError(f"`{name}` is a property of {other} files, and there are none")


def meaning(path_or_name: str, name: str) -> str:
    """What a property of a file says."""
    kind = catalog.by_suffix().get(Path(path_or_name).suffix, RULES)
    return kind.properties.get(name, "")
