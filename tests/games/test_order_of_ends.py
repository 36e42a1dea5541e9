"""Ends hold in the order of the text, those for who is stuck among them."""

from __future__ import annotations

from itertools import permutations

import pytest

from rulewright import Game, State, load, loads
from rulewright.checks.probes import exclusive
from rulewright.checks.subject import Subject
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import DRAWN
from rulewright.search.best import best
from rulewright.search.results import Limits
from rulewright.search.solve import solve
from tests.shared.backends import THERE, needs_llvm, needs_wasm

BACKENDS = [
    "reference",
    "python",
    pytest.param("llvm", marks=needs_llvm),
    pytest.param("wasm", marks=needs_wasm),
]
HEAD = """format 1
game order
players red blue
board square 3 by 2
pieces stone
state quiet = 0 in 0..3
setup
  put red stone at a1
  put blue stone at c1
"""
# A stone leaves a wall behind; the counter is raised before the need that takes moves back.
STEP = """move step
  choose a in own
  choose b in around(a) empty
  quiet := quiet + 1
  move a to b
  put nobody stone at a
  need ply < 90
turn step
"""
BLOCKED = "a1-b2 c1-c2 b2-b1"
"""The third decision, after which blue cannot move."""
MATE_ON_THE_LAST = """
8 . . . . . . k .
7 . . . . . p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 R . . . . . . K
  a b c d e f g h

mover: white
ply: 60
fresh: nowhere
ghost: nowhere
quiet: 149
"""


def ending(*ends: str, head: str = HEAD, moves: str = STEP) -> Game:
    return loads(head + moves + "\n".join(ends) + "\n")


def result(state: State) -> tuple[str | None, str] | None:
    return (state.result.winner, state.result.rule) if state.result else None


@pytest.mark.parametrize("backend", [b for b in BACKENDS if b != "python"])  # long to read
def test_mate_on_the_last_quiet_decision_wins(backend: str) -> None:
    chess = load("chess")
    state = chess.start(backend).game.read(MATE_ON_THE_LAST)
    assert result(state.play("a1a8")) == ("white", "lose when stuck and attacked(own king)")
    assert result(state.play("h1g1")) == (None, "draw when quiet >= 150")


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_first_end_that_holds_counts(backend: str) -> None:
    """The range of the counter ends where the game does, and the question passes over that."""
    loses, draws = "lose when stuck", "draw when quiet = 3"
    for ends, expected in [((loses, draws), ("red", loses)), ((draws, loses), (None, draws))]:
        start = ending(*ends).start(backend)
        assert result(start.play(BLOCKED)) == expected
        assert result(start.play("a1-b2 c1-c2 b2-a2")) == (None, draws)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_order_gives_the_first(backend: str) -> None:
    lines = {"lose when stuck": "red", "draw when quiet = 3": None, "lose when quiet > 2": "blue"}
    for ends in permutations(lines):
        assert result(ending(*ends).start(backend).play(BLOCKED)) == (lines[ends[0]], ends[0])


TAKING = """move place
  choose cell in empty
  put stone at cell
move take
  choose cell in enemy
  need count own > 1
  clear cell
turn place take
turn place
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_who_is_stuck_in_the_middle_of_a_turn(backend: str) -> None:
    """The same player must take and cannot: own is whoever has just placed."""
    head = HEAD.replace("state quiet = 0 in 0..3\n", "")
    moves = TAKING.replace("turn place take\nturn place\n", "turn place take\n")
    one = ending("lose when stuck", "win when count own = 2", head=head, moves=moves)
    moves = moves.replace("count own > 1", "count own > 2")
    other = ending("lose when stuck", "win when count own = 2", head=head, moves=moves)
    assert result(one.start(backend).play("a2")) == ("red", "win when count own = 2")
    assert result(other.start(backend).play("a2")) == ("blue", "lose when stuck")


@pytest.mark.parametrize("backend", BACKENDS)
def test_after_a_decision_not_to_move_only_ends_for_who_is_stuck_hold(backend: str) -> None:
    moves = """move extra
  choose cell in empty
  put stone at cell
move place
  choose cell in empty
  need count own = 2
  put stone at cell
turn extra? place
"""
    head = HEAD.replace("state quiet = 0 in 0..3\n", "")
    start = ending("win when count own = 1", "lose when stuck", head=head, moves=moves).start(
        backend
    )
    assert result(start.play("-")) == ("blue", "lose when stuck")
    assert start.play("a2").result is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_swapping_sides_is_seen_in_who_would_be_stuck(backend: str) -> None:
    moves = STEP.replace("  need ply < 90\n", "  swap sides\n")
    won = ending("lose when stuck", "draw when quiet = 3", moves=moves).start(backend)
    free = HEAD.replace("0..3", "0..9")
    plain = ending("lose when stuck", head=free, moves=moves).start(backend)
    lines, ends = [won], set()
    while lines:
        state = lines.pop()
        if len(state.decisions()) < 3:
            lines += [state.play_decision(move) for move in state.moves]
            continue
        without = plain.play(" ".join(state.decisions()))
        assert result(state) == (result(without) or (None, "draw when quiet = 3"))
        ends.add(result(state))
    assert len(ends) == 2


def test_searches_proofs_and_random_games_know_it() -> None:
    chess = load("chess").read(MATE_ON_THE_LAST)
    found = best(chess, Limits(seconds=None, depth=1))
    assert (found.move, found.proven) == ("a1a8", "win")
    game = ending("lose when stuck", "draw when quiet = 3")
    state = game.start().play("a1-b2 c1-c2")
    assert solve(state).value == "win"
    for backend in THERE:
        engine = Engine(game.play, backend)
        told = [engine.playout(state.situation.position, seed, 5) for seed in range(40)]
        assert {outcome for _, outcome, _ in told} == {0, DRAWN}


def test_ends_at_odds_are_weighed_as_they_hold() -> None:
    """A stuck player's end that has come first is compared with others for who is stuck."""
    game = ending("lose when stuck", "win when stuck and quiet = 3", "draw when quiet = 3")
    found = exclusive(Subject(game), game.start().play(BLOCKED))
    assert found is not None
    assert "`lose when stuck` says that red wins" in found.message


SHUFFLED = " ".join(
    [
        "c3-b4 f6-g5 d2-c3 g7-f6 c3-d4 b6-a5 g3-f4 a5xc3 d4-e5 f6xd4 e3xc5 d6xb4 b2xd4 g5xe3",
        "a3xc5 c7-d6 d4-e5 d6xf4 f2xd4 a7-b6 c5xa7 e7-d6 c1-d2 d8-c7 g1-f2 f4-g3 f2xh4 f8-g7",
        "d2-e3 c7-b6 h4-g5 h6xf4 f4xd2 e1xc3 d6-e5 d4xf6 g7xe5 c3-d4 e5xc3 h2-g3 b6-a5 a1-b2",
        "c3xa1 g3-f4 a1-b2 f4-g5 b2-c3 g5-f6 b8-c7 f6-g7 h8xf6 a7-b8 f6-g5 b8xd6 g5-h4 d6-c5",
        "c3-d4 c5xe3 a5-b4 e3-f2 h4-g3 f2xh4 b4-c3 h4-g5 c3-b2 g5-f4 b2-a1 f4-e5 a1-b2 e5-d6",
        "b2-a3 d6-c7 a3-b2 c7-d6 b2-c1 d6-c7 c1-b2 c7-d6",
    ]
)
KNIGHTS = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize(
    ("name", "moves"), [("draughts", SHUFFLED), ("chess", " ".join([KNIGHTS] * 2))]
)
def test_a_third_repetition_may_be_claimed(name: str, moves: str) -> None:
    state = load(name).start().play(moves)
    assert state.claimable
    assert not state.over
    assert not state.states()[-2].claimable


def test_chess_ends_after_five_repetitions_and_seventy_five_moves() -> None:
    chess = load("chess")
    assert result(chess.start().play(" ".join([KNIGHTS] * 4))) == (
        None,
        "draw when quiet >= 16 and repeats >= 4",
    )
    state = chess.read(MATE_ON_THE_LAST.replace("quiet: 149", "quiet: 148"))
    late = state.play("h1g1")
    assert late.claimable
    assert not late.over
    assert result(late.play("g8f8")) == (None, "draw when quiet >= 150")
