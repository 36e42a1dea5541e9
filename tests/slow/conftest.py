"""Everything in this folder is slow, and says so; a browser and a studio for whoever needs one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.shared.browser import LONG, chromium, listen
from tests.shared.studio import Open, Studio

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; the hook is given all that were collected."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for all tests of a file."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One studio for all that play bundled games: each page has a desk of its own."""
    found = Studio(tmp_path_factory.mktemp("bundled"), "tictactoe")
    yield found
    assert found.stop() in (0, 130)


@pytest.fixture
def open_page(browser: Browser, bundled: Studio, tmp_path: Path) -> Iterator[Open]:
    faults: list[list[str]] = []
    begun: list[Studio] = []
    pages: list[Page] = []

    def start(what: str) -> Page:
        own = what.endswith(".rules")
        studio = Studio(tmp_path, what) if own else bundled
        begun.extend([studio] * own)
        page = browser.new_page()
        pages.append(page)
        faults.append(listen(page))
        page.goto(studio.address)
        expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
        if not own:
            page.locator("header select").select_option(what)
            board = page.locator(f"svg.board[aria-label='the board of {what}']")
            expect(board).to_be_visible(timeout=LONG)
        return page

    yield start
    for page in pages:
        page.close()
    assert [studio.stop() for studio in begun] == [130] * len(begun)
    assert [fault for page in faults for fault in page] == []
