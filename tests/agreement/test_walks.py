"""Rays that are walked: parts of so many sites, marks that are counted, and how far walks go."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.files.games import loads
from tests.shared.backends import BACKENDS
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

GAME = """format 1
game small
players red blue
board square 5 by 5
pieces stone
let way for red = north
let way for blue = east
setup
  put red stone at a1 or c2 or c3
  put blue stone at e5 or d2 or b3
move go
  choose a in own
  choose d in around
  let n = count (own whole_line(a, d))
  choose ray from a along d /{pattern}/
  {need}
  clear a
  put stone at b
  write "{{a}}{{b}}{over}"
turn go
{end}
draw when ply = 8
draw when stuck
"""
PATTERNS = {
    "as many as counted": "(own | empty){n - 1}, [b: empty]",
    "fewer than none at times": "full{n - 2}, [b: not own]",
    "fewer than none of two sites": "(full, full){n - 2}, [b: not own]",
    "single sites between": "full, own*, [b: empty], enemy{n}",
    "others than single sites": "(own, full | enemy)*, [b: empty]",
    "no bound": "(own | enemy)+, [b: empty]",
}
COUNTED = {
    "before a test": (
        "[over: own*], [past: empty*], [b: not own]",
        "need count past <= count over",
    ),
    "and looked at": ("[over: full{n}], [b: empty]", "need count over < 2 or over meets enemy"),
    "by a definition": ("[over: full*], [b: empty]", "need few(over)"),
}
ENDS = {
    "at most": "count groups(own, around) <= 1",
    "fewer": "count groups(full) < 3",
    "so many": "count groups(own, around) = 2 and ply > 2",
    "more": "2 < count groups(full)",
}


def game_of(pattern: str, need: str = "need ply < 9", end: str = "win when ply = 7") -> Game:
    over = "{over}" if "over" in pattern else ""
    text = GAME.format(pattern=pattern, need=need, end=end, over=over)
    if "few(" in need:
        text = text.replace("setup", "let few(s) = count s < 2 or s meets b3\n\nsetup")
    return loads(text)


def compare(game: Game, backend: str) -> None:
    pair = Pair(game.play, Engine(game.play, backend, use_cache=False))
    for seed in range(tries(3)):
        pair.game(seed, most=8)
    pair.perft(2)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_matches_are_those_of_the_reference(pattern: str, backend: str) -> None:
    compare(game_of(pattern), backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("pattern", "need"), COUNTED.values(), ids=COUNTED)
def test_marks_are_counted_as_by_the_reference(pattern: str, need: str, backend: str) -> None:
    compare(game_of(pattern, need), backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_groups_are_counted_no_further_than_asked(end: str, backend: str) -> None:
    compare(game_of("(own | empty)*, [b: not own]", end=f"win when {end}"), backend)


ROUND = """format 1
game ringer
players red blue
board square 3 by 3
  line onward: a1 b1 c1 c2 c3 b3 a3 a2 a1
pieces stone
setup
  put red stone at a1
  put blue stone at c3
move walk
  choose a in own
  choose ray from a along onward /(empty | own | enemy){{{far}}}, [b: empty]/
  move a to b
turn walk else rest
move rest
draw when ply = 6
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("far", "walks"), [(6, True), (7, False), (9, False), (60, False)])
def test_a_ray_goes_round_a_closed_line_once(backend: str, far: int, walks: bool) -> None:
    """Seven sites lie behind the first one: where more are wanted nobody can walk."""
    game = loads(ROUND.format(far=far))
    assert ("rest" not in game.start().moves.texts) is walks
    compare(game, backend)


STILL = """format 1
game still
players red blue
board square 4 by 3
  line onward for red: a1 b1 c1 d1 d2 c2 b2 a2 a3 b3 c3 d3
  line onward for blue: d3 c3 b3 a3 a2 b2 c2 d2 d1 c1 b1 a1
pieces stone
let dry = sites and not c2
let ahead(s) = ray from s along onward /[dry*]/
let behind(s) = ray from s along opposite(onward) /left*, [sites]/
let stretch(t, s) = ray from s along east /[t*]/
setup
  put red stone at a1 or b1
  put blue stone at d3
move walk
  choose a in own
  choose n in 1..3
  need count ahead(a) > n
  let b = onward(a, n)
  need b in empty and no behind(a) enemy and (a in right or count stretch(sites, a) > 0)
  move a to b
  write "{a}/{n}"
move look
  choose d in orthogonal
  choose a in own
  need count (ray from a along d /[sites*]/) > 1
  write "{a}{d}"
turn walk or look
draw when stuck or ply = 12
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_rays_that_no_position_changes_are_tables(backend: str) -> None:
    game = loads(STILL)
    compare(game, backend)
    notes = Engine(game.play, backend).plan.notes
    forms = {note.form for note in notes.values() if note.part == "ray"}
    assert "a table by site, because no position changes it" in forms


SOWING = """format 1
game sowing
players red blue
board square 3 by 2
  line onward: a1 b1 c1 c2 b2 a2 a1
state seeds each s in sites = 1 in 0..9
move sow
  choose k in row(1) if mover = red else row(2)
  need seeds(k) > 0
  seeds(k) := seeds(k) - 1
  seeds(onward(k)) := seeds(onward(k)) + 1
turn sow
draw when repeats >= 1
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_positions_without_pieces_come_back(backend: str) -> None:
    """Earlier positions are told apart by a sum where no piece ever stands."""
    game = loads(SOWING)
    assert Engine(game.play, backend).earlier.factors
    assert not Engine(loads(ROUND.format(far=6)).play, backend).earlier.factors
    compare(game, backend)


RUNS = """format 1
game runs
players red blue
board square {size} by {size}
pieces stone
setup
  put red stone at row(4) column(4) or row({size})
  put blue stone at row(3) or column(2) or diagonal(row(4) column(4))
move turn_over
  choose a in empty
  let run = ray from a along {steps} /[enemy{times}], own/
  need any run
  put stone at run
  put stone at a
move pass
turn turn_over else pass
draw when ply = 12
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("steps", ["around", "diagonal", "leap(1, 2)"])
@pytest.mark.parametrize("size", [7, 9, 12])
def test_runs_end_at_the_nearest_site(size: int, steps: str, backend: str) -> None:
    """On boards of one word, of two and of three."""
    for times in "*", "+":
        game = loads(RUNS.format(size=size, steps=steps, times=times))
        compare(game, backend)
        notes = Engine(game.play, backend).plan.notes.values()
        by_bits = any(note.form.startswith("a run to its nearest end") for note in notes)
        assert by_bits is (size > 8)
