"""The studio as files: played, written in, sent as a link and taken offline, in a real browser."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from docs.extensions.links import Opened, link
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

import rulewright
from tests.shared.browser import (
    LONG,
    chromium,
    dressed,
    listen,
    more,
    needs_browser,
    picture,
    play,
    played,
    unfold,
)
from tests.shared.engines import needs_node, needs_pyodide
from tests.shared.places import RULESETS
from tests.shared.tiny import RULES
from tests.shared.web_host import exported_site, host

pytestmark = [needs_browser, needs_pyodide, needs_node]
EMBEDDED = """<!doctype html><title>a page of somebody else</title><link rel="icon" href="data:,">
<script type="module" src="{}embed.js"></script>
<rulewright-board game="breakthrough" options="width=5,height=5" second="random">
</rulewright-board>"""
TOLD = """<rulewright-board game="checkerz"></rulewright-board>
<rulewright-board game="tictactoe" second="nobody"></rulewright-board>
<rulewright-board game="tictactoe" moves="b2 b2"></rulewright-board>"""

NESTED = "".join(f"every(q{letter} in empty : " for letter in "abcdefghijklmnopqrst")
ENDLESS = f"\nwin when {NESTED}qa = qa{')' * 20}\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an exported studio."""
    own = tmp_path_factory.mktemp("own") / "first.rules"
    own.write_text(RULES)
    with exported_site(tmp_path_factory.mktemp("host") / "studio", str(own)) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    """Somebody whose browser keeps what it has loaded."""
    found = browser.new_context()
    yield found
    found.close()


@pytest.fixture
def page(visitor: BrowserContext, site: str) -> Iterator[Page]:
    found = visitor.new_page()
    faults = listen(found)
    found.goto(site)
    ready(found)
    yield found
    found.close()
    assert faults == []


def ready(page: Page) -> None:
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)


def choose_game(page: Page, name: str) -> None:
    page.locator("header select").select_option(name)
    board = page.locator(f"svg.board[aria-label='the board of {name}']")
    expect(board).to_be_visible(timeout=LONG)


def test_a_picture_is_there_before_the_board(visitor: BrowserContext, site: str) -> None:
    page = visitor.new_page()
    page.route("**/library.bin", lambda route: route.abort())
    page.goto(site)
    page.locator("img.first").wait_for()
    expect(page.locator("[role=status]")).to_contain_text("cannot start here", timeout=LONG)
    page.close()


def test_own_texts_are_what_is_opened(page: Page) -> None:
    expect(page.locator("header select")).to_have_value("first.rules")
    page.locator("#tab-author").click()
    expect(page.locator("button.file.now")).to_have_text("first.rules", timeout=LONG)
    play(page, "b1")
    played(page, "b1")


def test_somebody_answers_and_a_search_is_stopped(page: Page) -> None:
    choose_game(page, "connect4")
    page.locator("[data-chair='1'] select").select_option("random")
    more(page).locator("label:has-text('Move') input").fill("4")
    page.locator(".typed button").click()
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    page.locator("#tab-understand").click()
    page.locator(".row input[type=number]:visible").fill("500")
    page.locator("button", has_text="Best moves").click()
    expect(page.locator("svg.board .letter").first).to_be_visible(timeout=LONG)
    page.locator("button:visible", has_text="Stop").first.click()
    expect(page.locator("button", has_text="Best moves")).to_be_enabled(timeout=LONG)
    page.locator("button", has_text="Explain").click()
    page.mouse.move(0, 0)  # off the terms, which light up sites instead
    expect(page.locator("svg.board .heat").first).to_be_visible(timeout=LONG)
    page.reload()  # the game is there again
    ready(page)
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)


def test_a_link_holds_a_text_and_a_game_also_without_a_network(
    page: Page, visitor: BrowserContext
) -> None:
    choose_game(page, "tictactoe")
    page.locator("#tab-author").click()
    page.locator("button.file", has_text=re.compile(r"tictactoe\.rules")).click()
    expect(page.locator(".editor .cm-content")).to_contain_text("game tictactoe", timeout=LONG)
    page.get_by_role("button", name="Save as").click()
    dialog = page.get_by_role("dialog", name="Save as")
    dialog.get_by_label("Name").fill("mine.rules")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("button.file.now")).to_have_text("mine.rules", timeout=LONG)
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nnonsense\n")
    expect(page.locator(".problems li.error").first).to_be_visible(timeout=LONG)
    for _ in range(10):
        page.keyboard.press("Backspace")
    page.keyboard.type("\n# mine\n")
    expect(page.locator("header select")).to_have_value("mine.rules", timeout=LONG)
    expect(page.locator(".behind")).to_have_count(0, timeout=LONG)
    page.keyboard.press("Control+s")
    expect(page.locator("[role=status].message")).to_contain_text("is saved", timeout=LONG)
    play(page, "b2")
    played(page, "b2")
    page.locator("#tab-play").click()
    page.get_by_role("button", name="Share").click()
    page.wait_for_url("**#share=*")
    picture(page, "studio-link")
    linked = page.url
    play(page, "a2")
    played(page, "a2")
    page.reload()  # goes on with what is here, not with what was linked
    played(page, "a2")
    assert "#share" not in page.url
    page.evaluate("navigator.serviceWorker.ready")
    visitor.set_offline(True)
    other = visitor.new_page()
    faults = listen(other)
    other.goto(linked)
    played(other, "b2")
    expect(other.locator("header select")).to_have_value("mine.rules")
    play(other, "a1")
    played(other, "a1")
    other.close()
    visitor.set_offline(False)
    assert faults == []


def test_a_rule_that_never_ends_is_reported_and_the_board_plays_on(page: Page) -> None:
    page.locator("#tab-author").click()
    expect(page.locator("button.file.now")).to_have_text("first.rules", timeout=LONG)
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(ENDLESS)
    told = page.locator(".problems li.error").first
    expect(told).to_contain_text("would take too long", timeout=LONG)
    choose_game(page, "tictactoe")
    play(page, "b2")
    played(page, "b2")


def test_a_worker_that_never_comes_back_is_begun_anew(browser: Browser, site: str) -> None:
    """A decision that never ends stands for it; the page's minute is let go by at once."""
    page = browser.new_page(service_workers="block")  # one would fetch the script by itself
    faults = listen(page)
    page.route("**/worker.js", never_plays("b1"))
    page.goto(site)
    ready(page)
    play(page, "a1")
    played(page, "a1")
    page.clock.install()
    play(page, "b1")
    page.clock.fast_forward(3_000)
    expect(page.locator("p[role=status]")).to_contain_text("at it")
    page.clock.fast_forward(60_000)
    page.clock.resume()
    told = page.locator("p[role=status].bad")
    expect(told).to_contain_text("The game stands as it stood", timeout=LONG)
    played(page, "a1")
    play(page, "c1")
    played(page, "c1")
    page.close()
    assert faults == []


def never_plays(move: str) -> Callable[[Route], None]:
    """Answers a worker's script with one in which a decision never ends."""

    def answer(route: Route) -> None:
        found = route.fetch()
        hang = f"""
            const heard = self.onmessage;
            self.onmessage = (event) => {{
              const {{ method, params }} = JSON.parse(event.data.ask ?? "{{}}");
              while (method === "play" && params.text === {move!r}) {{}}
              heard(event);
            }};
        """
        route.fulfill(response=found, body=found.text() + hang)

    return answer


def test_tuning_goes_on_without_a_server(page: Page) -> None:
    choose_game(page, "connect4")
    page.locator("#tab-measure").click()
    unfold(page, "other factors")
    tuning = page.locator(".tuning")
    begin = tuning.get_by_role("button", name="begin the trials")
    expect(begin).to_be_enabled(timeout=LONG)
    for label, value in (("trials", "2"), ("games each", "2"), ("nodes a decision", "20")):
        tuning.get_by_label(label, exact=True).fill(value)
    begin.click()
    expect(tuning.locator("svg").first).to_be_visible(timeout=LONG)
    expect(begin).to_be_enabled(timeout=LONG)


def test_a_board_stands_in_any_page(browser: Browser, site: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(EMBEDDED.format(site))
    (tmp_path / "wrong.html").write_text(EMBEDDED.format(site).partition("<rule")[0] + TOLD)
    page = browser.new_page()
    faults = listen(page)
    with host(tmp_path) as elsewhere:
        page.goto(f"{elsewhere}wrong.html")
        said = page.locator("rulewright-board [role=status]")
        for board, told in enumerate(("checkerz", "nobody", "b2")):
            expect(said.nth(board)).to_contain_text(told, timeout=LONG)
        assert page.locator("svg.board").count() == 0  # no other game in its place
        page.goto(elsewhere)
        ready(page)
    assert dressed(page)
    first = rulewright.load("breakthrough", width=5, height=5).start().moves.texts[0]
    play(page, *first.split("-"))
    expect(page.locator("[role=status]")).to_contain_text("White to move, last:", timeout=LONG)
    play(page, "c1")
    expect(page.locator("[role=status]")).to_contain_text("c1: ", timeout=LONG)
    page.locator("button", has_text="take back").click()
    expect(page.locator("[role=status]")).to_have_text("White to move", timeout=LONG)
    page.close()
    assert faults == []


def test_an_example_of_the_documents_opens_beside_its_text(page: Page, site: str) -> None:
    page.goto(f"{site}#{link(Opened({'tiny.rules': RULES}, 'tiny.rules'))}")
    expect(page.locator("header select")).to_have_value("tiny.rules", timeout=LONG)
    expect(page.locator("#tab-author")).to_have_attribute("aria-selected", "true")
    expect(page.locator("button.file.now")).to_have_text("tiny.rules", timeout=LONG)
    play(page, "b1")
    played(page, "b1")


def test_a_damaged_link_is_reported(visitor: BrowserContext, site: str) -> None:
    page = visitor.new_page()
    page.goto(f"{site}#share=!!!")
    expect(page.locator("#app")).to_have_text("the link is damaged", timeout=LONG)
    page.close()


def test_a_link_to_changed_rules_shows_their_game_and_says_so(
    visitor: BrowserContext, site: str
) -> None:
    """The page's own game once stood there meanwhile, and nothing said whose rules it plays by."""
    rules = (RULESETS / "hex" / "hex.rules").read_text("utf-8") + "# changed\n"
    opened = {"game": "hex", "options": {}, "moves": "a1", "players": ["human", "human"]}
    held = {"files": {"bundled:rulesets/hex/hex.rules": rules}, "open": opened}
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packing.compress(json.dumps(held).encode()) + packing.flush()
    page = visitor.new_page()
    page.goto(f"{site}#share={urlsafe_b64encode(data).decode().rstrip('=')}")
    expect(page.locator("h2.loading-title")).to_have_text("Hex", timeout=LONG)
    assert page.locator("img.first").get_attribute("src") == "cards/hex.svg"
    ready(page)
    expect(page.locator(".changed")).to_contain_text("came with the link", timeout=LONG)
    page.locator(".changed button").click()
    expect(page.locator(".editor .cm-content")).to_contain_text("game hex", timeout=LONG)
    page.close()
