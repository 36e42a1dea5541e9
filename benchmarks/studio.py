"""How long the studio's page takes from a click to the drawn answer, by game.

    python benchmarks/studio.py [--site DIR] [--clicks N] [GAME ...]
    python benchmarks/studio.py --site DIR --visits N
    python benchmarks/studio.py --first [--site DIR] GAME ...

Decisions are chosen at random and clicked in Chromium (Debian's, or where `CHROMIUM` says) as a
person does.  Each line gives the median and the worst milliseconds from the last click of a
decision until its answer is painted, with what nine of ten stay below; the same of the processor
time of those who do that one after the other (the page, and its worker or the server), which is
what a click takes on a machine that has nothing else to do, but for a frame that is waited for
(Linux alone tells it); and the same of what the engine alone takes to play it and to list what is
legal then.  Without `--site` the page is that of a local server; `--site` names a folder that
`rulewright studio --export` wrote.  `--at-once` plays from the first moment that a board is there:
nothing is left out, and the game is begun anew each time.

`--visits` opens the page so often in one browser, and types a mistake as soon as there is a text in
the editor, so that the folder must be one that opens with a file (`rulewright studio mine.rules
--export DIR`).  Each line gives the milliseconds since the page's script had come until the board
was there, the editor was typed in, and the mistake was told.  The first two visits fill the caches.

`--first` begins at home, in a new browser for each game, with empty caches.  Each line gives the
seconds from *Two people* until a site can be clicked, and until a decision that is clicked then has
been played, by the clock and of the page's processor time, which all its threads share.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from rulewright.games.engine.game import State
from rulewright.games.files.games import bundled_games, load_with
from rulewright.games.render.scene import SceneMove
from rulewright.reference.decisions import NONE

WARM = 4
"""Decisions that come first, unmeasured."""
SOON = 5
"""Decisions of a game that is begun anew, at once."""
PATIENCE = 120_000
CLICK = """async ([sites, text]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const count = () => document.querySelectorAll(".moves .move:not(.branch)").length;
  const before = count();
  const press = (site) => {
    const spot = document.querySelector(`svg.board .site[data-site="${site}"] .target`);
    spot.scrollIntoViewIfNeeded?.();
    const box = spot.getBoundingClientRect();
    const at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    spot.dispatchEvent(new PointerEvent("pointerdown", at));
    spot.dispatchEvent(new PointerEvent("pointerup", at));
  };
  const named = (name) =>
    [...document.querySelectorAll(name)].find((one) => one.textContent === text);
  for (const site of sites.slice(0, -1)) {
    press(site);
    await painted();
  }
  await painted();
  let began = performance.now();
  if (sites.length) press(sites.at(-1));
  else [...document.querySelectorAll(".row button")]
    .find((one) => one.textContent === (text === "-" ? "pass on" : text)).click();
  const answered = new Promise((done) => {
    const look = () => {
      if (count() <= before) return false;
      watch.disconnect();
      done();
      return true;
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
  await painted();
  const choice = named(".choices button");
  if (choice) {
    began = performance.now();
    choice.click();
  }
  await answered;
  await painted();
  return performance.now() - began;
}"""

FIRST_EDIT = """
const marks = window.marks = {};
const note = (name) => { marks[name] ??= performance.now(); };
const look = () => {
  const loaded = performance.getEntriesByType("resource");
  const came = loaded.find((one) => one.name.endsWith("studio.js"));
  if (came) marks.script ??= came.responseEnd;
  const author = document.querySelector("#tab-author");
  if (author && !("board" in marks)) {
    note("board");
    author.click();
  }
  if (document.querySelector(".problems li.error")) note("told");
};
new MutationObserver(look).observe(document, { subtree: true, childList: true });
const typing = setInterval(() => {
  const text = document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content");
  if (!text || text.textContent.length < 20) return;
  clearInterval(typing);
  note("typed");
  text.focus();
  setTimeout(() => document.execCommand("insertText", false, "nonsense "));
}, 5);
"""
"""What every page does by itself: opens Author, types, and notes when."""


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def served(site: Path | None) -> Iterator[tuple[str, int]]:
    """The address of a studio, of a local server or of a folder of files; the server's process."""
    if site is not None:
        host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(site)))
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/", 0
        host.shutdown()
        return
    words = [sys.executable, "-m", "rulewright", "studio", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        yield studio.stdout.readline().strip(), studio.pid
        studio.terminate()


class Processor:
    """The processor time of those who answer a click: the page's threads and the server's."""

    def __init__(self, tool: Browser, server: int) -> None:
        """Of the pages that are open now."""
        told = tool.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        pages = [one["id"] for one in told["processInfo"] if one["type"] == "renderer"]
        self.processes = [Path(f"/proc/{number}/task") for number in [*pages, server] if number]
        self.server = str(server)

    def milliseconds(self) -> float:
        """So far; 0 where nobody tells it."""
        found = 0.0
        for process in self.processes:
            for task in process.glob("*"):
                with suppress(OSError):  # a thread that has ended
                    whole = self.server in process.parts or task.name == process.parent.name
                    if whole or "DedicatedWorker" in (task / "comm").read_text():
                        found += int((task / "schedstat").read_text().split()[0]) / 1e6
        return found


def clicks(move: SceneMove, chance: random.Random) -> list[int]:
    """Sites that a person may click for a decision."""
    return [chance.choice(sites) for sites in move.clicks]


def engine(state: State, text: str) -> tuple[State, float]:
    """The state after a decision, and the milliseconds until its own decisions are listed."""
    began = time.perf_counter()
    after = state.play_decision(text)
    while not after.over and after.moves.texts == [NONE]:  # the page plays that by itself
        after = after.play_decision(NONE)
    return after, (time.perf_counter() - began) * 1000


def begin(page: Page, game: str) -> State:
    """Put a game on the board, from its beginning."""
    other = "hex" if game == "tictactoe" else "tictactoe"
    for name in (other, game):
        page.locator("header select").select_option(name)
        page.locator(f"svg.board[aria-label='the board of {name}']").wait_for()
    return load_with(game, {}).start()


def play(
    page: Page, spent: Processor, game: str, count: int, at_once: bool
) -> tuple[list[float], ...]:
    """Milliseconds of decisions: until they are painted, of the processor, of the engine alone."""
    chance, warm = random.Random(1), 0 if at_once else WARM
    state = begin(page, game)
    drawn: list[float] = []
    busy: list[float] = []
    alone: list[float] = []
    while len(drawn) < count + warm:
        if state.over or (at_once and len(drawn) % SOON == 0):
            state = begin(page, game)
        move = chance.choice(state.scene.moves)
        before = spent.milliseconds()
        drawn.append(page.evaluate(CLICK, [clicks(move, chance), move.text]))
        busy.append(spent.milliseconds() - before)
        state, took = engine(state, move.text)
        alone.append(took)
    return drawn[warm:], busy[warm:], alone[warm:]


def visit(context: BrowserContext, address: str) -> list[float]:
    """Milliseconds of one visit: the board, the first letter, the mistake told."""
    page = context.new_page()
    page.goto(address)
    page.locator(".problems li.error").first.wait_for(timeout=PATIENCE)
    marks = page.evaluate("window.marks")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_timeout(3000)  # the browser keeps what it has compiled
    page.close()
    return [marks[name] - marks["script"] for name in ("board", "typed", "told")]


def visits(tool: Playwright, address: str, count: int) -> None:
    """Print a line for each visit, and the medians of those after the second."""
    with TemporaryDirectory() as profile:
        context = tool.chromium.launch_persistent_context(profile, **browser())
        context.add_init_script(FIRST_EDIT)
        print("milliseconds      board typed  told")
        rows = []
        for number in range(count):
            rows.append(visit(context, address))
            print(
                f"visit {number + 1:<12}" + "".join(f"{one:6.0f}" for one in rows[-1]), flush=True
            )
        if rows[2:]:
            later = (median(column) for column in zip(*rows[2:], strict=True))
            print("later visits      " + "".join(f"{one:6.0f}" for one in later))
        context.close()


def first_opened(tool: Playwright, address: str, game: str) -> list[float]:
    """Seconds from the card of a game to its board, and to the first decision, each twice.

    By the clock, and of the page's processor.
    """
    move = load_with(game, {}).start().scene.moves[0]
    with tool.chromium.launch(**browser()) as opened:
        page = opened.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        card = page.locator(f".game[data-game='{game}']")
        card.locator("img").wait_for()
        before, began = page_seconds(opened), time.perf_counter()
        card.get_by_role("button", name="Two people").click()
        page.locator("svg.board .site.open").first.wait_for(state="attached")
        board = time.perf_counter() - began, page_seconds(opened) - before
        page.evaluate(CLICK, [[sites[0] for sites in move.clicks], move.text])
        return [*board, time.perf_counter() - began, page_seconds(opened) - before]


def page_seconds(tool: Browser) -> float:
    """The processor time of all pages so far, in seconds."""
    told = tool.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return sum(float(p["cpuTime"]) for p in told["processInfo"] if p["type"] == "renderer")


def browser() -> dict[str, Any]:
    """How Chromium is started."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    return {"executable_path": chromium, "args": ["--no-sandbox"]}


def told(times: list[float]) -> str:
    """Median, the worst but for the slowest tenth, and the worst."""
    ordered = sorted(times)
    return f"{median(ordered):5.0f} {ordered[int(len(ordered) * 0.9)]:5.0f} {ordered[-1]:5.0f}"


def main() -> None:
    """Print what is asked for."""
    words = argparse.ArgumentParser()
    words.add_argument("--site", type=Path)
    words.add_argument("--clicks", type=int, default=40)
    words.add_argument("--at-once", action="store_true")
    words.add_argument("--visits", type=int, default=0)
    words.add_argument("--first", action="store_true")
    words.add_argument("games", nargs="*")
    asked = words.parse_args()
    if asked.visits and asked.site is None:
        words.error("--visits needs --site")
    with sync_playwright() as tool, served(asked.site) as (address, server):
        if asked.visits:
            visits(tool, address, asked.visits)
        elif asked.first:
            print("seconds           board page  move  page")
            for game in asked.games:
                times = first_opened(tool, address, game)
                print(f"{game:18}" + "".join(f"{one:6.2f}" for one in times), flush=True)
        else:
            answers(tool, address, server, asked)


def answers(tool: Playwright, address: str, server: int, asked: argparse.Namespace) -> None:
    """Print a line for each game."""
    print("milliseconds      median   90 % worst    processor            engine alone")
    with tool.chromium.launch(**browser()) as opened:
        page = opened.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.locator("svg.board .site").first.wait_for()
        spent = Processor(opened, server)
        for game in asked.games or [*bundled_games()]:
            times = play(page, spent, game, asked.clicks, asked.at_once)
            print(f"{game:18}" + "    ".join(told(one) for one in times), flush=True)


if __name__ == "__main__":
    main()
