"""Conversions of recorded games: what is kept, what is said to be lost, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.app.play.saved_games import read_saved_game
from rulewright.errors import RulewrightError
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import (
    FORMATS,
    FileFormat,
    FileHints,
    game_bytes,
    losses,
    read_data,
)
from rulewright.matches.protocols.recorded import Recorded
from tests.shared.effort import tries

GO = (
    "(;GM[1]SZ[9]PB[Ann]PW[Ben]RE[B+3.5]DT[2024-01-02]EV[Club]KM[6.5]C[first]"
    ";B[ee]LB[ee:A];W[cc]C[last])"
)
SAVED = {
    "format": 1, "game": "tictactoe", "options": {}, "moves": "a1 b2", "resigned": "cross",
}  # fmt: skip


def game_of(text: str, name: str = "a.sgf", source: str = "") -> Recorded:
    return read_data(Path(name), text.encode(), FileHints(source))


def through(game: Recorded, name: str) -> Recorded:
    path = Path(name)
    return read_data(path, game_bytes(path, game), FileHints(game.source))


# --- what is kept ---


def test_a_saved_game_holds_what_an_sgf_says() -> None:
    game = game_of(GO)
    again = through(game, "a.json")
    assert again.same(game)
    assert dict(again.notes) == dict(game.notes)
    assert again.notes["RE"] == ("B+3.5",)
    assert losses(Path("a.json"), game) == []
    assert game_bytes(Path("b.sgf"), again) == game_bytes(Path("b.sgf"), game)


TEXTS = st.text(max_size=5)
PARTS = st.dictionaries(TEXTS, st.lists(TEXTS, min_size=1, max_size=2).map(tuple), max_size=3)


@settings(max_examples=tries(30))
@given(
    st.tuples(TEXTS, TEXTS), PARTS, st.dictionaries(st.integers(0, 2), TEXTS),
    st.dictionaries(st.integers(0, 2), PARTS),
)  # fmt: skip
def test_any_text_goes_through_a_saved_game(
    names: tuple[str, str],
    notes: dict[str, tuple[str, ...]],
    comments: dict[int, str],
    marks: dict[int, dict[str, tuple[str, ...]]],
) -> None:
    state = rulewright.load("tictactoe").start().play("a1 b2")
    game = Recorded("tictactoe", state, names, comments=comments, notes=notes, marks=marks)
    again = through(game, "a.json")
    assert again.same(game)
    assert dict(again.notes) == notes


@pytest.mark.parametrize("way", [("b.sgf",), ("b.json", "b.sgf")])
def test_no_komi_is_invented(way: tuple[str, ...]) -> None:
    game, told = game_of(GO.replace("KM[6.5]", "")), game_of(GO.replace("6.5", "7"))
    for name in way:
        game, told = through(game, name), through(told, name)
    assert game.game.options["komi"] == told.game.options["komi"] == 7
    assert b"KM" not in game_bytes(Path("b.sgf"), game)
    assert b"KM[7]" in game_bytes(Path("b.sgf"), told)


# --- what is said ---


@pytest.mark.parametrize(
    ("out", "lost"),
    [
        ("a.txt", ["2 comments", "1 mark", "tags DT, EV, RE"]),
        (
            "a.fen",
            ["names", "2 comments", "1 mark", "result", "tags DT, EV, RE", "option komi=6.5"],
        ),
        ("a.sgf", []),
    ],
)
def test_what_cannot_be_held_is_said(out: str, lost: list[str]) -> None:
    assert losses(Path(out), game_of(GO)) == lost


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@given(name=st.sampled_from(["RE", "EV", "DT", "kind 1", "a b", "a:b", "\uff1a", "Event", "\n"]))
def test_a_tag_is_kept_or_said_to_be_lost(form: FileFormat, name: str) -> None:
    """Each format that has tags is tried with a game that it can hold."""
    games = {"SGF": "go", "GGF": "othello", "PGN": "chess", "PDN": "draughts", "KIF": "shogi",
             "T1j": "twixt", "saved game": "hex"}  # fmt: skip
    source = games.get(form.name)
    if source is None:
        assert form.tags == "(?!)"
        return
    game = Recorded(source, rulewright.load(source).start(), notes={name: ("x",)})
    path = Path(f"a{form.suffixes[0]}")
    kept = any("x" in texts for texts in through(game, path.name).notes.values())
    assert kept == (not losses(path, game))


def test_losses_of_the_output_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sgf").write_text(GO)
    assert main(["convert", str(tmp_path / "a.sgf")]) == 0
    assert "the output: tags DT, EV, RE left out" in capsys.readouterr().err


# --- what is refused ---


@pytest.mark.parametrize(
    ("name", "hint"),
    [("a.sgff", "did you mean `.sgf`?"), ("a.PGNN", "did you mean `.pgn`?"), ("a.xy", "(.txt)"),
     ("a.scores", "(.txt)"), ("a.db", "(.txt)")],
)  # fmt: skip
def test_an_unknown_ending_is_refused(name: str, hint: str) -> None:
    with pytest.raises(RulewrightError, match=r"games are written as .t1, .ggf, .psq") as refused:
        game_bytes(Path(name), game_of(GO))
    assert str(refused.value).endswith(hint)


@pytest.mark.parametrize("name", ["a", "a.txt", "a.TXT"])
def test_a_list_of_moves_needs_no_ending(name: str) -> None:
    assert game_bytes(Path(name), game_of(GO)).startswith(b"game go komi=6.5\n")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"resigned": "green"}, "a.json:6:14: `green` is none of cross, nought, draw"),
        ({"how": "sleep"}, "a.json:7:9: `sleep` is none of resigned, time, forfeit, lost"),
    ],
)
def test_an_ending_that_is_none_is_refused_at_its_place(
    changes: dict[str, str], message: str, tmp_path: Path
) -> None:
    text = json.dumps(SAVED | changes, indent=1)
    with pytest.raises(TextError) as refused:
        game_of(text, "a.json")
    assert message in str(refused.value)
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(RulewrightError, match="is none of"):
        read_saved_game(tmp_path / "a.json")


@pytest.mark.parametrize("name", ["format", "game", "options", "moves"])
def test_a_saved_game_without_a_field_is_refused(name: str) -> None:
    rest = {field: value for field, value in SAVED.items() if field != name}
    with pytest.raises(RulewrightError, match=rf"it is missing @ game\.{name}"):
        game_of(json.dumps(rest), "a.json")


# --- where a file is wrong ---


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[1]SZ[9];B[ee]\n;W[cc]\n", ":2:6: the game breaks off here: a `)` or a `]`"),
        ("(;GM[1]SZ[9];B[ee];W[cc", ":1:23: the game breaks off here"),
        ("(;GM[1]SZ[9];B[ee];W[ee])", ":1:22: `ee` (e5) is not legal for white here: a piece"),
        ("(;GM[1]SZ[9];B[ee];W[zz])", ":1:22: `zz` is no point of this board; they are written"),
        ("(;GM[1]SZ[9];B[ee];W[ef;B[cc])", ":1:22: `ef;B[cc` is no point of this board; they"),
        ("(;GM[2];B[aa])", ":1:11: `aa` (a1) is not legal for black here ["),
    ],
)
def test_a_mistake_in_sgf_is_said_in_its_coordinates(text: str, message: str) -> None:
    with pytest.raises(TextError) as refused:
        game_of(text)
    assert f"a.sgf{message}" in str(refused.value)
    assert "written like `a9`" not in str(refused.value)


def test_an_import_of_other_games_names_what_reads_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "go.sgf"
    path.write_text(GO)
    assert main(["import", str(path), "--into", str(tmp_path / "a.db")]) == 2
    assert "go.sgf is no record of matches (.db or .jsonl); `replay`" in capsys.readouterr().err
    assert not (tmp_path / "a.db").exists()
