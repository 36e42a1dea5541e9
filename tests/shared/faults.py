"""A disk that fails: the nth call that changes anything does not succeed, as SQLite is tested.

In: a deed, for n = 1, 2, ... until nothing fails any more.  Out: each failure, so that the test can
look at what is left.  Calls that change nothing are not counted, nor are those of other threads:
what an earlier test left compiling writes to a disk that is well.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import pytest
from attrs import define, field

CALLS = ("open", "write", "fsync", "replace", "rename", "link", "unlink", "mkdir", "ftruncate")
CHANGES = ("BEGIN", "INSERT", "COMMIT", "CREATE", "DELETE", "PRAGMA journal_mode")
KINDS: dict[str, Callable[[], BaseException]] = {
    "full": lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
    "broken": lambda: OSError(errno.EIO, os.strerror(errno.EIO)),
    "memory": MemoryError,
}
"""What can go wrong with a call."""


@define
class Disk:
    """Fails at the call *number*, and at all later ones if it *stays* broken."""

    number: int
    kind: str
    stays: bool = False
    calls: int = 0
    failed: bool = False
    thread: int = field(factory=get_ident)
    """Whose calls fail."""

    def fails(self) -> bool:
        """Whether this call does; counts it."""
        self.calls += 1
        now = self.calls == self.number or (self.stays and self.calls > self.number)
        self.failed = self.failed or now
        return now

    def wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """A call of the system on this disk; half of what is written may arrive."""

        def call(*words: Any, **more: Any) -> Any:
            reading = name == "open" and not (words[1] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR))
            if reading or get_ident() != self.thread or not self.fails():
                return real(*words, **more)
            if name == "write" and len(words[1]) > 1:
                real(words[0], words[1][: len(words[1]) // 2])
            raise KINDS[self.kind]()

        return call

    def connection(self) -> type[sqlite3.Connection]:
        """A database on this disk."""
        disk = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *words: Any) -> sqlite3.Cursor:
                if sql.lstrip().upper().startswith(tuple(map(str.upper, CHANGES))) and disk.fails():
                    if disk.kind == "memory":
                        raise MemoryError
                    raise sqlite3.OperationalError("database or disk is full")
                return super().execute(sql, *words)

        return Connection


@contextmanager
def failing(disk: Disk) -> Iterator[None]:
    """Everything within is written to *disk*."""
    real = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, disk.wrap(name, getattr(os, name)))
        connection = disk.connection()
        patch.setattr(sqlite3, "connect", lambda *w, **k: real(*w, **k, factory=connection))
        yield


def each_failure(
    deed: Callable[[], object], begin: Callable[[], object] = lambda: None, most: int = 300
) -> Iterator[Disk]:
    """Do the deed on one failing disk after the other; ends when each of its calls has failed.

    *begin* is done before each on a disk that is well.  A deed that changes nothing is a mistake:
    it writes where this does not look.
    """
    seen = 0
    for kind in KINDS:
        for stays in (False, True):
            for number in range(1, most):
                begin()
                disk = Disk(number, kind, stays)
                with failing(disk):
                    deed()
                if not disk.failed:
                    break
                seen += 1
                yield disk
            else:
                raise AssertionError(f"more than {most} calls")
    assert seen >= len(KINDS), "nothing was written"
