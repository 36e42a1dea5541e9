"""Shelves: where texts of games stand beside the bundled ones.

In: `RULEWRIGHT_PATH`, the packages that were added, and the metadata of installed packages.  Out:
folders, each with what it is called; a game is looked for in them in this order.  Nothing of a
package is imported: its metadata name a folder, which is looked for as a folder.  What is named and
is not there is told, and stops nothing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.ground.cache import data_folder
from rulewright.ground.disk import is_file
from rulewright.ground.printable import printable_name
from rulewright.ground.records import Record, record

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VARIABLE = "RULEWRIGHT_PATH"
"""Names folders of texts, as `PATH` names those of programs."""
GROUP = "rulewright.games"
"""The entry points by which installed packages name their folder."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""The names that a game can have."""
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_BROKEN = (OSError, ValueError, TypeError, AttributeError, LookupError)
"""The exceptions of metadata that somebody else has written."""


@record
class Shelf(Record):
    """A folder of texts: `GAME/GAME.rules` or `GAME.rules`, and what belongs to them beside it."""

    folder: Path
    place: str
    """The shelf in messages: the folder of a path, the name and version of a package."""

    def rules(self, name: str) -> Path | None:
        """The rules of a game, if they stand here."""
        paths = (self.folder / name / f"{name}.rules", self.folder / f"{name}.rules")
        return next((path for path in paths if is_file(path)), None)

    def games(self) -> dict[str, Path]:
        """All games that stand here, by name."""
        try:
            stems = {path.stem for path in self.folder.iterdir()}
        except OSError:
            return {}
        paths = {stem: self.rules(stem) for stem in sorted(stems) if NAME.fullmatch(stem)}
        return {name: path for name, path in paths.items() if path is not None}


def shelves() -> Iterator[Shelf]:
    """All there are, the first to be looked at first; metadata are read when it is their turn."""
    for find in (_of_path, _added, _installed):
        yield from (shelf for shelf in find() if shelf.folder.is_dir())


def open_shelf(folder: Path) -> None:
    """Make a folder the last that `RULEWRIGHT_PATH` names, for this process and those it begins."""
    folders = os.environ.get(VARIABLE, "").split(os.pathsep)
    if str(folder) not in folders:
        os.environ[VARIABLE] = os.pathsep.join([*filter(None, folders), str(folder)])


def missing() -> list[str]:
    """Messages about folders that `RULEWRIGHT_PATH` or packages name and that are not there."""
    named_shelves = [shelf for find in (_of_path, _installed) for shelf in find()]
    return [f"{s.place} is no folder ({s.folder})" for s in named_shelves if not s.folder.is_dir()]


def hidden_games(before: Iterable[str]) -> list[str]:
    """Messages about games on shelves whose name means another game, which comes first."""
    homes = dict.fromkeys(before, "the bundled game")
    messages = []
    for shelf in shelves():
        for name, path in shelf.games().items():
            if name in homes:
                messages.append(f"{name} means {homes[name]}, not {printable_name(path)}")
            homes.setdefault(name, f"that of {shelf.place}")
    return messages


def on_shelf(name: str) -> Path | None:
    """The rules of a game by its name; None where no shelf has it."""
    if not NAME.fullmatch(name):
        return None
    paths = (shelf.rules(name) for shelf in shelves())
    return next((path for path in paths if path is not None), None)


def place_of(path: Path) -> str:
    """The name of a file's shelf; empty for a file that stands on none."""
    return next((s.place for s in shelves() if path.is_relative_to(s.folder)), "")


def packages_folder() -> Path:
    """The folder into which `rulewright add` unpacks packages."""
    return data_folder() / "packages"


def _of_path() -> Iterator[Shelf]:
    for text in os.environ.get(VARIABLE, "").split(os.pathsep):
        if text.strip():
            yield Shelf(Path(text).expanduser().absolute(), f"{VARIABLE}: {printable_name(text)}")


def _added() -> Iterator[Shelf]:
    folder = packages_folder()
    try:
        inside = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError:
        return
    yield from (Shelf(path, f"added: {path.name}") for path in inside)


@cache
def _installed() -> tuple[Shelf, ...]:
    from importlib.metadata import entry_points  # slow to load, and only for names not yet found

    try:
        points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    except _BROKEN:
        return ()
    return tuple(shelf for point in points if (shelf := _shelf_of(point)) is not None)


def _shelf_of(point: EntryPoint) -> Shelf | None:
    """The folder that a package names; None where it names none, or its metadata are broken."""
    if point.dist is None or not _MODULE.fullmatch(point.value):
        return None
    try:
        folder = _folder_of(point.value, Path(str(point.dist.locate_file(""))))
        return Shelf(folder, f"installed: {point.dist.name} {point.dist.version}")
    except _BROKEN:
        return None


def _folder_of(module: str, beside: Path) -> Path:
    """The folder of a package: beside its metadata, or on the path of modules if it is linked."""
    parts = module.split(".")
    places = (beside, *(Path(entry) for entry in sys.path if entry))
    folders = (place.joinpath(*parts) for place in places)
    return next((folder for folder in folders if folder.is_dir()), beside.joinpath(*parts))
