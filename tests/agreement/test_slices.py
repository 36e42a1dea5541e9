"""Searches in slices: however one is cut into pieces, its result and its nodes are the same."""

from __future__ import annotations

from functools import cache
from itertools import chain, product, repeat
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.games.engine import kernels
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players import machine
from rulewright.players.personality import Personality
from rulewright.search.candidates import narrowed_root
from rulewright.search.decide import Decider, SearchOptions
from rulewright.search.driver import Driver
from rulewright.search.one_ply import Weigher, scales_for
from rulewright.search.results import BeamShape, Limits
from rulewright.search.solve import Solver
from rulewright.search.thread_arrays import Root
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.playing import after

pytestmark = needs_llvm

GAMES = {
    "connect4": {"width": 5, "height": 4}, "tictactoe": {}, "conniption": {}, "hex": {"size": 4},
    "othello": {}, "go": {"size": 5}, "twixt": {"size": 6}, "amazons": {}, "spanit": {"size": 3},
}  # fmt: skip
NODES = 2500
slicings = st.lists(st.sampled_from([1, 2, 3, 7, 40, 300]), min_size=1, max_size=60)
seeds = st.integers(0, 2**32)


@cache
def game(name: str) -> Game:
    return load_with(name, dict(GAMES.get(name, {})))


def engine(board: Game, backend: str = "native") -> Engine:
    found = kernels.load_engine(board, backend)
    assert isinstance(found, Engine)
    return found


def some_state(name: str, seed: int, plies: int = 8) -> State:
    return after(game(name), seed, plies)


def in_slices(search: Driver[Any], slices: list[int]) -> Any:
    """The answer of a search by these slices, and then by larger ones; none may be overdrawn."""
    for nodes in chain(slices, repeat(NODES // 3)):
        before = search.nodes
        more = search.step(nodes)
        assert search.nodes - before <= nodes
        if not more:
            return evolve_seconds(search.result())
    raise AssertionError


def evolve_seconds(found: Any) -> Any:
    return evolve(found, seconds=0.0) if hasattr(found, "seconds") else found


def at_once(search: Driver[Any]) -> Any:
    while search.step(2**40):
        pass
    return evolve_seconds(search.result())


@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds, slices=slicings)
def test_random_games_that_keep_lists_go_on_alike(seed: int, slices: list[int]) -> None:
    """Lists of empty sites are in an order that is no part of the position."""
    board = load_with("hex", {"size": 9})
    kernels = engine(board)
    assert kernels.plan.extra > 0
    root = Root(after(board, seed, 8), kernels)

    def search() -> Decider:
        limits, options = (
            Limits(None, NODES, None, memory=1 << 18),
            SearchOptions("montecarlo", seed),
        )
        return Decider(engine=kernels, limits=limits, root=root, options=options)

    assert in_slices(search(), slices) == at_once(search())


@pytest.mark.parametrize("algorithm", ["auto", "alphabeta", "exact", "montecarlo"])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=tries(2), deadline=None)
@given(seed=seeds, slices=slicings)
def test_slices_decide_as_a_whole_search(
    name: str, algorithm: str, seed: int, slices: list[int]
) -> None:
    """Mutations this has caught: a random game that ended with its slice."""
    state = some_state(name, seed)
    kernels = engine(state.game)

    def search() -> Decider:
        depth = 4 if algorithm in ("alphabeta", "exact") else None  # most end by it: nodes tell
        limits = Limits(None, NODES * (4 if depth else 1), depth, memory=1 << 18)
        options = SearchOptions(algorithm, seed)
        return Decider(engine=kernels, limits=limits, root=Root(state, kernels), options=options)

    assert in_slices(search(), slices) == at_once(search())


@pytest.mark.parametrize(
    ("method", "name"),
    [
        *product(
            ("alphabeta", "proof", "shortest"),
            ("connect4", "tictactoe", "hex", "spanit", "conniption"),
        ),
        ("connections", "hex"),
        ("connections", "spanit"),
    ],
)
@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds, slices=slicings)
def test_slices_prove_as_a_whole_proof(
    name: str, method: str, seed: int, slices: list[int]
) -> None:
    state = some_state(name, seed)
    kernels = engine(state.game)

    def search() -> Solver:
        shortest = method == "shortest"
        return Solver(
            engine=kernels, limits=Limits(None, 4 * NODES, memory=1 << 16),
            root=Root(state, kernels), shortest=shortest,
            method="alphabeta" if shortest else method,
        )  # fmt: skip

    assert in_slices(search(), slices) == at_once(search())


@pytest.mark.parametrize(("name", "who"), [("spanit", "default"), ("connect5", "smart")])
@settings(max_examples=tries(4), deadline=None)
@given(seed=seeds, slices=slicings, depth=st.integers(1, 4))
def test_beams_weigh_alike(name: str, who: str, seed: int, slices: list[int], depth: int) -> None:
    """One decision ahead, and behind the best ones; also with values that are drawn at random."""
    state = some_state(name, seed)
    player = Personality.load(who, state.game)
    kernels = engine(state.game)
    model = player.model
    assert model.evaluator is not None
    shape = BeamShape(3, depth, 0.2, 0.15) if who == "default" else None
    scorer = player.scorer(state, "", Random(0))
    judge = machine.native_evaluator(
        kernels, model.evaluator, scorer.value, model.factors, judges_ends=False
    )
    assert judge is not None

    def found(slices: list[int] | None) -> Any:
        with scales_for(kernels, judge, scorer.value, 5) as scales:
            scales.place(state.situation.position)
            search = Weigher(
                engine=kernels, limits=Limits(None), state=state, scorer=scorer, scales=scales,
                beam=shape, line_kind="all",
            )  # fmt: skip
            lines = at_once(search) if slices is None else in_slices(search, slices)
            return lines, search.nodes

    assert found(slices) == found(None)


@pytest.mark.parametrize(
    ("name", "who", "depth"),
    [("twixt", "t1_ends", 2), ("connect4", "counter", 6), ("breakthrough", "marcher", 4)],
)
@settings(max_examples=tries(4), deadline=None)
@given(seed=seeds, slices=slicings)
def test_searches_with_an_evaluator_are_alike(
    name: str, who: str, depth: int, seed: int, slices: list[int]
) -> None:
    """Most are searched to their depth, so that every node counts.

    Mutations this has caught: a second look with the whole window that was forgotten.
    """
    state = some_state(name, seed)
    player = Personality.load(who, state.game)
    kernels, model = engine(state.game), player.model
    assert model.evaluator is not None
    value = player.value()
    judge = machine.native_evaluator(
        kernels, model.evaluator, value, model.factors, judges_ends=False
    )
    options = SearchOptions("alphabeta", 0, judge)
    if model.consider is not None:
        narrowed, only = narrowed_root(state, kernels, model.consider)
        options = evolve(options, candidates=narrowed, only=only)

    def search() -> Decider:
        limits = Limits(None, 8 * NODES, depth, memory=1 << 16)
        return Decider(engine=kernels, limits=limits, root=Root(state, kernels), options=options)

    assert in_slices(search(), slices) == at_once(search())


def test_plain_python_goes_on_as_machine_code_does() -> None:
    state = some_state("tictactoe", 3, 3)
    for algorithm in ("alphabeta", "montecarlo"):
        found = []
        for backend in ("python", "native"):
            kernels = Engine(state.game.play, backend)
            limits, options = Limits(None, 700, memory=1 << 16), SearchOptions(algorithm, 1)
            search = Decider(
                engine=kernels, limits=limits, root=Root(state, kernels), options=options
            )
            found.append(in_slices(search, [1, 5, 2, 60, 1, 1]))
        assert found[0] == found[1]


def test_a_result_can_be_had_at_any_time() -> None:
    state = some_state("connect4", 5)
    kernels = engine(state.game)
    search = Decider(
        engine=kernels,
        limits=Limits(None, 10**6),
        root=Root(state, kernels),
        options=SearchOptions(),
    )
    assert search.step(1000)
    found = search.result()
    assert found.move in state.moves
    assert found.nodes <= 1000
    assert not search.step(10)
