"""Kinds of files, and the work that is the same for all of them: check, load, find, list.

In: a kind, and a text or the name of a file.  Out: its model, or every mistake at once.  The files
of a game stand next to its rules; what a file names is looked for beside it, then beside the rules
when they are the user's own, then in the folder of the bundled game, then on the shelves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.kept_models import kept_model
from rulewright.games.files.shelves import shelves
from rulewright.ground.disk import (
    collect_paths,
    is_file,
    is_there,
    note,
    read_source,
    read_text,
    root,
    state_of,
)
from rulewright.ground.printable import amount
from rulewright.ground.printable import printable_name as one_line
from rulewright.ground.records import Brief, record
from rulewright.ground.scoped import set_temporarily
from rulewright.language.diagnostics import Collector, Diagnostic, TextError, errors, offer

if TYPE_CHECKING:
    from rulewright.language.resolve.options import OptionSetting
    from rulewright.language.resolve.rules import Symbol
    from rulewright.language.source import Source, Span

M = TypeVar("M")


@record
class FileContext:
    """The circumstances of reading a file: a folder, and a game or `options` of the head's game.

    `way` are the names of the files of its kind that build upon the one that is read.  Who only
    wants the model has no positions of the game tried (`tries`), which only complains.
    """

    game: Game | None = None
    folder: Path | None = None
    options: dict[str, OptionSetting] = field(factory=dict)
    way: tuple[str, ...] = ()
    tries: bool = True


@define(eq=False, repr=False)
class Reading:
    """A text while it is read, and what its kind finds out besides the model."""

    source: Source
    report: Collector
    where: FileContext
    game: Game | None = None
    symbols: tuple[Symbol, ...] = ()
    guessed: bool = False

    @property
    def stem(self) -> str:
        """The name of the file without its kind."""
        return Path(self.source.name).stem

    def complain(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """Report a mistake."""
        self.source.report(self.report, code, span, message, hint)


@record
class FileKind(Generic[M]):
    """A kind of file; a row of the table.

    *parse* makes a tree of a source, None where nothing more can be said of it.  *game* finds the
    game that a tree is for, where none is given; None where it makes one itself.  *resolve* makes
    the model, None where there are errors.  *formatted* gives a text its one layout.
    """

    name: str
    suffix: str
    head: re.Pattern[str]
    """The pattern of the head, which identifies a text of this kind where its name does not."""
    parse: Callable[[Source, Collector], Any]
    game: Callable[[Any, Reading], Game | None] | None
    resolve: Callable[[Any, Reading], M | None]
    formatted: Callable[[str], str]
    properties: Mapping[str, str]
    """The properties that files of this kind are tested for, each with what it says."""
    folder: str = "rulesets"
    """The data folder where those of bundled games stand."""
    called: str = ""
    """The name of the kind in messages, if it is another one."""
    any_suffix: bool = False
    """Whether other programs call such files as they like."""

    def of(self, game: Game, text: str) -> bool:
        """Whether a text is of the game or its bases, by its head; without one it may be of any."""
        head = rf"^[ \t]*{self.name}(?:[ \t]+\w+)?[ \t]+for[ \t]+(\w+)"
        match = re.search(head, text, re.MULTILINE | re.IGNORECASE)
        return match is None or match[1] in game.rules.names


@record
class Report(Brief, Generic[M]):
    """The report of `check` on one text: mistakes in the order of the text, and the names in it."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...]
    model: M | None
    game: Game | None
    symbols: tuple[Symbol, ...] = ()
    guessed: bool = False
    """Whether the text names no game and none was given, so that one was guessed."""

    def __repr__(self) -> str:
        named = self.game.name if self.game else "no game"
        return f"<Report {named}, {amount(len(self.diagnostics), 'diagnostic')}>"

    @property
    def ok(self) -> bool:
        """Whether the text can be used; warnings do not count."""
        return not errors(self.diagnostics)

    def loaded(self) -> M:
        """The model; raises `TextError` with every mistake."""
        if self.model is None:
            raise TextError(errors(self.diagnostics))
        return self.model


@define(eq=False, repr=False)
class Parsed:
    """A text that was read and not yet given a meaning; `tree` is None where it cannot be."""

    source: Source | None
    report: Collector
    tree: Any


def parse_file(kind: FileKind[M], name: str, data: bytes) -> Parsed:
    """Read the form of *data*, a file of a kind called *name*: the first half of `check_file`."""
    from rulewright.language.source import decode  # not needed for a cached model

    collector = Collector()
    source = decode(name, data, collector)
    tree = kind.parse(source, collector) if source is not None else None
    return Parsed(source, collector, tree)


def check_parsed(kind: FileKind[M], parsed: Parsed, where: FileContext) -> Report[M]:
    """Give a text its meaning, once: its `report` collects what is found on the way."""
    source, collector, tree = parsed.source, parsed.report, parsed.tree
    if source is None or tree is None:
        return Report(source, collector.diagnostics, None, where.game)
    reading = Reading(source, collector, where, where.game)
    if reading.game is None and kind.game is not None:
        reading.game = kind.game(tree, reading)
        if reading.game is None:
            return Report(source, collector.diagnostics, None, None)
    model = kind.resolve(tree, reading)
    more = reading.symbols, reading.guessed
    return Report(source, collector.diagnostics, model, reading.game, *more)


def check_file(
    kind: FileKind[M], name: str, data: bytes, where: FileContext | None = None
) -> Report[M]:
    """Read *data* as a file of a kind called *name*; report every mistake."""
    return check_parsed(kind, parse_file(kind, name, data), where or FileContext())


def check_path(
    kind: FileKind[M], path: Path, where: FileContext | None = None, name: str = ""
) -> Report[M]:
    """Check a file, called *name* in messages; *where* unsaid, others are looked for beside it."""
    place = where or FileContext(None, path.parent)

    def check() -> Report[M]:
        return check_file(kind, name or message_name(path), read_source(path), place)

    memory = _MEMORY.get()
    if memory is None:
        return check()
    options = tuple(sorted(place.options.items()))
    key = kind.name, path, name, id(place.game), place.folder, options, place.way, place.tries
    return memory.report(key, place.game, check)


# --- while texts are edited ---

_MEMORY: ContextVar[KnownReports | None] = ContextVar("memory", default=None)
_MOST, _MOST_GAMES = 200, 20


@define(eq=False)
class KnownReports:
    """Reports of files that other files name, each as long as nothing that was read changes.

    Games too, each of a text with its options: who reads many files for one reads its rules once.
    """

    _reports: dict[Hashable, tuple[dict[str, object], Game | None, Report[Any]]] = field(
        factory=dict
    )
    _games: dict[Hashable, Game] = field(factory=dict)

    def used(self) -> AbstractContextManager[None]:
        """Let `check_path` and `kept_game` use this memory in a block."""
        return set_temporarily(_MEMORY, self)

    def report(self, key: Hashable, game: Game | None, check: Callable[[], Report[M]]) -> Report[M]:
        """The report kept under a key, if no path that was read has changed; else a new one."""
        former = self._reports.get(key)
        if former is not None and all(state_of(path) == was for path, was in former[0].items()):
            note(*former[0])
            return former[2]
        with collect_paths() as paths:
            report = check()
        if len(self._reports) >= _MOST:
            self._reports.clear()
        self._reports[key] = {path: state_of(path) for path in paths}, game, report
        return report

    def game(self, key: Hashable, load: Callable[[], Game]) -> Game:
        """The game kept under a key, which holds all that it depends on; else a loaded one."""
        if key not in self._games:
            if len(self._games) >= _MOST_GAMES:
                self._games.clear()
            self._games[key] = load()
        return self._games[key]


def kept_game(key: Hashable, load: Callable[[], Game]) -> Game:
    """The game of a key from the memory that holds here; without one it is loaded."""
    memory = _MEMORY.get()
    return load() if memory is None else memory.game(key, load)


def load_file(
    kind: FileKind[M], game: Game, name: str | Path = "", folder: Path | None = None
) -> M:
    """The model of a file of *game*, by its name (`flip`, `conniption/flip`) or its path.

    Without either it is the one that is named like the game.  Names are looked for in *folder*
    first.  Raises `TextError` with every mistake.
    """
    text = str(name) or game.name
    bare = bare_name(game, text)
    path = Path(text) if is_path(kind, text) else find_file(kind, game, bare, folder)
    if path is None or not is_there(path):  # a pipe is refused as what it is
        hint = offer(bare, files_of(kind, game, folder))
        raise RulewrightError(f"{game.name} has no {kind.called or kind.name} `{text}`; {hint}")
    where = FileContext(game, path.parent, tries=False)
    return kept_model(kind.name, path, game, lambda: check_path(kind, path, where).loaded())


def bare_name(game: Game, name: str) -> str:
    """The name of a file of a game without that of the game, or of one that it builds on."""
    first, _, rest = name.partition("/")
    return rest if rest and first in game.rules.names else name


def is_path(kind: FileKind[M], name: str) -> bool:
    """Whether a word is the path of a file of a kind, and not its bare name."""
    if name.endswith(kind.suffix):
        return True
    return kind.any_suffix and is_file(name) and bool(Path(name).suffix)


# --- finding ---


def find_file(kind: FileKind[M], game: Game, name: str, folder: Path | None = None) -> Path | None:
    """The file of a name: in *folder*, beside the user's own rules, bundled, or on a shelf.

    One of another game is given only where there is no better one.
    """
    other = None
    for place in _places(kind.folder, game, folder):  # shelves are looked for when it is their turn
        path = place / f"{name}{kind.suffix}"
        if is_file(path):
            if _is_for(kind, game, path):
                return path
            other = other or path
    return other


def files_of(kind: FileKind[M], game: Game, folder: Path | None = None) -> dict[str, Path]:
    """The files of a kind that a game has, by name."""
    by_name: dict[str, Path] = {}
    for place in reversed([*_places(kind.folder, game, folder)]):
        note(place)
        if place.is_dir():
            paths = (path for path in sorted(place.glob(f"*{kind.suffix}")) if path.is_file())
            by_name |= {path.stem: path for path in paths if _is_for(kind, game, path)}
    return by_name


def base_of(game: Game, path: Path) -> str:
    """The game that *game* extends and for which the file is written; "" if it is its own."""
    bases = game.rules.names[1:]
    return next((name for name in bases if path.parent == root("rulesets") / name), "")


def file_beside(game: Game, name: str) -> Path | None:
    """A file of any name beside the rules of a game, the user's own or the bundled ones."""
    return next((p / name for p in _places("rulesets", game, None) if is_file(p / name)), None)


def _places(root_: str, game: Game, folder: Path | None) -> Iterator[Path]:
    """The folders in which files of a game are looked for, one after the other."""
    yield from (place for place in (folder, game.folder) if place is not None)
    for name in game.rules.names:
        yield root(root_) / name
        for shelf in shelves():
            yield from (shelf.folder / name, shelf.folder)


def _is_for(kind: FileKind[M], game: Game, path: Path) -> bool:
    try:
        return kind.of(game, read_text(path, "replace"))
    except OSError:
        return False


# --- names ---


def message_name(path: Path) -> str:
    """The name of *path* in messages: bundled files by the name in their folder."""
    return one_line(path.name if path.is_relative_to(root("rulesets")) else path)


def name_beside(path: Path, folder: Path | None) -> str:
    """The name of a file in messages: beside the file that names it, its bare name."""
    return path.name if path.parent == folder else message_name(path)


def summary(text: str) -> str:
    """The first sentence of the first comment of a file."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("#")), len(lines))
    comments = list(takewhile(lambda line: line.startswith("#"), lines[first:]))
    comment = " ".join(line.lstrip("# ").strip() for line in comments)
    return comment.partition(". ")[0].rstrip(".") + "." if comment else ""
