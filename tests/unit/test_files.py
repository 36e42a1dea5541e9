"""Files that users name: devices, pipes and giants are refused, at once and with a message."""

from __future__ import annotations

import os
import re
import sys
import tracemalloc
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.ground import disk
from rulewright.ground.disk import FileError, read_bytes, read_source

READERS = [
    ["check", "FILE.rules"],
    ["check", "FILE.eval"],
    ["check", "FILE.personality"],
    ["check", "FILE.patterns"],
    ["fmt", "FILE.rules"],
    ["show", "FILE.rules"],
    ["test", "FILE.rules"],
    ["cover", "FILE.rules"],
    ["cover", "FILE.eval"],
    ["replay", "FILE.json"],
    ["replay", "FILE.jsonl"],
    ["replay", "FILE.db"],
    ["replay", "FILE.cases"],
    ["export", "FILE.jsonl"],
    ["import", "FILE.jsonl", "--into", "all.db"],
    ["import", "FILE.db", "--into", "all.db"],
    ["show", "tictactoe", "--position", "FILE.txt"],
    ["show", "tictactoe", "--board", "FILE.txt"],
    ["show", "tictactoe", "--load", "FILE.sgf"],
    ["show", "tictactoe", "--load", "FILE.T1"],
    ["show", "tictactoe", "--load", "FILE.json"],
    ["match", "tictactoe", "random", "computer", "--openings", "FILE.txt"],
    ["match", "tictactoe", "random", "computer", "--record", "FILE.jsonl"],
    ["match", "tictactoe", "random", "computer", "--record", "FILE.db"],
    ["convert", "FILE.sgf", "out.txt"],
    ["analyze", "FILE.sgf"],
    ["new", "copy", "--from", "FILE.rules"],
    ["build", "FILE.rules"],
    ["uci", "FILE.rules"],
    ["engine", "FILE.rules"],
    ["mutate", "FILE.rules", "--workers", "1"],
    ["claims", "FILE.rules"],
    ["watch", "FILE.rules", "--once"],
    ["diff", "tictactoe", "FILE.rules"],
    ["play", "FILE.rules"],
    ["play", "tictactoe", "--load", "FILE.json"],
    ["patterns", "show", "FILE.patterns"],
    ["patterns", "convert", "FILE.txt"],
    ["best", "tictactoe", "--personality", "FILE.personality"],
    ["tune", "tictactoe", "FILE.personality", "--out", "new.personality"],
    ["report", "FILE.jsonl"],
    ["add", "FILE.zip", "--sha256", "0" * 64],
]


def run(words: list[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(path.parent)
    try:
        return main([word.replace("FILE", str(path)) for word in words])
    except SystemExit as left:
        return int(str(left.code))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("kind", ["pipe", "device", "giant"])
def test_every_command_refuses_what_is_no_file(
    kind: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    suffix = next(word for word in words if "FILE" in word).removeprefix("FILE")
    path = tmp_path / f"x{suffix}"
    if kind == "pipe":
        os.mkfifo(path)  # opening one waits for ever
    elif kind == "device":
        path.symlink_to("/dev/zero")  # has no end
    else:
        with path.open("wb") as file:
            file.truncate(3 * 10**9)  # takes no room
    assert run(words, tmp_path / "x", monkeypatch) in (1, 2)
    out, told = capsys.readouterr()
    assert path.name in out + told  # and nothing else was wrong before
    assert "Traceback" not in told
    assert "usage:" not in told  # the words were right


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes that have names")
@pytest.mark.parametrize(
    "words",
    [
        ["explain", "hex", "--personality", "FILE"],
        ["lint", "hex", "FILE"],
        ["tune", "hex", "FILE", "--out", "new.personality"],
        ["match", "hex", "FILE", "random"],
        ["best", "hex", "--personality", "FILE"],
    ],
    ids=lambda words: words[0],
)
def test_a_pipe_is_no_missing_personality(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = tmp_path / "x.personality"
    os.mkfifo(path)
    words = [word.replace("FILE", str(path)) for word in words]
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert "x.personality cannot be read: it is no regular file" in capsys.readouterr().err


def test_the_largest_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(10))
    assert read_bytes(path, 10) == bytes(10)
    with pytest.raises(FileError, match=r"/file cannot be read: it has more than"):
        read_bytes(path, 9)
    path.write_bytes(bytes(disk.TEXT_BYTES + 10))
    assert len(read_source(path)) == disk.TEXT_BYTES + 1


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"small")
    tracemalloc.start()
    assert read_bytes(tmp_path / "small", 1 << 26) == b"small"
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_one_module_reads_files() -> None:
    """Files of our own package aside, which are small and regular."""
    own = {
        "disk.py", "language/grammar.py", "programs.py", "bench/run.py", "matches/report.py",
        "build/c.py", "build/native.py", "build/wasm.py", "cli/__init__.py",
        "compiler/backend/__init__.py", "compiler/backend/shipped.py", "ground/translation.py",
        "files/catalog.py", "service/words.py", "studio/export.py", "studio/pyodide.py",
    }  # fmt: skip
    for path in sorted(Path(disk.__file__).parents[1].rglob("*.py")):
        if not any(str(path).endswith(name) for name in own):
            assert not re.search(r"\.read_(text|bytes)\(", path.read_text("utf-8")), path
