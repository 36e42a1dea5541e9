"""GTP: both sides, for Hex, TwixT and Go."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import RulewrightError
from rulewright.matches.protocols.contestant import OutsidePlayer
from rulewright.matches.protocols.gtp import GtpController, GtpNotation
from rulewright.matches.protocols.gtp_engine import GtpEngine
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.serving import serve
from rulewright.matches.referee import GameTerms, play_game
from rulewright.players.builtin import RandomPlayer
from rulewright.players.player import Clock, Failed, GameLimits
from tests.shared.effort import tries
from tests.shared.loopback import Loopback, command


def engine(game: str, **options: object) -> GtpEngine:
    return GtpEngine(GameService(game, "random", dict(options)))


def ask(service: GtpEngine, line: str) -> str:
    """The answer without its empty line; every answer has the form of one."""
    answer = service.answer(line)
    assert answer.endswith("\n\n")
    assert answer[0] in "=?"
    assert "\n\n" not in answer[:-2].rstrip("\n")
    return answer.removesuffix("\n\n")


def test_a_controller_is_answered() -> None:
    service = engine("hex", size=5)
    assert ask(service, "1 protocol_version") == "=1 2"
    assert ask(service, "name") == "= rulewright hex"
    assert ask(service, "007 known_command genmove # really?") == "=007 true"
    assert ask(service, "known_command dance") == "= false"
    assert ask(service, "dance") == "? unknown command"
    assert ask(service, "12") == "?12 syntax error"
    assert service.answer("   # nothing") == ""
    commands = ask(service, "list_commands").removeprefix("= ").split()
    assert {"play", "genmove", "undo", "showboard", "time_left", "quit"} <= set(commands)
    for name in commands:
        assert ask(service, f"known_command {name}") == "= true"
    assert ask(service, "boardsize 4") == "="
    assert ask(service, "play black A1") == "="
    assert ask(service, "play white a1") == "? illegal move"
    assert ask(service, "play purple a1") == "? syntax error"
    assert ask(service, "play b b1") == "="  # a controller may leave a colour out
    assert ask(service, "undo") == "="
    assert "R . . ." in ask(service, "showboard")
    assert ask(service, "genmove blue").startswith("= ")
    assert ask(service, "undo") == "="
    assert ask(service, "undo") == "="
    assert ask(service, "undo") == "? cannot undo"
    assert ask(service, "komi 6.5") == "? unknown command"
    assert ask(service, "boardsize 90") == "? unacceptable size"
    assert ask(service, "boardsize big") == "? syntax error"
    assert ask(service, "boardsize 3 5") == "="
    assert ask(service, "final_score") == "? cannot score"
    assert not service.has_ended
    assert ask(service, "9 quit") == "=9"
    assert service.has_ended


@settings(max_examples=tries(20), deadline=None)
@given(
    st.sampled_from([("go", {}), ("hex", {"size": 5, "pie": True})]),
    st.lists(st.integers(0, 80), min_size=1, max_size=9),
    st.booleans(),
)
def test_the_board_shows_stones_where_they_were_played(
    game: tuple[str, dict[str, object]], choices: list[int], swap: bool
) -> None:
    """By the names that moves are given in, on the mirrored board after a swap too."""
    service = engine(game[0], **game[1])
    put, colours = dict[str, str](), ["b", "w"]
    for number, choice in enumerate(choices):
        if swap and number == 1 and game[0] == "hex":
            assert ask(service, "play w swap-pieces") == "="
            ((name, _),) = put.items()
            put = {"abcde"[int(name[1:]) - 1] + str("abcde".index(name[0]) + 1): "w"}
            colours.reverse()
        shown = _stones(ask(service, "showboard"))
        free = sorted(name for name, sign in shown.items() if sign == ".")
        colour = colours[number % 2]
        name = free[choice % len(free)]
        if ask(service, f"play {colour} {name}") != "=":
            break  # suicide
        put[name] = colour
        shown = _stones(ask(service, "showboard"))
        signs = {"b": "X", "w": "O"} if game[0] == "go" else {"b": "R", "w": "B"}
        stones = {at: sign for at, sign in shown.items() if sign != "."}
        assert stones.items() <= {at: signs[who] for at, who in put.items()}.items()
        assert stones[name] == signs[colour]
        put = {at: who for at, who in put.items() if at in stones}  # the others were taken


def _stones(answer: str) -> dict[str, str]:
    """The signs of a board that is shown, by the names of their points."""
    *rows, columns = (line.split() for line in answer.removeprefix("=").strip().splitlines())
    return {
        f"{column}{row}": sign
        for row, *signs in rows
        for column, sign in zip(columns, signs, strict=True)
    }


def test_points_of_go_leave_out_the_letter_i() -> None:
    service = engine("go")
    assert ask(service, "komi 5.0") == "="
    assert service.host.game.options["komi"] == 5
    assert ask(service, "play b J9") == "="
    assert service.host.state.move == "i9"
    assert ask(service, "play w i9") == ask(service, "play w j9") == "? illegal move"
    assert ask(service, "showboard").splitlines()[-1].split() == [*"abcdefghj"]
    for line in ("b e5", "b c5", "b g5", "b e3", "b e7", "w pass", "b pass"):
        assert ask(service, f"play {line}") == "="
    assert ask(service, "final_score") == "= B+76"  # nothing of white is there
    assert ask(service, "komi 6.5") == "="
    assert ask(service, "final_score") == "= B+74.5"
    assert "e5" in ask(service, "final_status_list alive").split()
    assert ask(service, "genmove w").startswith("= ")
    assert ask(service, "komi -99.25") == "="
    assert ask(service, "komi much") == "? syntax error"


@settings(max_examples=tries(30), deadline=None)
@given(st.lists(st.tuples(st.sampled_from("bw"), st.integers(0, 24)), max_size=30))
def test_a_move_out_of_turn_is_one_after_a_pass(moves: list[tuple[str, int]]) -> None:
    """The other player passes in between; where that would end the game only one of them plays."""
    service, passing = _engines_on_5_by_5()
    assert ask(service, "clear_board") == ask(passing, "clear_board") == "="
    names = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
    for colour, number in moves:
        passed = passing.host.state.position.mover != "bw".index(colour)
        if passed:
            ask(passing, f"play {'wb'['bw'.index(colour)]} pass")
        told = ask(service, f"play {colour} {names[number]}")
        assert told == ask(passing, f"play {colour} {names[number]}")
        here, there = service.host.state, passing.host.state
        assert here.situation.position.owned == there.situation.position.owned
        if told == "=":
            assert sorted(here.moves.texts) == sorted(there.moves.texts)
        elif passed:
            assert ask(passing, "undo") == "="
    for _ in range(len(service._past)):
        assert ask(service, "undo") == "="
    assert service.host.state.same(service.host.game.start())


@cache
def _engines_on_5_by_5() -> tuple[GtpEngine, GtpEngine]:
    return engine("go", size=5), engine("go", size=5)


def test_a_game_that_cannot_go_on_has_a_winner() -> None:
    service = engine("hex", size=2)
    for line in ("play b a1", "play b a2"):
        assert ask(service, line) == "="
    assert ask(service, "final_score") == "= B+"
    assert ask(service, "play w b1") == "? illegal move"
    assert ask(service, "genmove w").startswith("? the game is over")
    assert ask(service, "fixed_handicap 2") == "? unknown command"
    score = engine("othello", size=4)
    while not score.host.state.over:
        score.host.state = score.host.state.play(score.host.state.moves.texts[0])
    black, white, _ = score.host.state.situation.position.owned
    assert ask(score, "final_score") == f"= W+{white.bit_count() - black.bit_count()}"


def test_a_swap_of_hex_mirrors_what_follows() -> None:
    service = engine("hex", size=5, pie=True)
    for line in ("play b a3", "play w swap-pieces", "play b b1"):
        assert ask(service, line) == "="
    assert service.host.state.decisions() == ["a3", "swap", "a2"]
    assert ask(service, "undo") == "="
    assert ask(service, "undo") == "="
    assert ask(service, "play w b1") == "="
    service = engine("hex", size=5, pie=True)
    for line in ("play b a3", "play w swap-sides", "play w b1"):
        assert ask(service, line) == "="
    assert service.host.state.decisions() == ["a3", "swap", "b1"]


def test_a_swap_of_twixt_exchanges_the_sides() -> None:
    service = engine("twixt", size=6)
    for line in ("play b c3", "play w swap", "play w d4"):
        assert ask(service, line) == "="
    assert service.host.state.decisions() == ["c3", "swap", "d4"]


def test_times_are_held() -> None:
    service = engine("hex", size=5)
    assert service.clock == Clock(seconds=1.0)
    assert ask(service, "time_settings 0 10 1") == "="
    assert service.clock == Clock(seconds=10.0)
    assert ask(service, "time_settings 600 0 0") == "="
    assert service.clock == Clock(reserve=600.0)
    assert ask(service, "time_settings 0 1 0") == "="
    assert service.clock == Clock(seconds=1.0)
    assert ask(service, "time_left b 30 3") == "="
    assert ask(service, "time_left w 55 0") == "="
    assert service._clocks == {0: Clock(10.0), 1: Clock(reserve=55.0)}
    assert ask(service, "time_left x 1 1") == ask(service, "time_settings 1 2") == "? syntax error"
    assert ask(service, "time_settings 10 2 4") == "="
    service._clocks = {0: Clock(0.5, 12.0)}
    ask(service, "genmove b")
    assert service._clocks[0].reserve is not None
    assert 11 < service._clocks[0].reserve < 12
    service._clocks = {0: Clock(0.5, 0.4)}
    ask(service, "genmove b")
    assert service._clocks[0] == Clock(0.5)  # the main time is over


words = st.sampled_from(
    ["play", "genmove", "undo", "boardsize", "clear_board", "komi", "time_left", "b", "w", "black",
     "a1", "B2", "c3", "pass", "swap", "swap-pieces", "resign", "5", "0", "-3", "#", "showboard",
     "reg_genmove", "final_score", "known_command", "time_settings", "loadsgf", "fixed_handicap",
     "set_free_handicap", "place_free_handicap", "final_status_list", "dead"]
)  # fmt: skip


@settings(max_examples=tries(60), deadline=None)
@given(
    st.sampled_from(["hex", "twixt", "go"]),
    st.lists(st.lists(words | st.text(max_size=4), max_size=4).map(" ".join), max_size=15),
)
def test_nothing_a_controller_says_ends_the_engine(game: str, lines: list[str]) -> None:
    options = {"hex": {"size": 4, "pie": True}, "twixt": {"size": 5}, "go": {"size": 3}}[game]
    service, out = engine(game, **options), io.StringIO()
    text = "".join(f"{' '.join(line.split())}\n" for line in lines)
    serve(service, io.StringIO(text), out)
    answers = out.getvalue()
    assert not answers or (answers[0] in "=?" and answers.endswith("\n\n"))
    told = [line for line in text.splitlines() if line.partition("#")[0].split()]
    assert answers.count("\n\n=") + answers.count("\n\n?") + bool(answers) <= len(told)


@settings(max_examples=tries(25), deadline=None)
@given(st.sampled_from(["hex", "twixt", "go"]), st.integers(0, 2**32), st.booleans())
def test_both_sides_agree(name: str, seed: int, swap: bool) -> None:
    options = {"hex": {"size": 4, "pie": True}, "twixt": {"size": 6}, "go": {"size": 3}}[name]
    game, random = rulewright.load(name, **options), Random(seed)
    service, controller = engine(name, **options), GtpController()
    link = Loopback(service)
    controller.begin(link.child, game, GameLimits(seconds=0.1), 0, time.monotonic())
    state = game.start()
    if swap and name != "go":
        state = state.play(random.choice(state.moves.texts)).play("swap")
    for _ in range(12):
        if state.over:
            break
        decision = controller.ask(link.child, state, Clock(0.1), time.monotonic())
        assert service.host.state.same(state.play(decision.move))
        step = random.choice(["back", "on", "other"])
        if step == "back" and state.before is not None:
            state = state.before
        elif step == "on":
            state = state.play(decision.move)
        else:
            state = state.play(random.choice(state.moves.texts))
    assert not any(line.startswith("?") for line in link.said)


@pytest.mark.parametrize("game", ["chess", "conniption", "othello"])
def test_games_that_gtp_cannot_tell(game: str) -> None:
    if game == "othello":
        assert GtpNotation.of(rulewright.load(game)).write("d3", False) == "d3"
    else:
        with pytest.raises(RulewrightError, match="cannot be played by GTP"):
            GtpNotation.of(rulewright.load(game))


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("refuses", "crash", "refuses `boardsize 5`: unacceptable size"),
        ("resigns", "illegal", "resigns"),
        ("nonsense", "illegal", "answers `z99`, which is no legal decision"),
        ("slow", "hang", "gave no answer in time"),
    ],
)
def test_an_engine_that_misbehaves_loses(how: str, reason: str, detail: str) -> None:
    player = OutsidePlayer(how, command("talker", how), GtpController)
    limits = GameLimits(seconds=0.3 if how == "slow" else 20, grace=0.3)
    game = rulewright.load("hex", size=5)
    done = play_game(game, (player, RandomPlayer()), terms=GameTerms((limits, limits)))
    player.close()
    assert (done.winner, done.reason) == (1, reason)
    assert detail in done.detail


def test_our_own_engine_plays_as_a_program_from_outside() -> None:
    words = [sys.executable, "-m", "rulewright", "gtp", "hex", "--personality", "random"]
    player = OutsidePlayer("gtp", tuple(words), GtpController)
    done = play_game(rulewright.load("hex", size=4), (player, RandomPlayer()))
    player.close()
    assert done.reason == "rules"


def test_the_command_ends_with_its_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "gtp", "hex", "--set", "size=3"],
        input=b"1 name\r\n2 showboard\n", capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.decode().startswith("=1 rulewright hex\n\n=2")
    assert done.stderr == b""


def test_a_refused_move_is_no_crash() -> None:
    """It is legal by our rules: so say the reason and the message."""
    game = rulewright.load("go", size=3)
    controller, link = GtpController(), Loopback(engine("go", size=3))
    controller.begin(link.child, game, GameLimits(seconds=0.1), 0, time.monotonic())
    state, said = game.start().play("pass"), link.child.say
    link.child.say = lambda *lines: said(*(one.replace("pass", "z9") for one in lines))  # type: ignore[method-assign]
    with pytest.raises(Failed, match="refuses `play black pass`") as failed:
        controller.ask(link.child, state, Clock(0.1), time.monotonic())
    assert failed.value.reason == "refused"
