"""The board of notebooks in a real browser: in cells of any kind, and in small frames."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, Route

import rulewright
from rulewright.app.studio.server import PAGE
from rulewright.games.engine.game import State
from tests.shared.browser import LONG, dressed, needs_browser, play

pytestmark = needs_browser

WIDGET = """<!doctype html><body style="margin: 0"><div style="CELL"><div id=el></div></div>
<script type=module>
import board from "./board.js";
const inside = document.getElementById("el").attachShadow({ mode: "open" });
inside.innerHTML = '<link rel="stylesheet" href="board.css"><div></div>';
window.sent = [];
const scene = SCENE;
board.render({ el: inside.lastChild, model: {
  get: (name) => (name === "scene" ? scene : ""), on() {}, off() {}, send: (m) => sent.push(m) } });
</script>"""
FRAME = 300
CELLS = ("", "display: flex", "display: inline-block", "width: fit-content")


def shown(browser: Browser, state: State, cell: str = "", frame: int = 800) -> Page:
    """A page with the widget in a cell of a notebook, in a square frame of so many pixels."""
    scene = json.dumps(state.scene.as_json())
    served = {"board.js": ("text/javascript", (PAGE / "board.js").read_text("utf-8"))}
    served["board.css"] = ("text/css", (PAGE / "board.css").read_text("utf-8"))
    served[""] = ("text/html", WIDGET.replace("SCENE", scene).replace("CELL", cell))

    def fulfil(route: Route) -> None:
        kind, text = served[route.request.url.rpartition("/")[2]]
        route.fulfill(status=200, content_type=kind, body=text)

    page = browser.new_page(viewport={"width": frame, "height": frame})
    page.set_default_timeout(LONG)
    page.route("http://board.test/*", fulfil)
    page.goto("http://board.test/")
    page.locator("svg.board .site").first.wait_for()
    return page


def test_the_widget_of_notebooks_sends_what_is_clicked(browser: Browser) -> None:
    state = rulewright.load("breakthrough").start()
    page = shown(browser, state)
    assert dressed(page)  # marimo puts it into a tree of its own, in which `:root` is nothing
    move = state.moves.texts[0]
    play(page, *move.split("-"))
    page.locator("button", has_text="take back").click()
    assert page.evaluate("sent") == [{"play": move}, {"back": True}]
    page.close()


@pytest.mark.parametrize("game", ["shogi", "twixt"])
def test_a_drawn_state_fits_a_small_frame(browser: Browser, game: str) -> None:
    page = browser.new_page(viewport={"width": FRAME, "height": 800})
    page.set_content(f"<body style='margin: 0'><div>{rulewright.load(game).start().svg()}</div>")
    box = page.locator("svg").bounding_box()
    assert box is not None
    assert box["width"] == FRAME
    assert page.evaluate("document.documentElement.scrollWidth") == FRAME
    page.close()


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("game", ["twixt", "hex"])
def test_a_board_fills_a_small_frame_and_nothing_is_cut(
    browser: Browser, game: str, cell: str
) -> None:
    page = shown(browser, rulewright.load(game).start(), cell, FRAME)
    board = page.locator("svg.board").bounding_box()
    told = page.locator("[role=status]").bounding_box()
    assert board is not None
    assert told is not None
    assert board["width"] == FRAME
    assert told["y"] + told["height"] <= FRAME
    assert page.evaluate("document.documentElement.scrollWidth") == FRAME
    page.close()
