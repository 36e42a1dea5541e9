"""Random rules files shrink to the few lines that a property needs."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, find, settings

from rulewright.games.files.games import check
from tests.generators import rule_files
from tests.shared.effort import tries

ANY = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None,
               max_examples=tries(40))  # fmt: skip


def test_the_smallest_file_is_a_small_game() -> None:
    text = find(rule_files(), lambda text: check(text).ok, settings=ANY, random=Random(1))
    assert len(text.splitlines()) < 20


def test_files_shrink_to_what_matters() -> None:
    text = find(
        rule_files(), lambda t: "links" in t and check(t).ok, settings=ANY, random=Random(1)
    )
    assert len(text.splitlines()) < 24
    assert "state" not in text
