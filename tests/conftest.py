"""What all tests share: machines may be busy, so that no test fails for being slow."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from rulewright.cli import main
from rulewright.engine.game import Game, State

Run = tuple[int, str, str]
"""Exit status, output, errors."""

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what is in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Runs a command."""

    def call(*words: str) -> Run:
        status = main(words)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


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
