"""How long `check` takes for texts that are blown up: the processor time of the command, each cold.

`python -m tests.tools.check_times --texts 300 --seed 1` blows up random rules files, bundled games
and their players, each in a few ways at once (`tests/generators/blown.py`), and checks each in a
process of its own without a cache.  A text that takes more than two seconds, or ends the command
otherwise than with an answer, is a finding, and is kept in `slow_texts/`; then the status is 1.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from rulewright.games.files.games import bundled_games
from rulewright.ground.disk import root
from tests.generators.blown import GROWTHS, PLAIN, blown
from tests.tools.agreement.files import texts

MOST = 2.0
"""Seconds of the processor in which `check` answers."""
_DEAD = 60
"""Seconds after which a process is ended."""
_RANDOM = 100
"""Random files that are begun with."""
_KEPT = Path("slow_texts")
_PLAYERS = ("eval", "personality", "patterns")


def bases(seed: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Texts of rules to begin with; and of players, with their suffixes."""
    rules = [path.read_text("utf-8") for path in bundled_games().values()]
    rules += islice(texts(_RANDOM, seed), _RANDOM)
    paths = [
        path
        for folder in ("rulesets", "patterns")
        for suffix in _PLAYERS
        for path in sorted(root(folder).rglob(f"*.{suffix}"))
    ]
    return rules, [(path.suffix, path.read_text("utf-8")) for path in paths]


def grown(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """So many texts, each with the suffix of its file."""
    rules, players = bases(seed)
    for index in range(number):
        chance = Random(f"{seed} {index}")
        if chance.random() < 0.2:
            suffix, text = chance.choice(players)
            yield suffix, blown(chance, text, PLAIN)
        else:
            yield ".rules", blown(chance, chance.choice(rules), GROWTHS)


def checked(path: Path, cache: str) -> tuple[int, float]:
    """The status of `check`, and the seconds of the processor that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "check", str(path)],
        env={**os.environ, "RULEWRIGHT_CACHE": cache},
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (_DEAD, _DEAD)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answered = done.returncode in (0, 1) and b"Traceback" not in done.stderr
    return done.returncode if answered else -1, took


def main() -> int:
    """Check so many texts; the exit status tells whether any took too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    took, accepted, findings = list[float](), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for index, (suffix, text) in enumerate(grown(options.texts, options.seed)):
            path = Path(folder) / f"{index}{suffix}"
            path.write_text(text, "utf-8")
            status, seconds = checked(path, f"{folder}/cache{index}")
            took.append(seconds)
            accepted += status == 0
            if status < 0 or seconds > MOST:
                findings += 1
                _KEPT.mkdir(exist_ok=True)
                kept = path.rename(_KEPT / f"{options.seed}-{path.name}")
                print(f"{kept}: {seconds:.2f} s{', no answer' if status < 0 else ''}", flush=True)
    took.sort()
    parts = ", ".join(f"{share:.0%} {took[int(share * (len(took) - 1))]:.2f}" for share in
                      (0.5, 0.9, 0.99, 1))  # fmt: skip
    print(f"{len(took)} texts, {accepted} accepted; seconds: {parts}; {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
