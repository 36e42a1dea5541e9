"""Reference, kernels in Python and machine code agree: what once differed, and random rules."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import Unsupported
from rulewright.games.files.games import loads
from tests.generators import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.bundled import GAMES, game
from tests.shared.effort import tries
from tests.tools.agreement.files import FALLS_BACK, smallest, verdict
from tests.tools.agreement.pair import Counts, DisagreementError, Pair

IN_PYTHON = [name for name in GAMES if name != "chess"]  # ten thousand lines: seconds to read
seeds = st.integers(0, 2**32)

HEAD = """format 1
game small
players red blue
board square 3 by 3
pieces stone
"""
ONCE = {
    "a step that a position picks, there and back": """
move go
  choose a in own
  let ways = [north, east, southwest]
  let d = ways(count own mod 3)
  let back = opposite(d)
  choose b in (d(a) or back(a)) empty
  put stone at b
move place
  choose cell in empty
  put stone at cell
turn go or place
draw when ply = 5
""",
    "a number beyond a list of steps is a fault where it is picked, used or not": """
move go
  choose a in empty
  let ways = [north, east]
  let d = ways(count own)
  put stone at a
  if ply > 3
    put stone at d(a)
turn go
draw when ply = 7
""",
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
    "a piece is given to the enemy": """
move give
  choose cell in empty
  put enemy stone at cell
move keep
  choose cell in empty corners
  put stone at cell
turn give or keep
lose when some(l in lines(3) : l in own)
draw when stuck
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
    "a ray and a leap that lead to the same site are one decision": """
let far = leap(0, 2)
move slide
  choose a in own or b2
  choose b in ray from a along orthogonal /empty*, [empty]/
  put stone at b
  write "{a}{b}"
move leap
  choose a in own or b2
  choose b in far(a) empty or northeast(a) empty
  put stone at b
  write "{a}{b}"
turn slide or leap
draw when stuck
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
    "a state that the players share begins with one value": """
state last = enemy
setup
  put red stone at a1
  put blue stone at c3
move act
  choose cell in last
  put stone at cell
turn act
draw when ply = 3
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
    "groups have neighbours either way along steps that do not lead back": """
move place
  choose cell in empty
  put stone at cell
turn place
win when some(g in groups(own, southwest or east) : g meets bottom and g meets top)
lose when count groups(own, northwest) = 1 and ply > 3
let lined(g) = g meets left
let worth = sum(g in groups(own, north) : count g) - count(g in groups(enemy, west) : lined(g))
score worth when ply = 8
draw when stuck
""",
    "what is reached along steps that do not lead back": """
let slope = northeast or east
move place
  choose cell in empty
  need cell in reach(own or a1, not enemy, slope) or cell in reach(own or a3, sites, south)
  put stone at cell
turn place
win when some(c in own top : c in reach(own left, own, slope))
lose when stuck
""",
    "links that join sites along steps that do not lead back": """
let slope = northeast or east
links wire along slope
move place
  choose cell in empty
  put stone at cell
  link cell to slope(cell) own
move tie
  choose a in own
  choose b in southwest(a) own
  need no b wire(a)
  link a to b
turn place tie?
win when some(g in groups(own, wire) : g meets left and g meets right)
lose when count groups(own, wire) = 2 and any reach(own bottom, own, wire) top
draw when stuck
""",
    "a second choice that does not depend on the first": """
setup
  put red stone at b2
  put blue stone at c3
move pull
  choose e in own
  choose t in top empty
  move e to t
turn pull
lose when stuck
draw when ply = 9
""",
    "steps that depend on the site that was chosen": """
setup
  put red stone at a1
  put blue stone at c3
let ways(a) = around if a in corners else orthogonal
move go
  choose a in own
  choose d in ways(a)
  need d(a) meets empty
  put stone at d(a)
turn go
draw when stuck
""",
    "steps that depend on a step that was chosen": """
setup
  put red stone at a1 or b1
  put blue stone at c3
let ahead for red = north or east
let ahead for blue = south
let ways(a) = around if a in corners else ahead
move go
  choose a in own
  choose d in ways(a)
  choose e in (east or west) if d = north else opposite(d) if d <> south else diagonal
  need d <> e
  need any e(a) empty
  move a to e(a)
  write "{a}{d}{e}"
turn go
draw when stuck
draw when ply = 8
""",
    "ways back from steps that depend on a site": """
setup
  put red stone at a1 or b1
  put blue stone at c3
let ways(a) = around if a in corners else orthogonal
move go
  choose a in own
  let way = ways(a)
  need any way(a) empty or some(s in way(a) : s in enemy)
  put stone at way(a) empty
turn go
draw when stuck
draw when ply = 5
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


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_llvm)])
@pytest.mark.parametrize("rules", ONCE.values(), ids=ONCE)
def test_what_once_differed(rules: str, backend: str) -> None:
    play = loads(HEAD + rules).play
    pair = Pair(play, Engine(play, backend))
    for seed in range(tries(5)):
        pair.game(seed, most=20)
        pair.sampled(seed, most=20)
    pair.perft(2)


def test_a_fault_of_looking_whether_a_turn_goes_on() -> None:
    """The reference meets it with the decision before, kernels where it is played."""
    rules = """
state spent = 0 in 0..1
move act
  choose cell in empty
  put stone at cell
move leave
  choose n in 1..2
  spent := spent + 1
turn (act or leave)*
draw when stuck
"""
    found = verdict(HEAD + rules, "python", 3, 15, Counts())
    assert not found.finding, found.trace


def test_a_site_and_a_set_of_one_are_written_alike() -> None:
    """Rows hold them in different ways, and kernels do not compare them: the reference plays."""
    rules = """
move go
  choose l in lines(1)
  put stone at l
move act
  choose cell in empty
  put stone at cell
turn act or go
draw when stuck
"""
    play = loads(HEAD + rules).play
    assert len({o.text for o in play.start().options}) == len(play.start().options) == 9
    with pytest.raises(Unsupported, match="a site and a set of one site may be written alike"):
        Engine(play, "python")


def test_a_fault_of_a_decision_that_is_written_as_another() -> None:
    """Kernels leave the second one out and hand over; the reference meets its fault."""
    rules = """
move go
  choose cell in empty
  again
move act
  choose cell in empty
  put stone at cell
  if height(cell) > 0
    move 3 of cell under b1
  again
move leave
turn go or (act or leave)
draw when stuck
"""
    head = HEAD.replace("3 by 3", "3 by 2 stacked 40")
    result = verdict(head + rules, "python", 3, 15, Counts())
    assert not result.finding, result.trace


# --- bundled games ---


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


WIDE = {"arimaa": 30, "chess": 30, "backgammon": 8}
"""Decisions of games of which the reference needs long for a position."""


@needs_llvm
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds)
def test_machine_code_agrees_with_the_reference(name: str, seed: int) -> None:
    pair = Pair(game(name).play, engine(name, "native"))
    pair.game(seed, WIDE.get(name, 40))
    pair.sampled(seed, WIDE.get(name, 60))


@pytest.mark.parametrize("name", IN_PYTHON)
@settings(max_examples=1, deadline=None)
@given(seed=seeds)
def test_python_agrees_with_the_reference(name: str, seed: int) -> None:
    pair = Pair(game(name).play, engine(name, "python"))
    pair.game(seed, 12)
    pair.sampled(seed, 12)


@needs_llvm
@pytest.mark.parametrize("name", ["tictactoe", "connect4", "twixt", "othello", "conniption"])
def test_machine_code_plays_the_same_random_games_as_python(name: str) -> None:
    first = game(name).play.first
    games = [engine(name, backend).playouts(first, 5, seed=3) for backend in ("python", "native")]
    assert games[0] == games[1]


# --- random rules ---

few = settings(deadline=None, suppress_health_check=list(HealthCheck))


def agrees(text: str, backend: str) -> None:
    found = verdict(text, backend, 1, 15, Counts())
    assert not found.finding, found.trace


@settings(few, max_examples=tries(15))
@given(rule_files())
def test_random_rules_in_python(text: str) -> None:
    agrees(text, "python")


@settings(few, max_examples=tries(15))
@given(rule_files(grows=True))
def test_random_rules_that_only_add_pieces(text: str) -> None:
    """Those of which random games keep lines and groups up to date."""
    agrees(text, "python")


@needs_llvm
@settings(few, max_examples=tries(5))
@given(rule_files())
def test_random_rules_as_machine_code(text: str) -> None:
    agrees(text, "native")


@settings(few, max_examples=tries(12))
@given(rule_files(lucky=True))
def test_random_rules_of_chance_and_secrets(text: str) -> None:
    agrees(text, "python")


@needs_llvm
@settings(few, max_examples=tries(4))
@given(rule_files(lucky=True))
def test_random_rules_of_chance_as_machine_code(text: str) -> None:
    agrees(text, "native")


# --- the comparison itself ---


def test_a_wrong_kernel_is_detected() -> None:
    """Every comparison has to be able to fail: kernels of other rules must not agree."""
    place = "\nmove place\n  choose cell in {}\n  put stone at cell\nturn place\n{}\n"
    right = loads(HEAD + place.format("empty", "draw when ply = 3")).play
    for other in (
        place.format("empty corners", "draw when ply = 3"),  # fewer decisions
        place.format("empty", "win when ply = 3"),  # another result
        place.format("empty", "draw when ply = 3").replace("at cell", "at cell or a1"),  # effects
    ):
        pair = Pair(right, Engine(loads(HEAD + other).play, "python"))
        with pytest.raises(DisagreementError):
            pair.game(1, most=20)


def test_a_finding_is_cut_down_to_what_shows_it() -> None:
    lines = (
        "state n = 1", "let some_sites = top", "move go", "  choose a in empty",
        "  need n = 1", "  put stone at a", "turn go",
        "score count own / 2 - 1 when no empty", "draw when stuck",
    )  # fmt: skip

    def falls_back(text: str) -> bool:
        return verdict(text, "python", 1, 5, Counts()).what == FALLS_BACK

    rules = HEAD + "\n".join(lines) + "\n"
    assert falls_back(rules)
    assert smallest(rules, falls_back).splitlines()[5:] == ["move go", "turn go", lines[-2]]
