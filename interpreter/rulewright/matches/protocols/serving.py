"""Serving a program from outside through standard input and output, line by line.

In: lines.  Out: answers, each written at once.  The end of the input ends the service like `quit`;
a mistake of the other side is answered and never ends the service.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Protocol, TextIO

from attrs import define

from rulewright.errors import RulewrightError

LONGEST = 1 << 20
"""Characters of a line at most; a longer line is refused."""
MEMORY, NODES, DEPTH = 1 << 16, 10**15, 10**6
"""The largest limits that are accepted: MiB, nodes, plies."""

# --- lines and numbers ---


def lines_of(stream: TextIO) -> Iterator[str]:
    """Read lines without their ends; of a line that is too long only the beginning."""
    while line := stream.readline(LONGEST + 2):
        more = line
        while more and not more.endswith("\n"):
            more = stream.readline(LONGEST)
        yield line.strip("\ufeff\r\n\t ")


def refuse_long(line: str) -> None:
    """Raise `RulewrightError` for a line that is too long."""
    if len(line) > LONGEST:
        raise RulewrightError(f"a line has at most {LONGEST:,} characters, and this one has more")


def whole_number(text: str, noun: str, low: int, high: int) -> int:
    """Read a whole number from *low* to *high*; raises `RulewrightError` with the range."""
    if not re.fullmatch(r"[+-]?[0-9]{1,40}", text) or not low <= int(text) <= high:
        message = f"{noun} is a whole number from {low} to {high:,}"
        raise RulewrightError(f"{message}, not `{text[:40]}`")
    return int(text)


def one_line(error: RulewrightError) -> str:
    """The message of an error in one line."""
    return " ".join(str(error).split())


# --- services ---


class Service(Protocol):
    """Answers lines, one after the other."""

    @property
    def has_ended(self) -> bool:
        """Whether the other side has quit."""

    def answer(self, line: str) -> str:
        """Answer a line; the answer includes its line ends, and may be empty."""


class Interruptible(Service, Protocol):
    """A service that takes lines while it thinks."""

    tell: Callable[[str], None]
    """Sends text before an answer is ready."""

    def urgent(self, line: str) -> str | None:
        """Answer a line that cannot wait for those before it; None if it waits its turn."""

    def hang_up(self) -> None:
        """Notice that no more lines will come."""


def serve_beside(service: Interruptible, lines: TextIO, out: TextIO) -> None:
    """Answer as `serve` does, in a thread of its own: lines are read while an answer is made."""
    waiting, writing = SimpleQueue[str | None](), Lock()

    def write(text: str) -> None:
        with writing:
            out.write(text)
            out.flush()

    failed: list[BaseException] = []

    def work() -> None:
        try:
            while not service.has_ended and (line := waiting.get()) is not None:
                write(service.answer(line))
        except BaseException as error:  # raised again by the thread of the caller
            failed.append(error)

    service.tell = write
    worker = Thread(target=copy_context().run, args=(work,), daemon=True)
    worker.start()
    for line in lines_of(lines):
        if not worker.is_alive():
            break
        answer = service.urgent(line)
        if answer is None:
            waiting.put(line)
        elif answer:
            write(answer)
        if line == "quit":
            break
    service.hang_up()
    waiting.put(None)
    worker.join()
    if failed:
        raise failed[0]


def serve(service: Service, lines: TextIO, out: TextIO) -> None:
    """Answer line by line until the other side quits or its lines end."""
    for line in lines_of(lines):
        answer = service.answer(line)
        if answer:
            out.write(answer)
            out.flush()
        if service.has_ended:
            break


@define
class Requests:
    """Counts requests for decisions, so that a `stop` ends those before it and no later one.

    Lines are read before it is their turn: a `go` may be `heard` long before it is `begun`.
    """

    heard: int = 0
    begun: int = 0
    stopped: int = 0

    def hear(self) -> None:
        """Count a request."""
        self.heard += 1

    def stop(self) -> None:
        """Stop all requests heard so far."""
        self.stopped = self.heard

    def begin(self) -> int:
        """Begin the next request; returns its number."""
        self.begun += 1
        self.heard = max(self.heard, self.begun)
        return self.begun
