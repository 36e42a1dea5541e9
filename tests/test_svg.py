"""Drawings: every bundled game is drawn well-formed, complete and always the same."""

import random
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache

import pytest

from rulewright import loading
from rulewright.game import State
from rulewright.picture.svg import position_svg

SVG = "{http://www.w3.org/2000/svg}"
SMALL = {
    "connect5": {"size": 7},
    "havannah": {"size": 4},
    "hex": {"size": 5},
    "pente": {"size": 7},
    "spanit": {"size": 3},
    "twixt": {"size": 8},
}
MOVES = 8
GAMES = sorted(loading.bundled())

HEAD = "format 1\ngame drawn\nplayers first second\n"
TAIL = """
move place
  choose s in empty
  put stone at s
turn place
draw when no empty sites
"""
STARS = "board graph\n  line one two three\n" + 'pieces stone "XO"'


def played(state: State, moves: int, seed: int = 7) -> State:
    chance = random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state = state.play(chance.choice(state.moves()))
    return state


@cache
def start(game: str) -> State:
    return loading.load_with(game, SMALL.get(game, {})).start()


@cache
def later(game: str) -> State:
    return played(start(game), MOVES)


def drawn(state: State, **marks: str) -> ET.Element:
    board = state.game.rules.board
    numbered = {board.by_name[name]: text for name, text in marks.items()}
    return ET.fromstring(position_svg(state.game.play, state.situation.position, numbered))


def groups(root: ET.Element, name: str) -> list[ET.Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == name]


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
    assert sum(":" in title for title in titles(root)) == position.full.bit_count()


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
    again = played(loading.load_with(game, SMALL.get(game, {})).start(), MOVES)
    assert again.svg() == later(game).svg() == later(game)._repr_svg_()


@pytest.mark.parametrize("game", ["twixt", "coins"])
def test_every_link_is_drawn_once(game: str) -> None:
    state = start(game)
    if game == "twixt":
        state = state.play("c3 c6 d5 e5 e3 f3")
    links = sum(mask.bit_count() for mask in state.situation.position.links)
    assert links > 0
    assert len(groups(drawn(state), "link")) == links


def test_links_have_the_colour_of_their_pegs() -> None:
    state = start("twixt").play("c3 c6 d5 e5")
    colours = {
        circle.attrib["fill"]
        for group in groups(drawn(state), "site")
        for circle in group.iter(f"{SVG}circle")
        if "red peg" in (group[0].text or "")
    }
    (link,) = [g for g in groups(drawn(state), "link") if len(g) == 2]
    assert colours == {link[1].attrib["stroke"]}


@pytest.mark.parametrize("game", ["dots", "spanit"])
def test_empty_sites_of_a_labelled_board_show_their_labels(game: str) -> None:
    state = later(game)
    board, full = state.game.rules.board, state.situation.position.full
    shown = set(texts(drawn(state)))
    assert {n for n, site in board.by_name.items() if not full >> site & 1} <= shown


def test_a_lattice_shows_rows_and_columns_instead() -> None:
    shown = texts(drawn(start("hex")))
    assert shown == [*"12345", *"abcde", "red", "blue"]


def test_a_circle_of_sites_shows_their_names_and_lines() -> None:
    root = drawn(loading.loads(HEAD + STARS + TAIL).start())
    assert {"one", "two", "three"} <= set(texts(root))
    assert len(list(root.iter(f"{SVG}line"))) == 2


def test_letters_tell_kinds_where_there_are_several() -> None:
    assert {"Q", "q"} <= set(texts(drawn(start("amazons"))))
    assert not {"X", "O"} & set(texts(drawn(start("othello"))))


def test_marks_are_written_and_escaped() -> None:
    root = drawn(start("hex"), a1="<&>", c3="50%")
    assert [g[0].text for g in groups(root, "mark")] == ["<&>", "50%"]
