"""Searches that stop at their depth: a player without a decision has come to the rules' result."""

from __future__ import annotations

import sys
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.layout import Unsupported
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import loads
from rulewright.search.best import search
from rulewright.search.driver import DEEPEST
from rulewright.search.fallback import plain_search
from rulewright.search.results import Limits, person, result_of
from rulewright.search.solve import CUT, LIMIT, solve
from tests.generators import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.playing import after

pytestmark = needs_llvm

RULES = """format 1
game room

players red blue
board square {width} by 2
pieces man

move place
  choose a in empty
  need no own orthogonal(a)
  put man at a

turn place

{end} when stuck
"""
ENDS = ("lose", "win", "draw")


@cache
def room(end: str, width: int) -> Game:
    return loads(RULES.format(end=end, width=width))


def minimax(state: State, who: int, depth: int) -> tuple[int, bool]:
    """The result for a person as far as one looks, and whether it is proven."""
    outcome = state.situation.outcome
    if outcome is not None:
        return result_of(outcome, state.situation.position, who), True
    if depth == 0:
        return 0, False
    found = [minimax(state.play_decision(m), who, depth - 1) for m in state.moves.texts]
    mine = person(state) == who
    best = max(v for v, _ in found) if mine else min(v for v, _ in found)
    return best, best == (1 if mine else -1) or all(sure for _, sure in found)


def agrees(state: State, depth: int, backend: str | None = None) -> None:
    """Every decision is worth what minimax says of it."""
    who = person(state)
    true = {m: minimax(state.play_decision(m), who, depth - 1) for m in state.moves.texts}
    found = search(state, depth=depth, algorithm="exact", roots=True, backend=backend)
    assert dict(found.root) == {move: value for move, (value, _) in true.items()}
    best = max(value for value, _ in true.values())
    sure = best == 1 or all(sure for _, sure in true.values())
    name = {1: "win", 0: "draw", -1: "loss"}[best]
    assert found.proven == (name if sure else None)


@pytest.mark.parametrize("backend", ["native", "python"])
@pytest.mark.parametrize("end", ENDS)
@given(seed=st.integers(0, 99), plies=st.integers(1, 3), depth=st.integers(1, 3))
@settings(max_examples=tries(8), deadline=None)
def test_who_is_stuck_where_looking_stops_has_the_rules_result(
    end: str, backend: str, seed: int, plies: int, depth: int
) -> None:
    state = after(room(end, 4), seed, plies)
    if not state.over:
        agrees(state, depth, backend)


@pytest.mark.parametrize("end", ENDS)
def test_the_plain_search_knows_it_too(end: str) -> None:
    """Whoever is left without a cell, one decision ahead."""
    state = room(end, 1).start("reference").play_decision("a1")
    found = plain_search(state, Limits(None, depth=1))
    assert found.proven == {"lose": "win", "win": "loss", "draw": "draw"}[end]


@given(text=rule_files(), depth=st.integers(1, 2), seed=st.integers(0, 9))
@settings(max_examples=tries(15), deadline=None)
def test_random_files_agree(text: str, depth: int, seed: int) -> None:
    """Whatever ends a game: results alone, looked at a few decisions deep."""
    try:
        game = loads(text)
        state = after(game, seed, 3)
        if state.over or len(state.moves) > 12 or isinstance(load_engine(game), str):
            return
        agrees(state, depth)
    except (RulewrightError, Unsupported):
        return


ENDLESS = """format 1
game endless

players red blue
board square 4 by 1
pieces man
state n = 0 in 0..1

{place}move m
  n := 1 - n

turn {turn}

draw when stuck
"""
PLACE = "move p\n  choose a in empty\n  put man at a\n\n"


@pytest.mark.parametrize("backend", ["native", "python"])
@pytest.mark.parametrize("method", ["alphabeta", "proof"])
def test_an_endless_game_is_reported_as_endless(backend: str, method: str) -> None:
    """Without machine code too, where each level of a line takes several of Python's calls."""
    state = loads(ENDLESS.format(place="", turn="m")).start()
    before = sys.getrecursionlimit()
    found = solve(state, method=method, backend=backend)
    assert (found.value, found.reason) == (None, CUT)
    assert sys.getrecursionlimit() == before
    assert solve(state, Limits(None, nodes=3), method=method, backend=backend).reason == LIMIT


def test_an_endless_game_has_lines_of_any_kind() -> None:
    found = solve(loads(ENDLESS.format(place=PLACE, turn="p or m")).start())
    assert (found.value, found.reason, found.depth) == (None, CUT, DEEPEST)


def test_a_long_line_of_the_reference_is_cut_as_well() -> None:
    """It looks as far as kernels do, however deep it is asked to look."""
    state = loads(ENDLESS.format(place="", turn="m")).start("reference")
    assert plain_search(state, Limits(None, depth=300)).proven is None
