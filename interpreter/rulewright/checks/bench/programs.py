"""Other programs that play these games: C programs of this project, OpenSpiel and Ludax.

In: `benchmarks/programs.toml` and the sources beside it, which a checkout has and an installed
package has not; the names that games have in the other systems.  Out: programs that can be run for
so many seconds, None where there are none; random games a second of the systems that are installed.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import time
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load_with
from rulewright.ground.disk import root
from rulewright.ground.records import read_json

FLAGS = ("-O3", "-march=native", "-Wall")


@frozen
class CProgram:
    """A C program and the games that it plays: those with its options, whatever its defines are."""

    game: str
    source: str
    options: Mapping[str, Any] = field(factory=dict)
    defines: Mapping[str, str] = field(factory=dict)
    perft: tuple[str, ...] = ()
    openspiel: str = ""
    ludax: str = ""
    random: tuple[Mapping[str, Any], ...] = ()
    """Means that random play must give, by the options of the game, where some are said."""

    def stands_for(self, game: Game, name: str) -> bool:
        """Whether it plays *game*, which was loaded by *name*, with the options it has."""
        if name != self.game:
            return False
        own = {option: game.options[option] for option in self.defines.values()}
        return dict(load_with(name, {**self.options, **own}).options) == dict(game.options)

    def definitions(self, game: Game) -> tuple[str, ...]:
        """The options of the compiler that make it play *game*."""
        return tuple(f"{name}={game.options[o]}" for name, o in self.defines.items())


@frozen
class Scaling:
    """A game on boards of several sizes."""

    game: str
    option: str
    values: tuple[int, ...]
    options: Mapping[str, Any] = field(factory=dict)


def folder() -> Path | None:
    """The folder of the benchmarks; None in an installed package."""
    try:
        return root("benchmarks")
    except FileNotFoundError:
        return None


def _table(kind: str) -> list[dict[str, Any]]:
    where = folder()
    if where is None:
        return []
    rows: list[dict[str, Any]] = tomllib.loads((where / "programs.toml").read_text("utf-8"))[kind]
    return [{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()} for row in rows]


def programs() -> list[CProgram]:
    """All programs, in the order of the table."""
    return [CProgram(**row) for row in _table("program")]


def scalings() -> list[Scaling]:
    """All games whose cost is measured on growing boards."""
    return [Scaling(**row) for row in _table("scaling")]


def program_for(game: Game, name: str) -> CProgram | None:
    """The program that plays *game* with the options it has."""
    return next((p for p in programs() if p.stands_for(game, name)), None)


def compiler() -> str | None:
    """The C compiler: gcc, else whatever is called cc."""
    return shutil.which("gcc") or shutil.which("cc")


@frozen
class Built:
    """An executable file."""

    path: Path

    def run(self, seconds: float, number: int) -> dict[str, float]:
        """The figures that it prints: playouts take a seed as *number*, counts a depth."""
        command = [str(self.path), f"{seconds:g}", str(number)]
        process = subprocess.run(command, capture_output=True, text=True, check=True)
        return read_json(process.stdout, dict[str, float])


def build(source: str, definitions: tuple[str, ...], into: Path) -> Built | None:
    """Compile a program of the table into a folder; None without sources or compiler."""
    where, command = folder(), compiler()
    if where is None or command is None:
        return None
    path = into / "-".join([Path(source).stem, *definitions]).replace("=", "")
    flags = [*FLAGS, *(f"-D{d}" for d in definitions)]
    words = [command, *flags, "-o", str(path), str(where / "c" / source)]
    process = subprocess.run(words, capture_output=True, text=True, check=False)
    if process.returncode:
        reasons = "; ".join(process.stderr.splitlines())
        raise RulewrightError(f"{source} does not compile: {reasons}")
    return Built(path)


# --- other general systems ---

_BATCH = 256
"""Games that Ludax plays side by side."""


def systems() -> dict[str, bool]:
    """Which of OpenSpiel and Ludax can be imported."""
    return {
        name: importlib.util.find_spec(module) is not None
        for name, module in (("openspiel", "pyspiel"), ("ludax", "ludax"))
    }


def openspiel(name: str, seconds: float, seed: int) -> float:
    """Random games a second of OpenSpiel, one by one in C++: its own random bots play."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    players = range(game.num_players())
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in players]
    begun, games = time.process_time(), 0
    while time.process_time() - begun < seconds:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + games)
        games += 1
    return games / (time.process_time() - begun)


def ludax(name: str, seconds: float, seed: int) -> float:
    """Random games a second of Ludax, many at a time on JAX's first device; wall time.

    Compiling comes before the clock starts.
    """
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
