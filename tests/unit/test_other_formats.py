# ruff: noqa: RUF001 - KIF is written in Japanese
"""GGF, records of Piskvork, USI, KIF, SGF of whole turns: oddities, mistakes, any text."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import FileHints, game_bytes, losses, read, read_data
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.recorded import Ending, Recorded, Variation
from rulewright.matches.protocols.usi import UsiText
from tests.shared.effort import tries
from tests.shared.places import GAME_FILES

ROUND = [
    ("a.ggf", "othello"), ("a.psq", "connect5"), ("a.usi", "shogi"), ("a.sfen", "minishogi"),
    ("a.kif", "shogi"), ("a.sgf", "othello"), ("a.sgf", "loa"), ("a.sgf", "morris"),
    ("a.sgf", "amazons"), ("a.sgf", "twixt"), ("a.sgf", "connect5"), ("a.sgf", "hex"),
]  # fmt: skip
"""Formats, by the name of a file, and games that can be written so."""


def text_game(name: str, text: str | bytes, source: str = "") -> Recorded:
    data = text if isinstance(text, bytes) else text.encode()
    return read_data(Path(name), data, FileHints(source))


def played(name: str, seed: int, turns: int) -> State:
    random, state = Random(seed), rulewright.load(name).start()
    while not state.over and (state.ply < turns or not state.turn_begins):
        state = state.play_decision(random.choice(state.moves.texts))
    return state


@settings(max_examples=tries(20), deadline=None)
@given(st.sampled_from(ROUND), st.integers(0, 2**32), st.integers(1, 40))
def test_random_games_are_given_back(form: tuple[str, str], seed: int, turns: int) -> None:
    name, source = form
    state = played(source, seed, turns)
    unheld = losses(Path(name), Recorded(source, state, ("Ann", "Bob")))
    names = ("", "") if "names" in unheld else ("Ann", "Bob")
    whole = Recorded(source, state, names)
    again = text_game(name, game_bytes(Path(name), whole), source)
    assert again.same(whole)
    assert text_game("unnamed", game_bytes(Path(name), whole), source).same(whole)


@settings(max_examples=tries(50), deadline=None)
@given(st.sampled_from(sorted(GAME_FILES.iterdir())), st.integers(0, 2**32), st.binary(max_size=6))
def test_damaged_files_are_read_or_refused(path: Path, seed: int, put: bytes) -> None:
    """Nothing but our own errors comes out of a file in which something is cut or put."""
    data, random = path.read_bytes(), Random(seed)
    at = random.randrange(len(data) + 1)
    damaged = data[:at] + put + data[at + random.randrange(6) :]
    with suppress(RulewrightError):
        assert read_data(path, damaged, FileHints()).game.name


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.ggf", "(;GM[Chess];)", r"ggf:1:6: no game that is bundled is called `Chess` in GGF"),
        ("a.ggf", "(;GM[Othello]B[d3]B[c3];)", r"ggf:1:21: B moves here, and it is the turn of W"),
        ("a.ggf", "(;GM[Othello]B[a1];)", r"ggf:1:16: `a1` is not legal for black"),
        ("a.ggf", "(;GM[Othello]BO[8 *];)", r"ggf:1:17: a board is its size, its rows"),
        ("a.ggf", "nothing", r"ggf:1:1: a game stands in \(; and ;\)"),
        ("a.psq", "8,8,0\n", r"psq:1:1: a record of Piskvork begins with"),
        ("a.psq", "Piskvorky 15x15, 11:11, 0\n16,1,0\n", r"psq:2:1: `16,1,0` is no field"),
        ("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", r"psq:3:1: `h8` is not legal"),
        ("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n-1,8,0\n7,7,0\n", r"psq:3:1: a move is wri"),
        ("a.ggf", "(;GM[Othello]" + "(;" * 9_000, r"ggf:1:1: a game stands in \(; and ;\)"),
        ("a.usi", "startpos moves 7g7f 3c3e", r"usi:1:21: `3c3e` is not legal for gote here"),
        ("a.usi", "startpos moves 7g7f x", r"usi:1:21: `x` is no move; they are written like"),
        ("a.usi", "\nsfen 9/9/9 b - 1", r"usi:2:1: no game that is bundled has this position"),
        ("a.usi", "7g7f", r"usi:1:1: a line is `startpos` or a position in SFEN"),
        ("a.kif", "手合割：平手\n   1 ７六歩(88)\n", r"kif:2:1: `8h7f` is not legal for sente"),
        ("a.kif", "手合割：半分\n", r"kif:1:1: the handicap `半分` is none of 香落ち"),
        ("a.kif", "先手：甲\n何か\n", r"kif:2:1: `何か` is no move; they are written like"),
        ("a.kif", "先手：甲\n   1 投了\n   2 ７六歩(77)\n", r"kif:3:1: this move follows the end"),
        ("a.kif", "先手：甲\n   1 同　歩(77)\n", r"kif:2:1: `同` is where the last move went"),
        ("a.txt", "game nothing\n", r"txt:1:1: no game is called nothing"),
        ("a.sgf", "(;GM[9];B[a1-a1])", r"sgf:1:11: `a1-a1` is"),
        ("a.sgf", "(;GM[18];B[djdd])", r"sgf:1:12: `djdd` is no move"),
        ("a.sgf", "(;GM[7];B[aa])", r"sgf:1:6: no game that is bundled has the number 7 in SGF"),
    ],
)  # fmt: skip
def test_mistakes_are_reported_at_their_places(name: str, text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        text_game(name, text)


def test_bytes_that_are_no_japanese_are_refused() -> None:
    with pytest.raises(TextError, match=r"kif:1:1: a record in KIF is written in UTF-8 or"):
        read_data(Path("a.kif"), "先手：甲".encode() + b"\x82\xff", FileHints())


def test_a_player_without_a_name_has_none_in_a_record_of_piskvork() -> None:
    game = text_game("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n?\nBob\n-1\n1,Standard   x\n")
    assert game.names == ("", "Bob")


# --- GGF ---


def test_a_game_of_a_server_is_read() -> None:
    first, second = read(GAME_FILES / "othello.ggf")
    assert first.decisions == ("f5", "d6", "c3", "d3", "c4")
    assert first.notes["RB"] == ("2100",)
    assert str(first.ending) == "black resigned"
    assert first.left_out == ("times or values of 2 moves",)
    assert str(second.ending) == "a draw was agreed"


def test_a_game_begins_from_its_board() -> None:
    game = text_game("a.ggf", (GAME_FILES / "late.ggf").read_bytes())
    assert game.is_set_up
    again = text_game("a.ggf", game_bytes(Path("a.ggf"), game))
    assert again.same(game)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ggf", "(;GM[Othello]TY[8]RE[{}]B[f5];)"),
        ("a.sgf", "(;GM[1]SZ[9]RE[{}];B[ee])"),
        ("a.pgn", '[Result "{}"]\n\n1. e4'),
        ("a.pdn", '[GameType "21"]\n[Result "{}"]\n\n1. 11-15'),
    ],
)
def test_a_result_that_cannot_be_read_is_reported(name: str, text: str) -> None:
    game = text_game(name, text.format("\u9ed1 wins"))
    assert game.doubts == ("the file gives the result `\u9ed1 wins`, which cannot be read",)
    assert game.ending is None
    for unknown in ("?", ""):
        assert text_game(name, text.format(unknown)).doubts == ()


def test_who_won_may_be_all_that_a_result_says() -> None:
    assert str(text_game("a.sgf", "(;GM[1]SZ[9]RE[W];B[ee])").ending) == "black lost"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_two_bytes_a_letter_are_refused(encoding: str) -> None:
    data = "\ufeff1. e4 e5".encode(encoding)
    with pytest.raises(RulewrightError, match=r"a\.pgn is written in UTF-16; save it in UTF-8"):
        text_game("a.pgn", data)


@pytest.mark.parametrize("name", ["chess", "xiangqi", "gardner", "losalamos", "capablanca"])
def test_rows_of_fen_say_which_game_they_are_of(name: str) -> None:
    start = rulewright.load(name).start()
    text = game_bytes(Path("a.fen"), Recorded(name, start))
    read_again = text_game("a.fen", text)
    assert (read_again.game.name, read_again.end.moves.texts) == (name, start.moves.texts)


def test_a_hand_that_fen_has_no_words_for_is_refused() -> None:
    state = rulewright.load("crazyhouse").start().play("e2e4 d7d5")
    assert game_bytes(Path("a.fen"), Recorded("crazyhouse", state))
    with pytest.raises(RulewrightError, match="FEN has no words for `hand` of crazyhouse"):
        game_bytes(Path("a.fen"), Recorded("crazyhouse", state.play("e4d5")))


# --- records of Piskvork ---


def test_the_rule_at_the_end_sets_options() -> None:
    game = text_game("a.psq", (GAME_FILES / "gomoku.psq").read_bytes())
    assert game.game.options["exact"] is True
    assert game.names == ("pbrain-a.zip", "pbrain-b.zip")
    assert str(game.ending) == "nought lost"
    assert b"1,Standard" in game_bytes(Path("a.psq"), game)
    large = text_game("a.psq", "Piskvorky 20x20, 11:11, 0\n20,20,0\n")
    assert (large.decisions, large.game.options["size"]) == (("t20",), 20)


def test_rules_that_piskvork_does_not_know_are_refused() -> None:
    state = rulewright.load("connect5", run=4).start()
    with pytest.raises(RulewrightError, match="no rule of Piskvork sets run"):
        game_bytes(Path("a.psq"), Recorded("connect5", state))


# --- USI and KIF ---


@settings(max_examples=tries(20), deadline=None)
@given(st.sampled_from(["shogi", "minishogi"]), st.integers(0, 2**32), st.integers(0, 90))
def test_positions_in_sfen_are_given_back(name: str, seed: int, turns: int) -> None:
    state = played(name, seed, turns)
    style = formats(state.game).usi
    assert style is not None
    text = UsiText(state.game, style)
    sfen = text.write_position(state.situation.position)
    again = text.read_position(sfen.split())
    assert text.write_position(again.situation.position) == sfen
    assert again.mover in (state.mover, *state.game.players)


def test_a_line_of_usi_may_begin_from_a_position() -> None:
    first, second = read(GAME_FILES / "drop.sfen")
    assert first.decisions[-1] == "bishop@f5"
    assert second.decisions == ("pawn@e5",)
    assert (
        second.first.situation.position.states[0][0] != second.end.situation.position.states[0][0]
    )
    assert game_bytes(Path("a.usi"), second).decode().startswith("position sfen 4k4/9/9")


def test_comments_variations_and_ends_of_kif_are_kept() -> None:
    game = text_game("a.kif", (GAME_FILES / "shogi.kifu").read_bytes())
    assert game.comments == {1: "角道を開ける"}
    assert game.variations == (Variation(2, ("h3h4", "b7b6")),)
    assert game.ending == Ending("resigned", "gote")
    assert game.notes == {"開始日時": ("2026/11/27",)}
    assert text_game("a.kif", game_bytes(Path("a.kif"), game)).same(game)


def test_a_variation_of_a_variation_stands_inside() -> None:
    inner = Variation(2, ("h3h4",), {3: "deep"})
    state = rulewright.load("shogi").start().play("c3c4 g7g6 f3f4 e7e6")
    outer = Variation(1, ("b7b6", "g3g4", "a7a6"), variations=(inner,))
    game = Recorded("shogi", state, variations=(outer, Variation(3, ("a7a6",))))
    again = text_game("a.kif", game_bytes(Path("a.kif"), game))
    assert again.same(game)


@pytest.mark.parametrize("played", ["", "c3c4", "c3c4 g7g6"])
@pytest.mark.parametrize("loser", ["sente", "gote"])
@pytest.mark.parametrize("how", ["time", "forfeit", "lost"])
def test_whoever_lost_is_said_in_kif(how: str, loser: str, played: str) -> None:
    """The summary says it where the word of whoever is to move cannot."""
    state = rulewright.load("shogi").start().play(played) if played else None
    game = Recorded("shogi", state or rulewright.load("shogi").start(), ending=Ending(how, loser))
    assert text_game("a.kif", game_bytes(Path("a.kif"), game)).ending == game.ending


def test_names_of_kif_stand_in_a_line_and_long_blanks_cost_nothing() -> None:
    text = f"先手：甲\x1c乙\n   1 ７六歩(77){' ' * 20_000}x\n"
    with pytest.raises(TextError, match=r"kif:2:1: `7六歩"):
        text_game("a.kif", text)
    assert text_game("a.kif", text.partition("\n")[0]).names == ("甲 乙", "")


def test_a_handicap_of_kif_is_a_position() -> None:
    game = text_game("a.kif", (GAME_FILES / "handicap.kif").read_bytes())
    assert game.first.mover == "gote"
    assert game.decisions == ("g7g6", "c3c4")
    assert text_game("a.kif", game_bytes(Path("a.kif"), game)).same(game)


# --- SGF ---


@pytest.mark.parametrize(
    ("text", "source", "turns"),
    [
        ("(;GM[18];B[djddgd];W[addgad])", "amazons", ["d1-d7/g7", "a7-d4/a7"]),
        ("(;GM[9];B[E1:E3++];W[a4-c4])", "loa", ["e1-e3", "a4-c4"]),
        ("(;GM[5];W[d6];B[f4])", "morris", ["d6", "f4"]),
        ("(;GM[2];B[dc];W[C3])", "othello", ["d3", "c3"]),
    ],
)
def test_sgf_of_whole_turns(text: str, source: str, turns: list[str]) -> None:
    game = text_game("a.sgf", text)
    assert (game.source, game.end.turns()) == (source, turns)


def test_a_forced_pass_may_be_missing() -> None:
    state = rulewright.load("othello").start()
    for seed in range(100):
        state = _to_a_pass(Random(seed)) or state
        if state.decisions():
            break
    after = state.play("pass")
    last = after.play_decision(after.moves.texts[0])
    data = game_bytes(Path("a.sgf"), Recorded("othello", last)).decode()
    assert data.count("[]") == 1
    without = data.replace(";W[]", "").replace(";B[]", "")
    assert list(text_game("a.sgf", without).decisions) == last.decisions()


def _to_a_pass(random: Random) -> State | None:
    """A position in which one must pass and the other goes on."""
    state = rulewright.load("othello").start()
    while not state.over and state.moves.texts != ["pass"]:
        state = state.play_decision(random.choice(state.moves.texts))
    after = None if state.over else state.play("pass")
    return state if after and not after.over and after.moves.texts != ["pass"] else None


def test_the_ending_of_a_file_without_a_number_says_its_game() -> None:
    text = "(;FF[4]EV[own]PB[a]PW[b]SZ[24];b[pi];r[ih];b[ho])"
    assert text_game("game.tsgf", text).source == "twixt"
    with pytest.raises(TextError, match=r"size must be in 2..19, not 24"):
        text_game("game.sgf", text)


# --- any file, or text ---


TEXTS = [
    ("(;GM[1]SZ[9];B[ee])", "go"),
    ('[GameType "20"]\n\n1. 32-28 *', "internationaldraughts"),
    ('[White "Ann"]\n\n1. e4 e5 *\n', "chess"),
    ("position startpos moves 7g7f", "shogi"),
    ("game connect4 \n44", "connect4"),
    ("(;GM[Othello]B[f5];)", "othello"),
]


@pytest.mark.parametrize(("text", "source"), TEXTS)
def test_a_text_is_read_as_a_file_would_be(text: str, source: str) -> None:
    (game,) = rulewright.read(text)
    assert (game.source, len(game.decisions) > 0) == (source, True)
    assert rulewright.read(text.encode(), source)[0].same(game)


def test_all_games_of_a_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "two.usi"
    path.write_text("startpos moves 7g7f\nstartpos moves 2g2f\n")
    assert [game.decisions for game in rulewright.read(path)] == [("c3c4",), ("h3h4",)]
    assert len(rulewright.read(str(path))) == 2
    with pytest.raises(RulewrightError, match=r"none\.usi"):
        rulewright.read(tmp_path / "none.usi")
