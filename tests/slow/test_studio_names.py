"""What people choose from: players with a word on each, strengths that exist, games by titles."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, needs_browser
from tests.shared.studio import Open

pytestmark = needs_browser


def choices(page: Page, selector: str) -> list[str]:
    return page.locator(f"{selector} option").all_inner_texts()


def test_a_game_of_two_strengths_says_which_one_plays(open_page: Open) -> None:
    page = open_page("connect4")
    page.get_by_role("button", name="All games").click()
    page.get_by_role("button", name="Plays fairly").click()
    note = page.locator("li[data-game='connect4'] .level")
    expect(note).to_have_text("No middle strength here: the computer plays a little.", timeout=LONG)
    expect(page.locator("li[data-game='chess'] .level")).to_have_count(0)
    page.get_by_role("button", name="Plays its best").click()
    expect(note).to_have_count(0)


def test_every_player_has_a_word_beside_the_name(open_page: Open) -> None:
    page = open_page("spanit")
    names = choices(page, ".player[data-chair='1'] select")
    assert "Chance: any move, the weakest" in names
    assert any(name.startswith("blocker: Takes first of all") for name in names)
    page.locator(".player[data-chair='1'] select").select_option("blocker")
    expect(page.locator(".player[data-chair='1'] small")).to_contain_text("Takes first of all")
    page.get_by_role("button", name="New game").click()
    expect(page.locator("dialog .worth")).to_contain_text("Takes first of all")
    page.locator("dialog button", has_text="Cancel").click()
    page.locator("#tab-understand").click()
    dreamer = page.locator("#app select option", has_text="dreamer: ")
    expect(dreamer.first).to_be_attached(timeout=LONG)


def test_games_and_templates_stand_by_their_titles(open_page: Open) -> None:
    page = open_page("spanit")
    titles = choices(page, ".switcher select")
    assert titles == sorted(titles, key=str.casefold)
    assert len(titles) == len(set(titles))
    page.locator("#tab-author").click()
    page.get_by_role("button", name="New text").click()
    templates = choices(page, ".newtext select")
    assert "Four in a row" in templates
    assert not {"connect4", "rps"} & set(templates)
    page.locator(".newtext select").select_option(label="Four in a row")
    expect(page.locator(".newtext .tell")).not_to_be_empty()
