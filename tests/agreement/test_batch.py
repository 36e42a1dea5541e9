"""Games side by side are the games that `State` plays, decision by decision."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Game, State, TextError, batch, load, loads
from rulewright.errors import Fault, MoveError
from rulewright.games.files.games import bundled_games
from rulewright.learning.batch import DRAW, Batch
from rulewright.learning.lane_arrays import LearningError
from rulewright.reference.play import Outcome
from tests.generators import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game
from tests.shared.effort import tries
from tests.shared.sample import chosen

pytestmark = needs_llvm
THROWN = {
    "backgammon", "chess960", "darkhex", "einstein", "goofspiel", "kuhn", "leduc", "mensch",
    "phantom", "pig", "rps", "ur",
}  # fmt: skip
"""Games in which chance decides, or players do not see everything: batches refuse them."""
UNNUMBERED = {"chinesecheckers", "sokoban"}
"""Games in which a text depends on more than what a move chooses: batches refuse them, too."""
GAMES = sorted({*chosen()} - THROWN - UNNUMBERED)
LANES, STEPS = 3, 60


def test_batches_refuse_games_of_chance_and_secrets_alone() -> None:
    rules = {name: game(name).rules for name in bundled_games()}
    assert {name for name, r in rules.items() if r.has_chance or r.has_secrets} == THROWN


def compare(games: Batch, steps: int, seed: int) -> int:
    """Play random actions in all lanes and beside them by `State`; returns games finished."""
    states, generator = [games.game.start() for _ in range(games.lanes)], random.Random(seed)
    finished = 0
    for _ in range(steps):
        for lane, state in enumerate(states):
            compare_position(games, lane, state)
        actions = [int(generator.choice(np.flatnonzero(marks))) for marks in games.legal]
        games.step(actions)
        for lane, action in enumerate(actions):
            states[lane] = states[lane].play_decision(games.actions[action])
            if states[lane].over:
                compare_end(games, lane, states[lane])
                states[lane], finished = games.game.start(), finished + 1
            else:
                assert not games.over[lane]
                assert games.rewards[lane].tolist() == [0, 0]
    return finished


def compare_position(games: Batch, lane: int, state: State) -> None:
    """Compare who decides, what is legal, and the sets of the players."""
    assert state.mover is not None
    mover = games.game.players.index(state.mover)
    assert games.seats[lane] == mover ^ state.swapped
    legal = [games.actions[int(n)] for n in np.flatnonzero(games.legal[lane])]
    assert sorted(legal) == sorted(state.moves.texts)
    own, enemy = games.observe()[lane, :2].reshape(2, -1)
    owned = state.situation.position.owned
    assert as_mask(own) == owned[mover]
    assert as_mask(enemy) == owned[1 - mover]


def as_mask(plane: Any) -> int:
    return sum(1 << int(site) for site in np.flatnonzero(plane))


def compare_end(games: Batch, lane: int, state: State) -> None:
    """Compare how a game ended: for persons, and not for colours."""
    assert games.terminated[lane]
    outcome = state.situation.outcome
    assert isinstance(outcome, Outcome)
    expected = [0, 0]
    if outcome.winner is not None:
        seat = outcome.winner ^ state.swapped
        expected[seat], expected[1 - seat] = 1, -1
    assert games.rewards[lane].tolist() == expected


@pytest.mark.parametrize("name", GAMES)
def test_lanes_play_as_states_do(name: str) -> None:
    games = batch(game(name), LANES, seed=1, threads=1)
    compare(games, 25 if games.game.rules.looks_back else STEPS, seed=2)


@pytest.mark.parametrize("name", ["tictactoe", "hex", "conniption", "connect4"])
def test_ends_are_those_of_states(name: str) -> None:
    options = {"size": 4} if name == "hex" else {}
    assert compare(batch(load(name, **options), 4, threads=1), 150, seed=3) > 4


@settings(max_examples=tries(25), deadline=None)
@given(text=rule_files(), seed=st.integers(0, 99))
def test_lanes_play_random_rules_as_states_do(text: str, seed: int) -> None:
    for games in playable(text):
        try:
            compare(games, 12, seed)
        except Fault as fault:  # both meet it
            with pytest.raises((Fault, LearningError)):
                until_fault(games, fault)


def playable(text: str) -> Iterator[Batch]:
    """The batch of a text, if machine code plays it and it can begin."""
    try:
        rules = loads(text)
        if rules.start().over:
            return
        yield batch(rules, 2, threads=1, longest=40)
    except (LearningError, TextError, Fault, MoveError):
        return


def until_fault(games: Batch, fault: Fault) -> None:
    """Play on until the rules go wrong here too."""
    for _ in range(400):
        games.step()
    raise fault


@settings(max_examples=tries(5), deadline=None)
@given(seed=st.integers(0, 2**64 - 1), lanes=st.integers(1, 9))
def test_games_depend_on_the_seed_and_the_number_of_a_lane_alone(seed: int, lanes: int) -> None:
    few = batch("breakthrough", lanes, seed=seed, threads=1)
    many = batch("breakthrough", 12, seed=seed, threads=3)
    for _ in range(30):
        few.step()
        many.step()
    assert (few.observe() == many.observe()[:lanes]).all()
    few.reset(seed + 1)
    assert (few.observe() == batch("breakthrough", 1).observe()).all()
    few.roll(20)
    assert not (few.observe() == many.observe()[:lanes]).all()


def test_threads_share_the_lanes() -> None:
    """Long calls are divided; each lane is played once."""
    games = batch("chess", 300, seed=5, threads=2)
    alone = batch("chess", 300, seed=5, threads=1)
    for _ in range(12):
        games.step()
        alone.step()
    assert (games.legal == alone.legal).all()
    assert (games.numbers()[:, -1] == 12).all()
    games.close()


def test_a_position_goes_into_a_lane_and_comes_out() -> None:
    games = batch("chess", 3, threads=1)
    line = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"
    state = games.game.start().play(line)
    games.put(1, state)
    assert games.state(1) == state
    assert games.state(0) == games.game.start()
    games.step([DRAW, games.actions.index("f3g1"), DRAW])
    assert games.state(1) == state.play("f3g1")


def test_games_are_broken_off_for_their_length() -> None:
    games = batch("connect4", 4, threads=1, longest=5)
    for _ in range(4):
        games.step()
        assert not games.over.any()
    games.step()
    assert games.truncated.all()
    assert not games.terminated.any()
    assert (games.rewards == 0).all()
    assert games.counts.tolist() == [7] * 4


def test_a_finished_game_stands_still_if_games_do_not_begin_again() -> None:
    games = batch("tictactoe", 1, threads=1, again=False)
    for text in ("a1", "b1", "a2", "b2", "a3"):
        games.step([games.actions.index(text)])
    assert games.rewards.tolist() == [[1, -1]]
    assert not games.legal.any()
    games.step()
    assert games.rewards.tolist() == [[0, 0]]
    games.reset()
    assert games.legal.all()


def test_more_decisions_than_are_kept_are_listed_again() -> None:
    games = batch("pente", 2, seed=4, threads=1)
    assert (games.counts > 256).all()
    compare(games, 8, seed=1)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 6], r"lane 1: action 6 \(a1\) is not legal there"),
        ([1, 99], "lane 1: action 99 is not legal there"),
        ([1.0, 2.0], r"type float64; a whole number is needed for each lane"),
        ([1], r"shape \(1,\)"),
    ],
)
def test_a_wrong_action_is_refused(actions: list[int], message: str) -> None:
    games = batch("tictactoe", 2, threads=1)
    games.put(1, games.game.start().play("a1"))
    with pytest.raises(LearningError, match=message):
        games.step(actions)


def test_what_cannot_be_played_in_a_batch_is_refused() -> None:
    for name in THROWN:
        with pytest.raises(LearningError, match=f"{name}: batches"):
            batch(name, 1)
    for name in UNNUMBERED:
        with pytest.raises(LearningError, match=f"{name}: the actions cannot be numbered"):
            batch(name, 1)
    with pytest.raises(LearningError, match="at least 1"):
        batch("hex", 0)
    with pytest.raises(LearningError, match="a position of hex"):
        batch("tictactoe", 1).put(0, load("hex").start())
    with pytest.raises(LearningError, match="the game is over"):
        batch("tictactoe", 1).put(0, load("tictactoe").start().play("a1 b1 a2 b2 a3"))
    with pytest.raises(TypeError, match="no setting 'size'"):
        batch(load("hex"), 1, size=4)


def test_a_fault_of_the_rules_is_told() -> None:
    rules: Game = loads("""format 1
game short
players red blue
board square 2 by 2
pieces stone "RB"
state spent = 0 in 0..1
move place
  choose cell in empty
  put stone at cell
  spent := spent + 1
turn place
draw when stuck
""")
    games = batch(rules, 2, threads=1)
    games.step()
    with pytest.raises(Fault):
        games.step()
