"""The pictures of steps a second show what the tables beside them say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shared.places import ROOT


@pytest.fixture
def plots(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return pytest.importorskip("plots")


@pytest.mark.parametrize("name", ["PROGRAMS", "LANES"])
def test_the_picture_is_that_of_the_table(plots: Any, name: str) -> None:
    page, plot = plots.PAGE.read_text("utf-8"), getattr(plots, name)
    drawn = plots.picture(page, plot)
    assert drawn == plot.path.read_text("utf-8"), "python benchmarks/plots.py writes it anew"
    assert f"(pictures/{plot.name})" in page


def test_a_mark_lies_where_its_rate_does(plots: Any) -> None:
    page = "| game | drawn | pgx |\n|---|---|---|\n| Go | 1,000 | |\n| Hex | 10 | 0.1 |\n\nmore"
    assert [*plots.rows(page, plots.PROGRAMS.head)] == [
        ("Go", {"drawn": 1000}),
        ("Hex", {"drawn": 10, "pgx": 0.1}),
    ]
    text = plots.picture(page, plots.PROGRAMS)
    places = {
        rate: plots.LEFT + plots.DECADE * power for rate, power in ((1000, 4), (10, 2), (0.1, 0))
    }
    for rate, x in places.items():
        assert plots.x_of(rate) == x
        assert text.count(f'cx="{x:.1f}" cy=') == 1
