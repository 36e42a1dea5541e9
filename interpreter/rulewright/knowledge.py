"""Loading evaluators: names and paths to models, texts to diagnostics.

In: a game, and the name or path of a file.  Out: its model, or every mistake at once.  Evaluators
stand next to the rules of their game; what a file names is looked for beside it, then beside the
rules when they are the user's own, then in the folder of the bundled game.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from attrs import field, frozen

from rulewright import disk
from rulewright.disk import is_file, is_there, read_source, read_text
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.language import syntax
from rulewright.language.diagnostics import (
    Collector,
    Diagnostic,
    TextError,
    did_you_mean,
    errors,
    offer,
)
from rulewright.language.parse_players import parse_evaluator
from rulewright.language.source import Source, Span, decode
from rulewright.loading import bundled, load_with, shown
from rulewright.model.evaluation import Evaluator
from rulewright.resolve.effects import EffectResolver
from rulewright.resolve.evaluator_names import Borrowed
from rulewright.resolve.evaluators import FORM, Ground, resolve_evaluator
from rulewright.resolve.statements import OptionSetting

_FOR = re.compile(
    r"^[ \t]*(?:evaluator[ \t]+\w+|personality[ \t]+\w+|(?i:patterns))[ \t]+(?i:for)[ \t]+(\w+)",
    re.MULTILINE,
)
"""The game that the head of a file names."""


@frozen
class Where:
    """Where a file is read: in a folder, for a game (or the one its head names, with `options`).

    `way` are the names of the personalities that extend the one that is read.
    """

    game: Game | None = None
    folder: Path | None = None
    options: dict[str, OptionSetting] = field(factory=dict)
    way: tuple[str, ...] = ()


@frozen
class EvaluatorReport:
    """What `check` found in one evaluator; `evaluator` is None when it has errors."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...]
    evaluator: Evaluator | None
    game: Game | None


def check_evaluator(name: str, data: bytes, where: Where | None = None) -> EvaluatorReport:
    """Read *data* as an evaluator called *name*; report every mistake."""
    where = where or Where()
    game, folder = where.game, where.folder
    collector = Collector()
    source = decode(name, data, collector)
    if source is None:
        return EvaluatorReport(None, collector.diagnostics, None, game)
    tree = parse_evaluator(source, collector)
    head = next((i for i in tree.items if isinstance(i, syntax.EvaluatorName)), None)
    if game is None:
        game = game_for(head.game, source, collector, where) if head else None
        if head is None:
            no_head(source, collector, FORM, "the evaluator")
    names = None if game is None else _names(game)
    if game is None or names is None:
        return EvaluatorReport(source, collector.diagnostics, None, None)
    others = [name for name in evaluators(game, folder) if name != Path(source.name).stem]
    ground = Ground(game.rules, names, _finder(game, folder), others)
    found = resolve_evaluator(tree, source, collector, ground)
    return EvaluatorReport(source, collector.diagnostics, found, game)


def _names(game: Game) -> EffectResolver | None:
    """The names of the rules; a model that was kept is read again for them."""
    if game.names is not None or game.again is None:
        return game.names
    return game.again().names


def no_head(source: Source, report: Collector, form: str, what: str) -> None:
    """Report that no head names a game, unless what is wrong is told already."""
    if not report.failed:
        top, hint = Span(0, max(1, len(source.line(1)))), f"write `{form}` below `format 1`"
        source.report(report, "missing-statement", top, f"{what} has no name", hint)


def game_for(name: syntax.Name, source: Source, report: Collector, where: Where) -> Game | None:
    """The game that a head names: a rules file in the folder, or a bundled one."""
    beside = where.folder / f"{name.text}.rules" if where.folder else None
    options = dict(where.options)
    try:
        if beside is not None and is_file(beside):
            return load_with(beside, options)
        if name.text in bundled():
            return load_with(name.text, options)
    except TextError:
        message = f"the rules of `{name.text}` have mistakes of their own"
        source.report(report, "other-file", name.span, message, "check the rules first")
        return None
    hint = did_you_mean(name.text, bundled())
    source.report(report, "unknown-name", name.span, f"no game is called `{name.text}`", hint)
    return None


def named(path: Path, folder: Path | None) -> str:
    """How a file is called in messages: beside the one that names it by its bare name."""
    return path.name if path.parent == folder else shown(path)


def _finder(game: Game, folder: Path | None) -> Callable[[str], Borrowed | None]:
    def find(name: str) -> Borrowed | None:
        path = find_file(game, f"{name}.eval", folder)
        if path is None:
            return None
        collector = Collector()
        source = decode(named(path, folder), read_source(path), collector)
        if source is None:
            return Borrowed(syntax.Evaluator(()), Source(path.name, ""), True)
        tree = parse_evaluator(source, collector)
        return Borrowed(tree, source, collector.failed)

    return find


def find_file(game: Game, name: str, folder: Path | None = None) -> Path | None:
    """A file of a game: in *folder*, beside the user's own rules, or beside the bundled ones."""
    for place in (folder, game.folder, disk.root("rulesets") / game.name):
        if place is not None and is_file(place / name):
            return place / name
    return None


def load_evaluator(game: Game, name: str | Path = "", folder: Path | None = None) -> Evaluator:
    """An evaluator of *game* by its name or path; without either the one named like the game."""
    text = str(name) or game.name
    path = Path(text) if text.endswith(".eval") else find_file(game, f"{text}.eval", folder)
    if path is None or not is_there(path):
        hint = offer(text, evaluators(game, folder))
        raise RulewrightError(f"{game.name} has no evaluator `{text}`; {hint}")
    report = check_evaluator(shown(path), read_source(path), Where(game, path.parent))
    if report.evaluator is None:
        raise TextError(errors(report.diagnostics))
    return report.evaluator


def summary(text: str) -> str:
    """The first sentence of the first comment of a file."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("#")), len(lines))
    comments = list(takewhile(lambda line: line.startswith("#"), lines[first:]))
    told = " ".join(line.lstrip("# ").strip() for line in comments)
    return told.partition(". ")[0].rstrip(".") + "." if told else ""


def evaluators(game: Game, folder: Path | None = None) -> dict[str, Path]:
    """The evaluators of a game by name."""
    return files_of(game, "eval", folder)


def files_of(game: Game, suffix: str, folder: Path | None) -> dict[str, Path]:
    """The files of a kind that a game has, by name: bundled, beside its rules, in *folder*."""
    found: dict[str, Path] = {}
    root = disk.root("patterns" if suffix == "patterns" else "rulesets")
    for place in (root / game.name, game.folder, folder):
        if place is not None and place.is_dir():
            files = (path for path in sorted(place.glob(f"*.{suffix}")) if path.is_file())
            found |= {path.stem: path for path in files if _is_for(game, path)}
    return found


def _is_for(game: Game, path: Path) -> bool:
    """Whether a file is no file of another game, by its head; one without a head may be of any."""
    try:
        found = _FOR.search(read_text(path, "replace"))
    except OSError:
        return False
    return found is None or found[1] == game.name
