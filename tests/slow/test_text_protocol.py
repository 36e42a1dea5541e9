"""The text protocol: both sides, for any game."""

from __future__ import annotations

import io
import sys
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.matches.protocols.contestant import OutsidePlayer
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.serving import serve
from rulewright.matches.protocols.text_protocol import TextController, TextEngine
from rulewright.matches.referee import GameTerms, play_game
from rulewright.players.builtin import RandomPlayer
from rulewright.players.player import Clock, Failed, GameLimits
from tests.shared.effort import tries
from tests.shared.loopback import Loopback, command


def engine(game: str, who: str = "random") -> TextEngine:
    return TextEngine(GameService(game, who))


def test_every_line_has_its_answer() -> None:
    service = engine("tictactoe")
    assert service.answer("rulewright 1") == "rulewright 1 random\n"
    assert service.answer("rulewright 2") == "error this engine speaks version 1\n"
    assert service.answer("") == ""
    assert service.answer("game tictactoe width=4 height=4") == "ok\n"
    assert service.host.game.options["width"] == 4
    assert service.answer("game hex") == "error this engine plays tictactoe\n"
    assert "did you mean `width`?" in service.answer("game tictactoe widht=4")
    assert service.answer("position moves a1 b2") == "ok\n"
    assert service.answer("position moves a1 a1").startswith("error `a1` is not legal for nought")
    assert service.host.state.decisions() == ["a1", "b2"]
    assert service.answer("position a1").startswith("error `position` takes `moves`")
    assert service.answer("seed 5") == "ok\n"
    assert service.answer("seed x").startswith("error `seed` takes a whole number")
    assert service.answer("go").startswith("best ")
    assert service.answer("go time=0") == "error `time` needs a number above 0\n"
    assert (
        service.answer("go nodes=1.5")
        == "error `nodes` is a whole number from 1 to 1,000,000,000,000,000, not `1.5`\n"
    )
    assert "not `speed`" in service.answer("go speed=9")
    assert service.answer("dance").startswith("error `dance` is not known: rulewright, game")
    assert service.answer("quit") == ""
    assert service.has_ended


def test_what_is_known_of_a_decision_is_reported() -> None:
    service = engine("tictactoe", "computer")
    service.answer("position moves a1 b2 a2")
    words = service.answer("go nodes=2000").split()
    assert words[:2] == ["best", "a3"]
    assert {word.partition("=")[0] for word in words[2:]} == {"value", "depth", "nodes", "seconds"}


def test_limits_that_mean_nothing_are_an_error() -> None:
    service = engine("conniption", "sols")
    assert service.answer("go depth=1").startswith("best ")
    service = engine("spanit", "default")
    assert "error" in service.answer("go nodes=10")


GAMES = ["chess", "conniption", "draughts", "tictactoe", "morris"]


@settings(max_examples=tries(15), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_both_sides_agree(name: str, seed: int) -> None:
    game, random = rulewright.load(name), Random(seed)
    service, asking = engine(name), TextController()
    link = Loopback(service)
    asking.begin(link.child, game, GameLimits(seconds=0.1), seed, time.monotonic())
    state = game.start()
    for _ in range(6):
        if state.over:
            break
        decision = asking.ask(link.child, state, Clock(0.1), time.monotonic())
        assert service.host.state.same(state)
        assert decision.move in state.moves
        state = state.play_decision(random.choice(state.moves.texts))


@settings(max_examples=tries(60), deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(["game", "tictactoe", "width=9", "width=99", "position", "moves", "a1",
                             "b2", "go", "time=0.01", "nodes=9", "depth=-1", "seed", "7", "="])
            | st.text(max_size=5),
            max_size=5,
        ).map(" ".join),
        max_size=15,
    )
)  # fmt: skip
def test_nothing_that_is_said_ends_the_engine(lines: list[str]) -> None:
    service, out = engine("tictactoe"), io.StringIO()
    text = "".join(f"{' '.join(line.split())}\n" for line in lines)
    serve(service, io.StringIO(text), out)
    answers = out.getvalue().split("\n")[:-1]
    assert len(answers) == sum(bool(line) for line in text.splitlines())
    assert {answer.split()[0] for answer in answers} <= {"ok", "best", "error", "rulewright"}


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("text-refuses", "crash", "refuses `game tictactoe width=3"),
        ("text-nonsense", "illegal", "answers `hello` to `go"),
        ("text-empty", "illegal", "answers `best` without a move"),
        ("text-illegal", "illegal", "`z99` is no legal decision here"),
    ],
)
def test_an_engine_that_misbehaves_loses(how: str, reason: str, detail: str) -> None:
    player = OutsidePlayer(how, command("talker", how), TextController)
    limits = GameLimits(seconds=20)
    game = rulewright.load("tictactoe")
    done = play_game(game, (player, RandomPlayer()), terms=GameTerms((limits, limits)))
    player.close()
    assert (done.winner, done.reason) == (1, reason)
    assert detail in done.detail


def test_a_player_from_outside_answers_for_the_rules_itself() -> None:
    player = OutsidePlayer("x", command("talker", "text-illegal"), TextController)
    state = rulewright.load("tictactoe").start()
    player.start(state.game, GameLimits(), 0)
    with pytest.raises(Failed, match="`z99` is no legal decision here"):
        player.choose(state, Clock())
    with pytest.raises(Failed, match="does not run"):
        player.choose(state, Clock())


def test_what_an_engine_says_of_itself_is_kept_when_it_makes_sense() -> None:
    player = OutsidePlayer("odd", command("talker", "text-odd"), TextController)
    game = rulewright.load("tictactoe")
    player.start(game, GameLimits(), 0)
    found = player.choose(game.start(), Clock())
    player.close()
    assert (found.move, found.value, found.depth, found.nodes) == ("a1", None, None, 7)


def test_our_own_engine_plays_as_a_program_from_outside() -> None:
    words = [sys.executable, "-m", "rulewright", "engine", "conniption", "--personality", "sols"]
    player = OutsidePlayer("engine", tuple(words), TextController)
    limits = GameLimits(depth=1)
    done = play_game(
        rulewright.load("conniption"),
        (player, RandomPlayer()),
        terms=GameTerms((limits, GameLimits())),
    )
    player.close()
    assert done.reason == "rules"
    assert all(m.value is not None for m in done.moves if m.seat == 0)
