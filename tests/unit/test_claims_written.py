"""Claims that commands write into files: what somebody typed meanwhile stays."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.app.cli import main
from rulewright.checks.mutate import MutationRun
from rulewright.checks.observing import Observer, ProposedClaim, text_with_claims

RULES = """format 1
game fill

players red blue
board square 2 by 2
pieces stone

move place
  choose cell in empty
  put stone at cell

turn place
draw when stuck
"""
TYPED = "# typed by hand\n"
CLAIM = ProposedClaim("claim always count full = ply", "")
COUNT = ProposedClaim("x=1 : ply : 1", "", True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "fill.rules"
    found.write_text(RULES)
    return found


@pytest.mark.parametrize("name", ["fill.rules", "perft.txt"])
def test_what_is_typed_while_claims_are_looked_for_is_not_lost(
    name: str, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """That takes minutes, with the file open in an editor."""
    file = path.with_name(name)

    def edited(_: Observer) -> list[ProposedClaim]:
        file.write_text(TYPED)
        return [CLAIM, COUNT]

    monkeypatch.setattr(Observer, "proposed", edited)
    assert main(["claims", str(path), "--all"]) == 2
    assert "changed by another program meanwhile" in capsys.readouterr().err
    assert file.read_text() == TYPED


def test_what_is_typed_while_faults_are_tried_is_not_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def edited(_: MutationRun) -> Any:
        path.write_text(TYPED)
        return SimpleNamespace(broken=(), claims=(CLAIM.text,), as_data=dict, survivors=())

    monkeypatch.setattr(MutationRun, "run", edited)
    assert main(["mutate", str(path), "--workers", "1", "--add", "--format", "json"]) == 2
    assert "changed by another program meanwhile" in capsys.readouterr().err
    assert path.read_text() == TYPED


def test_all_but_the_claims_stays_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mark in front of a text, the ends of its lines, and counts that stand there."""
    path.write_bytes(BOM_UTF8 + RULES.replace("\n", "\r\n").encode())
    path.with_name("perft.txt").write_bytes(b"# mine\r\n")
    monkeypatch.setattr(Observer, "proposed", lambda _: [CLAIM, COUNT])
    assert main(["claims", str(path), "--all"]) == 0
    longer = text_with_claims(RULES, [CLAIM.text]).replace("\n", "\r\n")
    assert path.read_bytes() == BOM_UTF8 + longer.encode()
    assert path.with_name("perft.txt").read_bytes() == b"# mine\r\nx=1 : ply : 1\n"


@pytest.mark.parametrize("words", ["mutate tictactoe --add", "claims tictactoe --all"])
def test_what_came_with_the_package_is_not_written(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert "tictactoe comes with the package and is not written" in capsys.readouterr().err
