"""Both sides of a protocol in one process: what one says the other answers at once."""

from __future__ import annotations

import sys
from collections import deque
from typing import cast

from rulewright.matches.protocols.process import Program
from rulewright.matches.protocols.serving import Service
from rulewright.players.player import Failed
from tests.shared.places import BRAINS


class Loopback:
    """Has the face of a `Program`, and is a service."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.said: list[str] = []
        self._lines: deque[str] = deque()

    def say(self, *lines: str) -> None:
        for line in lines:
            self.said.append(line)
            self._lines.extend(filter(None, self.service.answer(line).splitlines()))

    def hear(self, deadline: float) -> str:
        if not self._lines:
            raise Failed("hang", "nothing is answered")
        return self._lines.popleft()

    @property
    def child(self) -> Program:
        return cast("Program", self)


def command(script: str, *words: str) -> tuple[str, ...]:
    """How one of the programs in `brains` is started."""
    return (sys.executable, str(BRAINS / f"{script}.py"), *words)
