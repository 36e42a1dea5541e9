"""Steps a second of thousands of games at once, beside others that train players.

Each number is steps in a second of processor time, random legal actions, 1,024 games: `drawn` with
the action drawn inside, `observed` with planes, too, `chosen` with NumPy choosing from the marks,
`rolled` without marks; then bytes that a game takes; then pgx (a compiled step with a drawn
action), OpenSpiel's vector environment, PettingZoo's, a game at a time, and PufferLib's in C, in
whose step its own opponent answers.  What is not installed is left out.  Compare within one run.

    python benchmarks/batch.py [--seconds 2] [--lanes | --cores] [GAME ...]

`--lanes` measures `drawn` alone, with ever more games side by side.  `--cores` measures `observed`
and `rolled` by the clock, with one thread and with one for each core: on an idle machine alone.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from rulewright.learning.devices import batch

LANES = 1024
MORE_LANES = (1, 8, 64, 512, 4096)
SPIEL_LANES = 16
"""Games of OpenSpiel's vector environment, which plays them one after the other."""
GAMES: dict[str, dict[str, Any]] = {
    "tictactoe": {"pgx": "tic_tac_toe", "spiel": "tic_tac_toe", "zoo": "tictactoe_v3"},
    "connect4": {
        "pgx": "connect_four",
        "spiel": "connect_four",
        "zoo": "connect_four_v3",
        "puffer": "connect4",
    },
    "othello": {"pgx": "othello", "spiel": "othello"},
    "hex": {"pgx": "hex", "spiel": "hex"},
    "go": {
        "pgx": "go_9x9",
        "spiel": "go(board_size=9)",
        "zoo": "go_v5",
        "zoo_settings": {"board_size": 9},
        "puffer": "go",
        "puffer_settings": {"grid_size": 9},
    },
    "chess": {"pgx": "chess", "spiel": "chess", "zoo": "chess_v6"},
    "backgammon": {"pgx": "backgammon", "spiel": "backgammon"},
}


def installed(name: str) -> Any:
    """Return a module, None if it, or what it needs, is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def rate(
    play: Callable[[], int], seconds: float, clock: Callable[[], float] = time.process_time
) -> float:
    """Return steps in a second of a clock, by default processor time; the first call warms up."""
    play()
    steps, begun = 0, clock()
    while clock() < begun + seconds:
        steps += play()
    return steps / (clock() - begun)


def ours(name: str, seconds: float) -> dict[str, float]:
    """Return our rates on one core."""
    kinds = ways_of_stepping(name, threads=1)
    return {kind: rate(play, seconds) for kind, play in kinds.items()}


def rates_by_cores(name: str, seconds: float) -> dict[str, list[float]]:
    """Return our rates by the clock, on one core and on all."""
    counts = (1, os.cpu_count() or 1)
    ways = [ways_of_stepping(name, threads) for threads in counts]
    return {
        kind: [rate(way[kind], seconds, time.perf_counter) for way in ways]
        for kind in ("observed", "rolled")
    }


def ways_of_stepping(name: str, threads: int) -> dict[str, Callable[[], int]]:
    """Return what steps all games and says how many steps these were, by its name."""
    games = batch(name, LANES, threads=threads)
    generator = np.random.default_rng(1)

    def drawn() -> int:
        games.step()
        return LANES

    def chosen() -> int:
        weights = generator.random(games.legal.shape, np.float32) * games.legal
        games.step(weights.argmax(axis=1))
        return LANES

    def observed() -> int:
        games.step()
        games.observe()
        return LANES

    def rolled() -> int:
        games.roll(100)
        return 100 * LANES

    return {play.__name__: play for play in (drawn, observed, chosen, rolled)}


def rates_by_lanes(name: str, seconds: float) -> dict[int, float]:
    """Return our rates on one core, by the number of games side by side."""

    def drawn(lanes: int) -> float:
        games = batch(name, lanes, threads=1)

        def play() -> int:
            for _ in range(-(-LANES // lanes)):
                games.step()
            return lanes * -(-LANES // lanes)

        return rate(play, seconds)

    return {lanes: drawn(lanes) for lanes in MORE_LANES}


def pgx_rate(name: str, seconds: float) -> float | None:
    """Return the rate of pgx on the processor, None if it is not installed."""
    jax, pgx = installed("jax"), installed("pgx")
    if jax is None or pgx is None:
        return None
    env = pgx.make(name)
    step_env = import_module("pgx.experimental").auto_reset(env.step, env.init)

    def turn(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step_env(state, jax.random.categorical(key, logits), key)

    step = jax.jit(jax.vmap(turn))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, LANES))

    def play() -> int:
        nonlocal state, key
        key, own = jax.random.split(key)
        state = step(state, jax.random.split(own, LANES))
        jax.block_until_ready(state)
        return LANES

    return rate(play, seconds)


def spiel_rate(name: str, seconds: float) -> float | None:
    """Return the rate of OpenSpiel's vector environment, with its marks and observations."""
    vector_env = installed("open_spiel.python.vector_env")
    if vector_env is None:
        return None
    environment = import_module("open_spiel.python.rl_environment").Environment
    output = import_module("open_spiel.python.rl_agent").StepOutput
    envs = vector_env.SyncVectorEnv([environment(name) for _ in range(SPIEL_LANES)])
    steps, generator = envs.reset(), random.Random(1)

    def play() -> int:
        nonlocal steps
        legal = [s.observations["legal_actions"][s.observations["current_player"]] for s in steps]
        actions = [output(action=generator.choice(numbers), probs=[]) for numbers in legal]
        steps, *_ = envs.step(actions, reset_if_done=True)
        return SPIEL_LANES

    return rate(play, seconds)


def zoo_rate(name: str, seconds: float, settings: dict[str, Any]) -> float | None:
    """Return the rate of PettingZoo's environment."""
    module = installed(f"pettingzoo.classic.{name}")
    if module is None:
        return None
    env = module.env(**settings)
    env.reset(seed=1)
    generator = np.random.default_rng(1)

    def play() -> int:
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            return 0
        marks = observation["action_mask"]
        env.step(int((generator.random(marks.shape) * marks).argmax()))
        return 1

    return rate(play, seconds)


def puffer_rate(name: str, seconds: float, settings: dict[str, Any]) -> float | None:
    """Return the rate of an environment of PufferLib, with actions that it may refuse."""
    module = installed(f"pufferlib.ocean.{name}.{name}")
    if module is None:
        return None
    env = getattr(module, name.capitalize())(num_envs=LANES, **settings)
    env.reset(seed=1)
    generator = np.random.default_rng(1)

    def play() -> int:
        env.step(generator.integers(env.single_action_space.n, size=LANES))
        return LANES

    return rate(play, seconds)


THEIRS = {"pgx": "pgx", "openspiel": "spiel", "pettingzoo": "zoo", "pufferlib": "puffer"}


def theirs(other: str, names: dict[str, Any], seconds: float) -> float | None:
    """Return the rate of another project, None where it has not the game or is not installed."""
    name = names.get(THEIRS[other])
    if name is None:
        return None
    if other == "pgx":
        return pgx_rate(name, seconds)
    if other == "openspiel":
        return spiel_rate(name, seconds)
    if other == "pufferlib":
        return puffer_rate(name, seconds, names.get("puffer_settings", {}))
    return zoo_rate(name, seconds, names.get("zoo_settings", {}))


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--seconds", type=float, default=2.0)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--lanes", action="store_true")
    kinds.add_argument("--cores", action="store_true")
    options = parser.parse_args()
    for name in options.games:
        if options.lanes:
            rates = rates_by_lanes(name, options.seconds)
            print(name, *(f"{n}: {steps / 1000:,.0f} k" for n, steps in rates.items()), sep="  ")
            continue
        if options.cores:
            for kind, (alone, shared) in rates_by_cores(name, options.seconds).items():
                print(f"{name}: {kind} {alone / 1000:,.0f} k, {shared / 1000:,.0f} k on all cores")
            continue
        others, own_rates = GAMES.get(name, {}), ours(name, options.seconds)
        outside = {other: theirs(other, others, options.seconds) for other in THEIRS}
        size = batch(name, 1, threads=1).bytes_each
        own = "  ".join(f"{kind} {steps / 1000:,.0f} k" for kind, steps in own_rates.items())
        foreign = "  ".join(
            f"{kind} {steps / 1000:,.1f} k ({own_rates['observed'] / steps:.1f} times)"
            for kind, steps in outside.items()
            if steps
        )
        print(f"{name}: {own}  {size / 1024:,.1f} KiB  beside {foreign or 'nobody'}", flush=True)


if __name__ == "__main__":
    main()
