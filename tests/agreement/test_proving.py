"""Players that begin with a proof: what they call proven is so, wherever they search."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from rulewright.app.build import native
from rulewright.app.build.engine_plan import engine_for, plan
from rulewright.app.build.judge import judge_of
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players.builtin import limited
from rulewright.players.personality import Personality
from rulewright.players.player import GameLimits
from rulewright.search.kernels.thread import WIN
from rulewright.search.results import FAR, Limits, Watch
from rulewright.search.solve import solve
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game as bundled
from tests.shared.engines import decided, declared, needs_compiler, texts_of, write

BLIND = """format 1
evaluator blind for connect4
value wrong of position for yellow = 3 * ply - 40
"""
SEEING = """format 1
personality seeing for connect4
use blind
search alphabeta, depth 20, nodes {nodes}{prove}
pick best wrong
ties first
"""


@cache
def small() -> Game:
    """A board of which late positions are proven at once."""
    return load_with("connect4", {"width": 5, "height": 4})


def late(count: int, discs: int = 9) -> list[State]:
    """Positions of random games with so many discs."""
    return list(islice(positions(small(), discs, 3), count))


def positions(rules: Game, plies: int, seed: int) -> Iterator[State]:
    """Positions of random games after so many plies, that are not over."""
    random = Random(seed)
    while True:
        state = rules.start()
        while not state.over and len(state.decisions()) < plies:
            state = state.play_decision(random.choice(state.moves.texts))
        if not state.over:
            yield state


def player(folder: Path, prove: str = ", prove 60%", nodes: int = 20_000) -> Personality:
    """One whose evaluator knows nothing."""
    (folder / "blind.eval").write_text(BLIND)
    file = folder / "seeing.personality"
    file.write_text(SEEING.format(prove=prove, nodes=nodes))
    return Personality.load(file, small())


def worth(state: State) -> int:
    """The value for whoever is at move: 1, 0, -1."""
    return {"win": 1, "draw": 0, "loss": -1}[solve(state, Limits(None)).value or ""]


def after(state: State, move: str) -> int:
    """What a decision is worth for who makes it."""
    next_one = state.play_decision(move)
    if next_one.result is None:
        return -worth(next_one)
    return 0 if next_one.result.winner is None else 1


@needs_llvm
@pytest.mark.parametrize("threads", [1, 2])
def test_what_can_be_proven_is_played(tmp_path: Path, threads: int) -> None:
    one = player(tmp_path)
    one = evolve(one, resources=evolve(one.resources, threads=threads))
    values = set[int]()
    for state in late(25):
        found = one.decide(state)
        assert found.line is not None
        value = worth(state)
        values.add(value)
        assert after(state, found.move) == value
        if value == 1:
            assert 0 < FAR - found.line.score[0] <= 11  # as many as the board has room for
        if value == 0:
            assert found.line.score == (0, 0)
    assert values == {1, 0, -1}


@needs_llvm
def test_without_a_proof_such_a_player_loses_what_was_won(tmp_path: Path) -> None:
    one = player(tmp_path, "", 300)
    assert any(after(s, one.choose(s)) < worth(s) for s in late(25))


@needs_llvm
def test_the_share_is_that_of_the_nodes(tmp_path: Path) -> None:
    """Where nothing is proven in its share, the rest is searched as ever."""
    state = small().start()
    plain, proving = player(tmp_path, "", 400), player(tmp_path, ", prove 60%", 1000)
    assert proving.root(state) == plain.root(state)


@needs_llvm
@needs_compiler
def test_an_engine_to_take_away_proves_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    folder.mkdir()
    engine, one = engine_for(small()), player(tmp_path)
    write(folder, native.files(plan(engine, small(), judge_of(engine, one))))
    made = declared(folder / "connect4.so")
    for nodes in (900, 20_000):
        within = evolve(one, model=limited(one.model, GameLimits(nodes=nodes)))
        for state in (small().start(), *late(12)):
            found = within.decide(state)
            assert decided(made, state.decisions(), nodes) == found.move
            assert found.line is not None
            if found.line.score[0] > 0:
                assert made.rw_proven() == 1
                assert made.rw_value() == WIN - (FAR - found.line.score[0])


@needs_llvm
@needs_compiler
@pytest.mark.parametrize(
    ("name", "player", "plies"), [("breakthrough", "raider", 30), ("connect4", "solver", 12)]
)
def test_what_is_stopped_at_once_knows_nothing_of_other_searches(
    tmp_path: Path, name: str, player: str, plies: int
) -> None:
    """Threats and proofs come first: whoever stops in them has what a fresh engine has."""
    rules = bundled(name)
    engine, one = engine_for(rules), Personality.load(player, rules)
    write(tmp_path, native.files(plan(engine, rules, judge_of(engine, one))))
    made = declared(tmp_path / f"{name}.so")
    states = list(islice(positions(rules, plies, 1), 12))
    for state in states:
        found = set[tuple[int, float, int]]()
        for other in states:
            decided(made, other.decisions(), 4000)
            found.add(stopped_at_once(made, state))
        assert len(found) == 1


def stopped_at_once(engine: Any, state: State) -> tuple[int, float, int]:
    """What an engine says that plays two nodes, and may play many."""
    engine.rw_start()
    for move in state.decisions():
        engine.rw_play(ctypes.c_int64(texts_of(engine).index(move)))
    engine.rw_think(ctypes.c_int64(0))
    engine.rw_think_within(ctypes.c_int64(100_000))
    engine.rw_think_on(ctypes.c_int64(2))
    return engine.rw_think_end(), engine.rw_value(), engine.rw_proven()


@needs_llvm
def test_a_proof_takes_its_share_of_what_is_left(tmp_path: Path) -> None:
    """Whoever takes nearly all still has judged something, by nodes and when he is called off."""
    greedy = player(tmp_path, ", prove 90%", 3000)
    found = greedy.decide(small().start())
    assert found.line is not None
    called = evolve(greedy.resources, watch=Watch(cancelled=lambda: True))
    stopped = evolve(player(tmp_path, ", prove 90%", 10**9), resources=called)
    found = stopped.decide(small().start())
    assert found.line is not None
    assert found.line.score[0] == 0


@needs_llvm
def test_only_what_is_proven_has_a_value_after_a_proof() -> None:
    """The first decision of an iteration is exact there, but nobody has judged it."""
    rules = bundled("connect4")
    solver = Personality.load("solver", rules)
    one = evolve(solver, model=limited(solver.model, GameLimits(nodes=200_000)))
    state = rules.start().play("3 4 5 6 6 2 7 4 3 7 1 1 6 1 3 1")
    found = {text: line.score for text, line in one.root(state).items() if line is not None}
    assert max(found.values())[0] > 0
    assert all(score[0] != 0 or after(state, text) == 0 for text, score in found.items())
