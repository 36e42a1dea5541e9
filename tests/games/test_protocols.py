"""All protocols alike: commands in any order, long lines, numbers, what is decided in time."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import Fault, NotEnoughMemory, RulewrightError
from rulewright.games.engine.game import State
from rulewright.matches.protocols.contestant import DIALECTS
from rulewright.matches.protocols.gomocup import GomocupBrain
from rulewright.matches.protocols.gtp_engine import GtpEngine
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.serving import (
    LONGEST,
    lines_of,
    serve,
    serve_beside,
    whole_number,
)
from rulewright.matches.protocols.text_protocol import TextEngine
from rulewright.matches.protocols.uci_engine import UciEngine
from rulewright.players.builtin import RandomPlayer, SearchPlayer
from rulewright.players.player import Clock, Decision
from tests.shared.effort import tries

DRAWN = """format 1
game drawn
players red blue
board square 3 by 1
pieces man
move place
  choose a in empty
  put man at a
turn place
draw when count empty <= 1
draw when stuck
"""
FAULTY = """format 1
game faulty
players red blue
board square 3 by 1
pieces man
state n = 0 in 0..1
move place
  choose a in empty
  n := n + (2 if a in column(3) and count empty < 3 else 0)
  put man at a
turn place
draw when stuck
"""
ALL = ("uci", "gtp", "gomocup", "engine")


def talk(name: str, lines: Iterable[str], who: str = "random") -> list[str]:
    """What a service answers to these lines, read while it thinks where it does so beside."""
    out, text = io.StringIO(), io.StringIO("".join(f"{line}\n" for line in lines))
    if name == "uci":
        serve_beside(UciEngine(GameService("tictactoe", who)), text, out)
    elif name in DIALECTS:
        game = {"usi": "minishogi", "ucci": "xiangqi"}[name]
        service = UciEngine(GameService(game, who), interface=DIALECTS[name])
        serve_beside(service, text, out)
    elif name == "engine":
        serve_beside(TextEngine(GameService("tictactoe", who)), text, out)
    elif name == "gtp":
        serve(GtpEngine(GameService("hex", who, {"size": 3})), text, out)
    else:
        serve(GomocupBrain(GameService("connect5", who, {"size": 5})), text, out)
    return out.getvalue().splitlines()


# --- commands in any order ---

SAID = {
    "uci": [
        "uci", "isready", "ucinewgame", "position startpos", "position startpos moves a1 b2",
        "position startpos moves a1 b2 c3 a2", "position startpos moves a1 a1", "position nowhere",
        "position startpos moves a1 b1 a2 b2 a3", "go nodes 5", "go movetime 20", "go infinite",
        "go", "go depth x", "go wtime -5 btime 10", "go nodes 99999999999999999999999999", "stop",
        "go depth 1 movetime 0", "setoption name Hash value 2", "setoption name Hash value 0",
        "setoption name Personality value nobody", "dance", "joho isready", "ponderhit", "",
    ],
    "usi": [
        "usi", "isready", "usinewgame", "position startpos", "position startpos moves 1e1d 5a5b",
        "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 1e1d", "position sfen 5/5 b - 1",
        "position sfen", "position sfen 5",
        "position startpos moves 9i9h", "position startpos moves K*3c", "go nodes 5",
        "go btime 0 wtime 0 byoyomi 20", "go btime 20 wtime x", "go infinite", "go", "stop",
        "setoption name USI_Hash value 2", "setoption name USI_Variant value nothing", "dance",
        "gameover win", "ponderhit", "",
    ],
    "ucci": [
        "ucci", "isready", "setoption newgame", "position startpos",
        "position startpos moves h2e2 h9g7", "position startpos moves h3e3", "position fen 9/9 w",
        "position fen 4k4/9/9/9/9/9/9/9/9/4K4 r - - 0 1", "banmoves h2e2", "banmoves x",
        "go depth 1", "go time 20", "go time 20 increment 0", "go depth infinite", "go nodes 5",
        "go time x", "stop", "setoption hashsize 2", "setoption hashsize", "setoption", "dance",
        "ponderhit", "",
    ],
    "engine": [
        "rulewright 1", "game tictactoe width=4", "game hex", "seed 4", "position", "position a1",
        "position moves a1 b2", "position moves a1 a1", "position moves a1 b1 a2 b2 a3",
        "go nodes=5", "go time=0.02", "go depth=1", "go memory=99999999999", "go speed=1", "stop",
        "go time=nan", "dance", "",
    ],
    "gtp": [
        "name", "7 name", "boardsize 3", "boardsize 99", "boardsize x", "clear_board", "genmove b",
        "genmove w", "reg_genmove b", "play b a1", "play w a1", "play w b2", "undo", "showboard",
        "time_settings 0 1 1", "time_left b 1 0", "final_score", "dance", "# nothing", "",
        "genmove", "genmove purple",
    ],
    "gomocup": [
        "START 5", "START x", "RECTSTART 5,6", "RESTART", "BEGIN", "TURN 1,1", "TURN 2,2",
        "TURN 9,9", "PLAY 3,3", "TAKEBACK 3,3", "BOARD", "1,1,2", "DONE", "INFO timeout_turn 20",
        "INFO rule 1", "INFO max_memory 1", "INFO time_left x", "ABOUT", "DANCE", "",
    ],
}  # fmt: skip


def expected(name: str, lines: list[str]) -> Counter[str]:
    """How many answers of which kind there must be."""
    said = [line for line in lines if line]
    if name in DIALECTS:
        words = [word for line in said for word in line.split()[-1:] if word == "isready"]
        return Counter(bestmove=sum(line.startswith("go") for line in said), readyok=len(words))
    if name == "engine":
        return Counter(answer=sum(line != "stop" for line in said))
    if name == "gtp":
        return Counter(answer=sum(not line.startswith("#") for line in said))
    return Counter()


def answered(name: str, lines: list[str]) -> Counter[str]:
    """How many answers of which kind there are."""
    if name in DIALECTS:
        found = Counter(line.split()[0].removeprefix("no") for line in lines if line)
        return Counter({word: found[word] for word in ("bestmove", "readyok")})
    if name == "engine":
        return Counter(answer=sum(not line.startswith("info") for line in lines))
    return Counter(answer=sum(line[:1] in ("=", "?") for line in lines))


@pytest.mark.parametrize("who", ["random", "computer"])
@pytest.mark.parametrize("name", [*DIALECTS, "engine", "gtp"])
@settings(max_examples=tries(25), deadline=None)
@given(data=st.data())
def test_whatever_comes_in_whatever_order_is_answered_once(
    name: str, who: str, data: st.DataObject
) -> None:
    lines = data.draw(st.lists(st.sampled_from(SAID[name]), max_size=12))
    told = talk(name, lines, who)
    assert answered(name, told) == expected(name, lines), told


@settings(max_examples=tries(40), deadline=None)
@given(lines=st.lists(st.sampled_from(SAID["gomocup"]), max_size=14))
def test_a_brain_answers_every_turn_once(lines: list[str]) -> None:
    service = GomocupBrain(GameService("connect5", "random", {"size": 5}))
    collecting = False
    for line in lines:
        told = [t for t in service.answer(line).splitlines() if not t.startswith("MESSAGE")]
        silent = collecting and line != "DONE"
        opens = line == "BOARD" and not collecting
        quiet = silent or opens or not line or line.startswith("INFO")
        assert len(told) == (0 if quiet else 1), (line, told)
        collecting = silent or opens


def test_a_stop_ends_what_was_asked_for_before_it_and_nothing_else() -> None:
    """Lines that come at once are read before the first of them is answered."""
    lines = [
        "position startpos",
        "go infinite",
        "stop",
        "position startpos moves a1",
        "go infinite",
    ]
    told = talk("uci", [*lines, "stop", "isready"], "computer")
    assert [line.split()[0] for line in told if not line.startswith("info")] == [
        "bestmove", "bestmove", "readyok",
    ]  # fmt: skip
    told = talk("uci", ["go infinite", "go infinite", "go nodes 5"], "computer")
    assert sum(line.startswith("bestmove") for line in told) == 3


# --- lines ---


@settings(max_examples=tries(30), deadline=None)
@given(st.lists(st.text(st.characters(blacklist_characters="\r\n"), max_size=9), max_size=5))
def test_lines_are_read_as_they_were_written(lines: list[str]) -> None:
    wanted = [line.strip("\ufeff\t \r\n") for line in lines]
    assert [*lines_of(io.StringIO("".join(f"{line}\n" for line in lines)))] == wanted


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_line_that_is_too_long_is_one(end: str) -> None:
    first, *rest = lines_of(io.StringIO("y\n" + "x" * 10_000_000 + end))
    assert first == "y"
    assert [len(line) > LONGEST for line in rest] == [True]
    assert len(rest[0]) < LONGEST + 9


@pytest.mark.parametrize(
    ("name", "word", "answer"),
    [
        ("uci", "position startpos moves ", ["info", "info", "bestmove"]),
        ("engine", "position moves ", ["error", "best"]),
        ("gtp", "3 play b ", ["?3", "="]),
        ("gomocup", "TURN ", ["ERROR", "ERROR"]),
    ],
)
def test_a_line_of_ten_megabytes_is_one_refused_command(
    name: str, word: str, answer: list[str]
) -> None:
    then = {"uci": "go nodes 5", "engine": "go nodes=5", "gtp": "genmove b", "gomocup": "BEGIN"}
    told = talk(name, [word + "a1 " * 3_500_000, then[name]])
    assert [line.split()[0] for line in told if line] == answer
    assert f"a line has at most {LONGEST:,} characters" in told[0]


@pytest.mark.parametrize(("name", "head"), [("uci", "position startpos moves"),
                                            ("engine", "position moves")])  # fmt: skip
def test_what_is_played_already_is_not_played_again(
    name: str, head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = GameService("connect4", "random")
    service: Any = UciEngine(host) if name == "uci" else TextEngine(host)
    random, state, played = Random(1), host.game.start(), list[str]()
    followed = State.follow

    def follow(state: State, number: int, move: Any) -> State:
        played.append(str(move))
        return followed(state, number, move)

    monkeypatch.setattr(State, "follow", follow)
    decisions = list[str]()
    for _ in range(12):
        decisions.append(random.choice(state.moves.texts))
        state = state.play(decisions[-1])
        if state.over:
            break
        played.clear()
        assert not service.answer(" ".join([head, *decisions])).startswith(("info", "error"))
        assert played == decisions[-1:]
        assert host.state.same(state)
        assert host.state.decisions() == decisions
    other = decisions[:3] + [m for m in host.state.states()[3].moves.texts if m != decisions[3]][:1]
    played.clear()
    service.answer(" ".join([head, *other]))
    assert (host.state.decisions(), played) == (other, other[-1:])


@settings(max_examples=tries(40), deadline=None)
@given(st.lists(st.lists(st.sampled_from(["1", "4", "7", "x"]), max_size=6), max_size=6))
def test_a_position_is_what_its_line_says_whatever_came_before(lines: list[list[str]]) -> None:
    host = GameService("connect4", "random")
    service, known = TextEngine(host), list[str]()
    for moves in lines:
        told = service.answer(" ".join(["position", "moves", *moves]))
        known = moves if "x" not in moves else known
        assert told.startswith("error" if "x" in moves else "ok")
        assert host.state.decisions() == known


# --- numbers ---


@given(st.text(max_size=6) | st.integers(-20, 20).map(str) | st.just("9" * 5000))
def test_a_number_is_in_its_range_or_refused(text: str) -> None:
    may_be = {sign + str(number): number for number in range(1, 10) for sign in ("", "+")}
    if text in may_be:
        assert whole_number(text, "x", 1, 9) == may_be[text]
    elif text.lstrip("+-0") not in may_be:
        with pytest.raises(RulewrightError, match=r"^x is a whole number from 1 to 9, not "):
            whole_number(text, "x", 1, 9)


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("engine", "go memory=99999999999", "`memory` is a whole number from 1 to 65,536"),
        ("engine", "go nodes=1e30", "`nodes` is a whole number from 1 to"),
        ("engine", "go depth=10000000", "`depth` is a whole number from 1 to 1,000,000"),
        ("engine", "go time=1e300", "`time` is at most 100,000,000 seconds"),
        ("engine", "go clock=-1", "`clock` needs a number above 0"),
        ("engine", "seed " + "9" * 5000, "`seed` takes a whole number from 0"),
        ("uci", "setoption name Hash value " + "9" * 5000, "`Hash` in MiB is a whole number"),
        ("uci", "setoption name Hash value 99999999", "`Hash` in MiB is a whole number from 1 to"),
        ("uci", "go movetime soon", "`movetime` is a whole number"),
        ("uci", "go nodes " + "9" * 5000, "`nodes` is a whole number"),
        ("gtp", "boardsize " + "9" * 5000, "? unacceptable size"),
        ("gtp", "time_settings 99999999999 1 1", "? syntax error"),
        ("gomocup", "START " + "9" * 5000, "a size is a whole number from 1 to 1,000"),
        ("gomocup", "RECTSTART 5,-5", "a size is a whole number from 1 to 1,000"),
    ],
)
def test_numbers_that_cannot_be_are_refused(name: str, line: str, message: str) -> None:
    assert message in talk(name, [line])[0]


def test_memory_that_is_not_there_is_refused_with_a_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(size: int) -> None:
        raise NotEnoughMemory(size)

    service = UciEngine(GameService("tictactoe", "random"))
    text, brain = TextEngine(service.host), GomocupBrain(GameService("connect5", "random"))
    monkeypatch.setattr("rulewright.matches.protocols.host.require_memory", none)
    wanted = "there is not enough memory for tables of 512 MiB; ask for less\n"
    assert service.answer("setoption name Hash value 512") == f"info string {wanted}"
    assert text.answer("go memory=512 nodes=5") == f"error {wanted}"
    assert brain.answer(f"INFO max_memory {(512 + 160) << 20}") == f"MESSAGE {wanted}"
    assert service.host.memory == brain.host.memory == 64


def test_what_the_system_has_not_got_is_a_message_of_ours() -> None:
    with pytest.raises(NotEnoughMemory, match=r"memory for tables of [0-9,]{9,} MiB"):
        rulewright.search(rulewright.load("connect4").start(), nodes=9, memory=1 << 42)


# --- an answer, whatever happens ---


def file(folder: Path, text: str) -> str:
    path = folder / "it.rules"
    path.write_text(text)
    return str(path)


def test_a_game_that_a_rule_has_drawn_still_has_moves(tmp_path: Path) -> None:
    service = UciEngine(GameService(file(tmp_path, DRAWN), "random"))
    service.answer("position startpos moves a1 b1")
    assert service.host.state.over
    assert service.answer("go nodes 5") == "bestmove c1\n"
    service.answer("position startpos moves a1")
    assert service.answer("go nodes 5") in ("bestmove b1\n", "bestmove c1\n")


def test_a_position_whose_decisions_cannot_be_listed_has_one_all_the_same(tmp_path: Path) -> None:
    service, told = UciEngine(GameService(file(tmp_path, FAULTY), "random")), list[str]()
    service.tell = told.append
    service.answer("position startpos moves a1")
    with pytest.raises(Fault):
        _ = service.host.state.moves.texts
    assert service.answer("go nodes 5") == "bestmove b1\n"
    assert "out-of-range" in told[0]


@pytest.mark.parametrize("error", [RulewrightError("no"), KeyError("x"), RecursionError("deep")])
def test_a_player_that_fails_does_not_keep_anybody_waiting(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(player: RandomPlayer, state: State, clock: Clock) -> Decision:
        raise error

    service, told = UciEngine(GameService("tictactoe", "random")), list[str]()
    service.tell = told.append
    monkeypatch.setattr(RandomPlayer, "choose", fail)
    assert service.answer("go movetime 10") == "bestmove a3\n"
    assert told[0].startswith("info string ")


def test_a_player_that_is_late_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    released = Event()

    def choose(player: SearchPlayer, state: State, clock: Clock) -> Decision:
        released.wait(60)
        return Decision(state.moves.texts[-1])

    service, told = UciEngine(GameService("tictactoe", "computer")), list[str]()
    service.tell = told.append
    service.host.ready()
    monkeypatch.setattr(SearchPlayer, "choose", choose)
    assert service.answer("go movetime 200").startswith("bestmove ")
    assert told[-2].endswith("this is the first legal decision\n")
    assert told[-1].startswith("info depth 1 score cp 0 ")
    assert service.answer("go movetime 2000").startswith("bestmove ")
    assert told[-2].endswith("the reference has decided\n")
    released.set()
    assert service.answer("go nodes 5") == "bestmove c1\n"


def test_what_the_rule_may_ask_for_is_ready_before_a_brain_says_ok(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = GomocupBrain(GameService("connect5", "random"))
    rehearsed = list[bool]()
    choose = RandomPlayer.choose

    def chosen(player: RandomPlayer, state: State, clock: Clock) -> Decision:
        rehearsed.append(bool(state.game.options["exact"]))
        return choose(player, state, clock)

    monkeypatch.setattr(RandomPlayer, "choose", chosen)
    assert service.answer("START 7") == "OK\n"
    assert set(rehearsed) == {False, True}
    assert service.host.game.options["exact"] == 0
    rehearsed.clear()
    assert service.answer("INFO rule 1") == ""
    assert service.host.game.options["exact"] == 1
    assert service.answer("INFO max_memory 400000000") == ""
    assert rehearsed == []
    service.answer("BEGIN")
    assert rehearsed == [True]


@pytest.mark.parametrize(("game", "who"), [("chess", "club"), ("tictactoe", "computer")])
def test_the_best_player_plays_unless_another_is_asked_for(game: str, who: str) -> None:
    assert GameService(game).player_name == who
    assert GameService(game, "random").player_name == "random"
