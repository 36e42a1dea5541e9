"""A web host of files for tests: nothing but a folder, for browsers on this machine."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.shared.engines import PYODIDE


class Files(SimpleHTTPRequestHandler):
    """A web host that knows nothing but files, and lets other pages read them."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def exported_site(folder: Path, *what: str) -> Iterator[str]:
    """The address of an exported studio, which is written into a folder."""
    export(folder, *what)
    with host(folder) as address:
        yield address


def export(folder: Path, *what: str) -> None:
    """Write a studio into a folder."""
    words = ["studio", *what, "--export", str(folder), "--pyodide", str(PYODIDE.parent)]
    subprocess.run([sys.executable, "-m", "rulewright", *words], check=True, capture_output=True)


@contextmanager
def host(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    found = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder)))
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{found.server_address[1]}/"
    found.shutdown()
    found.server_close()
