"""The opponent that plays as T1j does, beside what T1j says of positions."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.bench.programs import compiler

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "t1j"
POSITIONS = ROOT / "tests" / "data" / "t1j.jsonl"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled program."""
    cc = compiler()
    if cc is None:
        pytest.skip("no C compiler")
    out = tmp_path_factory.mktemp("t1j") / "t1j"
    subprocess.run([cc, "-O2", "-o", str(out), str(FOLDER / "t1j.c")], check=True)
    return str(out)


def shares(*command: str) -> dict[str, tuple[int, int]]:
    """What compare.py counts."""
    rows = [json.loads(line) for line in POSITIONS.read_text("utf-8").splitlines()]
    compare: dict[str, Any] = runpy.run_path(str(FOLDER / "compare.py"))
    counted: dict[str, tuple[int, int]] = compare["shares"](command, rows)
    return counted


def test_the_text_says_nearly_what_t1j_says() -> None:
    """One position of twelve; all: `python benchmarks/t1j/text.py tests/data/t1j.jsonl`."""
    rows = [json.loads(line) for line in POSITIONS.read_text("utf-8").splitlines()]
    counts = runpy.run_path(str(FOLDER / "text.py"))["compared"](rows[::12])
    assert counts["values equal"] >= 0.95 * counts["values"]
    assert counts["points found"] >= 0.9 * counts["points"]
    assert counts["candidates found"] >= 0.85 * counts["candidates"]


def test_values_points_and_candidates_without_patterns(program: str) -> None:
    counted = shares(program)
    assert counted["values"] == (240, 240)
    assert counted["points"] == (120, 120)
    assert counted["wrong"][0] == 0  # links and blocks: a part of what T1j looks at


def test_patterns_explain_the_candidates(program: str) -> None:
    found, of = shares(program, "--patterns", str(ROOT / "patterns" / "twixt" / "seen.patterns"))[
        "found"
    ]
    assert found > 0.9 * of


def test_it_speaks_the_text_protocol(program: str) -> None:
    lines = "rulewright 1\ngame twixt size=12 pie=true\nseed 3\nposition\ngo\nposition moves a1\n"
    more = "position moves f6\ngo\ngame twixt size=12 paper=true\n"
    said = subprocess.run(
        [program], input=lines + more, capture_output=True, text=True, check=True, timeout=20
    ).stdout.splitlines()
    assert said[:3] == ["rulewright 1 t1j", "ok", "ok"]
    assert said[4].startswith("best ")
    assert said[5] == "error `a1` cannot be played"
    assert said[6:8] == ["ok", "best swap"]
    assert said[8] == "error `paper=true` is not played here"
