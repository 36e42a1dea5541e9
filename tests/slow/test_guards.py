"""Machine code touches nothing outside of its arrays: each ends at a page without rights."""

from __future__ import annotations

import sys

import pytest

from rulewright.compiler.engine import native_is_there
from tests.tools.agreement.files import texts
from tests.tools.guards.jobs import Job
from tests.tools.guards.run import run

pytestmark = pytest.mark.skipif(
    not native_is_there() or sys.platform == "win32", reason="needs llvmlite and mprotect"
)
KERNEL = "def f(A: ints) -> i64:\n    {}\n    return 0\n"
GAMES = ("tictactoe", "othello", "twixt", "draughts")


def test_a_word_too_far_is_reported_with_its_kernel() -> None:
    jobs = [
        Job("kernel", "inside", KERNEL.format("A[7] = A[0]")),
        Job("kernel", "after", KERNEL.format("A[8] = 1")),
        Job("kernel", "read after", KERNEL.format("A[0] = volatile(A[8])")),
        Job("kernel", "before", KERNEL.format("A[0 - 1] = 1")),
        Job("kernel", "inside again", KERNEL.format("A[0] = 1")),
    ]
    told = [one.wrong for one in run(jobs)]
    assert told[0] == told[4] == ""
    assert told[1] == told[2] == "SIGSEGV in kernel `f`"
    assert told[3] == "1 arrays were written before their beginning"


def test_random_play_and_random_rules_stay_inside_their_arrays() -> None:
    jobs = [Job("play", name, name, 1, 5) for name in GAMES]
    jobs += [Job("file", f"file {n}", text, n, 5) for n, text in enumerate(texts(6, 77))]
    assert [f"{one.job}: {one.wrong}" for one in run(jobs) if one.wrong] == []
