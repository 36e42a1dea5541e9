"""Benchmarks: the form of what they print, the C programs, and what random play is like.

No test says how fast anything is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from rulewright.app.cli import main
from rulewright.checks.bench import rates
from rulewright.checks.bench import run as runs
from rulewright.checks.bench.programs import (
    FLAGS,
    CProgram,
    build,
    compiler,
    folder,
    openspiel,
    program_for,
    programs,
    scalings,
    systems,
)
from rulewright.checks.bench.rates import RateRow, engine_of
from rulewright.games.files.games import bundled_games, load, load_with
from tests.shared.backends import needs_llvm

needs_c = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")

EXPECTED = [
    (program, {**program.options, **row.get("options", {})}, row)
    for program in programs()
    for row in program.random
]
BATCHES = 40


def rounding(value: float) -> float:
    """How far a number written with so many figures may be from what it stands for."""
    return 0.5 * 10.0 ** -len(str(value).partition(".")[2])


@needs_llvm
@pytest.mark.parametrize(
    ("program", "options", "expected"), EXPECTED, ids=[f"{p.game}{o}" for p, o, _ in EXPECTED]
)
def test_random_play_is_that_of_the_c_programs(
    program: CProgram, options: dict[str, Any], expected: dict[str, float]
) -> None:
    """Means of batches: their spread gives the error of the mean, and five of it are allowed."""
    engine = engine_of(load_with(program.game, options))
    start, plies, first, drawn = engine.play.first, list[float](), 0, 0
    games = round(min(50, 5 + 2000 / expected["plies"]))  # of a batch: fewer where they are long
    for seed in range(BATCHES):
        total, won = engine.playouts(start, games, seed * 7919 + 1)
        assert won[3] == 0
        plies.append(total / games)
        first, drawn = first + won[0], drawn + won[2]
    error = 5 * stdev(plies) / sqrt(BATCHES) + rounding(expected["plies"])
    low = expected["plies"] - error
    high = expected["plies"] + error
    if expected.get("passes"):  # a pass is a decision here, and no ply there: less than one a game
        high += 1.5
    assert low <= mean(plies) <= high
    for count, share in ((first, expected["first"]), (drawn, expected["drawn"])):
        allowed = 5 * sqrt(share * (1 - share) / (games * BATCHES)) + rounding(share)
        assert abs(count / (games * BATCHES) - share) <= allowed


@needs_c
def test_c_programs_are_built_without_warnings_and_play_what_the_table_says(tmp_path: Path) -> None:
    assert "-Wall" in FLAGS
    program = next(p for p in programs() if p.game == "spanit")
    game = load(program.game)
    built = build(program.source, program.definitions(game), tmp_path)
    assert built is not None
    found = built.run(0.05, 3)
    games, expected = found["playouts"], program.random[0]
    assert abs(found["plies"] / games - expected["plies"]) < 0.5
    assert abs(found["first"] / games - expected["first"]) < 5 * 0.5 / sqrt(games) + 0.001
    assert built.run(0.01, 4)["first"] != found["first"]


@needs_c
@needs_llvm
def test_c_counts_the_same_trees(tmp_path: Path) -> None:
    for program in programs():
        if not program.perft:
            continue
        built = build(program.perft[0], program.perft[1:], tmp_path)
        assert built is not None
        game = load(program.game)
        depth = 2 if program.game == "connect5" else 5
        leaves = built.run(0.001, depth)["leaves"]
        assert leaves == engine_of(game).count(game.play.first, depth)[0]


@needs_c
def test_every_source_compiles_without_a_warning(tmp_path: Path) -> None:
    import subprocess

    where = folder()
    assert where is not None
    used = {p.source for p in programs()} | {p.perft[0] for p in programs() if p.perft}
    used.add("rows.c")  # a solver, which nobody measures
    assert used == {path.name for path in (where / "c").glob("*.c")}
    for path in (where / "c").glob("*.c"):
        words = [str(compiler()), *FLAGS, "-Werror", "-DGAME=othello", "-fsyntax-only", str(path)]
        subprocess.run(words, check=True)


def test_a_program_stands_for_its_options_only() -> None:
    def source(name: str, **options: Any) -> str | None:
        found = program_for(load_with(name, options), name)
        return None if found is None else found.source

    assert source("connect4") == "connect4.c"
    assert source("connect4", run=3) is None
    assert source("twixt") is None
    assert source("twixt", pie=False) == "twixt.c"
    assert source("twixt", pie=False, size=8) == "twixt.c"
    assert source("twixt", pie=False, size=8, width=9) is None
    assert source("hex", size=5) is None
    assert source("pente") is None


def test_the_definitions_are_values_of_options() -> None:
    game = load("twixt", pie=False, size=8)
    program = program_for(game, "twixt")
    assert program is not None
    assert program.definitions(game) == ("S=8",)


def test_all_bundled_games_are_measured() -> None:
    wanted = runs.tasks([], {})
    assert [name for name, _ in wanted] == list(bundled_games())
    assert dict(wanted)["twixt"] == {"pie": False}
    assert runs.tasks(["hex"], {"size": "5"}) == [("hex", {"size": "5"})]
    assert len(runs.scaling_tasks()) == sum(len(s.values) for s in scalings()) > 5


def test_json_has_every_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    words = ["--rounds", "1", "--seconds", "0.02", "--format", "json"]
    assert main(["bench", "spanit", "--set", "size=2", *words]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["format"] == 1
    assert {"python", "processor", "cores"} <= set(data["machine"])
    (row,) = data["games"]
    assert (row["game"], row["options"]) == ("spanit", {"size": 2})
    for name in runs.NAMES:
        assert {name, f"{name}_min", f"{name}_max"} <= set(row)
    measured = {"playouts_per_s", "perft_nodes_per_s", "search_nodes_per_s", "first_move_cold_s"}
    if compiler() is not None:
        measured |= {"c_playouts_per_s", "share_of_c"}
    for name in measured:
        assert 0 < row[f"{name}_min"] <= row[name] <= row[f"{name}_max"]
    assert 3 <= row["plies_per_playout"] <= 5
    assert 0 < row["first_share"] < 1
    assert row["draw_share"] == 0


def test_rules_of_ones_own_are_measured_as_the_time_allows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their author is told of nothing that is not there, and waits for no other system."""
    file = tmp_path / "mine.rules"
    file.write_bytes(bundled_games()["tictactoe"].read_bytes())
    monkeypatch.setattr("rulewright.app.cli.bench._SOON", 1e-6)
    monkeypatch.chdir(tmp_path)
    for name in (str(file), "mine"):
        assert main(["bench", name, "--seconds", "0.01", "--format", "json"]) == 0
        out, err = capsys.readouterr()
        (row,) = json.loads(out)["games"]
        assert row["playouts_per_s"] == row["playouts_per_s_min"] > 0
        assert row["first_move_cold_s"] is None
        assert "installed" not in err
        assert "the time was over before the first move was measured" in err


def test_kept_kernels_are_measured_without_llvm(tmp_path: Path) -> None:
    """The second run, which loads no compiler, ended in a traceback."""
    words = ["tictactoe", "--playouts", "--rounds", "1", "--seconds", "0.02", "--format", "json"]
    for _ in range(2):
        found = subprocess.run(
            [sys.executable, "-m", "rulewright", "bench", *words], capture_output=True, text=True,
            env={**os.environ, "RULEWRIGHT_CACHE": str(tmp_path)}, check=False,
        )  # fmt: skip
        assert found.returncode == 0, found.stderr
        assert json.loads(found.stdout)["machine"]["processor"]


def test_a_row_is_its_median() -> None:
    row = RateRow("nim", {"heaps": 3}, "native")
    for value in (5.0, 1.0, 2.0):
        row.add("playouts_per_s", value)
    data = row.as_data(("playouts_per_s", "share_of_c"))
    found = [data[f"playouts_per_s{end}"] for end in ("", "_min", "_max")]
    assert found == [2.0, 1.0, 5.0]
    assert data["share_of_c"] is None
    assert runs.table([row]).splitlines()[1].split() == ["nim", "heaps=3", "2"]


@needs_llvm
def test_the_signature_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    two = {name: path for name, path in bundled_games().items() if name in ("tictactoe", "spanit")}
    monkeypatch.setattr(rates, "bundled_games", lambda: two)
    first, second = list(rates.signature()), list(rates.signature())
    assert first == second
    counted = {name: nodes for name, nodes, _ in first}
    assert counted["tictactoe"] == 9 + 72 + 504 + 3024 + 15120


def test_other_systems_are_asked_for_games_they_have() -> None:
    names = {p.game: (p.openspiel, p.ludax) for p in programs()}
    assert names["connect4"] == ("connect_four", "connect_four")
    assert names["spanit"] == ("", "")
    if systems()["openspiel"]:
        assert openspiel("tic_tac_toe", 0.05, 1) > 0
