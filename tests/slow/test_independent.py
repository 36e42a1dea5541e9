"""The bundled games against a second implementation that shares no code with the package.

Random games are played in step: at every position both must name the same decisions, agree on
whether the game is over, and on who won.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with
from tests.independent.protocol import Position
from tests.shared.effort import tries

# bundled game, its options, the other module, its options
PAIRS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("amazons", {}, "amazons", {}),
    ("arimaa", {}, "arimaa", {}),
    ("backgammon", {}, "backgammon", {}),
    ("baghchal", {}, "bagh_chal", {}),
    ("breakthrough", {}, "breakthrough", {}),
    ("breakthrough", {"width": 4, "height": 5}, "breakthrough", {"width": 4, "height": 5}),
    ("coins", {}, "strings_and_coins", {"width": 4, "height": 4}),
    ("connect4", {}, "connect_four", {}),
    ("connect5", {"size": 7}, "connect_five", {"width": 7, "height": 7}),
    (
        "connect5",
        {"size": 7, "exact": True},
        "connect_five",
        {"width": 7, "height": 7, "exact": True},
    ),
    ("conniption", {}, "conniption", {}),
    ("dots", {"size": 3}, "dots_and_boxes", {"size": 3}),
    ("draughts", {}, "draughts", {}),
    ("dvonn", {}, "dvonn", {}),
    ("einstein", {}, "einstein", {}),
    ("havannah", {"size": 4}, "havannah", {"size": 4}),
    ("hex", {"size": 5, "pie": True}, "hex", {"size": 5, "pie": True}),
    ("kalah", {}, "kalah", {}),
    ("lasca", {}, "lasca", {}),
    ("kalah", {"start": 1}, "kalah", {"start": 1}),
    ("loa", {}, "lines_of_action", {}),
    ("morris", {}, "morris", {}),
    ("oware", {}, "oware", {}),
    ("oware", {"start": 1}, "oware", {"start": 1}),
    ("othello", {}, "othello", {}),
    ("pentago", {}, "pentago", {}),
    ("pig", {"target": 30}, "pig", {"target": 30}),
    ("pegsolitaire", {}, "peg_solitaire", {}),
    ("pente", {"size": 9}, "pente", {"width": 9, "height": 9}),
    ("quarto", {}, "quarto", {}),
    ("qubic", {}, "qubic", {}),
    ("qubic", {"size": 3}, "qubic", {"size": 3}),
    ("scorefour", {}, "score_four", {}),
    ("surakarta", {}, "surakarta", {}),
    ("ploy", {}, "ploy", {}),
    ("ur", {}, "ur", {}),
    ("jungle", {}, "jungle", {}),
    ("onitama", {}, "onitama", {}),
    ("onitama", {"red_1": 14, "aside": 12}, "onitama", {"red_1": 14, "aside": 12}),
    ("cylinderchess", {"dead": False}, "cylinder_chess", {}),
    ("tak", {}, "tak", {}),
    ("tak", {"size": 3, "flats": 10, "caps": 0}, "tak", {"size": 3}),
    ("sokoban", {}, "sokoban", {}),
    ("toguz", {}, "toguz", {}),
    ("torusgo", {"size": 4}, "torus_go", {"size": 4}),
    ("spanit", {"size": 4}, "bridgit", {"size": 4}),
    ("twixt", {"size": 8}, "twixt", {"width": 8, "height": 8, "pie": True}),
    ("twixt", {"width": 6, "height": 9, "pie": False}, "twixt", {"width": 6, "height": 9}),
]
MOST = 160


def winner(state: State) -> str:
    assert state.result is not None
    if state.result.winner is None:
        return "draw"
    return ("first", "second")[state.game.players.index(state.result.winner)]


def drawn_by_patience(state: State) -> bool:
    """Whether a rule ended the game that the other implementation leaves out."""
    rule = state.result.rule if state.result else ""
    return "repeats" in rule or "quiet" in rule


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{p[0]}-{i}" for i, p in enumerate(PAIRS)])
@settings(max_examples=tries(8), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games_in_step(
    pair: tuple[str, dict[str, Any], str, dict[str, Any]], seed: int
) -> None:
    name, options, other, settings_ = pair
    state = load_with(name, dict(options)).start()
    position: Position = import_module(f"tests.independent.{other}").start(**settings_)
    random = Random(seed)
    for _ in range(MOST):
        if state.over and drawn_by_patience(state):
            return
        assert state.over == position.over()
        if state.over:
            assert winner(state) == position.winner()
            return
        assert sorted(state.moves.texts) == sorted(position.decisions())
        move = random.choice(sorted(state.moves.texts))
        state, position = state.play_decision(move), position.play(move)
