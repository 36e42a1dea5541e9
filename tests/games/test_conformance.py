"""What every rules file must keep, whatever the game: one suite for all bundled games."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import GameOver, IllegalMove, UnreadableMove
from rulewright.files.games import load_with
from rulewright.reference.position import Position
from tests.shared.bundled import GAMES, SMALL, game
from tests.shared.playing import random_game

seeds = st.integers(0, 2**32)
quick = settings(max_examples=5, deadline=None)


@pytest.mark.parametrize("name", GAMES)
class TestEveryGame:
    @quick
    @given(seed=seeds)
    def test_a_position_that_is_not_over_has_unique_decisions(self, name: str, seed: int) -> None:
        for state in random_game(name, seed):
            assert bool(state.moves) is not state.over
            assert len(set(state.moves.texts)) == len(state.moves)
            assert not any(" " in move or not move for move in state.moves.texts)

    @quick
    @given(seed=seeds)
    def test_positions_read_back(self, name: str, seed: int) -> None:
        for state in random_game(name, seed)[::5]:
            again = state.game.read(state.text())
            assert again.same(state)
            assert again.text() == state.text()
            if not state.game.rules.looks_back:  # earlier positions are not part of the text
                assert again.moves.texts == state.moves.texts

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

    @quick
    @given(seed=seeds)
    def test_every_site_holds_at_most_one_piece(self, name: str, seed: int) -> None:
        for state in random_game(name, seed):
            position: Position = state.situation.position
            owners, kinds = position.owned, position.kinds
            assert owners[0] & owners[1] == owners[0] & owners[2] == owners[1] & owners[2] == 0
            assert sum(owners) == sum(kinds)
            assert sum(owners) & ~state.game.rules.board.sites == 0

    @quick
    @given(seed=seeds)
    def test_states_stay_in_their_ranges(self, name: str, seed: int) -> None:
        for state in random_game(name, seed):
            for declared, values in zip(
                state.game.rules.states, state.situation.position.states, strict=True
            ):
                for value in values:
                    if declared.low is not None and declared.high is not None:
                        assert isinstance(value, int)
                        assert declared.low <= value <= declared.high

    @quick
    @given(seed=seeds)
    def test_sampled_decisions_are_legal(self, name: str, seed: int) -> None:
        random = Random(seed)
        for state in random_game(name, seed)[::3]:
            situation = state.situation
            option = None if state.over else situation.play.sample(situation.position, random)
            assert (option is None) is state.over
            if option is not None:
                assert option.text in state.moves
                assert option == state.situation.options[state.moves.texts.index(option.text)]

    def test_equal_options_give_equal_rules(self, name: str) -> None:
        assert load_with(name, dict(SMALL.get(name, {}))).rules == game(name).rules

    def test_a_finished_game_takes_no_move(self, name: str) -> None:
        last = random_game(name, seed=3, most=400)[-1]
        if last.over:
            assert last.mover is None
            assert last.result is not None
            assert last.result.place.startswith(f"{name}.rules:")
            with pytest.raises(GameOver, match="the game is over"):
                last.play("a1")

    @pytest.mark.parametrize("text", ["", "zz99", "no such move", "\x00", "é", "a" * 500, "--"])
    def test_nonsense_is_refused_in_words(self, name: str, text: str) -> None:
        with pytest.raises((IllegalMove, UnreadableMove)) as caught:
            game(name).start().play(text)
        assert str(caught.value)
