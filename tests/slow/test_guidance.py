"""Words by which a text leads a search: kernels in both forms and the reference agree on them."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.matches.protocols.fen import Fen
from rulewright.model.personality import Guidance, Setting
from rulewright.players.machine import native_evaluator
from rulewright.players.personality import Personality
from rulewright.search.decide import Decider, SearchOptions
from rulewright.search.guides import guide
from rulewright.search.results import Limits
from rulewright.search.solve import solve
from rulewright.search.thread_arrays import Root
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries

pytestmark = needs_llvm

PLAYERS = [("breakthrough", "raider", {"width": 5, "height": 6}), ("chess", "club", {})]
IDS = [f"{game}-{who}" for game, who, _ in PLAYERS]
seeds = st.integers(0, 2**32)


@cache
def game(name: str) -> Game:
    options = next(options for one, _, options in PLAYERS if one == name)
    return load_with(name, dict(options))


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


def middle(name: str, seed: int, plies: int) -> State:
    """A position of a random game that is not over."""
    random, state = Random(seed), game(name).start()
    for _ in range(plies):
        later = state.play_decision(random.choice(state.moves.texts))
        if later.over:
            break
        state = later
    return state


def player(name: str, who: str, depth: int, kind: str, **changes: Any) -> Personality:
    """The personality with another search."""
    found = Personality.load(who, game(name))
    search = evolve(found.model.search, kind=kind, settings=(Setting("depth", depth, "decisions"),))
    guidance = evolve(found.model.guidance, **changes)
    return evolve(found, model=evolve(found.model, search=search, guidance=guidance))


def scores(one: Personality, state: State) -> dict[str, Any]:
    found = one.root(state, exact=True)
    return {text: None if line is None else line.score for text, line in found.items()}


FEW = "7k/8/3p4/4P1r1/3P1n2/1b6/8/K1R3N1 b - - 0 1"
"""A few men that can take each other, which the reference searches in a second."""


@settings(max_examples=tries(5), deadline=None)
@given(seed=seeds, reach=st.integers(1, 4))
def test_what_forces_is_followed_as_the_reference_does(seed: int, reach: int) -> None:
    assert_followed("breakthrough", "raider", middle("breakthrough", seed, 24), reach)


@pytest.mark.parametrize("fen", [FEW, FEW.replace(" b ", " w ")])
def test_captures_of_chess_are_followed_as_the_reference_does(fen: str) -> None:
    assert_followed("chess", "club", Fen(game("chess")).read(fen.split()), 3)


def assert_followed(name: str, who: str, state: State, reach: int) -> None:
    native = player(name, who, 1, "minimax", reach=reach)
    slow = evolve(native, native=False)
    assert scores(native, state) == scores(slow, state)


@pytest.mark.parametrize(("name", "who", "options"), PLAYERS, ids=IDS)
def test_following_what_forces_changes_values(name: str, who: str, options: object) -> None:
    states = [middle(name, seed, 24) for seed in range(3)]
    free = {"must": "", "threats": ""}
    plain = [scores(player(name, who, 1, "minimax", forcing="", **free), state) for state in states]
    assert plain != [scores(player(name, who, 1, "minimax", **free), state) for state in states]


@pytest.mark.parametrize(("name", "who", "options"), PLAYERS, ids=IDS)
@settings(max_examples=2, deadline=None)
@given(seed=seeds)
def test_the_order_changes_no_value(name: str, who: str, options: object, seed: int) -> None:
    state = middle(name, seed, 20)
    ordered = player(name, who, 2, "minimax", reach=4)
    plain = player(name, who, 2, "minimax", reach=4, order="")
    assert scores(ordered, state) == scores(plain, state)


def decider(name: str, who: str, state: State, backend: str, nodes: int, **changes: Any) -> Decider:
    kernels, model = engine(name, backend), Personality.load(who, game(name)).model
    assert model.evaluator is not None
    value = model.evaluator.value("balance" if name == "chess" else "value")
    assert value is not None
    judge = native_evaluator(kernels, model.evaluator, value, model.factors, judges_ends=False)
    assert model.guidance != Guidance()
    led = guide(kernels, model.evaluator, evolve(model.guidance, **changes))
    options = SearchOptions("alphabeta", 0, judge, guide=led)
    limits = Limits(None, nodes, memory=1 << 16)
    return Decider(engine=kernels, limits=limits, root=Root(state, kernels), options=options)


def cut(search: Decider, slices: list[int]) -> Any:
    """The answer of a search that is cut into such slices."""
    for number in range(10**6):
        if not search.step(slices[number % len(slices)]):
            return evolve(search.result(), seconds=0.0)
    raise AssertionError("it does not end")


@pytest.mark.parametrize(("name", "who", "options"), PLAYERS, ids=IDS)
@settings(max_examples=2, deadline=None)
@given(seed=seeds, slices=st.lists(st.sampled_from([1, 2, 7, 40, 300]), min_size=1, max_size=9))
def test_led_searches_go_on_where_they_were(
    name: str, who: str, options: object, seed: int, slices: list[int]
) -> None:
    """Passed turns, captures that are followed and shallow searches: all of them are broken off."""
    state = middle(name, seed, 16)
    slices = [*slices, 300]
    found = [cut(decider(name, who, state, "native", 6000), how) for how in (slices, [10**9])]
    assert found[0] == found[1]


@settings(max_examples=tries(6), deadline=None)
@given(seed=seeds, nodes=st.integers(50, 1500))
def test_what_a_bold_search_calls_proven_is_proven(seed: int, nodes: int) -> None:
    """What it leaves out proves nothing; and both forms of the kernels leave out the same."""
    state = middle("breakthrough", seed, 26)
    bets = {"bold": True, "passing": "value"}
    native, plain = (
        cut(decider("breakthrough", "raider", state, backend, nodes, **bets), [10**9])
        for backend in ("native", "python")
    )
    assert native == plain
    sure = solve(state, Limits(None, 300_000)).value
    assert None in (sure, native.proven) or native.proven == sure


@pytest.mark.parametrize(("name", "who", "options"), PLAYERS, ids=IDS)
def test_plain_python_searches_the_same_nodes(name: str, who: str, options: object) -> None:
    state = middle(name, 5, 20)
    nodes = 300 if name == "chess" else 1500
    found = [
        cut(decider(name, who, state, backend, nodes), [10**9]) for backend in ("native", "python")
    ]
    assert found[0] == found[1]
