"""Games that could not be said once, as texts: each is checked, counted, played to its end.

They were drawn from another system's library because its descriptions need dice, piles, lines that
cross themselves, several players or one.  The texts stand in `sample/`, with what is known of each.
"""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from rulewright.checks.tried import try_claims
from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import check
from rulewright.language.reprint import formatted
from rulewright.search.results import Limits
from rulewright.search.solve import solve
from tests.independent import samples
from tests.shared.places import TESTS
from tests.shared.playing import played_on
from tests.tools.agreement.pair import Pair

FOLDER = TESTS / "games" / "sample"
TEXTS = {path.stem: path for path in sorted(FOLDER.glob("*.rules"))}
KNOWN: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "counts.toml").read_text("utf-8"))
COMPILED = [name for name in TEXTS if "falls_back" not in KNOWN[name]]
FEW, MANY = 60, 9_000
"""Sequences that the reference counts here, and the second implementations."""
TURNS = 5_000
"""No game takes as many decisions."""


@cache
def loaded(name: str) -> Game:
    report = check(TEXTS[name].read_text("utf-8"), f"{name}.rules")
    assert report.game is not None, [d.render() for d in report.diagnostics]
    return report.game


@cache
def engine(name: str) -> Engine:
    made = load_engine(loaded(name), quick=True)
    assert isinstance(made, Engine), made
    return made


def counted(name: str, most: int) -> list[int]:
    """The known counts before the first one that is too large."""
    return list(takewhile(lambda leaves: leaves <= most, KNOWN[name]["counts"]))


def test_every_text_has_its_line_and_its_row() -> None:
    assert list(TEXTS) == list(KNOWN)
    assert len(TEXTS) >= 16
    page = (FOLDER / "README.md").read_text("utf-8")
    assert [name for name in TEXTS if f"`{name}`" not in page] == []
    counted_twice = {name for name, known in KNOWN.items() if known["by"] == "independent"}
    assert counted_twice == {*samples.GAMES}


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_fine(name: str) -> None:
    text = TEXTS[name].read_text("utf-8")
    report = check(text, f"{name}.rules")
    complaints, played = try_claims("rules", report)
    assert [d.render() for d in (*report.diagnostics, *complaints) if d.severity != "note"] == []
    assert formatted(text) == text
    assert played is None or played.reason.startswith(KNOWN[name].get("falls_back", ""))
    assert played is None or bool(played.reason) == (name not in COMPILED)


@pytest.mark.parametrize("name", COMPILED)
def test_machine_code_does_what_the_reference_does(name: str) -> None:
    pair = Pair(loaded(name).play, engine(name))
    pair.game(1, 10)
    pair.sampled(1, 12)


@pytest.mark.parametrize("name", COMPILED)
def test_machine_code_counts_it(name: str) -> None:
    first, known = loaded(name).play.first, KNOWN[name]
    unit = known.get("unit", "decision")
    depths = range(1, len(known["counts"]) + 1)
    assert [engine(name).perft(first, depth, unit) for depth in depths] == known["counts"]


@pytest.mark.parametrize("name", TEXTS)
def test_the_reference_counts_the_same(name: str) -> None:
    start, few = loaded(name).start("reference"), counted(name, FEW)
    unit = KNOWN[name].get("unit", "decision")
    assert [start.perft(depth, unit) for depth in range(1, len(few) + 1)] == few


@pytest.mark.parametrize("name", samples.GAMES)
def test_a_second_implementation_counts_the_same(name: str) -> None:
    few = counted(name, MANY)
    assert samples.counts(name, len(few)) == few


@pytest.mark.parametrize("name", COMPILED)
def test_random_games_come_to_an_end(name: str) -> None:
    game = loaded(name)
    _, results = engine(name).playouts(game.play.first, 20, seed=3, most=TURNS)
    assert sum(results) == 20
    assert results[-1] == 0


def test_a_game_that_the_reference_plays_comes_to_an_end() -> None:
    """Seven players; nobody takes anything for a round."""
    text = TEXTS["qi_guo_xiangxi"].read_text("utf-8").replace("= 70 in", "= 1 in")
    report = check(text)
    assert report.game is not None
    last = played_on(report.game.start("reference"), Random(1), 40)
    assert str(last.result).startswith("draw")


@pytest.mark.parametrize(("name", "cells"), [("futoshiki", 21), ("fill_a_pix", 100)])
def test_a_puzzle_of_numbers_has_one_solution(name: str, cells: int) -> None:
    """Cells are filled in one order, so that the sequences to the end are the solutions."""
    assert engine(name).perft(loaded(name).play.first, cells) == 1
    assert samples.counts(name, cells)[-1] == 1


def test_the_tiles_need_thirty_one_slides() -> None:
    """By the plain recursion; `solve` finds what is left of one such way behind nine of them."""
    layer, seen, depth = {samples.GAMES["sliding"][0]}, set[object](), 0
    while samples.ORDERED not in layer:
        seen |= layer
        layer = {after for tiles in layer for _, after in samples.sliding(tiles)} - seen
        depth += 1
    assert depth == 31
    after = loaded("sliding").start().play("b2 b3 a3 a2 a1 b1 c1 c2 c3")
    result = solve(after, Limits(60), shortest=True)
    assert (result.value, result.distance) == ("win", 31 - 9)


def test_the_star_can_be_solved() -> None:
    assert solve(loaded("lam_turki").start(), Limits(10)).value == "win"
