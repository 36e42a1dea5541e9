"""Two dots of a lattice are joined by a drag or by clicks; a wrong pair is told in words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, needs_browser, play, resign
from tests.shared.studio import Open

pytestmark = needs_browser
Point = tuple[float, float]


def middle(page: Page, site: str) -> Point:
    """The middle of a site on the screen."""
    drawn = page.locator(f"svg.board .site:has(title:text-matches('^{site}(:|$)'))").bounding_box()
    assert drawn is not None
    return drawn["x"] + drawn["width"] / 2, drawn["y"] + drawn["height"] / 2


def joined(page: Page, site: str, way: Point) -> tuple[Point, Point]:
    """The dots at the ends of a link, which lie so many cells from its middle."""
    x, y = middle(page, site)
    return (x - way[0], y - way[1]), (x + way[0], y + way[1])


def drag(page: Page, dots: tuple[Point, Point]) -> None:
    page.mouse.move(*dots[0])
    page.mouse.down()
    page.mouse.move(*dots[1], steps=4)
    page.mouse.up()


def click(page: Page, *dots: Point) -> None:
    for dot in dots:
        page.mouse.click(*dot)


def count(page: Page, moves: int) -> None:
    expect(page.locator(".moves .move")).to_have_count(moves, timeout=LONG)


@pytest.mark.parametrize("turned", [False, True])
def test_dots_that_are_sites_are_joined(open_page: Open, turned: bool) -> None:
    page = open_page("spanit")
    if turned:
        page.get_by_role("button", name="Turn the board").click()
    cell = abs(middle(page, "V00")[1] - middle(page, "M00")[1])
    drag(page, joined(page, "M00", (0, cell)))  # red goes from north to south
    count(page, 1)
    click(page, *joined(page, "M11", (cell, 0)))  # and blue from west to east
    count(page, 2)
    expect(page.locator(".moves .move").last).to_have_text("M11")
    red = joined(page, "m11", (cell, 0))
    page.mouse.click(*red[0])
    expect(page.locator("svg.board .may.end")).to_have_count(1)
    page.mouse.click(*red[0])  # once more lets go of it
    expect(page.locator("svg.board .may.end")).to_have_count(0)
    drag(page, joined(page, "M11", (0, cell)))  # blue lies across
    expect(page.locator(".message.bad")).to_contain_text("between these two points", timeout=LONG)
    count(page, 2)
    play(page, "M33")  # the gap itself, as before
    count(page, 3)
    resign(page)


def test_dots_that_are_no_sites_are_joined(open_page: Open) -> None:
    page = open_page("dots")
    x, y = middle(page, "h11")
    right, _ = middle(page, "h21")
    half = (right - x) / 2
    drag(page, ((x - half, y), (x + half, y)))
    count(page, 1)
    dot, below = (x + half, y), (x + half, y + 2 * half)
    click(page, dot, below)
    count(page, 2)
    expect(page.locator(".moves .move").last).to_have_text(re.compile("^v"))
