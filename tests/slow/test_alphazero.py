"""The program of docs/alphazero.md: its network learns what it is taught, and its search plays."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.shared.backends import needs_llvm
from tests.shared.places import DOCS

pytestmark = needs_llvm


@pytest.fixture(scope="module")
def program() -> ModuleType:
    """The block of the page as a module."""
    text = (DOCS / "alphazero.md").read_text("utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    module = ModuleType("alphazero")
    exec(compile(block, str(Path("alphazero.py")), "exec"), vars(module))
    return module


def test_a_network_learns_what_it_is_taught(program: ModuleType) -> None:
    chance = np.random.default_rng(1)
    network = program.Network(50, 5)
    x = chance.integers(2, size=(64, 50)).astype(float)
    best, result = chance.integers(5, size=64), chance.choice([-1.0, 1.0], size=64)
    for _ in range(150):
        network.train(x, np.eye(5)[best], result)
    _, _, logits, value = network.layers(x)
    assert (logits.argmax(axis=1) == best).mean() > 0.9
    assert np.abs(value - result).mean() < 0.3


def test_it_plays_itself_and_beats_chance(program: ModuleType) -> None:
    network = program.learn(rounds=2, lanes=16, steps=20, simulations=16)
    assert network.steps == 300
    assert program.points(network, program.at_random, games_each=10) > 0.7


def test_samples_have_the_result_of_who_decided(program: ModuleType) -> None:
    games = program.rulewright.batch(program.GAME, 4, seed=1, threads=1)
    network = program.Network(50, len(games.actions))
    search, chance = program.PUCT(games, 8), np.random.default_rng(1)
    samples = program.self_play(network, search, 40, chance)
    own, enemy = np.array([x for x, _, _ in samples]).reshape(-1, 2, 25).sum(axis=2).T
    assert set((enemy - own).tolist()) == {0, 1}  # the mover has placed as many, or one fewer
    winners = [(own[i], enemy[i]) for i, (_, _, result) in enumerate(samples) if result == 1]
    assert winners
    assert {result for _, _, result in samples} <= {-1, 0, 1}


def test_a_careful_player_wins_and_parries(program: ModuleType) -> None:
    start = program.GAME.start()
    assert program.careful(start.play("1 2 1 2 1 2")) == "1"
    assert program.careful(start.play("1 2 1 2 1")) in {"1"}
