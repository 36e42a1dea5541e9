"""Engines to take away, built and played from outside, and the same games by the reference."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.build.engine_plan import EXPORTS, EnginePlan, engine_for, plan
from rulewright.app.build.judge import EngineJudge
from rulewright.games.engine.game import Game, State
from tests.shared.places import ROOT, TESTS

NODE, COMPILER = shutil.which("node"), shutil.which("gcc")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="gcc is not installed")
OUTSIDE = TESTS / "outside"
PYODIDE = ROOT / ".node" / "node_modules" / "pyodide" / "pyodide.mjs"
needs_pyodide = pytest.mark.skipif(
    not PYODIDE.exists(), reason="Pyodide is not installed: npm install --prefix .node pyodide"
)
CAREFUL = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def planned(game: Game) -> EnginePlan:
    """The plan of a game's engine that is judged by results alone."""
    return plan(engine_for(game), game, EngineJudge())


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put the files of an engine into a folder."""
    for name, data in files.items():
        (folder / name).write_bytes(data)


def output(*command: object) -> str:
    """What a program writes; it must end well, and its complaints are told where it does not."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def in_node(folder: Path, name: str, games: int) -> list[Any]:
    """Random games by node, and what it told in the end."""
    found = output(NODE, OUTSIDE / "play.mjs", folder / f"{name}.mjs", games, 7)
    return [json.loads(line) for line in found.splitlines()]


def in_c(folder: Path, name: str, games: int, *options: str) -> list[Any]:
    """Random games by a program in C, and what it told in the end."""
    program = folder / "play"
    define = f'-DENGINE="{name}.h"'
    sources = (OUTSIDE / "play.c", folder / f"{name}.c")
    output(COMPILER, "-std=c99", *options, define, f"-I{folder}", *sources, "-lm", "-o", program)
    return [json.loads(line) for line in output(program, games, 7).splitlines()]


def library(source: Path, *options: str) -> Any:
    """An engine in C as a library, compiled for `ctypes`."""
    made = source.with_suffix(".so")
    output(COMPILER, "-std=c99", "-O0", "-fPIC", "-shared", *options, source, "-lm", "-o", made)
    return declared(made)


def declared(path: Path) -> Any:
    """The functions of a shared library, as its header declares them."""
    found = ctypes.CDLL(str(path))
    for name in EXPORTS:
        getattr(found, f"rw_{name}").restype = ctypes.c_int64
    found.rw_text.restype = ctypes.c_char_p
    found.rw_value.restype = found.rw_likelihood.restype = ctypes.c_double
    return found


def decided(engine: Any, moves: Sequence[str], nodes: int) -> str:
    """What an engine plays after some moves; it searches in slices, which change nothing."""
    engine.rw_start()
    for move in moves:
        assert engine.rw_play(ctypes.c_int64(texts_of(engine).index(move))) == 1
    texts = texts_of(engine)
    engine.rw_think(ctypes.c_int64(0))
    engine.rw_think_within(ctypes.c_int64(nodes))
    while (left := nodes - engine.rw_nodes()) > 0:
        if engine.rw_think_on(ctypes.c_int64(min(left, 700))):
            break
    return texts[int(engine.rw_think_end())]


def texts_of(engine: Any) -> list[str]:
    """The decisions of an engine's position."""
    found = list[str]()
    for number in range(engine.rw_moves()):
        engine.rw_write(ctypes.c_int64(number))
        found.append(engine.rw_text().decode())
    return found


def agrees(start: State, played: Mapping[str, Any], players: Sequence[Any]) -> None:
    """A game from outside has the decisions, players and result that *start* leads to."""
    state = start
    for ply in played["plies"]:
        assert state.mover is not None
        assert ply["mover"] == players[start.game.players.index(state.mover)]
        assert ply["moves"] == state.moves.texts
        likely = map(float, state.probabilities().values())
        assert ply["likely"] == pytest.approx([*likely])
        state = state.play_decision(ply["played"])
    result, names = played["result"], start.game.players
    if state.result is None:
        assert result in (None, -1)
    elif state.result.winner is None:
        assert result in ("draw", len(names))
    else:
        assert result == players[names.index(state.result.winner)]
    if state.result is not None:
        winner, places = state.result.winner, dict(state.result.places)
        first = dict.fromkeys(names, 1) if winner is None else {n: 1 + (n != winner) for n in names}
        assert played["places"] == [*(places or first).values()]
