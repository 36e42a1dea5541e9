"""What each player sees: views, texts and pictures of them, what decisions may not tell."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.checks.blindness import blind
from rulewright.checks.subject import Subject
from rulewright.errors import RulewrightError
from rulewright.games.engine.luck import random_decision
from rulewright.games.engine.sight import UNSEEN, observation, observations, open_game, sight
from rulewright.model.board import bits
from rulewright.reference.sight import view_of
from rulewright.search.completions import Completions
from tests.shared.effort import tries

PHANTOM = """format 1
game phantom

players red blue
board square 3 by 3
pieces stone "XO"

state met each = nowhere hidden
state weight each s in sites = 0 in 0..4 with pieces hidden
state purse each = 7 in 0..9 hidden
state lot = 3 in 0..9 hidden

sees met

move place
  choose cell in sites and not (own or met)
  if cell in enemy
    met := met or cell
    purse := purse - 1
    again
  else
    put stone at cell
    weight(cell) := 1 + ply mod 4

turn place

win when some(l in lines(3) : l in own)
lose when purse = 0
draw when no empty and lot = 3
"""
CHECKED = rulewright.check(PHANTOM).game
assert CHECKED is not None
GAME = evolve(CHECKED, backend="reference")
FEW = settings(max_examples=tries(15), deadline=None)


def played(seed: int, most: int) -> rulewright.State:
    """A state after random decisions, before the end."""
    random, state = Random(seed), GAME.start()
    for _ in range(most):
        after = state.play_decision(random_decision(state, random))
        if after.over:
            break
        state = after
    return state


@FEW
@given(st.integers(0, 10**6), st.integers(0, 12), st.integers(0, 1))
def test_a_view_holds_what_is_seen_and_nothing_else(seed: int, most: int, player: int) -> None:
    position = played(seed, most).situation.position
    view = view_of(GAME.play, position, player)
    met = position.states[0][player]
    assert isinstance(met, int)
    assert view.sites == position.owned[player] | met
    for site in range(9):
        expected = position.piece(1 << site) if view.sites >> site & 1 else None
        assert view.position.piece(1 << site) == expected
    (weights, _), (purses, lots) = view.position.states[1], view.position.states[2:]
    own = set(bits(position.owned[player]))
    known = position.states[1][0]
    assert isinstance(known, tuple)
    assert weights == tuple(known[s] if s in own else 0 for s in range(9))
    assert (purses[player], purses[1 - player], lots) == (position.states[2][player], 0, (0, 0))
    assert view.position.ply == 0


@FEW
@given(st.integers(0, 10**6), st.integers(0, 10), st.integers(0, 1))
def test_what_is_not_seen_changes_no_view(seed: int, most: int, player: int) -> None:
    position = played(seed, most).situation.position
    view = view_of(GAME.play, position, player)
    other = position.without(position.owned[1 - player] & ~view.sites)
    other = other.with_state(3, 0, 8, shared=True).with_state(2, 1 - player, 2, shared=False)
    assert view_of(GAME.play, evolve(other, ply=position.ply + 4), player) == view
    assert view_of(GAME.play, other.with_state(2, player, 1, shared=False), player) != view
    assert view_of(GAME.play, evolve(other, mover=1 - other.mover), player) != view


@FEW
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_texts_and_pictures_of_a_part_are_those_of_the_view(seed: int, most: int) -> None:
    state = played(seed, most)
    situation = state.situation
    for player, name in enumerate(GAME.players):
        hidden = (
            situation.position.owned[1 - player]
            & ~view_of(GAME.play, situation.position, player).sites
        )
        other = situation.position.without(hidden)
        bare = GAME.state(GAME.play.resume(other.with_state(3, 0, 0, shared=True)))
        seen, same = sight(state, name), sight(bare, name)
        assert (seen.text(), seen.svg(), seen.board()) == (same.text(), same.svg(), same.board())
        assert seen.partial
        assert len(seen.scene.moves) == (len(state.moves) if state.mover == name else 0)
        with pytest.raises(RulewrightError):
            GAME.read(seen.text())


def test_a_player_knows_his_decisions_and_not_those_of_others() -> None:
    state = GAME.start().play("a1 a1 b2 c3 b1")
    assert sight(state, "red").turns() == ["a1", UNSEEN, "c3", UNSEEN]
    assert sight(state, "blue").turns() == [UNSEEN, "a1", "b2", UNSEEN, "b1"]
    assert sight(state, None).turns() == state.turns()
    with pytest.raises(RulewrightError, match="the players are red and blue, not green"):
        sight(state, "green")


def test_all_is_open_when_the_game_is_over() -> None:
    state = GAME.start().play("a1 a2 b1 b2 c1")
    assert state.over
    assert not sight(state, "blue").partial
    assert sight(state, "blue").text() == state.text()


@settings(max_examples=tries(8), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 5))
def test_completions_look_the_same_and_do_not_depend_on_what_is_unseen(
    seed: int, most: int
) -> None:
    state = played(seed, most)
    player = state.position.mover
    completions = Completions.of(state, player, seed, 8)
    seen = observations(state, player)
    assert completions.states
    for other in completions.states:
        here = (observation(s, player, GAME) for s in other.states())
        assert tuple(o for o in here if o is not None) == seen
        assert other.moves.texts == state.moves.texts
        assert other.game is open_game(GAME)
    twin = completions.states[0]
    again = GAME.start()
    for move in twin.decisions():
        again = again.play_decision(move)
    drawn_again = Completions.of(again, player, seed, 8)
    texts = [s.decisions() for s in completions.states]
    assert [s.decisions() for s in drawn_again.states] == texts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(own or met)", "(own or met or near(b2) enemy)"),
        ("  if cell in", "  need cell <> b2 or no a1 enemy\n  if cell in"),
    ],
)
def test_decisions_that_reveal_are_detected(old: str, new: str) -> None:
    checked = rulewright.check(PHANTOM.replace(old, new)).game
    assert checked is not None
    game = evolve(checked, backend="reference")
    subject, random = Subject(game), Random(1)
    broken = 0
    for _ in range(2):
        state = game.start()
        while not state.over and len(state.decisions()) < 6:
            state = state.play_decision(random_decision(state, random))
            broken += blind(subject, state) is not None
    assert broken
    assert blind(Subject(GAME), played(4, 5)) is None


def test_a_game_without_secrets_is_seen_by_all() -> None:
    game = rulewright.load("tictactoe")
    assert not game.rules.has_secrets
    assert not sight(game.start(), "cross").partial
    assert open_game(game) is game


SHAPES = """format 1
game shapes

# Rock, paper, scissors: both choose unseen, then it is shown.

players first second
board square 2 by 1
pieces hand

state pick each = 0 in 0..3 hidden
state shown each = 0 in 0..3
state won each = 0 in 0..3

move choice
  choose n in 1..3
  pick := n
  write "{n}"

turn choice

after turn
  if ply mod 2 = 1
    shown := pick
    shown for enemy := pick for enemy
    if (pick - pick for enemy) mod 3 = 1
      won := won + 1
    if (pick - pick for enemy) mod 3 = 2
      won for enemy := won for enemy + 1
    pick := 0
    pick for enemy := 0

win when won = 3 and shown > 0
lose when won for enemy = 3
"""


def test_both_choose_at_the_same_time_and_then_it_is_shown() -> None:
    checked = rulewright.check(SHAPES).game
    assert checked is not None
    start = evolve(checked, backend="reference").start()
    assert [start.perft(depth) for depth in (1, 2, 3)] == [3, 9, 27]
    chosen = [sight(start.play(n), "second").text() for n in "123"]
    assert chosen[0] == chosen[1] == chosen[2]
    assert "pick: first ?, second 0" in chosen[0]
    shown = sight(start.play("1 3"), "second").text()
    assert "shown: first 1, second 3\nwon: first 1, second 0" in shown
    assert blind(Subject(checked), start.play("2")) is None
