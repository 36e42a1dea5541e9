"""A program of others on pipes: lines go in, and each line that comes out waits in a queue.

In: a command.  Out: its lines, with their ends.  Strict controllers of protocols are built on it;
nothing of the program under test is imported, and nothing is judged here.
"""

from __future__ import annotations

import subprocess
from queue import Queue
from threading import Thread


class EnginePipe:
    """A process whose lines are read by a thread."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._lines = Queue[str]()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode("ascii"))

    def send(self, line: bytes) -> None:
        """Send a line, which has its end already."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)

    def next_line(self, seconds: float) -> str:
        """The next line; raises `queue.Empty` after so many seconds."""
        return self._lines.get(timeout=seconds)

    def wait(self, seconds: float) -> None:
        """Wait until the program has ended by itself and all that it said was heard."""
        self.process.wait(seconds)
        self._reader.join()
        assert self._lines.empty()

    def end_program(self, seconds: float) -> None:
        """End the input, and with it the program, whatever state it is in."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(seconds)
        self._reader.join()
        self.process.stdout.close()
