"""GTP by a strict controller that was written from its specification; GNU Go is tried first."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared.gtp_strict import GtpStrict
from tests.tools.final_scores import finished_game

GNUGO = shutil.which("gnugo", path=f"{os.defpath}:/usr/games")
ENGINES = {
    "gnugo": (GNUGO or "", "--mode", "gtp", "--level", "1", "--chinese-rules"),
    "rulewright": (sys.executable, "-m", "rulewright", "gtp", "go", "--personality", "random"),
}
REQUIRED = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
    "clear_board", "komi", "play", "genmove", "fixed_handicap", "place_free_handicap",
    "set_free_handicap", "undo", "time_settings", "time_left", "final_score", "final_status_list",
    "loadsgf", "reg_genmove", "showboard",
}  # fmt: skip
WORDS = {
    "dance": "unknown command", "": "syntax error", "boardsize": "syntax error",
    "boardsize x": "syntax error", "boardsize 99": "unacceptable size", "komi": "syntax error",
    "komi high": "syntax error", "play black": "syntax error", "play purple D4": "syntax error",
    "play black D4": "illegal move", "play white Z9": "illegal move", "play b 44": "syntax error",
    "genmove": "syntax error", "fixed_handicap x": "syntax error", "fixed_handicap 2":
    "board not empty", "place_free_handicap 3": "board not empty", "set_free_handicap A1 B1":
    "board not empty", "time_settings 1 2": "syntax error", "time_left b": "syntax error",
    "final_status_list": "syntax error", "final_status_list asleep": "syntax error",
    "loadsgf": "syntax error", "loadsgf /no/such/file": "cannot load file",
}  # fmt: skip
EMPTY = {
    "fixed_handicap 10": "invalid number of stones", "fixed_handicap 1": "invalid number of stones",
    "place_free_handicap 81": "invalid number of stones", "set_free_handicap D4": "bad vertex list",
    "set_free_handicap D4 D4": "bad vertex list", "set_free_handicap D4 pass": "bad vertex list",
    "set_free_handicap D4 Z9": "bad vertex list", "undo": "cannot undo",
}  # fmt: skip


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[GtpStrict]:
    if request.param == "gnugo" and GNUGO is None:
        pytest.skip("no GNU Go here")
    controlled = GtpStrict(*ENGINES[request.param])
    yield controlled
    controlled.end()


def is_ours(engine: GtpStrict) -> bool:
    return engine.ask("name").startswith("rulewright")


def test_the_whole_protocol(engine: GtpStrict, tmp_path: Path) -> None:
    """One engine after the other, as each takes a while to start."""
    about(engine)
    moves_of_either_colour(engine)
    errors(engine)
    handicap(engine)
    files(engine, tmp_path)
    times(engine)
    the_end(engine)
    engine.close()


def about(engine: GtpStrict) -> None:
    assert engine.ask("protocol_version") == "2"
    commands = engine.ask("list_commands").split("\n")
    assert set(commands) >= REQUIRED
    assert all(engine.ask(f"known_command {name}") == "true" for name in commands)
    assert engine.ask("known_command dance") == "false"
    engine.say(b"# nothing\n\n  \t ")
    engine.say(b"7\tprotocol_version\x01 # 2?\r")
    assert engine.hear("7") == "2"
    engine.say(b"protocol_version")
    assert engine.hear() == "2"


def moves_of_either_colour(engine: GtpStrict) -> None:
    engine.begin(9)
    for colour, vertex in [("black", "D4"), ("black", "e5"), ("white", "pass"), ("white", "J9")]:
        engine.play(colour, vertex)
    assert engine.ask("play W a1") == ""
    assert engine.ask("undo") == ""
    engine.genmove("white", "reg_genmove")
    engine.genmove("white")
    engine.genmove("white")
    assert engine.ask("undo") == ""
    engine.begin(9)
    for vertex in ("A2", "B1"):  # black takes the corner, though white has passed nothing
        engine.play("black", vertex)
    engine.begin(9)
    engine.play("white", "A1")
    engine.play("black", "A2")
    engine.play("black", "B1")
    assert engine.stones.of("white") == set()
    engine.play("black", "A1")
    engine.begin(9)
    for colour in ("black", "white", "black", "black"):
        engine.play(colour, "pass")  # whoever wants to goes on behind two passes
    engine.play("white", "C3")
    assert engine.genmove("black") != "C3"
    rows = engine.ask("showboard")
    assert re.search(r"A\W+B\W+C\W+D\W+E\W+F\W+G\W+H\W+J", rows.upper())


def errors(engine: GtpStrict) -> None:
    engine.begin(9)
    engine.play("black", "D4")
    for command, words in WORDS.items():
        if not is_ours(engine):
            continue
        assert engine.refused(command) == words
    engine.begin(9)
    for command, words in EMPTY.items():
        if is_ours(engine) or command != "place_free_handicap 81":  # GNU Go places fewer
            message = engine.refused(command)
            assert not is_ours(engine) or message == words, command
    for komi in ("0", "-3.5", "6.25", "+7", "900"):
        assert engine.ask(f"komi {komi}") == ""
    assert engine.ask("komi 6.5") == ""


def handicap(engine: GtpStrict) -> None:
    assert engine.ask("clear_board") == ""
    engine.begin(19)
    assert set(engine.points(engine.ask("fixed_handicap 3"))) == {"D4", "D16", "Q16"}
    assert engine.refused("undo")
    for size, count, points in [
        (9, 5, {"C3", "C7", "G3", "G7", "E5"}),
        (13, 6, {"D4", "D10", "K4", "K10", "D7", "K7"}),
        (7, 4, {"C3", "C5", "E3", "E5"}),
        (19, 8, {"D4", "D16", "Q4", "Q16", "D10", "Q10", "K4", "K16"}),
    ]:
        engine.begin(size)
        assert set(engine.points(engine.ask(f"fixed_handicap {count}"))) == points
    engine.begin(8)
    assert engine.refused("fixed_handicap 5")
    assert 2 <= len(engine.points(engine.ask("place_free_handicap 7"))) <= 7
    engine.begin(9)
    assert engine.ask("set_free_handicap A1 A2 J9") == ""
    for point in ("A1", "A2", "J9"):
        engine.stones.put("black", point)
    assert engine.refused("play white A1")
    engine.play("white", "B1")
    assert engine.ask("undo") == ""
    assert engine.refused("undo")


def files(engine: GtpStrict, folder: Path) -> None:
    path = folder / "game.sgf"
    path.write_text("(;GM[1]FF[4]SZ[9]KM[0.5]AB[aa][bb];W[cc];B[dd];W[ee])")
    for number, taken in [("", "C7 D6 E5"), (" 3", "C7 D6"), (" 1", ""), (" 99", "C7 D6 E5")]:
        assert engine.ask(f"loadsgf {path}{number}") in ("", "black", "white")
        free = [p for p in ("C7", "D6", "E5") if p not in taken.split()]
        assert all(engine.refused(f"play black {p}") for p in ("A9", "B8", *taken.split()))
        for point in free:
            assert engine.ask(f"play black {point}") == ""
    path.write_text("(;GM[1]SZ[9];B[aa];W[aa])")
    assert not is_ours(engine) or engine.refused(f"loadsgf {path}") == "cannot load file"


def times(engine: GtpStrict) -> None:
    engine.begin(9)
    for settings in ("0 1 0", "600 0 0", "0 2 4", "300 30 5"):
        assert engine.ask(f"time_settings {settings}") == ""
    assert engine.ask("time_left black 2 0") == ""
    assert engine.ask("time_left W 1 3") == ""
    engine.genmove("black")
    engine.genmove("white")


def the_end(engine: GtpStrict) -> None:
    """A wall of each colour, and a stone of black behind that of white, which is dead."""
    engine.begin(9)
    assert engine.ask("komi 0.5") == ""
    for row in range(1, 10):
        engine.play("black", f"D{row}")
        engine.play("white", f"E{row}")
    engine.play("black", "H7")
    engine.play("white", "pass")
    engine.play("black", "pass")
    assert engine.ask("final_score") == "W+9.5"
    dead = engine.points(engine.ask("final_status_list dead"))
    alive = engine.points(engine.ask("final_status_list alive"))
    assert dead == ["H7"]
    assert not engine.ask("final_status_list seki")
    assert {*dead, *alive} == set(engine.stones.colours)


@pytest.mark.skipif(GNUGO is None, reason="no GNU Go here")
def test_a_finished_game_is_counted_as_gnu_go_counts_it() -> None:
    """`python -m tests.tools.final_scores 50` does it for as many as you like."""
    ours, other = GtpStrict(*ENGINES["rulewright"]), GtpStrict(*ENGINES["gnugo"], "--seed", "8")
    moves, score, dead = finished_game(other)
    assert dead
    ours.begin(9)
    ours.ask("komi 6.5")
    for number, move in enumerate(moves):
        ours.ask(f"play {'bw'[number % 2]} {move}")
    assert ours.ask("final_score") == score
    ours.close()
    other.close()
