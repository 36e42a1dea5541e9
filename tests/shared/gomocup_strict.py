"""A strict manager of Gomocup's protocol, written from its text.

In: the command of a brain.  Out: its answers; what breaks a rule of the protocol raises.  Nothing
of the brain under test is imported.  Lines end with CR LF, as managers send them.
"""

from __future__ import annotations

import re
from queue import Empty

from tests.shared.engine_pipe import EnginePipe

SECONDS = 60.0
_FIELD = re.compile(r"(\d+),(\d+)")
_REMARKS = ("MESSAGE ", "DEBUG ")
_ABOUT = re.compile(r'\w+="[^"]*"(, \w+="[^"]*")*')


class GomocupStrict(EnginePipe):
    """Drives a brain, and refuses whatever the protocol does not allow."""

    def __init__(self, *command: str) -> None:
        super().__init__(*command)
        self.width = self.height = 0
        self.taken = set[tuple[int, int]]()
        self.remarks: list[str] = []

    def say(self, *lines: str) -> None:
        """Send lines."""
        for line in lines:
            self.send(f"{line}\r\n".encode())

    def hear(self) -> str:
        """The next line that is no remark; empty ones are none."""
        while True:
            line = self.next_line(SECONDS).rstrip("\r\n")
            if line.startswith(_REMARKS):
                self.remarks.append(line)
            elif line:
                return line

    def silent(self, seconds: float = 0.3) -> None:
        """Nothing but remarks is said unasked."""
        try:
            while True:
                line = self.next_line(seconds).rstrip("\r\n")
                assert line.startswith(_REMARKS), f"said unasked: {line}"
                self.remarks.append(line)
        except Empty:
            pass

    def ask(self, *lines: str) -> str:
        """The answer to lines."""
        self.say(*lines)
        return self.hear()

    def refused(self, *lines: str) -> str:
        """The word and the message of a refusal."""
        answer = self.ask(*lines)
        assert re.fullmatch(r"(ERROR|UNKNOWN)( .*)?", answer), answer
        return answer

    def start(self, width: int, height: int | None = None) -> None:
        """Begin on a board."""
        line = f"START {width}" if height is None else f"RECTSTART {width},{height}"
        assert self.ask(line).startswith("OK")
        self.width, self.height = width, height or width
        self.taken.clear()

    def move(self, *lines: str) -> tuple[int, int]:
        """The move that a brain answers, which must be a free field."""
        answer = self.ask(*lines)
        match = _FIELD.fullmatch(answer)
        assert match, answer
        return self.take(int(match[1]), int(match[2]))

    def take(self, x: int, y: int) -> tuple[int, int]:
        """Put a piece on a free field."""
        assert 0 <= x < self.width, x
        assert 0 <= y < self.height, y
        assert (x, y) not in self.taken
        self.taken.add((x, y))
        return x, y

    def free(self) -> tuple[int, int]:
        """A free field, on which the other side puts a piece."""
        fields = ((x, y) for y in range(self.height) for x in range(self.width))
        return self.take(*next(field for field in fields if field not in self.taken))

    def about(self) -> dict[str, str]:
        """What a brain says of itself."""
        answer = self.ask("ABOUT")
        assert _ABOUT.fullmatch(answer), answer
        return dict(re.findall(r'(\w+)="([^"]*)"', answer))

    def end(self) -> None:
        """Say END, which nothing answers, and wait for the brain to end."""
        self.say("END")
        self.wait(SECONDS)
        self.close()

    def close(self) -> None:
        """End the brain, whatever state it is in."""
        self.end_program(SECONDS)
