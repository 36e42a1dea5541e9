"""Writing in the studio's page: mistakes under their lines, a game of one's own, few tabs."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.shared.browser import (
    LONG,
    barriers,
    needs_browser,
    open_file,
    own,
    picture,
    play,
    played,
)
from tests.shared.studio import Open

pytestmark = needs_browser


def typed(page: Page, text: str) -> None:
    """Type at the end of the line of `choose`."""
    page.locator(".editor .cm-line", has_text="choose cell in empty").click()
    page.keyboard.press("End")
    for key in text:
        page.keyboard.press("Backspace" if key == "\b" else key)


def test_a_mistake_stands_under_its_line_with_what_mends_it(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(str(own(tmp_path, "tictactoe")))
    play(page, "b2")
    played(page, "b2")
    open_file(page, "tictactoe.rules")
    typed(page, "\b\b\bty")  # emty
    complaint = page.locator(".editor .complaint")
    expect(complaint).to_contain_text("emty", timeout=LONG)
    behind = page.locator(".behind")
    expect(behind).to_contain_text("before line")
    expect(behind).to_contain_text("Your game of 1 move is kept.")
    assert barriers(page) == []
    picture(page, "studio-write")
    complaint.locator("button").first.click()
    expect(complaint).to_have_count(0, timeout=LONG)
    expect(behind).to_have_count(0)
    expect(page.locator(".editor .cm-content")).to_contain_text("choose cell in empty")
    expect(page.locator("svg.board .piece")).to_have_count(1)


def test_a_game_is_begun_from_a_template_without_a_folder(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.locator("#tab-author").click()
    page.locator("button", has_text="New text").click()
    form = page.locator("form.newtext")
    form.locator("input").fill("1x")
    expect(form.locator("button", has_text="Begin")).to_be_disabled()
    form.locator("input").fill("rings")
    form.locator("select").select_option("hex")
    form.locator("button", has_text="Begin").click()
    expect(page.locator("svg.board[aria-label='the board of rings']")).to_be_visible(timeout=LONG)
    expect(page.locator("button.file.now")).to_contain_text("rings.rules", timeout=LONG)
    assert page.locator("button.file:visible").all_text_contents() == ["rings.rules", "rings.look"]
    assert page.locator("svg.board .site").count() == 121
    expect(page.locator(".editor .cm-content")).to_contain_text("game rings")
    expect(page.locator(".problems li.error")).to_have_count(0)
    assert barriers(page) == []


def test_a_game_is_shared_as_a_file_a_folder_and_a_board(open_page: Open) -> None:
    page = open_page("hex")
    page.get_by_role("button", name="Share").click()
    menu = page.locator(".sharing")
    with page.expect_download() as begun:
        menu.locator("button", has_text="Its texts as a folder").click()
    with zipfile.ZipFile(begun.value.path()) as archive:
        assert {"hex/hex.rules", "hex/hex.look"} <= set(archive.namelist())
    menu.locator("button", has_text="A board for your page").click()
    code = menu.locator("textarea")
    expect(code).to_have_value(re.compile(r'<rulewright-board game="hex" options="size=11'))
    assert barriers(page) == []
    with page.expect_download() as begun:
        menu.locator("button", has_text="This game as a file").click()
    assert begun.value.suggested_filename == "hex.txt"
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)


def test_many_texts_do_not_push_the_editor_away(open_page: Open) -> None:
    page = open_page("twixt")
    page.locator("#tab-author").click()
    expect(page.locator(".editor")).to_be_visible(timeout=LONG)
    assert page.locator("button.file:visible").count() <= 5
    box = page.locator(".editor").bounding_box()
    assert box is not None
    assert box["y"] < 250
    page.locator(".files summary").click()
    page.locator(".files input[type=search]").fill("racer.pers")
    expect(page.locator(".files .others button")).to_have_count(1)
    page.locator(".files .others button").click()
    expect(page.locator("button.file.now")).to_contain_text("racer.personality", timeout=LONG)


def test_a_recipe_is_put_into_the_text_and_the_board_follows(open_page: Open) -> None:
    page = open_page("connect4")
    page.locator("#tab-author").click()
    page.get_by_role("button", name="Recipes").click()
    book = page.locator(".cookbook")
    expect(book.locator(".dishes button")).not_to_have_count(0, timeout=LONG)
    assert book.locator(".dishes button").count() >= 40
    book.locator("input").fill("bottom")
    expect(book.locator(".dishes button[aria-pressed=true]")).to_have_text("Take out at the bottom")
    expect(book.locator("pre")).to_contain_text("move pop")
    assert barriers(page) == []
    picture(page, "studio-recipes")
    book.locator("button", has_text="Put this into my text").click()
    text = page.locator(".editor .cm-content")
    expect(text).to_contain_text("turn drop or pop")
    expect(page.locator(".problems li.error")).to_have_count(0)
    expect(book.locator("pre")).to_contain_text("move pop2", timeout=LONG)
    play(page, "d6")
    played(page, "4")
    play(page, "e6")
    played(page, "5")
    page.locator("#tab-play").click()
    expect(page.locator("svg.board .site.open:has(title:text-matches('^d1'))")).to_be_visible()


def test_claims_and_reach_stand_in_the_gutter(open_page: Open, tmp_path: Path) -> None:
    rules = own(tmp_path, "connect4")
    rules.write_text(rules.read_text("utf-8").replace("perft 7, 49", "perft 7, 48"))
    page = open_page(str(rules))
    open_file(page, "connect4.rules")
    for name in ("Try its claims", "What is never used?"):
        page.locator("button", has_text=name).click()
        expect(page.locator("button", has_text=name)).to_be_enabled(timeout=LONG)
    beside = page.locator(".editor .beside")
    expect(beside.locator(".reached").first).to_have_attribute(
        "title", re.compile("reached .* times")
    )
    page.locator(".studies button", has_text="line ").first.click()
    expect(beside.locator(".noted").first).to_have_text("✗")
    expect(beside.locator(".noted").first).to_have_attribute("title", re.compile("perft"))
    expect(beside.locator(".holds").first).to_have_attribute("title", "this holds")
    assert barriers(page) == []
    picture(page, "studio-gutter")


def test_a_text_is_saved_under_a_name_that_is_looked_at_while_it_is_typed(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(str(own(tmp_path, "tictactoe")))
    open_file(page, "tictactoe.rules")
    page.get_by_role("button", name="Save as").click()
    dialog = page.get_by_role("dialog", name="Save as")
    field, save = dialog.get_by_label("Name"), dialog.get_by_role("button", name="Save")
    says = dialog.get_by_role("status")
    expect(says).to_have_text("tictactoe.rules is there already")
    for name, refusal in (
        ("", "a text needs a name"),
        (".hidden", "is no name for a text"),
        ("a\\b", "is no name for a text"),
        ("../over", "is no name for a text"),
    ):
        field.fill(name)
        expect(says).to_contain_text(refusal)
        expect(save).to_be_disabled()
    field.fill("rows")
    expect(says).to_contain_text("rows.rules")
    assert barriers(page) == []
    field.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator("button.file.now")).to_contain_text("rows.rules", timeout=LONG)
    assert next(tmp_path.rglob("rows.rules")).read_text("utf-8").count("game tictactoe") == 1
