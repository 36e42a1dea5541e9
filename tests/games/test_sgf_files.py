"""SGF files of others: encodings, collections, set-up, handicaps, marks and what may be missing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import FileHints, read_game, read_games
from rulewright.matches.protocols import move_list, sgf
from rulewright.matches.protocols.recorded import Recorded, Variation
from rulewright.matches.protocols.sgf_text import game_spans
from rulewright.model.board import bits
from tests.shared.effort import tries

pytest.importorskip("sgfmill")
COLLECTION = (
    "(;GM[1]SZ[9];B[ee];W[cc])\n(;GM[11]SZ[5]C[\\) (];B[a1](;W[b1])(;W[c1]))  (;SZ[5];B[aa])"
)
ENCODED = [("GB2312", "棋谱"), ("Big5", "棋譜"), ("Shift_JIS", "囲碁"), ("latin-1", "Zürich")]


@pytest.mark.parametrize(("name", "comment"), ENCODED)
def test_a_file_is_read_in_the_encoding_that_it_names(name: str, comment: str) -> None:
    data = f"(;GM[1]SZ[9]CA[{name}]C[{comment}];B[ee])".encode(name)
    game = sgf.read(data, "game.sgf")
    assert game.comments[0] == comment
    assert comment.encode() in sgf.write(game)


def test_a_file_of_an_encoding_that_does_not_fit_is_refused() -> None:
    data = "(;GM[1]CA[UTF-8]C[棋譜])".encode("big5")
    with pytest.raises(TextError, match="is written in UTF-8, and it cannot be read so"):
        sgf.read(data, "game.sgf")


def test_the_games_of_a_collection_are_read_by_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "all.sgf"
    path.write_text(COLLECTION)
    games = list(read_games(path))
    assert [(g.game.name, g.decisions) for g in games] == [
        ("go", ("e5", "c7")), ("hex", ("a1", "b1")), ("go", ("a5",)),
    ]  # fmt: skip
    for number, game in enumerate(games):
        assert read_game(path, FileHints(number=number)).same(game)
    assert read_game(path).left_out == ("2 further games",)
    with pytest.raises(RulewrightError, match="holds 3 games, numbered from 0; not 3"):
        read_game(path, FileHints(number=3))


def test_a_mistake_in_a_later_game_has_its_place_in_the_file() -> None:
    text = COLLECTION.replace("B[aa]", "B[zz]")
    with pytest.raises(TextError) as refused:
        [part.read() for part in sgf.parts(text.encode(), "all.sgf")]
    assert f":2:{text.splitlines()[1].index('zz') + 1}: " in str(refused.value)


@settings(deadline=None)
@given(st.lists(st.text("()[]\\;Bab ", max_size=8), max_size=5))
def test_games_of_a_collection_end_where_their_brackets_do(comments: list[str]) -> None:
    quoted = [c.replace("\\", "\\\\").replace("]", "\\]") for c in comments]
    games = [f"(;C[{comment}](;N[{comment}]))" for comment in quoted]
    text = "\n".join(games)
    assert [text[span.start : span.end] for span in game_spans(text)] == games


def test_what_a_file_leaves_open_is_as_the_format_says() -> None:
    game = sgf.read(b"(;FF[4];B[pd];W[dp])", "game.sgf")
    assert (game.game.name, game.game.options["size"]) == ("go", 19)
    assert game.decisions == ("p16", "d4")


def test_after_a_swap_whoever_moves_shows_how_it_was_meant() -> None:
    head = "(;GM[11]SZ[5];B[b4];"
    for swap in ("swap-pieces", "swap-sides"):
        white = sgf.read(f"{head}W[{swap}];W[b2];B[d3])".encode(), "game.sgf")
        black = sgf.read(f"{head}W[{swap}];B[c2];W[d3])".encode(), "game.sgf")
        assert white.decisions == ("b4", "swap", "b2", "d3")
        assert black.decisions == ("b4", "swap", "b3", "c4")  # on the mirrored board


@pytest.mark.parametrize(
    ("text", "verdict", "written"),
    [
        ("(;SZ[5]RE[W];B[aa];W[resign])", "white resigned", "B+R"),
        ("(;SZ[5]RE[B+];B[aa];W[resign])", "white resigned", "B+R"),
        ("(;SZ[5]RE[B+3.5];B[aa])", "white lost", "B+3.5"),
        ("(;SZ[5]RE[b];B[aa])", "white lost", "B"),
        ("(;SZ[5]RE[B];B[aa])", "white lost", "B"),
        ("(;SZ[5]RE[jigo];B[aa])", "a draw was agreed", "jigo"),
        ("(;SZ[5]RE[?];B[aa])", "", "?"),
        ("(;SZ[5]RE[Void];B[aa])", "", "Void"),
        ("(;GM[21]SZ[12]RE[B+R];B[c5];W[d6])", "blue resigned", "W+R"),  # TwixT's White begins
        ("(;GM[21]SZ[12]RE[B+2];B[c5];W[d6])", "blue lost", "W+2"),
    ],
)
def test_the_result_of_a_file_is_given_back(text: str, verdict: str, written: str) -> None:
    game = sgf.read(text.encode(), "game.sgf")
    data = sgf.write(game)
    assert game.verdict == verdict
    assert f"RE[{written}]".encode() in data
    assert sgf.read(data, "game.sgf").same(game)


@pytest.mark.parametrize("properties", ["C[]", "KM[6.461168601842739]", "KM[-0.5]"])
def test_an_odd_root_is_given_back(properties: str) -> None:
    game = sgf.read(f"(;GM[1]SZ[5]{properties};B[aa])".encode(), "game.sgf")
    assert sgf.read(sgf.write(game), "game.sgf").same(game)


def test_a_result_that_the_moves_contradict_is_reported() -> None:
    game = sgf.read(b"(;SZ[5]RE[W+R];B[aa];W[resign])", "game.sgf")
    assert game.doubts == ("the file says W+R, and its moves say: white resigned",)
    assert not sgf.read(b"(;SZ[5]RE[B];B[aa];W[resign])", "game.sgf").doubts


def test_a_variation_behind_the_last_move_is_kept() -> None:
    game = sgf.read(b"(;SZ[5];B[aa](;C[the line ends])(;W[bb];B[cc]))", "game.sgf")
    assert game.variations == (Variation(1, ("b4", "c3")),)
    assert sgf.read(sgf.write(game), "game.sgf").same(game)


# --- set-up ---


def test_a_handicap_is_set_up_and_white_moves() -> None:
    game = sgf.read(b"(;SZ[9]HA[2]AB[cc][gg];W[ee];B[ce])", "game.sgf")
    assert game.first.mover == "white"
    assert game.decisions == ("e5", "c5")
    assert _stones(game.first) == {"c7": "X", "g3": "X"}
    without_moves = sgf.read(b"(;SZ[9]HA[2]AB[cc][gg])", "game.sgf")
    assert without_moves.end.mover == "white"


def test_rectangles_of_points_are_set_up() -> None:
    state = sgf.read(b"(;SZ[5]AB[aa:bc]AW[ee]AE[bb]PL[W])", "game.sgf").end
    black = dict.fromkeys(["a5", "b5", "a4", "a3", "b3"], "X")
    assert _stones(state) == black | {"e1": "O"}
    assert state.mover == "white"


@settings(max_examples=tries(40), deadline=None)
@given(st.sampled_from(["go", "hex"]), st.integers(0, 2**32), st.integers(0, 8))
def test_a_game_from_a_position_that_is_set_up_is_given_back(
    name: str, seed: int, plies: int
) -> None:
    random, game = Random(seed), rulewright.load(name, size=5)
    state = _set_up(game, random)
    while not state.over and len(state.decisions()) < plies:
        state = state.play_decision(random.choice(state.moves.texts))
    recorded = Recorded(name, state, marks={1: {"LB": ("aa:x]",)}} if state.decisions() else {})
    again = sgf.read(sgf.write(recorded), "game.sgf")
    assert again.same(recorded)
    assert again.first.text() == recorded.first.text()


def _stones(state: State) -> dict[str, str]:
    """The letters of the pieces, by the names of their sites."""
    position, board, kind = (
        state.situation.position,
        state.game.rules.board,
        state.game.rules.kinds[0],
    )
    return {
        board.names[site]: kind.letters[owner]
        for owner in range(2)
        for site in bits(position.owned[owner])
    }


def _set_up(game: Game, random: Random) -> State:
    """A state with some stones of both sides, and one of them to move."""
    position, sites = game.start().situation.position, game.rules.board.sites
    for site in bits(sites):
        if random.random() < 0.3:
            position = position.put(random.randrange(2), 0, 1 << site)
    return game.at(evolve(position, mover=random.randrange(2)))


def test_a_list_of_moves_does_not_lose_what_is_set_up() -> None:
    game = sgf.read(b"(;SZ[9]HA[2]AB[cc][gg];W[ee])", "game.sgf")
    with pytest.raises(RulewrightError, match="begins from a position that is set up"):
        move_list.write(game)


# --- komi, results, variations ---


@pytest.mark.parametrize("komi", ["6.5", "7", "0.5", "3.75", "0"])
def test_komi_may_have_a_fraction(komi: str) -> None:
    game = sgf.read(f"(;GM[1]SZ[9]KM[{komi}];B[ee])".encode(), "game.sgf")
    assert game.game.options["komi"] == float(komi)
    assert f"KM[{komi}]" in sgf.write(game).decode()
    assert sgf.read(sgf.write(game), "game.sgf").same(game)


@pytest.mark.parametrize(
    ("result", "doubts"), [("B+2.5", 0), ("W+2.5", 1), ("Draw", 1), ("?", 0), ("Void", 0)]
)
def test_a_result_is_kept_and_compared_with_the_rules(result: str, doubts: int) -> None:
    text = f"(;GM[1]SZ[5]KM[0.5]RE[{result}];B[cc];W[];B[];W[])"
    game = sgf.read(text.encode(), "game.sgf")
    assert len(game.doubts) == doubts
    assert game.left_out == ("`pass` after the end",)
    assert f"RE[{result}]" in sgf.write(game).decode()


def test_a_result_of_a_game_that_goes_on_says_who_lost() -> None:
    game = sgf.read(b"(;GM[1]SZ[5]RE[W+12.5];B[cc])", "game.sgf")
    assert str(game.ending) == "black lost"
    assert "RE[W+12.5]" in sgf.write(game).decode()


def test_variations_are_kept_at_their_places() -> None:
    text = (
        "(;GM[1]SZ[9];B[ee](;W[cc]C[main];B[dd](;W[gg])(;W[hh]C[deep]))"
        "(;W[cd];B[dc]TR[ee](;W[aa])(;W[bb]))(;W[ee])(;N[no move]))"
    )
    game = sgf.read(text.encode(), "game.sgf")
    assert game.decisions == ("e5", "c7", "d6", "g3")
    first, second = game.variations
    assert (first.at, first.decisions) == (1, ("c6", "d7", "a9"))
    assert first.marks == {3: {"TR": ("ee",)}}
    assert [v.decisions for v in first.variations] == [("b8",)]
    assert (second.at, second.decisions, second.comments) == (3, ("h2",), {4: "deep"})
    place = "a variation in line 1, which"
    assert game.left_out == (f"{place} cannot be played,", f"{place} has no moves,")
    again = sgf.read(sgf.write(game), "game.sgf")
    assert again.same(game)
    assert not again.left_out


@settings(max_examples=tries(25), deadline=None)
@given(st.integers(0, 2**32))
def test_random_variations_are_given_back(seed: int) -> None:
    random = Random(seed)
    state = rulewright.load("hex", size=4).start()
    line = varied(state, 0, random, 3)
    end = state
    for decision in line.decisions:
        end = end.play_decision(decision)
    recorded = Recorded("hex", end, comments=line.comments, variations=line.variations)
    assert sgf.read(sgf.write(recorded), "game.sgf").same(recorded)


def varied(state: State, at: int, random: Random, deep: int) -> Variation:
    """A random line of play from a state, with comments and variations inside."""
    decisions, comments, variations = list[str](), dict[int, str](), list[Variation]()
    for number in range(at, at + random.randrange(1, 6)):
        choices = random.sample(state.moves.texts, 2) if len(state.moves) > 1 else []
        if not choices:
            break
        if deep and random.random() < 0.4:
            branch = varied(state.play_decision(choices[1]), number + 1, random, deep - 1)
            whole = (choices[1], *branch.decisions)
            variations.append(evolve(branch, at=number, decisions=whole))
        if random.random() < 0.3:
            comments[number + 1] = f"[{number}]"
        decisions.append(choices[0])
        state = state.play_decision(choices[0])
    return Variation(at, tuple(decisions), comments, {}, tuple(variations))


# --- marks ---


def test_marks_stay_at_their_boards() -> None:
    text = "(;GM[1]SZ[9];B[ee]TR[cc][dd]LB[ee:A]N[first];W[cc]BL[12.5])"
    game = sgf.read(text.encode(), "game.sgf")
    assert game.marks[1] == {"TR": ("cc", "dd"), "LB": ("ee:A",), "N": ("first",)}
    assert sgf.read(sgf.write(game), "game.sgf").same(game)


def test_marks_before_the_first_decision_are_not_lost() -> None:
    game = sgf.read(b"(;GM[1]SZ[9];AB[cc]TR[cc]PL[W];W[ee])", "game.sgf")
    assert game.notes == {"TR": ("cc",)}
    assert sgf.read(sgf.write(game), "game.sgf").notes == game.notes


# --- who begins ---


@pytest.mark.parametrize("number", [1, 2, 9])
def test_colours_stay_where_white_begins(number: int) -> None:
    game = {1: ("W[ee]", "B[cc]"), 2: ("W[ec]", "B[dc]"), 9: ("W[a2-c2]", "B[b1-b3]")}[number]
    size = "SZ[9]" if number == 1 else ""
    text = f"(;GM[{number}]{size}PB[Ann]PW[Ben]RE[B+R];{';'.join(game)})"
    read = sgf.read(text.encode(), "game.sgf")
    assert (read.first.mover, read.names) == ("white", ("Ann", "Ben"))
    assert str(read.ending) == "white resigned"
    assert not read.doubts
    again = sgf.read(sgf.write(read), "game.sgf")
    assert again.same(read)
    assert b"PL[W]" in sgf.write(read)


def test_a_variation_of_the_other_colour_is_left_out() -> None:
    game = sgf.read(b"(;GM[1]SZ[9](;B[ee];W[cc])(;W[cc];B[dd]))", "game.sgf")
    assert game.left_out == ("a variation in line 1, which cannot be played,",)
    white = sgf.read(b"(;GM[1]SZ[9](;W[ee];B[cc])(;W[cc];B[dd]))", "game.sgf")
    assert [v.decisions for v in white.variations] == [("c7", "d6")]


def test_a_change_of_letters_is_said() -> None:
    text = b"(;GM[11]SZ[5]PB[Ann]PW[Ben];W[a3];B[b2])"
    game = sgf.read(text, "game.sgf")
    assert game.doubts == (
        "W begins in the file and is read as red, who is B in SGF that is written here",
    )
    assert game.names == ("Ben", "Ann")
    assert not sgf.read(text, "game.hsgf").doubts  # where it is the custom
    assert not sgf.read(text.replace(b"W[a3];B[b2]", b"B[a3];W[b2]"), "game.sgf").doubts
