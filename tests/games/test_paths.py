"""Cheapest paths: costs, ends and faults, counted by hand and in another way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import load
from rulewright.games.files.kinds import load_file
from rulewright.model.board import bits
from rulewright.reference import cheapest
from rulewright.reference.evaluation import StaticEvaluator
from tests.shared.effort import tries
from tests.shared.evaluating import game, judge, values, written
from tests.shared.playing import played_on

TWIXT = """
     a b c d e f g h
   1 . . . . . . . .      red: column c from row 1 down to c3 costs 2, its links lead to e4 and f6,
   2 . . . . . . . .      from f6 down to f8 costs 2: 4 rows
   3 . . o . . . . .
   4 . . . . o . . x      blue: from a7 east to d7 costs 3, its link leads to b6 and to d7,
   5 . . . . . . . .      so from a6 to b6 costs 1, from d7 to h7 costs 4: 5 rows
   6 . x . . . o . .
   7 . . . x . . . .
   8 . . . . . . . .
"""


def twixt() -> State:
    """Red c3-e4-f6, blue b6-d7 and h4, all that a knight's move joins is linked."""
    board = load("twixt", size=8, pie=False)
    return board.start().play("c3 b6 e4 d7 f6 h4")


def test_rows_of_twixt_counted_by_hand() -> None:
    state = twixt()
    board, wise = (
        state.game,
        StaticEvaluator(state.game.play, load_file(EVALUATOR, state.game, "t1")),
    )
    position = state.situation.position
    path = wise.evaluator.paths[0]
    rows = []
    for player in (0, 1):
        context = wise.context(position, player, wise.evaluator.defaults, Random(0))
        costs, _ = cheapest.search(path, context)
        goal = board.rules.board.region("bottom" if player == 0 else "right")
        assert goal is not None
        rows.append(min(costs[s] for s in bits(goal) if s in costs))
    assert rows == [4, 5]
    assert values(state, "t1") == {"value": 1}


def test_cheapest_paths_leave_groups_at_their_ends() -> None:
    """As in the document's figure: each end with the way in which the path leaves it."""
    state = twixt()
    wise = StaticEvaluator(state.game.play, load_file(EVALUATOR, state.game, "t1"))
    names = state.game.rules.board.names
    found = [
        [(names[end.site], end.forward) for end in wise.path_ends("rows", p, view)]
        for p in [state.situation.position]
        for view in (0, 1)
    ]
    red, blue = found
    assert red == [("c3", False), ("f6", True)]  # to the top from c3, to the bottom from f6
    assert blue == [("b6", False), ("d7", True)]  # h4 is on no cheapest path


@pytest.mark.parametrize(("peg", "forward"), [("c1", True), ("c8", False)])
def test_a_peg_on_a_border_is_left_inwards_alone(peg: str, forward: bool) -> None:
    board = load("twixt", size=8, pie=False)
    wise = StaticEvaluator(board.play, load_file(EVALUATOR, board, "t1"))
    found = wise.path_ends("rows", board.start().play(peg).situation.position, 0)
    assert [(board.rules.board.names[end.site], end.forward) for end in found] == [(peg, forward)]


def test_a_way_that_is_blocked_costs_what_the_factor_says() -> None:
    board = load("twixt", size=5, pie=False)
    position = board.play.first
    wall = board.rules.board.region("top")
    assert wall is not None
    row_three = wall << 10 | 1 << 10 | 1 << 14
    position = position.put(1, 0, row_three)
    wise = StaticEvaluator(board.play, load_file(EVALUATOR, board, "t1"))
    assert wise.of_position(wise.evaluator.values[0], position) == (4 - 99,)


def test_the_better_evaluator_knows_whose_turn_it_is() -> None:
    board = load("twixt", size=8, pie=False)
    wise = StaticEvaluator(board.play, load_file(EVALUATOR, board, "turns"))
    # Red c3-e4-f6 reaches the last row from e8 or g8, and blue has a peg beside each of them.
    position = board.start().play("c3 b6 e4 d7 f6 h7").situation.position
    path = wise.evaluator.paths[0]
    costs = []
    for mover in (0, 1):
        here = evolve(position, mover=mover)
        context = wise.context(here, 0, wise.evaluator.defaults, Random(0))
        known, _ = cheapest.search(path, context)
        goal = board.rules.board.region("bottom")
        assert goal is not None
        costs.append(min(known[s] for s in bits(goal) if s in known))
    assert costs[0] < costs[1]


@settings(deadline=None, max_examples=tries(10))
@given(seed=st.integers(0, 10**6))
def test_hex_costs_are_the_cells_that_have_to_be_filled(seed: int) -> None:
    """No smaller set of empty cells joins the sides: tried one cell at a time."""
    random, state = Random(seed), game("hex", size=4).start()
    state = played_on(state, random, random.randrange(10))
    board, position = state.game.rules.board, state.situation.position
    wise = judge("hex", size=4)
    steps = board.neighbours(board.steps["near"])
    top, bottom = board.region("top"), board.region("bottom")
    assert top is not None
    assert bottom is not None
    passable = board.sites & ~position.owned[1]
    best = {s: int(not position.owned[0] >> s & 1) for s in bits(passable & top)}
    for _ in range(board.count):  # Bellman and Ford's way, not Dijkstra's
        for site, cost in list(best.items()):
            for other in bits(steps[site] & passable):
                step = int(not position.owned[0] >> other & 1)
                best[other] = min(best.get(other, 99), cost + step)
    least = min((best[s] for s in bits(bottom) if s in best), default=99)
    context = wise.context(position, 0, wise.evaluator.defaults, Random(0))
    costs, _ = cheapest.search(wise.evaluator.paths[0], context)
    assert min((costs[s] for s in bits(bottom) if s in costs), default=99) == least


def test_a_negative_cost_is_a_fault_of_the_path() -> None:
    board = game("hex", size=3)
    text = """format 1
evaluator t for hex
path way
  from home costs 0
  to goal
  step near costs 0 - count empty
  else 9
value of position for red = way
"""
    wise = StaticEvaluator(board.play, written(text, board))
    with pytest.raises(Fault) as caught:
        wise.of_position(wise.evaluator.values[0], board.play.first)
    assert (caught.value.code, wise.evaluator.place(caught.value.origin)) == (
        "negative-cost", "t.eval:6",
    )  # fmt: skip


WALLS = """format 1
evaluator walls for twixt
let ahead for red = south
let ahead for blue = east
let beside for red = east
let beside for blue = south
let pegs = own or enemy
let walled = beside(those(s in pegs : bridge(s) meets ahead(beside(beside(s)))))
path way
  from home and not enemy costs 0
  to goal
  step ahead into not enemy and not walled costs 10
  step bridge costs 0
  else 990
value of position for mover = way for enemy - way
claim after "m12 b5 m14 d6" walled for red = c5
"""


def test_a_set_that_asks_for_no_site_of_a_step_is_worked_out_once(tmp_path: Path) -> None:
    """So it is not counted once for every step, which was refused as too long on a big board."""
    file = tmp_path / "walls.eval"
    file.write_text(WALLS)
    assert main(["check", str(file)]) == 0
