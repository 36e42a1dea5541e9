"""What is to be seen of a position, and the board as text that is drawn from it."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import PositionError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with, loads
from rulewright.games.render.board_text import board_lines, plain
from rulewright.games.render.dressing import Shown
from tests.shared.drawing import HEAD, SMALL, STARS, TAIL
from tests.shared.effort import tries
from tests.shared.sample import chosen

GAMES = chosen()


@cache
def start(game: str, **options: int | bool) -> State:
    return load_with(game, {**SMALL.get(game, {}), **options}).start()


def picture(state: State, width: int | None = None) -> list[str]:
    return plain(board_lines(state.scene, width)).splitlines()


def names(state: State, sites: frozenset[int]) -> set[str]:
    return {state.game.rules.board.names[site] for site in sites}


@settings(max_examples=tries(40), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(0, 40))
def test_the_board_that_people_see_reads_back_as_the_position(
    game: str, seed: int, moves: int
) -> None:
    """Brackets, lines and links between sites are no part of the position."""
    state, chance = start(game), random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state = state.play(chance.choice(state.moves.texts))
    seen = "\n".join([*picture(state), *state.text().split("\n\n")[-1].splitlines()])
    assert state.game.read(seen).text() == state.text()


def test_columns_that_are_moves_are_labelled_as_they_are_typed() -> None:
    assert picture(start("connect4"))[-1] == "  1 2 3 4 5 6 7"
    assert picture(start("conniption"))[-1] == "  1 2 3 4 5 6 7"
    assert picture(start("tictactoe"))[-1] == "  a b c"


def test_labels_of_columns_may_be_letters_or_numbers_when_read() -> None:
    state = start("connect4").play("4 4 3")
    text = state.text()
    assert state.game.read(text.replace("1 2 3 4 5 6 7", "a b c d e f g")).same(state)


def test_hyphens_are_empty_sites_where_they_are_no_lines() -> None:
    board = "3 - X -\n2 - O -\n1 - - -\n"
    assert start("tictactoe").game.read(board).board() == board.replace("-", ".") + "  a b c"


WON = [
    ("connect4", {}, "1 2 1 2 1 2 1", "a1 a2 a3 a4"),
    ("conniption", {}, "2 1 4 3 1 2 3 4 2 7 4 7!", None),
    ("tictactoe", {}, "a1 b1 a2 b2 a3", "a1 a2 a3"),
    ("hex", {"size": 3}, "a3 c3 a2 b3 a1", "a1 a2 a3"),
    ("y", {"size": 3}, "c2 a1 b2 c1 c3 b1", "a1 b1 c1"),
    ("havannah", {"size": 3}, "a5 d2 b5 b4 c1 d3 d4 c2 b2 b3 c3 c4", "d2 d3 c4 b4 b3 c2"),
    ("twixt", {"size": 6, "pie": False}, "b1 e4 b5 a4 d6 a5 c3", "b1 c3 b5 d6"),
    ("spanit", {"size": 2}, "M11 m00 M01", "V01 M01 V11 M11 V21"),
]


@pytest.mark.parametrize(("game", "options", "moves", "sites"), WON)
def test_the_end_rule_names_the_winning_sites(
    game: str, options: dict[str, int | bool], moves: str, sites: str | None
) -> None:
    state = start(game, **options).play(moves)
    winning = state.scene.winning
    assert state.over
    assert winning
    owned = state.situation.position.owned
    winner = state.game.players.index(state.scene.winner or "")
    assert all(owned[winner] >> site & 1 for site in winning)
    if sites is not None:
        assert names(state, winning) == set(sites.split())


@pytest.mark.parametrize(
    ("game", "options"),
    [("hex", {"size": 5}), ("y", {"size": 5}), ("spanit", {"size": 3}), ("twixt", {"size": 8})],
)
@settings(max_examples=tries(8), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_chain_that_won_has_no_dead_ends(
    game: str, options: dict[str, int | bool], seed: int
) -> None:
    """Each of its sites that has a single neighbour in it lies on an edge of the board."""
    chance, state = random.Random(seed), start(game, **options)
    while not state.over:
        state = state.play_decision(chance.choice(state.moves.texts))
    board, position = state.game.rules.board, state.situation.position
    winning = state.scene.winning
    mask, border = sum(1 << site for site in winning), board.region("border") or 0
    near: Any = board.neighbours(board.steps["near"])
    if position.links:
        near = state.situation.play.context(position).links[0].neighbours(position.links[0])
    for site in winning:
        assert (near[site] & mask).bit_count() > 1 or border >> site & 1, names(state, winning)


@pytest.mark.parametrize(
    ("game", "moves"),
    [("tictactoe", "a1 a2 b1 b2 a3 b3 c2 c1 c3"), ("connect4", "1 2 1 2 1 2"), ("othello", "d3")],
)
def test_nothing_is_marked_as_winning_where_nobody_won(game: str, moves: str) -> None:
    assert not start(game).play(moves).scene.winning


@pytest.mark.parametrize(
    ("game", "moves", "reached", "left"),
    [
        ("tictactoe", "a1 b2", "b2", ""),
        ("amazons", "a4-b5/c6", "b5 c6", "a4"),
        ("amazons", "a4-b5", "b5", "a4"),
        ("chess", "e2e4 d7d5 e4d5", "d5", "e4"),
        ("othello", "d3", "d3", ""),
        ("conniption", "4 4!", "", ""),
        ("conniption", "4 4", "d2", ""),
        ("dots", "h12 v21 h11 v11", "v11 b11", ""),
    ],
)
def test_the_last_turn_is_marked_where_it_went(
    game: str, moves: str, reached: str, left: str
) -> None:
    state = start(game).play(moves)
    assert names(state, state.scene.last) == set(reached.split())
    assert names(state, state.scene.left) == set(left.split())


def test_links_are_drawn_between_the_holes() -> None:
    state = start("twixt").play("c3 c6 d5 e5 e3 f3")
    assert picture(state)[4:12] == [
        "3 . . o . o(x). .",
        "       \\ / /",
        "4 . . .\\././. . .",
        "       \\ / /",
        "5 . . . o x . . .",
        "       .-'",
        "6 . . x . . . . .",
        "",
    ]


def test_winning_sites_that_stand_side_by_side_share_their_brackets() -> None:
    state = start("connect4").play("1 1 2 2 3 3 4")
    assert picture(state)[-2:] == ["1[X X X X]. . .", "  1 2 3 4 5 6 7"]


def test_states_that_a_player_must_see() -> None:
    def facts(state: State) -> dict[str, tuple[str, ...]]:
        return {fact.name: fact.values for fact in state.scene.facts}

    assert facts(start("morris").play("a7")) == {"hand": ("8", "9")}
    assert facts(start("conniption").play("! 4")) == {"flips": ("3", "4")}
    assert facts(start("chess").play("e2e4")) == {}
    assert facts(start("threecheck").play("e2e4")) == {"suffered": ("0", "0")}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_board_fits_the_width_or_says_what_is_left_out(game: str, width: int) -> None:
    state = start(game)
    shown = picture(state, width)
    whole = picture(state)
    assert max(map(len, shown[:-1])) <= width
    if max(map(len, whole)) > width:
        is_whole = "\n".join(shown).count(".") == "\n".join(whole).count(".")
        assert is_whole or shown[-1].startswith(("columns ", f"{width} of "))


def test_labels_of_two_letters_stand_on_their_heads_where_width_is_dear() -> None:
    state = start("connect5", size=31)
    assert max(map(len, picture(state))) > 80 >= max(map(len, picture(state, 80)))
    assert "columns" not in picture(state, 80)[-1]


def test_a_circle_of_sites_shows_names_and_reads_back() -> None:
    state = loads(HEAD + STARS + TAIL).start().play("two")
    assert state.game.read(state.text()).text() == state.text()


@pytest.mark.parametrize("signs", ["\\|", "()", "[/", "X)"])
def test_pieces_may_look_like_lines_and_brackets(signs: str) -> None:
    """Then nothing is drawn that would read like them."""
    board = f'board square 3 by 3\nlinks wire along orthogonal\npieces stone "{signs}"'
    text = HEAD + board + TAIL.replace("put stone at s", "put stone at s\n  link s to near(s) own")
    state = loads(text).start().play("b2 a1 a2 c3")
    seen = "\n".join(picture(state)) + state.text().removeprefix(state.board())
    assert state.game.read(seen).text() == state.text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 . . .\n2 . Z .\n1 . . .\n", "line 2, column 5: `Z` on b2 is no piece"),
        ("3 . . .\n2 . . . .\n1 . . .\n", "line 2, column 9: this row has 3 sites, and 4 are"),
        ("3 . . .\n2 . .\n1 . . .\n", "line 2: this row has 3 sites, and 2 are shown"),
        ("3 . . .\n2 . . .\n", "line 2: the board has 3 rows, and 2 are shown"),
        ("1 . . .\n2 . . .\n3 . . .\n", "line 1: this row is called 1; 3 is expected here"),
        ("3 . . .\n. . .\n1 . . .\n  a b c\n", "line 2, column 1: a row of the board begins"),
        ("3 . . .\n2 . . .\n1 . . .\n\nply: x\n", "line 5: `x` is no value of `ply`"),
        ("3 . . .\n2 . . .\n1 . . .\n\nplies: 2\n", "line 5: nothing is called `plies`"),
    ],
)
def test_mistakes_of_a_drawn_board_have_their_place(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        start("tictactoe").game.read(text)
    assert str(caught.value).startswith(message)


@settings(max_examples=tries(60), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(0, 60))
def test_the_board_of_a_text_is_the_one_that_is_drawn(game: str, seed: int, moves: int) -> None:
    """Texts fill in a blank board; everything else draws the scene."""
    state, chance = start(game), random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state = state.play_decision(chance.choice(state.moves.texts))
    bare = evolve(state.scene, shown=Shown())  # positions as text have numbers below the board
    assert state.board() == plain(board_lines(bare, marked=False))
    assert state.text().startswith(state.board() + "\n\n")


LINKED = """format 1
game linked
players red blue
board square 5 by 4
pieces stone "{letters}"
let knight = leap(1, 2)
links bridge along knight
move place
  choose s in empty
  put stone at s
  link s to those(p in own knight(s) : not crossed(s, p, sites))
turn place
win when some(g in groups(own, bridge) : g meets left and g meets right)
draw when stuck
"""


@pytest.mark.parametrize("letters", ["xo", "/|", "()"])
def test_links_and_odd_signs_are_drawn_alike(letters: str) -> None:
    state, chance = loads(LINKED.format(letters=letters)).start(), random.Random(3)
    while not state.over:
        assert state.board() == plain(board_lines(state.scene, marked=False))
        state = state.play_decision(chance.choice(state.moves.texts))


WORTHS = """format 1
game worths
players red blue
board square 3 by 2
pieces stone "AB"
state worth each s in sites = 10 * (x(s) - 1) in 0..99
state points each = 0 in 0..99
move take
  choose s in empty
  put stone at s
  points := points + worth(s)
turn take
score points - points for enemy when stuck
"""


def test_numbers_stand_at_empty_sites_and_are_read_back_as_such() -> None:
    state = loads(WORTHS).start().play("b2 a1")
    assert picture(state) == ["2 .  A  20", "1(B) 10 20", "  a  b  c"]
    shown = "\n".join([*picture(state), *state.text().splitlines()[len(picture(state)) :]])
    assert state.game.read(shown).text() == state.text()


def test_a_number_hides_no_piece_in_a_picture() -> None:
    svg = loads(WORTHS).start().play("b2 a1").svg()
    assert "<title>b2: red stone, 10</title>" in svg
    assert "<title>c1: 20</title>" in svg
    assert svg.count(">20</text>") == 2
    assert svg.count("<use ") >= 2
