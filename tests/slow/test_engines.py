"""Engines of all bundled games, played from outside, C under the sanitizers of a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.build import c, wasm
from tests.shared.bundled import GAMES, game
from tests.shared.engines import (
    CAREFUL,
    agrees,
    in_c,
    in_node,
    needs_compiler,
    needs_node,
    planned,
    write,
)


@needs_node
@needs_compiler
@pytest.mark.parametrize("name", GAMES)
def test_an_engine_plays_as_the_reference_does(tmp_path: Path, name: str) -> None:
    played, start = game(name), game(name).start("reference")
    plan = planned(played)
    write(tmp_path, {**wasm.files(plan), **c.files(plan)})
    *by_page, told = in_node(tmp_path, name, 1)
    *by_c, told_by_c = in_c(tmp_path, name, 1, *CAREFUL)
    for one in by_page:
        agrees(start, one, played.players)
    for one in by_c:
        agrees(start, one, (0, 1))
    counts = [1, *(start.count(depth)[0] for depth in (1, 2))]
    assert told["perft"] == told_by_c["perft"] == counts
    playouts = told["playouts"]
    assert playouts["plies"] == told_by_c["playouts"]
    assert [*playouts["wins"], playouts["draws"]] == told_by_c["wins"]
    assert told["best"]["move"] == told_by_c["best"]
    assert told["moves"] == told_by_c["moves"] == start.moves.texts
