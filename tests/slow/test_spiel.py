"""Games in OpenSpiel's registry pass its own tests, and its algorithms run on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability, mcts
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

from rulewright.learning.lane_arrays import LearningError
from rulewright.learning.spiel import register
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm
STAKES = {"kuhn": 2, "leduc": 13}


def game(name: str, **options: int) -> Any:
    return pyspiel.load_game(register(name, stake=STAKES.get(name, 0)), options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kuhn", {}), ("tictactoe", {}), ("connect4", {}), ("hex", {"size": 4}), ("pig", {}),
        ("einstein", {}), ("conniption", {}), ("kalah", {}), ("leduc", {}), ("rps", {}),
        ("phantom", {}), ("goofspiel", {"cards": 3}), ("chinesecheckers", {"limit": 20}),
    ],
)  # fmt: skip
def test_openspiel_accepts_the_game(name: str, options: dict[str, int]) -> None:
    pyspiel.random_sim_test(game(name, **options), num_sims=1, serialize=True, verbose=False)


def test_kuhn_poker_is_as_exploitable_as_openspiels() -> None:
    """By whoever plays at random, and by whoever always passes."""
    ours, theirs = game("kuhn"), pyspiel.load_game("kuhn_poker")
    values = [
        exploitability.exploitability(kuhn, UniformRandomPolicy(kuhn)) for kuhn in (ours, theirs)
    ]
    assert values[0] == pytest.approx(values[1])
    ours_passes, passes = TabularPolicy(ours), TabularPolicy(theirs)
    assert len(ours_passes.states) == len(passes.states)
    ours_passes.action_probability_array[:] = np.eye(len(ours.actions))[ours.actions.index("pass")]
    passes.action_probability_array[:] = [1.0, 0.0]
    assert exploitability.exploitability(ours, ours_passes) == pytest.approx(
        exploitability.exploitability(theirs, passes)
    )


def test_leduc_holdem_is_as_exploitable_as_openspiels() -> None:
    ours, theirs = game("leduc"), pyspiel.load_game("leduc_poker(suit_isomorphism=True)")
    values = [
        exploitability.exploitability(leduc, UniformRandomPolicy(leduc)) for leduc in (ours, theirs)
    ]
    assert values[0] == pytest.approx(values[1])


def test_its_search_finds_a_win() -> None:
    ours = game("tictactoe")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(ours, 1.4, 200, evaluator, random_state=np.random.RandomState(2))
    state = ours.new_initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state.apply_action(state.string_to_action(text))
    assert state.action_to_string(bot.step(state)) == "a3"


def test_states_tell_what_each_seat_sees() -> None:
    state = game("tictactoe").new_initial_state()
    state.apply_action(state.string_to_action("a1"))
    mine, other = (np.array(state.observation_tensor(seat)).reshape(2, 9) for seat in (0, 1))
    assert mine.tolist() == [[0] * 6 + [1, 0, 0], [0] * 9]
    assert (mine == other[::-1]).all()
    assert state.information_state_string(0) == "a1"
    dealt = [game("kuhn").new_initial_state() for _ in range(2)]
    for deal, hand in zip(dealt, ("12", "13"), strict=True):
        deal.apply_action(deal.string_to_action(hand))
    seen = [[deal.information_state_string(seat) for deal in dealt] for seat in (0, 1)]
    assert seen[0][0] == seen[0][1]
    assert "queen" not in seen[0][0]
    assert dealt[0].observation_string(1) != dealt[1].observation_string(1)


def test_who_exchanges_colours_keeps_the_seat() -> None:
    state = game("hex", size=3, pie=True).new_initial_state()
    state.apply_action(state.string_to_action("b2"))
    assert state.current_player() == 1
    state.apply_action(state.string_to_action("swap"))
    assert state.current_player() == 0


THREE = """format 1
game race
players red green blue
board square 3 by 3
pieces stone "RGB"
move place
  choose cell in empty
  put stone at cell
turn place
win when own meets top
draw when stuck
"""


def test_several_players_are_rewarded_by_their_places(tmp_path: Path) -> None:
    path = tmp_path / "race.rules"
    path.write_text(THREE)
    race = pyspiel.load_game(register(str(path)))
    pyspiel.random_sim_test(race, num_sims=1, serialize=True, verbose=False)
    state = race.new_initial_state()
    for text in ("a1", "b1", "c1", "a3"):
        state.apply_action(state.string_to_action(text))
    assert state.returns() == [1, -0.5, -0.5]


def test_what_openspiel_cannot_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LearningError, match="the actions cannot be numbered"):
        register("chess960")
    path = tmp_path / "tictactoe.rules"
    path.write_text(THREE.replace("game race", "game tictactoe"))
    register("tictactoe")
    with pytest.raises(LearningError, match="rulewright_tictactoe is registered already"):
        register(str(path))
    with pytest.raises(LearningError, match="for another game or with other terms"):
        register("tictactoe", sparse=9)
