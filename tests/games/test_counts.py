"""`perft.txt`: whose counts it holds, and what is said of lines that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.checks.counts import BadLine, PerftLine, counts_in, counts_of
from tests.shared.effort import tries

pytest_plugins = ["pytester"]
WRITTEN = st.text(": =0123456789dectionurngame\n#,-", max_size=60)
RULES = """format 1
game {name}
option size = 3 in 2..4
players red blue
board square size by size
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place
draw when stuck
"""


def write(folder: Path, counts: str, *names: str) -> list[Path]:
    """Rules files in a folder, with a file of counts beside them."""
    (folder / "perft.txt").write_text(counts, "utf-8")
    paths = [folder / f"{name}.rules" for name in names]
    for path in paths:
        path.write_text(RULES.format(name=path.stem), "utf-8")
    return paths


def tried(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["test", str(path), "--property", "perft", "--no-cases"])
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("size=4 : decision : 1, 16, 16", "`1,` is no count"),
        ("size : decision : 9", "an option is set as `name=value`, not as `size`"),
        ("=4 : decision : 9", "an option is set as `name=value`"),
        (": decisions : 9", "counts are by decision or by turn, not by `decisions`"),
        (": decision :", "a line is `options"),
        ("9 72", "a line is `options"),
        (": decision : 9 :", "a line is `options"),
        (": decision : 8 : a1 b2 c3 a2 b1 c1 c2 a3 b3 a1", "its moves cannot be played"),
        (": decision : 9 : 72", "its moves cannot be played: `72`"),
        (": decision : 8 55 : a1", "56 sequences of 2 decisions, not 55"),
        (": decision : 7 : a1 b2 b2", "its moves cannot be played: `b2` is not legal"),
        (": decision : -9", "`-9` is no count"),
        (": decision : " + "9" * 5000, "is no count"),
        ("sise=4 : decision : 9", "sise"),
        ("size=9 : decision : 9", "cannot be loaded with these options"),
        (": decision : 9 71", "72 sequences of 2 decisions, not 71"),
        (": decision : 99999999999999999999", "9 sequences of 1 decision, not 99,999"),
        (": turn : 9 7200000000", "72 sequences of 2 turns, not 7,200,000,000"),
    ],
)
def test_a_wrong_line_is_a_finding_with_its_place(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = write(tmp_path, f"# counts\n{line}\n: turn : 9 72\n", "small")
    status, told = tried(path, capsys)
    assert status == 1
    assert "perft.txt:2: " in told
    assert message in told
    assert "perft.txt:3" not in told


def test_a_claim_far_too_large_fails_when_it_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = write(tmp_path, "", "small")
    path.write_text(path.read_text() + "claim perft 9, 72, 504000000\nclaim perft by turns 90000\n")
    assert main(["check", str(path)]) == 1
    told = capsys.readouterr().out
    assert "perft 3 is 504, not 504,000,000 (in decisions)" in told
    assert "perft 1 is 9, not 90,000 (in turns)" in told


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes that have names")
def test_counts_in_a_pipe_are_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = write(tmp_path, "", "small")
    (tmp_path / "perft.txt").unlink()
    os.mkfifo(tmp_path / "perft.txt")
    status, told = tried(path, capsys)
    assert status == 1
    assert "perft.txt: this file cannot be read: it is no regular file" in told


def test_counts_belong_to_the_game_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = "game small  # nine sites\n: decision : 9 72\n\ngame other\n: decision : 8\n"
    small, other, third = write(tmp_path, counts, "small", "other", "third")
    assert tried(small, capsys)[0] == 0
    status, told = tried(other, capsys)
    assert status == 1
    assert "perft.txt:5: 9 sequences of 1 decision, not 8" in told
    assert not list(counts_of(third))


def test_counts_without_a_name_belong_to_the_rules_called_like_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    small, other = write(folder, ": decision : 9\n", "small", "other")
    assert [c.numbers for c in counts_of(small) if isinstance(c, PerftLine)] == [(9,)]
    assert not list(counts_of(other))


def test_counts_of_nobody_are_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = write(tmp_path, ": decision : 9\n: turn : 9\n", "first", "second")
    for path in (first, second):
        status, told = tried(path, capsys)
        assert status == 1
        assert told.count("several rules files stand here") == 1
        assert "perft.txt:1: " in told


@pytest.mark.parametrize("data", [b"\xff\xfe1\x00", b": decision : \xff\n", b"\0", b"#" * 70_000])
def test_files_that_are_no_text(data: bytes, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "", "small")
    (tmp_path / "perft.txt").write_bytes(data)
    (slip,) = counts_of(path)
    assert isinstance(slip, BadLine)
    assert "perft.txt" in slip.place


@settings(max_examples=tries(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.binary(max_size=60) | WRITTEN.map(str.encode))
def test_any_bytes_are_counts_or_slips(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "perft.txt"
    path.write_bytes(data)
    for line in counts_in(path):
        assert isinstance(line, PerftLine | BadLine)
        assert line.place.startswith(str(path))


def test_the_plugin_tests_counts_of_several_games(pytester: pytest.Pytester) -> None:
    counts = "game small\n: decision : 9 72\nsize=4 : decision : 16,\ngame lost\n: decision : 9\n"
    write(pytester.path, counts, "small", "other")
    plugins = ["-p", "no:rulewright", "-p", "rulewright.pytest_plugin"]
    result = pytester.runpytest_subprocess("-q", "-rA", *plugins, "perft.txt")
    result.stdout.fnmatch_lines(["*PASSED*perft.txt::line2*"])
    result.stdout.fnmatch_lines(["*FAILED*perft.txt::line3*"])
    result.stdout.fnmatch_lines(["*FAILED*perft.txt::line5*"])
    assert "Traceback" not in result.stdout.str()
