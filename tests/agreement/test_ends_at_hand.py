"""Wins at once and defences against them, by kernels and by the reference, in every game."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import bundled_games, load, loads
from rulewright.players.builtin import PersonalityPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, GameLimits
from rulewright.search.candidates import is_threatened, safe, winning
from rulewright.search.thread_arrays import Root, ThreadArrays
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game

pytestmark = needs_llvm

MISERE = """format 1
game misere
players first second
board square 3 by 3
pieces stone
move place
  choose s in empty
  put stone at s
turn place
lose when some(l in lines(3) : l in own)
draw when stuck
"""
PAIRS = """format 1
game pairs
players first second
board square 4 by 3
pieces stone
move place
  choose s in empty
  put stone at s
turn place place?
win when some(l in lines(3) : l in own)
draw when stuck
"""
NIM = """format 1
game nim
players first second
board square 7 by 1
pieces stone
move take
  choose n in 1..3
  need n <= count empty
  put stone at those(s in empty : count(t in empty : x(t) <= x(s)) <= n)
turn take
lose when stuck
"""
"""Whoever leaves the other without a decision wins."""
FEW = 24
"""Decisions of a position whose replies the reference tries one by one."""
DECIDERS = ("chains", "racer", "seeker", "t1", "t1j", "ways")


@cache
def written(text: str) -> Game:
    return loads(text)


def late(played: Game, seed: int, before: int) -> State:
    """A position a few decisions before the end of a random game."""
    random, state = Random(seed), played.start()
    for _ in range(120):
        if state.over:
            break
        state = state.play(random.choice(state.moves.texts))
    states = state.states()
    return states[max(0, len(states) - 1 - before)]


def compare(state: State) -> None:
    """Kernels and reference name the same wins, threats and defences."""
    engine = load_engine(state.game)
    assert isinstance(engine, Engine)
    worker = ThreadArrays(engine, 0)
    Root(state, engine).place(worker)
    texts, situation = state.moves.texts, state.situation
    ends = [
        row for row in range(worker.rows)
        if worker.call("winning_from", row, row + 1, 0, worker.person, worker.rows) == row
    ]  # fmt: skip
    assert [texts[row] for row in ends] == winning(situation)
    assert bool(worker.call("threatened", worker.rows)) == is_threatened(situation)
    kept = [row for row in range(worker.rows) if worker.call("is_safe", row, worker.rows)]
    assert [texts[row] for row in kept] == safe(situation)


@pytest.mark.parametrize("name", sorted(set(bundled_games()) - {"chess"}))
def test_wins_and_defences_agree(name: str) -> None:
    for before in (1, 2):
        state = late(game(name), before, before)
        if not state.over and len(state.moves) < FEW:
            compare(state)


@pytest.mark.parametrize("text", [MISERE, PAIRS, NIM])
def test_wins_and_defences_agree_in_other_turns_and_ends(text: str) -> None:
    for seed in range(10):
        for before in (1, 2, 3, 4):
            compare(late(written(text), seed, before))


def test_a_decision_that_loses_at_once_is_no_defence() -> None:
    state = written(MISERE).start().play("a1 a2 b1 c3 a3")
    assert state.mover == "second"
    state = state.play("b3")
    assert "c1" not in safe(state.situation)  # first completes his own row


def test_a_win_in_the_same_turn_is_no_loss() -> None:
    state = written(PAIRS).start().play("a1 - a3 -")
    assert len(safe(state.situation)) == len(state.moves.texts)


# --- TwixT on its usual board, where a chain lacks one peg ---


def chain(column: int) -> list[str]:
    """Holes from top to bottom, each a knight's move from the last one."""
    steps = [(column + row // 2, row) for row in range(1, 24, 2)]
    return [f"{chr(ord('a') + x)}{25 - y}" for x, y in (*steps, (column + 13, 24))]


def with_a_gap(column: int, gap: int, seed: int) -> tuple[State, str]:
    """The other player is at move and has one hole that keeps him from losing; that hole."""
    pegs = chain(column)
    missing = pegs.pop(gap)
    away = [f"{x}{y}" for x in "uw" for y in range(3, 23)]
    others = Random(seed).sample([hole for hole in away if hole not in pegs], len(pegs) - 1)
    turns = [hole for pair in zip(pegs, others, strict=False) for hole in pair]
    return load("twixt", pie=False).start().play(" ".join([*turns, pegs[-1]])), missing


@pytest.mark.parametrize("name", DECIDERS)
def test_the_only_defence_and_the_win_are_always_seen(name: str) -> None:
    seen = []
    for column, gap in ((1, 3), (4, 7)):
        state, missing = with_a_gap(column, gap, gap)
        who = PersonalityPlayer(name, Personality.load(name, state.game))
        who.start(state.game, GameLimits(nodes=60), 1)
        attacked = state.play("v2")
        seen += [who.choose(state, Clock()).move == missing]
        seen += [who.choose(attacked, Clock()).move == missing]
    assert seen == [True] * 4


@pytest.mark.parametrize("name", ["racer", "t1j"])
def test_without_time_the_decision_is_one_that_would_be_searched(name: str) -> None:
    state, _ = with_a_gap(2, 5, 1)
    who = Personality.load(name, state.game)
    assert who.considered is not None
    kept = {option.text for option in who.considered.options(state.situation)}
    assert len(kept) < len(state.moves) / 4
    assert all(who.choose(state, Random(seed), 1e-9) in kept for seed in range(3))
