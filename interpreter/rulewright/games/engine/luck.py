"""Luck: what chance decides next, drawn from a seed, so that the same seed throws the same.

In: states.  Out: decisions drawn as often as they are likely, and states in which a player decides.
"""

from __future__ import annotations

from random import Random

from rulewright.games.engine.game import State
from rulewright.reference.decisions import draw


def random_decision(state: State, random: Random) -> str:
    """A random decision: of chance as often as it is likely, of a player any of them alike."""
    if state.by_chance:
        chances = state.probabilities()
        return list(chances)[draw(list(chances.values()), random)]
    return random.choice(state.moves.texts)


def throw(state: State, seed: int) -> str:
    """What chance decides here in a game with a seed, whatever was decided in earlier turns.

    So two games with one seed have the same luck, turn by turn.
    """
    here, before = state, 0
    while not here.turn_begins and here.before is not None:
        here, before = here.before, before + 1
    return random_decision(state, Random(f"{seed} {state.ply} {before}"))


def rolled(state: State, seed: int) -> State:
    """The next state in which a player decides, or the game is over."""
    while not state.over and state.by_chance:
        state = state.play_decision(throw(state, seed))
    return state
