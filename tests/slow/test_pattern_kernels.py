"""Compiled patterns say what the reference says; narrowed searches agree, and leave out no win."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import PATTERNS, PERSONALITY
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.model.patterns import Patterns
from rulewright.players.personality import Personality
from rulewright.reference.matching import Matcher, placements
from rulewright.reference.position import Position
from rulewright.search.candidates import (
    Considered,
    Proposing,
    narrowed_root,
    root_of,
    safe,
    winning,
)
from rulewright.search.pattern_table import Tables
from rulewright.search.results import FAR
from rulewright.strategies import positions
from tests.generators import pattern_files
from tests.shared.effort import tries

AROUND = {
    "twixt": ("own", "ends of rows", "ends of chain in turns", "ends of chain in chains",
              "ends of way in t1j", "ends of way in t1j as next",
              "ends of way in t1j as next\nAround ends of chain in racer"),
    "connect5": ("own",),
    "hex": ("own", "ends of gaps\nAround ends of span"),
}  # fmt: skip
SIZES = {"twixt": 7, "connect5": 6, "hex": 5}


@cache
def game(name: str, **options: int | bool) -> Game:
    return load(name, **(options or {"size": SIZES[name]}))


@cache
def engine(name: str, backend: str) -> Engine:
    found = load_engine(game(name), backend)
    assert not isinstance(found, str)
    return found


def read(text: str, board: Game) -> Patterns:
    found = check_file(PATTERNS, "x.model", text.encode(), FileContext(board)).model
    assert found is not None
    return found


def proposals(engine: Engine, file: Patterns, position: Position) -> dict[int, tuple[int, ...]]:
    """The sites that the kernels propose, each with the numbers of its patterns; legal or not."""
    return Proposing.of(engine, file).proposals(position)


def assert_same_proposals(name: str, text: str, state: State, backend: str) -> None:
    board, position = game(name), state.situation.position
    file = read(text, board)
    kernels = engine(name, backend)
    legal = placements(board.play, position)
    found = proposals(kernels, file, position)
    assert {s: p for s, p in found.items() if s in legal} == Matcher(board.play, file).proposals(
        position
    )


@settings(deadline=None, max_examples=tries(40))
@given(st.data(), st.sampled_from(sorted(AROUND)))
def test_machine_code_proposes_what_the_reference_proposes(data: Any, name: str) -> None:
    state = data.draw(positions(game(name), 24))
    assume(not state.over)
    around = data.draw(st.sampled_from(AROUND[name]))
    symmetries = ("mirror", "none", "all") if around == "own" else ("mirror", "none")
    text = data.draw(pattern_files(game(name), around, 6, symmetries))
    assert_same_proposals(name, text, state, "native")


@settings(deadline=None, max_examples=tries(6))
@given(st.data(), st.sampled_from(["twixt", "connect5"]))
def test_checked_kernels_propose_the_same(data: Any, name: str) -> None:
    state = data.draw(positions(game(name), 16))
    assume(not state.over)
    around = "own" if name == "connect5" else "ends of chain in chains"
    text = data.draw(pattern_files(game(name), around, 4))
    assert_same_proposals(name, text, state, "python")


def test_few_patterns_of_what_stands_where_are_matched_by_sets() -> None:
    """Tests of both ways would be blind if all files went one of them."""
    assert by_sets("connect5", "threats")
    assert not by_sets("twixt", "basics")


def by_sets(name: str, patterns: str) -> bool:
    board = load(name)
    file, kernels = load_file(PATTERNS, board, patterns), load_engine(board)
    assert not isinstance(kernels, str)
    directions = Matcher(kernels.play, file).directions
    return Tables(kernels.plan, file, directions).by_sets


@pytest.mark.parametrize(
    ("name", "seed"),
    [("basics", 0), ("basics", 1), ("chains", 2), ("t1j", 3), ("t1j_rare", 3), ("racer", 3)],
)
def test_the_bundled_files_on_the_whole_board(name: str, seed: int) -> None:
    board, random = load("twixt"), Random(seed)
    file = load_file(PATTERNS, board, name)
    state = board.start()
    for _ in range(10 + 10 * seed):
        option = board.play.sample(state.situation.position, random)
        assert option is not None
        state = state.play_decision(option.text)
    kernels = load_engine(board)
    assert not isinstance(kernels, str)
    position = state.situation.position
    legal = placements(board.play, position)
    found = proposals(kernels, file, position)
    assert {s: p for s, p in found.items() if s in legal} == Matcher(board.play, file).proposals(
        position
    )


def test_one_board_after_another_is_laid_out_anew() -> None:
    """Only pieces that differ are laid out, whoever is to move: stones that went have to go."""
    board = load("connect5")
    file, kernels = load_file(PATTERNS, board, "threats"), load_engine(board)
    assert not isinstance(kernels, str)
    proposing, matcher = Proposing.of(kernels, file), Matcher(board.play, file)
    for turns in ("h8 i9 h9 h10", "a1 b2 c3", "h8", "h8 i9 h9", "o15 a15 n14 b14 m13 c13"):
        position = board.start().play(turns).situation.position
        legal = placements(board.play, position)
        found = proposing.proposals(position)
        assert {s: p for s, p in found.items() if s in legal} == matcher.proposals(position)


# --- searches ---


def player(
    board: Game, most: int, text: str = "basics", kind: str = "alphabeta", rest: str = "all"
) -> Personality:
    source = (
        f"format 1\npersonality p for {board.name}\n# A test.\nuse t1\n"
        f"search {kind}, depth 2\nconsider patterns {text}, most {most} else {rest}\nties first\n"
    )
    report = check_file(PERSONALITY, "p.personality", source.encode(), FileContext(board))
    assert [d.render() for d in report.diagnostics] == []
    assert report.model is not None
    return Personality.of(report.model, board)


@settings(deadline=None, max_examples=tries(8))
@given(st.data(), st.sampled_from((1, 5, 40)), st.sampled_from(("all", "one")))
def test_narrowed_searches_agree(data: Any, most: int, rest: str) -> None:
    board = game("twixt", size=6)
    state = data.draw(positions(board, 16))
    assume(not state.over)
    fast = player(board, most, rest=rest)
    slow = evolve(fast, native=False)
    one, other = (p.root(state, exact=True) for p in (fast, slow))
    assert {k: v and v.score for k, v in one.items()} == {
        k: v and v.score for k, v in other.items()
    }


@settings(deadline=None, max_examples=tries(8))
@given(st.data())
def test_the_root_is_narrowed_alike(data: Any) -> None:
    board = game("twixt", size=6)
    state = data.draw(positions(board, 22))
    assume(not state.over)
    fast = player(board, 4)
    kernels, consider = load_engine(board), fast.model.consider
    assert not isinstance(kernels, str)
    assert consider is not None
    situation = state.situation
    kept = [o.text for o in Considered(board.play, consider).options(situation)]
    only = narrowed_root(state, kernels, consider)[1]
    assert sorted(only) == sorted(root_of(situation, lambda: kept))
    assert set(only) <= set(state.moves.texts)
    assert winning(situation) == [] or only == winning(situation)


def test_a_win_in_one_is_seen_and_a_loss_in_one_is_prevented() -> None:
    board = game("twixt", size=6, pie=False)
    winning_now = board.start().play("c1 f4 d3 f3 c5 f2")
    threat = board.start().play("e4 a5 e2 a4 b3 d3 d5 b4 b1 c5")
    assert sorted(safe(threat.situation)) == ["d2", "d4"]
    who = player(board, 1)
    nothing = read(
        "format 1\nPatterns for twixt\nAround own\nOff no\n  Own 4 4\n  Set 1 1\n", board
    )
    assert who.model.consider is not None
    for consider in (who.model.consider, evolve(who.model.consider, patterns=nothing)):
        one = evolve(who, model=evolve(who.model, consider=consider))
        for fast in (True, False):
            root = evolve(one, native=fast).root(winning_now)
            wins = [move for move, line in root.items() if line and line.score[0] == FAR - 1]
            assert wins
            assert wins == winning(winning_now.situation)
            assert evolve(one, native=fast).choose(threat) in ("d2", "d4")


def test_where_nothing_fires_one_decision_is_enough_if_the_text_says_so() -> None:
    """No pattern fires at the start, where nothing has ends yet."""
    state = game("twixt", size=6, pie=False).start()
    kernels = load_engine(state.game)
    assert not isinstance(kernels, str)
    for rest, kept in (("all", 24), ("one", 1)):
        consider = player(state.game, 5, rest=rest).model.consider
        assert consider is not None
        assert len(narrowed_root(state, kernels, consider)[1]) == kept
        assert len(Considered(state.game.play, consider).root(state.situation)) == kept


def test_a_lost_position_is_played_on() -> None:
    board = game("twixt", size=5, pie=False)
    random = Random(4)
    who = player(board, 3)
    for _ in range(6):
        state = board.start()
        while not state.over:
            mine = state.mover == "blue"
            state = state.play(
                who.choose(state, random) if mine else random.choice(state.moves.texts)
            )
        assert state.result is not None


def test_where_nothing_fires_everything_is_searched() -> None:
    board = game("twixt", size=6)
    who = player(board, 3)
    start = board.start()
    assert set(who.root(start, exact=True)) == set(start.moves.texts)
    assert all(line is not None for line in who.root(start, exact=True).values())
