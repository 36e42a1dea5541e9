"""Drawings: every bundled game is drawn well-formed, complete and always the same."""

import random
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with, loads
from rulewright.games.render.palette import palette
from rulewright.games.render.pattern_pictures import patterns_svg
from rulewright.games.render.scene import Fact
from rulewright.games.render.scene_building import scene_of
from rulewright.games.render.svg import Annotations, scene_svg
from rulewright.model.patterns import Pattern
from tests.shared.drawing import HEAD, SMALL, STARS, TAIL
from tests.shared.effort import tries
from tests.shared.sample import chosen

SVG = "{http://www.w3.org/2000/svg}"
MOVES = 8
GAMES = chosen()


def played(state: State, moves: int, seed: int = 7) -> State:
    chance = random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state = state.play(chance.choice(state.moves.texts))
    return state


@cache
def start(game: str) -> State:
    return load_with(game, SMALL.get(game, {})).start()


@cache
def later(game: str) -> State:
    return played(start(game), MOVES)


def drawn(state: State, **marks: str) -> ET.Element:
    board = state.game.rules.board
    numbered = {board.by_name[name]: text for name, text in marks.items()}
    return ET.fromstring(
        scene_svg(scene_of(state.game.play, state.situation.position), Annotations(numbered))
    )


def groups(root: ET.Element, name: str) -> list[ET.Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == name]


def symbols(root: ET.Element, group: ET.Element) -> list[ET.Element]:
    """The drawings that a group uses."""
    by_id = {g.attrib["id"]: g for g in root.iter(f"{SVG}g") if "id" in g.attrib}
    return [by_id[use.attrib["href"][1:]] for use in group.iter(f"{SVG}use")]


def titles(root: ET.Element) -> list[str]:
    return [title.text or "" for title in root.iter(f"{SVG}title")]


def texts(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("state_of", [start, later])
def test_every_kept_site_has_one_title_and_every_piece_is_in_it(
    game: str, state_of: Callable[[str], State]
) -> None:
    state = state_of(game)
    rules, position = state.game.rules, state.situation.position
    root = drawn(state)
    assert len(groups(root, "site")) == rules.board.count
    names = [title.partition(":")[0] for title in titles(root)]
    assert sorted(names) == sorted(rules.board.by_name)
    told = position.full.bit_count() + len(state.scene.shown.numbers)
    assert sum(":" in title for title in titles(root)) == told


@pytest.mark.parametrize("game", GAMES)
def test_all_numbers_are_finite_and_inside_the_page(game: str) -> None:
    root = drawn(later(game))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for circle in root.iter(f"{SVG}circle"):
        x, y, radius = (float(circle.attrib[key]) for key in ("cx", "cy", "r"))
        assert radius <= x <= width - radius
        assert radius <= y <= height - radius


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_always_drawn_the_same(game: str) -> None:
    again = played(load_with(game, SMALL.get(game, {})).start(), MOVES)
    assert again.svg() == later(game).svg() == later(game)._repr_mimebundle_()["image/svg+xml"]


@pytest.mark.parametrize("game", ["twixt", "coins"])
def test_every_link_is_drawn_once(game: str) -> None:
    state = start(game)
    if game == "twixt":
        state = state.play("c3 c6 d5 e5 e3 f3")
    links = sum(mask.bit_count() for mask in state.situation.position.links)
    assert links > 0
    assert len(groups(drawn(state), "link")) == links


def test_links_have_the_colour_of_their_pegs() -> None:
    root = drawn(start("twixt").play("c3 c6 d5 e5"))
    (colours,) = {
        frozenset(path.attrib["fill"] for path in symbol.iter(f"{SVG}path"))
        for group in groups(root, "site")
        if "red peg" in (group[0].text or "")
        for symbol in symbols(root, group)
    }
    (link,) = [g for g in groups(root, "link") if len(g) == 2]
    assert link[-1].attrib["stroke"] in colours
    assert link[-1].attrib["stroke"] == palette()["red"].light


@pytest.mark.parametrize("game", ["dots", "spanit"])
def test_empty_sites_of_a_labelled_board_show_their_labels(game: str) -> None:
    state = later(game)
    board, full = state.game.rules.board, state.situation.position.full
    shown = set(texts(drawn(state)))
    assert {n for n, site in board.by_name.items() if not full >> site & 1} <= shown


def test_a_lattice_shows_rows_and_columns_instead() -> None:
    shown = texts(drawn(start("hex")))
    assert shown == [*"12345", *"abcde", "red", "blue", "red to move"]


def test_a_circle_of_sites_shows_their_names_and_lines() -> None:
    root = drawn(loads(HEAD + STARS + TAIL).start())
    assert {"one", "two", "three"} <= set(texts(root))
    (ground,) = groups(root, "ground")
    lines = [p.attrib["d"] for p in ground.iter(f"{SVG}path") if "L" in p.attrib["d"]]
    assert [line.count("L") for line in lines] == [2]


@pytest.mark.parametrize("game", GAMES)
def test_no_two_kinds_or_sides_look_alike(game: str) -> None:
    drawing = later(game).scene.drawing
    looks = {(form.kind, form.owner): form.symbol for form in drawing.forms}
    assert len(set(looks.values())) == len(looks)
    assert {*looks.values()} <= drawing.symbols.keys()


def test_letters_tell_kinds_that_have_no_drawing() -> None:
    assert not {"Q", "q"} & set(texts(drawn(start("amazons"))))
    assert {"V", "H"} <= set(texts(drawn(start("spanit").play("M00 m00"))))
    assert not {"X", "O"} & set(texts(drawn(start("othello"))))


def test_marks_are_written_and_escaped() -> None:
    root = drawn(start("hex"), a1="<&>", c3="50%")
    assert [g[0].text for g in groups(root, "mark")] == ["<&>", "50%"]


# --- any text ---

STRANGE = st.text(
    st.one_of(
        st.characters(codec=None),  # surrogates and controls too
        st.sampled_from("\x00\x1b\x7f\ufffe\uffff\u202e\u2066\u061c<>&'\"]"),
    ),
    max_size=20,
)


@settings(max_examples=tries(60), deadline=None)
@given(st.lists(STRANGE, min_size=9, max_size=9))
def test_whatever_names_hold_the_document_is_well_formed(names: list[str]) -> None:
    """Names of rules, sites and files come from anybody."""
    scene = start("spanit").scene
    spots = tuple(
        evolve(s, name=names[0], piece=s.piece and evolve(s.piece, letter=names[1], kind=names[2]))
        for s in scene.spots
    )
    scene = evolve(
        scene, spots=spots, game=names[3], players=(names[4], names[5]), last_turn=names[6],
        facts=(Fact(names[7], (names[8], names[0])), Fact(names[1], (names[2],))),
        mover=names[4],
    )  # fmt: skip
    text = scene_svg(scene, Annotations({s.site: names[6] for s in spots}))
    ET.fromstring(text.encode("utf-8"))
    assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u061c") & set(text)


@given(STRANGE, STRANGE)
def test_whatever_patterns_are_called_their_pictures_are_well_formed(a: str, b: str) -> None:
    pattern = Pattern(a, False, True, (), (0, 1), about=b)
    ET.fromstring(patterns_svg([pattern]).encode("utf-8"))


# --- what a player must see ---


def seen(game: str, moves: str, **options: int | bool) -> ET.Element:
    return ET.fromstring(load_with(game, options).start().play(moves).svg())


def test_hands_the_mover_and_the_last_turn_are_shown() -> None:
    root = seen("morris", "a7 b6")
    assert texts(root)[-3:] == ["white   hand: 8", "black   hand: 8", "white to move, last: b6"]
    (mover,) = groups(root, "mover")
    signs = [u.attrib["transform"] for u in root.findall(f"{SVG}use")]
    heights = [sign.split()[1].partition(")")[0] for sign in signs]
    assert mover[0].attrib["cy"] == heights[0] != heights[-1]


def test_no_state_is_shown_that_a_player_need_not_see() -> None:
    shown = " ".join(texts(seen("conniption", "! 4")))
    assert "flips: 3" in shown
    assert "settled" not in shown


def test_what_won_has_a_ring_and_the_status_says_who() -> None:
    root = seen("connect4", "1 1 2 2 3 3 4")
    assert len(groups(root, "won")) == 4
    assert texts(root)[-1] == "yellow wins, last: 4"
    assert not groups(root, "mover")


def test_a_link_that_the_last_turn_took_away_is_still_to_be_guessed() -> None:
    assert not groups(drawn(start("coins")), "gone")
    root = seen("coins", "a2-b2 a1-b1")
    assert (len(groups(root, "gone")), len(groups(root, "link"))) == (1, 22)


def test_pieces_between_gaps_are_strokes() -> None:
    root = seen("dots", "h12 v21")
    strokes = [g for g in groups(root, "site") if "stroke" in (g[0].text or "")]
    assert len(strokes) == 2
    for group in strokes:
        (symbol,) = symbols(root, group)
        assert {path.attrib["fill"] for path in symbol.iter(f"{SVG}path")} == {"none"}
    spots = seen("spanit", "M00")
    (span,) = [g for g in groups(spots, "site") if "span" in (g[0].text or "")]
    (symbol,) = symbols(spots, span)
    assert {path.attrib["fill"] for path in symbol.iter(f"{SVG}path")} == {"none"}


@pytest.mark.parametrize("game", GAMES)
def test_texts_below_the_board_end_inside_the_page(game: str) -> None:
    root = ET.fromstring(later(game).svg())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for text in list(root.iter(f"{SVG}text"))[-3:]:
        wide = 0.6 * float(text.attrib["font-size"]) * len(text.text or "")
        assert float(text.attrib["x"]) + wide <= width
        assert float(text.attrib["y"]) < height


def test_pieces_in_hand_stand_behind_their_player() -> None:
    state = start("crazyhouse").play("e2e4 d7d5 e4d5 d8d5 b1c3 d5d8")
    root = ET.fromstring(state.svg())
    titles = [hand[0].text for hand in root.iter(f"{SVG}g") if hand.get("class") == "hand"]
    assert titles == ["1 pawn in hand", "1 pawn in hand"]
    assert not [text for text in texts(root) if "hand:" in text]
    empty = ET.fromstring(start("shogi").svg())
    assert not [group for group in empty.iter(f"{SVG}g") if group.get("class") == "hand"]
