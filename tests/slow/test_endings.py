"""Processes that end while code is being compiled, in every way that a process can end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

SCRIPT = """
import ctypes, multiprocessing, os, signal, sys, time

import rulewright
from rulewright.games.engine.kernels import load_engine
from rulewright.search.background import BackgroundWork


def compile_for(seconds):
    game = rulewright.load("chess")
    BackgroundWork(lambda: load_engine(game, use_cache=False))
    time.sleep(seconds)


def worker(seconds):
    child = multiprocessing.get_context("spawn").Process(target=compile_for, args=(seconds,))
    child.start()
    child.join()
    sys.exit(child.exitcode)


if __name__ == "__main__":
    way, seconds = sys.argv[1], float(sys.argv[2])
    if way == "worker":
        worker(seconds)
    compile_for(seconds)
    if way == "exception":
        raise ValueError("the end")
    if way == "status":
        sys.exit(3)
    if way == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)
    if way == "waiting":  # as where the C library hands no status on
        libraries = ctypes.CDLL
        class Reduced:
            def __init__(self, *names, **more):
                self.library = libraries(*names, **more)
            def __getitem__(self, name):
                return self.library[name]
            def __getattr__(self, name):
                if name == "on_exit":
                    raise AttributeError(name)
                return getattr(self.library, name)
        ctypes.CDLL = Reduced
    print("said last", end="")
"""

EXPECTED = {
    "plain": (0, ""), "waiting": (0, ""), "worker": (0, ""), "status": (3, ""),
    "exception": (1, "ValueError: the end"), "interrupt": (-2, "KeyboardInterrupt"),
}  # fmt: skip
RUNS = 4
"""Of each way; `python -m tests.slow.test_endings 100` makes more of them."""


def ending(folder: Path, way: str, seconds: float) -> tuple[int, str, str]:
    """How a script ends that is over so many seconds after the compiler has begun."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    told = [sys.executable, str(script), way, f"{seconds:.3f}"]
    done = subprocess.run(told, check=False, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def right(way: str, outcome: tuple[int, str, str]) -> bool:
    """Whether a script ended as it says, and told what it should."""
    status, last = EXPECTED[way]
    code, out, errors = outcome
    said = out == ("said last" if way in ("plain", "waiting") else "")
    lines = errors.splitlines()
    return code == status and said and (lines[-1] if lines else "") == last


@pytest.mark.parametrize("way", EXPECTED)
def test_a_process_ends_cleanly_while_code_is_compiled(tmp_path: Path, way: str) -> None:
    """At random moments: the status and the last words are those of the script."""
    chance = Random(way)
    for _ in range(RUNS):
        seconds = chance.uniform(0.1, 1.5)
        assert right(way, told := ending(tmp_path, way, seconds)), (seconds, told)


def main() -> None:
    """Run as many scripts of each way as are asked for, and say how many ended otherwise."""
    from tempfile import TemporaryDirectory

    runs, chance = int(sys.argv[1]), Random(0)
    with TemporaryDirectory() as folder:
        for way in EXPECTED:
            moments = [chance.uniform(0.05, 2.0) for _ in range(runs)]
            wrong = sum(not right(way, ending(Path(folder), way, each)) for each in moments)
            print(f"{way}: {wrong} of {runs} ended otherwise", flush=True)


if __name__ == "__main__":
    main()
