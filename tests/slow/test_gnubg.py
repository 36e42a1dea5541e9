"""GNU Backgammon as a player of the text protocol, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.independent.backgammon import start
from tests.tools.gnubg.__main__ import GAMES, replay

HAS_GNUBG = shutil.which("gnubg", path=f"{os.environ['PATH']}:{GAMES}") is not None
TOOL = [sys.executable, "-m", "tests.tools.gnubg", "--plies", "0"]


@pytest.mark.skipif(not HAS_GNUBG, reason="the program gnubg is not installed")
def test_it_makes_the_five_point_with_a_three_and_a_one() -> None:
    """The one play of an opening roll that every book gives: 8/5 6/5, in two decisions."""
    moves = ["31"]
    with subprocess.Popen(
        TOOL, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as tool:
        assert tool.stdin is not None
        assert tool.stdout is not None
        for _ in range(2):
            tool.stdin.write(f"position start {' '.join(moves)}\ngo\n")
            assert tool.stdout.readline() == "ok\n"
            word, decision = tool.stdout.readline().split()
            assert word == "best"
            moves.append(decision)
        tool.stdin.write("quit\n")
    before, after = start(), replay(moves)
    pairs = zip(before.men[before.mover], after.men[before.mover], strict=True)
    changes = {point: now - then for point, (then, now) in enumerate(pairs) if now != then}
    assert changes == {5: 2, 6: -1, 8: -1}


@pytest.mark.skipif(not HAS_GNUBG, reason="the program gnubg is not installed")
def test_it_goes_on_with_a_turn_that_somebody_else_began() -> None:
    """Behind 8/5 with a three it makes the point with the one; a mistake in a position is told."""
    asked = ["31 e1/3", "31 a9/3", "31", ""]
    lines = "".join(f"position start {moves}\ngo\n" for moves in asked)
    done = subprocess.run(TOOL, input=lines + "quit\n", capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert answers[0] == "ok"
    after = replay(["31", "e1/3", answers[1].removeprefix("best ")])
    assert after.men[0][5] == 2
    assert answers[2].startswith("error no such decision here")
    assert answers[6:] == ["ok", "error there is nothing to decide: dice are to be thrown, or the"
                                 " game is over"]  # fmt: skip
