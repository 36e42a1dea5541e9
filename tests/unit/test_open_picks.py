"""Personalities whose `pick` lines may all fail, or replace those of another text: it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.app.cli import main

TEXTS = {
    "row.rules": """format 1
game row
players cross nought
board square 3 by 3
pieces mark "XO"
move place
  choose cell in empty
  put mark at cell
turn place
win when some(l in lines(3) : l in own)
draw when stuck
""",
    "marks.eval": "format 1\nevaluator marks for row\nvalue of position for mover = count own\n",
    "open.personality": """format 1
personality open for row
use marks
search one_ply
pick best if value > 99
""",
    "heir.personality": "format 1\npersonality heir for row\nextends open\n",
    "whole.personality": """format 1
personality whole for row
extends open
pick best if value > 99
pick best
""",
    "other.personality": "format 1\npersonality other for row\nextends whole\npick first\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("open", ["open-pick"]),
        ("heir", []),
        ("whole", []),
        ("other", ["replaced-picks"]),
    ],
)
def test_check_says_what_picks_leave_open_or_replace(
    name: str, codes: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(folder / f"{name}.personality")]) == 0
    told = capsys.readouterr()
    shown = told.out + told.err
    assert [c for c in ("open-pick", "replaced-picks") if f"[{c}]" in shown] == codes


def test_explain_says_at_once_that_no_pick_has_decided(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(folder / "row.rules"), "--personality", "open"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert "as no `pick` has decided" in first
    assert main(["explain", str(folder / "row.rules"), "--personality", "whole"]) == 0
    assert "no `pick`" not in capsys.readouterr().out.splitlines()[0]
