"""The C programs that play the same games: which game and options each stands for, built and run.

In: `benchmarks/programs.toml` and the sources beside it, which a checkout has and an installed
package has not.  Out: programs that can be run for so many seconds; None where there are none.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rulewright.disk import root
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.files.games import load_with

FLAGS = ("-O3", "-march=native", "-Wall")


@frozen
class Program:
    """A C program and the games that it plays: those with its options, whatever its defines are."""

    game: str
    source: str
    options: Mapping[str, Any] = field(factory=dict)
    defines: Mapping[str, str] = field(factory=dict)
    perft: tuple[str, ...] = ()
    openspiel: str = ""
    ludax: str = ""
    random: tuple[Mapping[str, Any], ...] = ()

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
    """Where the benchmarks are; None in an installed package."""
    try:
        return root("benchmarks")
    except FileNotFoundError:
        return None


def _table(kind: str) -> list[dict[str, Any]]:
    where = folder()
    if where is None:
        return []
    found: list[dict[str, Any]] = tomllib.loads((where / "programs.toml").read_text("utf-8"))[kind]
    return [{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()} for row in found]


def programs() -> list[Program]:
    """All programs, in the order of the table."""
    return [Program(**row) for row in _table("program")]


def scalings() -> list[Scaling]:
    """All games whose cost is measured on growing boards."""
    return [Scaling(**row) for row in _table("scaling")]


def program_for(game: Game, name: str) -> Program | None:
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
        """What it prints: playouts take a seed as *number*, counts a depth."""
        command = [str(self.path), f"{seconds:g}", str(number)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found: dict[str, float] = json.loads(done.stdout)
        return found


def build(source: str, definitions: tuple[str, ...], into: Path) -> Built | None:
    """Compile a program of the table into a folder; None without sources or compiler."""
    where, command = folder(), compiler()
    if where is None or command is None:
        return None
    path = into / "-".join([Path(source).stem, *definitions]).replace("=", "")
    flags = [*FLAGS, *(f"-D{d}" for d in definitions)]
    words = [command, *flags, "-o", str(path), str(where / "c" / source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RulewrightError(f"{source} does not compile:\n{done.stderr}")
    return Built(path)


def statistics() -> Iterator[tuple[Program, Mapping[str, Any], Mapping[str, Any]]]:
    """What random play must give: program, options of the game, and the expected numbers."""
    for program in programs():
        for row in program.random:
            yield program, {**program.options, **row.get("options", {})}, row
