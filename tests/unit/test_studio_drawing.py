"""Patterns on the studio's board: clicks become lines, and lines lie where they were clicked."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.studio import answers as a
from rulewright.app.studio.drawing import Drawing, PlacedPattern
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.model.board import bits
from rulewright.model.patterns import frames
from tests.shared.effort import tries

HEAD = "format 1\nPatterns for connect5\nAround own\nSymmetry all\n\n"
PLAIN = HEAD + "Off one  # first\n  Own 1 0\n  Priority 3\n\nOff two\n  Set 0 2\n"
PICTURE = HEAD + "Off one\n  | ? @ o + |\n  Priority 3\n"


@cache
def state(game: str) -> State:
    return rulewright.load(game).start()


def drawing(text: str, offset: int = len(HEAD), at: int = 112, frame: int = 0) -> Drawing:
    return Drawing(state("connect5"), "mine.patterns", Path("/nowhere"), text, offset, at, frame)


def edited(text: str, edits: list[a.Edit]) -> str:
    for one in sorted(edits, key=lambda one: -one.start):
        text = text[: one.start] + one.text + text[one.end :]
    return text


def said(text: str, frame: int) -> set[tuple[str, int]]:
    """What a pattern says of which sites, by its text alone."""
    found = drawing(text, frame=frame)
    assert found.pattern is not None
    return {(one.word, found.lies.site(one.spot)) for one in found.pattern.statements if one.word}


@settings(max_examples=tries(40))
@given(
    st.sampled_from(("Own", "Opp", "Free", "Set", "Strong", "NStrong")),
    st.integers(0, 224),
    st.integers(0, 7),
    st.sampled_from((PLAIN, PICTURE)),
)
def test_a_click_is_said_where_it_was_made_and_taken_back(
    word: str, site: int, frame: int, text: str
) -> None:
    before = said(text, frame)
    new = edited(text, drawing(text, frame=frame).edits(word, site, None))
    after = said(new, frame)
    if (word, site) in before:
        assert after == before - {(word, site)}
        return
    assert (word, site) in after
    assert sum(test == "Set" for test, _ in after) <= 1
    again = edited(new, drawing(new, frame=frame).edits(word, site, None))
    assert (word, site) not in said(again, frame)
    assert "Priority 3" in again
    if text is PLAIN:
        assert again.endswith(PLAIN[PLAIN.index("\nOff two") :])  # the other one is left alone


@settings(max_examples=tries(30))
@given(st.sampled_from(("connect5", "hex", "twixt")), st.data())
def test_a_site_is_a_place_and_the_place_that_site(game: str, data: st.DataObject) -> None:
    here = state(game)
    board = here.game.rules.board
    sites = st.sampled_from([*bits(board.sites)])
    lies = PlacedPattern(here, data.draw(sites), data.draw(st.sampled_from(frames(board))))
    site = data.draw(sites)
    assert lies.site(lies.spot(site)) == site


def test_a_picture_is_drawn_as_it_stands_and_changed_in_its_signs() -> None:
    shown = drawing(PICTURE).view()
    assert [(c.test, c.site) for c in shown.conditions] == [("Own", 113), ("Set", 114)]
    new = edited(PICTURE, drawing(PICTURE).edits("Free", 111, None))
    assert "| . @ o + |" in new
    assert "| ? @ o ? |" in edited(PICTURE, drawing(PICTURE).edits("erase", 114, None))


def test_links_are_said_of_two_sites_whichever_comes_first() -> None:
    text = "format 1\nPatterns for twixt\nAround own\n\nOff one\n"
    names = state("twixt").game.rules.board.by_name
    l12, k10 = names["l12"], names["k10"]

    def drawn(text: str) -> Drawing:
        return Drawing(state("twixt"), "m.patterns", Path("/nowhere"), text, len(text), l12, 0)

    new = edited(text, drawn(text).edits("BPoss", l12, k10))
    assert new.endswith("Off one\n  BPoss 0 0 1 2\n")
    assert edited(new, drawn(new).edits("BExist", k10, l12)).endswith("  BExist 0 0 1 2\n")
    assert edited(new, drawn(new).edits("BPoss", k10, l12)) == text


def test_a_bundled_pattern_lies_on_the_board_as_its_example_has_it() -> None:
    path = Path(__file__).parents[2] / "patterns" / "twixt" / "basics.patterns"
    text, names = path.read_text("utf-8"), state("twixt").game.rules.board.by_name
    for title, at, move in (("OffS beam", "l12", "l8"), ("Off slope", "l12", "k9")):
        shown = Drawing(state("twixt"), path.name, path.parent, text, text.index(title)).view()
        assert (shown.title, shown.at, shown.sound) == (title, names[at], True)
        assert [c.site for c in shown.conditions if c.test == "Set"] == [names[move]]


@pytest.mark.parametrize(
    ("text", "word", "site", "message"),
    [
        (HEAD, "Own", 3, "no pattern at this place"),
        (PLAIN, "Own", 900, "no such site"),
        (PLAIN, "BPoss", 3, "about two sites"),
        (PLAIN, "Row", 3, "is no condition"),
        (PLAIN.replace("connect5", "twixt"), "Own", 3, "for twixt"),
    ],
)
def test_what_cannot_be_drawn_is_refused(text: str, word: str, site: int, message: str) -> None:
    offset = 0 if text is HEAD else len(HEAD)
    with pytest.raises(RulewrightError, match=message):
        drawing(text, offset).edits(word, site, None)
