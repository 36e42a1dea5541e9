"""What a bundled game claims and counts finds the faults that are planted in its rules."""

from __future__ import annotations

import pytest

from tests.tools.mutants.faults import claimed, mutants

CAUGHT = {(m.game, m.name): m for m in mutants() if not m.uncaught}


@pytest.mark.parametrize("planted", CAUGHT, ids=": ".join)
def test_a_claim_or_a_count_finds_a_planted_fault(planted: tuple[str, str]) -> None:
    outcome = claimed(CAUGHT[planted])
    assert outcome.found
