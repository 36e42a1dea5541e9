"""What recording costs, and what a second worker gives.

    python benchmarks/recording.py                 # processor time of playing, and of keeping
    python benchmarks/recording.py --workers       # games a second with one worker and with two

In: nothing.  Out: medians of several rounds, with the smallest and the largest.  The first takes
processor time, which other work on the machine disturbs little; the second needs two free cores.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import rulewright
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_store import open_store
from rulewright.matches.run import Run

GAME, PLAYERS = "conniption", ("flip", "hybrid")


def _match(games: int, record: Path | None, workers: int, seed: int) -> Run:
    """A match whose games share little, as those of random openings do."""
    return rulewright.match(
        GAME, *PLAYERS, games=games, record=record, workers=workers, seed=seed, openings=3, memory=1
    )


def played(games: int, record: Path | None, workers: int, seed: int) -> None:
    """Play such a match."""
    with _match(games, record, workers, seed) as run:
        for _ in run:
            pass


def told(name: str, values: Sequence[float], unit: str) -> str:
    """A median with the smallest and the largest."""
    middle = statistics.median(values)
    return f"{name}: {middle:.3f} {unit} ({min(values):.3f}-{max(values):.3f})"


def recording(rounds: int, games: int) -> None:
    """Processor time of playing a game, and of keeping it."""
    played(2, None, 1, 1)  # compiles
    playing, kept = list[float](), list[float]()
    for number in range(rounds):
        begun = time.process_time()
        with _match(games, None, 1, number) as run:
            records = list(run)
        playing.append((time.process_time() - begun) / games * 1000)
        lines = [record.line() for record in records]
        kept.append(keeping(run.plan, lines) / games * 1000)
    print(told("playing a game", playing, "ms"))
    print(told("keeping it", kept, "ms"))
    print(f"  that is {statistics.median(kept) / statistics.median(playing):.2%}")


def keeping(plan: MatchPlan, lines: Sequence[str]) -> float:
    """Processor seconds that a file takes more than the memory of the process, pair by pair."""

    def added(path: Path | None) -> float:
        records = open_store(path, plan)
        records.begin([[]])
        begun = time.process_time()
        for number in range(0, len(lines), 2):
            records.add(lines[number : number + 2])
            records.fresh()
        seconds = time.process_time() - begun
        records.close()
        return seconds

    with tempfile.TemporaryDirectory() as folder:
        return added(Path(folder) / "record.db") - added(None)


def rate(games: int, count: int) -> float:
    """Games a second, without what every match needs once."""
    begun = time.perf_counter()
    played(2 * count, None, count, 1)
    short = time.perf_counter()
    played(games + 2 * count, None, count, 1)
    return games / ((time.perf_counter() - short) - (short - begun))


def workers(rounds: int, games: int) -> None:
    """Games a second with one worker process and with two, in turn."""
    one, two = list[float](), list[float]()
    for _ in range(rounds):
        one.append(rate(games, 1))
        two.append(rate(games, 2))
    print(told("one worker", one, "games a second"))
    print(told("two workers", two, "games a second"))
    print(told("together", [b / a for a, b in zip(one, two, strict=True)], "times as many"))


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--workers", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=200)
    a = parser.parse_args()
    (workers if a.workers else recording)(a.rounds, a.games)


if __name__ == "__main__":
    main()
