"""Games as far as a test wants them: typed into `play`, or at random."""

from __future__ import annotations

import io
import sys
from random import Random

import pytest

from rulewright.cli import main
from rulewright.engine.game import Game, State
from tests.shared.bundled import game


def play(text: str, *words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of `play` with these lines typed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["play", *words]) == 0


def after(board: Game, seed: int, most: int) -> State:
    """A position of a random game, fewer than *most* decisions on and not its end."""
    random, state = Random(seed), board.start()
    for _ in range(random.randrange(most)):
        step = state.play_decision(random.choice(state.moves.texts))
        if step.over:
            break
        state = step
    return state


def random_game(name: str, seed: int, most: int = 60) -> list[State]:
    """The states of a random game, the first `most` of them."""
    random, states = Random(seed), [game(name).start()]
    while not states[-1].over and len(states) < most:
        states.append(states[-1].play_decision(random.choice(states[-1].moves.texts)))
    return states
