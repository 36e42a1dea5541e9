"""The table of formats in docs/formats.md, and the commands that take files of any of them."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import (
    FORMATS,
    FileHints,
    format_of,
    game_bytes,
    losses,
    read_data,
    read_game,
)
from rulewright.matches.protocols.recorded import Ending, Recorded, Variation
from tests.shared.places import GAME_FILES, ROOT
from tests.shared.tiny import ROWS_FOR_THREE

PGN = '[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[White "Eve"]\n\n1. d4 *\n'
EPD = (
    '7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7; id "mate";\n7k/8/5KQ1/8/8/8/8/8 w - - am Qg7 Qe8; id "no";\n'
    '7k/8/5KQ1/8/8/8/8/8 w - - id "nothing asked";\n'
)


def rows() -> list[list[str]]:
    """The cells of the first table of the document."""
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    first = next(part for part in text.split("\n\n") if part.startswith("|"))
    table = re.findall(r"^\| *(.*) *\|$", first, flags=re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in table[2:]]


def test_the_document_has_the_table_of_formats() -> None:
    told = [(r[0], tuple(r[1].split()), r[5] == "yes", r[6]) for r in rows()]
    rows_of_formats = [
        (f.name, f.suffixes, f.write is not None, ", ".join(sorted(f.holds))) for f in FORMATS
    ]
    assert sorted(told) == sorted(rows_of_formats)


@pytest.mark.parametrize("path", sorted(GAME_FILES.iterdir()), ids=lambda path: path.name)
def test_each_file_is_read_by_its_name_and_by_its_content(path: Path) -> None:
    game = read_game(path)
    assert game.decisions or game.is_set_up
    form = format_of(path)
    if form.recognises is not None:
        bare = read_data(Path("unnamed"), path.read_bytes(), FileHints())
        assert bare.same(game)
    if form.write is not None:
        again = read_data(path, game_bytes(path, game), FileHints())
        assert again.end.same(game.end)
        assert not (form.name in ("SGF", "PGN") and not again.same(game))


def test_there_is_a_file_for_each_format() -> None:
    assert {format_of(path).name for path in GAME_FILES.iterdir()} == {f.name for f in FORMATS}


def test_what_a_format_holds_is_read_back(tmp_path: Path) -> None:
    state = rulewright.load("chess").start().play("e2e4 e7e5")
    whole = Recorded(
        "chess", state, ("Ann", "Bob"), Ending("lost", "white"), {1: "comment"},
        marks={1: {"NAG": ("1",)}}, variations=(Variation(0, ("d2d4",)),),
    )  # fmt: skip
    assert losses(tmp_path / "a.pgn", whole) == []
    again = read_data(Path("a.pgn"), game_bytes(Path("a.pgn"), whole), FileHints())
    assert again.same(whole)
    assert losses(tmp_path / "a.fen", whole) == [
        "names", "1 comment", "1 assessment", "1 variation", "result",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["othello", "connect4"])
def test_moves_may_stand_together(name: str) -> None:
    random, passes = Random(f"joined {name}"), 0
    for _ in range(12):
        state = rulewright.load(name).start()
        while not state.over:
            state = state.play_decision(random.choice(state.moves.texts))
        moves = state.decisions()
        passes += moves.count("pass")
        while moves[-1] == "pass":  # nothing shows that a game ended by passing
            moves.pop()
        text = f"game {name}\n{''.join(m for m in moves if m != 'pass')}\n"
        game = read_data(Path("a.txt"), text.encode(), FileHints())
        assert list(game.decisions) == moves
    assert passes or name != "othello"


def test_moves_that_stand_together_are_refused_as_one() -> None:
    with pytest.raises(TextError, match=r"a\.txt:2:1: `f5d6a1`"):
        read_data(Path("a.txt"), b"game othello\nf5d6a1\n", FileHints())


# --- commands ---


def run(capsys: Any, *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out = capsys.readouterr()
    return status, out.out, out.err


def test_games_are_listed_counted_and_filtered(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "two.pgn"
    path.write_text(PGN)
    status, out, _ = run(capsys, "replay", str(path))
    assert status == 0
    assert "0  Ann - Bob: 4 decisions; black lost" in out
    assert out.endswith("2 games\n")
    assert run(capsys, "replay", str(path), "--count", "--where", "White=eve")[1] == "1 game\n"
    assert "Nc6" not in run(capsys, "replay", str(path), "--game", "1")[1]
    path.write_text(PGN.replace("d4", "d5"))
    status, out, err = run(capsys, "replay", str(path))
    assert (status, out.splitlines()[-1]) == (1, "2 games, 1 of them cannot be read")
    assert "two.pgn:8:4: `d5` is not legal" in err


def test_the_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(PGN.encode())))
    status, out, err = run(capsys, "convert", "-", "--number", "1")
    assert (status, out) == (0, "game chess\n# Eve against ?\n1. d2d4\n"), err


def test_test_positions_are_counted(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "tests.epd"
    path.write_text(EPD)
    status, out, err = run(capsys, "epd", str(path), "--nodes", "2000", "--time", "20")
    lines = out.splitlines()
    assert status == 0
    assert re.match(r"mate +Qg7# +solved +bm Qg7 ", lines[0])
    assert re.match(r"no +Q\S+ ", lines[1])
    assert lines[-1].endswith(" of 2 positions solved")
    assert "1 position without `bm`, `am` or a score left out" in err


def test_scores_of_a_list_are_compared(tmp_path: Path, capsys: Any) -> None:
    path = GAME_FILES / "scored.scores"
    games = rulewright.read(path.read_bytes())
    assert [(g.source, len(g.decisions), g.notes["score"]) for g in games[:2]] == [
        ("connect4", 37, ("-1",)), ("connect4", 31, ("-1",)),
    ]  # fmt: skip
    out = run(capsys, "epd", str(path), "--nodes", "300000", "--time", "20")[1]
    assert re.search(r"^8 +4 6 +solved  score 6 ", out, re.MULTILINE)
    assert out.endswith("13 of 13 positions solved\n")
    wrong = tmp_path / "Test_L3"
    wrong.write_text("44444444 1\n")
    assert "Test_L3:1:1: `44444444` are no moves" in run(capsys, "epd", str(wrong))[2]
    wrong.write_text("444444 7\n")
    assert run(capsys, "epd", str(wrong), "--nodes", "100")[1].endswith("0 of 1 position solved\n")


def test_a_position_may_be_in_fen(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "a.fen"
    path.write_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n")
    for option in ("--position", "--load"):
        assert "e1g1" in run(capsys, "moves", "chess", option, str(path))[1]


def test_a_swap_that_the_rules_do_not_have_is_refused_at_its_place(
    tmp_path: Path, capsys: Any
) -> None:
    path = tmp_path / "golem.hgf"
    path.write_text("(;FF[4]SZ[8]PB[Ann]PW[Ben];W[H8];B[swap];W[G2])")
    assert main(["replay", str(path)]) == 1
    assert "golem.hgf:1:36: `swap` is no move of this position" in capsys.readouterr().err


def test_openings_may_be_games(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "book.pgn"
    path.write_text(PGN)
    words = (
        "match",
        "chess",
        "random",
        "random@depth=1",
        "--games",
        "4",
        "--longest",
        "6",
        "--openings",
    )
    status, out, _ = run(capsys, *words, str(path))
    assert (status, "all 4 games are played" in out) == (0, True)
    path.write_text('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n*\n')
    status, _, err = run(capsys, *words, str(path))
    assert (status, "begins from a position" in err) == (2, True)


# --- more than two players ---


def seated() -> list[tuple[str, int]]:
    """The bundled games of several, each with all numbers of players that it may have."""
    lines = re.compile(r"^players( \w+){3,} when seats = (\d)", re.MULTILINE)
    texts = {p.stem: p.read_text("utf-8") for p in ROOT.glob("rulesets/*/*.rules")}
    return [(name, int(line[2])) for name in sorted(texts) for line in lines.finditer(texts[name])]


def test_games_of_several_are_known() -> None:
    assert {("mensch", 4), ("chinesecheckers", 6)} <= set(seated())


@pytest.mark.parametrize(("name", "seats"), seated())
def test_a_game_of_several_comes_back_or_is_refused(name: str, seats: int) -> None:
    """Nothing is written that would be read as another game."""
    game, random = rulewright.load(name, seats=seats), Random(seats)
    state = game.start()
    for _ in range(3 + seats):
        option = game.play.sample(state.situation.position, random)
        assert option is not None
        state = state.play_decision(option.text)
    names = tuple(f"Player {number}" for number in range(seats))
    recorded = Recorded(name, state, names, Ending("resigned", game.players[-1]))
    for form in (form for form in FORMATS if form.write is not None):
        path = Path(f"game{form.suffixes[0]}")
        if not form.several:
            with pytest.raises(RulewrightError, match=f"this game has {seats} players, and"):
                game_bytes(path, recorded)
            continue
        read = read_data(path, game_bytes(path, recorded), FileHints())
        assert (read.game.rules, read.decisions) == (game.rules, recorded.decisions)
        if path.suffix == ".json":
            assert read.same(recorded)


@pytest.mark.parametrize(
    ("file", "text"),
    [("g.sgf", "(;GM[4];B[aa])"), ("g.fen", "4/4/R3 b 1"), ("g.psq", "Piskvorky 4x3, 11:11, 0\n")],
)
def test_a_file_of_two_is_no_game_of_several(file: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "rows.rules").write_text(ROWS_FOR_THREE, "utf-8")
    (tmp_path / "rows.toml").write_text("[sgf]\ngame = 4\n[psq.rules]\nFree = {}\n", "utf-8")
    hints = FileHints(str(tmp_path / "rows.rules"))
    with pytest.raises(TextError, match="3 players"):
        read_data(Path(file), text.encode(), hints)


@pytest.mark.parametrize("protocol", ["gtp", "uci", "gomocup"])
def test_protocols_of_two_refuse_several(protocol: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "rows.rules"
    path.write_text(ROWS_FOR_THREE, "utf-8")
    assert main([protocol, str(path)]) in (1, 2)
    assert "this game has 3 players, and" in capsys.readouterr().err
