"""A real browser for tests, and what a hand does on the studio's board.

Without Chromium (Debian's, or where `CHROMIUM` says) such tests are left out, and say so.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

from tests.shared.places import RULESETS

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
needs_browser = pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here")
LONG = 60_000
"""Milliseconds that a busy machine may need."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, until nobody needs it."""
    with sync_playwright() as tool:
        found = tool.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def listen(page: Page) -> list[str]:
    """What goes wrong in a page from now on."""
    faults: list[str] = []
    page.set_default_timeout(LONG)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    return faults


def picture(page: Page, name: str, size: ViewportSize | None = None) -> None:
    """A picture for docs/, where they are asked for."""
    if os.environ.get("RULEWRIGHT_PICTURES"):
        page.set_viewport_size(size or {"width": 1200, "height": 800})
        page.screenshot(path=Path(os.environ["RULEWRIGHT_PICTURES"]) / f"{name}.png")


def play(page: Page, *sites: str) -> None:
    """Click sites."""
    for site in sites:
        page.locator(f"svg.board .site[aria-label]:has(title:text-matches('^{site}(:|$)'))").click()


def dressed(page: Page) -> bool:
    """Whether the board has its material, and the style sheet's states, wherever it stands."""
    style = "(element, name) => getComputedStyle(element)[name]"
    ground = page.locator("svg.board .ground *").first.evaluate(style, "fill")
    target = page.locator("svg.board .target").first.evaluate(style, "fill")
    return str(ground).startswith("rgb") and str(ground) != "rgb(0, 0, 0)" and target == "none"


def more(page: Page) -> Locator:
    """What is used once a week, opened."""
    button = page.locator("button[aria-label='More']")
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    return page.locator(".more")


def resign(page: Page) -> None:
    """Give up, and mean it."""
    for words in ("Resign", "Resign now"):
        more(page).get_by_role("button", name=words, exact=True).click()


def unfold(page: Page, *titles: str) -> None:
    """Open parts of a view that are folded."""
    for title in titles:
        fold = page.locator("details.fold:not([open]) > summary", has_text=title)
        if fold.count():
            fold.click()


def begin(page: Page, **options: str) -> None:
    """Begin a new game with options as they are typed."""
    page.get_by_role("button", name="New game").click()
    for name, value in options.items():
        page.locator(f"dialog [data-option='{name}'] input").fill(value)
    page.locator("dialog button", has_text="Start").click()
    expect(page.locator("dialog")).to_have_count(0, timeout=LONG)


def played(page: Page, text: str) -> None:
    """Wait until a decision is the last one, however the page writes it."""
    begins = re.compile(f"^{re.escape(text)}")
    expect(page.locator(".verdict")).to_have_attribute("data-last", begins, timeout=LONG)


SETTLED = """() => Promise.allSettled(
  document.getAnimations().filter(part => part.effect?.getComputedTiming().endTime < Infinity)
    .map(part => part.finished)
)"""
"""Waits for the transitions that end; a pulse that goes on for ever is left alone."""


def barriers(page: Page, *rules: str) -> list[tuple[str, str]]:
    """What keeps people from using a page as it is now: axe's rule, and the first place.

    *rules* are those that are tried; all without any.
    """
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page.evaluate(axe)
    page.evaluate(SETTLED)  # a colour on its way to another has the contrast of neither
    report = page.evaluate("rules => axe.run(rules.length ? {runOnly: rules} : {})", list(rules))
    return [(violation["id"], violation["nodes"][0]["html"]) for violation in report["violations"]]


def open_file(page: Page, name: str) -> None:
    """Open a text of the Author view."""
    page.locator("#tab-author").click()
    tab = page.locator(f"button.file[title='{name}']")
    expect(tab).to_have_count(1, timeout=LONG)
    if not tab.is_visible():
        page.locator(".files summary").click()
    tab.click()
    expect(page.locator("button.file.now").first).to_contain_text(name, timeout=LONG)


def own(tmp_path: Path, game: str) -> Path:
    """Rules of one's own, as the bundled ones are."""
    mine = tmp_path / f"{game}.rules"
    mine.write_text((RULESETS / game / f"{game}.rules").read_text("utf-8"))
    return mine
