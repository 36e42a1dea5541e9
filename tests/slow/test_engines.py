"""Engines of all bundled games, played from outside, C under the sanitizers of a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.build import c, wasm
from rulewright.files.games import check
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
from tests.tools.agreement.files import AGREES
from tests.tools.totals import random_files


def accepted(text: str) -> bool:
    """Whether a text is rules."""
    return check(text).game is not None


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


@needs_compiler
def test_random_files_agree_as_c() -> None:
    found = [random_files.compared(number, "c").what for number in range(3)]
    assert AGREES in found
    assert not [what for what in found if what.startswith("C ")]


@needs_compiler
def test_what_c_plays_otherwise_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    other = planned(game("tictactoe"))
    monkeypatch.setattr(random_files, "planned", lambda _: other)
    text = next(filter(accepted, map(random_files.text, range(9))))
    found = random_files.as_c(text.replace("game sample", "game tictactoe"))
    assert found.finding
