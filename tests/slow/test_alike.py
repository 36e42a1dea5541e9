"""Positions that the rules cannot tell apart share a hash of results, and are worth as much."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.passes.alike import alike, only_counted
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load, load_with, loads
from rulewright.search.solve import Solver, solve
from rulewright.search.thread_arrays import ThreadArrays
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries

pytestmark = needs_llvm
FILLING = """format 1
game filling
players one two
board square 3 by 2
pieces stone "XO", pebble "ab"
move place
  choose cell in {domain}
  put {piece} at cell
turn place
{ends}
"""
COUNTED = "score count own - count enemy when no empty"
SMALL: list[tuple[str, dict[str, int]]] = [
    ("dots", {"width": 2, "height": 2}),
    ("dots", {"width": 3, "height": 1}),
    ("coins", {"width": 3, "height": 2}),
]


def filling(domain: str = "empty", ends: str = COUNTED, piece: str = "stone") -> Game:
    """A game in which a small board is filled."""
    return loads(FILLING.format(domain=domain, ends=ends, piece=piece))


def classes(game: Game) -> list[str]:
    """The names of sites that are alike."""
    names = game.rules.board.names
    return [" ".join(sorted(names[site] for site in one)) for one in alike(game.rules)]


@pytest.mark.parametrize(
    ("domain", "found"),
    [
        ("empty", ["a1 a2 b1 b2 c1 c2"]),
        ("empty and not a1", ["a2 b1 b2 c1 c2"]),
        ("those(s in empty : no north(s) empty)", []),
        ("those(s in empty : no near(s) empty)", []),
        ("those(s in empty : x(s) < 3)", []),
        ("empty near(b1) or empty near(b2)", ["a1 b2 c1", "a2 b1 c2"]),
        ("empty and not column(2) or empty near(column(2))", ["a1 a2 c1 c2", "b1 b2"]),
    ],
)
def test_sites_are_alike_by_sets_and_neighbours(domain: str, found: list[str]) -> None:
    assert sorted(classes(filling(domain))) == sorted(found)


def test_corners_of_dots_are_alike() -> None:
    assert sorted(classes(load("dots", width=3, height=2))) == [
        "h11 v11", "h13 v12", "h31 v41", "h33 v42",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "ends", "yes"),
    [
        ("empty", COUNTED, True),
        ("sites and not (own or enemy)", COUNTED, True),
        ("sites and not own", COUNTED, False),
        ("empty", "win when count own = 4\ndraw when stuck", True),
        ("empty", "win when own meets a1\ndraw when stuck", False),
        ("empty", "win when count(own column(1)) = 2\ndraw when stuck", False),
        ("empty near(own) or empty a1", COUNTED, False),
    ],
)
def test_owners_only_count_where_nothing_else_asks(domain: str, ends: str, yes: bool) -> None:
    assert only_counted(filling(domain, ends).rules) is yes


def test_games_whose_pieces_are_taken_do_not_only_count() -> None:
    assert [n for n in ("dots", "coins", "othello", "go") if only_counted(load(n).rules)] == [
        "dots",
        "coins",
    ]


def reached(game: Game, seed: int, plies: int) -> State:
    """A position of a random game."""
    random, state = Random(seed), game.start()
    for _ in range(plies):
        if not state.over:
            state = state.play_decision(random.choice(state.moves.texts))
    return state


def keys(state: State) -> tuple[int, int]:
    """Both hashes of a position."""
    engine = load_engine(state.game, "llvm")
    assert not isinstance(engine, str)
    worker = ThreadArrays(engine, 1 << 20)
    worker.place(state.situation.position)
    return worker.kernels["position_key"](worker.game[0]), worker.kernels["result_key"](
        worker.game[0]
    )


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=tries(6), deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(1, 8))
def test_values_are_the_same_by_either_hash(
    name: str, options: dict[str, int], seed: int, plies: int
) -> None:
    state = reached(load_with(name, options), seed, plies)
    if state.over:
        return
    found = solve(state)
    state.play(" ".join(found.pv))
    with patch.object(Solver, "_merging", lambda _: 0):
        assert solve(state).value == found.value
    assert solve(state, method="proof").value == found.value


def test_one_of_two_corners_is_as_good_as_the_other() -> None:
    start = load("dots", width=3, height=2).start()
    (one, result), (other, same) = keys(start.play("h11")), keys(start.play("v11"))
    (_, third), (_, fourth) = keys(start.play("h11 v11")), keys(start.play("h21"))
    assert one != other
    assert result == same
    assert len({result, third, fourth}) == 3


def test_fewer_positions_are_looked_at() -> None:
    start = load_with("dots", {"width": 3, "height": 2}).start()
    found = solve(start)
    with patch.object(Solver, "_merging", lambda _: 0):
        plain = solve(start)
    assert found.value == plain.value
    assert found.nodes < 0.7 * plain.nodes
