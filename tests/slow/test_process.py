"""Programs from outside, and our own, are held to their time and ended with all they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches.protocols import process
from rulewright.matches.protocols.contestant import READY, OutsidePlayer
from rulewright.matches.protocols.process import Program
from rulewright.matches.protocols.text_protocol import TextController
from rulewright.players.player import Failed, GameLimits
from tests.shared.places import BRAINS

BAD = str(BRAINS / "bad.py")


def child(how: str) -> Program:
    return Program.start([sys.executable, BAD, how])


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_lines_go_there_and_back() -> None:
    with child("echo") as program:
        program.say("one", "two  ", "", "three")
        assert [program.hear(soon()) for _ in range(3)] == ["one", "two", "three"]


def hear_all(program: Program, deadline: float) -> None:
    """Listen until something happens."""
    while True:
        program.hear(deadline)


@pytest.mark.parametrize(
    ("how", "reason", "message"),
    [
        ("deaf", "hang", "no answer in time"),
        ("silent", "crash", "closed its output"),
        ("crash", "crash", "ended with status 1: KeyError: 'the move'"),
        ("killed", "crash", "was ended by SIGKILL"),
        ("leave", "crash", "ended with status 0"),
        ("flood", "crash", "wrote more than 1048576 bytes"),
        ("long_line", "crash", "wrote more than 1048576 bytes"),
    ],
)
def test_misbehaviour_has_its_reason(how: str, reason: str, message: str) -> None:
    with child(how) as program:
        program.say("hello")
        with pytest.raises(Failed, match=message) as caught:
            hear_all(program, soon(0.5 if how == "deaf" else 20))
        assert caught.value.reason == reason
        number = program.process.pid
    assert not alive(number)


def test_who_reads_nothing_cannot_hold_who_writes() -> None:
    with child("deaf") as program:
        for _ in range(100):
            program.say("x" * 65536)
        with pytest.raises(Failed):
            program.hear(soon(0.2))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks into /proc")
@pytest.mark.parametrize("how", ["stubborn", "parent"])
def test_a_program_is_ended_with_all_it_started(how: str) -> None:
    program = child(how)
    other = int(program.hear(soon()))
    assert alive(other)
    begun = time.monotonic()
    program.close()
    program.close()
    assert not alive(program.process.pid)
    deadline = soon(5)
    while alive(other) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(other)
    assert time.monotonic() - begun < 2 * process.GRACE + 15  # asked, terminated, killed


def gone(process: int) -> bool:
    deadline = soon(10)
    while alive(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(process)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody adopts orphans")
def test_who_leaves_the_group_is_ended_too() -> None:
    program = child("escape")
    other = int(program.hear(soon()))
    assert alive(other)
    program.close()
    assert gone(other)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody watches")
@pytest.mark.parametrize("how", ["stubborn", "escape"])
def test_nobody_outlives_who_is_killed(how: str) -> None:
    code = (
        "import sys, time; from rulewright.matches.protocols.process import Program\n"
        f"program = Program.start([sys.executable, {BAD!r}, {how!r}])\n"
        "print(program.hear(time.monotonic() + 20), program.process.pid, flush=True)\n"
        "time.sleep(600)"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert caller.stdout is not None
    numbers = [int(word) for word in caller.stdout.readline().split()]
    assert all(map(alive, numbers))
    caller.kill()
    caller.communicate()
    assert all(map(gone, numbers))


def test_what_is_no_text_is_replaced() -> None:
    with child("binary") as program:
        program.say("hello")
        assert "\ufffd" in program.hear(soon())


def test_a_program_may_be_written_as_a_shell_would() -> None:
    with Program.start(f"'{sys.executable}' \"{BAD}\" echo") as program:
        program.say("hello")
        assert program.hear(soon()) == "hello"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("gtp:/nowhere/engine", "`/nowhere/engine` cannot be started: No such file"),
        (f"engine:{sys.executable} /nowhere/engine.py", "ended with status 2"),
        (f"gtp:{sys.executable} {BAD} leave", "does not get ready to play"),
    ],
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_program_that_cannot_be_started_loses_no_match(
    program: str, message: str, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "tictactoe", "random", program, "--games", "6", "--workers", workers]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_a_program_that_fell_silent_costs_its_own_limit(tmp_path: Path) -> None:
    flag = tmp_path / "asked"
    player = OutsidePlayer("moody", (sys.executable, BAD, "moody", str(flag)), TextController)
    game, limits = rulewright.load("tictactoe"), GameLimits(seconds=0.1, grace=0.1)
    player.start(game, limits, 0)
    player.close()
    flag.touch()
    begun = time.monotonic()
    with pytest.raises(Failed, match="no answer in time"):
        player.start(game, limits, 0)
    assert time.monotonic() - begun < READY / 2  # what it has to get ready the first time
    player.close()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/nowhere/brain", "`/nowhere/brain` cannot be started: No such file"),
        ("", "the command of a program is missing"),
        ("brain 'x", "cannot be read: No closing quotation"),
        (os.path.dirname(BAD), "cannot be started: Permission denied"),  # noqa: PTH120
    ],
)
def test_a_command_that_cannot_be_started(command: str, message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        Program.start(command)


def test_an_interrupt_stops_machine_code() -> None:
    command = [sys.executable, "-m", "rulewright", "perft", "hex", "--depth", "9"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()  # whatever happens, nothing goes on computing
    assert (process.returncode, err) == (130, b"interrupted\n")
