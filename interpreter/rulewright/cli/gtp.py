"""`rulewright gtp`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli import service
from rulewright.protocols.gtp import GtpEngine


def run(arguments: Namespace) -> int:
    """Answer a controller of GTP until it says quit."""
    return service.run(GtpEngine, service.host(arguments, arguments.game))
