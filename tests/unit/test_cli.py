"""The commands, as a person at a shell meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.cli import main
from rulewright.games.files.games import bundled_games
from tests.shared.playing import play


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("rulewright 0.")


@pytest.mark.parametrize(
    "words", [[], ["perft", "hex"], ["perft", "hex", "--depth", "-1"], ["dance"]]
)
def test_wrong_usage_exits_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_games_lists_each_in_one_line(run: Any) -> None:
    status, out, _ = run("games")
    assert status == 0
    assert len(out.splitlines()) >= 17
    data = json.loads(run("games", "--format", "json")[1])
    assert data["format"] == 1
    twixt = next(g for g in data["games"] if g["name"] == "twixt")
    assert twixt["options"]["size"] == 24


def test_moves_as_data(run: Any) -> None:
    data = json.loads(run("moves", "connect4", "--moves", "4 4", "--format", "json")[1])
    assert sorted(data.pop("moves")) == list("1234567")
    assert data == {"format": 1, "mover": "yellow", "result": None, "over": False}


def test_moves_of_a_finished_game(run: Any) -> None:
    data = json.loads(run("moves", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--format", "json")[1])
    assert data["over"]
    assert (data["moves"], data["mover"], data["result"]["winner"]) == ([], None, "cross")


def test_perft_as_data(run: Any) -> None:
    words = ("perft", "othello", "--depth", "3", "--divide", "--format", "json")
    data = json.loads(run(*words)[1])
    assert (data["leaves"], data["nodes"]) == (56, 4 + 12 + 56)
    assert sum(data["divide"].values()) == 56
    assert set(data) >= {"game", "options", "depth", "unit", "seconds", "backend"}


def test_perft_by_turns(run: Any) -> None:
    assert run("perft", "draughts", "--depth", "3", "--unit", "turn")[1] == "302\n"
    divided = run("perft", "conniption", "--depth", "1", "--unit", "turn", "--divide")[1]
    assert "!4!: 1" in divided.splitlines()
    assert divided.splitlines()[-1] == "28"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("moves", "tictak"), 2, "did you mean `tictactoe`?"),
        (("moves", "./nothing.rules"), 2, "there is no file"),
        (("moves", "tictactoe", "--moves", "e9"), 2, "`e9` is not legal for cross here"),
        (("moves", "tictactoe", "--moves", "hello!"), 2, "is no move of this position"),
        (("moves", "tictactoe", "--set", "width=99"), 2, "option width must be in 1..20, not 99"),
        (("moves", "tictactoe", "--set", "widht=3"), 2, "did you mean `width`?"),
        (("moves", "tictactoe", "--set", "width"), 2, "--set takes OPTION=VALUE"),
        (("moves", "twixt", "--set", "pie=maybe"), 2, "option pie is yes or no"),
        (("show", "hex", "--position", "nowhere.txt"), 2, "cannot be read"),
        (("check", "nowhere.rules"), 2, "there is no file nowhere.rules"),
        (("best", "tictactoe", "--moves", "a1 b1 a2 b2 a3"), 2, "the game is over"),
        (("play", "hex", "green=human"), 2, "players are red=WHO and blue=WHO"),
        (
            ("play", "hex", "red=robot"),
            2,
            "hex has no personality `robot`; there is `bridger`, `builder`, `dreamer`, ",
        ),
        (("play", "hex", "--load", "nowhere.json"), 2, "cannot be read"),
    ],
)
def test_mistakes_are_explained(run: Any, words: Any, status: int, message: str) -> None:
    found, out, err = run(*words)
    assert (found, out) == (status, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words",
    [
        "check RULES", "check MISSING", "check WRONG", "test RULES --property start --no-cases",
        "test WRONG", "cover RULES --dead --effort 0.1", "fmt --check RULES",
        "fmt RULES", "fmt WRONG", "show MISSING", "show RULES --moves MISSING",
        "best RULES --personality MISSING",
        "new NEW --from RULES", "match RULES random MISSING", "why RULES MISSING", "games",
        "perft RULES --depth 1 --position MISSING", "analyze MISSING", "convert MISSING",
        "report MISSING", "replay MISSING", "factors RULES", "add MISSING --sha256 00",
        "show RULES --svg SVG", "explain RULES --personality MISSING", "solve MISSING",
        "new MISSING --from tictactoe", "patterns show MISSING",
    ],
)  # fmt: skip
def test_a_line_break_in_a_name_is_spelled(
    run: Any, tmp_path: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every message: no line of it begins with the rest of a name."""
    folder = tmp_path / "one\nname\tof two lines"
    folder.mkdir()
    monkeypatch.setenv("RULEWRIGHT_PATH", str(folder))
    text = bundled_games()["tictactoe"].read_text("utf-8").replace("tictactoe", "mine")
    (folder / "mine.rules").write_text(text, "utf-8")
    (folder / "wrong.rules").write_text("format 1\ngame wrong\nbord 3\n", "utf-8")
    names = {"RULES": "mine.rules", "WRONG": "wrong.rules", "MISSING": "missing.rules"}
    names |= {"NEW": "new", "SVG": "board.svg"}
    told = [str(folder / names[word]) if word in names else word for word in words.split()]
    _, out, err = run(*told)
    assert "name\tof" not in out + err
    assert not any(line.startswith("name") for line in (out + err).splitlines())


def test_check_reports_and_exits_with_1(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.rules"
    file.write_text("format 1\ngame g\nplayers a b\nbord square 3 by 3\n")
    status, out, err = run("check", str(file))
    assert status == 1
    assert f"{file}:4:1: no statement begins with `bord`" in out
    assert "did you mean `board`?" in out
    assert "error" in err
    data = json.loads(run("check", str(file), "--format", "json")[1])
    first = data["diagnostics"][0]
    assert (first["line"], first["column"], first["code"]) == (4, 1, "unknown-statement")
    assert set(first) == {
        "file", "line", "column", "end_line", "end_column", "code", "severity", "message", "hint",
    }  # fmt: skip


def test_check_finds_a_claim_that_fails(run: Any, tmp_path: Path) -> None:
    assert run("new", str(tmp_path / "mine"), "--from", "tictactoe")[0] == 0
    file = tmp_path / "mine.rules"
    file.write_text(file.read_text().replace("claim perft 9, 72", "claim perft 9, 73"))
    status, out, _ = run("check", str(file))
    assert status == 1
    assert "perft 2 is 72, not 73" in out
    assert "[claim-fails]" in out


def test_check_says_what_it_did_not_try(run: Any, tmp_path: Path) -> None:
    """A claim that is false beyond what `check` counts is not called fine without a word."""
    assert run("new", str(tmp_path / "mine"), "--from", "tictactoe")[0] == 0
    file = tmp_path / "mine.rules"
    lines = file.read_text().splitlines()
    lines = [line for line in lines if not line.startswith("claim")]
    lines += ["claim start no full", "claim perft 9, 72, 504, 3024, 1", "claim no draws"]
    file.write_text("\n".join(lines) + "\n")
    status, out, err = run("check", str(file))
    assert (status, out) == (0, "")
    place = len(lines) - 1
    told = f"not tried here: line {place} from depth 4 on, 1 other claim; `rulewright test` tries"
    assert told in err
    data = json.loads(run("check", str(file), "--format", "json")[1])
    assert [(one["line"], one["what"]) for one in data["untried"]] == [
        (place, "depth 4 on"),
        (place + 1, "all"),
    ]
    lines[-3:] = ["claim start no full"]
    file.write_text("\n".join(lines) + "\n")
    assert "not tried" not in run("check", str(file))[2]


def test_test_says_which_counts_were_too_much(run: Any, tmp_path: Path) -> None:
    assert run("new", str(tmp_path / "mine"), "--from", "connect4")[0] == 0
    file = tmp_path / "mine.rules"
    counts = "claim perft 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646"
    file.write_text(f"{file.read_text()}\n{counts}\n")
    status, out, err = run("test", str(file), "--property", "perft", "--no-cases")
    assert (status, out) == (0, "")
    assert "perft: not tried: " in err
    assert "depth 8 and beyond, more than 3,000,000 decisions to count" in err


def test_new_keeps_what_is_there(run: Any, tmp_path: Path) -> None:
    name = str(tmp_path / "mine")
    assert run("new", name, "--from", "hex")[0] == 0
    assert "game mine\n" in (tmp_path / "mine.rules").read_text()
    status, _, err = run("new", name, "--from", "hex")
    assert status == 2
    assert "is there already" in err
    assert run("new", name, "--from", "hex", "--force")[0] == 0
    assert run("new", "no-name", "--from", "hex")[0] == 2


def test_fmt(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.rules"
    run("new", str(tmp_path / "game"), "--from", "tictactoe")
    good = file.read_text()
    file.write_text(good.replace("  choose cell in empty", "  choose   cell in  empty"))
    assert run("fmt", str(file), "--check")[0] == 1
    assert run("fmt", str(file))[0] == 0
    assert file.read_text() == good
    file.write_text("format 1\ngame\n")
    status, _, err = run("fmt", str(file))
    assert status == 1
    assert f"{file}:2:1" in err
    assert file.read_text() == "format 1\ngame\n"


def test_show_reads_its_own_positions(run: Any, tmp_path: Path) -> None:
    shown = run("show", "twixt", "--set", "size=6", "--moves", "b3 swap c5 d1")[1]
    file = tmp_path / "position.txt"
    file.write_text(shown)
    again = run("show", "twixt", "--set", "size=6", "--position", str(file))[1]
    assert "(o)" in shown
    assert again == shown.replace("(o)", " o ")  # which turn was the last is not in a position
    assert "bridge: " in shown
    assert "swapped: yes" in shown


def test_show_writes_svg(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run("show", "hex", "--moves", "a1 b2", "--svg", str(file))[0] == 0
    assert file.read_text().startswith("<svg")


def test_best_sees_a_win_in_one_and_blocks_one(run: Any) -> None:
    words = ("best", "connect4", "--moves", "1 2 1 2 1 2", "--nodes", "2000")
    data = json.loads(run(*words)[1])
    assert (data["move"], data["proven"], data["side"], data["distance"]) == (
        "1",
        "win",
        "yellow",
        1,
    )
    data = json.loads(run("best", "connect4", "--moves", "1 2 1 2 1", "--nodes", "2000")[1])
    assert data["move"] == "1"
    assert set(data) == {
        "format", "move", "value", "side", "pv", "nodes", "depth", "seconds", "root", "searched",
    }  # fmt: skip


def test_best_is_the_same_for_the_same_seed_and_nodes(run: Any) -> None:
    words = ("best", "connect5", "--set", "size=7", "--nodes", "400", "--seed", "5")
    first, second = (json.loads(run(*words)[1]) for _ in range(2))
    del first["seconds"], second["seconds"]
    assert first == second


def test_best_reads_connect5_boards(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "board.scm"
    file.write_text("((- - - - - -) (X X X X - -) (O O O - - -) (- - - - - -) (- - - - - O))")
    data = json.loads(run("best", "connect5", "--board", str(file), "--nodes", "2000")[1])
    assert (data["move"], data["proven"], data["side"]) == ("e2", "win", "cross")
    file.write_text("((- -) (X))")
    status, _, err = run("best", "connect5", "--board", str(file))
    assert status == 2
    assert "line 1, column 8: this row has 1 square" in err


def test_best_gives_whole_turns(run: Any) -> None:
    words = ("best", "conniption", "--turn", "--nodes", "50", "--format", "text")
    move = run(*words)[1].split()[0]
    assert move.strip("!") in set("1234567")


def test_play_by_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "game.json"
    script = f"?\n4\n!4!\nnonsense\nmoves\nundo 3\nredo 2\nsave {saved}\nresign\n"
    play(script, "conniption", "blue=human", monkeypatch=monkeypatch)
    out = capsys.readouterr().out
    assert "flip: !" in out
    assert "`nonsense` is no move of this position" in out
    assert "4 !4!" in out
    assert "3 taken back" in out
    assert "2 played again" in out
    assert "wins: " in out
    assert "resigned" in out
    record = json.loads(saved.read_text())
    assert record["game"] == "conniption"
    play("moves\nquit\n", "conniption", "--load", str(saved), "blue=human", monkeypatch=monkeypatch)
    assert record["moves"] == "- 4 - ! 4"
    assert "4 !4\n" in capsys.readouterr().out


def test_play_against_the_computer_to_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("tictactoe", "cross=random", "nought=computer:0.05")
    play("", *words, monkeypatch=monkeypatch)
    out = capsys.readouterr().out
    assert "nought wins: " in out or "draw: " in out


ONE_PLAYER = '{"format": 1, "game": "hex", "options": {}, "moves": "", "players": ["human"]}'


@pytest.mark.parametrize(
    "text", ["{}", "[]", "nope", '{"format": 2}', '{"format": 1, "game": 7}', ONE_PLAYER]
)
def test_damaged_saved_games_are_refused(run: Any, tmp_path: Path, text: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    status, _, err = run("play", "hex", "--load", str(file))
    assert status == 2
    assert str(file) in err


def test_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m rulewright perft tictactoe --depth 5 --divide | head -n 0"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert done.stderr == b""


def test_importing_costs_nothing() -> None:
    code = "import sys, rulewright; print([m for m in ('lark', 'attrs') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_a_full_disk_is_explained() -> None:
    done = subprocess.run(
        f"{sys.executable} -m rulewright show hex > /dev/full",
        shell=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"rulewright: cannot write: ")


def test_a_finished_position_reads_back(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(run("show", "tictactoe", "--moves", "a1 a2 b1 b2 c1")[1])
    assert "cross wins" in run("moves", "tictactoe", "--position", str(file))[1]


def test_saved_games_keep_to_their_game_and_spare_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, saved = tmp_path / "mine.rules", tmp_path / "game.json"
    rules.write_text("format 1\n")
    script = f"save {rules}\nsave {saved}\nsave {saved}\nquit\n"
    play(script, "tictactoe", "nought=human", monkeypatch=monkeypatch)
    assert "is there already and is no saved game" in capsys.readouterr().out
    assert rules.read_text() == "format 1\n"
    assert main(["play", "hex", "--load", str(saved)]) == 2
    assert "is a saved game of tictactoe, not of hex" in capsys.readouterr().err


def test_a_word_of_the_language_is_no_name_for_a_game(run: Any, tmp_path: Path) -> None:
    status, _, err = run("new", str(tmp_path / "win"), "--from", "hex")
    assert status == 1
    assert "`win` is a word of the language" in err


def test_best_takes_an_algorithm_and_all_limits(run: Any) -> None:
    words = ("best", "connect4", "--moves", "4 4", "--depth", "4", "--memory", "8", "--seed", "2")
    data = json.loads(run(*words, "--algorithm", "exact", "--unit", "turn", "--threads", "2")[1])
    assert data["depth"] == 4
    assert [entry["value"] for entry in data["root"]] == [0.0] * 7
    data = json.loads(run(*words, "--algorithm", "alphabeta", "--roots")[1])
    assert None not in [entry["value"] for entry in data["root"]]
