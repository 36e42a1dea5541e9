"""What a game is given away by, and the menu over the panel with files, clocks, resigning."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.shared.browser import LONG, barriers, listen, more, needs_browser, own, play, resign
from tests.shared.studio import Open, Studio

pytestmark = needs_browser
SITE = "https://games.example/studio/"
SIZES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 844}, {"width": 820, "height": 1180},
    {"width": 1280, "height": 800}, {"width": 1920, "height": 1080},
)  # fmt: skip


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()
    assert found is not None, selector
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_the_menu_leaves_the_panel_as_it_is_also_when_a_game_is_over(
    open_page: Open, size: ViewportSize
) -> None:
    """It once squeezed the moves to a few lines, and at the end cut half of itself off."""
    page = open_page("tictactoe")
    page.set_viewport_size(size)
    play(page, "a1")
    expect(page.locator(".moves .move")).to_have_count(1, timeout=LONG)
    for over in (False, True):
        before = box(page, ".moves")
        menu = more(page)
        after = box(page, ".moves")
        assert (after["width"], after["height"]) == (before["width"], before["height"])
        assert menu.evaluate("menu => menu.scrollHeight - menu.clientHeight") <= 0
        frame = box(page, ".more")
        assert min(frame["x"], frame["y"]) >= 0
        assert frame["x"] + frame["width"] <= size["width"]
        for button in menu.locator("button:visible, select:visible, input:visible:not(.sr)").all():
            inner = button.bounding_box()
            assert inner is not None
            assert frame["x"] <= inner["x"]
            assert inner["x"] + inner["width"] <= frame["x"] + frame["width"]
        assert barriers(page) == []
        page.keyboard.press("Escape")
        expect(page.locator(".more")).to_have_count(0)
        if not over:
            resign(page)
            expect(page.locator(".result")).to_be_visible(timeout=LONG)
            expect(page.locator(".more")).to_have_count(0)


def test_who_resigns_is_asked_once_and_not_by_a_double_click(open_page: Open) -> None:
    page = open_page("tictactoe")
    play(page, "a1")
    expect(page.locator(".moves .move")).to_have_count(1, timeout=LONG)
    more(page).get_by_role("button", name="Resign").dblclick()
    expect(more(page).get_by_role("button", name="Resign now")).to_be_visible()
    page.locator("svg.board .site").nth(4).click()  # a press elsewhere means no
    expect(page.locator(".more")).to_have_count(0)
    expect(page.locator(".result")).to_have_count(0)
    resign(page)
    expect(page.locator(".result")).to_be_visible(timeout=LONG)


def test_a_studio_without_links_says_why_and_what_makes_them(open_page: Open) -> None:
    page = open_page("hex")
    page.get_by_role("button", name="Share").click()
    menu = page.locator(".sharing")
    expect(menu).to_contain_text("There is no link")
    expect(menu.locator("code")).to_have_text("rulewright studio --export DIR")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu.get_by_role("button", name="Copy").click()
    expect(menu.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "rulewright studio --export DIR"
    page.locator("svg.board .site").first.click()
    expect(menu).to_have_count(0)


def test_a_friend_opens_the_file_of_a_game_of_ones_own(
    open_page: Open, bundled: Studio, browser: Browser, tmp_path: Path
) -> None:
    page = open_page(str(own(tmp_path, "tictactoe").rename(tmp_path / "mine.rules")))
    play(page, "a1")
    expect(page.locator(".moves .move")).to_have_count(1, timeout=LONG)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".sharing code")).to_have_text("rulewright studio mine.rules --export DIR")
    with page.expect_download() as begun:
        page.get_by_role("button", name="This game as a file").click()
    parcel = tmp_path / "parcel.zip"
    begun.value.save_as(parcel)
    with zipfile.ZipFile(parcel) as archive:
        assert all(str(tmp_path) not in archive.read(name).decode() for name in archive.namelist())
    friend = browser.new_page()
    faults = listen(friend)
    friend.goto(bundled.address)
    expect(friend.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    with friend.expect_file_chooser() as chooser:
        more(friend).locator("label.file").click()
    chooser.value.set_files(parcel)
    expect(friend.locator(".moves .move")).to_have_count(1, timeout=LONG)
    expect(friend.locator("header select")).to_have_value("tictactoe/mine.rules")
    friend.close()
    assert faults == []


def test_a_studio_that_knows_an_exported_page_makes_links_to_it(
    browser: Browser, tmp_path: Path
) -> None:
    rules = own(tmp_path, "tictactoe").rename(tmp_path / "mine.rules")
    studio = Studio(tmp_path, str(rules), "--site", SITE.rstrip("/"))
    page = browser.new_page()
    faults = listen(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(studio.address)
    play(page, "b2")
    expect(page.locator(".moves .move")).to_have_count(1, timeout=LONG)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".message")).to_contain_text("The link to this game", timeout=LONG)
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{SITE}#share=")
    packed = urlsafe_b64decode(link.partition("=")[2] + "===")
    held = json.loads(zlib.decompress(packed, wbits=-15))
    assert held["open"]["game"] == "mine.rules"
    assert held["open"]["moves"] == "b2"
    assert re.search("^game tictactoe", held["files"]["mine.rules"], re.MULTILINE)
    page.close()
    assert studio.stop() in (0, 130)
    assert faults == []
