"""Dressings that say nothing of a game, and the head of a look."""

from __future__ import annotations

from rulewright.games.engine.game import Game
from rulewright.games.render.dressing import Dressing, Side
from rulewright.games.render.palette import palette

RED, BLUE = palette()["red"], palette()["blue"]
HEAD = "format 1\nlook plain for {}\n"


def base(game: Game) -> Dressing:
    """A dressing that says nothing."""
    sides = tuple(Side((RED, BLUE)[n % 2], player) for n, player in enumerate(game.players))
    return Dressing("", game.name, "", sides, "cells", (palette()["cell"],))
