"""The facts next to each game: `perft.txt` in its folder, against the reference.

A line is `options : unit : leaves at depth 1, 2, ...`; `#` begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulewright.loading import bundled, load_with


def facts() -> Iterator[tuple[str, dict[str, str], str, int, int]]:
    """Game, options, unit, depth and leaves of every number in the files."""
    for name, path in bundled().items():
        file = path.with_name("perft.txt")
        for line in file.read_text("utf-8").splitlines():
            text = line.partition("#")[0]
            if text.strip():
                options, unit, counts = (part.strip() for part in text.split(":"))
                pairs = dict(pair.split("=", 1) for pair in options.split())
                for depth, leaves in enumerate(counts.split(), 1):
                    yield name, pairs, unit, depth, int(leaves)


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
