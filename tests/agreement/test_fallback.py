"""Without llvmlite and wasmtime: one warning, and the same counts and results in plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load_with
from tests.shared.backends import needs_wasm

WARNING = "rulewright: llvmlite is not installed; everything is right but slow\n"


def environment_without(tmp_path: Path, *packages: str) -> dict[str, str]:
    """An environment in which packages cannot be found or imported."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "from importlib.machinery import PathFinder\n"
        "class Without(PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] not in {packages}:\n"
        "            return super().find_spec(name, path, target)\n"
        "sys.meta_path[:] = [Without if f is PathFinder else f for f in sys.meta_path]\n"
    )
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}


@pytest.fixture
def absent(tmp_path: Path) -> dict[str, str]:
    """Neither of the packages that run compiled kernels is there."""
    return environment_without(tmp_path, "llvmlite", "wasmtime")


def run(environment: dict[str, str] | None, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rulewright", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_perft_is_the_same(absent: dict[str, str]) -> None:
    words = ("perft", "spanit", "--set", "size=3", "--depth", "3", "--format", "json")
    with_llvm, without = run(None, *words), run(absent, *words)
    assert with_llvm.stderr == ""
    assert (without.returncode, without.stderr) == (0, WARNING)
    ours, theirs = json.loads(with_llvm.stdout), json.loads(without.stdout)
    for found in (ours, theirs):
        del found["seconds"], found["backend"]
    assert ours == theirs


def test_a_fallback_decides_with_a_single_warning(absent: dict[str, str]) -> None:
    words = ("best", "tictactoe", "--moves", "a1 b1 a2 b2", "--depth", "5")
    with_llvm, without = run(None, *words), run(absent, *words)
    assert (without.returncode, without.stderr) == (0, WARNING)
    ours, theirs = json.loads(with_llvm.stdout), json.loads(without.stdout)
    same = ("move", "value", "side", "proven", "distance", "pv")
    assert [ours[name] for name in same] == [theirs[name] for name in same]
    assert (theirs["move"], theirs["proven"]) == ("a3", "win")


def test_asking_for_webassembly_without_wasmtime_is_reported_once(absent: dict[str, str]) -> None:
    program = (
        "import rulewright\n"
        "state = rulewright.load('tictactoe').start('wasm')\n"
        "for _ in range(2):\n"
        "    print(rulewright.search(state, nodes=20, backend='wasm').move)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=absent, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.split()) == 2
    assert done.stderr == WARNING.replace("llvmlite", "wasmtime")


def test_asking_for_machine_code_says_why_there_is_none(absent: dict[str, str]) -> None:
    done = run(absent, "perft", "tictactoe", "--depth", "2", "--backend", "native")
    assert done.returncode == 2
    assert "machine code needs the package llvmlite, which is not installed" in done.stderr
    assert "Traceback" not in done.stderr


def test_plain_python_is_measured(absent: dict[str, str]) -> None:
    small = ("--set", "size=2", "--rounds", "1", "--seconds", "0.01")
    done = run(absent, "bench", "spanit", "--playouts", *small, "--format", "json")
    assert (done.returncode, done.stderr.count(WARNING)) == (0, 1)
    (row,) = json.loads(done.stdout)["games"]
    assert row["backend"] == "python"
    assert row["playouts_per_s"] > 0


def test_random_games_are_the_same_in_plain_python() -> None:
    game = load_with("spanit", {"size": 2})
    native, python = (load_engine(game, backend) for backend in ("native", "python"))
    if isinstance(native, str):
        pytest.skip(native)
    assert not isinstance(python, str)
    for seed in range(3):
        assert native.playouts(game.play.first, 5, seed) == python.playouts(
            game.play.first, 5, seed
        )


@needs_wasm
def test_webassembly_stands_in_for_machine_code(tmp_path: Path) -> None:
    words = ("perft", "tictactoe", "--depth", "4", "--format", "json")
    done = run(environment_without(tmp_path, "llvmlite"), *words)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["backend"], found["leaves"]) == ("wasm", 3024)
