"""`mcp`: tools for assistants that write rules with people, by the Model Context Protocol.

Answers on the standard input and output.  Needs the extra `mcp`.
"""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from rulewright.app.cli import arguments as a
from rulewright.app.cli.mcp_tools import Workshop
from rulewright.errors import RulewrightError


def mcp(arguments: Namespace) -> int:
    """Serve one assistant, in one folder, until its input ends."""
    try:
        from rulewright.app.cli.mcp_server import build_server
    except ImportError as error:
        needs = 'this needs the extra `mcp`: pip install "rulewright[mcp]"'
        raise RulewrightError(f"{needs} ({error})") from None
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise RulewrightError(f"{arguments.folder} is no folder")
    build_server(Workshop(folder, arguments.limit)).run("stdio")
    os._exit(0)  # the SDK has closed the standard output, which commands write to at their end


COMMANDS: dict[str, a.Command] = {
    "mcp": (mcp, [
        a.value("folder", "FOLDER", "the folder of the files", nargs="?", default="."),
        a.value("--limit", "S", "seconds that a tool may take", type=float, default=30.0),
    ]),
}  # fmt: skip
