"""Random files keep their word: rules that are accepted, in the one layout, small examples."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import HealthCheck, find, settings

from rulewright.games.files.games import check
from tests.generators import rule_files
from tests.shared.effort import tries
from tests.tools.agreement.files import refusal, round_trip, texts

ANY = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None,
               max_examples=tries(40))  # fmt: skip


@cache
def written() -> list[str]:
    return list(texts(120, first_seed=11))


def test_nearly_all_files_are_accepted() -> None:
    reports = [check(text) for text in written()]
    refused = [refusal(report) for report in reports if not report.ok]
    assert len(refused) <= 8, refused


def test_every_file_is_in_the_one_layout() -> None:
    for text in written()[:25]:
        if check(text).ok:
            round_trip(text)


def test_the_smallest_file_is_a_small_game() -> None:
    text = find(rule_files(), lambda text: check(text).ok, settings=ANY, random=Random(1))
    assert len(text.splitlines()) < 20


def test_files_shrink_to_what_matters() -> None:
    text = find(
        rule_files(), lambda t: "links" in t and check(t).ok, settings=ANY, random=Random(1)
    )
    assert len(text.splitlines()) < 24
    assert "state" not in text


def test_the_same_seed_writes_the_same_files() -> None:
    assert list(texts(5, first_seed=11)) == written()[:5]
