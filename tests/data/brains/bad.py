"""A program that does one wrong thing, named by its argument, whatever it is told."""

import os
import signal
import subprocess
import sys
import time


def deaf() -> None:
    """Never read, never answer."""
    time.sleep(600)


def stubborn() -> None:
    """Ignore every polite way to be ended, and start another that does too."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    other = subprocess.Popen([sys.executable, "-c", code])
    print(other.pid, flush=True)
    time.sleep(600)


def parent() -> None:
    """End in order when the input ends, and leave another running."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print(other.pid, flush=True)
    sys.stdin.read()


def escape() -> None:
    """Leave one running that has another parent, group, session and environment."""
    code = "import os; os.setsid(); print(os.getpid(), flush=True); import time; time.sleep(600)"
    if os.fork() == 0:
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", code], {})
        os._exit(0)
    os.wait()
    sys.stdin.read()


def flood() -> None:
    """Write without end."""
    while True:
        os.write(1, b"DEBUG all is well\n" * 1000)


def long_line() -> None:
    """Write one line without end."""
    while True:
        os.write(1, b"x" * 65536)


def crash() -> None:
    """Fail as Python programs do."""
    sys.stdin.readline()
    raise KeyError("the move")


def killed() -> None:
    """Be ended by a signal."""
    sys.stdin.readline()
    os.kill(os.getpid(), signal.SIGKILL)


def silent() -> None:
    """Close the output and live on."""
    os.close(1)
    time.sleep(600)


def leave() -> None:
    """End in order at once."""


def binary() -> None:
    """Answer what is no text."""
    sys.stdin.readline()
    os.write(1, b"\xff\xfe\x00\x01\n")
    time.sleep(600)


def echo() -> None:
    """Answer every line with itself, in pieces."""
    for line in sys.stdin:
        for letter in line.strip():
            os.write(1, letter.encode())
        os.write(1, b"\r\n")


def moody() -> None:
    """Get ready by the text protocol, unless there is a file of the name that it is given."""
    for line in sys.stdin:
        if not os.path.exists(sys.argv[2]):  # noqa: PTH110
            print(line.strip() if line.startswith("rulewright") else "ok", flush=True)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
