"""The picture of steps a second shows what the table beside it says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shared.places import ROOT


@pytest.fixture
def plots(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return pytest.importorskip("plots")


def test_the_picture_is_that_of_the_table(plots: Any) -> None:
    drawn = plots.picture(plots.PAGE.read_text("utf-8"))
    assert drawn == plots.PICTURE.read_text("utf-8"), "python benchmarks/plots.py writes it anew"
    assert f"(pictures/{plots.PICTURE.name})" in plots.PAGE.read_text("utf-8")


def test_a_mark_lies_where_its_rate_does(plots: Any) -> None:
    page = "| game | drawn | pgx |\n|---|---|---|\n| Go | 1,000 | |\n| Hex | 10 | 0.1 |\n\nmore"
    assert [*plots.rows(page)] == [("Go", {"drawn": 1000}), ("Hex", {"drawn": 10, "pgx": 0.1})]
    text = plots.picture(page)
    places = {
        rate: plots.LEFT + plots.DECADE * power for rate, power in ((1000, 4), (10, 2), (0.1, 0))
    }
    for rate, x in places.items():
        assert plots.x_of(rate) == x
        assert text.count(f'cx="{x:.1f}" cy=') == 1
