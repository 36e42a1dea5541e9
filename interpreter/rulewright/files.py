"""Reading files that users name: regular files only, and never more of one than is allowed.

In: a path, and how large the file may be.  Out: its bytes, or an `OSError` that says in a few words
what is wrong.  A device or a pipe is refused before anything is read: it might have no end, or
nobody who writes.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

LARGEST = 16 * 1024 * 1024
"""Bytes of a file for which nothing else is said."""


def open_file(path: str | Path) -> BinaryIO:
    """A regular file, open for reading."""
    waiting = getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for somebody to write
    handle = os.open(path, os.O_RDONLY | waiting | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return open(handle, "rb")  # noqa: PTH123  (a number, not a path)
    except BaseException:
        os.close(handle)
        raise


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """A file of *most* bytes at the most; raises `OSError`."""
    with open_file(path) as file:
        return bounded(file, most)


def bounded(file: BinaryIO, most: int = LARGEST) -> bytes:
    """What is left of an open file, if that is not more than *most* bytes; raises `OSError`."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return data


def read_text(path: str | Path, most: int = LARGEST) -> str:
    """The text of a UTF-8 file; raises `OSError` or `UnicodeDecodeError`."""
    return read_bytes(path, most).decode("utf-8")
