"""Search for more than two players, and a game of theirs at the terminal."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.play.saved_games import SavedGame, read_saved_game
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.reference.places import places_of
from rulewright.reference.play import Outcome
from rulewright.search.best import search
from rulewright.search.results import Limits, SearchResult, Watch
from rulewright.search.several import search_several, worths_of
from tests.shared.backends import needs_llvm
from tests.shared.tiny import ROWS_FOR_THREE

BY = ["reference", pytest.param("kernels", marks=needs_llvm)]


def start() -> State:
    return rulewright.loads(ROWS_FOR_THREE).start()


def searched(
    state: State, by: str, nodes: int = 3000, seed: int = 0, only: list[str] | None = None
) -> SearchResult:
    if by == "kernels":
        return search(state, nodes=nodes, seed=seed, only=only)
    return search_several(
        state, Limits(None, nodes), seed, Watch(only=frozenset(only) if only else None)
    )


@given(st.lists(st.integers(0, 3), min_size=3, max_size=8), st.integers(0, 2))
def test_what_places_are_worth(scores: list[int], out: int) -> None:
    """Whoever stands in front is worth more, equals are worth the same, and all sum up to 0."""
    remaining = dict(enumerate(scores[: len(scores) - out]))
    places = places_of(remaining, range(len(remaining), len(scores)))
    worths = worths_of(Outcome(None, 0, places), len(scores))
    assert abs(sum(worths)) < 1e-9
    assert all(-1 <= worth <= 1 for worth in worths)
    order = [(a < b) - (a > b) for a in places for b in places]
    assert order == [(a > b) - (a < b) for a in worths for b in worths]


def test_nobody_gains_by_a_game_that_is_broken_off() -> None:
    assert worths_of(None, 3) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("by", BY)
def test_a_win_at_hand_is_seen_and_proven(by: str) -> None:
    winning = start().play("a1 a2 d3 b1 b2 d2")
    found = searched(winning, by)
    assert (found.move, found.proven, found.distance) == ("c1", "win", 1)
    assert searched(winning, by, only=["c3", "c2"]).move in ("c3", "c2")


@pytest.mark.parametrize("by", BY)
def test_who_may_stop_the_next_player_does(by: str) -> None:
    """Blue has two in a row and moves next; red cannot win first."""
    state = start().play("a1 a2 d3 d1 b2 a3")
    assert state.mover == "red"
    assert searched(state, by, 6000).move == "c2"


@pytest.mark.parametrize("by", BY)
def test_a_seed_and_nodes_give_the_same_decision(by: str) -> None:
    def found() -> SearchResult:
        return searched(start(), by, 1500, 3)

    first, second = found(), found()
    assert first.root == second.root
    assert first.pv == second.pv


def test_limits_that_mean_nothing_are_refused() -> None:
    for limits in ({"depth": 3}, {"nodes": 9, "threads": 2}, {"nodes": 9, "turns": True}):
        with pytest.raises(RulewrightError, match="limit seconds or nodes"):
            search(start(), **limits)  # type: ignore[arg-type]
    with pytest.raises(RulewrightError, match="3 players"):
        search(start(), nodes=9, algorithm="exact")


def worth_of_a_game(number: int, nodes: int) -> float:
    """What a game is worth for a search among two who play at random; 0 nodes play so too."""
    state, random, seat = start(), Random(number), number % 3
    while not state.over:
        mine = nodes and state.position.mover == seat
        chosen = search(state, nodes=nodes).move if mine else random.choice(state.moves.texts)
        state = state.play_decision(chosen)
    return worths_of(state.situation.outcome, 3)[seat]


def test_a_search_is_worth_more_than_chance() -> None:
    """Who begins changes from game to game."""
    with_search, by_chance = (
        sum(worth_of_a_game(n, nodes) for n in range(12)) for nodes in (600, 0)
    )
    assert with_search > by_chance + 4


def test_a_game_of_three_at_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "rows.rules").write_text(ROWS_FOR_THREE, "utf-8")
    source = str(tmp_path / "rows.rules")
    game = rulewright.load(source)
    seats = tuple(Seat.of(text, game) for text in ("human", "random", "search@nodes=200"))
    session = Session(source, game.start(), seats)
    assert session.seat_of("green") == 2
    while not session.over:
        if session.thinking:
            session.play_decision(session.choose(), session.seat)
        else:
            session.play(session.state.moves.texts[0])
    assert session.verdict()
    session.sit(1, Seat.of("human", game))
    assert [seat.human for seat in session.seats] == [True, True, False]
    path = tmp_path / "saved.json"
    path.write_text(session.saved().text(), "utf-8")
    again = read_saved_game(path)
    assert again.players == ("human", "human", "search@nodes=200")
    path.write_text(SavedGame(source, game.start(), players=("human", "human")).text(), "utf-8")
    with pytest.raises(RulewrightError, match="the players are not those of"):
        read_saved_game(path)


def test_who_resigns_leaves_the_win_to_the_others() -> None:
    game = rulewright.loads(ROWS_FOR_THREE)
    seats = tuple(Seat.of("human", game) for _ in game.players)
    session = Session("rows", game.start(), seats)
    session.play("a1")
    session.resign()
    assert session.verdict() == "red and green win: blue resigned"
    assert session.winner() is None


SCORED = ROWS_FOR_THREE.replace(
    "draw when stuck", "score count(s in own : near(s) meets own) when stuck"
)


def test_a_result_names_all_places() -> None:
    game, words = rulewright.loads(SCORED), set[str]()
    for seed in range(40):
        state, random = game.start(), Random(seed)
        while not state.over:
            state = state.play_decision(random.choice(state.moves.texts))
        assert state.result is not None
        words.add(state.result.verdict)
        assert dict(state.result.places).keys() == {*game.players}
    assert {"red wins", "blue wins", "green wins"} & words
    assert any(word.startswith("1 ") and ", 2 " in word for word in words)
