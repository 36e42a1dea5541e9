"""The studio's page for authors, in a real browser: patterns drawn, texts tried and told apart."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Dialog, Page, expect

import rulewright
from rulewright.players.explain import explain
from rulewright.players.personality import Personality
from rulewright.players.term_sites import lit_sites
from tests.shared.browser import (
    LONG,
    barriers,
    more,
    needs_browser,
    open_file,
    own,
    picture,
    play,
    played,
)
from tests.shared.places import RULESETS
from tests.shared.studio import Open

pytestmark = needs_browser
PATTERNS = """format 1
Patterns for connect5
Around own
Symmetry all
"""


def test_a_pattern_is_drawn_and_fires(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "mine.patterns").write_text(PATTERNS)
    page = open_page(str(own(tmp_path, "connect5")))
    for site in ("e8", "a1", "f8", "b1"):
        play(page, site)
        played(page, site)
    open_file(page, "mine.patterns")
    page.locator("button", has_text="new pattern").click()
    expect(page.locator(".drawing b")).to_have_text("Off drawn_1", timeout=LONG)
    for tool, site, line in (
        ("look from here", "e8", ""),
        ("own", "f8", "Own -1 0"),
        ("free", "g8", "Free -2 0"),
        ("the move", "h8", "Set -3 0"),
    ):
        page.get_by_role("radio", name=tool, exact=True).click()
        play(page, site)
        expect(page.locator(".editor .cm-content")).to_contain_text(line, timeout=LONG)
    fires = page.locator(".fires button", has_text="h8 from e8")
    expect(fires).to_be_visible(timeout=LONG)
    expect(page.locator("svg.board .asked.holds")).to_have_count(3)
    picture(page, "studio-drawing")
    assert barriers(page) == []
    expect(page.locator(".verdict")).to_contain_text("last: b1")  # nothing was played
    page.get_by_role("radio", name="the opponent's", exact=True).click()
    play(page, "f8")  # now it would need a piece of the other there
    expect(page.locator("svg.board .asked.Opp.fails")).to_have_count(1, timeout=LONG)
    expect(page.locator(".fires")).to_contain_text("does not fire here", timeout=LONG)


def write(page: Page, *keys: str) -> None:
    """Type at the end of the text, or press keys."""
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    for key in keys:
        page.keyboard.type(key)


def test_a_text_is_tried_and_counted_while_the_board_is_played(
    open_page: Open, tmp_path: Path
) -> None:
    mine = own(tmp_path, "tictactoe")
    mine.write_text(mine.read_text("utf-8").replace("ends within 9", "ends within 8"))
    page = open_page(str(mine))
    open_file(page, "tictactoe.rules")
    page.locator("button", has_text="Try its claims").click()
    play(page, "b2")
    played(page, "b2")
    note = page.locator(".notes li", has_text="within")
    expect(note.first).to_be_visible(timeout=LONG)
    expect(page.locator(".editor .beside .noted")).to_have_count(1, timeout=LONG)
    count = page.locator("button", has_text="What is never used?")
    expect(count).to_be_enabled(timeout=LONG)
    note.locator("button", has_text="show the game").click()
    expect(page.locator(".site.open")).to_have_count(1, timeout=LONG)  # after 8 decisions
    count.click()
    expect(page.locator(".editor .beside .reached").first).to_be_visible(timeout=LONG)
    picture(page, "studio-studies")


def test_a_fault_that_nothing_notices_is_two_boards_and_a_claim(
    open_page: Open, tmp_path: Path
) -> None:
    mine = own(tmp_path, "tictactoe")
    claims = re.compile(r"^claim .*\n", re.MULTILINE)
    mine.write_text(claims.sub("", mine.read_text("utf-8")))
    page = open_page(str(mine))
    open_file(page, "tictactoe.rules")
    page.locator("button", has_text="Would a test notice?").click()
    notes = page.locator(".study[aria-label=faults] .notes li")
    survivor = notes.filter(has_text="add a claim").filter(has_text="both boards").first
    expect(survivor).to_be_visible(timeout=5 * LONG)  # some faults are played many games for
    stop = page.locator(".studies button", has_text="stop")
    stop.evaluate("button => button.click()")  # nothing happens where the study has ended by now
    add = survivor.locator("button", has_text="add a claim")
    claim = add.get_attribute("title")
    assert claim
    expect(survivor.locator("button", has_text="both boards")).to_be_enabled()
    expect(page.locator("button", has_text="Would a test notice?")).to_be_enabled(timeout=LONG)
    survivor.locator("button", has_text="both boards").click()
    expect(page.locator(".pair svg.board")).to_have_count(2, timeout=LONG)
    expect(page.locator(".pair")).to_contain_text("with the fault")
    add.click()
    expect(page.locator(".editor .cm-content")).to_contain_text(claim, timeout=LONG)
    expect(page.locator(".problems li.error")).to_have_count(0)


def test_two_texts_stand_side_by_side_where_they_part(open_page: Open, tmp_path: Path) -> None:
    page = open_page(str(own(tmp_path, "tictactoe")))
    open_file(page, "tictactoe.rules")
    write(page, "\nlose when count(own) = 3\n")
    expect(page.locator(".problems li")).to_have_count(0, timeout=LONG)
    page.locator("button", has_text="Show where they part").click()
    boards = page.locator(".pair svg.board")
    expect(boards).to_have_count(2, timeout=LONG)
    expect(page.locator(".pair section").nth(0)).to_contain_text("Nought wins")
    expect(page.locator(".pair section").nth(1)).to_contain_text("Nought to move")
    expect(page.locator(".told")).to_contain_text("they differ after 5 decisions")
    picture(page, "studio-diff")
    assert barriers(page) == []
    page.locator("button", has_text="back to the game").click()
    expect(page.locator("svg.board")).to_have_count(1)


def test_a_name_is_changed_in_all_files_of_a_game(open_page: Open, tmp_path: Path) -> None:
    mine = own(tmp_path, "breakthrough")
    judge = RULESETS / "breakthrough" / "breakthrough.eval"
    (tmp_path / judge.name).write_text(judge.read_text("utf-8"))
    page = open_page(str(mine))
    open_file(page, "breakthrough.rules")
    page.locator(".editor .cm-line", has_text="move step").click()
    page.keyboard.press("End")
    page.keyboard.press("F2")
    name = page.locator("label:has-text('another name') input")
    expect(name).to_have_value("step", timeout=LONG)
    name.fill("stride")
    page.locator("button", has_text="rename everywhere").click()
    expect(page.locator("[role=status].message")).to_contain_text("and in", timeout=LONG)
    assert "move stride\n" in mine.read_text("utf-8")
    told = (tmp_path / judge.name).read_text("utf-8")
    assert "of move stride for mover" in told
    assert "of move step for mover" not in told
    page.locator("button", has_text="rename").first.click()
    name.fill("turn")  # a word of the language
    page.locator("button", has_text="rename everywhere").click()
    expect(page.locator("[role=status].message")).to_contain_text("`turn`", timeout=LONG)


def test_a_term_lights_its_sites_and_two_decisions_are_compared(open_page: Open) -> None:
    page = open_page("connect4")
    for text in ("4", "3", "4"):
        more(page).locator("label:has-text('Move') input").fill(text)
        page.locator(".typed button").click()
        played(page, text)
    page.locator("#tab-understand").click()
    page.locator("button", has_text="Explain").click()
    centre = page.get_by_role("button", name="centre for yellow")
    expect(centre).to_be_visible(timeout=LONG)
    centre.hover()
    state = rulewright.load("connect4").start().play("4 3 4")
    found = explain(state, "counter")
    made = found.judged(found.decision)
    counter = Personality.load("counter", state.game)
    sites = lit_sites(state, counter, found.value, made.line, "centre for yellow")
    assert 0 < len(sites.sites) < 42
    expect(page.locator("svg.board .lit")).to_have_count(len(sites.sites), timeout=LONG)
    picture(page, "studio-terms")
    page.locator(".logo").hover()
    expect(page.locator("svg.board .lit")).to_have_count(0, timeout=LONG)
    other = next(one.move for one in found.moves[1:] if not one.ends)
    page.locator("label:has-text('why not') select").select_option(other)
    table = page.locator("table.versus")
    expect(table).to_contain_text(f"instead of {found.decision}")
    difference = found.judged(found.decision).value - found.judged(other).value
    assert float(table.locator("tbody tr").first.locator("td").last.inner_text()) == difference
    expect(page.locator("p.why")).to_contain_text(f"{found.decision} has")
    page.locator("label:has-text('beside') select").select_option("eager")
    page.locator("button", has_text="Ask both").click()
    expect(page.locator(".parting")).to_contain_text("eager plays", timeout=LONG)
    expect(page.locator(".two section")).to_have_count(2)
    expect(page.locator("svg.board .letter").first).to_be_visible()
    assert barriers(page) == []


def test_what_is_written_and_not_saved_is_offered_after_a_reload(
    open_page: Open, tmp_path: Path
) -> None:
    mine = own(tmp_path, "tictactoe")
    page = open_page(str(mine))
    open_file(page, "tictactoe.rules")
    write(page, "# my own words")
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    expect(page.locator("button.file.now")).to_contain_text("*")
    page.reload()
    assert asked == ["beforeunload"]
    page.locator("#tab-author").click()
    draft = page.locator(".draft")
    expect(draft).to_contain_text("was not saved", timeout=LONG)
    expect(page.locator(".editor .cm-content")).not_to_contain_text("my own words")
    draft.locator("button", has_text="Take it up").click()
    page.keyboard.press("Control+End")
    expect(page.locator(".editor .cm-content")).to_contain_text("my own words")
    expect(draft).to_have_count(0)
    page.locator("button", has_text="save").first.click()
    expect(page.locator(".message")).to_contain_text("is saved", timeout=LONG)
    assert "my own words" in mine.read_text("utf-8")
    page.reload()
    page.locator("#tab-author").click()
    page.locator(".editor .cm-line", has_text="game tictactoe").click(timeout=LONG)
    page.keyboard.press("Control+End")  # the page holds no lines that are out of sight
    expect(page.locator(".editor .cm-content")).to_contain_text("my own words", timeout=LONG)
    expect(draft).to_have_count(0)
    assert asked == ["beforeunload"]
