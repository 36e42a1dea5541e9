"""`rulewright gomocup`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli import service
from rulewright.protocols.formats import bundled_with
from rulewright.protocols.gomocup.board import refuse_others
from rulewright.protocols.gomocup.brain import Brain


def run(arguments: Namespace) -> int:
    """Answer a manager of Gomocup until it says END."""
    host = service.host(arguments, arguments.game or bundled_with("gomocup")[0])
    refuse_others(host.game)
    return service.run(Brain, host)
