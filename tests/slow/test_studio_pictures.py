"""All games and every view of the studio look as they did, at four widths.

A run of a sample looks at one of the two themes.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.shared.browser import needs_browser
from tests.shared.sample import of_the_day
from tests.tools.pictures import KEPT, THEMES, difference, drawn

pytestmark = needs_browser
OTHER = 0.01
"""The share of the points that may be of another colour: edges are drawn a little otherwise."""


def test_everything_looks_as_it_is_kept(browser: Browser) -> None:
    page = browser.new_page()
    themes = [theme for theme in THEMES if theme in of_the_day(*THEMES)]
    pictures = dict(drawn(browser, themes))
    kept = {path.stem for path in KEPT.iterdir() if path.stem.rpartition("-")[2] in themes}
    assert pictures.keys() == kept
    shares = {
        name: difference(page, picture, (KEPT / f"{name}.png").read_bytes())
        for name, picture in pictures.items()
    }
    changed = {name: f"{share:.1%}" for name, share in shares.items() if share > OTHER}
    assert not changed, "python -m tests.tools.pictures writes them anew"
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 3_000_000


@pytest.mark.parametrize(("one", "two"), [("play-light", "play-dark"), ("play-light", "end-light")])
def test_another_picture_is_noticed(browser: Browser, one: str, two: str) -> None:
    first, second = ((KEPT / f"{name}.png").read_bytes() for name in (one, two))
    page = browser.new_page()
    assert difference(page, first, first) == 0
    assert difference(page, first, second) > OTHER
