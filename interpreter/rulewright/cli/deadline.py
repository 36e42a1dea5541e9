"""`--time` of whole commands, those whose arguments take `whole_time`.

In: the words of a command line.  Out: a budget that holds while the command runs; in a process of
its own also a last resort, as nothing else stops a compiler: status 1 and a message, in time.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from rulewright.budget import within_seconds

_BEGUN = time.perf_counter()
_ALL = 0.95
"""Seconds beside the limit, the start of the program included, after which the process ends."""
_GRACE = 0.4
"""Seconds after which whatever is known is written down, where the start took no time."""
_WRITING = 0.15
"""Seconds that are kept for writing it down."""


@contextmanager
def deadline(arguments: Namespace, alone: bool) -> Iterator[None]:
    """Hold the command to its `--time`; *alone*: the process may be ended."""
    seconds = arguments.time if getattr(arguments, "whole", False) else None
    if seconds is None:
        yield
        return
    why = f"the time was over ({seconds:g} s) before there was an answer; give more with --time"
    started = time.perf_counter() - _BEGUN if alone else 0.0
    latest = max(2 * _WRITING, _ALL - started)
    last = Timer(seconds + latest, _end, (why,))
    last.daemon = True
    if alone:
        last.start()
    try:
        with within_seconds(seconds, min(_GRACE, latest - _WRITING), why):
            yield
    finally:
        last.cancel()


def _end(why: str) -> None:
    sys.stdout.flush()
    print(f"rulewright: {why}", file=sys.stderr, flush=True)
    os._exit(1)
