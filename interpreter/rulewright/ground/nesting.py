"""Room for calls inside calls: of kernels in plain Python, and of turns followed to their end.

In: nothing.  Out: `ROOM`, a context in which Python nests more calls than it does by itself.
"""

from __future__ import annotations

import sys
from threading import Lock

DEEPEST = 2_600
"""Calls that Python may nest: up to six for each level of a search, and ten for each decision of a
turn that is followed."""


class NestingRoom:
    """Raise Python's recursion limit while something recursive runs, in any thread."""

    def __init__(self) -> None:
        self._lock, self._users, self._limit = Lock(), 0, 0

    def __enter__(self) -> None:
        with self._lock:
            if self._users == 0:
                self._limit = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._limit, DEEPEST))
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                sys.setrecursionlimit(self._limit)


ROOM = NestingRoom()
