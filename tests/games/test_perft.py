"""The facts next to each game: `perft.txt` in its folder, against kernels and the reference.

A line is `options : unit : leaves at depth 1, 2, ...`; `#` begins a comment.
"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.checks.claims import miscount
from rulewright.checks.counts import PerftLine
from rulewright.checks.subject import Subject
from rulewright.compiler.engine import LEVELS, Engine
from rulewright.errors import Fault, TooLong
from rulewright.games.engine.game import State
from rulewright.games.files.games import bundled_games, load_with, loads
from rulewright.ground.limits import LINE
from tests.shared.backends import BACKENDS, THERE
from tests.shared.bundled import game
from tests.shared.counts import AFTER_MOVES, FACTS, QUICK, Fact, identify
from tests.shared.effort import tries
from tests.shared.playing import played_on

FEW = [fact for fact in FACTS if fact[-1] <= QUICK]


@pytest.mark.parametrize("fact", FEW, ids=map(identify, FEW))
def test_perft(fact: Fact) -> None:
    name, options, unit, depth, leaves = fact
    assert load_with(name, dict(options)).start("reference").perft(depth, unit) == leaves


@cache
def compiled(name: str, options: tuple[tuple[str, str], ...]) -> Engine:
    return Engine(load_with(name, dict(options)).play)


@pytest.mark.parametrize("fact", FACTS, ids=map(identify, FACTS))
def test_perft_by_kernels(fact: Fact) -> None:
    name, options, unit, depth, leaves = fact
    engine = compiled(name, tuple(options.items()))
    assert engine.perft(engine.play.first, depth, unit) == leaves


@pytest.mark.parametrize(("name", "line"), AFTER_MOVES, ids=[line.place for _, line in AFTER_MOVES])
def test_counts_after_moves(name: str, line: PerftLine) -> None:
    wrong = miscount(Subject(load_with(name, {**line.options}), quick=True), line)
    assert wrong is None, wrong.message


DEEP = [fact for fact in FEW if fact[2] == "decision" and fact[3] >= 3]


@pytest.mark.parametrize("fact", DEEP, ids=map(identify, DEEP))
def test_perft_one_first_decision_after_the_other(fact: Fact) -> None:
    """As it is counted until there is careful code: the same leaves, and the same nodes."""
    name, options, _, depth, leaves = fact
    engine = compiled(name, tuple(options.items()))
    apart = engine._count_by_first_decision(engine.play.first, depth)
    assert apart == engine._count_whole(engine.play.first, depth)
    assert apart[0] == leaves


def test_every_bundled_game_has_facts() -> None:
    assert {fact[0] for fact in FACTS} == set(bundled_games())


# --- turns, by kernels ---

WALKED = 1000
"""Decisions that the reference may count for one test."""


MANY_TURNS = {"arimaa", "pig"}
"""Games with turns in so many ways that nobody counts them: a set-up by sixteen pieces has
64,864,800, and who throws a die again and again has more."""
COUNTED = sorted({*bundled_games()} - MANY_TURNS)


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


def agrees(state: State, name: str, most: int = WALKED) -> None:
    """Kernels count turns from here as the reference does, as deep as that takes no time."""
    position, wide = state.situation.position, 1
    for depth in range(4):
        found = state.count(depth, "turn")
        for backend in THERE:
            assert engine(name, backend).count(position, depth, "turn") == found, backend
        wide = max(wide, found[0] if depth == 1 else 1)
        if depth > 0 and found[1] * wide > most:
            return


@pytest.mark.parametrize("name", COUNTED)
def test_kernels_count_first_turns_as_the_reference_does(name: str) -> None:
    agrees(game(name).start("reference"), name)


@pytest.mark.parametrize("name", [n for n in COUNTED if n != "backgammon"])  # 20 s a turn
@settings(max_examples=tries(3), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_kernels_count_turns_as_the_reference_does(name: str, seed: int) -> None:
    """From the middle of games and of turns."""
    random = Random(seed)
    state = played_on(game(name).start("reference"), random, random.randrange(12))
    if not state.over:
        agrees(state, name, 300)


def test_all_turns_of_amazons_are_counted() -> None:
    """Two decisions each: every turn counts both."""
    assert game("amazons").start("reference").count(1, "turn") == (2176, 4352)
    assert engine("amazons", "python").count(game("amazons").play.first, 1, "turn") == (2176, 4352)


LONG = """format 1
game long
players red blue
board square 2 by 2
pieces stone
state n = 0 within turn
move go
  need n < {}
  n := n + 1
turn go*
draw when ply = 9
draw when stuck
"""


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
@pytest.mark.parametrize(("length", "depth"), [(LEVELS + 36, 2), (LINE, 1), (LINE // 2, 2)])
def test_long_turns(length: int, depth: int, backend: str) -> None:
    state = loads(LONG.format(length)).start("reference")
    assert counted(state, depth, backend) == (1, length * depth)


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
@pytest.mark.parametrize(("length", "depth"), [(LINE + 1, 1), (LINE // 2 + 1, 2), (10**9, 1)])
def test_longer_turns_are_refused(length: int, depth: int, backend: str) -> None:
    state = loads(LONG.format(length)).start("reference")
    with pytest.raises(TooLong, match=f"more than {LINE} decisions"):
        counted(state, depth, backend)


STUCK = """format 1
game rest
players red blue
board square 2 by 2
pieces stone
move go
  choose cell in empty
  put stone at cell
turn go go go
draw when ply = 9
"""


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_a_player_who_is_stuck_in_a_turn_is_a_fault(backend: str) -> None:
    state = loads(STUCK).start("reference")
    assert counted(state, 1, backend) == (24, 72)
    with pytest.raises(Fault, match="no decision and no rule says"):
        counted(state, 2, backend)


def counted(state: State, depth: int, backend: str) -> tuple[int, int]:
    if backend == "reference":
        return state.count(depth, "turn")
    return Engine(state.game.play, backend).count(state.situation.position, depth, "turn")


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_the_command_counts_turns(backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["perft", "conniption", "--depth", "2", "--unit", "turn", "--divide"]
    assert main([*words, "--backend", backend]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == str(sum(int(line.rpartition(": ")[2]) for line in lines[:-1]))
    assert int(lines[-1]) == game("conniption").start().perft(2, "turn")
