"""How many forced wins of Connect 5 a personality finds in time, and how many it only claims.

In: a file of positions as `generate.c` writes them.  Out: counts by the length of the win, and the
processor time that was needed.  Positions that begin with "none" are given the same time.

    python benchmarks/connect5/forced.py tests/data/connect5_forced.txt --seconds 0.3
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load_with
from rulewright.players.machine import native_evaluator
from rulewright.players.personality import Personality
from rulewright.search.guides import guide
from rulewright.search.root_search import Attack, attack
from rulewright.search.thread_arrays import Root, ThreadArrays

SLICE = 1000
"""Nodes between two looks at the clock."""


@frozen
class Position:
    """A position, and in how many plies it is won; None where it is not."""

    plies: int | None
    state: State


def positions(path: Path) -> Iterator[Position]:
    """What a file holds, in its order."""
    game = load_with("connect5", {})
    for line in path.read_text().splitlines():
        said, _, turns = line.partition(":")
        if turns and not line.startswith("#"):
            words = said.split()
            yield Position(int(words[1]) if words[0] == "win" else None, game.start().play(turns))


def workspace(name: str) -> ThreadArrays:
    """What a personality's search of threats works with."""
    game = load_with("connect5", {})
    kernels, model = load_engine(game), Personality.load(name, game).model
    assert isinstance(kernels, Engine), kernels
    assert model.evaluator is not None
    value = Personality.load(name, game).value()
    judge = native_evaluator(kernels, model.evaluator, value, model.factors, judges_ends=False)
    led = guide(kernels, model.evaluator, model.guidance)
    return ThreadArrays(kernels, 1 << 24, judge, guide=led)


def found_with(worker: ThreadArrays, state: State, nodes: int) -> Attack | None:
    """The win that the search of threats finds with so many nodes."""
    Root(state, worker.engine).place(worker)
    worker.control.nodes, work = 0, attack(worker)
    while worker.nodes < nodes:
        worker.allow(nodes, nodes)
        try:
            next(work)
        except StopIteration as end:
            found: Attack | None = end.value
            return found
    work.close()
    return None


def found_within(worker: ThreadArrays, state: State, seconds: float) -> tuple[Attack | None, float]:
    """The win that it finds within so much processor time, and the time that it took."""
    Root(state, worker.engine).place(worker)
    begun, work = time.thread_time(), attack(worker)
    while time.thread_time() - begun < seconds:
        worker.allow(SLICE, 2**62)
        try:
            next(work)
        except StopIteration as end:
            return end.value, time.thread_time() - begun
    work.close()
    return None, seconds


def main() -> None:
    """Count them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--personality", default="keen")
    parser.add_argument("--seconds", type=float, default=0.3)
    asked = parser.parse_args()
    worker = workspace(asked.personality)
    there, found, claims, spent = Counter[int](), Counter[int](), 0, list[float]()
    for one in positions(asked.file):
        win, seconds = found_within(worker, one.state, asked.seconds)
        claims += one.plies is None and win is not None
        if one.plies is not None:
            there[one.plies] += 1
            found[one.plies] += win is not None
            spent.append(seconds)
    print("| wins of so many plies | found | of |\n| --- | --- | --- |")
    for plies in sorted(there):
        print(f"| {plies} | {found[plies]} | {there[plies]} |")
    median = sorted(spent)[len(spent) // 2]
    middle = f"all, {1000 * median:.1f} ms in the median"
    print(f"| {middle} | {sum(found.values())} | {sum(there.values())} |")
    print(f"| claimed where there is none | {claims} | |")


if __name__ == "__main__":
    main()
