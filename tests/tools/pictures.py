"""Pictures of all games and of the studio as they are kept: `python -m tests.tools.pictures`.

In: the bundled games and a studio of its own.  Out: small pictures in `tests/data/pictures`, in two
themes, or in the folder that is named.  Text is drawn in bars, so that no font of a machine is
seen.  Whoever means to change how things look writes them anew, and looks at them.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias

from playwright.sync_api import Browser, BrowserContext, Page, expect

from rulewright.games.files.dresser import dressing_of
from rulewright.games.files.games import bundled_games, load
from rulewright.games.files.looks import thumbnail
from tests.shared.browser import LONG, chromium
from tests.shared.greek import style
from tests.shared.places import TESTS
from tests.shared.studio import Studio
from tests.tools.contact_sheet import sheet

KEPT = TESTS / "data" / "pictures"
Theme: TypeAlias = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
SIZES = ((390, 844), (820, 1180), (1280, 800), (1920, 1080))
SMALLER = 0.25
SQUARE = 40
"""The side of the squares in which pictures are compared, in points."""
_JOIN = """async ([pictures, scale]) => {
  const images = await Promise.all(pictures.map(async (data) => {
    const image = new Image(); image.src = data; await image.decode(); return image;
  }));
  const canvas = document.createElement("canvas");
  const widths = images.map((image) => Math.round(image.width * scale));
  canvas.width = widths.reduce((sum, width) => sum + width, 0);
  canvas.height = Math.round(Math.max(...images.map((image) => image.height)) * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  let x = 0;
  images.forEach((image, i) => {
    context.drawImage(image, x, 0, widths[i], Math.round(image.height * scale)); x += widths[i];
  });
  return canvas.toDataURL("image/png");
}"""
_COMPARE = """async ([pictures, side]) => {
  const [one, two] = await Promise.all(pictures.map(async (data) => {
    const image = new Image(); image.src = data; await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width; canvas.height = image.height;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  if (one.width !== two.width || one.height !== two.height) return 1;
  const others = new Map();
  for (let i = 0; i < one.data.length; i += 4) {
    const far = [0, 1, 2].some((c) => Math.abs(one.data[i + c] - two.data[i + c]) > 40);
    const [x, y] = [(i / 4) % one.width, Math.floor(i / 4 / one.width)];
    const square = `${Math.floor(x / side)},${Math.floor(y / side)}`;
    if (far) others.set(square, (others.get(square) ?? 0) + 1);
  }
  return Math.max(0, ...others.values()) / side ** 2;
}"""
_SEEN = """() => [...document.images].every((image) =>
  image.complete || image.getBoundingClientRect().top > innerHeight)"""
_LISTEN = """() => {
  window.waiting = new Set();
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const { id } = JSON.parse(text);
    window.waiting.add(id);
    const answer = (event) => {
      const said = JSON.parse(event.data);
      if (said.id === id && ("result" in said || "error" in said)) {
        window.waiting.delete(id);
        this.removeEventListener("message", answer);
      }
    };
    this.addEventListener("message", answer);
    return send.call(this, text);
  };
}"""
_SETTLED = """() => new Promise((resolve) => {
  let still = 0;
  new MutationObserver(() => (still = 0)).observe(document.body, {
    attributes: true, characterData: true, childList: true, subtree: true,
  });
  const look = () => {
    if (++still > 30 && window.waiting.size === 0) resolve();
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Half a second without a change, in which nothing is waited for: lists and checks come later."""
_GAME = {"game": "breakthrough", "moves": "a2-a3 b7-b6 c2-b3 a7-a6", "count": 4}
_OVER = {"game": "tictactoe", "moves": "b2 a1 c3 a3 a2 c2 c1 b3 b1", "count": 9}


def drawn(
    browser: Browser, themes: Sequence[Theme] = THEMES, shown: Collection[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """The pictures of themes by name: the games, then the views, or those *shown* of them."""
    of_views = {name: show for name, show in VIEWS.items() if not shown or name in shown}
    blank = browser.new_page()
    for theme in themes:
        yield f"games-{theme}", _games(browser, blank, theme)
    with TemporaryDirectory() as folder:
        studio = Studio(Path(folder), "")
        for theme in themes:
            views: dict[str, list[bytes]] = {name: [] for name in of_views}
            for width, height in SIZES:
                for name, picture in _views(
                    browser, studio.address, theme, (width, height), of_views
                ):
                    views[name].append(picture)
            for name, pictures in views.items():
                yield f"{name}-{theme}", joined(blank, pictures)
        studio.stop()
    blank.close()


def joined(page: Page, pictures: list[bytes]) -> bytes:
    """Pictures side by side, smaller."""
    data = page.evaluate(_JOIN, [[_address(picture) for picture in pictures], SMALLER])
    return base64.b64decode(str(data).partition(",")[2])


def difference(page: Page, one: bytes, two: bytes) -> float:
    """The largest share of points in a square that are plainly of another colour.

    All of them are in another size.  A share of the whole picture would not tell that a single
    game of ninety is drawn otherwise.
    """
    return float(page.evaluate(_COMPARE, [[_address(one), _address(two)], SQUARE]))


def _address(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def _games(browser: Browser, blank: Page, theme: Theme) -> bytes:
    scenes = {}
    for name in bundled_games():
        game = load(name)
        scenes[name] = thumbnail(dressing_of(game), game).scene
    page = browser.new_page(viewport={"width": 2560, "height": 800})
    page.set_content(f"<style>{style()}</style>" + "".join(sheet(theme, scenes, columns=9)))
    page.evaluate("document.fonts.ready")
    picture = page.screenshot(full_page=True)
    page.close()
    return joined(blank, [picture])


def _views(
    browser: Browser,
    address: str,
    theme: Theme,
    size: tuple[int, int],
    shows: Mapping[str, Callable[[Page], None]],
) -> Iterator[tuple[str, bytes]]:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, bypass_csp=True,
        has_touch=width < 1000, is_mobile=width < 1000, reduced_motion="reduce",
    )  # fmt: skip
    for name, show in shows.items():
        page = _page(context, address)
        show(page)
        page.evaluate("document.fonts.ready")
        page.evaluate(_SETTLED)
        page.mouse.move(0, 0)
        yield name, page.screenshot(animations="disabled", caret="hide")
        page.close()
    context.close()


def _page(context: BrowserContext, address: str) -> Page:
    """A page with two games that were left open, written in bars."""
    page = context.new_page()
    page.set_default_timeout(LONG)
    two = ["human", "human"]
    left = [
        {
            "game": game["game"],
            "moves": game["count"],
            "open": {"game": game["game"], "options": {}, "moves": game["moves"], "players": two},
        }
        for game in (_GAME, _OVER)
    ]
    key, text = json.dumps("rulewright kept left games"), json.dumps(json.dumps(left))
    page.add_init_script(f"({_LISTEN})()")
    page.add_init_script(f"localStorage.setItem({key}, {text})")
    page.goto(address)
    page.add_style_tag(content=style())
    return page


def _home(page: Page) -> None:
    pictures = page.locator(".game img")
    expect(pictures).to_have_count(len(bundled_games()), timeout=LONG)
    page.wait_for_function(_SEEN)


def _learn(page: Page) -> None:
    page.locator(".game[data-game='connect4']").get_by_role("button", name="Learn").click()
    expect(page.locator(".lessons img")).to_have_count(3, timeout=LONG)


def _play(page: Page) -> None:
    page.locator(".resume").click()
    expect(page.locator(".moves .move")).to_have_count(4, timeout=LONG)


def _end(page: Page) -> None:
    _play(page)
    page.get_by_role("button", name="More").click()
    page.locator(".left-games li", has_text="tictactoe").get_by_text("Go on").click()
    expect(page.locator(".result")).to_be_visible(timeout=LONG)


def _new(page: Page) -> None:
    _play(page)
    page.locator("header .new").click()
    expect(page.locator("dialog")).to_be_visible()


def _view(name: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        _play(page)
        page.locator(f"#tab-{name}").click()
        if name == "author":
            expect(page.locator(".editor .cm-line").nth(9)).to_be_visible(timeout=LONG)

    return show


VIEWS: dict[str, Callable[[Page], None]] = {
    "home": _home, "learn": _learn, "play": _play, "end": _end, "new": _new,
    "understand": _view("understand"), "write": _view("author"), "measure": _view("measure"),
}  # fmt: skip


def main() -> None:
    """Write all pictures."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else KEPT
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for name, picture in drawn(browser):
            (folder / f"{name}.png").write_bytes(picture)
            print(f"{name}: {len(picture):,} bytes", flush=True)


if __name__ == "__main__":
    main()
