"""The face of the search: limits, forced results, and answers that repeat."""

from __future__ import annotations

import threading
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import Fault, GameOver, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load
from rulewright.search.best import best, best_turn
from rulewright.search.results import Limits, SearchResult
from tests.shared.effort import tries

TICTACTOE = load("tictactoe")


def minimax(state: State) -> int:
    """The value for the player at move, the obvious way."""
    if state.result is not None:
        return 0 if state.result.winner is None else -1
    return max(-minimax(state.play_decision(m)) for m in state.moves.texts)


@pytest.mark.parametrize("fast", [True, False])
@settings(max_examples=tries(12), deadline=None)
@given(data=st.data())
def test_proofs_are_right(fast: bool, data: st.DataObject) -> None:
    with patch("rulewright.search.best.load_engine", load_engine if fast else _off):
        prove(data)


def _off(*_: object, **__: object) -> str:
    return "off"


def prove(data: st.DataObject) -> None:
    state = TICTACTOE.start("reference")
    for _ in range(data.draw(st.integers(4, 7))):
        if not state.over:
            state = state.play_decision(data.draw(st.sampled_from(state.moves.texts)))
    if state.over:
        return
    found = best(state, Limits(seconds=None, depth=9))
    value = minimax(state)
    assert found.proven == {1: "win", 0: "draw", -1: "loss"}[value]
    after = state.play_decision(found.move)
    assert -minimax(after) == value
    for move, claimed in found.root:
        if claimed is not None and value < 1:
            assert claimed == -minimax(state.play_decision(move))


def test_the_shortest_win_is_played() -> None:
    state = TICTACTOE.start().play("a1 b1 a2 b2")
    found = best(state, Limits(seconds=None, depth=5))
    assert (found.move, found.distance, found.proven) == ("a3", 1, "win")


def test_a_loss_is_put_off() -> None:
    # cross threatens b1 and c2 at once: nought loses whatever it does, but not at once
    state = TICTACTOE.start().play("a1 b2 c3 a3 c1")
    found = best(state, Limits(seconds=None, depth=6))
    assert found.proven == "loss"
    assert found.distance == 2
    assert found.move in state.moves


def test_nodes_and_seed_decide_everything() -> None:
    state = load("spanit", size=3).start()
    first, second = (best(state, Limits(seconds=None, nodes=500), seed=3) for _ in range(2))
    assert (first.move, first.root, first.nodes) == (second.move, second.root, second.nodes)
    assert first.nodes <= 501


def test_an_exchange_of_colours_is_judged_for_the_person() -> None:
    # on 5 by 5 a peg in the middle is worth taking over: the one who swaps owns it
    state = load("twixt", size=5).start().play("c3")
    found = best(state, Limits(seconds=None, nodes=6000), seed=1)
    values = dict(found.root)
    assert values["swap"] is not None
    assert found.side == "blue"


def test_a_depth_alone_ends_the_search() -> None:
    found = best(load("connect4").start(), Limits(seconds=None, depth=2))
    assert found.depth == 2
    assert found.move in list("1234567")


def test_whole_turns_end_with_the_turn() -> None:
    state = load("conniption").start()
    decisions, found = best_turn(state, Limits(seconds=None, nodes=40))
    assert len(decisions) == 3
    assert state.play(state.turn_text(decisions)).ply == 1
    assert found.side == "red"


def test_a_finished_game_has_nothing_to_decide() -> None:
    with pytest.raises(GameOver):
        best(TICTACTOE.start().play("a1 b1 a2 b2 a3"))


# --- algorithms ---


@pytest.mark.parametrize("algorithm", ["auto", "alphabeta", "exact", "montecarlo"])
def test_every_algorithm_repeats_itself(algorithm: str) -> None:
    state = load("connect4").start().play("4 4 3")
    limits = Limits(None, nodes=30_000)
    first, second = (best(state, limits, seed=9, algorithm=algorithm) for _ in range(2))
    assert evolve(first, seconds=0.0) == evolve(second, seconds=0.0)
    assert first.nodes <= 30_000
    assert first.move in state.moves
    state.play(" ".join(first.pv))  # the line is legal


@pytest.mark.parametrize("algorithm", ["auto", "alphabeta", "exact", "montecarlo"])
def test_every_algorithm_sees_what_wins_and_what_loses(algorithm: str) -> None:
    limits = Limits(None, nodes=60_000)
    start = load("connect4").start()
    wins = best(start.play("1 2 1 2 1 2"), limits, algorithm=algorithm)
    assert (wins.move, wins.proven, wins.distance, wins.value) == ("1", "win", 1, 1.0)
    # two open ends: whatever red does, yellow completes four
    lost = best(start.play("3 3 4 4 5"), limits, algorithm=algorithm)
    assert (lost.proven, lost.value, lost.distance) == ("loss", -1.0, 2)


@pytest.mark.parametrize("algorithm", ["alphabeta", "montecarlo", "auto"])
def test_threads_share_the_work(algorithm: str) -> None:
    state = load("connect4").start().play("1 2 1 2 1")
    found = best(state, Limits(None, nodes=40_000, threads=2), algorithm=algorithm)
    assert found.move == "1"  # everything else loses at once
    # a thread plays on while the rest is shared out anew; with a limit for each it were 80,000
    assert found.nodes < 60_000


def test_threads_stay_for_a_search_and_no_longer() -> None:
    before, seen = set(threading.enumerate()), list[set[threading.Thread]]()

    def progress(found: SearchResult) -> bool:
        seen.append(set(threading.enumerate()) - before)
        return False

    state = load("connect4").start()
    limits = Limits(None, depth=9, threads=2)
    best(state, limits, algorithm="alphabeta", progress=progress)
    begun = [threads for threads in seen if threads]
    assert seen[0] == set()  # one alone does what is done at once
    assert len(begun) > 1
    assert all(threads == begun[0] and len(threads) == 1 for threads in begun)
    assert not any(thread.is_alive() for thread in begun[0])


def test_progress_comes_with_every_iteration_and_can_end_the_search() -> None:
    seen: list[SearchResult] = []

    def progress(found: SearchResult) -> bool:
        seen.append(found)
        return found.depth >= 3

    state = load("connect4").start()
    rulewright.search(state, time=20.0, algorithm="alphabeta", progress=progress)
    assert [found.depth for found in seen[:3]] == [1, 2, 3]
    assert all(found.side == "yellow" and found.move in state.moves for found in seen)


def test_a_search_can_be_cancelled() -> None:
    state, asked = load("connect4").start(), list[int]()

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 1

    found = rulewright.search(state, time=600.0, cancelled=cancelled)
    assert found.move in state.moves
    assert found.seconds < 300


def test_what_progress_raises_ends_the_search() -> None:
    def progress(_: SearchResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rulewright.search(load("connect4").start(), time=600.0, progress=progress)


def test_roots_have_a_value_for_every_decision() -> None:
    state = load("connect4").start().play("4 4 4")
    some = rulewright.search(state, depth=4, algorithm="alphabeta")
    everything = rulewright.search(state, depth=4, algorithm="alphabeta", roots=True)
    assert None in dict(some.root).values()
    assert None not in dict(everything.root).values()


def test_a_depth_of_turns_looks_at_whole_turns() -> None:
    state = load("conniption").start()
    decisions = rulewright.search(state, depth=3, algorithm="exact")
    turns = rulewright.search(state, depth=3, turns=True, algorithm="exact")
    assert (len(decisions.pv), len(turns.pv)) == (3, 9)  # a turn has three decisions
    assert turns.nodes > 10 * decisions.nodes


@pytest.mark.parametrize(
    "wrong", [{"time": -1.0}, {"depth": 0}, {"threads": 0}, {"memory": 0}, {"algorithm": "magic"}]
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RulewrightError):
        rulewright.search(TICTACTOE.start(), **wrong)


FAULTY = """format 1
game faulty
players red blue
board square 3 by 3
pieces stone
state n = 0

move place
  choose cell in empty
  need n = 0 or 10 / (3 - n) >= 0
  n := n + 1
  put stone at cell

turn place
draw when stuck
"""


def test_a_fault_inside_a_search_has_its_line() -> None:
    """Also in the search of games that are not compiled."""
    with pytest.raises(Fault, match=r"^<?[\w.]+>?:10: a division by zero"):
        best(rulewright.loads(FAULTY).start(), Limits(nodes=200))
