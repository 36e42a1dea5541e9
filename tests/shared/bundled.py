"""The bundled games, in sizes in which random play and the reference are quick."""

from __future__ import annotations

from functools import cache

from rulewright.games.engine.game import Game
from rulewright.games.files.games import load_with
from tests.shared.sample import chosen

SMALL = {
    "connect5": {"size": 6},
    "havannah": {"size": 4},
    "hex": {"size": 5, "pie": True},
    "pente": {"size": 7},
    "twixt": {"size": 6},
    "spanit": {"size": 3},
    "dots": {"size": 2},
    "connect6": {"size": 6, "run": 4},
    "go": {"size": 4},
    "y": {"size": 4},
    "coins": {"width": 3, "height": 3},
    "ataxx": {"size": 4},
    "clobber": {"width": 4, "height": 4},
    "domineering": {"width": 5, "height": 4},
    "hasami": {"size": 5},
    "mensch": {"seats": 2},
    "isolation": {"width": 4, "height": 4},
    "slimetrail": {"size": 5},
}
GAMES = chosen()


@cache
def game(name: str) -> Game:
    return load_with(name, dict(SMALL.get(name, {})))
