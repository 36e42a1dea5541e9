"""Damaged texts for everything that reads: a short part of `make fuzz`, always the same texts."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from attrs import evolve

import rulewright
from rulewright.errors import RulewrightError, UnknownGame
from rulewright.games.files.catalog import EVALUATOR, PATTERNS, PERSONALITY
from rulewright.games.files.kinds import check_file
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import FORMATS
from rulewright.matches.game_record import RecordError
from rulewright.matches.protocols import sgf
from rulewright.matches.protocols.format_settings import read as read_formats
from rulewright.matches.record_files import read_matches
from tests.shared.places import CORPUS
from tests.tools.fuzz.files_of_games import TARGETS, WORDS, written_again
from tests.tools.fuzz.fuzzer import ALL, LARGEST, Fuzzer
from tests.tools.fuzz.games import read_study, records, studies
from tests.tools.fuzz.reader import Complaint, Reader
from tests.tools.fuzz.readers import READERS

NEEDS = {"study": "optuna", "sgf": "sgfmill"}


@pytest.mark.filterwarnings("ignore")  # what Optuna says of damaged studies
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_every_text_has_its_answer(reader: Reader, tmp_path: Path) -> None:
    if reader.name in NEEDS:
        pytest.importorskip(NEEDS[reader.name])
    told = list[str]()
    slow = Reader(reader.name, reader.begin, reader.read, reader.ways, seconds=60)  # no clock here
    fuzzer = Fuzzer(slow, told.append, tmp_path / "findings", few=4)
    fuzzer.run(1, 8, time.monotonic() + 60)
    assert told == []
    assert fuzzer.done > 8


def test_every_format_of_games_has_its_reader() -> None:
    """The fuzzer reads each format of the table, begins with its files, and knows its words."""
    names = [form.suffixes[0].removeprefix(".") for form in FORMATS]
    assert [reader.name for reader in READERS if reader in TARGETS] == names
    assert all(len(target.seeds()) >= 1 for target in TARGETS)
    assert set(WORDS) == set(names)


def test_a_game_that_is_not_given_back_is_a_finding(tmp_path: Path) -> None:
    """A writer that loses the result is noticed."""
    form = next(form for form in FORMATS if form.name == "SGF")
    assert form.write is not None
    forgetful = evolve(form, write=lambda game: form.write(evolve(game, ending=None)))  # type: ignore[misc]
    game = sgf.read(b"(;GM[1]SZ[5]RE[B+R];B[aa])", "a.sgf")
    assert not written_again(form, game)
    with pytest.raises(Complaint, match=r"lost on the way: \['result'"):
        written_again(forgetful, game)


def test_the_corpus_is_small() -> None:
    sizes = [path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()]
    assert max(sizes) <= LARGEST
    assert sum(sizes) <= ALL


# --- what it found once ---


def test_files_without_a_name_are_not_fine() -> None:
    evaluator = check_file(EVALUATOR, "x.eval", b"use other\nformat 1\n")
    personality = check_file(PERSONALITY, "x.personality", b"use other\nformat 1\n")
    for report in (evaluator, personality):
        assert [d.code for d in report.diagnostics] == ["missing-statement"]
        assert report.diagnostics[0].place.line == 1


def test_a_name_may_be_too_long_for_any_file() -> None:
    with pytest.raises(UnknownGame):
        rulewright.load("x" * 70_000)
    with pytest.raises(RulewrightError):
        rulewright.Personality.load("x" * 70_000, rulewright.load("tictactoe"))


def test_a_head_of_patterns_may_be_unreadable_altogether() -> None:
    report = check_file(PATTERNS, "x.patterns", b"Off 1\nPatterns for twixt\n  Set\n")
    assert not report.model
    kept = (CORPUS / "patterns" / "b7804ae24923").read_bytes()
    assert {d.code for d in check_file(PATTERNS, "x.patterns", kept).diagnostics} >= {"bad-head"}


def test_formats_may_be_nested_too_deeply() -> None:
    with pytest.raises(RulewrightError, match="nested too deeply"):
        read_formats(rulewright.load("twixt"), "twixt.toml", b"a = " + b"[" * 10_000)


def test_complaints_of_sqlite_may_be_no_text(tmp_path: Path) -> None:
    data = records(".db")()[0]
    path = tmp_path / "x.db"
    path.write_bytes(data.replace(b"CREATE TABLE games", b"CREATE TABL\xff games"))
    with pytest.raises(RecordError, match="is damaged"):
        read_matches(path)


def test_long_records_are_read_in_one_pass() -> None:
    """A search from the start of the text for every value took minutes for this one."""
    pytest.importorskip("sgfmill")
    text = "(;GM[1]SZ[9]\n" + "C[a comment]\n" * 40_000 + ";B[zz])"
    with pytest.raises(TextError):
        sgf.read(text.encode(), "long.sgf")


def test_a_damaged_study_is_reported_as_damaged(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    data = studies()[0]
    damaged = data.replace(b'"IntDistribution"', b'"\xffntDistribution"')
    assert damaged != data
    assert any("study cannot be used" in said for said in read_study(damaged))
