"""How many: piles side by side and seeds in pits stay in their site, and say how many they are."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.games.files.games import load
from rulewright.games.render.amounts import MOST_IN_HEAP, heap_places, pile_places
from rulewright.games.render.drawing import CELL, HeapForm, PileForm
from rulewright.games.render.svg import scene_svg
from rulewright.matches.protocols.format_settings import Pdn, formats
from rulewright.matches.protocols.pdn import PdnNotation

SIZES = st.floats(CELL * 0.5, CELL * 9)


@given(st.integers(0, 200), SIZES, SIZES)
def test_seeds_lie_apart_in_their_pit(number: int, width: float, height: float) -> None:
    form = HeapForm(0, "seed", (100, 50), (width, height))
    size, places = heap_places(form, number)
    assert len(places) == min(number, MOST_IN_HEAP)
    assert len(set(places)) == len(places)
    assert size > 0
    # the drawing of a seed takes at most 0.7 of its box
    for x, y in places:
        assert abs(x - 100) <= width / 2 - 0.1 * size
        assert abs(y - 50) <= height / 2 - 0.1 * size


@given(st.integers(1, 30), st.floats(0, 400), st.sampled_from([(0, 1), (0, -1), (1, 0), (-1, 0)]))
def test_a_pile_ends_where_its_room_does(number: int, length: float, way: tuple[int, int]) -> None:
    first = (-way[0] * length / 2, -way[1] * length / 2)
    places = [*pile_places(PileForm(0, first, way, length), number, CELL)]
    assert len(places) == number
    along = [x * way[0] + y * way[1] for x, y in places]
    assert along == sorted(along)
    assert along[0] == pytest.approx(-length / 2, abs=0.01)
    assert along[-1] <= length / 2 + 0.01
    assert all(b - a <= CELL + 0.02 for a, b in pairwise(along))


def test_every_man_of_a_pile_is_drawn_and_every_seed() -> None:
    men = load("backgammon").start()
    assert scene_svg(men.scene).count('<g transform="translate(0 ') >= 30
    seeds = load("kalah").start()
    form = seeds.scene.drawing.heaps[0]
    assert scene_svg(seeds.scene).count(f'<use href="#{form.symbol}"') == 48


def test_a_store_over_two_sites_has_its_heap_in_the_middle() -> None:
    drawing = load("kalah").start().scene.drawing
    rooms = sorted({heap.room for heap in drawing.heaps})
    assert rooms == [(CELL, CELL), (CELL, 2 * CELL)]
    tall = [heap.place[1] for heap in drawing.heaps if heap.room == rooms[1]]
    assert len(set(tall)) == 1


@pytest.mark.parametrize("name", ["draughts", "internationaldraughts", "frisiandraughts"])
def test_labels_are_the_numbers_of_files_in_pdn(name: str) -> None:
    game = load(name)
    notation = PdnNotation(game, formats(game).pdn or Pdn())
    drawing = game.start().scene.drawing
    middles = {site.site: site.place for site in drawing.sites}
    texts = re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>(\d+)</text>', drawing.coordinates)
    for site, (x, y) in middles.items():
        number = notation.number(game.rules.board.names[site])
        ways = [(x - float(a), y - float(b), t) for a, b, t in texts]
        corner = [t for dx, dy, t in ways if 0 < dx < CELL / 2 and 0 < dy < CELL / 2]
        assert corner == [number]
