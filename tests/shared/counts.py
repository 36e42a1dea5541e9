"""The facts next to each game: every number of its `perft.txt`, from the start or after moves."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checks.counts import PerftLine, counts_of
from rulewright.games.files.games import bundled_games

Fact = tuple[str, dict[str, str], str, int, int]
"""Game, options, unit, depth and leaves."""


def lines() -> Iterator[tuple[str, PerftLine]]:
    """Every line in the files, with its game."""
    for name, path in bundled_games().items():
        for line in counts_of(path):
            assert isinstance(line, PerftLine), line
            yield name, line


LINES = list(lines())
FACTS: list[Fact] = [
    (name, line.options, line.unit, depth, leaves)
    for name, line in LINES
    if not line.moves
    for depth, leaves in enumerate(line.numbers, 1)
]
"""Every number of lines that count from the first position."""
AFTER_MOVES = [(name, line) for name, line in LINES if line.moves]
QUICK, LEAVES = 2_000, 10_000
"""So many leaves the reference counts in the quick tests, and in all; kernels count every fact."""


def identify(fact: Fact) -> str:
    """How a fact is called among the tests."""
    name, options, unit, depth, _ = fact
    shown = "".join(f"-{k}={v}" for k, v in options.items())
    return f"{name}{shown}-{unit}-{depth}"
