"""Tags of recorded games: who sits where by them, and searching for them in files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.matches.game_files import unread_games

SEATS = {
    "go.sgf": "(;GM[1]SZ[9]PB[Ann]PW[Ben];B[ee];W[cc])",
    "white.sgf": "(;GM[1]SZ[9]PB[Ann]PW[Ben];W[ee];B[cc])",
    "set-up.sgf": "(;GM[1]SZ[9]PB[Ann]PW[Ben]HA[2]AB[cc][gg];W[ee])",
    "hex.sgf": "(;GM[11]SZ[5]PB[Ann]PW[Ben];B[a3];W[b2])",
    "hex-white.sgf": "(;GM[11]SZ[5]PB[Ann]PW[Ben];W[a3];B[b2])",
    "golem.tsgf": "(;FF[4]SZ[12]PB[Ann]PW[Ben];W[f6];B[g7])",
    "golem.hgf": "(;FF[4]SZ[4]PB[Ann]PW[Ben];W[E1];B[D7])",
    "amazons.sgf": "(;GM[18]SZ[10]PB[Ann]PW[Ben];B[djddgd])",
    "othello.ggf": "(;GM[Othello]PB[Ann]PW[Ben]TY[8];)",
    "chess.pgn": '[White "Ben"]\n[Black "Ann"]\n\n1. e4 *',
    "english.pdn": '[GameType "21"]\n[White "Ben"]\n[Black "Ann"]\n\n1. 11-15 *',
}
"""Files in which Ann has Black, and Ben White."""


def wrote(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name
    path.write_text(text or SEATS[name])
    return path


@pytest.mark.parametrize("name", SEATS)
def test_a_colour_names_whoever_has_it_in_the_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = wrote(tmp_path, name)
    for words, count in (
        (["Black=Ann"], "1 game\n"), (["White=Ann"], "0 games\n"), (["white=ben"], "1 game\n"),
        (["Black=Ann", "White=Ben"], "1 game\n"), (["Black=Ann", "Black=Ben"], "0 games\n"),
    ):  # fmt: skip
        wheres = [part for word in words for part in ("--where", word)]
        assert main(["replay", str(path), "--count", *wheres]) == 0
        assert capsys.readouterr().out == count, words


def test_properties_of_the_file_are_tags(tmp_path: Path) -> None:
    def tags(name: str, text: str) -> Mapping[str, str]:
        return next(iter(unread_games(wrote(tmp_path, name, text)))).tags()

    sgf = tags("a.sgf", "(;GM[1]SZ[9]PB[Ann]RE[W+3.5]DT[2024]EV[Club];B[ee]C[no tag])")
    assert sgf == {
        "GM": "1", "SZ": "9", "PB": "Ann", "Black": "Ann", "RE": "W+3.5", "DT": "2024",
        "EV": "Club",
    }  # fmt: skip
    ggf = tags("a.ggf", "(;GM[Othello]PB[Ann]RB[2100]RE[+6.000]B[f5];)")
    assert ggf == {"GM": "Othello", "PB": "Ann", "Black": "Ann", "RB": "2100", "RE": "+6.000"}


def test_a_file_without_tags_for_persons_has_the_colours_of_the_rules(tmp_path: Path) -> None:
    text = "Piskvorky 15x15, 11:11, 0\n8,8,0\nAnn\nBen\n-1\n"
    tags = next(iter(unread_games(wrote(tmp_path, "a.psq", text)))).tags()
    assert tags == {"cross": "Ann", "nought": "Ben"}


def test_a_tag_that_no_game_has_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = wrote(tmp_path, "go.sgf")
    assert main(["replay", str(path), "--where", "Blck=Ann"]) == 0
    assert "go.sgf: no game has the tag `Blck`: did you mean `Black`?" in capsys.readouterr().err
    assert main(["replay", str(path), "--where", "Event=x"]) == 0
    assert "there is `Black`, `GM`, `PB`, `PW`, `SZ`, `White`" in capsys.readouterr().err
    assert main(["replay", str(path), "--where", "Black=Zoe"]) == 0
    assert capsys.readouterr().err == ""


def test_a_position_is_of_the_game_with_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.sgf"
    path.write_text("(;GM[1]SZ[9];B[ee])(;GM[1]SZ[9];B[ee];W[cc];B[gg])")
    assert main(["show", "go", "--load", str(path), "--number", "1"]) == 0
    assert "ply: 3" in capsys.readouterr().out
    assert main(["show", "go", "--load", str(path), "--number", "2"]) == 2
    assert "holds 2 games, numbered from 0; not 2" in capsys.readouterr().err
    assert main(["show", "go", "--number", "1"]) == 2
    assert "--number needs --load FILE, from which it chooses a game" in capsys.readouterr().err
