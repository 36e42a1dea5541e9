"""Batches on a graphics card beside the processor's, and beside pgx on the same card.

    python benchmarks/gpu.py [GAME...] [--games 1000000] [--seconds 2]

For each game a line of JSON.  First equality: random games in lanes that begin with the same seeds,
here and on the card, until so many are finished; every word of the positions, of the generators and
of what lanes tell is compared, a thousand lanes also by planes, marks and numbers.  Then steps in a
second of the clock: `rolled` without marks, `drawn` with the action drawn inside and marks,
`observed` with planes, too; and pgx's compiled steps where JAX sees the card.  The script ends with
status 1 where anything differs, and with a message where there is no card.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from rulewright import Batch, batch
from rulewright.errors import RulewrightError
from rulewright.learning.card_batch import CardBatch, as_tiles

GAMES = {
    "tictactoe": "tic_tac_toe", "connect4": "connect_four", "othello": "othello", "hex": "hex",
    "go": "go_9x9", "chess": "chess", "leduc": "leduc_holdem", "breakthrough": "", "twixt": "",
}  # fmt: skip
"""Games, and their names in pgx, if it has them."""
LANES, PLIES = 1 << 15, 100
"""Lanes that are compared, and random decisions between two looks at how many games are over."""
MANY, SEEN = 1 << 18, 1000
"""Lanes that are measured, and lanes that are compared by what players see."""


def differences(host: Batch, card: CardBatch) -> list[str]:
    """Name the arrays that differ."""
    arrays, card_words = host._arrays.arrays, {}
    for name in ("state", "chance", "lane"):
        words = as_tiles(arrays[name])
        card_words[name] = card.card.read(card._places[name], np.empty_like(words))
    return [name for name in card_words if (card_words[name] != as_tiles(arrays[name])).any()]


def compared(name: str, games: int) -> dict[str, Any]:
    """Play random games here and on the card; returns how many, and what differs."""
    host, card = batch(name, LANES, seed=1), batch(name, LANES, seed=1, device="cuda")
    finished, wrong = 0, differences(host, card)
    while finished < games and not wrong:
        finished += host.roll(PLIES)
        card.roll(PLIES)
        wrong = differences(host, card)
    card.check()
    card.close()
    return {"games_compared": finished, "differ": wrong + seen_differences(name)}


def seen_differences(name: str) -> list[str]:
    """Name what players see that differs, after the same random steps."""
    host, card = batch(name, SEEN, seed=2), batch(name, SEEN, seed=2, device="cuda")
    for _ in range(40):
        host.step()
        card.step()
    words = ("legal", "counts", "seats", "rewards", "terminated", "truncated")
    pairs = {word: (getattr(host, word), getattr(card, word).numpy()) for word in words}
    pairs["planes"] = host.observe(), card.observe().numpy()
    pairs["numbers"] = host.numbers(), card.numbers().numpy()
    card.close()
    return [word for word, (here, there) in pairs.items() if (here != there).any()]


def rate(play: Callable[[], int], wait: Callable[[], None], seconds: float) -> float:
    """Return steps in a second; the first call warms up."""
    play()
    wait()
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + seconds:
        steps += play()
        wait()
    return steps / (time.perf_counter() - begun)


def measured(name: str, seconds: float) -> dict[str, float]:
    """Return our rates on the card."""
    card = batch(name, MANY, device="cuda", longest=1000)

    def rolled() -> int:
        card.roll(PLIES)
        return PLIES * MANY

    def drawn() -> int:
        card.step()
        return MANY

    def observed() -> int:
        card.step()
        card.observe()
        return MANY

    rates = {
        play.__name__: rate(play, card.card.wait, seconds) for play in (rolled, drawn, observed)
    }
    card.close()
    return rates


def pgx_rate(name: str, seconds: float) -> float | None:
    """Return the rate of pgx on the card, None if it or JAX's part for cards is not installed."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the card is ours, too
    try:
        jax, pgx = import_module("jax"), import_module("pgx")
        if jax.default_backend() != "gpu":
            return None
    except (ImportError, RuntimeError):
        return None
    env = pgx.make(name)
    step_env = import_module("pgx.experimental").auto_reset(env.step, env.init)

    def turn(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step_env(state, jax.random.categorical(key, logits), key)

    step, key = jax.jit(jax.vmap(turn)), jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, MANY))

    def play() -> int:
        nonlocal state, key
        key, own = jax.random.split(key)
        state = step(state, jax.random.split(own, MANY))
        return MANY

    return rate(play, lambda: jax.block_until_ready(state), seconds)


def main() -> None:
    """Compare and measure what the command line names."""
    parser = argparse.ArgumentParser(description="Batches on a graphics card.")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--games", dest="count", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=2)
    asked = parser.parse_args()
    differ = False
    for name in asked.games or GAMES:
        try:
            line = {"game": name, **compared(name, asked.count), **measured(name, asked.seconds)}
        except RulewrightError as reason:
            sys.exit(str(reason))
        if GAMES.get(name):
            line["pgx"] = pgx_rate(GAMES[name], asked.seconds)
        differ = differ or bool(line["differ"])
        print(json.dumps(line), flush=True)
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
