"""Warnings about files whose names, or values, are not what a writer means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.games.files.catalog import EVALUATOR, PERSONALITY
from rulewright.games.files.kinds import FileKind, check_path

TALLY = "format 1\nevaluator tally for tictactoe\n\nvalue of position for mover = count own\n"
PLAIN = "format 1\npersonality plain for tictactoe\n\npick highest rows\n"
MOVES = "format 1\nevaluator moves for tictactoe\n\nvalue of move place for mover = {}\n"


def warnings(kind: FileKind[Any], path: Path, text: str) -> list[str]:
    """Write a file, and return the codes of what is said of it."""
    path.write_text(text, "utf-8")
    return [complaint.code for complaint in check_path(kind, path).diagnostics]


@pytest.mark.parametrize(
    ("name", "codes"), [("tally", []), ("mine", ["file-name"]), ("copy of it", [])]
)
def test_an_evaluator_is_called_like_its_file(tmp_path: Path, name: str, codes: list[str]) -> None:
    """A file whose name no text can hold is not meant to be named."""
    assert warnings(EVALUATOR, tmp_path / f"{name}.eval", TALLY) == codes


def test_a_personality_is_called_like_its_file(tmp_path: Path) -> None:
    codes = warnings(PERSONALITY, tmp_path / "other.personality", PLAIN)
    assert "file-name" in codes
    assert "file-name" not in warnings(PERSONALITY, tmp_path / "plain.personality", PLAIN)


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("count own", ["same-value"]),
        ("3", []),  # marks the move
        ("y(cell)", []),
        ("change(count own)", []),
        ("count own, y(cell)", []),  # the second number decides
    ],
)
def test_a_value_of_a_move_asks_for_its_choice(
    tmp_path: Path, value: str, codes: list[str]
) -> None:
    assert warnings(EVALUATOR, tmp_path / "moves.eval", MOVES.format(value)) == codes
