"""The levels of play that a page offers: players of a game at limits whose strength was measured.

In: `levels.toml`, which `benchmarks/levels.py` writes.  Out: levels by game, the weakest first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from rulewright.ground.disk import read_text

LEVELS_FILE = Path(__file__).with_name("levels.toml")
_HEAD = """\
# Measured by `python benchmarks/levels.py`: games that each level won, drew and lost against the
# level below, the first against random decisions; pairs of games from openings of two random turns.
"""


@frozen
class Level:
    """A player with its limits; the games it won, drew and lost against the level below."""

    player: str
    wins: int = 0
    draws: int = 0
    losses: int = 0


UNMEASURED = (Level("search@nodes=100"), Level("search@nodes=3000"), Level("computer"))
"""The levels of all other games: nobody has measured what they are worth there."""


@cache
def levels_measured() -> Mapping[str, tuple[Level, ...]]:
    """The levels of the games that were measured."""
    tables = tomllib.loads(read_text(LEVELS_FILE))
    return {
        game: tuple(Level(player, *counts) for player, counts in levels.items())
        for game, levels in tables.items()
    }


def levels_offered() -> dict[str, tuple[Level, ...]]:
    """The levels of all games; under no name stand those of games that were not measured."""
    return {**levels_measured(), "": UNMEASURED}


def levels_text(levels: Mapping[str, tuple[Level, ...]]) -> str:
    """The text of the file, by the names of the games."""
    parts = [_HEAD]
    for game, ladder in sorted(levels.items()):
        lines = [
            f'"{level.player}" = {[level.wins, level.draws, level.losses]}' for level in ladder
        ]
        parts.append("\n".join((f"[{game}]", *lines, "")))
    return "\n".join(parts)
