"""The referee's ends of a game, at their edges: what agrees, what comes again, who is recorded."""

from __future__ import annotations

import math

import pytest

import rulewright
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.matches.plan import Adjudication
from rulewright.matches.protocols.process import CannotStart
from rulewright.matches.referee import GameTerms, PlayedGame, play_game
from rulewright.players.player import Clock, Decision, Failed
from tests.shared.matches import Scripted


@pytest.fixture(scope="module")
def game() -> Game:
    return rulewright.load("tictactoe")


def plays(*values: float | None, fixed: bool = True, result: str = "") -> Scripted:
    """Plays the first decision and tells these values in turn, the last one ever after."""
    left = list(values)

    def deed(state: State, clock: Clock) -> Decision:
        value = left.pop(0) if len(left) > 1 else left[0]
        return Decision(state.moves.texts[0], value, 3, 20, fixed, result=result)

    return Scripted(deed)


def adjudicated(game: Game, one: Scripted, two: Scripted, turns: int = 4) -> PlayedGame:
    terms = GameTerms(adjudication=Adjudication(5, turns))
    return play_game(game, (one, two), terms=terms)


@pytest.mark.parametrize("sign", [1, -1])
def test_values_agree_from_the_value_of_the_rule_on(game: Game, sign: int) -> None:
    ended = adjudicated(game, plays(5.0 * sign), plays(-5.0 * sign))
    assert (ended.reason, len(ended.moves)) == ("adjudicated", 4)
    assert ended.winner == (0 if sign > 0 else 1)
    assert ended.detail == "both players' values agree"
    for one, two in ((4.99, -5.0), (5.0, -4.99)):
        assert adjudicated(game, plays(one * sign), plays(two * sign)).reason == "rules"


def test_only_the_last_turns_agree(game: Game) -> None:
    ended = adjudicated(game, plays(0.0, 9.0), plays(-9.0))
    assert (ended.reason, ended.winner, len(ended.moves)) == ("adjudicated", 0, 5)
    assert adjudicated(game, plays(None), plays(-9.0)).reason == "rules"
    assert len(adjudicated(game, plays(9.0), plays(-9.0), turns=1).moves) == 1
    seen = adjudicated(game, plays(None, result="win in 5"), plays(None, result="loss in 4"))
    assert (seen.reason, seen.winner) == ("adjudicated", 0)
    assert plays(None, result="loss in 4").choose(game.start(), Clock()).ahead == -math.inf


def test_a_game_that_is_over_is_not_adjudicated(game: Game) -> None:
    ended = adjudicated(game, plays(9.0), plays(-9.0), turns=7)  # as many as the game has
    assert (ended.reason, ended.turns) == ("rules", 7)


@pytest.mark.parametrize(
    ("one", "two", "fixed"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_a_game_comes_again_where_every_decision_does(
    game: Game, one: bool, two: bool, fixed: bool
) -> None:
    players = (plays(9.0, fixed=one), plays(-9.0, fixed=two))
    assert play_game(game, players).fixed is fixed
    assert play_game(game, players, terms=GameTerms(longest=3)).fixed is fixed
    assert adjudicated(game, *players).fixed is fixed


def test_a_game_that_a_failure_ended_need_not_come_again(game: Game) -> None:
    wrong = Scripted(lambda state, clock: Decision("z9", fixed=True))
    for players in ((wrong, plays(0.0)), (plays(0.0), wrong)):
        ended = play_game(game, players)
        assert (ended.reason, ended.fixed) == ("illegal", False)


def test_what_a_player_tells_is_recorded(game: Game) -> None:
    def deed(state: State, clock: Clock) -> Decision:
        return Decision(state.moves.texts[0], 1.5, 3, 20, searched=False, result="win in 5")

    ended = play_game(game, (Scripted(deed), plays(0.0)), opening=("b2", "a1"))
    told = [(move.text, move.seat, move.value, move.depth, move.nodes) for move in ended.moves[:4]]
    assert told[:2] == [("b2", 0, None, None, None), ("a1", 1, None, None, None)]
    assert [(seat, *known) for _, seat, *known in told[2:]] == [(0, 1.5, 3, 20), (1, 0.0, 3, 20)]
    first = ended.moves[2]
    assert (first.searched, first.result) == (False, "win in 5")
    assert (first.seconds or 0.0) > 0
    assert ended.moves[0].seconds is None


@pytest.mark.parametrize("longest", [1, 3, 6])
def test_a_game_is_as_long_as_it_may_be(game: Game, longest: int) -> None:
    ended = play_game(game, (plays(0.0), plays(0.0)), terms=GameTerms(longest=longest))
    assert (ended.reason, ended.winner, ended.turns) == ("long", None, longest)
    assert ended.detail == f"longer than {longest} turn{'s' * (longest > 1)}"
    assert play_game(game, (plays(0.0), plays(0.0)), terms=GameTerms(longest=7)).reason == "rules"


class Refusing(Scripted):
    """Cannot be started."""

    def __init__(self, error: Exception) -> None:
        super().__init__(lambda state, clock: Decision(""), "broken")
        self.error = error

    def start(self, game: Game, limits: object, seed: int) -> None:
        raise self.error


@pytest.mark.parametrize("seat", [0, 1])
def test_who_fails_to_start_is_reported_by_its_reason(game: Game, seat: int) -> None:
    for error, reason, told in (
        (Failed("hang", "no answer"), "hang", "broken: no answer"),
        (OSError("gone"), "crash", "broken: OSError: gone"),
    ):
        pair = (Refusing(error), plays(0.0))
        ended = play_game(game, pair if seat == 0 else pair[::-1])
        assert (ended.winner, ended.reason, ended.detail) == (1 - seat, reason, told)
        assert (ended.moves, ended.turns, ended.fixed) == ((), 0, False)
    with pytest.raises(CannotStart):  # nobody's fault: there is no such program
        play_game(game, (plays(0.0), Refusing(CannotStart("no such program"))))


def test_an_opening_in_which_the_rules_fail_has_no_moves() -> None:
    text = """
format 1
game broken
players a b
board square 3 by 1
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place
draw when ply = 99
"""
    broken = rulewright.loads(text)
    ended = play_game(broken, (plays(0.0), plays(0.0)), opening=("a1", "b1", "c1"))
    assert (ended.reason, ended.winner, ended.moves) == ("fault", None, ())
    assert (ended.turns, ended.fixed) == (0, False)
    with pytest.raises(Fault):
        _ = broken.start().play("a1 b1 c1").moves.texts
