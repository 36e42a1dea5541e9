"""Progress at a terminal: how many games, how long still, and the table as it stands.

In: a `Run`.  Out: its games, while the screen shows where it stands.  With the package rich (extra
`live`) the table itself is shown, without it one line; nothing when nobody looks.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from attrs import define, field

from rulewright.matches.record import GameRecord
from rulewright.matches.run import Run
from rulewright.matches.shown import lines
from rulewright.printable import printable, unguarded

EVERY = 0.2
"""Seconds between two pictures at the least."""


class Screen(Protocol):
    """Shows a text in place of the one before."""

    def show(self, text: str) -> None:
        """Show *text*."""


@define
class OneLine:
    """A terminal without rich: the first line of the text."""

    stream: TextIO

    def show(self, text: str) -> None:
        """Write over the line."""
        self.stream.write(f"\r\x1b[K{printable(text.partition(chr(10))[0])}")
        self.stream.flush()


def watched(run: Run, stream: TextIO | None = None) -> Iterator[GameRecord]:
    """The games of *run*, shown on *stream* (standard error) while they are played."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield from run
        return
    clock = _Clock(run)
    with _screen(unguarded(stream)) as screen:
        for record in run:
            if clock.due():
                screen.show(clock.text())
            yield record


@define
class _Clock:
    """When to show, and what."""

    run: Run
    started: float = field(factory=time.perf_counter)
    shown: float = 0.0

    def due(self) -> bool:
        now = time.perf_counter()
        if now - self.shown < EVERY:
            return False
        self.shown = now
        return True

    def text(self) -> str:
        """A line of progress, and the table below it."""
        played, plan = self.run.played, self.run.plan
        all_games = 2 * sum(pairs for _, _, pairs in plan.pairings())
        seconds = time.perf_counter() - self.started
        rate = max(1, played - self.run.resumed) / seconds
        left = (all_games - played) / rate
        head = f"{played} of {all_games} games, {rate:.3g} a second, {_span(left)} to go"
        return "\n".join([head, *lines(self.run.result())])


def _span(seconds: float) -> str:
    """A time in words that are short."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def _screen(stream: TextIO) -> Iterator[Screen]:
    try:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text
    except ImportError:
        yield OneLine(stream)
        stream.write("\r\x1b[K")
        return
    with Live(console=Console(file=stream), refresh_per_second=4, transient=True) as live:

        @define
        class Rich:
            def show(self, text: str) -> None:
                live.update(Text(printable(text)))

        yield Rich()
