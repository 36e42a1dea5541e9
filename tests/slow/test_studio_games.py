"""Whole games by clicks on the studio's board, against a personality, to the end that it shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import rulewright
from rulewright.app.play.seats import Seat
from rulewright.games.engine.game import State
from rulewright.search.results import person
from tests.shared.browser import LONG, begin, more, needs_browser, play
from tests.shared.studio import Open

pytestmark = needs_browser

SEED = 1
NODES = 10_000
"""What the side that is clicked may look at for a decision, however busy the machine is: enough to
come to an end.  Its opponent draws among decisions worth the same, and now and then wins."""
MOST = 120
"""Decisions after which no game here goes on."""
MOVES = ".moves .move:not(.branch)"


def click(page: Page, state: State, text: str) -> None:
    """Click the sites of a decision, and its name where the sites mean several."""
    scene = state.scene
    move = next(one for one in scene.moves if one.text == text)
    names = {spot.site: spot.name for spot in scene.spots}
    play(page, *(names[sites[0]] for sites in move.clicks))
    rivals = [one for one in scene.moves if one.clicks == move.clicks]
    if len(rivals) > 1:
        page.locator(f".choices button[title$='{text}']").click()


def led(page: Page, state: State, own: str) -> State:
    """The end of a game that *own* leads by clicks, in the first chair."""
    seat = Seat.of(f"{own}@nodes={NODES}", state.game)
    while not state.over and len(state.decisions()) < MOST:
        if person(state) == 0:
            click(page, state, seat.decide(state, SEED).move)
        done = len(state.decisions())
        last = page.locator(MOVES).nth(done)
        expect(last).to_be_visible(timeout=LONG)
        state = state.play_decision(last.get_attribute("title") or last.inner_text())
    seat.close()
    return state


def saved(page: Page, folder: Path) -> State:
    """The game as the page writes it, replayed by the rules."""
    with page.expect_download() as waited:
        more(page).locator("select").select_option("txt")
        more(page).get_by_role("button", name="Save").click()
    path = folder / waited.value.suggested_filename
    waited.value.save_as(path)
    return rulewright.read_game(path).end


@pytest.mark.parametrize(
    ("game", "options", "own", "other"),
    [("twixt", {"size": 8}, "seeker", "turns"), ("chess", {}, "club", "patzer")],
)
def test_a_whole_game_is_played_to_its_end_by_clicks(
    open_page: Open, tmp_path: Path, game: str, options: dict[str, int], own: str, other: str
) -> None:
    page = open_page(game)
    if options:
        begin(page, **{name: str(value) for name, value in options.items()})
    start = rulewright.load(game, **options).start()
    expect(page.locator("svg.board .site")).to_have_count(len(start.scene.spots), timeout=LONG)
    page.locator("[data-chair='1'] select").select_option(other)
    end = led(page, start, own)
    assert end.result is not None
    assert end.result.winner in end.game.players
    expect(page.locator(".verdict")).to_contain_text(end.result.description, timeout=LONG)
    expect(page.locator("svg.board .site.open")).to_have_count(0)
    replayed = saved(page, tmp_path)
    assert replayed.decisions() == end.decisions()
    assert replayed.result == end.result
    assert replayed.text() == end.text()
