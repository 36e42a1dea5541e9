"""The facts next to each game: `perft.txt` in its folder, against the reference.

A line is `options : unit : leaves at depth 1, 2, ...`; `#` begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulewright.loading import bundled, load_with
from rulewright.verify.counts import Count, counts_of


def facts() -> Iterator[tuple[str, dict[str, str], str, int, int]]:
    """Game, options, unit, depth and leaves of every number in the files."""
    for name, path in bundled().items():
        for line in counts_of(path):
            assert isinstance(line, Count), line
            for depth, leaves in enumerate(line.numbers, 1):
                yield name, line.options, line.unit, depth, leaves


FACTS = list(facts())


def identify(fact: tuple[str, dict[str, str], str, int, int]) -> str:
    name, options, unit, depth, _ = fact
    shown = "".join(f"-{k}={v}" for k, v in options.items())
    return f"{name}{shown}-{unit}-{depth}"


@pytest.mark.parametrize("fact", FACTS, ids=map(identify, FACTS))
def test_perft(fact: tuple[str, dict[str, str], str, int, int]) -> None:
    name, options, unit, depth, leaves = fact
    assert load_with(name, dict(options)).start().perft(depth, unit) == leaves


def test_every_bundled_game_has_facts() -> None:
    assert {fact[0] for fact in FACTS} == set(bundled())
