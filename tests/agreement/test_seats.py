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
from tests.tools.agreement.files import FALLS_BACK, verdict
from tests.tools.agreement.pair import Counts, Pair

BACKENDS = ["python", pytest.param("native", marks=needs_llvm)]
HEAD = """format 1
game seats
players red blue green white
board square 4 by 3
pieces man
"""
WALK = """
setup
  put red man at a1 or b1
  put blue man at a3 or b3
  put green man at d2 or d1
  put white man at d3 or c3
move step
  choose a in own
  choose b in near(a) and not own
  move a to b
turn step
"""
GAMES = {
    "who has no piece is out, and so is who is stuck": f"""{WALK}
lose when stuck
win when no enemy
draw when repeats >= 2
""",
    "who decides and loses is out; later is better": f"""{WALK}
lose when own meets c2
lose when count own = 1
draw when ply > 30
""",
    "who is left is stuck, which decides before what else would": """
move place
  choose a in empty
  put man at a
turn place
lose when stuck
lose when count empty < 3
""",
    "who does not take the first part goes on with the second": """
move place
  choose a in empty
  put man at a
move take
  choose a in enemy
  clear a
  write "x{a}"
turn take? place
lose when count enemy > 7
lose when stuck
""",
    "places by a number of each, of who is still in": f"""{WALK}
lose when own meets b2
score count own - sum(p in others : count(s in own for p : near(s) meets own)) when ply > 9
draw when stuck
""",
    "the next player, all others, and each of them": """
state hand each = 3 in -20..20
state seen each player, k in 0..2 = 0 in 0..9
setup
  each p in players
    put p man at a1 if p = red else b1 if p = blue else c1 if p = green else d1
move place
  choose a in empty
  put man at a
  hand for next := hand - 1
  each p in others
    if any near(a) (own for p)
      hand for p := hand + 1
      seen(1) for p := (seen(1) + 1) mod 9
move give
  choose a in empty top
  put next man at a
  write "+{a}"
turn place or give
win when max(p in others : hand for p) > 6 and not mover = white
win when hand > sum(p in others : hand for p)
score hand + 2 * count(p in others, s in own : near(s) meets (own for p)) when no empty
""",
}


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
