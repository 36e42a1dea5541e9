"""How long the studio's page takes from a click to the drawn answer, by game.

    python benchmarks/studio.py [--site DIR] [--clicks N] [GAME ...]

Decisions are chosen at random and clicked in Chromium (Debian's, or where `CHROMIUM` says) as a
person does.  Each line gives the median and the worst milliseconds from the last click of a
decision until its answer is painted, with what nine of ten stay below, and the same of what the
engine alone takes to play it and to list what is legal then.  Without `--site`
the page is that of a local server; `--site` names a folder that `rulewright studio --export` wrote.
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
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from rulewright.engine.game import State
from rulewright.files.games import bundled, load_with
from rulewright.reference.play import NONE
from rulewright.render.scene import SceneMove

WARM = 4
"""Decisions that come first, unmeasured."""
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


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def served(site: Path | None) -> Iterator[str]:
    """The address of a studio: of a local server, or of a folder of files."""
    if site is not None:
        host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(site)))
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/"
        host.shutdown()
        return
    words = [sys.executable, "-m", "rulewright", "studio", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        yield studio.stdout.readline().strip()
        studio.terminate()


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


def play(page: Page, game: str, count: int, chance: random.Random) -> tuple[list[float], ...]:
    """Milliseconds of decisions: until they are painted, and of the engine alone."""
    state = begin(page, game)
    drawn: list[float] = []
    alone: list[float] = []
    while len(drawn) < count + WARM:
        if state.over:
            state = begin(page, game)
        move = chance.choice(state.scene.moves)
        drawn.append(page.evaluate(CLICK, [clicks(move, chance), move.text]))
        state, took = engine(state, move.text)
        alone.append(took)
    return drawn[WARM:], alone[WARM:]


def told(times: list[float]) -> str:
    """Median, the worst but for the slowest tenth, and the worst."""
    ordered = sorted(times)
    return f"{median(ordered):5.0f} {ordered[int(len(ordered) * 0.9)]:5.0f} {ordered[-1]:5.0f}"


def main() -> None:
    """Print a line for each game."""
    words = argparse.ArgumentParser()
    words.add_argument("--site", type=Path)
    words.add_argument("--clicks", type=int, default=40)
    words.add_argument("games", nargs="*")
    asked = words.parse_args()
    print("milliseconds      median   90 % worst    engine alone")
    with sync_playwright() as tool, served(asked.site) as address:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = tool.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.locator("svg.board .site").first.wait_for()
        for game in asked.games or [*bundled()]:
            drawn, alone = play(page, game, asked.clicks, random.Random(1))
            print(f"{game:18}{told(drawn)}    {told(alone)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
