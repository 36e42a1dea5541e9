"""The files that a page may see: texts below the opened folder, and bundled ones to read.

In: paths from a page, which may be malicious.  Out: texts, digests, files of a game.  Refuses paths
that lead outside, by `..`, by links or by being absolute; files of other kinds, that are no UTF-8,
or too long for an editor; and to overwrite a file whose content the page has not seen.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from unicodedata import category

from attrs import frozen

from rulewright.app.studio.answers import FileShown, FileText
from rulewright.app.studio.menu import Heading
from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import KINDS, by_suffix
from rulewright.games.files.games import by_name, find, is_bundled, known_games
from rulewright.games.files.kinds import summary
from rulewright.games.files.looks import headings_in
from rulewright.games.files.shelves import place_of
from rulewright.ground.disk import (
    LARGEST,
    TEXT_BYTES,
    FileError,
    WriteError,
    is_there,
    read_bytes,
    read_text,
    root,
    state_of,
    write_whole,
)  # fmt: skip

BUNDLED = "bundled:"
"""The prefix of the paths of bundled files."""
_DEEP = 3
"""Levels of folders below the opened one."""
MOST = 500
"""Files that are listed at most."""


@frozen
class Folder:
    """The opened folder; None if only bundled games are seen."""

    path: Path | None = None

    def files(self, game: str) -> Iterator[FileShown]:
        """The user's own texts, then the bundled texts of a game, if one is named."""
        if self.path is not None:
            for path in sorted(self._own(self.path, 0))[:MOST]:
                yield FileShown(
                    path.relative_to(self.path).as_posix(), by_suffix()[path.suffix].name
                )
        for kind in KINDS if game else ():
            place = root(kind.folder) / game
            for path in sorted(place.glob(f"*{kind.suffix}")):
                yield FileShown(f"{BUNDLED}{kind.folder}/{game}/{path.name}", kind.name, False)

    def rules(self) -> list[str]:
        """The user's own games, by the paths of their rules."""
        return [file.path for file in self.files("") if file.kind == "rules" and file.writable]

    def archive(self, game: str = "") -> bytes:
        """All own texts and those of a game as a zip archive; names beyond UTF-8 are spelled."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in self.files(game):
                own = file.path.encode("utf-8", "backslashreplace").decode()
                name = own if file.writable else f"{game}/{PurePosixPath(file.path).name}"
                undated = zipfile.ZipInfo(name)  # the same texts make the same archive
                archive.writestr(undated, self._bytes(file.path), zipfile.ZIP_DEFLATED)
        return packed.getvalue()

    def _own(self, place: Path, deep: int) -> Iterator[Path]:
        with suppress(OSError):
            for path in place.iterdir():
                if path.name.startswith(".") or path.is_symlink():
                    continue
                if path.is_dir() and deep < _DEEP:
                    yield from self._own(path, deep + 1)
                elif path.is_file() and path.suffix in by_suffix():
                    yield path

    def find(self, name: str) -> Path:
        """Resolve a path of the page, which need not exist; raises `RulewrightError`."""
        if name.startswith(BUNDLED):
            return self._bundled(name.removeprefix(BUNDLED))
        if self.path is None:
            raise RulewrightError("no folder is open: start the studio with a file of yours")
        path = _below(self.path, name)
        if path is None or path.suffix not in by_suffix():
            raise RulewrightError(f"`{name}` is no text below the folder that is open")
        return path

    def game_path(self, name: str) -> str:
        """The name or path that loads a game: a known name, or a file that the page may see."""
        return name if by_name(name) else str(self.find(name))

    def rules_path(self, name: str) -> Path:
        """The rules file of a game that the page names."""
        return by_name(name) or self.find(name)

    def game_name(self, source: str) -> str:
        """The page's name for a game that a file names; refuses files that it may not see."""
        if by_name(source):
            return source
        return self.name(Path(source).resolve()) or self.find(source).name

    def name_in_record(self, game: str) -> str:
        """The page's name for the game of a record; the record's own if the page may not see it."""
        if by_name(game) or not is_there(game):
            return game
        return self.name(Path(game).resolve()) or game

    @staticmethod
    def _bundled(name: str) -> Path:
        kind, _, rest = name.partition("/")
        if kind in {k.folder for k in KINDS}:
            path = _below(root(kind), rest)
            if path is not None and path.suffix in by_suffix():
                return path
        raise RulewrightError(f"there is no bundled text `{name}`")

    def name(self, path: Path) -> str:
        """The page's path of a file; empty for a file that it may not see."""
        if self.path is not None and path.is_relative_to(self.path.resolve()):
            return path.relative_to(self.path.resolve()).as_posix()
        for kind in dict.fromkeys(kind.folder for kind in KINDS):
            if path.is_relative_to(root(kind)):
                return f"{BUNDLED}{kind}/{path.relative_to(root(kind)).as_posix()}"
        return ""

    def _bytes(self, name: str, most: int = LARGEST) -> bytes:
        """A file of *most* bytes at the most; raises `FileError` with the page's name of it."""
        try:
            return read_bytes(self.find(name), most)
        except FileError as error:
            raise FileError(error.errno, error.strerror, name) from None

    def read(self, name: str) -> FileText:
        """Read a text, and the digest of its bytes."""
        data = self._bytes(name, TEXT_BYTES)
        try:
            return FileText(name, data.decode("utf-8"), digest(data))
        except UnicodeDecodeError:
            raise RulewrightError(f"{name} is not UTF-8 text") from None

    def new_path(self, name: str, like: str) -> str:
        """The path of a new text of the same kind as another; its ending may be left out.

        Raises `RulewrightError` for a name that it may not have, or that is taken.
        """
        ending = PurePosixPath(like).suffix
        path = name if name.endswith(ending) else f"{name}{ending}"
        if not path.removesuffix(ending):
            raise RulewrightError("a text needs a name")
        refuse_no_name(path)
        if is_there(self.find(path)):
            raise RulewrightError(f"{path} is there already")
        return path

    def write(self, name: str, text: str, version: str) -> FileText:
        """Write a text; *version* is the digest that the page has read, empty for a new file."""
        path = self.find(name)
        if name.startswith(BUNDLED):
            raise RulewrightError("bundled texts are not written; save it as a file of your own")
        old = read_bytes(path) if is_there(path) else None
        if old is None:
            refuse_no_name(name)
        if ("" if old is None else digest(old)) != version:
            reason = "is there already" if not version else "was changed by another program"
            raise RulewrightError(f"{name} {reason}; read it again, or save it under another name")
        try:
            data = _lines_as(old or b"", text).encode("utf-8")
        except UnicodeEncodeError:
            raise RulewrightError(
                "the text holds half of a character, so it is not saved"
            ) from None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(error.errno, error.strerror, name) from None
        write_whole(path, data)
        return FileText(name, text, digest(data))


def refuse_no_name(name: str) -> None:
    """Refuse a name that a new text may not have."""
    if not is_name(name):
        reason = "no part begins with a dot or holds invisible characters"
        raise RulewrightError(f"`{name}` is no name for a text: it has no `\\`, {reason}")


def is_name(name: str) -> bool:
    """Whether a new text may have a name: it is the same on every system, and as it is seen."""
    is_visible = all(category(letter) not in ("Cc", "Cf", "Zl", "Zp") for letter in name)
    return is_visible and "\\" not in name and not any(p[:1] in ("", ".") for p in name.split("/"))


def _below(folder: Path, name: str) -> Path | None:
    """Resolve a name in a folder; None if it leads outside, or is no name of a file."""
    try:
        path = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError):  # a NUL, a lone surrogate, links in a circle
        return None
    return path if path.is_relative_to(folder.resolve()) else None


def _lines_as(old: bytes, text: str) -> str:
    """Give a text the line ends of the old file: editors use line feeds alone."""
    return text.replace("\n", "\r\n") if b"\r\n" in old and "\r" not in text else text


def digest(data: bytes) -> str:
    """The SHA-256 digest of the content of a file, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def games_listed(folder: Folder) -> tuple[dict[str, str], dict[str, str]]:
    """Summaries of the games with a name, and the places of those that are not bundled.

    Games of the opened folder are left out: it lists them by their paths.
    """
    paths = {
        name: path
        for name, path in known_games().items()
        if is_bundled(path) or not folder.path or not path.is_relative_to(folder.path)
    }
    summaries, places = summaries_of(paths), dict[str, str]()
    for name, path in paths.items():
        if not is_bundled(path):
            places[name] = str(place_of(path))
            if name in summaries:
                summaries[name] += f" ({places[name]})"
    return summaries, places


@lru_cache(MOST)
def _text(path: Path, _: object) -> str:
    """A text, read again where its state is another one: every page that begins asks for all."""
    return read_text(path, "replace")


def _state(path: Path) -> object:
    """What changes when a text does; bundled texts do not."""
    return None if path.is_relative_to(root("rulesets")) else state_of(str(path))


def summaries_of(paths: Mapping[str, Path]) -> dict[str, str]:
    """The summaries of games by name, of those that can be read: opening another says why."""
    summaries = dict[str, str]()
    for name, path in paths.items():
        with suppress(RulewrightError, OSError):
            summaries[name] = summary(_text(path, _state(path)))
    return summaries


def headings_of(games: Iterable[str]) -> dict[str, Heading]:
    """What the looks of games with a name call them, those that have such a look."""
    headings = dict[str, Heading]()
    for name in games:
        rules = by_name(name)
        if rules is not None:
            with suppress(RulewrightError, OSError):
                look = rules.with_suffix(".look")
                words = headings_in(_text(look, _state(look)))
                headings[name] = Heading(**words)
    return headings


def named_file(path: str) -> tuple[Folder, str]:
    """The folder of a path and the name of the file in it; a game with a name has no folder.

    For a folder the name is that of its first game.  Raises `UnknownGame` for a missing path.
    """
    if not path or by_name(path):
        return Folder(), path
    if not is_there(path):
        find(path)
    place = Path(path).resolve()
    if place.is_dir():
        folder = Folder(place)
        return folder, next(iter(folder.rules()), "")
    return Folder(place.parent), place.name
