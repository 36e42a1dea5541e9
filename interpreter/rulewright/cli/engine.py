"""`rulewright engine`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli import service
from rulewright.protocols.text_protocol import TextEngine


def run(arguments: Namespace) -> int:
    """Answer by the text protocol until the other side says quit."""
    return service.run(TextEngine, service.host(arguments, arguments.game))
