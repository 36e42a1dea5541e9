"""Lines of a program from outside, which speaks to us through standard input and output.

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
"""Characters of a line that are read; a longer one is refused as a whole."""
MEMORY, NODES, DEPTH = 1 << 16, 10**15, 10**6
"""The most that anybody may ask for: MiB, nodes, decisions ahead."""

# --- lines and numbers ---


def lines_of(stream: TextIO) -> Iterator[str]:
    """The lines without their ends; of one that is too long only the beginning is kept."""
    while line := stream.readline(LONGEST + 2):
        more = line
        while more and not more.endswith("\n"):
            more = stream.readline(LONGEST)
        yield line.strip("\ufeff\r\n\t ")


def refuse_long(line: str) -> None:
    """Raise `RulewrightError` for a line that is too long."""
    if len(line) > LONGEST:
        raise RulewrightError(f"a line has at most {LONGEST:,} characters, and this one has more")


def whole_number(text: str, what: str, low: int, high: int) -> int:
    """The whole number that a word is; raises `RulewrightError` that says which ones may be."""
    if not re.fullmatch(r"[+-]?[0-9]{1,40}", text) or not low <= int(text) <= high:
        message = f"{what} is a whole number from {low} to {high:,}"
        raise RulewrightError(f"{message}, not `{text[:40]}`")
    return int(text)


def one_line(error: RulewrightError) -> str:
    """The message of an error in one line."""
    return " ".join(str(error).split())


# --- services ---


class Service(Protocol):
    """What answers lines."""

    @property
    def done(self) -> bool:
        """Whether the other side has said good-bye."""

    def answer(self, line: str) -> str:
        """The answer to a line, with all its line ends; empty for none."""


class Interruptible(Service, Protocol):
    """A service that hears lines while it thinks."""

    tell: Callable[[str], None]
    """What it says before its answer is ready."""

    def urgent(self, line: str) -> str | None:
        """The answer to a line that cannot wait for those before it; None: it waits its turn."""

    def hang_up(self) -> None:
        """No more lines will come."""


def serve_beside(service: Interruptible, lines: TextIO, out: TextIO) -> None:
    """Answer as `serve` does, in a thread of its own: lines are read while an answer is found."""
    waiting, writing = SimpleQueue[str | None](), Lock()

    def write(text: str) -> None:
        with writing:
            out.write(text)
            out.flush()

    failed: list[BaseException] = []

    def work() -> None:
        try:
            while not service.done and (line := waiting.get()) is not None:
                write(service.answer(line))
        except BaseException as error:  # told by the thread that others know of
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
    """Answer line by line until the other side says good-bye or its lines end."""
    for line in lines_of(lines):
        answer = service.answer(line)
        if answer:
            out.write(answer)
            out.flush()
        if service.done:
            break


@define
class Requests:
    """The decisions that were asked for, by their numbers, and which of them are wanted now.

    Lines are read before it is their turn, so a `stop` ends what was asked for before it and
    nothing else.
    """

    heard: int = 0
    begun: int = 0
    stopped: int = 0

    def hear(self) -> None:
        """Another decision is asked for."""
        self.heard += 1

    def stop(self) -> None:
        """All that was asked for so far is wanted now."""
        self.stopped = self.heard

    def begin(self) -> int:
        """The number of the decision that is thought about from now on."""
        self.begun += 1
        self.heard = max(self.heard, self.begun)
        return self.begun
