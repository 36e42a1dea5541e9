"""Symmetries that are proven from the rules: they hold in games, and proofs use them rightly."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.probes import symmetric
from rulewright.checks.subject import Subject
from rulewright.compiler.passes.symmetry import NAMES, symmetries
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with, loads
from rulewright.model.board import sites_of
from rulewright.model.rules import Claim
from rulewright.search.solve import Solver, solve
from tests.shared.backends import needs_llvm
from tests.shared.bundled import GAMES
from tests.shared.bundled import game as bundled_game

pytestmark = needs_llvm
FOUR = """format 1
game four
players one two
board square 4 by 4
pieces stone "XO"
move place
  choose cell in {domain}
  put stone at cell
turn place
win when some(l in lines(3) : l in own)
draw when stuck
"""
SMALL: list[tuple[str, dict[str, int]]] = [
    ("tictactoe", {"width": 4, "height": 4, "run": 4}),
    ("connect4", {"width": 4, "height": 4}),
    ("spanit", {"size": 3}),
    ("dots", {"width": 2, "height": 2}),
    ("hex", {"size": 4}),
    ("twixt", {"size": 5}),
]


def proven(game: Game) -> list[str]:
    """The names of the symmetries that are proven."""
    found = symmetries(game.rules)
    return [name for name in NAMES if sites_of(name, game.rules.board) in found]


def reached(game: Game, seed: int, plies: int) -> State:
    """A position of a random game."""
    random, state = Random(seed), game.start()
    for _ in range(plies):
        if state.over:
            break
        state = state.play_decision(random.choice(state.moves.texts))
    return state


@pytest.mark.parametrize(
    ("domain", "names"),
    [
        ("empty", list(NAMES)),
        ("empty and not corners", list(NAMES)),
        ("empty and not left", ["flip"]),
        ("empty and not a1", []),
        ("empty and not a4", ["diagonal"]),
        ("empty and not (a1 or d4)", ["half", "diagonal"]),
        ("empty and not north(full)", ["mirror"]),
        ("empty and not west(full)", ["flip"]),
        ("those(s in empty : x(s) < 5)", []),
    ],
)
def test_what_the_rules_tell_apart_is_no_symmetry(domain: str, names: list[str]) -> None:
    assert proven(loads(FOUR.format(domain=domain))) == names


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(1, 30))
def test_what_is_proven_holds_in_games(name: str, seed: int, plies: int) -> None:
    game = bundled_game(name)
    names = proven(game)
    if names:
        claims = tuple(Claim("symmetric", one, None, (), swap=False) for one in names)
        subject = Subject(game)
        with patch.object(Subject, "claims", lambda _, __: list(claims)):
            found = symmetric(subject, reached(game, seed, plies))
        assert found is None, found


@pytest.mark.parametrize(("name", "options"), SMALL)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_proofs_are_the_same_with_and_without(
    name: str, options: dict[str, int], seed: int
) -> None:
    game = load_with(name, options)
    state = reached(game, seed, 6 if name != "twixt" else 9)
    if state.over:
        return
    turned = [solve(state, method=method) for method in ("alphabeta", "proof")]
    with patch.object(Solver, "_turning", lambda _: [0]):
        assert {s.value for s in turned} == {solve(state, method="alphabeta").value}


def test_a_rhombus_of_hexagons_is_not_turned_by_a_quarter() -> None:
    """Its lines go three ways, and `lines(3)` names none of them: this win was called a draw."""
    text = FOUR.format(domain="empty").replace("square", "rhombus")
    text = text.replace("l in own", "l in own and no ends(l) enemy")
    assert proven(loads(text)) == ["half", "diagonal"]
    assert solve(loads(text).start(), nodes=2_000_000).value == "win"


@pytest.mark.parametrize(("name", "options"), SMALL[:4])
def test_fewer_positions_are_looked_at_and_the_line_is_legal(
    name: str, options: dict[str, int]
) -> None:
    start = load_with(name, options).start()
    turned = solve(start, method="alphabeta")
    with patch.object(Solver, "_turning", lambda _: [0]):
        plain = solve(start, method="alphabeta")
    assert turned.value == plain.value
    assert turned.nodes < 0.9 * plain.nodes
    start.play(" ".join(turned.pv))
