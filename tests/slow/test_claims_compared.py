"""A comparison of two games finds claims that differ."""

from __future__ import annotations

from rulewright.checks.compare import Comparison
from rulewright.games.files.games import loads

ROAM = """format 1
game roam
players red blue
board square 3 by 3
pieces man
setup
  put red man at a1
  put blue man at c3
move go
  choose who in own man
  choose to in orthogonal(who) empty
  move who to to
turn go
CLAIM
draw when repeats >= 4
lose when stuck
"""


def test_games_that_differ_in_a_claim_alone_differ() -> None:
    claimed = loads(ROAM.replace("CLAIM", "draw may be claimed when repeats >= 2"))
    silent = loads(ROAM.replace("CLAIM\n", ""))
    difference = Comparison(claimed, silent).run().difference
    assert difference is not None
    assert difference.first == "a draw may be claimed"
    assert len(difference.moves) == 8
    assert Comparison(claimed, claimed).run().difference is None
