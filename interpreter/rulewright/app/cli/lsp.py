"""`lsp`: the language service for editors, by the Language Server Protocol.

Answers on the standard input and output, or on a socket (`--tcp`).  Needs the extra `lsp`.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from argparse import Namespace

from rulewright.app.cli import arguments as a
from rulewright.errors import RulewrightError


def lsp(arguments: Namespace) -> int:
    """Serve one editor until it says exit."""
    try:
        from rulewright.app.cli.lsp_server import serve
    except ImportError as error:
        needs = 'this needs the extra `lsp`: pip install "rulewright[lsp]"'
        raise RulewrightError(f"{needs} ({error})") from None
    logging.basicConfig(level=logging.ERROR, stream=sys.__stderr__)
    if arguments.tcp is None:
        # What the library prints by mistake must not reach the editor in the middle of a message.
        output = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        serve(sys.stdin.buffer, output)
    else:
        with _connection(*_address(arguments.tcp)) as connection:
            serve(connection.makefile("rb"), connection.makefile("wb"))
    return 0


def _connection(host: str, port: int) -> socket.socket:
    """Wait for an editor on a port."""
    with socket.create_server((host, port)) as listener:
        print(f"rulewright: listening on {host}:{port}", file=sys.stderr, flush=True)
        return listener.accept()[0]


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise RulewrightError(f"--tcp takes PORT or HOST:PORT, not `{text}`")
    return host or "127.0.0.1", int(port)


COMMANDS: dict[str, a.Command] = {
    "lsp": (lsp, [
        a.value("--tcp", "PORT", "listen on a port of this machine, or HOST:PORT", default=None),
        a.flag("--stdio", "use the standard input and output (the default)"),
    ]),
}  # fmt: skip
