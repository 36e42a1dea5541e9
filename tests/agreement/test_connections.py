"""Races of connections: which rules are one, and proofs beside alpha-beta and the reference."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.passes.connection_race import ConnectionRace, connection_race
from rulewright.compiler.runtime import place, trailing
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with, loads
from rulewright.model.board import Board, bits, mask_of
from rulewright.reference.position import components
from rulewright.search.certificate import Unproven, check
from rulewright.search.kernels import must_play
from rulewright.search.kernels import race as kernels
from rulewright.search.results import Limits
from rulewright.search.solve import Solver, solve
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.playing import after

pytestmark = needs_llvm

SMALL: list[tuple[str, dict[str, int]]] = [
    ("hex", {"size": 1}),
    ("hex", {"size": 3}),
    ("hex", {"width": 4, "height": 3}),
    ("hex", {"width": 3, "height": 4}),
    ("hex", {"width": 1, "height": 4}),
    ("hex", {"size": 4}),
    ("spanit", {"size": 2}),
    ("spanit", {"size": 3}),
]
RULES = """format 1
game race
players red blue
board {board}
pieces stone "RB"
let home for red = top
let goal for red = bottom
let home for blue = left
let goal for blue = {right}
move place
  choose cell in {domain}
  put stone at cell
{effects}
move pass
  need {passing}
turn {turn}
win when some(g in groups({groups}) : g meets home and g meets goal{more})
{ends}
"""
Met: TypeAlias = Callable[[int], bool]
PLAIN = {
    "board": "rhombus 3 by 3 from top", "right": "right", "domain": "empty", "effects": "",
    "passing": "1 = 2", "turn": "place or pass", "groups": "own", "more": "", "ends": "",
}  # fmt: skip


@cache
def game(name: str, **options: int) -> Game:
    return load_with(name, dict(options))


def variant(**changes: str) -> Game:
    return loads(RULES.format(**(PLAIN | changes)))


# --- which rules are a race ---


@pytest.mark.parametrize(("name", "options"), [*SMALL, ("hex", {}), ("spanit", {})])
def test_bundled_races_are_recognised(name: str, options: dict[str, int]) -> None:
    board = game(name, **options).rules.board
    race = connection_race(game(name, **options).rules)
    for player, (low, high) in enumerate((("top", "bottom"), ("left", "right"))):
        assert race.goals[player] == (board.region(low), board.region(high))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"ends": "draw when stuck"},
        {"board": "square 3 by 3", "groups": "own, orthogonal"},
        {"board": "square 4 by 3", "groups": "own, orthogonal or northeast or southwest"},
        {"board": "square 4 by 3", "groups": "own, northwest or southeast"},
        {"groups": "own, east or southeast"},
    ],
)
def test_other_races_are_recognised(changes: dict[str, str]) -> None:
    board = variant(**changes).rules.board
    goals = connection_race(variant(**changes).rules).goals
    assert goals[1] == (board.region("left"), board.region("right"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"board": "square 3 by 3", "groups": "own, around"}, "cross each other"),
        ({"board": "square 5 by 5", "groups": "own, leap(1, 2)"}, "over other sites"),
        ({"right": "bottom"}, "opposite sides"),
        ({"right": "left"}, "opposite sides"),
        ({"domain": "empty and not corners"}, "any empty site"),
        ({"domain": "sites"}, "any empty site"),
        ({"domain": "empty near(own or empty)"}, "any empty site"),
        ({"effects": "  clear enemy near(cell)"}, "any empty site"),
        ({"effects": "  need ply < 5"}, "any empty site"),
        ({"effects": "  again"}, "any empty site"),
        ({"passing": "ply = 1"}, "2 kinds"),
        ({"turn": "place (place or pass)"}, "more than one move"),
        ({"ends": "lose when count own = 4"}, "other ends"),
        ({"ends": "draw when count empty = 2"}, "other ends"),
        ({"more": " and count g > 3"}, "meets two given sets"),
        ({"groups": "enemy"}, "own pieces"),
        ({"groups": "own near(own)"}, "own pieces"),
    ],
)
def test_what_is_no_race_is_refused(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        connection_race(variant(**changes).rules)


@pytest.mark.parametrize(
    ("name", "options"),
    [("hex", {"pie": True}), ("twixt", {"size": 6}), ("y", {}), ("havannah", {}), ("go", {})],
)
def test_bundled_games_that_are_none_are_refused(name: str, options: dict[str, int]) -> None:
    board = game(name, **options)
    with pytest.raises(Unsupported):
        connection_race(board.rules)
    with pytest.raises(RulewrightError, match="no race of connections"):
        solve(board.start(), method="connections")


# --- proofs ---


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=tries(20), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_alpha_beta_finds_the_same(name: str, options: dict[str, int], seed: int) -> None:
    """And the decision that is told keeps the win."""
    state = after(game(name, **options), seed, 9)
    found = solve(state, method="connections")
    assert (found.value, found.side) == (solve(state, method="alphabeta").value, state.mover)
    assert (found.move is None) == (found.value == "loss")
    if found.move is not None:
        later = state.play_decision(found.move)
        assert later.over or solve(later, method="alphabeta").value == "loss"


@settings(max_examples=tries(20), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    changes=st.sampled_from(
        [
            {"board": "square 3 by 3", "groups": "own, orthogonal", "ends": "draw when stuck"},
            {"board": "square 4 by 3", "groups": "own, orthogonal", "ends": "lose when stuck"},
            {"groups": "own, east or west or northeast or southwest", "ends": "draw when stuck"},
            {"board": "square 4 by 3", "groups": "own, east or north", "ends": "draw when stuck"},
            {"groups": "own, west or southwest or southeast", "ends": "lose when stuck"},
        ]
    ),
)
def test_boards_may_fill_without_a_winner(seed: int, changes: dict[str, str]) -> None:
    state = after(variant(**changes), seed, 6)
    value = solve(state, method="alphabeta").value
    assert solve(state).value == value
    assert value_by_connections(state) in (value, None)


def value_by_connections(state: State) -> str | None:
    """The value, None where it is refused because a full board may have no winner."""
    try:
        return solve(state, method="connections").value
    except RulewrightError as error:
        if "may have no winner" not in str(error):
            raise
        return None


def test_a_board_that_fills_without_a_winner_is_left_to_alpha_beta() -> None:
    changes = {"board": "square 3 by 3", "groups": "own, orthogonal", "ends": "draw when stuck"}
    start, begun = variant(**changes).start(), list[Solver]()
    assert value_by_connections(start) is None
    assert solve(start, keep=begun.append).value == "draw"
    assert (begun[0].method, begun[0].race) == ("alphabeta", None)
    assert check(begun[0]) > 10
    limited = solve(start, Limits(None, nodes=60))
    assert (limited.value, limited.nodes) == (None, 60)


# --- regions and carriers ---


def holds(sites: int, own: int, first: bool, met: Met) -> bool:
    """Whether a player can reach something within some empty sites, all others being lost."""
    known: dict[tuple[int, int, bool], bool] = {}

    def can(left: int, own: int, moving: bool) -> bool:
        if met(own) or not left:
            return met(own)
        if (left, own, moving) not in known:
            which = any if moving else all
            known[left, own, moving] = which(
                can(left & ~(1 << site), own | moving << site, not moving) for site in bits(left)
            )
        return known[left, own, moving]

    return can(sites, own, first)


def joined(board: Board, race: ConnectionRace, player: int, ends: tuple[int, int]) -> Met:
    """Whether own sites hang two sets together."""
    near = board.neighbours(race.steps[player])
    return lambda own: any(group & ends[0] and group & ends[1] for group in components(own, near))


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=tries(8), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_winner_needs_no_more_than_the_region(
    name: str, options: dict[str, int], seed: int
) -> None:
    """All other empty sites may belong to the loser."""
    state, begun = after(game(name, **options), seed, 9), list[Solver]()
    found = solve(state, method="connections", keep=begun.append)
    search, position = begun[0].race, state.situation.position
    assert search is not None
    won = found.value == "win"
    winner = position.mover if won else 1 - position.mover
    met = joined(game(name, **options).rules.board, search.aim, winner, search.aim.goals[winner])
    assert search.region & position.full == 0
    assert holds(search.region, position.owned[winner], won, met)


@pytest.mark.parametrize(("name", "size", "move"), [("hex", 6, "b4"), ("spanit", 4, "M00")])
def test_what_the_table_keeps_holds(name: str, size: int, move: str) -> None:
    """Positions of a long search in whose regions everything can be tried."""
    start, begun = game(name, size=size).start().play(move), list[Solver]()
    solve(start, Limits(None, memory=1 << 20), keep=begun.append)
    search, board, first = begun[0].race, start.game.rules.board, start.situation.position
    assert search is not None
    table, sites, tried = search.worker.table, list(search.cells), 0
    for at in range(0, 8 * (search.worker.control.mask + 1), 4):
        *stones, needed, told = table[at : at + 4]
        work, cell, won = told // must_play.WORK_UNIT, told % must_play.WORK_UNIT >> 1, told & 1
        if work < 2 or needed.bit_count() > 10 or tried == 60:
            continue  # empty, or seen at once, or too much
        tried += 1
        winner = (first.mover + stones[0].bit_count() + stones[1].bit_count() + 1 - won) % 2
        met = joined(board, search.aim, winner, search.aim.goals[winner])
        own = first.owned[winner] | mask_of([sites[i] for i in bits(stones[winner])])
        region = mask_of([sites[i] for i in bits(needed)])
        if won:
            assert region >> sites[cell] & 1
            region, own = region & ~(1 << sites[cell]), own | 1 << sites[cell]
        assert holds(region, own, False, met)
    assert tried > 8


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=tries(25), deadline=None)
@given(seed=st.integers(0, 2**32), player=st.integers(0, 1))
def test_connections_hold_within_their_carriers(
    name: str, options: dict[str, int], seed: int, player: int
) -> None:
    """Between the home, the goal and empty sites, each tried against every defence.

    Some stones stood at the root, others were put later.
    """
    state, begun = after(game(name, **options), seed, 6), list[Solver]()
    solve(state, method="connections", keep=begun.append)
    search, position = begun[0].race, state.situation.position
    assert search is not None
    words, _, ends, pairs, *_ = search.arrays
    random, empty, put = Random(seed), (1 << len(search.cells)) - 1, 0
    for site in search.cells.values():
        who = random.randrange(6)
        empty &= ~(int(who < 2) << site)
        put |= int(who < 1) << site
    search.worker.kernels["find_connections"](*search.arrays, player, put, empty)
    count, sites = words[place(kernels.RaceWords, "ends")], list(search.cells)

    def spread(cells: int) -> int:
        return mask_of([sites[cell] for cell in bits(cells)])

    def stands(a: int) -> int:
        return spread(ends[kernels.CELL + a]) if a > 1 else 0

    def edge(a: int) -> int:
        return search.aim.goals[player][a] if a < 2 else stands(a)

    board = game(name, **options).rules.board
    for a, b in combinations(range(count), 2):
        if any(end > 1 and not stands(end) for end in (a, b)):
            continue  # a group
        met = joined(board, search.aim, player, (edge(a), edge(b)))
        own, at = position.owned[player] | spread(put), (a * count + b) * kernels.PAIR
        own |= stands(a) | stands(b)
        for first, list_at in ((False, kernels.FULL), (True, kernels.HALF)):
            for i in range(pairs[at + int(first)]):
                carrier = spread(pairs[at + list_at + 2 * i])
                assert not carrier & own
                assert holds(carrier, own, first, met)
                cell = spread(1 << trailing(pairs[at + list_at + 2 * i + 1])) if first else 0
                assert holds(carrier & ~cell, own | cell, False, met)


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=tries(4), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_reference_plays_through_what_is_proven(
    name: str, options: dict[str, int], seed: int
) -> None:
    state, begun = after(game(name, **options), seed, 9), list[Solver]()
    solved = solve(state, keep=begun.append)
    assert begun[0].method == "connections"
    assert check(begun[0]) > 0
    begun[0].least = begun[0].most = -1 if solved.value == "win" else 1
    with pytest.raises(Unproven):
        check(begun[0])


@settings(max_examples=tries(6), deadline=None)
@given(seed=st.integers(0, 2**32), which=st.sampled_from(SMALL))
def test_plain_python_finds_it_alike(seed: int, which: tuple[str, dict[str, int]]) -> None:
    state = after(game(which[0], **which[1]), seed, 9)
    native, python = (solve(state, backend=b, method="connections") for b in ("native", "python"))
    assert (native.value, native.nodes, native.pv) == (python.value, python.nodes, python.pv)


@pytest.mark.parametrize(
    ("name", "size", "move"), [("hex", 5, "c3"), ("hex", 6, None), ("spanit", 4, None)]
)
def test_boards_that_alpha_beta_does_not_solve(name: str, size: int, move: str | None) -> None:
    """Who begins wins, as is known of both games."""
    start = game(name, size=size).start()
    found = solve(start)
    assert (found.value, found.side) == ("win", start.mover)
    assert move in (None, found.move)
    assert found.pv == (found.move,)


def test_a_small_table_proves_the_same() -> None:
    """Entries give way to others all the time."""
    start = game("hex", size=6).start().play("b2")
    small, large = (solve(start, Limits(None, memory=1 << bits)) for bits in (12, 26))
    assert (small.value, large.value) == ("loss", "loss")
    assert small.nodes != large.nodes


def test_a_limit_ends_the_search() -> None:
    found = solve(game("hex", size=6).start(), Limits(None, nodes=20))
    assert (found.value, found.least, found.most, found.nodes) == (None, "loss", "win", 20)
    assert found.move is None


def test_what_is_not_for_connections() -> None:
    start = game("hex", size=3).start()
    with pytest.raises(RulewrightError, match="finds no shortest win"):
        solve(start, shortest=True, method="connections")
    with pytest.raises(RulewrightError, match="one thread"):
        solve(start, Limits(None, threads=2), method="connections")
    with pytest.raises(RulewrightError, match="more than 62 sites are empty"):
        solve(game("hex", size=8).start(), method="connections")
    assert solve(start, shortest=True).distance == 5


def test_a_board_with_few_empty_sites_is_searched_however_large_it_is() -> None:
    random, state = Random(1), game("hex", size=9).start()
    while len(state.moves.texts) > 40:
        later = state.play_decision(random.choice(state.moves.texts))
        state = state if later.over else later
    assert solve(state, method="connections").value == solve(state, method="proof").value
