"""`rulewright tournament`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.match import play, terms
from rulewright.matches.api import tournament
from rulewright.matches.plan import Form


def run(arguments: Namespace) -> int:
    """Play everyone against everyone, or the first against all others."""
    form: Form = "gauntlet" if arguments.gauntlet else "round robin"
    players: list[str] = arguments.players
    return play(tournament(arguments.game, players, form, **terms(arguments)), arguments)
