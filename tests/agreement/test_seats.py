"""One player, and three to eight: reference, kernels in Python and machine code agree."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.games.engine.kernels import machine_of
from rulewright.games.files.games import load, loads
from tests.generators import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.seats import GAMES, HEAD
from tests.tools.agreement.files import FALLS_BACK, verdict
from tests.tools.agreement.pair import Counts, Pair

BACKENDS = ["python", pytest.param("native", marks=needs_llvm)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("about", GAMES)
def test_games_of_four(about: str, backend: str) -> None:
    counts = Counts()
    found = verdict(HEAD + GAMES[about], backend, 4, 40, counts)
    assert (found.what, found.trace) == ("agrees", "")
    assert counts.decisions > 100


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("number", [1, 3, 8])
def test_any_number_of_players(number: int, backend: str) -> None:
    names = " ".join(["red", "blue", "green", "white", "black", "amber", "mint", "rose"][:number])
    text = (HEAD + "move place\n  choose a in empty\n  put man at a\nturn place\n").replace(
        "red blue green white", names
    )
    play = loads(f"{text}win when count own = 3\ndraw when stuck\n").play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    for seed in range(tries(3)):
        pair.game(seed, 30)
        pair.sampled(seed, 30)
    pair.perft(3)
    assert pair.counts.positions >= 3 * tries(3)


def agrees(text: str, backend: str) -> None:
    found = verdict(text, backend, 2, 12, Counts())
    assert not found.finding or found.what == FALLS_BACK, f"{found.trace}\n{text}"


@settings(max_examples=tries(12), suppress_health_check=list(HealthCheck), deadline=None)
@given(rule_files(seated=True))
def test_random_rules_in_python(text: str) -> None:
    agrees(text, "python")


@needs_llvm
@settings(max_examples=4, suppress_health_check=list(HealthCheck), deadline=None)
@given(rule_files(seated=True, grows=None), st.just("native"))
def test_random_rules_in_machine_code(text: str, backend: str) -> None:
    agrees(text, backend)


@needs_llvm
def test_a_game_that_is_over_has_no_decisions() -> None:
    """Also where texts are written by the reference, which sees no end in a position."""
    state = load("chinesecheckers", seats=3, limit=3).start()
    assert machine_of(state.game) is not None
    for text in ("k4-k5", "l11-k11", "d10-e9"):
        state = state.play_decision(text)
    assert state.over
    assert list(state.moves.texts) == []
