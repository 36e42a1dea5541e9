"""Reading files that users name: regular files only, and never more of one than is allowed.

In: a path, and how large the file may be.  Out: its bytes, or a `FileError` that says in a few
words what is wrong.  A device or a pipe is refused before anything is read: it might have no end,
or nobody who writes.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from rulewright.errors import RulewrightError

TEXT_BYTES = 64 * 1024
"""Bytes of a text in one of the languages."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a file for which nothing else is said."""


class FileError(RulewrightError, OSError):
    """A file cannot be read, for the reason in `strerror`."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be read: {self.strerror}"


def open_file(path: str | Path) -> BinaryIO:
    """A regular file, open for reading; raises `FileError`."""
    waiting = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for somebody to write
    try:
        handle = os.open(path, os.O_RDONLY | waiting | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise FileError(error.errno, error.strerror, str(path)) from None
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return open(handle, "rb")  # noqa: PTH123  (a number, not a path)
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise FileError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise FileError(errno.EINVAL, "it is no regular file", str(path))


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """A file of *most* bytes at the most; raises `FileError`."""
    data = _start(path, most)
    if len(data) > most:
        raise FileError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def read_source(path: str | Path) -> bytes:
    """A text; of one that is too long a byte too many, so that whoever reads it refuses it."""
    return _start(path, TEXT_BYTES)


def read_text(path: str | Path, errors: str = "strict") -> str:
    """The text of a UTF-8 file, whatever ends its lines.

    Raises `FileError` or `UnicodeDecodeError`.
    """
    text = read_bytes(path).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _start(path: str | Path, most: int) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(most + 1)
    except FileError:
        raise
    except OSError as error:
        raise FileError(error.errno, error.strerror, str(path)) from None
