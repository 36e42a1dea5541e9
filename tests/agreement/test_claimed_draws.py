"""Draws that may be claimed: all executions know them, and searches and proofs count them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulewright import Game, State, loads
from rulewright.compiler.backend import Linked
from rulewright.compiler.engine import Engine
from rulewright.search.best import best, search
from rulewright.search.reference_search import Reference, ResultScorer, SearchBudget
from rulewright.search.results import Limits
from rulewright.search.solve import solve
from rulewright.search.thread_arrays import LinkedEvaluator
from tests.shared.backends import THERE, needs_llvm
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

TEXT = """format 1
game claimed
players red blue
board square 3 by 3
pieces stone
setup
  put red stone at a1
  put blue stone at {blue}
move step
  choose a in own
  choose b in around(a) empty
  move a to b
  {trail}
turn step
draw may be claimed when {claim}
{end}
lose when stuck
draw when ply = 6
"""
texts = st.builds(
    TEXT.format,
    blue=st.sampled_from(("c3", "c2", "b3")),
    trail=st.sampled_from(("put nobody stone at a", "")),
    claim=st.sampled_from(
        ("repeats >= 1", "ply > 3", "ply mod 3 = 1", "own meets b2", "ply > 2 and enemy meets top")
    ),
    end=st.sampled_from(
        (
            "win when own meets c1",
            "win when own = b2 and ply > 3",
            "lose when own meets a3",
            "win when enemy meets corners and ply > 4",
        )
    ),
)
LOSING = TEXT.format(
    blue="c3", trail="put nobody stone at a", claim="own meets b2", end="win when own meets c1"
)
"""Whoever is to move loses by every decision, and may claim a draw."""
NAMES = {1: "win", 0: "draw", -1: "loss"}
moves = st.integers(0, 2**32)


def somewhere(text: str, seed: int) -> State | None:
    """A position some decisions after the first; None where the game is over."""
    state, random = loads(text).start(), Random(seed)
    for _ in range(random.randrange(3)):
        if not state.over:
            state = state.play_decision(random.choice(state.moves.texts))
    return None if state.over else state


def worth(state: State) -> int:
    """The value for who is at move, by trying everything and claiming where that is better."""
    me = state.situation.position.mover
    if state.result is not None:
        winner = state.result.winner
        return 0 if winner is None else 1 if state.game.players.index(winner) == me else -1
    values = [0] if state.claimable else []
    for move in state.moves:
        after = state.play_decision(move)
        v = worth(after)
        values.append(v if after.situation.position.mover == me else -v)
    return max(values)


@needs_llvm
@settings(max_examples=tries(15), deadline=None)
@given(text=texts, seed=moves)
def test_proofs_claim_what_helps(text: str, seed: int) -> None:
    state = somewhere(text, seed)
    if state is not None:
        value = NAMES[worth(state)]
        assert solve(state).value == value
        assert solve(state, shortest=True).value == value
        if not state.game.rules.looks_back:
            assert solve(state, method="proof").value == value


@needs_llvm
@settings(max_examples=tries(10), deadline=None)
@given(text=texts, seed=moves)
@example(text=LOSING, seed=0)
def test_tree_searches_claim_what_helps(text: str, seed: int) -> None:
    state = somewhere(text, seed)
    if state is not None:
        result = best(state, Limits(None, nodes=60_000), 1, "montecarlo")
        assert result.proven in (None, NAMES[worth(state)])


@needs_llvm
@settings(max_examples=tries(15), deadline=None)
@given(text=texts, seed=moves)
@example(text=LOSING, seed=0)
def test_searches_to_the_end_claim_what_helps(text: str, seed: int) -> None:
    state = somewhere(text, seed)
    if state is not None:
        result = best(state, Limits(None, nodes=60_000), 1, "exact")
        assert result.proven in (None, NAMES[worth(state)])
        assert result.value >= 0 or not state.claimable


@settings(max_examples=tries(10), deadline=None)
@given(text=texts, seed=moves)
def test_the_obvious_search_claims_what_helps(text: str, seed: int) -> None:
    state = somewhere(text, seed)
    if state is None or state.claimable:
        return
    me = state.situation.position.mover
    walk = Reference(ResultScorer(me), SearchBudget(Limits(None)), 9)
    lines = walk.root(state, dict.fromkeys(state.moves.texts), True)
    assert max(line.score[0] for line in lines.values() if line) == worth(state)


@pytest.mark.parametrize("backend", THERE)
@settings(max_examples=tries(8), deadline=None)
@given(text=texts, seed=moves)
def test_every_execution_knows_when(backend: str, text: str, seed: int) -> None:
    play = loads(text).play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    pair.game(seed, most=8)
    pair.sampled(seed, most=8)


ENDLESS = TEXT.format(blue="c3", trail="", claim="repeats >= 1", end="win when own meets c1")


def claimed_game(text: str = ENDLESS) -> Game:
    return loads(text.replace("ply = 6", "ply = 20"))


SHUFFLE = "a1-a2 c3-b3 a2-a1 b3-c3 a1-a2"


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_play_goes_on_where_a_draw_may_be_claimed(backend: str) -> None:
    state = claimed_game().start(backend).play(SHUFFLE)
    assert state.claimable
    assert state.result is None
    assert len(state.moves) > 1
    assert state.perft(1) == len(state.moves)
    assert not state.play("c3-c2").claimable
    assert not claimed_game().start(backend).claimable


def test_who_is_stuck_claims_nothing() -> None:
    text = TEXT.format(blue="c1", trail="put nobody stone at a", claim="ply >= 0", end="")
    text = text.replace("3 by 3", "3 by 2").replace("\n\n", "\n").replace("ply = 6", "ply = 9")
    state = loads(text).start().play("a1-b2 c1-c2 b2-b1")
    assert state.over
    assert not state.claimable
    assert state.result is not None
    assert state.result.winner == "red"
    before = loads(text).start().play("a1-b2 c1-c2")
    assert solve(before).value == "win"


ARRAYS = "S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats"


@needs_llvm
def test_a_claim_is_worth_a_draw_to_a_search_by_values() -> None:
    """Red is always five ahead, says the evaluator; blue claims where that is possible."""
    linked = Linked(f"def value({ARRAYS}) -> f64:\n    return 5.0 + F[0]\n", {})
    state = claimed_game().start().play(SHUFFLE.rsplit(" ", 1)[0])
    for valued_ends, expected in ((False, 0.0), (True, 5.0)):
        judge = LinkedEvaluator(linked, (0.0,), valued_ends)
        values = dict(search(state, depth=1, roots=True, evaluator=judge).root)
        assert values["a1-a2"] == expected
        assert values["a1-b2"] == 5.0
