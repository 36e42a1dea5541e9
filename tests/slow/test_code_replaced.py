"""Code compiled quickly plays first; better code takes its place and decides the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.compiler.engine import Engine
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load
from rulewright.search import driver
from rulewright.search.best import search
from tests.shared.backends import needs_llvm


@needs_llvm
def test_trees_change_over_to_better_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(driver, "IMPROVE_SECONDS", 0.0)
    start = load("hex", size=9).start()

    def changed() -> bool:
        engine = load_engine(start.game, quick=True)
        return isinstance(engine, Engine) and engine.final

    result = search(start, time=600, algorithm="montecarlo", cancelled=changed)
    assert result.nodes > 0
    assert result.seconds < 600  # it was cancelled


@needs_llvm
@pytest.mark.parametrize("name", ["connect4", "spanit"])
def test_code_compiled_quickly_finds_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(driver, "IMPROVE_SECONDS", 600.0)
    start = load(name).start()
    quick = search(start, nodes=3000)
    engine = load_engine(start.game, quick=True)
    assert isinstance(engine, Engine)
    ways = [engine.quick]
    load_engine(start.game)
    assert [*ways, engine.quick] == [True, False]
    assert evolve(search(start, nodes=3000), seconds=quick.seconds) == quick
