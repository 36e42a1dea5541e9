"""Loading: names and paths to games, texts to diagnostics.

In: a bundled name, a path or a text, and options.  Out: a `Game`, or every mistake at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from rulewright import disk, kept
from rulewright.disk import is_there, read_source
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError, UnknownGame
from rulewright.language.diagnostics import Collector, Diagnostic, TextError, did_you_mean, errors
from rulewright.records import Brief

if TYPE_CHECKING:
    from rulewright.language.source import Source
    from rulewright.resolve.rules import Symbol
    from rulewright.resolve.statements import OptionSetting


@frozen(repr=False)
class Report(Brief):
    """What `check` found in one text: mistakes in the order of the text, and the names in it."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...]
    symbols: tuple[Symbol, ...]
    game: Game | None

    def __repr__(self) -> str:
        named = self.game.name if self.game else "no game"
        return f"<Report {named}, {len(self.diagnostics)} diagnostics>"

    @property
    def ok(self) -> bool:
        """Whether the text can be used; warnings do not count."""
        return not errors(self.diagnostics)


def check_bytes(name: str, data: bytes, /, **options: OptionSetting) -> Report:
    """Read *data* as a rules file called *name*; report every mistake."""
    from rulewright.language.source import decode

    collector = Collector()
    source = decode(name, data, collector)
    if source is None:
        return Report(None, collector.diagnostics, (), None)
    return _check(source, collector, options)


def _check(source: Source, collector: Collector, options: dict[str, Any]) -> Report:
    from rulewright.language.parse import parse  # slow to load, and not needed for a kept model
    from rulewright.resolve.rules import resolve

    tree = parse(source, collector)
    found = resolve(tree, source, collector, options)
    game = Game(found.rules, found.names) if found.rules else None
    return Report(source, collector.diagnostics, found.symbols, game)


def check(text: str, name: str = "<text>", /, **options: OptionSetting) -> Report:
    """Check the text of a rules file: its mistakes, and its names with their places."""
    return check_bytes(name, text.encode("utf-8", "surrogatepass"), **options)


def loads(text: str, name: str = "<text>", /, **options: OptionSetting) -> Game:
    """The game of a rules text; raises `TextError` with every mistake."""
    return _game(check(text, name, **options))


def load(name_or_path: str | Path, /, **options: OptionSetting) -> Game:
    """The game of a bundled name (`twixt`) or of a rules file, with its options set."""
    return load_with(name_or_path, options)


def load_with(name_or_path: str | Path, options: dict[str, Any], use_cache: bool = True) -> Game:
    """`load` with the options in one dictionary; their values may be text, as on a command line.

    The model of a text without mistakes is kept, and the same text with the same options gives it.
    """
    path = find(name_or_path)
    own = None if path.is_relative_to(disk.root("rulesets")) else path.parent
    data = read_source(path)
    place = kept.place(shown(path), data, options)
    rules = kept.load(place) if use_cache else None
    if rules is not None:
        again = partial(check_bytes, shown(path), data, **options)
        return Game(rules, place=place, again=lambda: _game(again()), folder=own)
    game = evolve(_game(check_bytes(shown(path), data, **options)), folder=own)
    if not use_cache:
        return game
    kept.keep(place, game.rules)
    return evolve(game, place=place)


def load_named(where: str, name: str, options: dict[str, Any]) -> Game:
    """The game that a file names, a record say; *where* is that file in messages.

    What is wrong with the rules is not quoted: the name may be that of any file, and who only
    looks at a record has not asked for its lines.
    """
    try:
        return load_with(name, options)
    except TextError as error:
        many = len(error.diagnostics)
        told = f"{where}: the game that it names, {name}, cannot be read ({many} mistakes)"
        raise RulewrightError(f"{told}; `rulewright check {name}` shows them") from None


def _game(report: Report) -> Game:
    if report.game is None:
        raise TextError(errors(report.diagnostics))
    return report.game


def shown(path: Path) -> str:
    """How *path* is called in messages: bundled files by the name in their folder."""
    return path.name if path.is_relative_to(disk.root("rulesets")) else str(path)


def find(name_or_path: str | Path) -> Path:
    """The rules file of a bundled name or a path."""
    text = str(name_or_path)
    known = bundled()
    if text in known:
        return known[text]
    if not text.strip():
        raise UnknownGame("the name of a game is missing")
    path = Path(text)
    if path.suffix or "/" in text or is_there(path):
        if not is_there(path):
            raise UnknownGame(f"there is no file {text}")
        if path.is_dir():
            raise UnknownGame(f"{text} is a folder; name a `.rules` file in it")
        return path
    hint = did_you_mean(text, known)
    tail = hint or "`rulewright games` lists those there are"
    raise UnknownGame(f"no bundled game is called {text}; {tail}")


def bundled() -> dict[str, Path]:
    """The bundled games by name."""
    return dict(_bundled())


def _bundled() -> Iterator[tuple[str, Path]]:
    for folder in sorted(disk.root("rulesets").iterdir()):
        path = folder / f"{folder.name}.rules"
        if path.is_file():
            yield folder.name, path
