"""What the referee calls drawn: claims, dead boards, faults of the rules; and who has won."""

from __future__ import annotations

import math
from random import Random
from typing import Any, cast

import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.matches.plan import Adjudication
from rulewright.matches.referee import GameTerms, Lifeless, play_game
from rulewright.players.player import Clock, Decision, GameLimits
from tests.shared.matches import Scripted

CLAIMED = """format 1
game claimed
players red blue
board square 4 by 3
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place {}
draw may be claimed when ply >= 1
win when count full = 12
"""
ONE = rulewright.loads(CLAIMED.format(""))
TWO = rulewright.loads(CLAIMED.format("place"))
"""Two decisions a turn."""


class Started(Scripted):
    """Remembers what it was started with."""

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        self.begun: Any = (game, limits, seed)


RESULTS = st.sampled_from(["", "win in 3", "loss in 4", "win as far as considered"])
VALUES = st.none() | st.sampled_from([0.0, -0.0, 1e-9, -1e-9]) | st.floats(-9, 9)


def says(value: float | None = 1.0, result: str = "", fixed: bool = True) -> Scripted:
    """Plays the first decision, and says always the same of it."""
    return Scripted(
        lambda state, _: Decision(state.moves.texts[0], value, fixed=fixed, result=result)
    )


@given(value=VALUES, result=RESULTS)
def test_a_draw_is_claimed_where_going_on_is_not_better(value: float | None, result: str) -> None:
    """Who had proven a win, and told that in place of a value, claimed a draw all the same."""
    ended = play_game(ONE, (says(value, result), says()))
    better = result.startswith("win") if result else value is not None and value > 0
    assert ended.reason == ("rules" if better else "claimed")
    assert ended.winner == (1 if better else None)  # the second puts the last stone
    assert len(ended.moves) == ended.turns == (12 if better else 2)
    if not better:
        assert ended.detail == "scripted claims a draw"


def test_nobody_claims_before_it_may_be() -> None:
    assert len(play_game(ONE, (says(-1.0), says(-1.0))).moves) == 2
    assert len(play_game(ONE, (says(), says(-1.0))).moves) == 3


@given(fixed=st.lists(st.booleans(), min_size=3, max_size=3))
def test_a_claimed_draw_comes_again_where_every_decision_does(fixed: list[bool]) -> None:
    """The claim is a decision too."""
    left = list(fixed)

    def deed(state: State, _: Clock) -> Decision:
        return Decision(state.moves.texts[0], 1.0 if state.ply < 2 else 0.0, fixed=left.pop(0))

    player = Scripted(deed)
    ended = play_game(ONE, (player, player))
    assert (ended.reason, ended.fixed, left) == ("claimed", all(fixed), [])


# --- values of turns ---


def test_only_the_first_value_of_a_turn_agrees() -> None:
    """What comes later in a turn is of another position, and of the same mind."""

    def deed(sign: float) -> Scripted:
        return Scripted(
            lambda s, _: Decision(s.moves.texts[0], 9.0 * sign if s.turn_begins else 0.001)
        )

    terms = GameTerms(adjudication=Adjudication(5, 3))
    ended = play_game(TWO, (deed(1), deed(-1)), terms=terms)
    assert (ended.reason, ended.winner, len(ended.moves)) == ("adjudicated", 0, 5)


# --- boards that nobody can win any more ---


@define
class Dead:
    """Calls positions dead from so many decisions on; knows which it was asked about."""

    after: int
    text: str = "judge:dead"
    asked: list[State] = field(factory=list)

    def __call__(self, state: State) -> bool:
        self.asked.append(state)
        return len(state.decisions()) >= self.after

    @property
    def terms(self) -> GameTerms:
        return GameTerms(lifeless=cast(Lifeless, self))


@pytest.mark.parametrize(("game", "after", "decisions"), [(ONE, 3, 3), (TWO, 3, 4), (TWO, 4, 4)])
def test_a_dead_board_is_drawn_after_whole_turns(game: Game, after: int, decisions: int) -> None:
    dead = Dead(after)
    ended = play_game(game, (says(), says()), terms=dead.terms)
    assert (ended.reason, ended.winner, len(ended.moves)) == ("adjudicated", None, decisions)
    assert ended.detail == "nobody can win any more, by judge:dead"
    assert ended.fixed
    assert all(state.turn_begins for state in dead.asked)


def test_a_game_that_is_over_is_not_asked_about() -> None:
    dead = Dead(99)
    assert play_game(ONE, (says(), says()), terms=dead.terms).reason == "rules"
    assert [len(state.decisions()) for state in dead.asked] == list(range(1, 12))
    dead = Dead(12)
    assert play_game(ONE, (says(), says()), terms=dead.terms).reason == "rules"


# --- who has won ---


@pytest.mark.parametrize("seed", range(24))
def test_the_seat_that_wins_is_that_of_the_rules(seed: int) -> None:
    """Draws among them."""
    chance = Random(seed)
    anyhow = Scripted(lambda state, _: Decision(chance.choice(state.moves.texts), 1.0))
    ended = play_game(rulewright.load("tictactoe"), (anyhow, anyhow))
    over = rulewright.load("tictactoe").start().play(" ".join(m.text for m in ended.moves))
    assert over.result is not None
    winner = over.result.winner
    assert ended.winner == (None if winner is None else over.game.players.index(winner))


def test_some_of_these_games_are_drawn() -> None:
    line = ["b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"]
    told = Scripted(lambda state, _: Decision(line[len(state.decisions())], 1.0))
    ended = play_game(rulewright.load("tictactoe"), (told, told))
    assert (ended.reason, ended.winner, len(ended.moves)) == ("rules", None, 9)


# --- faults ---

UNBEGUN = CLAIMED.format("").replace("  put", "  need 1 div count(full) > 0\n  put")


@pytest.mark.parametrize("opening", [(), ("a1",)])
def test_a_game_that_cannot_begin_is_nobodys_fault(opening: tuple[str, ...]) -> None:
    """No player is started for it, which could fail too."""
    pair = (Started(says().deed), Started(says().deed))
    ended = play_game(rulewright.loads(UNBEGUN), pair, opening)
    assert (ended.reason, ended.winner, ended.moves, ended.turns) == ("fault", None, (), 0)
    assert "a division by zero" in ended.detail
    assert not any(hasattr(player, "begun") for player in pair)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_fault_is_of_the_rules_where_its_origin_is(seat: int) -> None:
    """One of an evaluator, whose clauses come after those of the rules, is its player's."""
    last = len(ONE.rules.origins) - 1
    for origin, reason, winner in ((last, "fault", None), (last + 1, "crash", 1 - seat)):

        def deed(state: State, _: Clock, origin: int = origin) -> Decision:
            raise Fault("no-lines", "a line has at least one site", origin)

        pair = (Scripted(deed), says())
        ended = play_game(ONE, pair if seat == 0 else pair[::-1])
        assert (ended.reason, ended.winner, ended.fixed) == (reason, winner, False)
        assert "a line has at least one site [no-lines]" in ended.detail


def test_each_player_is_started_with_its_limits_and_its_seed() -> None:
    pair = (Started(says().deed), Started(says().deed))
    limits = (GameLimits(nodes=3), GameLimits(nodes=4, clock=math.inf))
    for more, seeds in (({"seeds": (7, 8)}, (7, 8)), ({}, (0, 0))):
        play_game(ONE, pair, terms=GameTerms(limits), **more)  # type: ignore[arg-type]
        assert [one.begun for one in pair] == [(ONE, limits[n], seeds[n]) for n in (0, 1)]
