"""The board of the page, of an SVG and of a terminal: the same to be seen, in every bundled game.

The page draws only what has changed since it was last drawn; what stands there then is what a new
board would show.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from rulewright.app.studio.server import PAGE
from rulewright.games.engine.game import State
from rulewright.games.render.amounts import MOST_IN_HEAP
from rulewright.games.render.board_text import board_lines, plain
from rulewright.games.render.drawing import BoardDrawing
from tests.shared.browser import chromium, listen, needs_browser
from tests.shared.bundled import GAMES
from tests.shared.playing import random_game

pytestmark = needs_browser
SVG = "{http://www.w3.org/2000/svg}"
DOCUMENT = """<!doctype html><title>boards</title><link rel=icon href="data:,">
<script type=module>
import board from "./board.js";
let scene, listen;
const place = () => document.body.appendChild(document.createElement("div"));
const model = { get: (name) => (name === "scene" ? scene : ""), off() {}, send() {},
  on: (event, drawn) => (listen = drawn) };
const read = (el) => new XMLSerializer().serializeToString(el.querySelector("svg.board"));
let kept = null;
window.show = (next) => {
  scene = next;
  if (kept) listen();
  else board.render({ model, el: (kept = place()) });
  const fresh = place();
  board.render({ model: { ...model, on() {} }, el: fresh });
  const found = [read(kept), read(fresh)];
  fresh.remove();
  return found;
};
</script>"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as browser:
        yield from _boards(browser)


def _boards(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="reduce")  # pieces that leave would still be there
    faults = listen(page)
    served = {"board.js": ("text/javascript", (PAGE / "board.js").read_text("utf-8"))}

    def fulfil(route: Route) -> None:
        kind, text = served.get(route.request.url.rpartition("/")[2], ("text/html", DOCUMENT))
        route.fulfill(status=200, content_type=kind, body=text)

    page.route("http://board.test/*", fulfil)
    page.goto("http://board.test/")
    yield page
    page.close()
    assert faults == []


def seen(root: ET.Element, drawing: BoardDrawing) -> dict[str, object]:
    """What a drawing shows: sites, the pieces and where they are drawn, links, what won."""
    told = [
        title.text
        for group in root.iter(f"{SVG}g")
        if group.get("class") != "hand"  # the page has these beside its board
        if (title := group.find(f"{SVG}title")) is not None and title.text is not None
    ]
    pieces = [
        place
        for group in root.iter(f"{SVG}g")
        if group.get("class") in {"site", "site open", "piece", "piece beaten"}
        for place in _places(group, 0, 0)
    ]
    stands = [text.partition(": ")[2] for text in told]
    side_by_side, heaped = bool(drawing.piles), bool(drawing.heaps)
    assert len(pieces) == sum(_drawn(thing, side_by_side, heaped) for thing in stands)
    links = [g for g in root.iter(f"{SVG}g") if (g.get("class") or "").split() == ["link"]]
    won = [one for one in root.iter() if "won" in (one.get("class") or "").split()]
    return {"sites": told, "pieces": pieces, "links": len(links), "won": len(won)}


def _places(element: ET.Element, x: float, y: float) -> Iterator[tuple[str | None, float, float]]:
    """The shapes within an element, each with its place: groups may be moved, too."""
    shift = re.match(r"translate\(([-\d.]+)[ ,]+([-\d.]+)", element.get("transform", ""))
    if shift:
        x, y = x + float(shift[1]), y + float(shift[2])
    if element.tag == f"{SVG}use":
        yield element.get("href"), round(x, 1), round(y, 1)
    for inner in element:
        yield from _places(inner, x, y)


def _drawn(thing: str, side_by_side: bool, heaped: bool) -> int:
    """How many pieces are drawn of what a title says of a site: of a tower six at most."""
    if not thing or thing.isdigit():
        return min(int(thing or 0), MOST_IN_HEAP) if heaped else 0
    _, _, height = thing.partition(" on a pile of ")
    return int(height or 1) if side_by_side else min(int(height or 1), 6)


def same_everywhere(page: Page, state: State) -> None:
    """One position in the page (drawn on, and drawn anew), as SVG and in a terminal."""
    kept, fresh = page.evaluate("show", state.scene.as_json())
    assert _without_focus(kept) == _without_focus(fresh)
    in_page, as_svg = (
        seen(ET.fromstring(text), state.scene.drawing) for text in (kept, state.svg())
    )
    assert json.dumps(in_page) == json.dumps(as_svg)
    text = plain(board_lines(state.scene))
    again = state.game.read("\n".join([text.rstrip(), "", state.text().split("\n\n")[-1]]))
    assert again.scene.spots == state.scene.spots


def _without_focus(svg: str) -> str:
    return svg.replace(' tabindex="0"', "").replace(' tabindex="-1"', "")


@pytest.mark.parametrize("game", GAMES)
def test_a_position_looks_the_same_everywhere(game: str, page: Page) -> None:
    states = random_game(game, 5, 300)
    shown = [0, 1, 2, len(states) // 2, -1, 1]  # on, to the end, and back
    for number in shown:
        same_everywhere(page, states[min(number, len(states) - 1)])
