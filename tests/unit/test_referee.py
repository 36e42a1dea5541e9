"""One game, refereed: every way in which a player can fail loses it, and nothing else does."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import define

import rulewright
from rulewright.games.engine.game import Game, State
from rulewright.matches.api import match
from rulewright.matches.plan import Adjudication, Refusal
from rulewright.matches.referee import GameTerms, play_game
from rulewright.players.builtin import RandomPlayer, SearchPlayer, budget
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from tests.shared.matches import Scripted


def first(state: State, clock: Clock) -> Decision:
    return Decision(state.moves.texts[0], 1.0)


def raises(error: Exception) -> Callable[[State, Clock], Decision]:
    def deed(state: State, clock: Clock) -> Decision:
        raise error

    return deed


def slow(state: State, clock: Clock) -> Decision:
    time.sleep(0.03)
    return first(state, clock)


@pytest.fixture(scope="module")
def game() -> Game:
    return rulewright.load("tictactoe")


@pytest.mark.parametrize(
    ("deed", "reason", "message"),
    [
        (raises(Failed("hang", "no answer for 5 s")), "hang", "no answer for 5 s"),
        (raises(Failed("crash", "ended with status 3")), "crash", "ended with status 3"),
        (raises(ZeroDivisionError("oops")), "crash", "ZeroDivisionError: oops"),
        (lambda s, c: Decision("z9"), "illegal", "`z9` is no legal decision"),
        (lambda s, c: Decision("B2"), "illegal", "`B2`"),
        (slow, "time", "0.01 s are allowed"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_who_fails_loses(
    game: Game, deed: Callable[[State, Clock], Decision], reason: str, message: str, seat: int
) -> None:
    bad, good = Scripted(deed, "bad"), Scripted(first)
    players = (bad, good) if seat == 0 else (good, bad)
    seconds = 0.01 if reason == "time" else 60.0  # a busy machine is no reason for any other
    terms = GameTerms((GameLimits(seconds=seconds, grace=0.01),) * 2)
    played = play_game(game, players, terms=terms)
    assert (played.winner, played.reason) == (1 - seat, reason)
    assert played.detail.startswith("bad: ")
    assert message in played.detail
    assert len(played.moves) == seat


@define
class Unstartable(RandomPlayer):
    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        raise OSError("no such program")


def test_who_does_not_start_loses_before_the_first_decision(game: Game) -> None:
    played = play_game(game, (RandomPlayer(), Unstartable("broken")), opening=("b2",))
    assert (played.winner, played.reason) == (0, "crash")
    assert played.detail == "broken: OSError: no such program"
    assert [move.text for move in played.moves] == ["b2"]


def test_a_clock_that_has_run_out_loses(game: Game) -> None:
    def late(state: State, clock: Clock) -> Decision:
        time.sleep(0.6 if state.ply else 0)
        return first(state, clock)

    terms = GameTerms((GameLimits(clock=0.5, grace=0.001),) * 2)
    played = play_game(game, (Scripted(late), Scripted(first)), terms=terms)
    assert (played.winner, played.reason) == (1, "time")
    assert len([m for m in played.moves if m.seat == 0]) == 1


def test_a_clock_counts_thinking_and_gives_back_for_a_turn() -> None:
    conniption = rulewright.load("conniption")
    one, two = Scripted(first, "one"), Scripted(first, "two")
    limits = GameLimits(clock=5.0, increment=100.0)
    play_game(conniption, (one, two), terms=GameTerms((limits, limits), longest=4))
    left = [clock.reserve or 0 for clock in one.clocks]
    assert left[0] == 5.0
    assert all(4 < x <= 5 for x in left[:3])  # three decisions of one turn
    assert 104 < left[3] <= 105
    assert {clock.increment for clock in one.clocks} == {100.0}


def test_the_rules_end_a_game_and_say_why(game: Game) -> None:
    played = play_game(game, (Scripted(first), Scripted(first)))
    assert (played.winner, played.reason) == (0, "rules")
    assert "win when" in played.detail
    assert "tictactoe.rules:" in played.detail
    state = game.start().play(" ".join(move.text for move in played.moves))
    assert state.over
    assert played.turns == len(state.turns()) == 7
    assert [move.seat for move in played.moves] == [0, 1, 0, 1, 0, 1, 0]


def test_a_long_game_is_a_draw(game: Game) -> None:
    played = play_game(game, (Scripted(first), Scripted(first)), terms=GameTerms(longest=3))
    assert (played.winner, played.reason, played.turns) == (None, "long", 3)


@pytest.mark.parametrize(
    ("values", "ended"),
    [((9.0, -9.0), 0), ((-9.0, 9.0), 1), ((9.0, 9.0), None), ((9.0, -1.0), None)],
)
def test_adjudication_needs_both_players(
    game: Game, values: tuple[float, float], ended: int | None
) -> None:
    def deed(value: float) -> Callable[[State, Clock], Decision]:
        return lambda state, clock: Decision(state.moves.texts[0], value)

    players = (Scripted(deed(values[0])), Scripted(deed(values[1])))
    played = play_game(game, players, terms=GameTerms(adjudication=Adjudication(5, 4)))
    if ended is None:
        assert played.reason == "rules"
    else:
        assert (played.winner, played.reason, len(played.moves)) == (ended, "adjudicated", 4)


def test_games_of_equal_seeds_are_equal(game: Game) -> None:
    players = RandomPlayer(), RandomPlayer()
    one, two, other = (play_game(game, players, seeds=(s, 1)) for s in (1, 1, 2))
    assert [m.text for m in one.moves] == [m.text for m in two.moves]
    assert [m.text for m in one.moves] != [m.text for m in other.moves]


def test_persons_win_and_not_colours_after_a_swap() -> None:
    hex_ = rulewright.load("hex", size=3, pie=True)
    swap = next(m for m in hex_.start().play("b2").moves.texts if "swap" in m)
    opening = ("b2", swap)
    played = play_game(hex_, (Scripted(first, "one"), Scripted(first, "two")), opening)
    state = hex_.start().play(" ".join(move.text for move in played.moves))
    assert state.swapped
    assert state.result is not None
    colour = hex_.players.index(str(state.result.winner))
    assert played.winner == 1 - colour


def test_a_fault_of_the_rules_is_nobodys_loss() -> None:
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
    played = play_game(broken, (RandomPlayer(), RandomPlayer()))
    assert (played.winner, played.reason) == (None, "fault")
    assert "[stuck]" in played.detail


SNARE = """
format 1
game snare
players a b
board square 3 by 3
pieces stone
let odd = 10 div (6 - count(full))
move place
  choose cell in empty
  put stone at cell
turn place
win when odd > 90
draw when ply = 9
"""
DEEP = "format 1\npersonality deep for snare\nuse many\nsearch minimax, depth 7\npick best\n"
MANY = """format 1
evaluator many for snare
factor one = 1 in 0..9 "a number"
value of position for a = one * count(full)
"""


@pytest.mark.parametrize("who", ["deep", "computer@nodes=3000", "random"])
def test_a_fault_of_the_rules_inside_a_search_is_nobodys_loss(who: str, tmp_path: Path) -> None:
    (tmp_path / "snare.rules").write_text(SNARE)
    (tmp_path / "many.eval").write_text(MANY)
    (tmp_path / "deep.personality").write_text(DEEP)
    player = str(tmp_path / "deep.personality") if who == "deep" else who
    run = match(str(tmp_path / "snare.rules"), player, "random@depth=1", games=4, openings=["a1"])
    games = list(run)
    assert {(game.winner, game.reason) for game in games} == {(None, "fault")}
    assert all("snare.rules:7: a division by zero" in game.detail for game in games)
    if who == "deep":
        assert len(games[0].moves) == 2  # the opening, chance, and then its first search
    result = run.result()
    assert (result["games"], result["faulty_games"], result["reasons"]) == (0, 4, {"fault": 4})
    assert sum(result["pairs"]) == 0
    assert result["pairings"] == []


def test_an_equal_seed_gives_equal_games() -> None:
    connect4 = rulewright.load("connect4")
    limits = GameTerms((GameLimits(nodes=300),) * 2)

    def moves(seeds: tuple[int, int]) -> list[str]:
        played = play_game(connect4, (SearchPlayer(), RandomPlayer()), (), seeds, limits)
        return [move.text for move in played.moves]

    assert moves((5, 6)) == moves((5, 6))
    assert len({tuple(moves((5, seed))) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    ("clock", "least", "most"),
    [
        (Clock(), None, None),
        (Clock(2.0), 2.0, 2.0),
        (Clock(2.0, 30.0), 1.0, 1.0),
        (Clock(None, 0.001, 10.0), 0.0001, 0.001),
        (Clock(None, 300.0, 5.0), 14.0, 14.0),
    ],
)
def test_a_share_of_the_clock(clock: Clock, least: float | None, most: float | None) -> None:
    found = budget(clock)
    if least is None or most is None:
        assert found is None
    else:
        assert found is not None
        assert least <= found <= most


@pytest.mark.parametrize(("counts", "winner"), [("void", None), ("drawn", None), ("lost", 1)])
def test_who_refuses_a_legal_decision_need_not_have_lost(
    game: Game, counts: Refusal, winner: int | None
) -> None:
    refuses = Scripted(raises(Failed("refused", "refuses `play white pass`")))
    played = play_game(game, (refuses, Scripted(first)), terms=GameTerms(refused=counts))
    assert (played.reason, played.winner) == ("refused", winner)
    assert "refuses `play white pass`" in played.detail
