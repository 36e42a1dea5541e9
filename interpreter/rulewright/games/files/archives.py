"""Archives of strangers: what texts of games are in them, or why the archive is refused.

In: the bytes of a zip, a wheel or a tar, compressed by gzip or not.  Out: texts by their paths;
nothing is written here.  The whole archive is refused if anything in it leads outside, is a link or
a device, is too large or too many, or stands twice.  What is of no kind of ours is left out.
"""

from __future__ import annotations

import io
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from gzip import GzipFile
from pathlib import PurePosixPath
from typing import TypeVar

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import by_suffix
from rulewright.ground.disk import LARGEST, TEXT_BYTES

E = TypeVar("E")

MOST_ENTRIES = 10_000
"""Files and folders in an archive, whatever they are."""
MOST_TEXTS = 1_000
"""Texts of ours in it."""
MOST_BYTES = 4 * LARGEST
"""Bytes of everything in it, unpacked."""
DEEPEST = 12
"""Folders above a file."""
LANGUAGES = (*by_suffix(), ".cases")
"""The suffixes of texts that are unpacked, besides `.toml`, counts, licences and the README."""
COUNTS = ("perft.txt",)
_PROJECT = ("pyproject.toml",)
"""Names of files that belong to other programs, though their suffix is one of ours."""
_GZIP = b"\x1f\x8b"
_LICENCE = re.compile(r"(licen[cs]e|copying|notice)([.-][\w.-]+)?", re.IGNORECASE)
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,99}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
DAMAGED = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError,
    NotImplementedError, RuntimeError, OverflowError,
)  # fmt: skip
"""The exceptions of the library for archives that are damaged, locked, or of a later form."""


class ArchiveError(RulewrightError):
    """An archive is refused, for the reason in its text."""


@define
class Unpacked:
    """The texts of an archive, and the number of files that were left out."""

    texts: dict[PurePosixPath, bytes] = field(factory=dict)
    left_out: int = 0
    paths: set[str] = field(factory=set)
    size: int = 0

    def take(self, path: PurePosixPath, data: bytes) -> None:
        """Keep a file if it is a text of ours."""
        key = str(path).casefold()
        if key in self.paths:
            raise ArchiveError(f"`{path}` stands in it twice")
        self.paths.add(key)
        if not _ours(path):
            self.left_out += 1
            return
        self._must_be_text(path, data)
        self.texts[path] = data
        if len(self.texts) > MOST_TEXTS:
            raise ArchiveError(f"it has more than {MOST_TEXTS:,} texts")

    @staticmethod
    def _must_be_text(path: PurePosixPath, data: bytes) -> None:
        if len(data) > TEXT_BYTES:
            raise ArchiveError(f"`{path}` has more than {TEXT_BYTES:,} bytes")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise ArchiveError(f"`{path}` is not UTF-8 text") from None
        if "\0" in text:
            raise ArchiveError(f"`{path}` is no text")


def unpack_archive(data: bytes) -> Unpacked:
    """The texts of an archive; raises `ArchiveError`."""
    archive = Unpacked()
    try:
        files = files_of_zip(data) if zipfile.is_zipfile(io.BytesIO(data)) else _of_tar(data)
        for path, inside in files:
            archive.take(path, inside)
    except DAMAGED as error:
        raise ArchiveError(f"it cannot be read: {error}") from None
    if not archive.texts:
        raise ArchiveError("there are no texts of games in it")
    return archive


def _ours(path: PurePosixPath) -> bool:
    """Whether a file is one of ours; one of ours with an odd name refuses the archive."""
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    of_the_language = path.suffix in LANGUAGES or path.name in COUNTS or _beside(path)
    if hidden or not of_the_language:
        return False
    if not all(_PART.fullmatch(part) and not _DEVICE.fullmatch(part) for part in path.parts):
        raise ArchiveError(f"`{path}` is no name for a text of a game")
    return True


def _beside(path: PurePosixPath) -> bool:
    """Whether it is one of the texts that are kept beside games."""
    if path.suffix == ".toml":
        return path.name not in _PROJECT
    return bool(_LICENCE.fullmatch(path.name)) or path.name.casefold() == "readme.md"


def _safe(name: str) -> PurePosixPath:
    """The path of an entry; refuses one that leads anywhere but below the archive's top."""
    path = PurePosixPath(name)
    odd = (
        "\\" in name or not name.isprintable() or path.is_absolute() or re.match("[A-Za-z]:", name)
    )
    if odd or not path.parts or ".." in path.parts or len(path.parts) > DEEPEST:
        raise ArchiveError(f"`{name}` is no name for a file in an archive")
    return path


def files_of_zip(data: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of a zip by their paths, which lead nowhere else.

    Raises `ArchiveError` for what is refused, one of `DAMAGED` for what cannot be read.
    """
    remaining_bytes = MOST_BYTES
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in _few(archive.infolist()):
            path = _safe(entry.filename)
            if entry.is_dir():
                continue
            if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
                raise ArchiveError(f"`{path}` is no regular file")
            with archive.open(entry) as file:  # what it says of its size may be wrong
                inside = file.read(remaining_bytes + 1)
            remaining_bytes -= len(inside)
            _refuse_large(remaining_bytes)
            yield path, inside


def _of_tar(data: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    if data.startswith(_GZIP):
        with GzipFile(fileobj=io.BytesIO(data)) as file:
            data = file.read(MOST_BYTES + 1)
    _refuse_large(MOST_BYTES - len(data))
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for entry in _few(archive):
            if entry.isdir():
                continue
            path = _safe(entry.name)
            if not entry.isreg() or entry.issparse():
                raise ArchiveError(f"`{path}` is no regular file")
            inside = archive.extractfile(entry)
            yield path, inside.read() if inside is not None else b""


def _few(entries: Iterable[E]) -> Iterator[E]:
    for number, entry in enumerate(entries):
        if number == MOST_ENTRIES:
            raise ArchiveError(f"it has more than {MOST_ENTRIES:,} entries")
        yield entry


def _refuse_large(remaining_bytes: int) -> None:
    if remaining_bytes < 0:
        raise ArchiveError(f"unpacked it has more than {MOST_BYTES:,} bytes")


# --- as a shelf ---


def shelf_texts(texts: Mapping[PurePosixPath, bytes]) -> dict[PurePosixPath, bytes]:
    """The texts as they stand on a shelf: those of a game in a folder of its own, no deeper.

    Raises `ArchiveError` where two would have one place.
    """
    top = _common_folder(texts)
    ours = {path.parent for path in texts if path.suffix in LANGUAGES}
    placed: dict[PurePosixPath, bytes] = {}
    for path, data in texts.items():
        inner = path.relative_to(top)
        if path.parent not in ours and inner.parent.parts:
            continue  # the README of a folder without games
        place = PurePosixPath(inner.parent.name, inner.name)
        if placed.setdefault(place, data) != data:
            raise ArchiveError(f"two different texts in it would be `{place}`")
    return placed


def _common_folder(texts: Iterable[PurePosixPath]) -> PurePosixPath:
    """The folder that all stand in."""
    common = [[*path.parent.parts] for path in texts]
    first = common[0]
    same = next(
        (i for i, part in enumerate(first) if any(c[i : i + 1] != [part] for c in common)),
        len(first),
    )
    return PurePosixPath(*first[:same])
