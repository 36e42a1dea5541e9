"""A game with its texts in one file, to be given to a friend who has other files.

In: the opened folder, a game by its name or path, and a text that stands for its rules.  Out: the
texts that the game needs, by names without folders, and a zip of them beside the list of its moves;
from the bytes of such a zip the texts and the list.  Names of this machine never go along.  Refuses
zips whose files lead elsewhere, or are too many or too large.
"""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path, PurePosixPath

from attrs import frozen

from rulewright.app.studio.answers import Parcel
from rulewright.app.studio.folder import Folder, digest, is_name
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.archives import DAMAGED, ArchiveError, files_of_zip
from rulewright.games.files.bases import base_files
from rulewright.games.files.catalog import KINDS, by_suffix
from rulewright.games.files.games import RULES, by_name
from rulewright.games.files.kinds import files_of
from rulewright.ground.disk import TEXT_BYTES, read_source, root
from rulewright.matches.protocols import move_list
from rulewright.matches.protocols.recorded import Recorded

START = b"PK\x03\x04"
"""How a zip begins."""
LIST = ".txt"
"""The suffix of the list of moves, which names the rules beside it."""
_MOST = 50
"""Texts of a parcel at most: they are written into a folder of somebody's."""


@frozen
class GameTexts:
    """A game to be loaded elsewhere: its name, or that of one of its texts, and these by name."""

    game: str
    texts: Mapping[str, str]


def texts_of(folder: Folder, source: str, game: Game, changed: str = "") -> GameTexts:
    """The texts that a game needs elsewhere: none for a bundled game whose rules are as they were.

    *changed* stands for the text of the rules that is saved.
    """
    rules = folder.rules_path(source)
    if _is_bundled(rules) and not changed:
        return GameTexts(source, {})
    text = changed or _text(rules)
    texts = {rules.name: text}
    own = [path for path, _ in base_files(text.encode(), rules.parent, by_name)]
    for kind in KINDS:
        own += files_of(kind, game, rules.parent).values() if kind is not RULES else ()
    own.append(rules.with_suffix(".look"))
    for path in own:
        beside = path.parent == rules.parent and path.is_file()
        if beside and (not _is_bundled(path) or path.suffix == ".look"):
            texts.setdefault(path.name, _text(path))
    return GameTexts(rules.name, texts)


def parcel_of(folder: Folder, source: str, end: State, changed: str = "") -> Parcel:
    """The parcel of a game as it stands, as a page hands it over."""
    needs = texts_of(folder, source, end.game, changed)
    moves = move_list.write(Recorded(needs.game, end))
    data = b64encode(pack(end.game.name, moves, needs.texts)).decode()
    return Parcel(f"{end.game.name}.zip", data, needs.game, dict(needs.texts))


def _is_bundled(path: Path) -> bool:
    return path.is_relative_to(root("rulesets"))


def _text(path: Path) -> str:
    return read_source(path).decode("utf-8", "replace")


def pack(name: str, moves: str, texts: Mapping[str, str]) -> bytes:
    """A zip of the list of moves of a game and its texts."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in ((f"{name}{LIST}", moves), *texts.items()):
            # without a date the same game makes the same archive
            archive.writestr(zipfile.ZipInfo(file), text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def unpack(data: bytes) -> tuple[str, str, dict[str, str]]:
    """The name of the list of moves in a zip, its text, and the texts beside it."""
    try:
        texts = dict(_texts_in(data))
    except ArchiveError as error:
        raise RulewrightError(f"the zip holds no game: {error}") from None
    except DAMAGED:
        raise RulewrightError("the zip is damaged, or holds no game") from None
    if len(texts) > _MOST:
        raise RulewrightError(f"the zip holds more than {_MOST} texts")
    lists = [name for name in texts if name.endswith(LIST)]
    if len(lists) != 1:
        raise RulewrightError("the zip holds no game: it has no list of moves, or several")
    return lists[0], texts.pop(lists[0]), texts


def _texts_in(data: bytes) -> Iterator[tuple[str, str]]:
    for path, text in files_of_zip(data):
        if path.suffix != LIST and path.suffix not in by_suffix():
            continue  # what somebody else has put there
        if len(text) > TEXT_BYTES:
            raise RulewrightError(f"{path.name} in the zip has more than {TEXT_BYTES:,} bytes")
        yield path.name, text.decode("utf-8")


def put(folder: Folder, name: str, texts: Mapping[str, str]) -> str:
    """Write the texts of a parcel into a folder of their own; returns its name.

    A folder that holds other texts of these names is left alone, and another one is taken.
    """
    stem = PurePosixPath(name).stem
    place = stem if is_name(stem) else "game"
    places = (place if number == 1 else f"{place}-{number}" for number in count(1))
    inside = next(
        name
        for name in places
        if all(_is_free(folder, f"{name}/{file}", text) for file, text in texts.items())
    )
    for file, text in texts.items():
        if not folder.find(f"{inside}/{file}").is_file():
            folder.write(f"{inside}/{file}", text, "")
    return inside


def _is_free(folder: Folder, name: str, text: str) -> bool:
    """Whether a text can be written, or stands there already."""
    path = folder.find(name)
    return not path.exists() or (
        path.is_file() and digest(read_source(path)) == digest(text.encode())
    )
