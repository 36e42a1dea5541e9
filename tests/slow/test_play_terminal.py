"""`play` in a real terminal: its keys, what it draws, and how it is left."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import pytest
from attrs import define, field

from rulewright.app.play.saved_games import read_saved_game
from rulewright.app.play.screen import asked_for_sequences

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
PATIENCE = 90.0
"""Seconds that a busy machine may need for anything."""
FRAME = "\x1b[H"


@define
class Player:
    """A person at a terminal of 80 by 24, who reads and types."""

    folder: Path
    words: tuple[str, ...]
    environment: dict[str, str] = field(factory=dict)
    seen: str = ""
    master: int = field(init=False)
    slave: int = field(init=False)
    process: subprocess.Popen[bytes] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (24, 80))
        kept = {"RULEWRIGHT_DATA": str(self.folder), "TERM": "xterm-256color", "COLUMNS": "80"}
        plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulewright", "play", *self.words],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
            env={**plain, **kept, **self.environment},
        )  # fmt: skip

    def read(self, seconds: float) -> str:
        """What is drawn in so many seconds."""
        fresh, until = "", time.monotonic() + seconds
        while time.monotonic() < until:
            if select.select([self.master], [], [], max(0.0, until - time.monotonic()))[0]:
                with suppress(OSError):
                    fresh += os.read(self.master, 65536).decode("utf-8", "replace")
        self.seen += fresh
        return fresh

    def until(self, text: str) -> str:
        """What is drawn until *text* has been, after what was read before."""
        fresh, limit = "", time.monotonic() + PATIENCE
        while text not in fresh:
            assert time.monotonic() < limit, f"{text!r} does not come:\n{fresh}"
            fresh += self.read(0.05)
        return fresh

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def ended(self) -> int:
        """The exit status, once there is one."""
        limit = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < limit, "it does not end"
            self.read(0.05)
        self.read(0.1)
        return self.process.returncode

    def kept(self) -> list[list[str]]:
        """The decisions of every kept game."""
        return [
            read_saved_game(f).state.decisions() for f in sorted(self.folder.glob("games/*.json"))
        ]

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        for end in (self.master, self.slave):
            with suppress(OSError):
                os.close(end)


class Sit(Protocol):
    def __call__(self, *words: str, **environment: str) -> Player: ...


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    players: list[Player] = []

    def call(*words: str, **environment: str) -> Player:
        players.append(Player(tmp_path, words, environment))
        return players[-1]

    yield call
    for player in players:
        player.close()


TWO = ("connect4", "yellow=human", "red=human")
PROMPT = "; ? lists moves)> "


def test_enter_after_a_key_leaves_the_answer_alone(sit: Sit) -> None:
    player = sit(*TWO)
    player.until(PROMPT)
    player.type("?")
    assert "drop: " in player.until(PROMPT)
    player.type("\r\n\r")
    assert FRAME not in player.read(1.0)
    player.type("4")
    assert "red (drop" in player.until(PROMPT)
    player.type("\rquit\r")
    assert player.ended() == 0
    assert "[3J" not in player.seen
    assert player.kept() == [["4"]]


def test_what_is_typed_ahead_is_not_lost(sit: Sit) -> None:
    player = sit(*TWO)
    player.type("4\r3\r5moves\rquit\r")
    assert player.ended() == 0
    assert "4 3 5" in player.seen
    assert player.kept() == [["4", "3", "5"]]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_game_that_is_cut_off_is_kept_and_offered(
    sit: Sit, number: signal.Signals, status: int
) -> None:
    player = sit(*TWO)
    before = termios.tcgetattr(player.slave)
    player.until(PROMPT)
    player.type("4")
    player.until("red (drop")
    player.type("3")
    player.until("yellow (drop")
    player.process.send_signal(number)
    assert player.ended() == status
    assert termios.tcgetattr(player.slave) == before
    assert "Traceback" not in player.seen
    assert player.kept() == [["4", "3"]]
    again = sit("connect4")
    assert "human against human, 2 turns played" in again.until("begins a new one")
    again.type("\r")
    assert "played: 4 3" in again.until("yellow (drop")
    again.type("5")
    again.until("red (drop")
    assert again.kept() == [["4", "3", "5"]]


def test_a_closed_terminal_loses_nothing(sit: Sit) -> None:
    player = sit(*TWO)
    player.until(PROMPT)
    player.type("4")
    player.until("red (drop")
    os.close(player.slave)
    os.close(player.master)
    player.process.wait(PATIENCE)
    assert player.kept() == [["4"]]


def test_a_new_game_leaves_the_old_one_kept(sit: Sit) -> None:
    first = sit(*TWO)
    first.until(PROMPT)
    first.type("4quit\r")
    first.ended()
    second = sit(*TWO)
    second.until("begins a new one")
    second.type("n")
    second.until(PROMPT)
    second.type("1quit\r")
    second.ended()
    assert sorted(second.kept()) == [["1"], ["4"]]


def test_colours_are_left_out_on_request(sit: Sit) -> None:
    pytest.importorskip("rich")
    coloured = sit(*TWO)
    coloured.until(PROMPT)
    coloured.type("4")
    assert re.search(r"\x1b\[1;(4;)?33m", coloured.until("red (drop"))
    plain = sit(*TWO, "--new", NO_COLOR="1")
    plain.until(PROMPT)
    plain.type("4")
    plain.until("red (drop")
    assert "\x1b[1;" not in plain.seen


def test_two_computers_can_be_stopped_and_stepped(sit: Sit) -> None:
    player = sit("connect4", "yellow=random", "red=random", "--pace", "step")
    player.until("paused; ")
    assert player.kept() == []
    player.type(" ")
    player.until("paused; ")
    assert [len(game) for game in player.kept()] == [1]
    player.type(" ")
    player.until("paused; ")
    assert [len(game) for game in player.kept()] == [2]
    player.type("seat red human\r")
    player.until("red (drop")
    player.type("quit\r")
    assert player.ended() == 0


def test_a_thinking_player_gives_a_sign_of_life(sit: Sit) -> None:
    player = sit("connect4", "yellow=search:4", "red=human")
    player.until("yellow (search:4) thinks 1 s")
    player.process.send_signal(signal.SIGINT)
    assert player.ended() == 130


def test_a_board_that_is_too_high_can_be_moved(sit: Sit) -> None:
    player = sit("twixt", "red=human", "blue=human")
    player.until(PROMPT)
    player.type("l12\r")
    shown = player.until(PROMPT)
    assert "12 . . . . . . . . . . .(o)" in re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert shown.count("\n") <= 25
    player.type("\x1b[5~")
    player.until("\x1b[2m 1\x1b[0m")
    player.type("quit\r")
    assert player.ended() == 0


def last_frame(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", shown.rpartition(FRAME)[2])


def test_a_message_in_the_place_of_the_board_is_read_to_its_end_and_goes(sit: Sit) -> None:
    player = sit("twixt", "red=human", "blue=human")
    player.until(PROMPT)
    player.type("?\r")  # the Enter belongs to the key and wipes nothing
    shown = last_frame(player.until(PROMPT) + player.read(1.5))
    assert "place: b1 c1" in shown
    assert "Page Down; Enter: the board" in shown
    seen = shown
    for _ in range(8):
        player.type("\x1b[6~")
        seen += last_frame(player.until(PROMPT))
    assert {f"{c}{r}" for c in "bmw" for r in range(1, 25)} <= set(seen.split())
    assert "Page Up; Enter: the board" in last_frame(seen)
    before = ""
    for _ in range(5):  # the end is the end: one page back is seen at once
        player.type("\x1b[6~")
        before = last_frame(player.until(PROMPT))
    player.type("\x1b[5~")
    assert last_frame(player.until(PROMPT)) != before
    player.type("\r")
    assert "12 . . . . ." in last_frame(player.until(PROMPT))
    player.type("quit\r")
    assert player.ended() == 0


def test_a_terminal_that_cannot_draw_in_place_gets_few_frames(sit: Sit) -> None:
    words = ("connect4", "yellow=random", "red=random", "--seed", "3", "--pace", "0")
    player = sit(*words, TERM="dumb")
    player.until("Enter leaves")
    assert player.seen.count("1 2 3 4 5 6 7") == 1, "the end alone is drawn"
    told = sum(player.seen.count(f"{colour} plays ") for colour in ("yellow", "red"))
    player.type("\r")
    assert player.ended() == 0
    assert told >= len(player.kept()[0]) - 1 >= 6
    assert "\x1b" not in player.seen


def test_an_answer_at_a_dumb_terminal_draws_no_board_again(sit: Sit) -> None:
    player = sit(*TWO, TERM="dumb")
    player.until(PROMPT)
    player.type("?")
    assert "drop: 1 2 3" in player.until(PROMPT)
    player.type("hello\r")
    assert "`hello` is no move" in player.until(PROMPT)
    player.type("resign\r")
    assert "wins" in player.until("Enter leaves")
    assert player.seen.count("\n  1 2 3 4 5 6 7") == 2
    player.type("\r")
    assert player.ended() == 0


@pytest.mark.parametrize(("console", "agrees"), [(True, True), (True, False), (False, True)])
def test_windows_is_asked_whether_it_draws_in_place(console: bool, agrees: bool) -> None:
    asked: list[int] = []

    class Kernel:
        def GetStdHandle(self, number: int) -> int:  # noqa: N802 - as Windows calls it
            return number

        def GetConsoleMode(self, _handle: int, mode: object) -> int:  # noqa: N802
            mode._obj.value = 3  # type: ignore[attr-defined] # what `byref` refers to
            return console

        def SetConsoleMode(self, _handle: int, mode: int) -> int:  # noqa: N802
            asked.append(mode)
            return agrees

    assert asked_for_sequences(Kernel()) == (console and agrees)
    assert asked == [7] * console
