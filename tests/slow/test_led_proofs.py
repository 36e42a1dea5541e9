"""Proofs that a text leads prove what others do; `must` of the bundled texts leaves out nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.checks.properties_of_players import PersonalityProperties
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load_with
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.results import UNCERTAIN, Limits
from rulewright.search.solve import solve
from tests.shared.backends import needs_llvm
from tests.shared.places import RULESETS
from tests.shared.playing import after

pytestmark = needs_llvm

BOARDS = {
    "connect4": ("solver", {"width": 4, "height": 4}),
    "tictactoe": ("solver", {"width": 4, "height": 3, "run": 3}),
    "dots": ("solver", {"width": 3, "height": 2}),
    "breakthrough": ("solver", {"width": 4, "height": 4}),
}

RACES = RULESETS / "breakthrough" / "races.eval"
SMALL = Limits(None, memory=1 << 20)


@cache
def game(name: str) -> Game:
    return load_with(name, dict(BOARDS[name][1]))


@pytest.mark.parametrize("method", ["alphabeta", "proof"])
@pytest.mark.parametrize("name", BOARDS)
@given(seed=st.integers(0, 2**32), plies=st.integers(5, 9))
@settings(max_examples=3, deadline=None)
def test_a_text_changes_no_value(name: str, method: str, seed: int, plies: int) -> None:
    state = after(game(name), seed, plies)
    if state.over:
        return
    led = proving(Personality.load(BOARDS[name][0], game(name)).model)
    found = solve(state, SMALL, method=method, leading=led)
    assert found.value == solve(state, SMALL).value


def test_it_saves_most_of_the_work() -> None:
    """What must be done and what to try first are worth a third of the nodes, and much more."""
    board = load_with("connect4", {"width": 5, "height": 4})
    led = proving(Personality.load("solver", board).model)
    with_text, without = solve(board.start(), SMALL, leading=led), solve(board.start(), SMALL)
    assert with_text.value == without.value == "draw"
    assert with_text.nodes * 3 < without.nodes * 2


@pytest.mark.parametrize("method", ["alphabeta", "proof"])
def test_who_can_no_longer_win_changes_no_value(method: str) -> None:
    """TwixT 6, where most is won or lost, and 5, where most is drawn."""
    met = set[str | None]()
    for size, seeds in ((6, range(16)), (5, range(30, 46))):
        board = load_with("twixt", {"size": size, "pie": False})
        led = proving(Personality.load("solver", board).model)
        states = (after(board, seed, 14) for seed in seeds)
        for state in (one for one in states if not one.over and len(one.decisions()) > 4):
            known = solve(state, SMALL).value
            assert solve(state, SMALL, method=method, leading=led).value == known
            met.add(known)
    assert met == {"win", "draw", "loss"}


@pytest.mark.parametrize("method", ["alphabeta", "proof"])
def test_who_has_no_way_left_is_not_looked_into(method: str) -> None:
    """TwixT 5 takes a tenth of the nodes where a player without a way is known to win no more."""
    board = load_with("twixt", {"size": 5, "pie": False})
    state = board.start().play_decision("c3")
    led = proving(Personality.load("solver", board).model)
    found = solve(state, method=method, leading=led)
    without = solve(state, method=method)
    assert found.value == without.value
    assert found.nodes * 10 < without.nodes


def test_who_says_neither_leads_no_proof(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RulewrightError, match="no `must`, `order`, `drawn`, `decided`"):
        proving(Personality.load("eager", load_with("connect4", {})).model)
    assert main(["solve", "connect4", "--personality", "eager", "--nodes", "10"]) == 2
    assert "no `must`" in capsys.readouterr().err


TOLD = """format 1
evaluator told for tictactoe

value position of position for mover = 0
value won of position for mover = 1 if count own > {most} else 0
value dead of position for mover = 1 if count (own or enemy) > {most} else 0
value some of move place for mover = 1 if cell in column({most}) else 0
"""
TELLING = """format 1
personality telling for tictactoe

use told
search alphabeta, depth 9
{word}
"""


@pytest.mark.parametrize("word", ["decided won", "drawn dead", "must some", "hopeless won"])
def test_a_wrong_line_of_a_proof_is_detected(tmp_path: Path, word: str) -> None:
    (tmp_path / "told.eval").write_text(TOLD.format(most=2))
    (tmp_path / "telling.personality").write_text(TELLING.format(word=word))
    board = load_with("tictactoe", {})
    model = Personality.load(tmp_path / "telling.personality", board).model
    (found,) = PersonalityProperties(board, model).run(["leads"])
    assert "without these words a" in found.findings[0].message


RACER = """format 1
personality racer for breakthrough

use races
search minimax, depth 2
ties first
decided race
"""


def test_a_search_takes_what_is_decided_for_nearly_won(tmp_path: Path) -> None:
    """Machine code and the reference alike; only a proof takes it for a win."""
    board = load_with("breakthrough", {"width": 4, "height": 5})
    (tmp_path / "races.eval").write_text(RACES.read_text())
    (tmp_path / "racer.personality").write_text(RACER)
    racer = Personality.load(tmp_path / "racer.personality", board)
    slow, called = evolve(racer, native=False), 0
    for seed in range(20):
        state = after(board, seed, 16)
        if state.over:
            continue
        scores = [
            {t: line and line.score for t, line in p.root(state, exact=True).items()}
            for p in (racer, slow)
        ]
        assert scores[0] == scores[1]
        called += any(s and abs(s[-1]) == UNCERTAIN for s in scores[0].values())
    assert called > 1
