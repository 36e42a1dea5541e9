"""The studio's page for authors, in a real browser: patterns drawn, texts tried and told apart."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, needs_browser, picture, play, played
from tests.shared.places import RULESETS
from tests.shared.studio import Open

pytestmark = needs_browser
PATTERNS = """format 1
Patterns for connect5
Around own
Symmetry all
"""


def open_file(page: Page, name: str) -> None:
    """Open a text of the Author view."""
    page.locator("#tab-author").click()
    page.locator("button.file", has_text=name).click()
    expect(page.locator("button.file.now").first).to_contain_text(name, timeout=LONG)


def own(tmp_path: Path, game: str) -> Path:
    """Rules of one's own, as the bundled ones are."""
    mine = tmp_path / f"{game}.rules"
    mine.write_text((RULESETS / game / f"{game}.rules").read_text("utf-8"))
    return mine


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
    expect(page.locator(".verdict")).to_contain_text("last: b1")  # nothing was played
    page.get_by_role("radio", name="the opponent's", exact=True).click()
    play(page, "f8")  # now it would need a piece of the other there
    expect(page.locator("svg.board .asked.Opp.fails")).to_have_count(1, timeout=LONG)
    expect(page.locator(".fires")).to_contain_text("does not fire here", timeout=LONG)
