"""A warden: starts one program, and ends it with everything that it has ever started.

    python -I -S warden.py REPORT LIFE COMMAND...

In: two descriptors of pipes, and a command.  The command gets this process's streams and a group of
its own.  To REPORT goes the number of the error if it cannot be started.  LIFE is only read: a byte
asks everybody to end (SIGTERM), its end makes them (SIGKILL), so that nobody outlives whoever holds
the other end, however that one ended.  When the program has ended, what it leaves behind is ended
too, also what has left its group: orphans come to this process (Linux, `PR_SET_CHILD_SUBREAPER`),
which knows its children from /proc.  Out: the exit status of the program, or its signal.

It is run as a file of its own and imports nothing of this package, so that it starts at once.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of <linux/prctl.h>."""
_OWN = (
    signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ,
)  # fmt: skip
"""Signals that this process or Python hears in its own way, and the program in the usual one."""
_PATIENCE = 5.0
"""Seconds in which those that are killed must be gone: a process may hang in the kernel."""


def main() -> None:
    """Start the program, watch over it, and end as it has ended."""
    report, life, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    told, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the end of LIFE says when to end
    program = _start(command, int(report), int(life))
    _leave(_watch(program, int(life), told))


def _start(command: list[str], report: int, life: int) -> int:
    """The number of the process that runs the command."""
    os.set_inheritable(report, False)  # it closes when the program runs
    os.set_inheritable(life, False)
    program = os.fork()
    if program == 0:
        try:
            os.setsid()
            for number in _OWN:
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(report, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(report)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # the program alone holds its pipes
        os.dup2(nothing, stream)
    return program


def _watch(program: int, life: int, told: int) -> int:
    """The status of the program as `os.wait` gives it, when nobody of its own is left."""
    status, watched = None, [life, told]
    while status is None:
        ready, _, _ = select.select(watched, [], [])
        if told in ready:
            with suppress(BlockingIOError):
                os.read(told, 4096)
        if life in ready:
            number = signal.SIGTERM if os.read(life, 1) else signal.SIGKILL
            _signal({program, *_family()}, number)
            if number == signal.SIGKILL:
                watched = [told]
        status = _reaped().get(program)
    deadline = time.monotonic() + _PATIENCE
    while (left := _family()) and time.monotonic() < deadline:
        _signal(left, signal.SIGKILL)
        time.sleep(0.001)
        _reaped()
    return status


def _reaped() -> dict[int, int]:
    """The status of every child that has ended."""
    found: dict[int, int] = {}
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            found[ended[0]] = ended[1]
    return found


def _family() -> set[int]:
    """All that descends from this process and still runs."""
    parents = dict(_processes())
    found, more = set[int](), {os.getpid()}
    while more:
        more = {child for child, parent in parents.items() if parent in more} - found
        found |= more
    return found


def _processes() -> list[tuple[int, int]]:
    """Every process and its parent."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                found.append((int(name), int(file.read().rpartition(b")")[2].split()[1])))
    return found


def _signal(whom: set[int], number: int) -> None:
    for process in whom:
        with suppress(OSError):
            os.kill(process, number)


def _leave(status: int) -> None:
    """End as the program has."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # its own core is there already
        with suppress(OSError):  # SIGKILL cannot be set
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 255)


if __name__ == "__main__":
    main()
