"""Many games side by side, as a graphics card plays them: tried without a card.

The same text that becomes PTX is compiled for this processor, and each lane is compared with the
game's own kernels.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.compiler.backend.native import compile_object
from rulewright.compiler.engine import Engine
from rulewright.games.files.games import load
from tests.shared.places import ROOT

GAMES = ("connect4", "othello", "go", "spanit", "draughts", "chess")
COUNT, EACH = 8, 3
"""Lanes, and the games of each."""


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "gpu"))
    make = pytest.importorskip("make")
    monkeypatch.setattr(make, "GAMES", EACH)
    monkeypatch.setattr(make, "LANES", COUNT)
    return make


def lane_of(text: str) -> Callable[..., None]:
    """The function `lane` of an assembly text, compiled for this processor."""
    import llvmlite.binding as llvm

    compile_object("define void @nothing() { ret void }")  # LLVM is made ready
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    lane = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5, ctypes.c_int64, ctypes.c_int64)(
        engine.get_function_address("lane")
    )
    lane.owner = engine  # type: ignore[attr-defined]  # lives as long as its code
    return lane


def words(values: list[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*(ctypes.c_int64(value).value for value in values))


@pytest.mark.parametrize("name", GAMES)
def test_every_lane_plays_the_games_of_its_seed(name: str, make: Any) -> None:
    game = load(name)
    engine = Engine(game.play)
    engine.set(game.play.first)
    first = [int(word) for word in engine._arrays["S"]]
    said = make.play_here(engine, first, 1000)
    sizes = {**engine.sizes(), "Y": engine.plan.whole, "R": 16, "C": 16}
    sizes["M"], sizes["H"] = min(sizes["M"], 20_000), min(sizes["H"], 40_000)
    lane = lane_of(make.Lanes(engine, COUNT, sizes).assembly())
    pool, out = words([0] * (COUNT * sum(sizes.values()))), words([0] * (6 * COUNT))
    seeds = words([make.seed_of(number) for number in range(COUNT)])
    given = (words(first), words(list(engine.plan.table or [0])), pool, seeds, out)
    for number in reversed(range(COUNT)):
        lane(*given, EACH, number)
    lanes = zip(said["plies"], said["ends"], said["counts"], strict=True)
    assert list(out) == [word for p, e, c in lanes for word in (p, e, *c)]
    assert min(said["plies"]) > 0


@pytest.mark.parametrize("name", ["connect4", "twixt"])
def test_a_card_s_text_is_written(name: str, make: Any) -> None:
    text, about = make.files_of(name, 0)
    assert ".target sm_90" in text
    assert ".visible .entry lanes(" in text
    assert ".extern" not in text, "everything that is called is there"
    assert about["sizes"]["M"] * 8 < 2**20


@pytest.mark.parametrize(("name", "most"), [("tictactoe", 48), ("hex", 64), ("othello", 96)])
def test_the_assembler_of_cards_takes_the_kernels(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a spill, and with registers for as many lanes as cards can hold, or nearly."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "gpu"))
    assemble = pytest.importorskip("assemble")
    pytest.importorskip("nvidia.cuda_nvcc", reason="has the assembler")
    kernel = assemble.assembled(assemble.ptx_of(name, "sm_90"), "sm_90")
    assert (kernel.stack, kernel.spills) == (0, 0)
    assert 0 < kernel.registers <= most
    with pytest.raises(subprocess.CalledProcessError):
        assemble.assembled(".version 8.0 .target sm_90 nonsense", "sm_90")
