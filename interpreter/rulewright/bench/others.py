"""Other general systems, where they are installed: OpenSpiel (`pyspiel`) and Ludax.

In: the name that a game has there.  Out: random games a second.  OpenSpiel plays them one by one in
C++, Ludax many at a time through JAX on its first device.
"""

from __future__ import annotations

import importlib.util
import time
from importlib import import_module
from typing import Any

_BATCH = 256
"""Games that Ludax plays side by side."""


def installed() -> dict[str, bool]:
    """Which of them can be imported."""
    return {
        name: importlib.util.find_spec(module) is not None
        for name, module in (("openspiel", "pyspiel"), ("ludax", "ludax"))
    }


def openspiel(name: str, seconds: float, seed: int) -> float:
    """Random games a second of OpenSpiel: its own random bots against each other."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in (0, 1)]
    begun, games = time.process_time(), 0
    while time.process_time() - begun < seconds:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + games)
        games += 1
    return games / (time.process_time() - begun)


def ludax(name: str, seconds: float, seed: int) -> float:
    """Random games a second of Ludax, compiled before the clock starts; wall time."""
    jax: Any = import_module("jax")
    games_there: Any = import_module("ludax.games")
    package: Any = import_module("ludax")
    env = package.LudaxEnvironment(game_str=getattr(games_there, name))
    play = _ludax_games(jax, jax.vmap(env.init), jax.vmap(env.step))
    keys = jax.random.split(jax.random.PRNGKey(seed), _BATCH)
    jax.block_until_ready(play(keys))
    begun, games = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        keys = jax.random.split(keys[0], _BATCH)
        jax.block_until_ready(play(keys))
        games += _BATCH
    return games / (time.perf_counter() - begun)


def _ludax_games(jax: Any, init: Any, step: Any) -> Any:
    """A compiled function: keys to the final states of one random game for each."""

    def going(carried: tuple[Any, Any]) -> Any:
        return ~(carried[0].terminated | carried[0].truncated).all()

    def advance(carried: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carried
        key, now = jax.random.split(key)
        weights = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        return step(state, jax.random.categorical(now, logits=weights, axis=1)), key

    return jax.jit(
        lambda keys: jax.lax.while_loop(going, advance, (init(keys), keys[0]))[0].terminated
    )
