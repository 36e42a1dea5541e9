"""All games and every view of the studio look as they did, at four widths.

A run of a sample looks at one of the two themes, and at a half of the views in it.
"""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Browser

from tests.shared.browser import needs_browser
from tests.shared.sample import of_the_day
from tests.tools.pictures import KEPT, THEMES, VIEWS, difference, drawn

pytestmark = needs_browser
OTHER = 0.08
"""The share of a square's points that may differ: edges are drawn a little otherwise."""
_PAINT = """async ([picture, side]) => {
  const image = new Image(); image.src = picture; await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width; canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  context.fillStyle = "#ff00ff";
  context.fillRect(200, 300, side, side);
  return canvas.toDataURL("image/png");
}"""


@pytest.mark.whole
def test_everything_looks_as_it_is_kept(browser: Browser) -> None:
    page = browser.new_page()
    views = {f"{half} {theme}": [*VIEWS][half::2] for half in (0, 1) for theme in THEMES}
    today = of_the_day(*views)
    themes = [theme for theme in THEMES if any(name.endswith(theme) for name in today)]
    shown = {view for name in today for view in views[name]}
    pictures = dict(drawn(browser, themes, shown))
    kept = {path.stem for path in KEPT.iterdir() if path.stem.rpartition("-")[2] in themes}
    assert pictures.keys() == {name for name in kept if name.split("-")[0] in {"games", *shown}}
    assert kept == {f"{name}-{theme}" for name in ("games", *VIEWS) for theme in themes}
    shares = {
        name: difference(page, picture, (KEPT / f"{name}.png").read_bytes())
        for name, picture in pictures.items()
    }
    changed = {n: f"{share:.1%}" for n, share in shares.items() if share > OTHER}
    assert not changed, "python -m tests.tools.pictures writes them anew"
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 3_000_000


@pytest.mark.parametrize(("one", "two"), [("play-light", "play-dark"), ("play-light", "end-light")])
def test_another_picture_is_noticed(browser: Browser, one: str, two: str) -> None:
    first, second = ((KEPT / f"{name}.png").read_bytes() for name in (one, two))
    page = browser.new_page()
    assert difference(page, first, first) == 0
    assert difference(page, first, second) > OTHER


def test_a_piece_of_one_game_in_another_form_is_noticed(browser: Browser) -> None:
    """A blot of sixteen points in a sheet of all games, a two-thousandth of it."""
    sheet = (KEPT / "games-light.png").read_bytes()
    page = browser.new_page()
    address = f"data:image/png;base64,{base64.b64encode(sheet).decode()}"
    painted = str(page.evaluate(_PAINT, [address, 16])).partition(",")[2]
    assert difference(page, sheet, base64.b64decode(painted)) > OTHER
