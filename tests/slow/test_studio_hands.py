"""The studio's page in other hands: by keys alone, by dragging, on a phone, after a reload."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.shared.browser import LONG, more, needs_browser, picture, play, played, unfold
from tests.shared.places import RULESETS
from tests.shared.studio import Open, Studio

pytestmark = needs_browser
PHONE: ViewportSize = {"width": 390, "height": 844}
VIEWS = (
    ("twixt", "play"), ("chess", "play"), ("hex", "play"), ("go", "play"), ("morris", "play"),
    ("connect4", "understand"), ("connect4", "author"), ("connect4", "measure"),
)  # fmt: skip


def test_a_game_is_played_and_heard_by_keys_alone(open_page: Open) -> None:
    page = open_page("tictactoe")
    heard = page.locator("[role=status][aria-live=polite]")
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.closest('svg.board') !== null"):
            break
        page.keyboard.press("Tab")
    named = "document.activeElement.getAttribute('aria-label')"
    first = page.evaluate(named)
    page.keyboard.press("ArrowRight")
    second = page.evaluate(named)
    assert first != second
    page.keyboard.press("Enter")
    played(page, second.partition(":")[0].partition(",")[0])
    assert page.evaluate(named).endswith(": cross mark")  # what stands there is read with its name
    page.keyboard.press("Enter")  # it is taken
    expect(heard).to_contain_text("A stroke is here already.", timeout=LONG)


def test_a_piece_is_dragged(open_page: Open) -> None:
    page = open_page("chess")
    places = []
    for site in ("e2", "e4"):
        box = page.locator(
            f"svg.board .site[aria-label]:has(title:text-matches('^{site}(:|$)'))"
        ).bounding_box()
        assert box is not None
        places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=4)
    page.mouse.up()
    played(page, "e2e4")


def test_a_folder_comes_from_the_disk(open_page: Open, tmp_path: Path) -> None:
    text = (RULESETS / "tictactoe" / "tictactoe.rules").read_text("utf-8")
    (tmp_path / "mine.rules").write_text(text)
    away = tmp_path.parent / f"{tmp_path.name}-away" / "games"
    away.mkdir(parents=True)
    (away / "brought.rules").write_text(text)
    (away / "notes.txt").write_text("none of the languages")
    page = open_page(str(tmp_path / "mine.rules"))
    page.locator("#tab-author").click()
    page.locator("input[webkitdirectory]").set_input_files(away)
    expect(page.locator("button.file", has_text="brought.rules")).to_be_visible(timeout=LONG)
    assert [path.name for path in tmp_path.rglob("brought.rules")] == ["brought.rules"]
    assert not [*tmp_path.rglob("notes.txt")]


def test_results_of_analysis_survive_a_reload(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.locator("#tab-measure").click()
    unfold(page, "20 games")
    page.locator("label:has-text('games') input:visible").fill("2")
    page.locator("button", has_text="play the match").click()
    expect(page.locator(".summary")).to_contain_text("all 2 games are played", timeout=LONG)
    page.reload()
    page.locator("#tab-measure").click()
    expect(page.locator(".summary")).to_contain_text("all 2 games are played", timeout=LONG)
    expect(page.locator("td button.move").last).to_have_text("0")  # as the command line counts


def test_nothing_is_wider_than_a_phone(browser: Browser, bundled: Studio) -> None:
    page = browser.new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.set_default_timeout(LONG)
    page.goto(bundled.address)
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    for game, tab in VIEWS:
        page.locator("header select").select_option(game)
        page.locator(f"svg.board[aria-label='the board of {game}']").wait_for()
        page.locator(f"#tab-{tab}").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], (game, tab)
        picture(page, f"studio-phone-{game}-{tab}", PHONE)
    page.locator("header select").select_option("tictactoe")
    page.locator("svg.board[aria-label='the board of tictactoe']").wait_for()
    play(page, "b2")
    played(page, "b2")
    page.close()


def test_a_rule_that_never_ends_ends(open_page: Open, tmp_path: Path) -> None:
    text = (RULESETS / "tictactoe" / "tictactoe.rules").read_text("utf-8")
    (tmp_path / "mine.rules").write_text(text)
    page = open_page(str(tmp_path / "mine.rules"))
    page.locator("#tab-author").click()
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    names = [f"q{letter}" for letter in "abcdefgh"]
    nested = "".join(f"every({name} in empty : " for name in names)
    page.keyboard.insert_text(f"\nwin when {nested}qa = qa{')' * len(names)}\n")
    expect(page.locator("[role=status].bad")).to_contain_text("200,000 steps", timeout=LONG)
    play(page, "b2")
    played(page, "b2")


def test_a_game_under_way_is_kept_when_another_is_opened(open_page: Open) -> None:
    page = open_page("tictactoe")
    for site in ("b2", "a1"):
        play(page, site)
        played(page, site)
    page.locator("header select").focus()
    page.keyboard.type("hex")  # as somebody who only wants to see the list
    expect(page.locator("svg.board[aria-label='the board of hex']")).to_be_visible(timeout=LONG)
    told = page.locator("[role=status].message")
    expect(told).to_contain_text(
        "Your game of Noughts and Crosses is kept at move 2.", timeout=LONG
    )
    page.reload()
    play(page, "f6")
    played(page, "f6")
    more(page).locator("[aria-label='games left open'] button", has_text="Go on").click()
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    expect(told).to_contain_text("Your game of Hex is kept", timeout=LONG)
    expect(more(page).locator("[aria-label='games left open'] li")).to_contain_text(["Hex, move 1"])
    page.keyboard.press("Escape")  # the menu lies over the message
    told.locator("button", has_text="Go back to it").click()
    played(page, "f6")


def test_compiling_is_reported_and_can_be_stopped(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    studio = Studio(tmp_path, "twixt")
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.goto(studio.address)
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    page.locator("[data-chair='0'] select").select_option("seeker")
    working = page.locator(".working", has_text="Compiling: part ")
    expect(working).to_be_visible(timeout=LONG)
    working.locator("button", has_text="Stop").click()
    expect(page.locator(".message")).to_contain_text("stopped", timeout=LONG)
    expect(page.locator(".moves .move")).to_have_count(0)
    page.close()
    assert studio.stop() in (0, 130)
