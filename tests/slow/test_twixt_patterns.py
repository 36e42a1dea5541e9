"""Patterns on the whole board of TwixT, where a path takes the reference seconds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.cli import main
from rulewright.games.files.games import bundled_games
from rulewright.ground import disk
from rulewright.players.pattern_use import Workbench
from tests.shared.proposals import FIGURE, TWO, figure, game, proposed, read, said

HEADLESS = "Off 2\nOwn 3 3\nSet 2 1\nBPoss 0 0 2 1\nBPoss 3 3 2 1\n"


def test_a_lone_peg_has_an_end_on_either_side() -> None:
    """A peg costs where it is put, so that the step that comes to an own one is free."""
    around = "format 1\nPatterns for twixt\nAround ends of {}\nOff 1\n  Set 1 2\n"
    state = game("twixt").start().play("l12 a5")
    for path in ("rows in t1", "chain in turns", "chain in chains"):
        bench = Workbench(game("twixt"), read(around.format(path), game("twixt")))
        assert {("red", "l12", "north"), ("red", "l12", "south")} <= set(bench.references(state))


HEADS = "format 1\nPatterns for twixt\n"


def test_the_ends_of_several_paths_are_reference_points_together() -> None:
    """In this position neither path has all the ends that both have."""
    moves = "m19 s6 p16 m15 p22 k16 q24 i15 n21 g16 o14 c16 n16 d13 o10 e17 n8 n17"
    state, points = game("twixt").start().play(moves), list[set[Any]]()
    lines = ("Around ends of rows in t1\n", "Around ends of chain in chains\n")
    for head in (lines[0], lines[1], "".join(lines)):
        file = read(f"{HEADS}{head}Off 1\n  Set 1 2\n", game("twixt"))
        points.append(set(Workbench(game("twixt"), file).references(state)))
    one, other, both = points
    assert both == one | other
    assert one < both
    assert other < both


def test_paths_that_lead_different_ways_do_not_stand_beside_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "format 1\nevaluator back for twixt\nlet aim for red = top\nlet aim for blue = left\n"
    text += "path up\n  from goal costs 1\n  to aim\n  step near into empty costs 1\n  else 99\n"
    text += "value of position for mover = up for enemy - up\n"
    (tmp_path / "back.eval").write_text(text)
    head = f"{HEADS}Around ends of chain in chains\nAround ends of up in back\n"
    (tmp_path / "x.patterns").write_text(f"{head}Off 1\n  Set 1 2\n")
    assert main(["check", str(tmp_path / "x.patterns")]) == 1
    assert "x.patterns:4:1: `up` leads another way than `chain`" in (capsys.readouterr().out)


def test_the_mirrored_copy_is_used_too() -> None:
    other = game("twixt").start().play("h5 h9 g7 j8 k2 x20")
    assert proposed(TWO, other) == {"j4": {"h5 north"}}
    only = TWO.replace("Off 2", "OffS 2")
    assert proposed(only, other) == {}
    assert proposed(only, figure()) == {"f4": {"h5 north"}}


def test_defence_looks_from_the_opponents_points() -> None:
    text = "Def wall\n  Opp 0 0\n  Free 0 1\n  Set 0 4\n"
    assert proposed(text, figure()) == {"d9": {"h9 west"}, "n8": {"j8 east"}}
    text = "Def lean\n  Own 2 1\n  Set 0 2\n  BPoss 2 1 0 2\n"
    assert proposed(text, figure()) == {"f9": {"h9 west"}}


def test_the_workbench_as_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def data(*words: str) -> dict[str, Any]:
        assert main([*words, "--format", "json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert found["format"] == 1
        return found

    file = tmp_path / "two.patterns"
    file.write_text(TWO, "utf-8")
    shown = data("patterns", "show", str(file))["patterns"]
    assert shown[0]["conditions"] == ["Own 3 3", "BPoss 0 0 2 1", "BPoss 3 3 2 1"]
    assert (shown[0]["kind"], shown[0]["set"], shown[0]["line"]) == ("Off", [2, 1], 1)
    found = data("patterns", "match", "twixt", "--moves", FIGURE, "--with", str(file))
    assert [(use["move"], use["mirrored"]) for use in found["fired"]] == [("f4", False)]
    near = next(use for use in found["near"] if use["move"] == "j4")
    assert (near["failed"], near["line"], near["failing"]) == ("Own 3 3", 2, 1)
    games = tmp_path / "games.txt"
    games.write_text(f"{FIGURE} f4\n", "utf-8")
    counted = data("patterns", "cover", str(file), "--games", str(games))
    assert (counted["games"], counted["patterns"][0]["chosen"]) == (1, 1)
    for name in ("game.sgf", "game.T1"):
        record = tmp_path / name
        assert main(["convert", str(games), str(record), "--game", "twixt"]) == 0
        assert data("patterns", "cover", str(file), "--games", str(record)) == counted
        assert main(["patterns", "cover", "connect5/threats", "--games", str(record)]) in (1, 2)
        refused = capsys.readouterr().err
        assert "this is game 21 of SGF" in refused or "connect5 has no files of T1j" in refused
    drawing = tmp_path / "two.svg"
    assert main(["patterns", "show", str(file), "--svg", str(drawing)]) == 0
    assert drawing.read_text("utf-8").count("stroke-dasharray") == 2
    assert main(["patterns", "why", "twixt", "z9", "--with", str(file)]) == 2


def test_cover_takes_boards_of_any_size(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = "game twixt size=12\n1. f6 g4\n2. e8 d10\n"
    (write / "small.txt").write_text(small, "utf-8")
    (write / "large.txt").write_text("game twixt\n1. l12 m10\n", "utf-8")
    (write / "lines.txt").write_text("f6 g4 e8 d10\n", "utf-8")
    cover = ("patterns", "cover", "twixt/basics", "--format", "json", "--games")
    told = json.loads(said(capsys, *cover, "small.txt", "large.txt")[1])
    assert (told["games"], told["positions"]) == (2, 6)
    alone = json.loads(said(capsys, *cover, "small.txt")[1])
    listed = json.loads(said(capsys, *cover, "lines.txt", "--set", "size=12")[1])
    assert alone == listed
    assert any(pattern["fired"] for pattern in alone["patterns"])
    status, _, message = said(capsys, *cover, "lines.txt", "--set", "size=5")
    assert (status, "lines.txt:1: " in message) == (2, True)
    status, _, message = said(capsys, *cover, "small.txt", "--set", "size=10")
    refused = "small.txt is a game with size=12, not 10; leave --set size out"
    assert (status, refused in message) == (2, True)
    assert said(capsys, *cover, "small.txt", "--set", "size=12")[0] == 0
    other = said(capsys, "patterns", "cover", "connect5/threats", "--games", "small.txt")
    assert (other[0], "small.txt is a game of twixt, not of connect5" in other[2]) == (2, True)


@pytest.mark.parametrize("name", ["pattern.txt", "PATTERN.DAT", "mine.patterns"])
def test_a_file_of_t1j_is_read_under_any_name(
    name: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / name).write_text(HEADLESS, "utf-8")
    (write / "lines").write_text("l12 k14\n", "utf-8")
    warning = f"{name} names no game and is read for twixt"
    for words in (
        ("check", name), ("patterns", "show", name),
        ("patterns", "cover", name, "--games", "lines"),
    ):  # fmt: skip
        status, _, told = said(capsys, *words)
        assert (status, warning in told) == (0, True), told
        status, _, told = said(capsys, *words, "--game", "twixt")
        assert (status, warning in told) == (0, False), told
    assert said(capsys, "patterns", "match", "twixt", "--moves", "l12 p13", "--with", name)[0] == 0
    assert said(capsys, "check", name, "--game", "chess")[0] == 1


def test_own_patterns_load_by_name(tmp_path: Path, run: Any) -> None:
    text = bundled_games()["twixt"].read_text("utf-8")
    (tmp_path / "mine.rules").write_text(text.replace("game twixt", "game mine"), "utf-8")
    basics = (disk.root("patterns") / "twixt" / "basics.patterns").read_text("utf-8")
    judge = (disk.root("rulesets") / "twixt" / "t1.eval").read_text("utf-8")
    (tmp_path / "own.patterns").write_text(basics.replace("for twixt", "for mine"), "utf-8")
    (tmp_path / "t1.eval").write_text(judge.replace("for twixt", "for mine"), "utf-8")
    rules = str(tmp_path / "mine.rules")
    status, out, err = run("patterns", "match", rules, "--with", "own", "--moves", "l12 p13")
    assert (status, err) == (0, "")
    assert "moves proposed" in out
