"""The studio's page under a thumb: a loupe over sites that are smaller than a fingertip."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.shared.browser import LONG, barriers, listen, needs_browser, picture, played
from tests.shared.studio import Studio

pytestmark = needs_browser


@pytest.fixture
def phone(browser: Browser, bundled: Studio) -> Iterator[Page]:
    """A phone that has opened the studio."""
    size = {"width": 390, "height": 844}
    page = browser.new_page(viewport=size, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    faults = listen(page)
    page.goto(bundled.address)
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    yield page
    page.close()
    assert faults == []


def opened(page: Page, game: str) -> CDPSession:
    page.locator("header select").select_option(game)
    expect(page.locator(f"svg.board[aria-label='the board of {game}']")).to_be_visible(timeout=LONG)
    return page.context.new_cdp_session(page)


def touch(finger: CDPSession, kind: str, x: float = 0, y: float = 0) -> None:
    points = [] if kind == "End" else [{"x": x, "y": y}]
    finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


def middle(page: Page, name: str) -> tuple[float, float]:
    site = page.locator(f"svg.board .sites .site:has(title:text-matches('^{name}(:|$)'))")
    box = site.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_small_site_is_slid_to_and_asked_for(phone: Page) -> None:
    finger = opened(phone, "twixt")
    moves = phone.locator(".moves .move")
    touch(finger, "Start", *middle(phone, "l12"))
    expect(phone.locator(".loupe")).to_be_visible()
    touch(finger, "Move", *middle(phone, "m13"))
    picture(phone, "studio-loupe", {"width": 390, "height": 844})
    touch(finger, "End")
    sure = phone.get_by_role("group", name="m13?")
    expect(sure).to_be_visible()
    expect(phone.locator(".loupe")).to_have_count(0)
    assert barriers(phone) == []
    sure.get_by_role("button", name="Cancel").click()
    expect(moves).to_have_count(0)
    touch(finger, "Start", *middle(phone, "l12"))
    touch(finger, "Move", *middle(phone, "k10"))
    touch(finger, "End")
    phone.get_by_role("group", name="k10?").get_by_role("button", name="Play it").click()
    played(phone, "k10")


def test_a_large_site_is_played_at_once(phone: Page) -> None:
    finger = opened(phone, "tictactoe")
    touch(finger, "Start", *middle(phone, "b2"))
    expect(phone.locator(".loupe")).to_have_count(0)
    touch(finger, "End")
    played(phone, "b2")


def test_a_finished_game_is_sent(phone: Page) -> None:
    for site in ("a1", "b1", "a2", "b2", "a3"):
        phone.locator(f"svg.board .sites .site:has(title:text-matches('^{site}(:|$)'))").tap()
        expect(phone.locator(".moves .move").last).to_have_text(site, timeout=LONG)
    send = phone.locator(".result button", has_text="Send")
    expect(send).to_be_visible(timeout=LONG)
    with phone.expect_download() as file:
        send.click()
    assert "1. a1 b1 2. a2 b2 3. a3" in " ".join(file.value.path().read_text("utf-8").split())
