"""Pairs that win races of connections: beside every pairing there is, and as sites that connect."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.model.board import Board, Mask, bits, mask_of
from rulewright.reference.position import components
from rulewright.search.connections import UNPAIRED, ConnectionSearch
from rulewright.search.kernels import race as kernels
from rulewright.search.kernels.must_play import NO_CELL
from rulewright.search.results import Limits
from rulewright.search.solve import Solver, solve
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.playing import after

pytestmark = needs_llvm

ENOUGH = 10_000_000
"""Effort with which nothing was missed on boards with up to seven empty sites."""


@cache
def game(name: str, **options: int) -> Game:
    return load_with(name, dict(options))


def searched(state: State, backend: str = "native") -> ConnectionSearch:
    """The search of a position, before it has looked at anything."""
    begun = list[Solver]()
    solve(state, Limits(None, nodes=1), method="connections", keep=begun.append, backend=backend)
    search = begun[0].race
    assert search is not None
    search.place(state.situation.position)
    return search


def pairs_found(search: ConnectionSearch, player: int, effort: int) -> list[tuple[int, int]] | None:
    """The sites of each pair by which a player who answers is connected."""
    if not search.worker.kernels["pairs_of"](*search.arrays, player, 0, 0, effort):
        return None
    sites, partners = list(search.cells), list(search.arrays[-1])[kernels.PARTNER :]
    numbered = [(i, partners[i]) for i in range(len(sites))]
    return [(sites[a], sites[b]) for a, b in numbered if a < b != NO_CELL]


def connects(search: ConnectionSearch, board: Board, player: int, own: Mask) -> bool:
    """Whether own sites hang home and goal together, as the reference has it."""
    home, goal = search.aim.goals[player]
    groups = components(own, board.neighbours(search.aim.steps[player]))
    return any(group & home and group & goal for group in groups)


def pairings(sites: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair some of these sites."""
    if not sites:
        yield []
        return
    first, *others = sites
    yield from pairings(tuple(others))
    for other in others:
        rest = tuple(site for site in others if site != other)
        yield from ([(first, other), *pairs] for pairs in pairings(rest))


def wins_by(
    search: ConnectionSearch, state: State, player: int, pairs: list[tuple[int, int]]
) -> bool:
    """Whether every sharing of the pairs connects a player who gets nothing else."""
    own, board = state.situation.position.owned[player], state.game.rules.board
    return all(
        connects(search, board, player, own | mask_of(list(chosen))) for chosen in product(*pairs)
    )


SMALL = [("hex", {"size": 3}), ("hex", {"width": 4, "height": 3}), ("spanit", {"size": 3})]


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=tries(12), deadline=None)
@given(seed=st.integers(0, 2**32), player=st.integers(0, 1))
def test_pairs_are_listed_where_there_are_any(
    name: str, options: dict[str, int], seed: int, player: int
) -> None:
    """And those that are found win; nothing is missed on boards that are nearly full."""
    state = after(game(name, **options), seed, 12)
    empty = tuple(bits(state.game.rules.board.sites & ~state.situation.position.full))
    if state.over or len(empty) > 7:
        return
    search = searched(state)
    found = pairs_found(search, player, ENOUGH)
    if found is None:
        assert not any(wins_by(search, state, player, pairs) for pairs in pairings(empty))
    else:
        assert {site for pair in found for site in pair} <= set(empty)
        assert len({site for pair in found for site in pair}) == 2 * len(found)
        assert wins_by(search, state, player, found)


@pytest.mark.parametrize(
    ("name", "size", "move"),
    [("hex", 4, "b3"), ("hex", 5, "c3"), ("spanit", 4, "M00"), ("spanit", 5, "m00")],
)
def test_pairs_of_larger_boards_win_however_they_are_shared(
    name: str, size: int, move: str
) -> None:
    """Two hundred sharings by chance."""
    state = game(name, size=size).start().play(move)
    search, random = searched(state), Random(7)
    found = pairs_found(search, 0, ENOUGH)
    assert found is not None
    own, board = state.situation.position.owned[0], state.game.rules.board
    for _ in range(200):
        chosen = mask_of([random.choice(pair) for pair in found])
        assert connects(search, board, 0, own | chosen)


def test_kernels_in_plain_python_find_the_same_pairs() -> None:
    state = game("hex", size=3).start().play("b2")
    native, python = (pairs_found(searched(state, b), 0, ENOUGH) for b in ("native", "python"))
    assert native is not None
    assert native == python


def test_pairs_keep_within_the_limit() -> None:
    """A search that may play as many nodes as come before pairs does not try them."""
    found = solve(game("spanit", size=5).start(), Limits(None, nodes=UNPAIRED))
    assert (found.value, found.nodes) == (None, UNPAIRED)


@pytest.mark.parametrize(("moves", "value", "side"), [((), "win", 0), (("m00",), "loss", 1)])
def test_what_answers_by_pairs_is_proven_by_them(
    moves: tuple[str, ...], value: str, side: int
) -> None:
    """Span-It! of five lines, which the search of connections alone does not solve in minutes."""
    state = game("spanit", size=5).start()
    for move in moves:
        state = state.play(move)
    begun = list[Solver]()
    found = solve(state, Limits(None, nodes=5100), keep=begun.append)
    assert (found.value, found.side) == (value, ("vertical", "horizontal")[side])
    assert found.nodes > 5000
    race = begun[0].race
    assert race is not None
    assert 20 < race.region.bit_count() <= 41
