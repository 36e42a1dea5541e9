"""Random files keep their word: rules that are accepted, in the one layout, small examples."""

from __future__ import annotations

from functools import cache

from rulewright.games.files.games import check
from tests.tools.agreement.files import refusal, round_trip, texts


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


def test_the_same_seed_writes_the_same_files() -> None:
    assert list(texts(5, first_seed=11)) == written()[:5]
