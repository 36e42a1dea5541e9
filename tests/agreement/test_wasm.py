"""Kernels as WebAssembly: the binary is valid, and does what machine code does."""

from __future__ import annotations

import functools
import gc
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rulewright.compiler.backend import MOST_BYTES, Linked, packed, unpack_code, wasm
from rulewright.compiler.backend.wasm_binary import signed_bytes, unsigned_bytes
from rulewright.compiler.backend.wasm_host import Wasm
from rulewright.compiler.engine import Engine
from rulewright.compiler.runtime import KernelFault
from rulewright.games.engine.game import BACKENDS
from rulewright.games.engine.interpreted import ReferencePosition
from rulewright.games.files.games import load
from rulewright.ground import cache
from rulewright.search.best import best, search
from rulewright.search.results import ALGORITHMS, Limits
from tests.shared.backends import needs_llvm, needs_wasm
from tests.shared.bundled import game
from tests.shared.sample import chosen

pytestmark = needs_wasm
GAMES = chosen()


@functools.cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


# --- the format ---


def read_leb(data: bytes) -> tuple[int, int]:
    """A LEB128 number as the specification reads it, without and with its sign."""
    value = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data))
    assert all(byte & 0x80 for byte in data[:-1])
    assert not data[-1] & 0x80
    return value, value - (1 << 7 * len(data)) if data[-1] & 0x40 else value


@given(st.integers(0, 2**64 - 1))
def test_numbers_without_a_sign(value: int) -> None:
    assert read_leb(unsigned_bytes(value))[0] == value


@given(st.integers(-(2**63), 2**63 - 1))
def test_numbers_with_a_sign(value: int) -> None:
    assert read_leb(signed_bytes(value))[1] == value
    assert len(signed_bytes(value)) <= 10


# --- what runs ---


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
def test_the_same_games_for_the_same_seed(name: str) -> None:
    first = game(name).play.first
    machine, wasm = engine(name, "native"), engine(name, "wasm")
    assert wasm.playouts(first, 20, 5, most=1000) == machine.playouts(first, 20, 5, most=1000)


@pytest.mark.parametrize("name", GAMES)
def test_perft_agrees(name: str) -> None:
    start = game(name).start("reference")
    assert engine(name, "wasm").count(start.situation.position, 2) == start.count(2)


@needs_llvm
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", ["connect4", "chess"])
def test_searches_decide_alike(name: str, algorithm: str) -> None:
    state, limits = game(name).start(), Limits(None, 2000, None)
    found = [best(state, limits, 3, algorithm, backend=b) for b in ("native", "wasm")]
    assert evolve(found[0], seconds=0.0) == evolve(found[1], seconds=0.0)


def test_a_division_by_zero_is_a_fault_and_the_next_call_is_not() -> None:
    kernels = Wasm([Linked("def f(a: i64, b: i64) -> i64:\n    return a // b\n", {})])
    with pytest.raises(KernelFault, match="divide by zero"):
        kernels["f"](1, 0)
    assert kernels["f"](-7, 2) == -4


def test_memory_that_is_given_back_is_empty_when_it_is_taken_again() -> None:
    kernels = Wasm([Linked("def f(a: ints) -> i64:\n    a[0] = a[0] + 1\n    return a[0]\n", {})])
    for _ in range(3):
        block = kernels.host.memory(640)
        assert kernels["f"](block) == 1
        del block


def test_a_function_keeps_its_code_alive() -> None:
    function = Wasm([Linked("def f(a: i64) -> i64:\n    return a + 1\n", {})])["f"]
    gc.collect()
    assert function(1) == 2


def test_compiled_modules_are_kept_and_made_again_where_they_are_no_good(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    play, games = game("connect4").play, list[object]()

    def played() -> None:
        games.append(Engine(play, "wasm").playouts(play.first, 5, seed=3))

    played()
    [file] = tmp_path.rglob("*.cwasm")
    with monkeypatch.context() as patched:
        patched.setattr(wasm, "binary", None)
        played()
        with pytest.raises(TypeError):  # the patch holds: without the file all is made anew
            Engine(play, "wasm", use_cache=False).playouts(play.first, 5, seed=3)
    whole = file.read_bytes()
    found = unpack_code(cache.read(file))
    assert found is not None
    for damaged in (packed(b"\x7fELF", *found[1:]), packed(*found)[:-1]):
        cache.write(file, damaged, MOST_BYTES)
        played()
        assert len(file.read_bytes()) == len(whole)
    assert games == [games[0]] * 4


# --- positions and searches of every backend ---


@needs_llvm
@pytest.mark.parametrize(
    ("name", "options"),
    [("chess", {}), ("twixt", {"size": 8}), ("go", {"size": 5}), ("morris", {})],
)
def test_states_are_alike_whoever_plays_them(name: str, options: dict[str, int]) -> None:
    states = [load(name, backend=b, **options).start() for b in BACKENDS]
    chance = Random(7)
    for _ in range(12):
        texts = states[0].moves.texts
        assert [state.moves.texts for state in states[1:]] == [texts] * (len(states) - 1)
        chosen = chance.choice(texts)
        states = [state.play_decision(chosen) for state in states]
        assert len({(state.mover, state.ply, str(state.result)) for state in states}) == 1
    reference = [isinstance(state.position, ReferencePosition) for state in states]
    assert reference == [b == "reference" for b in BACKENDS]


def test_a_search_runs_where_it_is_asked_to() -> None:
    state = load("connect4", backend="wasm").start()
    assert "native" not in state.game.play.engines
    found = {search(state, nodes=300).move}
    assert set(state.game.play.engines) == {"wasm"}
    found |= {search(state, nodes=300, backend=b).move for b in ("llvm", "python")}
    assert len(found) == 1
    assert search(state, nodes=300, backend="reference").move in state.moves


def test_a_backend_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="llvm, wasm, python, reference"):
        load("connect4", backend="fortran")
