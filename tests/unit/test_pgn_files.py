"""PGN, FEN and EPD files of others: tags, comments, variations, places of mistakes, many games."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import MoveError, RulewrightError
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import FileHints, losses, read_game, read_games, write_game
from rulewright.matches.protocols import pgn
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.pgn_text import games
from rulewright.matches.protocols.recorded import Ending, Recorded, Variation
from rulewright.matches.protocols.san import San

HEAD = '[Event "Test"]\n[White "Ann"]\n[Black "Bob"]\n'


def read(text: str) -> Recorded:
    (part,) = pgn.parts(text.encode().splitlines(keepends=True), "game.pgn")
    return part.read()


def test_all_that_stands_beside_moves_is_kept() -> None:
    text = HEAD + (
        "{before} 1. e4 $1 {[%clk 0:05:00]} 1... e5!? (1... c5 {Sicilian} 2. Nf3 "
        "(2. c3 $6 d5) 2... d6)\n; to the end of the line\n% not read\n2. Nf3 Nc6 *\n"
    )
    game = read(text)
    assert game.decisions == ("e2e4", "e7e5", "g1f3", "b8c6")
    assert game.names == ("Ann", "Bob")
    assert game.notes == {"Event": ("Test",)}
    assert game.comments == {0: "before", 1: "[%clk 0:05:00]", 2: "to the end of the line"}
    assert game.marks == {1: {"NAG": ("1",)}, 2: {"NAG": ("5",)}}
    inner = Variation(2, ("c2c3", "d7d5"), {}, {3: {"NAG": ("6",)}})
    outer = Variation(1, ("c7c5", "g1f3", "d7d6"), {2: "Sicilian"}, {}, (inner,))
    assert game.variations == (outer,)
    assert read(pgn.write(game).decode()).same(game)


def test_a_comment_may_hold_what_ends_one() -> None:
    state = rulewright.load("chess").start().play("e2e4")
    game = Recorded("chess", state, comments={1: "a } b\n{c"})
    assert read(pgn.write(game).decode()).comments == game.comments


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("e2-e4 e7-e5 Ng1-f3", "e2e4 e7e5 g1f3"),
        ("1.e4 e5 2.Nf3 d6 3.Bc4 Bg4 4.0-0", "e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 e1g1"),
        ("e4 d5 e5 f5 exf6 e.p.", "e2e4 d7d5 e4e5 f7f5 e5f6"),
        ("1 e4 e5 2 Ke2", "e2e4 e7e5 e1e2"),
        ("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8N", None),
        ("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8q", None),
        ("e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3"),
    ],
)
def test_ways_in_which_moves_are_written(text: str, moves: str | None) -> None:
    game = read(text)
    assert moves is None or " ".join(game.decisions) == moves
    assert moves or game.decisions[-1] in ("b7a8=knight", "b7a8=queen")


THREE_QUEENS = "4k3/8/8/8/8/8/Q1Q5/Q3K3 w - - 0 1"


def test_as_much_is_said_as_tells_a_move_from_others() -> None:
    game = rulewright.load("chess")
    style = formats(game).pgn
    assert style is not None
    san = San(game, style)
    state = read(f'[FEN "{THREE_QUEENS}"]\n*').end
    moves = ("a2b1", "c2b1", "a1b1", "a2b2", "c2c7")
    expected = ["Qa2b1", "Qcb1", "Q1b1", "Qa2b2", "Qc7"]
    assert [san.write(state, state.play(move)) for move in moves] == expected
    with pytest.raises(MoveError, match="say which is meant"):
        san.read(state, "Qb1")


def test_a_game_may_begin_from_a_position() -> None:
    text = f'{HEAD}[SetUp "1"]\n[FEN "4k2r/8/8/8/8/8/8/4K3 b k - 3 20"]\n20... O-O 21. Kd2 *'
    game = read(text)
    assert game.decisions == ("e8g8", "e1d2")
    written = pgn.write(game).decode()
    assert '[FEN "4k2r/8/8/8/8/8/8/4K3 b k - 3 20"]' in written
    assert "20... O-O 21. Kd2 *" in written
    assert read(written).same(game)


@pytest.mark.parametrize(
    ("result", "termination", "ending"),
    [
        ("1-0", "", Ending("lost", "black")),
        ("0-1", "Time forfeit", Ending("time", "white")),
        ("1/2-1/2", "", Ending("draw")),
        ("1-0", "rules infraction", Ending("forfeit", "black")),
        ("*", "", None),
    ],
)
def test_the_end_of_a_game(result: str, termination: str, ending: Ending | None) -> None:
    tag = f'[Termination "{termination}"]\n' if termination else ""
    game = read(f"{HEAD}{tag}1. e4 {result}")
    assert game.ending == ending
    assert read(pgn.write(game).decode()).ending == ending


def test_a_result_that_the_moves_do_not_give_is_a_doubt() -> None:
    game = read("1. f3 e5 2. g4 Qh4# 1-0")
    (doubt,) = game.doubts
    assert doubt.startswith("the file says 1-0, and by the rules it is: black wins")
    assert read("1. f3 e5 2. g4 Qh4# 0-1").doubts == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 e5\n2. Ke3 *", "game.pgn:2:4: `Ke3` is not legal for white here"),
        (f"{HEAD}\n1. e4 (1. d4 *", "game.pgn:5:14: a variation is not closed"),
        ("1. e4 ) *", "game.pgn:1:7: no variation begins before"),
        ("(1. e4) *", "game.pgn:1:1: a variation stands behind the move"),
        ("1. e4 {for ever", "game.pgn:1:7: a comment begins here"),
        ("1. e4 e5 2. 5254 5755 *", "game.pgn:1:13: `5254` is no move of chess"),
        ('[Variant "Duck chess"]\n*', "game.pgn:1:11: no game that is bundled is the variant"),
        ('[FEN "8/8 w - - 0 1"]\n*', "game.pgn:1:7: `8/8` has 2 rows"),
        ("1. e4 e5 2. Xx9 *", "game.pgn:1:13: `Xx9` is no move of chess"),
        ("1. e4 1-0 e5", "game.pgn:1:11: the game has ended"),
        ("[Event Test]\n*", "game.pgn:1:1: a tag is written as"),
        ("(" * 3, "game.pgn:1:1: a variation stands behind"),
        ("1. f3 e5 2. g4 Qh4 3. a3", "game.pgn:1:23: the game is over"),
    ],
)
def test_mistakes_are_reported_at_their_place(text: str, message: str) -> None:
    with pytest.raises(TextError) as refused:
        read(text)
    assert message in str(refused.value)


def test_mistakes_of_later_games_have_their_place_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "all.pgn"
    path.write_text(f"{HEAD}\n1. e4 *\n\n{HEAD}\n1. e4\ne4 *\n")
    with pytest.raises(TextError) as refused:
        list(read_games(path))
    assert f"{path}:12:1: `e4`" in str(refused.value)


def test_a_variation_that_cannot_be_played_is_left_out() -> None:
    game = read("1. e4 e5 (1... -- 2. d4 (2. c4) 2... d5) 2. Nf3 *")
    assert game.decisions == ("e2e4", "e7e5", "g1f3")
    assert game.variations == ()
    assert game.left_out == ("a variation in line 1, whose `--` is not legal,",)


def test_games_follow_one_another(tmp_path: Path) -> None:
    path = tmp_path / "all.pgn"
    path.write_bytes(
        b'\xef\xbb\xbf[Event "[brackets]"]\r\n\r\n'
        b"1. e4 {[%clk 1:0]\r\n[still a comment]} e5 1-0\r\n\r\n"
        b'[Event "Z\xfcrich"]\r\n\r\n1. d4 *\r\n1. c4 *\r\n'
    )
    first, second, third = read_games(path)
    assert [g.decisions for g in (first, second, third)] == [("e2e4", "e7e5"), ("d2d4",), ("c2c4",)]
    assert second.notes == {"Event": ("Zürich",)}
    assert read_game(path, FileHints(number=1)).same(second)
    assert read_game(path).left_out == ("2 further games",)
    with pytest.raises(RulewrightError, match="holds 3 games, numbered from 0; not 3"):
        read_game(path, FileHints(number=3))


def test_a_file_of_any_size_takes_no_more_memory() -> None:
    def lines(count: int) -> Iterator[bytes]:
        for number in range(count):
            yield f'[Event "{number}"]\n'.encode()
            yield b"\n"
            yield b"1. e4 e5 *\n"

    def most(count: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in games("big.pgn", lines(count))) == count
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    most(10)
    assert most(20_000) < 2 * most(200)


def test_what_a_format_has_no_room_for_is_said(tmp_path: Path) -> None:
    game = read("{c} 1. e4 $1 (1. d4) 1-0")
    assert losses(tmp_path / "a.txt", game) == [
        "1 comment",
        "1 assessment",
        "1 variation",
    ]
    assert losses(tmp_path / "a.pgn", game) == []


# --- FEN and EPD ---


def test_positions_are_files_too(tmp_path: Path) -> None:
    path = tmp_path / "tests.epd"
    path.write_text(
        '# two\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rf1; id "castle; or not";\n\n'
        "4k3/8/8/8/8/8/8/4K2R w - - 4 10\n"
    )
    first, second = read_games(path)
    assert first.notes == {"bm": ("O-O", "Rf1"), "id": ("castle; or not",)}
    assert "e1g1" in first.end.moves
    assert "e1g1" not in second.end.moves
    write_game(tmp_path / "a.fen", second)
    assert (tmp_path / "a.fen").read_text() == "4k3/8/8/8/8/8/8/4K2R w - - 4 10\n"
    path.write_text("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; ?\n")
    with pytest.raises(TextError, match=r"tests.epd:1:36: an operation is written"):
        read_game(path)


@pytest.mark.parametrize(
    ("fen", "castling"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq"),  # by the columns of rooks
        ("r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "Qkq"),  # there is no rook to castle with
        ("r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1", None),
        ("r3k2r/8/8/8/8/8/8/R2K3R w KQ - 0 1", None),
        ("r3k1r1/8/8/8/8/8/8/R3K2R w KQgq - 0 1", None),
    ],
)
def test_castling_of_other_beginnings_is_refused_aloud(fen: str, castling: str | None) -> None:
    text = f'[FEN "{fen}"]\n*'
    if castling is None:
        with pytest.raises(TextError, match=r"on other sites|none of the letters"):
            read(text)
    else:
        assert f" {castling} " in pgn.write(read(text)).decode()


@settings(deadline=None)
@given(st.text('[]{}();$*1-0/2. \n"eE4Nfx', max_size=60))
def test_whatever_is_read_raises_nothing_else(text: str) -> None:
    for part in pgn.parts(text.encode().splitlines(keepends=True), "fuzz.pgn"):
        try:
            game = part.read()
        except RulewrightError:
            continue
        assert read(pgn.write(game).decode()).same(game)
