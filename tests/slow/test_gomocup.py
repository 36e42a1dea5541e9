"""Gomocup's protocol: both sides, and brains that misbehave."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.matches.protocols.contestant import Contestant, OutsidePlayer, outside_player
from rulewright.matches.protocols.gomocup import GomocupBrain, GomocupManager, refuse_other_games
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.process import CannotStart
from rulewright.matches.protocols.serving import serve
from rulewright.matches.referee import GameTerms, PlayedGame, play_game
from rulewright.players.builtin import RandomPlayer
from rulewright.players.player import Clock, GameLimits
from tests.shared.effort import tries
from tests.shared.loopback import Loopback, command
from tests.shared.playing import played_on


def brain(who: str = "random", game: str = "connect5") -> GomocupBrain:
    return GomocupBrain(GameService(game, who))


def answers(service: GomocupBrain, *lines: str) -> list[str]:
    return "".join(service.answer(line) for line in lines).splitlines()


def test_a_board_is_loaded_and_rehearsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever says START again and again is no dearer than one who plays."""
    loaded = list[object]()

    def load(source: str, options: dict[str, object]) -> Game:
        loaded.append(options)
        return load_with(source, options)

    monkeypatch.setattr("rulewright.matches.protocols.host.load_with", load)
    service = brain()
    rehearsed = list[object]()
    choose = RandomPlayer.choose

    def chosen(player: RandomPlayer, state: State, clock: Clock) -> object:
        rehearsed.append(state)
        return choose(player, state, clock)

    monkeypatch.setattr(RandomPlayer, "choose", chosen)
    assert answers(service, "START 9", "RECTSTART 7,8", "START 9") == ["OK"] * 3
    once = len(loaded), len(rehearsed)
    assert answers(service, *["START 9", "RECTSTART 7,8"] * 5) == ["OK"] * 10
    assert (len(loaded), len(rehearsed)) == once
    assert service.host.game.rules.board.width == 7
    assert not service.host.state.decisions()


def test_a_board_that_cannot_be_is_forgotten() -> None:
    service = brain()
    assert answers(service, "START 9", "START 1000")[0] == "OK"
    assert answers(service, "INFO rule 1", "INFO rule 0") == []
    assert service.host.game.rules.board.width == 9


def random_state(game: Game, seed: int, most: int) -> State:
    return played_on(game.start(), Random(seed), most)


# --- our brain ---


def test_a_manager_is_answered() -> None:
    service = brain()
    assert answers(service, "ABOUT")[0].startswith('name="rulewright", version="')
    assert answers(service, "BEGIN") == ["ERROR there is no board; send START first"]
    assert answers(service, "START 9") == ["OK"]
    (first,) = answers(service, "INFO timeout_turn 100", "BEGIN")
    x, y = map(int, first.split(","))
    assert answers(service, f"TURN {x},{y}")[0].startswith("ERROR")
    other = f"{(x + 1) % 9},{y}"
    assert len(answers(service, f"TURN {other}")) == 1
    assert len(service.host.state.decisions()) == 3
    assert answers(service, "restart") == ["OK"]
    assert answers(service, "RECTSTART 7,12") == ["OK"]
    board = service.host.game.rules.board
    assert (board.width, board.height) == (7, 12)
    assert answers(service, "PLAY 3,3", "TAKEBACK 3,3", "TAKEBACK 3,3") == [
        "3,3", "OK", "ERROR the last move was not 3,3",
    ]  # fmt: skip
    assert answers(service, "DANCE", "START big", "START 3", "INFO rule 4") == [
        "UNKNOWN DANCE",
        "ERROR a size is a whole number from 1 to 1,000, not `big`",
        "ERROR option size must be in 5..31, not 3",
        "MESSAGE rule 4 is not played here",
    ]
    assert answers(service, "BEGIN", "INFO rule 0", "PLAY 3,3") == [
        "ERROR rule 4 is not played here, only 0, 1", "3,3",
    ]  # fmt: skip
    assert not service.has_ended
    assert answers(service, "END", "") == []
    assert service.has_ended


@settings(max_examples=tries(20), deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 20), st.randoms())
def test_a_board_tells_a_position(seed: int, most: int, random: Random) -> None:
    state = random_state(rulewright.load("connect5", size=8), seed, most)
    if state.over:
        return
    first, other = "12" if state.situation.position.mover == 0 else "21"
    fields = [f"{ord(m[0]) - 97},{int(m[1:]) - 1}" for m in state.decisions()]
    lines = [f"{f},{(first, other)[n % 2]}" for n, f in enumerate(fields)]
    service = brain()
    assert answers(service, "START 8", "BOARD", *lines)[1:] == []
    (move,) = answers(service, "DONE")
    assert service.host.state.before is not None
    assert service.host.state.before.same(state)
    assert move not in fields
    mine = [line for line in lines if line.endswith("1")]
    theirs = [line for line in lines if line.endswith("2")]
    mixed = sorted([*mine, *theirs], key=lambda _: random.random())
    assert len(answers(service, "RESTART", "BOARD", *mixed, "DONE")) == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1,1,2", "2,2,2"], "0 own and 2 other pieces"),
        (["1,1,1"], "1 own and 0 other pieces"),
        (["1,1,3"], "`1,1,3`: 1 is an own piece"),
        (["hello"], "`hello`: 1 is an own piece"),
        (["1,1,1", "1,1,2"], "is not legal"),
        (["80,1,1", "1,1,2"], "`80,1` is no field"),
    ],
)
def test_a_board_that_cannot_be(lines: list[str], message: str) -> None:
    service = brain()
    (said,) = answers(service, "START 8", "BOARD", *lines, "DONE")[1:]
    assert said.startswith("ERROR ")
    assert message in said
    assert answers(service, "RESTART") == ["OK"]


def test_rules_are_what_the_text_beside_the_rules_says() -> None:
    service = brain()
    answers(service, "START 8", "INFO rule 1")
    assert service.host.game.options["exact"] is True
    answers(service, "INFO rule 0")
    assert service.host.game.options["exact"] is False


def test_limits_reach_the_player() -> None:
    service = brain()
    answers(service, "START 8", "INFO timeout_turn 2000", "INFO time_left 1000000")
    assert service._clock() == Clock(1.8, 900.0)
    answers(service, "INFO timeout_turn 0")
    assert service._clock().seconds == 0.01
    answers(service, "INFO max_memory 367001600", "INFO strange thing", "INFO timeout_turn soon")
    assert answers(service, "INFO timeout_turn --100", "INFO max_memory " + "9" * 5000) == []
    assert service.host.memory == 350 - 160
    assert answers(service, "INFO max_memory 1000000")[0].startswith("MESSAGE less than 160 MiB")
    assert service.host.memory == 1
    answers(service, "INFO max_memory 0")
    assert service.host.memory == 64


@settings(max_examples=tries(60), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK",
                 "PLAY", "INFO rule", "INFO max_memory", "INFO time_left", "ABOUT", "", "7,7,1"]
            ),
            st.sampled_from(["", "5", "6,7", "0,0", "1,1", "-1", "1", "4,4,2", "x", "٣,٣"]),
        ).map(" ".join)
        | st.text(max_size=10),
        max_size=12,
    )
)  # fmt: skip
def test_nothing_a_manager_says_ends_the_brain(lines: list[str]) -> None:
    service, out = brain(), io.StringIO()
    text = "".join(f"{' '.join(line.split())}\n" for line in lines)
    serve(service, io.StringIO(text), out)
    for line in out.getvalue().splitlines():
        word = line.split()[0]
        assert word in ("OK", "ERROR", "UNKNOWN", "MESSAGE") or "," in word or word.startswith("na")


@pytest.mark.parametrize("game", ["connect4", "hex", "connect6", "twixt", "chess"])
def test_games_that_gomocup_cannot_tell_are_refused(game: str) -> None:
    with pytest.raises(RulewrightError, match="cannot be played by Gomocup's protocol"):
        refuse_other_games(rulewright.load(game))


def test_other_games_of_placing_are_played_too() -> None:
    assert answers(brain(game="tictactoe"), "START 3", "BEGIN")[0] == "OK"
    assert answers(brain(game="tictactoe"), "START 25")[0].startswith("ERROR option")


def test_the_command_plays_and_ends_with_its_input() -> None:
    lines = b"START 7\r\nINFO timeout_turn 100\r\nBEGIN\r\n\xff\xfe\r\n"
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "gomocup", "--personality", "random"],
        input=lines, capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    ok, move, unknown = done.stdout.decode().splitlines()
    assert (ok, unknown[:7], done.stderr) == ("OK", "UNKNOWN", b"")
    assert all(0 <= int(n) < 7 for n in move.split(","))


# --- brains from outside ---


@settings(max_examples=tries(20), deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30), st.booleans(), st.booleans())
def test_both_sides_agree(seed: int, most: int, exact: bool, wide: bool) -> None:
    size: dict[str, int] = {"width": 6, "height": 8} if wide else {"size": 7}
    game = rulewright.load("connect5", **size, exact=exact)
    state = random_state(game, seed, most)
    service, manager = brain(), GomocupManager()
    link = Loopback(service)
    manager.begin(link.child, game, GameLimits(seconds=0.1), 0, time.monotonic())
    assert service.host.game.options == game.options
    while not state.over:
        decision = manager.ask(link.child, state, Clock(0.1), time.monotonic())
        state = state.play_decision(decision.move)
        assert service.host.state.same(state)
        if not state.over:
            state = state.play_decision(Random(seed).choice(state.moves.texts))
    assert sum(line == "BOARD" for line in link.said) <= 1


def test_a_position_that_came_another_way_is_reported_anew() -> None:
    game = rulewright.load("connect5", size=7)
    service, manager = brain(), GomocupManager()
    link = Loopback(service)
    manager.begin(link.child, game, GameLimits(), 0, time.monotonic())
    for moves in ("a1", "b1 c3", "b1 c3 d4 e5", "b1 c3"):
        state = game.start().play(moves)
        manager.ask(link.child, state, Clock(0.1), time.monotonic())
        assert service.host.state.before is not None
        assert service.host.state.before.same(state)
    boards = [number for number, line in enumerate(link.said) if line == "BOARD"]
    assert boards
    assert all(link.said[number - 1] == "RESTART" for number in boards)


def played(how: str, *more: str, seconds: float = 20) -> PlayedGame:
    game = rulewright.load("connect5", size=5)
    player = OutsidePlayer(how, command("brain", how, *more), GomocupManager)
    limits = GameLimits(seconds=seconds, grace=1)
    try:
        return play_game(game, (player, RandomPlayer()), terms=GameTerms((limits, limits)))
    finally:
        player.close()


@pytest.mark.parametrize("how", ["good", "chatty", "polite"])
def test_brains_from_outside_play(how: str) -> None:
    done = played(how)
    assert done.reason == "rules"
    assert len(done.moves) >= 9


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("slow", "hang", "gave no answer in time"),
        ("late", "hang", "gave no answer in time"),
        ("exit", "crash", "ended with status 3"),
        ("crash", "crash", "ended with status 1: RuntimeError: out of ideas"),
        ("flood", "crash", "wrote more than 1048576 bytes"),
        ("taken", "illegal", "is no legal decision here"),
        ("outside", "illegal", "answers `99,99` instead of a field"),
        ("nonsense", "illegal", "answers `a7` instead of a field"),
        ("error", "refused", "answers `ERROR I give up` instead of a field"),
        ("picky", "crash", "refuses the board: ERROR too small"),
    ],
)
def test_a_brain_that_misbehaves_ends_with_the_reason(how: str, reason: str, detail: str) -> None:
    done = played(how, "1", seconds=0.5 if reason == "hang" else 20)
    assert done.winner == (None if reason == "refused" else 1)  # a refusal is nobody's point
    assert done.reason == reason
    assert detail in done.detail
    assert len(done.moves) == (0 if how == "picky" else 2)


def test_after_a_failure_the_next_game_starts_the_program_anew() -> None:
    game = rulewright.load("connect5", size=5)
    player = OutsidePlayer("brain", command("brain", "exit", "2"), GomocupManager)
    for _ in range(2):
        done = play_game(game, (player, RandomPlayer()))
        assert (done.reason, len(done.moves)) == ("crash", 4)
    player.close()


def test_a_person_may_play_against_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"gomocup:{shlex.join(command('brain', 'good'))}"
    words = ["play", "connect5", "--set", "size=5", f"cross={program}", "nought=random"]
    assert main(words) == 0
    assert "cross plays a1" in capsys.readouterr().out
    broken = program.replace("good", "nonsense")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main([*words[:4], "--new", f"cross={broken}", "nought=random"]) == 0
    assert "answers `a7` instead of a field; cross is yours now" in capsys.readouterr().out


def test_a_player_is_named_by_how_to_speak_and_its_command() -> None:
    text = "gomocup:" + " ".join(command("brain", "good"))
    player = Contestant.parse(f"{text}@time=0.5").open(rulewright.load("connect5"), GameLimits())
    assert isinstance(player, OutsidePlayer)
    assert isinstance(player.speech, GomocupManager)
    assert outside_player("conniption/sols") is None
    assert outside_player("human:x") is None
    missing = outside_player("gomocup:/nowhere/brain")
    assert missing is not None
    with pytest.raises(CannotStart, match="cannot be started"):
        missing.start(rulewright.load("connect5"), GameLimits(), 0)
