"""`rulewright gomocup`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli import service
from rulewright.protocols.formats import bundled_with
from rulewright.protocols.gomocup import GomocupBrain, refuse_other_games


def run(arguments: Namespace) -> int:
    """Answer a manager of Gomocup until it says END."""
    host = service.host(arguments, arguments.game or bundled_with("gomocup")[0])
    refuse_other_games(host.game)
    return service.run(GomocupBrain, host)
