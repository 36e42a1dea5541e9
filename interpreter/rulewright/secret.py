"""The user's secret, with which kept files are sealed: who does not know it cannot plant one.

In: nothing.  Out: 32 random bytes of a file that only the user may read, made when it is first
asked for; None where there can be none, and then nothing is kept.  It lies apart from the cache, so
that a cache that was copied from elsewhere brings no secret with it.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from rulewright import resources
from rulewright.files import read_bytes, write_whole

_BYTES = 32


def secret() -> bytes | None:
    """The secret of this user."""
    return _secret(resources.state_folder() / "cache.key")


@lru_cache(maxsize=1)
def _secret(path: Path) -> bytes | None:
    try:
        with suppress(FileExistsError):
            if not path.exists():
                _make(path)
        known = path.lstat()
        if not only_ours(known) or (sys.platform != "win32" and known.st_mode & 0o077):
            return None
        found = read_bytes(path, _BYTES)
    except OSError:
        return None
    return found if len(found) == _BYTES else None


def _make(path: Path) -> None:
    """Write the whole file beside its name: another process must not find half of it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(path, os.urandom(_BYTES), new=True, mode=0o600)


def only_ours(known: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user and nobody else may write it.

    On Windows the rights of the user's own folders hold instead.
    """
    if sys.platform == "win32":
        return True
    return known.st_uid == os.geteuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
