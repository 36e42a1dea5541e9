"""Every way out: no name steers a terminal, a spreadsheet or a page, and no locale stops a text."""

from __future__ import annotations

import csv
import errno
import io
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app import cli
from rulewright.app.cli import main
from rulewright.checks.findings import FileReport, Finding, PropertyResult, junit
from rulewright.errors import RulewrightError
from rulewright.ground.printable import Printable, printable
from rulewright.matches.export import csv_text, game_text, svg_page
from rulewright.matches.game_record import GameRecord, RecordedMove
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_files import Match
from rulewright.matches.record_store import open_store
from rulewright.matches.report import report

STEERING = (
    "\ufffe\uffff\x00\x07\x08\r\x1b\x7f\x9b\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069"
)
NASTY = st.text(
    st.sampled_from("=+-@<>&\"'\\ ab\t" + STEERING) | st.characters(codec="utf-8"), max_size=12
).filter(lambda text: text not in ("", "other"))


def played(name: str, detail: str = "won") -> Match:
    """A match whose players and answers come from who knows where."""
    plan = MatchPlan("tictactoe", {}, (name, "other"), 2)
    moves = tuple(
        RecordedMove(text, seat % 2, 0.5, 1) for seat, text in enumerate(("b2", "a1", "c3"))
    )
    games = [
        GameRecord(
            plan.name, number, 0, plan.game, {}, ((name, "other"), ("other", name))[number], moves,
            0, number, "crash", detail, 3, 0,
        )
        for number in (0, 1)
    ]  # fmt: skip
    return Match(plan, [[]], games)


@given(st.text())
def test_printable_texts_steer_nothing(text: str) -> None:
    shown = printable(text)
    assert not set(shown) & set(STEERING)
    assert printable(shown) == shown
    shown.encode()  # no halves of pairs
    if not set(text) & set(STEERING) and text.isprintable():
        assert shown == text


@given(NASTY, NASTY)
def test_no_cell_is_a_formula(name: str, detail: str) -> None:
    text = csv_text([played(name, detail)])
    assert not set(text) & set(STEERING)
    rows = list(csv.reader(io.StringIO(text)))
    assert len({len(row) for row in rows}) == 1
    for cell in (cell for row in rows for cell in row):
        assert cell[:1] not in ("=", "+", "@", "\t")
        assert not cell.startswith("-") or float(cell) < 0


@given(NASTY, NASTY)
def test_drawings_are_well_formed(name: str, detail: str) -> None:
    match = played(name, detail)
    text = svg_page(match, match.games[0])
    ET.fromstring(text)
    assert not set(text) & set(STEERING)
    assert not set(game_text(match, match.games[0])) & set(STEERING)


@given(NASTY, NASTY)
def test_reports_for_other_tools_are_well_formed(name: str, detail: str) -> None:
    one = PropertyResult("start", (Finding("start", f"is wrong: {detail}"),), skipped=detail)
    text = junit([FileReport(name, "x", {}, 0, (one,))], lambda *_: detail)
    ET.fromstring(text)
    assert not set(text) & set(STEERING)


@given(NASTY, NASTY)
def test_pages_have_no_tags_of_others(name: str, detail: str) -> None:
    class Tags(HTMLParser):
        found: list[str] = []  # noqa: RUF012  (of one page)

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.found.append(tag)

    def tags(match: Match) -> list[str]:
        reader = Tags()
        reader.found = []
        text = report(match)
        assert not set(text) & set(STEERING)
        reader.feed(text)
        return reader.found

    assert tags(played(name, detail)) == tags(played("somebody", "won"))


@pytest.mark.parametrize("words", [["replay"], ["replay", "--game", "0"], ["export"]], ids=str)
def test_no_name_steers_the_terminal(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, match = tmp_path / "record.db", played("evil\x1b[2J\u202egnp", "\x9b31m")
    records = open_store(path, match.plan)
    records.begin(match.openings)
    records.add([game.line() for game in match.games])
    records.close()
    assert main([words[0], str(path), *words[1:]]) == 0
    out, told = capsys.readouterr()
    assert not set(out + told) & set(STEERING)
    assert r"evil\x1b[2J\u202egnp" in out


def test_our_own_signs_pass() -> None:
    stream = io.StringIO()
    shown = Printable(stream)
    shown.plain.write("\x1b[H")
    print("\x1b[H", file=shown)
    assert stream.getvalue() == "\x1b[H\\x1b[H\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("words", [["show", "FILE"], ["check", "FILE"], ["show", "nobody\u2192"]])
def test_every_locale_will_do(encoding: str, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "gäme→.rules"
    path.write_text("format 1\ngame x\nplayers a b\n# ← \nboard sqare 3 by 3\n", "utf-8")
    command = [sys.executable, "-m", "rulewright", *(w.replace("FILE", str(path)) for w in words)]
    here = {"PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    done = subprocess.run(command, env={**os.environ, **here}, capture_output=True, check=False)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr
    assert done.stdout + done.stderr


ERRORS = [
    (RecursionError("deep"), "this is nested too deeply"),
    (MemoryError(), "there is not enough memory for this"),
    (OSError(errno.ENOSPC, "No space left on device"), "cannot write: No space left on device"),
    (PermissionError(errno.EACCES, "Permission denied", "x.rules"), "x.rules: Permission denied"),
    (UnicodeEncodeError("latin-1", "→", 0, 1, "no"), "a text cannot be read or written as latin-1"),
    (RulewrightError("something else"), "something else"),
]


@pytest.mark.parametrize(("error", "message"), ERRORS, ids=repr)
def test_what_nobody_has_foreseen_is_no_traceback(
    error: Exception,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    from rulewright.app.cli import show

    def fail(_: object) -> int:
        raise error

    monkeypatch.setitem(show.COMMANDS, "games", (fail, []))
    monkeypatch.setattr(cli, "_forget_output", lambda: None)
    assert main(["games"]) == 2
    assert capfd.readouterr().err.strip() == f"rulewright: {message}"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full disk")
def test_a_full_disk_under_the_output_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "rulewright", "games"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "rulewright: cannot write: No space left on device\n"
