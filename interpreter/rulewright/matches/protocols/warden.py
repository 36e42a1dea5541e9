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
"""Signals that this process or Python handles, reset to their defaults for the program."""
_PATIENCE = 5.0
"""Seconds to wait for killed processes: one may hang in the kernel."""


def main() -> None:
    """Start the program, watch it, and exit with its status."""
    report, life, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    wakeup, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the end of LIFE says when to end
    program = _start(command, int(report), int(life))
    _leave(_watch(program, int(life), wakeup))


def _start(command: list[str], report: int, life: int) -> int:
    """Start the command; returns the number of its process."""
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


def _watch(program: int, life: int, wakeup: int) -> int:
    """Wait until the program and all its processes have ended; returns its status of `os.wait`."""
    status, watched = None, [life, wakeup]
    while status is None:
        ready, _, _ = select.select(watched, [], [])
        if wakeup in ready:
            with suppress(BlockingIOError):
                os.read(wakeup, 4096)
        if life in ready:
            number = signal.SIGTERM if os.read(life, 1) else signal.SIGKILL
            _signal({program, *_family()}, number)
            if number == signal.SIGKILL:
                watched = [wakeup]
        status = _reaped().get(program)
    deadline = time.monotonic() + _PATIENCE
    while (processes := _family()) and time.monotonic() < deadline:
        _signal(processes, signal.SIGKILL)
        time.sleep(0.001)
        _reaped()
    return status


def _reaped() -> dict[int, int]:
    """Reap the children that have ended; their statuses by process."""
    statuses: dict[int, int] = {}
    with suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            statuses[child[0]] = child[1]
    return statuses


def _family() -> set[int]:
    """The running descendants of this process."""
    parents = dict(_processes())
    family, more = set[int](), {os.getpid()}
    while more:
        more = {child for child, parent in parents.items() if parent in more} - family
        family |= more
    return family


def _processes() -> list[tuple[int, int]]:
    """Every process and its parent."""
    processes = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                processes.append((int(name), int(file.read().rpartition(b")")[2].split()[1])))
    return processes


def _signal(whom: set[int], number: int) -> None:
    for process in whom:
        with suppress(OSError):
            os.kill(process, number)


def _leave(status: int) -> None:
    """Exit with the status or the signal of the program."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # its own core is there already
        with suppress(OSError):  # SIGKILL cannot be set
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 255)


if __name__ == "__main__":
    main()
