"""Reference, kernels in Python and machine code agree: what once was otherwise, and random rules."""

from __future__ import annotations

import pytest

from rulewright.kernels.engine import Engine
from rulewright.loading import loads
from tests.agreement import Pair

HEAD = """format 1
game small
players red blue
board square 3 by 3
pieces stone
"""
ONCE = {
    "two moves written alike are one decision": """
move place
  choose cell in empty
  put stone at cell
move drop
  choose cell in empty corners
  put stone at cell
turn place or drop
draw when ply = 5
""",
    "leaving out one of two parts is one decision": """
move place
  choose cell in empty
  put stone at cell
move pass
turn (pass? or place?) place
draw when ply = 5
""",
    "a member that a family holds twice is chosen once": """
move place
  choose cell in empty
  put stone at cell
move clean
  choose l in [own, own, full]
  need any l
  clear l
turn place or clean
draw when ply = 5
""",
    "nothing on the way in any direction is one decision": """
move place
  choose cell in empty
  put stone at cell
move shoot
  choose a in own
  choose ray from a along around /[way: full*]/
  clear way
turn place or shoot
draw when ply = 5
""",
    "what a notation leaves out does not tell decisions apart": """
move fork
  choose a in own or b2
  choose b in near(a) empty
  write "{b}" if b in corners else "{a}{b}"
  put stone at b
turn fork
draw when stuck
""",
    "another turn is granted by any decision of this one": """
move place
  choose cell in empty
  put stone at cell
move more
  again
turn place? more? place?
draw when ply = 5
draw when stuck
""",
    "a number of more than 62 bits is a fault": """
state n = 2
state total = 0
state less = 0
move grow
  choose d in north or east
  n := n * n - 1 if d(b2) = b3 else 0 - n * 3
  total := total + 4611686018427387900 if n > 100 else 0
  less := sum(k in 1..9 : less - n * 2)
turn grow
draw when ply = 12
""",
    "a fault counts in an attempt that a need discards afterwards": """
setup
  put red stone at a3
move push
  choose n in 1..2
  move each s in own to north(s)
  need any own
turn push
draw when stuck
""",
    "what is offered after `else` decides whether a turn may end": """
move place
  choose cell in empty
  put stone at cell
move hop
  need count own > 3
  clear own
turn place (hop* else hop)
draw when ply = 5
draw when stuck
""",
}


@pytest.mark.parametrize("rules", ONCE.values(), ids=ONCE)
def test_what_once_differed(rules: str) -> None:
    play = loads(HEAD + rules).play
    pair = Pair(play, Engine(play, "python"))
    for seed in range(5):
        pair.game(seed, most=20)
        pair.sampled(seed, most=20)
    pair.perft(2)
