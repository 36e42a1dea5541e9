"""Rules files and their games: names and paths to games, texts to diagnostics.

In: a bundled name, a path or a text, and options.  Out: a `Game`, or every mistake at once.  The
model of a file without mistakes is cached, and the same text with the same options gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import compress, decompress

from attrs import define, evolve, field

from rulewright.errors import RulewrightError, UnknownGame
from rulewright.games.engine import model_cache
from rulewright.games.engine.game import Game
from rulewright.games.files.bases import Bases, base_texts
from rulewright.games.files.kinds import (
    FileContext,
    FileKind,
    Reading,
    Report,
    check_file,
    kept_game,
    message_name,
    parse_file,
)
from rulewright.games.files.shelves import NAME, on_shelf, shelves
from rulewright.ground.cache import fill
from rulewright.ground.disk import is_file, is_there, read_source, root
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import Collector, TextError, did_you_mean, errors
from rulewright.model import properties
from rulewright.model.rules import Rules

if TYPE_CHECKING:
    from rulewright.games.engine.game import State
    from rulewright.games.render.scene import Scene
    from rulewright.language import syntax
    from rulewright.language.resolve.options import OptionSetting
    from rulewright.language.source import Source

_DRESSER = "rulewright.games.files.dresser"
"""Loaded when something is drawn: a look is a file for a game, so its module comes after this."""
NamedText: TypeAlias = "tuple[str, str, Mapping[str, Any]]"
"""The text of a game, behind its name in messages and before its options."""


def _parse(source: Source, report: Collector) -> syntax.Rules:
    from rulewright.language.parse import parse  # slow to load, and not needed for a cached model

    return parse(source, report)


def _resolve(tree: syntax.Rules, reading: Reading) -> Game | None:
    from rulewright.language.resolve.rules import resolve

    whole = BASES.whole(tree, reading.source, reading.report, reading.where.folder)
    if whole is None:
        return None
    resolved = resolve(whole.tree, whole.source, reading.report, reading.where.options)
    reading.symbols = tuple(whole.own_symbols(resolved.symbols))
    if resolved.rules is not None:
        source, where = reading.source, reading.where
        text = RulesText.of(source.name, source.text, where.folder, where.options)
        text.rules = evolve(resolved.rules, bases=whole.bases)
        reading.game = Game(
            text.rules, resolved.names, again=text, folder=text.folder, dresser=_dress
        )
    return reading.game


def _dress(state: State, scene: Scene) -> Scene:
    dressed_scene: Scene = import_module(_DRESSER).dress_scene(state, scene)
    return dressed_scene


@define(eq=False)
class RulesText:
    """The text that a game was read from, with all that it takes to read it in another process."""

    name: str
    data: bytes = field(repr=False)
    folder: Path | None
    """The folder of the text, when it is the user's own."""
    options: dict[str, OptionSetting]
    rules: Rules | None = field(default=None, init=False, repr=False)
    """The model of the text, once it is read."""

    @classmethod
    def of(
        cls, name: str, text: str | bytes, folder: Path | None, options: Mapping[str, OptionSetting]
    ) -> RulesText:
        """A text in a folder."""
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        return cls(name, data, _own(folder), dict(options))

    def __call__(self) -> Game:
        """Read the text anew, with `names`; raises `TextError` with every mistake."""
        return check_file(
            RULES, self.name, self.data, FileContext(None, self.folder, self.options)
        ).loaded()

    @property
    def place(self) -> Path:
        """Where the model of the text is cached; it depends on the texts that this one extends."""
        texts = (self.data, *base_texts(self.data, self.folder, by_name))
        return model_cache.place(self.name, b"\0".join(texts), self.options)

    def load(self) -> Game:
        """The game; its model is taken from the cache where it is kept."""
        return _kept_game(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _sent_text, (self.name, compress(self.data), self.folder, self.options)


def _sent_text(
    name: str, data: bytes, folder: Path | None, options: dict[str, OptionSetting]
) -> RulesText:
    """A text that was pickled."""
    return RulesText(name, decompress(data), folder, options)


def _formatted(text: str) -> str:
    from rulewright.language.reprint import formatted

    return formatted(text)


RULES: FileKind[Game] = FileKind(
    "rules", ".rules", re.compile(r"^ *game +[A-Za-z_]", re.MULTILINE),
    _parse, None, _resolve, _formatted, properties.RULES,
)  # fmt: skip


def _own(folder: Path | None) -> Path | None:
    """The folder of rules, if they are the user's own."""
    return None if folder is None or folder.is_relative_to(root("rulesets")) else folder


def check(text: str, name: str = "<text>", /, **options: OptionSetting) -> Report[Game]:
    """Check the text of a rules file: its mistakes, and its names with their places."""
    return check_file(
        RULES, name, text.encode("utf-8", "surrogatepass"), FileContext(options=options)
    )


def loads(
    text: str,
    name: str = "<text>",
    /,
    *,
    backend: OptionSetting | str | None = None,
    **options: OptionSetting,
) -> Game:
    """The game of a rules text; raises `TextError` with every mistake.  *backend* as for `load`."""
    game = check(text, name, **options).loaded()
    return game if backend is None else evolve(game, backend=backend)


def load(
    name_or_path: str | Path,
    /,
    *,
    backend: OptionSetting | str | None = None,
    **options: OptionSetting,
) -> Game:
    """The game of a bundled name (`twixt`) or of a rules file, with its options set.

    *backend*: what plays it: `llvm`, `wasm` and `python` run its kernels, `reference` needs none;
    unsaid, whatever is fastest, once compiling has paid.
    """
    game = load_with(name_or_path, options)
    return game if backend is None else evolve(game, backend=backend)


def load_with(name_or_path: str | Path, options: dict[str, Any], use_cache: bool = True) -> Game:
    """`load` with the options in one dictionary; their values may be text, as on a command line."""
    path = find(name_or_path)
    data = read_source(path)
    texts = data, *base_texts(data, path.parent, by_name)
    key = path, texts, repr(sorted(options.items())), use_cache
    return kept_game(key, partial(_loaded, path, data, options, use_cache))


def _loaded(path: Path, data: bytes, options: dict[str, Any], use_cache: bool) -> Game:
    """The game of a file with these bytes."""
    text = RulesText.of(message_name(path), data, path.parent, options)
    return _kept_game(text) if use_cache else text()


def _kept_game(text: RulesText) -> Game:
    """The game of a text, whose model is kept between runs."""
    place = text.place
    rules = model_cache.read(place, Rules)
    if rules is not None:
        text.rules = rules
        return Game(rules, place=place, again=text, folder=text.folder, dresser=_dress)
    game = text()
    model_cache.write(place, game.rules)
    return evolve(game, place=place)


def flat_text(path: Path) -> str:
    """The whole text of a rules file, which needs no other one; raises `TextError`."""
    parsed = parse_file(RULES, message_name(path), read_source(path))
    source, whole = parsed.source, None
    if source is not None and parsed.tree is not None and not parsed.report.failed:
        whole = BASES.whole(parsed.tree, source, parsed.report, path.parent)
    if whole is None:
        raise TextError(errors(parsed.report.diagnostics))
    return whole.source.text if whole.source is source else RULES.formatted(whole.source.text)


def load_named(where: str, name: str, options: dict[str, Any]) -> Game:
    """The game that a file names, a record say; *where* is that file in messages.

    What is wrong with the rules is not quoted: the name may be that of any file, and who only
    looks at a record has not asked for its lines.
    """
    try:
        return load_with(name, options)
    except TextError as error:
        many = len(error.diagnostics)
        game = f"{where}: the game that it names, {name},"
        reason = f"cannot be read ({amount(many, 'mistake')}); `rulewright check {name}` shows them"
        raise RulewrightError(f"{game} {reason}") from None


def find(name_or_path: str | Path) -> Path:
    """The file of a name, bundled, on a shelf or in the current folder, or of a path."""
    text = str(name_or_path)
    named = by_name(text)
    if named is not None:
        return named
    if not text.strip():
        raise UnknownGame("the name of a game is missing")
    path = Path(text)
    if path.suffix or "/" in text or is_there(path):
        if not is_there(path):
            raise UnknownGame(f"there is no file {text}")
        if path.is_dir():
            raise UnknownGame(f"{text} is a folder; name a `.rules` file in it")
        return path
    beside = Path(f"{text}{RULES.suffix}")
    if is_there(beside):  # a file of one's own, in the folder where one works
        return beside
    hint = did_you_mean(text, known_games())
    tail = hint or "`rulewright games` lists all names"
    raise UnknownGame(f"no game is called {text}; {tail}")


def by_name(name: str) -> Path | None:
    """The rules of a game that is bundled or on a shelf, in this order; None if there are none."""
    if not NAME.fullmatch(name):
        return None
    ours = root("rulesets") / name / f"{name}.rules"
    return ours if is_file(ours) else on_shelf(name)


def _is_sound(path: Path) -> bool:
    """Whether the rules at a path have no mistakes; tests have seen to those that are bundled."""
    if _own(path.parent) is None:
        return True
    try:
        load_with(path, {})
    except TextError:
        return False
    return True


BASES = Bases(by_name, _is_sound, lambda name: did_you_mean(name, known_games()))
"""Where rules are found that others build on."""


def known_games() -> dict[str, Path]:
    """The games by name that can be named: bundled ones, and those of the shelves."""
    on_shelves = {name: path for s in reversed([*shelves()]) for name, path in s.games().items()}
    ours = bundled_games()
    return ours | {name: path for name, path in sorted(on_shelves.items()) if name not in ours}


def is_bundled(path: Path) -> bool:
    """Whether these rules are those of a bundled game, which is not asked of all others."""
    return path == root("rulesets") / path.stem / f"{path.stem}{RULES.suffix}"


def bundled_games() -> dict[str, Path]:
    """The bundled games by name."""
    paths = (folder / f"{folder.name}.rules" for folder in sorted(root("rulesets").iterdir()))
    return {path.stem: path for path in paths if path.is_file()}


# --- what a package or a page brings, so that a first start need not make it ---


def bundled_texts() -> list[NamedText]:
    """The bundled games, as they are played by their names."""
    return [(path.name, read_source(path).decode(), {}) for path in bundled_games().values()]


def bring_bundled(folder: str, *names: str) -> None:
    """Fill a folder with models, kernels and code of bundled games: of all, or of those named."""
    paths = [f"{name}.rules" for name in names]
    bring(folder, [text for text in bundled_texts() if not paths or text[0] in paths])


def bring(folder: str, games: Iterable[NamedText], page: bool = False) -> None:
    """Fill a folder with models, kernels and code of games.

    They are for a package, or for a *page*.  This process caches nothing else from then on.
    """
    from rulewright.compiler.backend.native import keep_for_all
    from rulewright.games.engine.kernels import keep_for_others
    from rulewright.games.engine.packed import stepping_kernels

    fill(Path(folder), page)
    for name, text, options in games:
        with suppress(TextError):  # whoever opens it is told
            game = loads(text, name, **options)
            place = RulesText.of(name, text, None, options).place
            model_cache.write(place, game.rules)
            placed_game = evolve(game, place=place)
            keep_for_others(placed_game, page)
            if page:
                import_module(_DRESSER).look_of(placed_game)  # its model is cached as it is read
    if not page:
        keep_for_all(stepping_kernels())
