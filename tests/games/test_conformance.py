"""What every rules file must keep, whatever the game: one suite for all bundled games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import GameOver, IllegalMove, UnreadableMove
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with
from rulewright.reference.position import Position
from tests.shared.bundled import GAMES, SMALL, game
from tests.shared.effort import tries
from tests.shared.playing import random_game

seeds = st.integers(0, 2**32)
quick = settings(max_examples=tries(5), deadline=None)


def decisions_are_unique(state: State) -> None:
    assert bool(state.moves) is not state.over
    assert len(set(state.moves.texts)) == len(state.moves)
    assert not any(" " in move or not move for move in state.moves.texts)


def every_site_holds_at_most_one_piece(state: State) -> None:
    position: Position = state.situation.position
    owners, kinds = position.owned, position.kinds
    assert owners[0] & owners[1] == owners[0] & owners[2] == owners[1] & owners[2] == 0
    assert sum(owners) == sum(kinds)
    assert sum(owners) & ~state.game.rules.board.sites == 0


def states_stay_in_their_ranges(state: State) -> None:
    for declared, values in zip(
        state.game.rules.states, state.situation.position.states, strict=True
    ):
        entries = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
        for value in entries:
            if declared.low is not None and declared.high is not None:
                assert isinstance(value, int)
                assert declared.low <= value <= declared.high


def a_sampled_decision_is_legal(state: State, random: Random) -> None:
    situation = state.situation
    option = None if state.over else situation.play.sample(situation.position, random)
    assert (option is None) is state.over
    if option is not None:
        assert option.text in state.moves
        assert option == state.situation.options[state.moves.texts.index(option.text)]


def the_position_reads_back(state: State) -> None:
    again = state.game.read(state.text())
    assert again.same(state)
    assert again.text() == state.text()
    if not state.game.rules.looks_back:  # earlier positions are not part of the text
        assert again.moves.texts == state.moves.texts


@pytest.mark.parametrize("name", GAMES)
class TestEveryGame:
    @quick
    @given(seed=seeds)
    def test_every_position_of_a_game_is_sound(self, name: str, seed: int) -> None:
        random = Random(seed)
        for number, state in enumerate(random_game(name, seed)):
            decisions_are_unique(state)
            every_site_holds_at_most_one_piece(state)
            states_stay_in_their_ranges(state)
            if number % 3 == 0:
                a_sampled_decision_is_legal(state, random)
            if number % 5 == 0:
                the_position_reads_back(state)

    @quick
    @given(seed=seeds)
    def test_decisions_and_whole_turns_replay_to_the_same_position(
        self, name: str, seed: int
    ) -> None:
        last = random_game(name, seed)[-1]
        start = last.game.start()
        if last.before is None:
            return
        assert start.play(" ".join(last.decisions())).same(last)
        if last.turn_begins or last.over:
            assert start.play(" ".join(last.turns())).same(last)

    def test_equal_options_give_equal_rules(self, name: str) -> None:
        assert load_with(name, dict(SMALL.get(name, {}))).rules == game(name).rules

    def test_a_finished_game_takes_no_move(self, name: str) -> None:
        last = random_game(name, seed=3, most=400)[-1]
        if last.over:
            assert last.mover is None
            assert last.result is not None
            names = (name, *game(name).rules.bases)
            assert last.result.place.partition(".rules:")[0] in names
            with pytest.raises(GameOver, match="the game is over"):
                last.play("a1")

    @pytest.mark.parametrize("text", ["", "zz99", "no such move", "\x00", "é", "a" * 500, "--"])
    def test_nonsense_is_refused_in_words(self, name: str, text: str) -> None:
        with pytest.raises((IllegalMove, UnreadableMove)) as caught:
            game(name).start().play(text)
        assert str(caught.value)


@pytest.mark.parametrize("name", GAMES)
def test_a_bundled_file_is_fine(name: str, run: Any) -> None:
    status, out, _ = run("check", name)
    assert (status, out) == (0, "")
