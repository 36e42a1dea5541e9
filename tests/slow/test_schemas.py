"""What every command prints with `--format json` is as its schema says."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import rulewright
from rulewright.app.play.saved_games import SavedGame
from tests.shared.backends import needs_llvm
from tests.shared.places import GAME_FILES, ROOT
from tests.shared.proposals import said
from tests.shared.schemas import misfits
from tests.shared.tuning import EVALUATOR, PERSONALITY

GAME = ROOT / "rulesets" / "tictactoe"
PATTERNS = f"{ROOT}/patterns/connect5/threats.patterns"
RECORD = "match tictactoe random computer --games 2 --nodes 60 --record kept.db"
FIRST: dict[str, list[str]] = {
    "book": [RECORD],
    "replay": [RECORD, "export kept.db --as jsonl --out kept.jsonl",
               "test wrong_claim.rules --games 20 --effort 0.1"],
    "patterns-mine": ["match connect5 random computer --games 6 --nodes 4 --record games.db"],
    "fit": ["match othello random computer --games 40 --nodes 4 --record games.db"],
}  # fmt: skip
"""What is done before a command."""
COMMANDS = {
    "games": ["games"],
    "check": ["check tictactoe wrong.rules"],
    "moves": ["moves tictactoe", "moves backgammon", "moves tictactoe --moves 'a1 a2 b1 b2 c1'"],
    "perft": ["perft tictactoe --depth 2 --divide", "perft tictactoe --depth 2 --unit turn"],
    "best": [
        "best tictactoe --nodes 200",
        "best tictactoe --roots --depth 9 --moves 'a1 a2 b1 b2'",
        "best connect4 --personality counter --depth 4 --moves '4 3 4 3 4 3'",
        "best connect4 --personality counter --depth 2 --turn",
        "best hexapawn --algorithm exact --depth 2 --roots",
    ],
    "solve": ["solve tictactoe --check", "solve kuhn", "solve chess --nodes 20"],
    "why": ["why chess e2e4"],
    "why-not": ["why-not chess e2e5"],
    "test": ["test tictactoe wrong_claim.rules --games 20 --effort 0.1"],
    "cover": ["cover tictactoe --effort 0.1"],
    "mutate": ["mutate hexapawn --most 4 --workers 1"],
    "claims": ["claims hexapawn --effort 0.1"],
    "diff": ["diff tictactoe hexapawn --effort 0.1", "diff hexapawn hexapawn --effort 0.1"],
    "factors": ["factors connect4", "factors chess club"],
    "lint": ["lint connect4 counter --positions 3"],
    "explain": [
        "explain connect4 --personality counter --versus eager",
        "explain connect4 --personality counter --moves '4 3 4 3 4 3'",
    ],
    "match": [
        RECORD, "match tictactoe random computer --games 4 --nodes 50 --sprt 0 400",
        "match chinesecheckers random computer random@nodes=1 --set seats=3 --games 3 --nodes 20"
        " --longest 40",
    ],
    "tournament": ["tournament tictactoe random computer computer:2 --games 2 --nodes 50"],
    "replay": [
        "replay kept.db", "replay kept.jsonl", "replay kept.db --game 0", "replay kept.db --verify",
        f"replay {GAME_FILES}/chess.pgn", f"replay {GAME_FILES}/chess.pgn --count",
        "replay wrong_claim.cases",
    ],
    "analyze": [f"analyze {GAME_FILES}/digits.txt --nodes 20",
                f"analyze {GAME_FILES}/digits.txt --personality counter --depth 2"],
    "epd": [f"epd {GAME_FILES}/tests.epd --nodes 50"],
    "book": ["book tictactoe solver --games kept.db --out reader.personality --least 1"],
    "bench": ["bench tictactoe --seconds 0.02 --rounds 1 --playouts"],
    "fit": ["fit othello gardener --games games.db --out fitted.personality --skip 4"],
    "tune": ["tune tictactoe plain.personality --versus random --trials 2 --games 2 --confirm 2"
             " --out tuned.personality --force"],
    "learn": ["learn othello gardener --folder learnt --rounds 1 --games 40 --tested 2 --nodes 4"],
    "patterns-show": [f"patterns show {PATTERNS}"],
    "patterns-match": [f"patterns match connect5 --with {PATTERNS} --moves 'h8 h9 i8'"],
    "patterns-why": [f"patterns why connect5 j8 --with {PATTERNS} --moves 'h8 h9 i8'"],
    "patterns-cover": [f"patterns cover {PATTERNS} --games five.txt"],
    "patterns-mine": ["patterns mine connect5 --games games.db --least 1 --out mined.patterns"],
}  # fmt: skip
WRONG = "format 1\ngame wrong\nplayers a b\nboard square 2 by 2\n"
CLAIM = (GAME / "tictactoe.rules").read_text("utf-8") + "\nclaim no draws\n"


@pytest.fixture
def folder(write: Path) -> Path:
    """A folder with the files that commands are given."""
    (write / "wrong.rules").write_text(WRONG)
    (write / "wrong_claim.rules").write_text(CLAIM)
    (write / "lines.eval").write_text(EVALUATOR)
    (write / "plain.personality").write_text(PERSONALITY)
    (write / "five.txt").write_text("game connect5\nh8 h9 i8 i9 j8 j9 k8 k9 l8\n")
    return write


@needs_llvm
@pytest.mark.whole
@pytest.mark.parametrize("name", COMMANDS)
def test_output_is_as_its_schema_says(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in FIRST.get(name, []):
        assert said(capsys, *shlex.split(line))[0] in (0, 1)
    for line in COMMANDS[name]:
        output = said(capsys, *shlex.split(line), "--format", "json")[1]
        assert output.strip(), line
        for row in output.splitlines():
            assert misfits(json.loads(row), name) == [], line


def test_every_command_is_run() -> None:
    kept = {"record", "saved-game", "studio-answers", "studio-requests"}
    assert COMMANDS.keys() == rulewright.schemas().keys() - kept


@needs_llvm
def test_records_are_as_their_schema_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in FIRST["replay"][:2]:
        assert said(capsys, *shlex.split(line))[0] == 0
    rows = (folder / "kept.jsonl").read_text("utf-8").splitlines()
    assert len(rows) == 3
    assert [misfits(json.loads(row), "record") for row in rows] == [[], [], []]


def test_a_saved_game_is_as_its_schema_says() -> None:
    state = rulewright.load("tictactoe").start().play("b2 a1")
    for saved in (
        SavedGame("tictactoe", state),
        SavedGame("tictactoe", state, "cross", ("human", "computer"), 3, {}, ("c3",)),
    ):
        assert misfits(json.loads(saved.text()), "saved-game") == []
