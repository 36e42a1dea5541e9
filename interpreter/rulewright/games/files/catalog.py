"""The table of the kinds of files, a row for each; and whose kind a file or a text is.

Here stand the rows of evaluators, personalities, patterns and looks: how they find their game, and
the other files that they name.  That of rules stands in `games.py`, which games need alone.  A file
of patterns without a head is read as if it began with the lines of `patterns/headless.patterns`.
"""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from attrs import evolve

from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import RULES, bundled_games, by_name, known_games, load_with
from rulewright.games.files.kinds import (
    FileContext,
    FileKind,
    Reading,
    bare_name,
    base_of,
    check_path,
    files_of,
    find_file,
    load_file,
    name_beside,
    summary,
)
from rulewright.games.files.look_checks import LookCheck
from rulewright.games.files.looks import WORDS
from rulewright.games.render.piece_drawings import drawing_names, drawing_words, is_path
from rulewright.ground.budget import suppress_refusals
from rulewright.ground.disk import is_file, read_source, read_text, root
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, TextError, did_you_mean, errors, offer
from rulewright.language.languages import (
    LANGUAGES,
    parse_evaluator,
    parse_look,
    parse_personality,
)
from rulewright.language.parse_patterns import HEADS, parse_patterns, rows
from rulewright.language.reprint import formatted
from rulewright.language.reprint_patterns import formatted_patterns
from rulewright.language.resolve import evaluators, personalities
from rulewright.language.resolve.evaluator_names import BorrowedEvaluator, EvaluatorGround
from rulewright.language.resolve.looks import LookGround, resolve_look
from rulewright.language.resolve.pattern_files import PatternShelf, resolve_patterns
from rulewright.language.resolve.personality_searches import FoundFile, PersonalityShelf
from rulewright.language.resolve.scope import Scope
from rulewright.language.source import Source, Span, decode
from rulewright.language.syntax import patterns as pattern_syntax
from rulewright.model import properties
from rulewright.model.evaluation import Evaluator
from rulewright.model.look import Look
from rulewright.model.patterns import Patterns
from rulewright.model.personality import RESERVED, Personality, any_decision
from rulewright.reference.play import ReferencePlay

# --- whose file is it ---


def _head(word: str) -> re.Pattern[str]:
    return re.compile(rf"^ *{word} +[A-Za-z_]", re.MULTILINE)


def _game_of_head(
    head: type[syntax.EvaluatorName | syntax.PersonalityName | syntax.LookName],
    form: str,
    tree: Any,
    reading: Reading,
) -> Game | None:
    """The game that the head of a file names; a head that is missing is reported."""
    line = next((item for item in tree.items if isinstance(item, head)), None)
    if line is not None:
        return game_for(line.game, reading)
    if not reading.report.failed:
        top, hint = Span(0, max(1, len(reading.source.line(1)))), f"write `{form}` below `format 1`"
        message = f"the {form.partition(' ')[0]} has no name"
        reading.complain("missing-statement", top, message, hint)
    return None


def game_for(name: syntax.Name, reading: Reading) -> Game | None:
    """The game that a head names: a rules file in the folder, a bundled one, one on a shelf."""
    folder, options = reading.where.folder, dict(reading.where.options)
    beside = folder / f"{name.text}.rules" if folder else None
    try:
        if beside is not None and is_file(beside):
            return load_with(beside, options)
        if (path := by_name(name.text)) is not None:
            return load_with(path, options)
    except TextError:
        message = f"the rules of `{name.text}` have mistakes of their own"
        reading.complain("other-file", name.span, message, "check the rules first")
        return None
    hint = did_you_mean(name.text, known_games())
    reading.complain("unknown-name", name.span, f"no game is called `{name.text}`", hint)
    return None


# --- evaluators ---


def _evaluator(tree: syntax.Evaluator, reading: Reading) -> Evaluator | None:
    game, folder = _game(reading), reading.where.folder
    names = _names(game)
    if names is None:
        return None
    _check_file_name(tree, EVALUATOR, reading)
    others = [name for name in files_of(EVALUATOR, game, folder) if name != reading.stem]
    ground = EvaluatorGround(game.rules, names, partial(_borrowed, game, folder), others)
    return evaluators.resolve_evaluator(tree, reading.source, reading.report, ground)


def _check_file_name(
    tree: syntax.Evaluator | syntax.Personality, kind: FileKind[Any], reading: Reading
) -> None:
    """Report a file that is not called like what is in it, if its name may be a name of texts."""
    heads = syntax.EvaluatorName | syntax.PersonalityName
    head = next((item for item in tree.items if isinstance(item, heads)), None)
    if head is None or reading.where.folder is None or not reading.stem.isidentifier():
        return
    if head.name.text == reading.stem:
        return
    name, file = head.name.text, f"{reading.stem}{kind.suffix}"
    message = f"`{name}` stands in `{file}`, so all other files call it `{reading.stem}`"
    hint = f"call the file `{name}{kind.suffix}`, or write `{reading.stem}` here"
    reading.complain("file-name", head.name.span, message, hint)


def _game(reading: Reading) -> Game:
    assert reading.game is not None
    return reading.game


_NAMES: WeakKeyDictionary[ReferencePlay, Scope | None] = WeakKeyDictionary()
"""The names of the rules of games whose model came from the cache."""


def _names(game: Game) -> Scope | None:
    """The names of the rules; a model from the cache is read again for them, once."""
    if game.names is not None or game.again is None:
        return game.names
    if game.play not in _NAMES:
        _NAMES[game.play] = game.again().names
    return _NAMES[game.play]


def _borrowed(game: Game, folder: Path | None, name: str) -> BorrowedEvaluator | None:
    """The tree of another evaluator, whose names are taken over."""
    path = find_file(EVALUATOR, game, name, folder)
    if path is None:
        return None
    collector = Collector()
    source = decode(name_beside(path, folder), read_source(path), collector)
    if source is None:
        return BorrowedEvaluator(syntax.Evaluator(()), Source(path.name, ""), True)
    return BorrowedEvaluator(parse_evaluator(source, collector), source, collector.failed)


# --- personalities ---


def _personality(tree: syntax.Personality, reading: Reading) -> Personality | None:
    game, where = _game(reading), reading.where
    evaluator, personality, patterns = (
        partial(_named_file, kind, reading) for kind in (EVALUATOR, PERSONALITY, PATTERNS)
    )
    files = partial(_files_of_game, game, where.folder)
    shelf = PersonalityShelf(game.rules, evaluator, personality, patterns, files)
    model = personalities.resolve_personality(
        tree, reading.source, reading.report, shelf, where.way
    )
    _check_file_name(tree, PERSONALITY, reading)
    if where.tries and model is not None:
        _check_book(tree, reading)
    return evolve(model, about=summary(reading.source.text)) if model else None


def _check_book(tree: syntax.Personality, reading: Reading) -> None:
    """Report lines of a book that cannot be played, each at its place."""
    game = _game(reading)
    for line in tree.items:
        if isinstance(line, syntax.BookLine):
            for decision in line.decisions:
                try:
                    game.start().play(f"{line.after} {decision}")
                except MoveError as error:
                    reading.source.report(reading.report, "illegal-move", line.span, str(error))
                    break


def _named_file(
    kind: FileKind[Any], reading: Reading, name: str, way: tuple[str, ...] = ()
) -> FoundFile | None:
    """The file that a personality names, with its model; None where no game has it."""
    game, folder = _game(reading), reading.where.folder
    path = find_file(kind, game, name, folder)
    if path is None:
        return _elsewhere(kind, game, name)
    label = name_beside(path, folder)
    report = check_path(kind, path, FileContext(game, path.parent, way=way), label)
    cycle = next((d.message for d in report.diagnostics if d.code == "cycle"), "")
    return FoundFile(label, report.model, cycle=cycle, base=base_of(game, path))


def _elsewhere(kind: FileKind[Any], game: Game, name: str) -> FoundFile | None:
    for other in bundled_games() if kind.folder == "rulesets" else ():
        file = f"{name}{kind.suffix}"
        if other != game.name and is_file(root(kind.folder) / other / file):
            return FoundFile(file, None, other_game=other)
    return None


def _files_of_game(game: Game, folder: Path | None, suffix: str) -> dict[str, Path]:
    """The files of a game by the suffix of their kind, without its dot."""
    return files_of(next(k for k in KINDS if k.suffix == f".{suffix}"), game, folder)


def load_personality(game: Game, name: str | Path, folder: Path | None = None) -> Personality:
    """A personality of *game* by its name (`flip`, `conniption/flip`) or its path.

    `random` is the player of any legal decision; other names of players are refused.
    """
    bare = bare_name(game, str(name))
    if bare == "random":
        return any_decision(game.name)
    if bare in RESERVED:
        hint = offer("", files_of(PERSONALITY, game, folder))
        raise RulewrightError(f"`{bare}` is {RESERVED[bare]}, no personality; {hint}")
    return load_file(PERSONALITY, game, name, folder)


# --- patterns ---


def _parse_patterns(source: Source, report: Collector) -> pattern_syntax.Patterns | None:
    if any(row.tokens for row in rows(source)):
        return parse_patterns(source, report)
    hint = "a pattern begins with `Off` or `Def` and a name"
    source.report(report, "bad-head", Span(0, 1), "there is nothing in this file", hint)
    return None


def _game_of_patterns(tree: pattern_syntax.Patterns, reading: Reading) -> Game | None:
    head = _missing_head(tree, None)
    reading.guessed = bool(head)
    heads = (i for i in (*tree.items, *head) if isinstance(i, pattern_syntax.PatternsFor))
    line = next(heads, None)
    if line is not None:
        return game_for(line.game, reading)
    if not reading.report.failed:
        message, hint = "the head names no game", "write `Patterns for GAME` below `format 1`"
        reading.complain("missing-statement", tree.items[0].span, message, hint)
    return None


def _patterns(tree: pattern_syntax.Patterns, reading: Reading) -> Patterns | None:
    game, way = _game(reading), (*reading.where.way, reading.stem)
    head, shelf = _missing_head(tree, game), _pattern_shelf(game, reading.where.folder, way)
    model = resolve_patterns(tree, head, reading.source, reading.report, shelf)
    return evolve(model, name=reading.stem, about=summary(reading.source.text)) if model else None


@cache
def _headless() -> tuple[pattern_syntax.PatternItem, ...]:
    path = root("patterns") / "headless.patterns"
    collector = Collector()
    text = path.read_text("utf-8")  # as it is with the package, whatever an editor holds
    tree = parse_patterns(Source(path.name, text), collector)
    assert not collector.failed
    return tree.items


def _missing_head(
    tree: pattern_syntax.Patterns, game: Game | None
) -> tuple[pattern_syntax.PatternItem, ...]:
    """The lines that stand for a missing head, of *game* if it is given; else none."""
    kinds = tuple(type(item) for item in _headless())
    has = any(
        isinstance(item, kinds) or (isinstance(item, pattern_syntax.Unread) and item.word in HEADS)
        for item in tree.items
    )
    return () if has else tuple(_line_for(item, game) for item in _headless())


def _line_for(item: pattern_syntax.PatternItem, game: Game | None) -> pattern_syntax.PatternItem:
    if game is None or not isinstance(item, pattern_syntax.PatternsFor):
        return item
    return evolve(item, game=evolve(item.game, text=game.name))


_EVALUATORS: WeakKeyDictionary[ReferencePlay, dict[tuple[Path, bytes], Evaluator | None]] = (
    WeakKeyDictionary()
)
"""Evaluators of a game by their files: many pattern files stand on the same one."""


def _usable(game: Game, path: Path) -> Evaluator | None:
    """The evaluator of a file; None when it cannot be used."""
    evaluators = _EVALUATORS.setdefault(game.play, {})
    try:
        key = (path, read_source(path))
    except OSError:
        return None
    if key not in evaluators:
        evaluator = None
        with suppress_refusals():  # a budget that is used up says nothing about the file
            evaluator = load_file(EVALUATOR, game, path)
        evaluators[key] = evaluator
    return evaluators[key]


def _pattern_shelf(game: Game, folder: Path | None, way: tuple[str, ...]) -> PatternShelf:
    files = files_of(EVALUATOR, game, folder)

    def evaluator(name: str) -> Evaluator | None:
        return _usable(game, files[name]) if name in files else None

    def with_path(path: str) -> dict[str, Evaluator]:
        line = re.compile(rf"^ *path +{re.escape(path)}\b", re.MULTILINE)
        likely = [n for n, file in files.items() if line.search(read_text(file, "replace"))]
        models = ((name, evaluator(name)) for name in likely)
        return {n: e for n, e in models if e is not None and any(p.name == path for p in e.paths)}

    patterns = partial(_other_patterns, game, folder, way)
    return PatternShelf(
        game.rules, evaluator, with_path, patterns, partial(_files_of_game, game, folder)
    )


def _other_patterns(
    game: Game, folder: Path | None, way: tuple[str, ...], name: str
) -> Patterns | str | None:
    """Patterns that others use; a text says what is wrong with them."""
    if name in way:
        return f"`{name}` uses itself: {' -> '.join([*way[way.index(name) :], name])}"
    path = find_file(PATTERNS, game, name, folder)
    if path is None:
        return None
    read = check_path(
        PATTERNS, path, FileContext(game, path.parent, way=way), name_beside(path, folder)
    )
    if read.model is not None:
        return read.model
    first = errors(read.diagnostics)[0]
    place = f"{first.place.file}:{first.place.line}"
    return f"the patterns `{name}` cannot be used: {first.message} ({place})"


# --- looks ---


def _look(tree: syntax.Look, reading: Reading) -> Look | None:
    game, where = _game(reading), reading.where
    names = _names(game)
    if names is None:
        return None
    words, find = {**WORDS, **drawing_words()}, partial(_other_look, reading)
    looks = partial(files_of, LOOK, game, where.folder)
    ground = LookGround(game.rules, names, words, is_path, find, looks)
    look = resolve_look(tree, reading.source, reading.report, ground)
    if look is not None and where.tries:
        LookCheck(look, game, reading, drawing_names()).run()
    return look


def _other_look(reading: Reading, name: str) -> FoundFile | None:
    """The look that another one extends."""
    game, where, way = _game(reading), reading.where, (*reading.where.way, reading.stem)
    if name in way:
        shown = " -> ".join([*way[way.index(name) :], name])
        return FoundFile(name, None, cycle=f"`{name}` extends itself: {shown}")
    path = find_file(LOOK, game, name, where.folder)
    if path is None:
        return None
    label = name_beside(path, where.folder)
    report = check_path(LOOK, path, FileContext(game, path.parent, way=way), label)
    usable = report.model if report.ok else None
    cycle = next((d.message for d in report.diagnostics if d.code == "cycle"), "")
    return FoundFile(label, usable, cycle=cycle)


def load_look(game: Game, name: str | Path = "", folder: Path | None = None) -> Look:
    """A look of *game* by its name or its path, unsaid the one that is named like the game.

    It holds without the lines that have mistakes; raises `TextError` where it is no look at all.
    """
    return load_file(LOOK, game, name, folder)


# --- the table ---

EVALUATOR: FileKind[Evaluator] = FileKind(
    "evaluator", ".eval", _head("evaluator"),
    parse_evaluator, partial(_game_of_head, syntax.EvaluatorName, LANGUAGES["evaluator"].head),
    _evaluator, formatted, properties.EVALUATOR,
)  # fmt: skip
PERSONALITY: FileKind[Personality] = FileKind(
    "personality", ".personality", _head("personality"),
    parse_personality,
    partial(_game_of_head, syntax.PersonalityName, LANGUAGES["personality"].head),
    _personality, formatted, properties.PERSONALITY,
)  # fmt: skip
PATTERNS: FileKind[Patterns] = FileKind(
    "patterns", ".patterns",
    re.compile(r"^[ \t]*(patterns[ \t]+for|(off|def)s?[ \t]+[\w-]+)\b", re.MULTILINE | re.I),
    _parse_patterns, _game_of_patterns, _patterns, formatted_patterns, properties.PATTERNS,
    folder="patterns", called="pattern file", any_suffix=True,
)  # fmt: skip
LOOK: FileKind[Look] = FileKind(
    "look", ".look", _head("look"),
    parse_look, partial(_game_of_head, syntax.LookName, LANGUAGES["look"].head),
    _look, formatted, properties.LOOK,
)  # fmt: skip
KINDS: tuple[FileKind[Any], ...] = (RULES, EVALUATOR, PERSONALITY, PATTERNS, LOOK)


def by_suffix() -> dict[str, FileKind[Any]]:
    """The kinds of files by their suffixes."""
    return {kind.suffix: kind for kind in KINDS}


def of_text(text: str) -> FileKind[Any]:
    """The kind of a text, by its head; rules where nothing tells it."""
    return next((kind for kind in KINDS if kind.head.search(text)), RULES)
