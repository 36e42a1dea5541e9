"""Pieces around which no pattern is tried, and why; games that come back to where they were."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.compare import Comparison
from rulewright.checks.loops import loops
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.games import bundled_games, load, loads
from rulewright.games.files.kinds import load_file
from rulewright.model.board import bits
from rulewright.players.pattern_use import Workbench
from tests.shared.effort import tries

SMALL: Game = load("twixt", size=12)
BENCH = Workbench(SMALL, load_file(PATTERNS, SMALL, "basics"))
MOVES = "l14 p13 m12 l9 f6 q15 h8"


def some(seed: int, plies: int) -> State:
    """A position of TwixT in which somebody is to move."""
    random, state = Random(seed), SMALL.start()
    for _ in range(plies):
        after = state.play_decision(random.choice(state.moves.texts))
        state = state if after.over else after
    return state


@settings(max_examples=tries(15))
@given(st.integers(0, 999), st.integers(0, 24))
def test_every_piece_is_a_reference_point_or_passed_over(seed: int, plies: int) -> None:
    position, matcher = some(seed, plies).situation.position, BENCH.matcher
    for player in (0, 1):
        points = matcher.references(position, player)
        passed = [one.at for one in matcher.not_looked_at(position, player)]
        pieces = [*bits(position.owned[player])]
        every = {(site, way) for site in pieces for way in matcher.directions[player]}
        assert sorted((p.site, p.direction) for p in (*points, *passed)) == sorted(every)


@settings(max_examples=tries(15))
@given(st.integers(0, 999), st.integers(0, 24))
def test_cheapest_paths_lead_through_points_and_no_way_is_cheaper(seed: int, plies: int) -> None:
    position, matcher = some(seed, plies).situation.position, BENCH.matcher
    for player in (0, 1):
        points = {point.site for point in matcher.references(position, player)}
        ((ends, judge),) = matcher._judges
        for one in judge.path_passed(ends.path, position, player):
            if one.through is not None:
                assert one.least is not None
                assert one.through >= one.least
            if one.site in points:
                assert one.through == one.least


def test_what_would_fire_there_fires_where_the_piece_is_a_point(run: Any) -> None:
    told = run("patterns", "why", "twixt", "g8", "--moves", MOVES, "--with", "basics")[1]
    line = "red's f6 south: the cheapest way through it costs 23, the cheapest of all 21; "
    assert f"{line}Def block_beside_close would fire" in told
    words = ("--moves", MOVES, "--with", "basics", "--format", "json")
    data = json.loads(run("patterns", "why", "twixt", "g8", *words)[1])
    assert [one["at"] for one in data["not_looked_at"]] == ["f6"]
    assert data["ways"] == []


@pytest.mark.parametrize("name", ["chess", "loa"])
def test_loops_lead_back(name: str) -> None:
    start = load(name).start()
    loop = next(loops(start, Random(1)))
    state = start
    for text in loop:
        state = state.play_decision(text)
    assert (state.board(), state.mover) == (start.board(), start.mover)


def test_no_loops_where_pieces_stay() -> None:
    assert list(loops(load("tictactoe").start(), Random(1))) == []


def test_rules_that_count_positions_part_on_the_shortest_loop() -> None:
    text = bundled_games()["loa"].read_text("utf-8")
    other = loads(text.replace("draw when repeats >= 2", "draw when repeats >= 3"))
    found = Comparison(load("loa"), other)._repeated()
    assert found is not None
    assert len(found.moves) == 8
    assert (found.first, found.second) == ("a draw", "")


def test_a_difference_met_before_a_loop_is_reported() -> None:
    text = """format 1
game kings
players red blue
board square 4 by 4
pieces king
setup
  put red king at a1 or b1
  put blue king at c4 or d4
move go
  choose a in own
  choose b in around(a) (empty or enemy)
  move a to b
turn go
lose when no own
draw when repeats >= 2
"""
    other = loads(
        text.replace("draw when repeats >= 2", "draw when repeats >= 2 or count full < 4")
    )
    found = Comparison(loads(text), other)._repeated()
    assert found is not None
    assert (found.first, found.second) == ("", "a draw")
