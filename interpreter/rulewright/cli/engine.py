"""`rulewright engine`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli import service
from rulewright.protocols.text.engine import Engine


def run(arguments: Namespace) -> int:
    """Answer by the text protocol until the other side says quit."""
    return service.run(Engine, service.host(arguments, arguments.game))
