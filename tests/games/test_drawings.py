"""Drawings of boards: every game, any ruleset, both themes, nothing that a look smuggles in."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import pairwise
from typing import get_args

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with, loads
from rulewright.games.render.default_dressing import default_dressing
from rulewright.games.render.drawing import CELL
from rulewright.games.render.dressing import (
    CardLook,
    Dressing,
    Ground,
    Material,
    PieceLook,
    PileWay,
)
from rulewright.games.render.markup import path_points
from rulewright.games.render.paints import in_theme
from rulewright.games.render.palette import palette
from rulewright.games.render.piece_drawings import (
    is_path,
    piece_drawings,
    piece_markup,
    signs,
)
from rulewright.games.render.scene_building import drawing_of_rules
from rulewright.games.render.svg import scene_svg, thumbnail_svg
from tests.generators import rule_files
from tests.shared.drawing import SMALL
from tests.shared.effort import tries
from tests.shared.places import ROOT
from tests.shared.sample import chosen
from tests.tools.contact_sheet import sheet

GAMES = chosen()
SVG = "{http://www.w3.org/2000/svg}"
POINT = re.compile(r"-?\d+(?:\.\d+)?")


@cache
def start(game: str) -> State:
    return load_with(game, SMALL.get(game, {})).start()


def played(state: State, moves: int, seed: int) -> State:
    chance = random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state = state.play_decision(chance.choice(state.moves.texts))
    return state


@pytest.mark.parametrize("game", GAMES)
def test_sites_lie_in_the_picture_and_apart(game: str) -> None:
    drawing = start(game).scene.drawing
    places = [site.place for site in drawing.sites]
    for x, y in places:
        assert 0 < x < drawing.width
        assert 0 < y < drawing.height
    nearest = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    assert nearest >= CELL * 0.99
    for site in drawing.sites:
        others = (math.dist(site.place, place) for place in places if place != site.place)
        assert 0 < site.size <= 2 * min(others)
        assert site.shape < len(drawing.shapes)


@settings(max_examples=tries(60), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 60), st.integers(0, 2**32))
def test_every_piece_has_a_drawing(game: str, moves: int, seed: int) -> None:
    scene = played(start(game), moves, seed).scene
    looks = {(form.kind, form.owner) for form in scene.drawing.forms if not form.sites}
    for spot in scene.spots:
        assert spot.piece is None or (spot.piece.kind, spot.piece.owner) in looks


@pytest.mark.parametrize("game", GAMES)
def test_both_themes_have_their_colours(game: str) -> None:
    state = played(start(game), 8, 3)
    light, dark = (scene_svg(state.scene, theme=theme) for theme in ("light", "dark"))
    assert light != dark
    assert not {part for part in (light, dark) if "var(" in part}
    both = scene_svg(state.scene, theme="both")
    assert "prefers-color-scheme:dark" in both
    used = set(re.findall(r"var\((--rw-[0-9A-F-]+)\)", both))
    assert used
    assert all(f"{name}:#" in both for name in used)
    assert used <= state.scene.drawing.colours.keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_thumbnail_is_the_board_alone(game: str) -> None:
    scene = played(start(game), 8, 3).scene
    root = ET.fromstring(thumbnail_svg(scene))
    assert float(root.attrib["width"]) == pytest.approx(scene.drawing.width)
    classes = {group.get("class") for group in root.iter(f"{SVG}g")}
    assert "ground" in classes
    assert not classes & {"site", "coordinates", "mover"}
    assert not list(root.iter(f"{SVG}title"))
    whole = ET.fromstring(scene_svg(scene))
    sites = [group for group in whole.iter(f"{SVG}g") if group.get("class") == "site"]
    pieces = sum(len(list(site.iter(f"{SVG}use"))) for site in sites)
    used = [use.attrib["href"].removeprefix("#") for use in root.iter(f"{SVG}use")]
    assert pieces <= sum(name.startswith("rw") for name in used)
    defined = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(set(defined)) == len(defined)
    assert set(used) <= set(defined)


@pytest.mark.parametrize("game", GAMES)
def test_coordinates_stay_in_the_picture(game: str) -> None:
    scene = start(game).scene
    root = ET.fromstring(
        f'<svg xmlns="http://www.w3.org/2000/svg">{scene.drawing.coordinates}</svg>'
    )
    for text in root.iter(f"{SVG}text"):
        size = float(text.attrib["font-size"])
        wide = 0.6 * size * len(text.text or "")
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.attrib["text-anchor"]]
        left = float(text.attrib["x"]) - share * wide
        assert left >= -1
        assert left + wide <= scene.drawing.width + 1
        assert size * 0.7 <= float(text.attrib["y"]) <= scene.drawing.height


def test_sides_differ_by_more_than_colour() -> None:
    """Pieces of both sides in one colour would still be told apart, or are black and white."""
    same = palette()["ash"]
    for game in GAMES:
        rules = start(game).game.rules
        dressing = default_dressing(rules)
        if {side.colour.name for side in dressing.sides} == {"white", "black"}:
            continue
        sides = (evolve(dressing.sides[0], colour=same), evolve(dressing.sides[1], colour=same))
        drawing = drawing_of_rules(rules, evolve(dressing, sides=sides))
        looks = {(form.kind, form.owner): form.symbol for form in drawing.forms}
        for kind in rules.kinds:
            if kind.letters[0] and kind.letters[1]:
                assert looks[kind.name, 0] != looks[kind.name, 1], (game, kind.name)


# --- any rules, any look ---


@settings(max_examples=tries(15), deadline=None)
@given(rule_files())
def test_any_ruleset_is_drawn(text: str) -> None:
    try:
        rules = loads(text).rules
    except RulewrightError:
        return
    drawing = drawing_of_rules(rules)
    for markup in (drawing.ground, drawing.over, drawing.coordinates, *drawing.symbols.values()):
        root = ET.fromstring(f"<svg>{markup}</svg>")
        numbers = [n for p in root.iter("path") for n in POINT.findall(p.attrib["d"])]
        assert all(math.isfinite(float(number)) for number in numbers)


MATERIALS = get_args(Material)
SHAPES = ("dot", "band", "rail", "area", "gap", "line", "square", "path")


@settings(max_examples=tries(120), deadline=None)
@given(st.data(), st.sampled_from(GAMES))
def test_any_dressing_is_drawn(data: st.DataObject, game: str) -> None:
    state = played(start(game), 6, 1)
    rules = state.game.rules
    sites = range(len(rules.board.names))
    some = st.lists(st.sampled_from(sites), max_size=8, unique=True)
    spans = st.dictionaries(st.sampled_from(sites), st.tuples(*[st.sampled_from(sites)] * 2))
    colour = st.sampled_from(list(palette().values()))
    outline = st.sampled_from(["M20 20H80V80z", "M", "m-9 9a9 9 0 1 1 0-99", '"/><script>'])
    ground = st.builds(Ground, some.map(tuple), st.sampled_from(SHAPES), colour, spans, outline)
    owners = st.sampled_from([None, 0, 1])
    ways = st.sampled_from(get_args(PileWay))
    names = st.sampled_from([*piece_drawings(), "letter", "bar", "path", "no such drawing"])
    kinds = st.sampled_from([kind.name for kind in rules.kinds] or ["no such kind"])
    piece = st.builds(
        PieceLook, kinds, names, st.sampled_from([None, 0, 1, 2]), some.map(frozenset), colour,
        st.sampled_from(["M20 20H80V80z", '"/><script>'], ), spans,
        sign=st.sampled_from([*signs(), "", "no such sign"]),
    )  # fmt: skip
    dressing = evolve(
        default_dressing(rules),
        material=data.draw(st.sampled_from(MATERIALS)),
        colours=tuple(data.draw(st.lists(colour, min_size=1, max_size=2))),
        columns=tuple(data.draw(st.lists(st.integers(1, 9), max_size=3))),
        turned=data.draw(st.sampled_from([0, 30, 90, -45])),
        coordinates=data.draw(st.sampled_from(["inside", "outside", "hover", "none"])),
        cards=tuple(data.draw(st.lists(st.builds(CardLook, owners, some.map(tuple)), max_size=5))),
        has_dice=data.draw(st.booleans()),
        piles=data.draw(st.dictionaries(st.sampled_from(sites), ways)),
        numbers=(data.draw(names), data.draw(colour)),
        labels=data.draw(st.dictionaries(st.sampled_from(sites), st.integers(-(10**9), 10**9))),
        grounds=tuple(data.draw(st.lists(ground, max_size=3))),
        pieces=tuple(data.draw(st.lists(piece, max_size=3))),
    )
    text = scene_svg(evolve(state.scene, drawing=drawing_of_rules(rules, dressing)))
    ET.fromstring(text)
    assert "script" not in text


@given(st.text('MLhz09 .,-<"(=:#&', max_size=12).map("M0 0".__add__))
def test_a_path_holds_nothing_but_path_data(text: str) -> None:
    if set(text) & set("<>&\"'()=:;#"):
        assert not is_path(text)
    if not is_path(text):
        return
    assert set(text) <= set("MmLlHhVvCcSsQqTtAaZz0123456789.+- \t\n\r\f\v,")


@pytest.mark.parametrize("text", ['M0 0"/><script/>', "url(#a)", "", "M1e9 0", "M0 0" * 2000])
def test_what_is_no_path_is_refused(text: str) -> None:
    assert not is_path(text)


def test_bundled_drawings_are_paths_of_known_roles() -> None:
    roles = {"none", "fill", "edge", "shade", "mark", "light", "soft", "rim", "shadow", "ink"}
    for name, drawing in piece_drawings().items():
        for part in drawing.parts:
            assert is_path(part.path or drawing.outline), name
            assert {part.fill, part.line or "none"} <= roles, name


def test_a_theme_leaves_no_variable() -> None:
    assert in_theme("var(--rw-112233-445566)", "light") == "#112233"
    assert in_theme("var(--rw-112233-445566)", "dark") == "#445566"


# --- two lattices that need a dressing: strokes from site to site, columns of two widths ---


def lattice(game: str) -> Dressing:
    return default_dressing(start(game).game.rules)


def test_columns_of_two_widths_repeat() -> None:
    rules = start("dots").game.rules
    drawing = drawing_of_rules(rules, evolve(lattice("dots"), columns=(1, 5), rows=(1, 5)))
    xs = sorted({site.place[0] for site in drawing.sites})
    steps = [round(b - a, 1) for a, b in pairwise(xs)]
    assert max(steps) - min(steps) <= 0.11
    sizes = {site.size for site in drawing.sites}
    assert len(sizes) == 2
    assert max(sizes) / min(sizes) == pytest.approx(5, rel=0.02)


@pytest.mark.parametrize(
    ("data", "box"),
    [
        ("M 10 20 h 30 v -50 l 5 5 Z", (10, -30, 45, 20)),
        ("M 50 -50 A 100 100 0 1 0 150 50", (-50, -50, 150, 150)),
        ("M 150 50 A 100 100 0 0 0 50 -50", (50, -50, 150, 50)),
        ("M 0 0 C 0 100 100 100 100 0", (0, 0, 100, 75)),
        ("M0 0a50 25 0 0 1 100 0", (0, -25, 100, 0)),
    ],
)
def test_a_path_reaches_as_far_as_its_curves(data: str, box: tuple[float, ...]) -> None:
    xs, ys = zip(*path_points(data), strict=True)
    assert (min(xs), min(ys), max(xs), max(ys)) == pytest.approx(box, abs=0.5)


@pytest.mark.parametrize("material", MATERIALS)
def test_a_board_holds_what_its_look_draws_beyond_the_sites(material: Material) -> None:
    """Up to three sites: a path of somebody's own makes no board as wide as it likes."""
    rules = start("tictactoe").game.rules
    plain = evolve(lattice("tictactoe"), material=material, coordinates="outside")
    far = [f"M 50 50 H {-50 - 100 * sites} v 9 Z" for sites in (1, 50)]
    widths = [
        drawing_of_rules(rules, evolve(plain, grounds=(Ground((0,), "path", path=path),))).width
        for path in ("M 5 5 h 9 v 9 Z", *far)
    ]
    assert widths[0] == drawing_of_rules(rules, plain).width
    assert widths[1] - widths[0] > CELL * 2
    assert CELL * 4 < widths[2] - widths[0] < CELL * 7


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_layers_make_a_picture_about_as_wide_as_it_is_high(size: int) -> None:
    drawing = drawing_of_rules(load_with("qubic", {"size": str(size)}).rules)
    assert 0.4 < drawing.width / drawing.height < 2.5
    places = [site.place for site in drawing.sites]
    assert min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i]) >= CELL * 0.99


def test_a_bar_goes_from_site_to_site() -> None:
    state = start("spanit").play("M00")
    rules = state.game.rules
    site = rules.board.by_name["M00"]
    ends = site - rules.board.width, site + rules.board.width
    look = PieceLook("span", "bar", 0, frozenset({site}), spans={site: ends})
    drawing = drawing_of_rules(rules, evolve(lattice("spanit"), pieces=(look,)))
    form = [f for f in drawing.forms if f.kind == "span" and f.owner == 0][-1]
    assert form.sites == (site,)
    assert f"M0 {-CELL:g}L0 {CELL:g}" in drawing.symbols[form.symbol]
    assert form.halo in drawing.symbols


@pytest.mark.parametrize("name", sorted(signs()))
def test_a_sign_is_paths_within_its_box(name: str) -> None:
    sign = signs()[name]
    paths = [path for path in (sign.lines, sign.solid, sign.holes) if path]
    assert paths
    assert all(map(is_path, paths))
    # relative parts are small; what is absolute lies in the box
    absolute = [float(n) for path in paths for n in POINT.findall(path)]
    assert max(map(abs, absolute)) <= 100
    both = [
        piece_markup(piece_drawings()["counter"], palette()["red"], owner, "", sign)
        for owner in (0, 1)
    ]
    assert all(path in text for path in paths for text in both)


def test_a_wedge_points_at_the_other_player_in_any_colour() -> None:
    rules = start("minishogi").game.rules
    pieces = (PieceLook("pawn", "wedge", colour=palette()["ivory"], sign="kanji_pawn"),)
    drawing = drawing_of_rules(rules, evolve(default_dressing(rules), pieces=pieces))
    first, second = (
        next(f for f in drawing.forms if (f.kind, f.owner) == ("pawn", owner)) for owner in (0, 1)
    )
    assert first.points
    assert second.points
    turned = f'<g transform="rotate(180)">{drawing.symbols[first.symbol]}</g>'
    assert drawing.symbols[second.symbol] == turned


def test_the_page_of_looks_lists_all_drawings_and_signs() -> None:
    text = (ROOT / "docs" / "looks.md").read_text("utf-8")
    assert [name for name in (*piece_drawings(), *signs()) if f"`{name}`" not in text] == []


def test_games_of_one_sheet_have_drawings_of_their_own() -> None:
    """Breakthrough once had the kings of the game before it: brief names were alike."""
    text = "".join(
        sheet("light", {name: start(name).scene for name in ("amazons", "breakthrough")})
    )
    names = re.findall(r' id="([^"]*)"', text)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]*)"', text)) <= set(names)
