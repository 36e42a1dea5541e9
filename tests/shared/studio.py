"""A studio in a process of its own, for tests in a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

Open = Callable[[str], Page]
"""Opens a page on a bundled game, or on a file of rules of one's own."""


class Studio:
    """A studio in a process of its own, which can be killed and begun again."""

    def __init__(self, folder: Path, what: str, *more: str) -> None:
        self.folder, self.what, self.more = folder, what, more
        self.port, self.address = "0", ""
        self.start()

    def start(self) -> None:
        env = {**os.environ, "RULEWRIGHT_DATA": str(self.folder / "data")}
        words = ["-m", "rulewright", "studio", self.what, "--no-browser", "--port", self.port]
        words += self.more
        self.process = subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.PIPE, text=True, env=env
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.port = self.address.partition("/#")[0].rstrip("/").rpartition(":")[2]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self) -> int:
        status = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status
