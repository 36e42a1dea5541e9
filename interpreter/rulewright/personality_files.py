"""Loading personalities: names and paths to models, texts to diagnostics.

In: a game, and the name or path of a file.  Out: its model, or every mistake at once.  The
evaluators, patterns and other personalities that a file names are looked for beside it, then in the
folders of the bundled game.
"""

from __future__ import annotations

from pathlib import Path

from attrs import evolve, frozen

from rulewright import disk
from rulewright.disk import is_file, is_there, read_source
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.knowledge import (
    Where,
    check_evaluator,
    files_of,
    find_file,
    game_for,
    named,
    no_head,
    summary,
)
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, Diagnostic, TextError, errors, offer
from rulewright.language.parse_players import parse_personality
from rulewright.language.source import Source, decode
from rulewright.loading import bundled, shown
from rulewright.model.personality import RESERVED, Personality, any_decision
from rulewright.pattern_files import find_patterns
from rulewright.resolve.personalities import FORM, resolve_personality
from rulewright.resolve.personality_searches import Found, Shelf


@frozen
class PersonalityReport:
    """What `check` found in one personality; `personality` is None when it has errors."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...]
    personality: Personality | None
    game: Game | None


def check_personality(name: str, data: bytes, where: Where | None = None) -> PersonalityReport:
    """Read *data* as a personality called *name*; report every mistake."""
    where = where or Where()
    game, folder = where.game, where.folder
    collector = Collector()
    source = decode(name, data, collector)
    if source is None:
        return PersonalityReport(None, collector.diagnostics, None, game)
    tree = parse_personality(source, collector)
    head = next((i for i in tree.items if isinstance(i, syntax.PersonalityName)), None)
    if game is None:
        game = game_for(head.game, source, collector, where) if head else None
        if head is None:
            no_head(source, collector, FORM, "the personality")
    if game is None:
        return PersonalityReport(source, collector.diagnostics, None, None)
    found = resolve_personality(tree, source, collector, _shelf(game, folder), where.way)
    found = evolve(found, about=summary(source.text)) if found else None
    return PersonalityReport(source, collector.diagnostics, found, game)


def _shelf(game: Game, folder: Path | None) -> Shelf:
    def evaluator(name: str) -> Found | None:
        path = find_file(game, f"{name}.eval", folder)
        if path is None:
            return _elsewhere(f"{name}.eval", game)
        label = named(path, folder)
        report = check_evaluator(label, read_source(path), Where(game, path.parent))
        return Found(label, report.evaluator)

    def personality(name: str, way: tuple[str, ...]) -> Found | None:
        path = find_file(game, f"{name}.personality", folder)
        if path is None:
            return _elsewhere(f"{name}.personality", game)
        data, label = read_source(path), named(path, folder)
        report = check_personality(label, data, Where(game, path.parent, way=way))
        cycle = next((d.message for d in report.diagnostics if d.code == "cycle"), "")
        return Found(label, report.personality, cycle=cycle)

    def patterns(name: str) -> Found | None:
        return find_patterns(game, name, folder)

    def known(kind: str) -> dict[str, Path]:
        return files_of(game, kind, folder)

    return Shelf(game.rules, evaluator, personality, patterns, known)


def _elsewhere(name: str, game: Game) -> Found | None:
    """A file of that name among those of other bundled games."""
    for other in bundled():
        if other != game.name and is_file(disk.root("rulesets") / other / name):
            return Found(name, None, other_game=other)
    return None


def load_personality(game: Game, name: str | Path, folder: Path | None = None) -> Personality:
    """A personality of *game* by its name (`flip`, `conniption/flip`) or its path.

    `random` is the player of any legal decision; other names of players are refused.
    """
    text = str(name)
    bare = text.removeprefix(f"{game.name}/")
    if bare == "random":
        return any_decision(game.name)
    if bare in RESERVED:
        hint = offer("", personalities(game, folder))
        raise RulewrightError(f"`{bare}` is {RESERVED[bare]}, no personality; {hint}")
    is_path = text.endswith(".personality")
    path = Path(text) if is_path else find_file(game, f"{bare}.personality", folder)
    if path is None or not is_there(path):  # a pipe is refused as what it is
        hint = offer(bare, personalities(game, folder))
        raise RulewrightError(f"{game.name} has no personality `{text}`; {hint}")
    report = check_personality(shown(path), read_source(path), Where(game, path.parent))
    if report.personality is None:
        raise TextError(errors(report.diagnostics))
    return report.personality


def personalities(game: Game, folder: Path | None = None) -> dict[str, Path]:
    """The personalities of a game by name."""
    return files_of(game, "personality", folder)
