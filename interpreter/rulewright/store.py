"""Derived files in the user's cache: whole or not there, shared by many processes, limited in size.

In: bytes that can be made again.  Out: the same bytes, or None.  A file that is damaged counts as
absent, one that cannot be written is done without: a cache may be slow, but never wrong.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_DIGEST = 32
"""Bytes in front of what is kept: its SHA-256, as half a file must not be used."""
_ABANDONED = 3600.0
"""Seconds after which nobody writes a file any more."""


def read(path: Path) -> bytes | None:
    """What was written there; None if there is nothing, or something else."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # the folder may be another user's, and only readable
        os.utime(path)
    digest, kept = data[:_DIGEST], data[_DIGEST:]
    return kept if hashlib.sha256(kept).digest() == digest else None


def write(path: Path, data: bytes, most: int) -> None:
    """Write beside the final name and move, then cut the folder down to *most* bytes."""
    name = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(data).digest() + data)
        Path(name).replace(path)
        _trim(path.parent, most)
    except OSError:
        if name is not None:
            with suppress(OSError):
                Path(name).unlink(missing_ok=True)


def _trim(folder: Path, most: int) -> None:
    """Remove the files used longest ago, and parts that a killed process left."""
    total, now = 0, time.time()
    for used, size, file in sorted(_files(folder), reverse=True):
        total += size
        if total > most or (file.suffix == ".part" and now - used > _ABANDONED):
            file.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each file was used last, and its size; another process may remove it meanwhile."""
    for file in folder.iterdir():
        with suppress(FileNotFoundError):
            known = file.stat()
            yield known.st_mtime, known.st_size, file


def fingerprint(files: Iterable[Path]) -> str:
    """What tells one state of program files from another: names, sizes, times of change."""
    known = [(str(file), s.st_size, s.st_mtime_ns) for file in files for s in [file.stat()]]
    return digest(sys.version, repr(sorted(known)))


def digest(*parts: str | bytes) -> str:
    """A name for a file that depends on all *parts*."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()[:32]
