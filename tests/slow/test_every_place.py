"""Every place that takes a game, with a file of every format, by name and as standard input.

Each reads it, or says in a message that begins with the file what does not fit; no place ends in a
traceback, and none takes another game than `rulewright.read` does.
"""

from __future__ import annotations

import base64
import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.errors import RulewrightError
from rulewright.matches.game_files import FORMATS, INPUT, format_of
from tests.shared.desks import ask
from tests.shared.places import GAME_FILES

RECORDS = ("match.jsonl", "match.db")
PLACES = {
    "convert": ["convert", "FILE"],
    "analyze": ["analyze", "FILE", "--to", "1", "--nodes", "1"],
    "replay": ["replay", "FILE"],
    "best": ["best", "GAME", "--load", "FILE", "--nodes", "1"],
    "show": ["show", "GAME", "--load", "FILE"],
    "moves": ["moves", "GAME", "--load", "FILE"],
    "play": ["play", "--load", "FILE"],
    "look through": ["play", "--replay", "FILE"],
    "match": ["match", "GAME", "random", "random@depth=1", "--games", "2", "--longest", "1",
              "--openings", "FILE"],
    "cover": ["patterns", "cover", "twixt/seen", "--games", "FILE"],
}  # fmt: skip
"""Commands that take games; GAME is the game of the file."""
CHEAP = ("convert", "replay", "moves", "match")
"""Places that every file is tried at; the others take one file of each format."""
MISFITS = {
    "convert": "from a position that is set up",
    "best": "the game is over",
    "match": "begins from a position|of other rules|the game is over after this opening",
    "cover": r"this is game \d+ of SGF, and twixt is|twixt has no|twixt cannot be set up"
             r"|is no move of this position|is a game of \w+, not of",
}  # fmt: skip
"""What keeps a sound game from a place, in the words of its message."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    lines, base = (str(folder / name) for name in RECORDS)
    players = "tictactoe", "random", "random@depth=1"
    assert run(["match", *players, "--games", "2", "--record", base])[0] == 0
    assert run(["export", base, "--as", "jsonl", "--out", lines])[0] == 0
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))


def run(words: list[str], data: bytes = b"") -> tuple[int, str]:
    """Run a command in this process: its status, and what it says."""
    output, standard = io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        with redirect_stdout(output), redirect_stderr(output):
            return main(words), output.getvalue()
    finally:
        sys.stdin = standard


ALL = [path.name for path in sorted(GAME_FILES.iterdir())]
FIRST = {format_of(GAME_FILES / name).name: name for name in ALL}
"""A file for each format."""


@pytest.mark.parametrize("name", [*ALL, *RECORDS])
def test_every_place_takes_every_format(folder: Path, name: str) -> None:
    path = (folder if name in RECORDS else GAME_FILES) / name
    game = rulewright.read(path)[0]
    is_whole = name in (*FIRST.values(), *RECORDS)
    for place in PLACES if is_whole else CHEAP:
        refused, words = MISFITS.get(place, "$^"), PLACES[place]
        values = {"FILE": str(path), "GAME": game.source}
        status, said = run([values.get(word, word) for word in words], b"quit\n")
        assert status == 0 or re.search(refused, said), (place, said)
        values["FILE"] = INPUT
        again, said = run([values.get(word, word) for word in words], path.read_bytes())
        if name in RECORDS:
            assert (again, "the input is a record of a match" in said) == (2, True), (place, said)
        else:
            assert again == status in (0, 1, 2), (place, said)


@pytest.mark.parametrize("name", ALL)
def test_the_page_takes_every_format(name: str, tmp_path: Path) -> None:
    desk = Desk(Folder(tmp_path), "tictactoe")
    data = base64.b64encode((GAME_FILES / name).read_bytes()).decode()
    game = rulewright.read(GAME_FILES / name)[0]
    table = ask(desk, "read_game", name=name, data=data)
    assert [node["text"] for node in table["nodes"]] == list(game.decisions)
    assert all(part in table["warning"] for part in game.doubts)


@pytest.mark.parametrize(("name", "message"), [
    ("bad.pgn", "bad.pgn:1:4: `e5` is not legal"), ("bad.txt", "bad.txt:1:4: `e5` is not legal"),
    ("m.db", "opened below Measure"),
])  # fmt: skip
def test_the_page_says_what_is_wrong_with_a_file(name: str, message: str, tmp_path: Path) -> None:
    desk = Desk(Folder(tmp_path), "tictactoe")
    with pytest.raises(RulewrightError, match=re.escape(message)):
        ask(desk, "read_game", name=name, text="1. e5 *")


def test_each_format_has_a_file() -> None:
    assert set(FIRST) == {form.name for form in FORMATS}
