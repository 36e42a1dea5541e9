"""Plays and searches, and prints what came of it: the same in a page as in any other Python.

The games, as `chess,twixt`, stand in the variable GAMES: a page has no command line.
"""

import json
import os
import random

import rulewright
from rulewright.games.engine import packed


def played(name: str, **options: int) -> dict[str, object]:
    """A random game's beginning, what is counted and decided there, and what plays it."""
    state, chance = rulewright.load(name, **options).start(), random.Random(3)
    shown = []
    for _ in range(12):
        shown.append(state.moves.texts)
        state = state.play_decision(chance.choice(shown[-1]))
    found = rulewright.search(state, nodes=400, seed=1)
    timed = rulewright.search(state, time=0.1)
    return {
        "moves": shown,
        "text": state.text(),
        "best": [found.move, found.value, found.nodes, found.pv],
        "timed": timed.move in state.moves,
        "kernels": sorted(state.game.play.engines),
    }


OPTIONS = {"twixt": {"size": 12}}
found = [played(name, **OPTIONS.get(name, {})) for name in os.environ["GAMES"].split(",")]
packed.SLOW = 0  # every call is called again and timed
found.append(played("conniption"))
print(json.dumps(found))
