"""Random decisions whose needs are tested after they were drawn: only legal ones, all alike."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rulewright.compiler.engine import Engine
from rulewright.games.files.games import load_with, loads
from rulewright.reference.play import Situation
from tests.shared.backends import needs_llvm
from tests.tools.agreement.pair import Pair, visible

HEAD = """format 1
game small
players red blue
board square 4 by 3
pieces stone, king
setup
  put red stone at a1 or c2 or c3
  put blue stone at b3 or b2
  put blue king at d3
state n = 0 in 0..9
"""
CASES = {
    "one site": """
move place
  choose p in empty
  put stone at p
  need some(q in own : around(q) meets enemy) and not p in corners
  n := n + 1
move pass
turn place or pass
""",
    "rows": """
move walk
  choose a in own
  choose b in ray from a along around /empty+/
  move a to b
  need not b in near(enemy king)
move wait
  need every(a in own, b in own : near(a) meets near(b))
turn walk or wait
""",
    "a costly need before effects": """
move place
  choose p in empty
  choose k in [stone, king]
  need every(a in (own or p), b in diagonal(a) (own or p) : near(a) near(b) meets own)
  put k at p
turn place
""",
    "nearly all are refused": """
action check(p)
  need p = d1
move place
  choose p in empty
  n := n + 1
  check(p)
  put stone at p
turn place
""",
    "two moves written alike, each refused elsewhere": """
move walk
  choose a in own
  choose b in around(a) empty
  move a to b
  need not b in near(enemy king)
  write "{a}{b}"
move hop
  choose a in own
  choose b in ray from a along around /empty+/
  move a to b
  need b in left or b in bottom or b in c3
  write "{a}{b}"
turn hop or walk
""",
    "one move written alike, and refused by what is not written": """
move fork
  choose a in own
  choose b in around(a) empty
  put stone at b
  need not (a in bottom and b in left) and not b in a3
  write "{b}"
turn fork
""",
    "far and near, by kind": """
let ways(a) = diagonal if a in left else orthogonal
let near_by(a) = (around(a) and not own) or north(east(a))
move go
  choose a in own
  choose b in (ray from a along ways(a) /empty+/) or near_by(a)
  need b in full or n = 0
  move a to b
  n := n + 1
turn go
""",
    "past a piece": """
move fire
  choose a in own
  let far = ray from a along around /empty*, full, empty*, [enemy | empty]/
  choose b in (ray from a along orthogonal /empty+/) or far and not a3
  move a to b
turn fire
""",
    "ends of rays that differ in what lies between": """
let hop = leap(1, 2)
move jump
  choose a in own
  choose ray from a along (around if a in bottom else diagonal) /[over: full], [b: empty | enemy]/
  clear over
  move a to b
  write "{a}x{b}"
move skip
  choose a in own
  choose b in hop(a) near(near(near(a) empty)) and not own
  move a to b
turn jump or skip
""",
    "choices that do not depend on each other": """
move push
  choose a in own
  choose d in orthogonal
  choose k in 1..3
  let line = a or (ray from a along d /own{k - 1}/ if k > 1 else nowhere)
  need count line = k
  need count (d(line) and (empty or line)) = k
  move each s in line to d(s)
  write "{a}{d}" if k = 1 else "{line}{d}"
move side
  choose a in own
  choose e in east or north
  choose k in 2..3
  let line = a or (ray from a along e /own{k - 1}/)
  need count line = k
  choose d in orthogonal
  need count (d(line) and (empty or line)) = k
  move each s in line to d(s)
  n := k
  write "{line}/{d}"
turn push or side
""",
    "a line that tells its step": """
move side
  choose a in own
  choose e in east or north
  choose k in 2..3
  let line = a or (ray from a along e /own{k - 1}/)
  need count line = k
  choose d in orthogonal
  need count (d(line) and (empty or line)) = k
  move each s in line to d(s)
  n := k
  write "{line}/{d}"
turn side
""",
    "a line that does not tell its step": """
move side
  choose a in own
  choose e in orthogonal
  choose k in 2..3
  let line = a or (ray from a along e /own{k - 1}/)
  need count line = k
  choose d in orthogonal
  need count (d(line) and (empty or line)) = k
  move each s in line to d(s)
  n := k
  write "{line}/{d}"
turn side
""",
    "turns of which some cannot be finished": """
move walk
  choose a in own
  choose b in orthogonal(a) empty
  move a to b
move place
  choose p in top empty
  put stone at p
turn walk walk or place walk
after turn
  need not any own bottom and count (near(corners) own) < 2
""",
    "turns of which each decision is the last": """
move place
  choose p in top empty
  put stone at p
move walk
  choose a in own
  choose b in orthogonal(a) empty
  move a to b
turn place walk or walk
after turn
  n := n + 1
""",
    "turns that nothing finishes before `else`": """
move walk
  choose a in own
  choose b in orthogonal(a) empty
  move a to b
move take
  choose p in enemy
  need count own > 9
  clear p
move place
  choose p in top empty
  put stone at p
turn walk take else place
after turn
  n := n + 1
""",
    "chance with one choice": """
move fall
  chance p in empty
  need not p in corners
  put stone at p
move walk
  choose a in own
  choose b in orthogonal(a) empty
  move a to b
turn fall walk
after turn
  n := n + 1
""",
    "the second part of `else`": """
move never
  choose p in empty
  put stone at p
  need count own = 9
move place
  choose p in empty
  put stone at p
  need p in left or p in bottom
turn never else place
""",
}


def draws_alike(pair: Pair, situation: Situation) -> None:
    """Every legal decision is drawn about as often, and no other."""
    kernels, legal = pair.kernels, {pair.encoded(situation.after(o)) for o in situation.options}
    assert len(legal) == len(situation.options) == kernels.perft(situation.position, 1)
    draws = 400 * len(legal)
    drawn = Counter(
        visible(next(kernels.random_plies(situation.position, seed * 0x9E3779B97F4A7C15 % 2**62)))
        for seed in range(1, draws + 1)
    )
    assert set(drawn) == legal
    assert all(abs(count - 400) < 5 * 400**0.5 for count in drawn.values())  # five deviations


@needs_llvm
@pytest.mark.parametrize("rules", CASES.values(), ids=CASES)
def test_every_legal_decision_is_as_likely(rules: str) -> None:
    play = loads(HEAD + rules + "draw when stuck\n").play
    draws_alike(Pair(play, Engine(play, "native")), play.start())


@needs_llvm
@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [("connect5", {"size": 9}, 55), ("twixt", {"size": 9, "pie": False}, 45)],
)
def test_what_is_kept_up_to_date_begins_anywhere(
    name: str, options: dict[str, object], plies: int
) -> None:
    """Lists of empty sites, and links that others cross, are set up for a game under way."""
    play = load_with(name, options).play
    pair = Pair(play, Engine(play, "native"))
    random, situation = Random(3), play.start()
    while situation.position.ply < plies and situation.options:
        situation = situation.after(random.choice(situation.options))
    assert situation.options
    assert pair.kernels.plan.extra > 0
    draws_alike(pair, situation)
    for seed in range(4):
        pair.sampled(seed, 20, situation)


WAYS = {
    "steps that are one number on a narrow board": """format 1
game narrow
players red blue
board square 2 by 3
pieces stone
setup
  put red stone at a1 or b2
  put blue stone at b3
move go
  choose a in own
  choose b in around(a) (empty or enemy)
  move a to b
turn go
""",
    "two steps along rays of which one goes on as the other": """format 1
game strides
players red blue
board square 6 by 2
pieces stone
setup
  put red stone at a1 or b2
  put blue stone at f2
move go
  choose a in own
  choose b in (ray from a along east /empty+/) or ray from a along stride(2, 0) /empty+/
  move a to b
turn go
""",
}


@needs_llvm
@pytest.mark.parametrize("rules", WAYS.values(), ids=WAYS)
def test_ways_that_lead_to_the_same_site_are_distinguished(rules: str) -> None:
    play = loads(rules + "draw when stuck\n").play
    draws_alike(Pair(play, Engine(play, "native")), play.start())


def test_nobody_can_move_where_all_that_is_drawn_is_refused() -> None:
    rules = CASES["nearly all are refused"].replace("p = d1", "p = d3")
    play = loads(HEAD + rules + "lose when stuck\n").play
    kernels = Engine(play, "python")
    assert next(kernels.random_plies(play.first, 5), None) is None
    assert kernels.playout(play.first, 5, 10)[:2] == (0, 1)
    assert kernels.words() == [*kernels.encode(play.first)[:6], 1, *kernels.encode(play.first)[7:]]


def test_a_fault_of_a_decision_that_is_refused_remains() -> None:
    rules = """
move place
  choose p in empty
  n := 0 - 1 if p in left else 1
  put stone at p
  need not p in left
turn place
"""
    play = loads(HEAD + rules + "draw when stuck\n").play
    kernels = Engine(play, "python")
    faults = {kernels.playout(play.first, seed, 1)[2] for seed in range(1, 40)}
    assert faults == {0, 1}
