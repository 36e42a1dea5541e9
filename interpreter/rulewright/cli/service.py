"""What the commands that serve a program from outside do alike."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TextIO

from rulewright.cli.common import settings
from rulewright.protocols.serving import Host, Service, serve


def host(arguments: Namespace, source: str) -> Host:
    """The game and who plays it."""
    given: dict[str, object] = dict(settings(arguments.set))
    return Host(source, arguments.personality, given, arguments.seed, arguments.memory)


def run(service: Callable[[Host], Service], host: Host) -> int:
    """Answer the standard input until it ends; bytes that are no text do no harm."""
    lines: TextIO = sys.stdin
    if hasattr(lines, "reconfigure"):
        lines.reconfigure(encoding="utf-8", errors="replace")
    serve(service(host), lines, sys.stdout)
    return 0
