"""Files that users name: regular ones are read, up to a limit; written whole or not at all.

In: a path, and how large the file may be, or what it shall hold.  Out: its bytes, or a `FileError`
whose text tells people what is wrong.  A device or a pipe is refused before anything is read: it
might have no end, or nobody who writes.  The data of the project is found here too.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from rulewright.errors import RulewrightError
from rulewright.ground.printable import printable_name
from rulewright.ground.scoped import set_temporarily

TEXT_BYTES = 64 * 1024
"""Bytes of a text in one of the languages."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a file for which nothing else is said."""
_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE, _PACKAGE.parents[1])
"""The parents of the data folders: the package in a wheel, the checkout beside `interpreter/`."""


@cache
def root(kind: str) -> Path:
    """The data folder of a kind: `grammar`, `rulesets`, `patterns`, `templates`."""
    folder = next((place / kind for place in _PLACES if (place / kind).is_dir()), None)
    if folder is None:
        raise FileNotFoundError(f"no data folder `{kind}` in {' or '.join(map(str, _PLACES))}")
    return folder


class FileError(RulewrightError, OSError):
    """A file cannot be read, for the reason in `strerror`."""

    verb = "read"

    def __str__(self) -> str:
        return f"{printable_name(self.filename)} cannot be {self.verb}: {self.strerror}"


class WriteError(FileError):
    """A file cannot be written, for the reason in `strerror`; the one before is as it was."""

    verb = "written"


def open_file(path: str | Path) -> BinaryIO:
    """A regular file, open for reading; raises `FileError`."""
    flags = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for somebody to write
    try:
        handle = os.open(path, os.O_RDONLY | flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise FileError(error.errno, error.strerror, str(path)) from None
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return open(handle, "rb")  # noqa: PTH123  (a number, not a path)
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise FileError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise FileError(errno.EINVAL, "it is no regular file", str(path))


def is_there(path: str | Path) -> bool:
    """Whether there is something at a path; not at a name too long for any, which Path refuses."""
    return _exists(path, os.path.exists)


def is_file(path: str | Path) -> bool:
    """Whether there is a regular file at a path, which may be too long for any."""
    return _exists(path, os.path.isfile)


def _exists(path: str | Path, exists: Callable[[str | Path], bool]) -> bool:
    """Whether a path has a held text or, where it is not held, what *exists* says of the disk."""
    note(path)
    texts = _HELD.get()
    if texts and (there := Path(path)) in texts:
        return texts[there] is not None
    return exists(path)


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """A file of *most* bytes at the most; raises `FileError`."""
    data = _read_start(path, most)
    if len(data) > most:
        raise FileError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def read_source(path: str | Path) -> bytes:
    """The first `TEXT_BYTES` + 1 bytes of a text; a parser refuses one with so many."""
    return _read_start(path, TEXT_BYTES)


def read_text(path: str | Path, errors: str = "strict") -> str:
    """The text of a UTF-8 file, whatever ends its lines.

    Raises `FileError` or `UnicodeDecodeError`.
    """
    text = read_bytes(path).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


Held = Mapping[Path, bytes | None]
_HELD: ContextVar[Held] = ContextVar("held", default=MappingProxyType({}))


def held_texts(texts: Held) -> AbstractContextManager[None]:
    """Let *texts* stand for the files at their paths in a block, and None for no file.

    An editor has them, unsaved, or another machine.
    """
    return set_temporarily(_HELD, texts)


_NOTED: ContextVar[set[str] | None] = ContextVar("noted", default=None)


@contextmanager
def collect_paths() -> Iterator[set[str]]:
    """Collect the paths that are read or asked for in a block, those of blocks inside it too."""
    outer, paths = _NOTED.get(), set[str]()
    try:
        with set_temporarily(_NOTED, paths):
            yield paths
    finally:
        if outer is not None:
            outer |= paths


def note(*paths: str | Path) -> None:
    """Add paths to those that `collect_paths` notes, if a block collects any."""
    noted_paths = _NOTED.get()
    if noted_paths is not None:
        noted_paths.update(map(str, paths))


def state_of(path: str) -> object:
    """A value that stays equal as long as nothing changes a path, on the disk or in an editor."""
    texts = _HELD.get()
    if texts and (there := Path(path)) in texts:
        return texts[there]
    try:
        status = os.stat(path)  # noqa: PTH116  (a path may be too long for any)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode


def _read_start(path: str | Path, most: int) -> bytes:
    note(path)
    texts = _HELD.get()
    if texts and (there := Path(path)) in texts:
        if (text := texts[there]) is None:
            raise FileError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return text[: most + 1]
    try:
        with open_file(path) as file:
            return _start_of(file, most + 1)
    except FileError:
        raise
    except OSError as error:
        raise FileError(error.errno, error.strerror, str(path)) from None


def _start_of(file: BinaryIO, most: int) -> bytes:
    """Read *most* bytes at the most.

    No more is asked for than there is: `read` takes memory for all that it is asked for, and the
    memory of a page never shrinks again.
    """
    start = file.read(min(os.fstat(file.fileno()).st_size + 1, most))
    more = file.read(1) if len(start) < most else b""
    return start + more + file.read(most - len(start) - 1) if more else start


# --- writing ---

PART = "rulewright-"
"""The beginning of the names of files that are being written; they end in `.part`."""


def write_whole(
    path: Path, data: bytes, new: bool = False, mode: int = 0o666, durable: bool = True
) -> None:
    """Put a file in the place of the one before, in one step; that one stays if this fails.

    Raises `WriteError`.  *new*: there must be none before, else `FileExistsError`.  *durable*: it
    is on the disk before the other one goes.
    """
    try:
        _replace(path.resolve() if path.is_symlink() else path, data, new, mode, durable)
    except FileExistsError:
        raise
    except OSError as error:
        raise WriteError(error.errno, error.strerror, str(path)) from None


def write_over(path: Path, before: bytes | None, data: bytes) -> None:
    """Put a file in the place of one that still holds the bytes *before*; None: there was none.

    Raises `WriteError`, also where somebody has written there since.
    """
    content = read_bytes(path) if is_there(path) else None
    if content != before:
        raise WriteError(errno.EEXIST, "it was changed by another program meanwhile", str(path))
    write_whole(path, data)


def _replace(path: Path, data: bytes, new: bool, mode: int, durable: bool) -> None:
    status = path.stat() if path.exists() else None
    if status is not None and not stat.S_ISREG(status.st_mode) and not new:
        path.write_bytes(data)  # a terminal, or the other end of a pipe
        return
    if new and not hasattr(os, "link"):  # a page's files belong to one process
        _write(path, data, mode, durable)
        return
    part = path.with_name(f"{PART}{os.urandom(8).hex()}.part")
    try:
        _write(part, data, mode, durable)
        if status is not None:
            part.chmod(stat.S_IMODE(status.st_mode))
        if new:
            os.link(part, path)  # unlike a move it never replaces a file
            part.unlink()
        else:
            os.replace(part, path)  # noqa: PTH105  (tests let it fail)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _write(path: Path, data: bytes, mode: int, durable: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        if durable:
            os.fsync(handle)
    finally:
        os.close(handle)
