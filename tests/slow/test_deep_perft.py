"""Facts next to each game that take the reference seconds."""

from __future__ import annotations

import pytest

from rulewright.games.files.games import load_with
from tests.shared.counts import FACTS, LEAVES, QUICK, Fact, identify

MANY = [fact for fact in FACTS if QUICK < fact[-1] <= LEAVES]


@pytest.mark.parametrize("fact", MANY, ids=map(identify, MANY))
def test_perft(fact: Fact) -> None:
    name, options, unit, depth, leaves = fact
    assert load_with(name, dict(options)).start("reference").perft(depth, unit) == leaves
