"""Loading pattern files: names and paths to models, texts to diagnostics.

In: a game, and the name or path of a file.  Out: its model, or every mistake at once.  Bundled
pattern files stand in `patterns/GAME/`.  A file without a head is read as if it began with the
lines of `patterns/headless.patterns`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulewright import disk
from rulewright.disk import is_file, read_source, read_text
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.knowledge import (
    Where,
    evaluators,
    files_of,
    game_for,
    load_evaluator,
    named,
    summary,
)
from rulewright.language.diagnostics import Collector, Diagnostic, TextError, errors, offer
from rulewright.language.parse_patterns import HEADS, parse_patterns, rows
from rulewright.language.source import Source, Span, decode
from rulewright.language.syntax import patterns as syntax
from rulewright.loading import shown
from rulewright.model.evaluation import Evaluator
from rulewright.model.patterns import Patterns
from rulewright.reference.play import Play
from rulewright.resolve.patterns import Shelf, resolve_patterns
from rulewright.resolve.personality_searches import Found

SUFFIX = ".patterns"


@frozen
class PatternsReport:
    """What `check` found in one pattern file; `patterns` is None when it has errors."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...]
    patterns: Patterns | None
    game: Game | None
    guessed: bool = False
    """Whether the file names no game, and none was given: it is read for that of T1."""


def check_patterns(name: str, data: bytes, where: Where | None = None) -> PatternsReport:
    """Read *data* as a pattern file called *name*; report every mistake."""
    where = where or Where()
    collector = Collector()
    source = decode(name, data, collector)
    if source is None:
        return PatternsReport(None, collector.diagnostics, None, where.game)
    if not any(row.tokens for row in rows(source)):
        message = "there is nothing in this file"
        hint = "a pattern begins with `Off` or `Def` and a name"
        source.report(collector, "bad-head", Span(0, 1), message, hint)
        return PatternsReport(source, collector.diagnostics, None, where.game)
    tree = parse_patterns(source, collector)
    head = _head(tree, where.game)
    guessed = bool(head) and where.game is None
    game = where.game or _game(tree, head, source, collector, where)
    if game is None:
        return PatternsReport(source, collector.diagnostics, None, None)
    shelf = _shelf(game, where.folder, (*where.way, Path(name).stem))
    stem = Path(name).stem
    found = resolve_patterns(tree, head, source, collector, shelf)
    found = evolve(found, name=stem, about=summary(source.text)) if found else None
    return PatternsReport(source, collector.diagnostics, found, game, guessed)


@cache
def _headless() -> tuple[syntax.PatternItem, ...]:
    path = disk.root("patterns") / "headless.patterns"
    collector = Collector()
    tree = parse_patterns(Source(path.name, read_text(path)), collector)
    assert not collector.failed
    return tree.items


def _head(tree: syntax.Patterns, game: Game | None) -> tuple[syntax.PatternItem, ...]:
    """The lines that stand for a missing head; none where the file has any line of one."""
    kinds = tuple(type(item) for item in _headless())
    has = any(
        isinstance(item, kinds) or (isinstance(item, syntax.Unread) and item.word in HEADS)
        for item in tree.items
    )
    return () if has else tuple(_for(item, game) for item in _headless())


def _for(item: syntax.PatternItem, game: Game | None) -> syntax.PatternItem:
    """A line of the head, for the game that is given."""
    if game is None or not isinstance(item, syntax.PatternsFor):
        return item
    return evolve(item, game=evolve(item.game, text=game.name))


def no_game_named(name: str, game: Game) -> str:
    """The warning about a file whose game is guessed."""
    read = f"{name} names no game and is read for {game.name}"
    return f"rulewright: warning: {read}; --game NAME says which"


def _game(
    tree: syntax.Patterns,
    head: tuple[syntax.PatternItem, ...],
    source: Source,
    collector: Collector,
    where: Where,
) -> Game | None:
    named = next((i for i in (*tree.items, *head) if isinstance(i, syntax.PatternsFor)), None)
    if named is not None:
        return game_for(named.game, source, collector, where)
    if not collector.failed:
        message = "the head names no game"
        hint = "write `Patterns for GAME` below `format 1`"
        source.report(collector, "missing-statement", tree.items[0].span, message, hint)
    return None


_EVALUATORS: WeakKeyDictionary[Play, dict[tuple[Path, bytes], Evaluator | None]] = (
    WeakKeyDictionary()
)
"""Evaluators of a game by their files: many pattern files stand on the same one."""


def _evaluator(game: Game, path: Path) -> Evaluator | None:
    """The evaluator of a file; None when it cannot be used."""
    known = _EVALUATORS.setdefault(game.play, {})
    try:
        key = (path, read_source(path))
    except OSError:
        return None
    if key not in known:
        try:
            known[key] = load_evaluator(game, path)
        except RulewrightError:
            known[key] = None
    return known[key]


def _shelf(game: Game, folder: Path | None, way: tuple[str, ...]) -> Shelf:
    files = evaluators(game, folder)

    def evaluator(name: str) -> Evaluator | None:
        return _evaluator(game, files[name]) if name in files else None

    def with_path(path: str) -> dict[str, Evaluator]:
        line = re.compile(rf"^ *path +{re.escape(path)}\b", re.MULTILINE)
        likely = [n for n, file in files.items() if line.search(read_text(file, "replace"))]
        found = {name: evaluator(name) for name in likely}
        return {
            name: one
            for name, one in found.items()
            if one is not None and any(p.name == path for p in one.paths)
        }

    def patterns(name: str) -> Patterns | str | None:
        if name in way:
            return f"`{name}` uses itself: {' -> '.join([*way[way.index(name) :], name])}"
        path = pattern_files(game, folder).get(name)
        if path is None:
            return None
        where = Where(game, path.parent, way=way)
        label = named(path, folder)
        read = check_patterns(label, read_source(path), where)
        if read.patterns is not None:
            return read.patterns
        first = errors(read.diagnostics)[0]
        place = f"{first.place.file}:{first.place.line}"
        return f"the patterns `{name}` cannot be used: {first.message} ({place})"

    def known(kind: str) -> dict[str, Path]:
        return files_of(game, kind, folder)

    return Shelf(game.rules, evaluator, with_path, patterns, known)


def pattern_files(game: Game, folder: Path | None = None) -> dict[str, Path]:
    """The pattern files of a game by name."""
    return files_of(game, "patterns", folder)


def find_patterns(game: Game, name: str, folder: Path | None) -> Found | None:
    """The patterns of a name for a file that names them; no model when they have mistakes."""
    path = pattern_files(game, folder).get(name)
    if path is None:
        return None
    label = named(path, folder)
    report = check_patterns(label, read_source(path), Where(game, path.parent))
    return Found(label, report.patterns)


def is_file_name(name: str) -> bool:
    """Whether a word is the path of a pattern file, which other programs call as they like."""
    return name.endswith(SUFFIX) or (is_file(name) and bool(Path(name).suffix))


def load_patterns(game: Game, name: str | Path, folder: Path | None = None) -> Patterns:
    """The patterns of a bundled name, of one beside *folder*, or of a path."""
    text = str(name)
    is_path = is_file_name(text)
    known = {} if is_path else pattern_files(game, folder)
    path = Path(text) if is_path else known.get(text.removeprefix(f"{game.name}/"))
    if path is None or not is_file(path):
        known = pattern_files(game, folder)
        hint = offer(text, known)
        raise RulewrightError(f"{game.name} has no pattern file `{text}`; {hint}")
    data = read_source(path)
    report = check_patterns(shown(path), data, Where(game, path.parent))
    if report.patterns is None:
        raise TextError(errors(report.diagnostics))
    return report.patterns
