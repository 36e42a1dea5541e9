"""Pieces that point somewhere are drawn as they stand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.files.games import load
from tests.shared.effort import tries

PLOY = load("ploy")
FIRST = {"d3": 0, "g2": 7, "e1": 0, "c8": 3, "e9": 4, "d7": 4}
WHITE = ("d3", "g2", "e1")


@settings(max_examples=tries(20))
@given(st.lists(st.integers(1, 7), min_size=1, max_size=8), st.data())
def test_a_piece_is_turned_by_what_the_rules_say_of_its_site(
    turns: list[int], data: st.DataObject
) -> None:
    state, facing = PLOY.start(), dict(FIRST)
    for ply, eighths in enumerate(turns):
        site = data.draw(st.sampled_from([s for s in FIRST if (s in WHITE) == (ply % 2 == 0)]))
        state = state.play_decision(f"{site}>{eighths}")
        facing[site] = (facing[site] + eighths) % 8
        if state.over:
            return
    scene = state.scene
    for spot in scene.spots:
        if spot.name in facing and spot.piece is not None:
            number = scene.shown.forms[spot.site]
            forms = scene.drawing.forms
            fits = [
                f for f in forms if f.fits(spot.piece.kind, spot.piece.owner, spot.site, number)
            ]
            degrees = 45 * facing[spot.name]
            markup = scene.drawing.symbols[fits[-1].symbol]
            assert fits[-1].points
            assert (f"rotate({degrees})" in markup) == (degrees > 0)
            assert ("rotate(" in markup) == (degrees > 0)
