"""Forced wins of Connect 5 that another program found, and positions that it found none in."""

from __future__ import annotations

from functools import cache
from importlib import util
from pathlib import Path
from types import ModuleType

from tests.shared.backends import needs_llvm

pytestmark = needs_llvm
ROOT = Path(__file__).parents[2]
NODES = 6000


@cache
def benchmark() -> ModuleType:
    spec = util.spec_from_file_location("forced", ROOT / "benchmarks" / "connect5" / "forced.py")
    assert spec is not None
    assert spec.loader is not None
    found = util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_forced_wins_are_proven_and_no_false_win_is_claimed() -> None:
    """Every tenth; all: `python benchmarks/connect5/forced.py tests/data/connect5_forced.txt`."""
    counting = benchmark()
    space = counting.workspace("keen")
    found = claimed = 0
    for one in list(counting.positions(ROOT / "tests" / "data" / "connect5_forced.txt"))[::10]:
        win = counting.found_with(space, one.state, NODES)
        if one.plies is None:
            claimed += win is not None
        else:
            found += win is not None
    assert found >= 12  # of 20
    assert claimed == 0
