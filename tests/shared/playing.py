"""Games as far as a test wants them: typed into `play`, or at random."""

from __future__ import annotations

import io
import sys
from random import Random

import pytest

from rulewright.app.cli import main
from rulewright.games.engine.game import Game, State
from rulewright.games.render.scheme import read_squares
from tests.shared.bundled import game


def play(text: str, *words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of `play` with these lines typed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["play", *words]) == 0


def after(board: Game, seed: int, most: int) -> State:
    """A position of a random game, fewer than *most* decisions on and not its end."""
    random = Random(seed)
    return played_on(board.start(), random, random.randrange(most), to_the_end=False)


def played_on(state: State, random: Random, plies: int, to_the_end: bool = True) -> State:
    """The state after so many random decisions, or at the end, or (not *to_the_end*) before it."""
    for _ in range(plies):
        if state.over:
            break
        step = state.play_decision(random.choice(state.moves.texts))
        if step.over and not to_the_end:
            break
        state = step
    return state


def rows_of(text: str) -> list[str]:
    """A board in brackets as its rows, top row first, each a text of `-`, `X` and `O`."""
    return ["".join(square.symbol for square in row) for row in read_squares(text)]


def random_game(name: str, seed: int, most: int = 60) -> list[State]:
    """The states of a random game, the first `most` of them."""
    random, states = Random(seed), [game(name).start()]
    while not states[-1].over and len(states) < most:
        states.append(states[-1].play_decision(random.choice(states[-1].moves.texts)))
    return states
