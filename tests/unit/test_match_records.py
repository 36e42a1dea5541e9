"""Records: what is written reads back, and nothing that was recorded is ever lost."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.matches.game_record import REASONS, GameRecord, RecordedMove, RecordError, game_of
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_store import SUFFIXES, LineStore, open_store, read_matches
from rulewright.matches.sqlite_store import SqliteStore

NUMBERS = st.none() | st.floats(-1e9, 1e9)
WORDS = st.text(st.characters(codec="utf-8"), max_size=8)
MOVES = st.builds(
    RecordedMove, WORDS, st.integers(0, 1), NUMBERS, st.none() | st.integers(0, 9),
    st.none() | st.integers(0, 10**12), st.none() | st.integers(0, 10**6).map(lambda n: n / 10**6),
)  # fmt: skip
GAMES = st.builds(
    GameRecord, WORDS, st.integers(0, 999), st.integers(0, 499), WORDS,
    st.dictionaries(WORDS, st.integers() | st.booleans(), max_size=2), st.tuples(WORDS, WORDS),
    st.lists(MOVES, max_size=4).map(tuple), st.integers(0, 4), st.sampled_from([0, 1, None]),
    st.sampled_from(REASONS), WORDS, st.integers(0, 99), st.integers(),
    st.dictionaries(WORDS, st.integers(), max_size=2), st.dictionaries(WORDS, WORDS, max_size=2),
    WORDS, WORDS,
)  # fmt: skip
PLAN = MatchPlan("tictactoe", {}, ("computer", "random"), 100)
OTHER = evolve(PLAN, seed=9)


def game(number: int, plan: MatchPlan = PLAN, detail: str = "won") -> GameRecord:
    players = (plan.players[number % 2], plan.players[1 - number % 2])
    return GameRecord(
        plan.name, number, number // 2, plan.game, {}, players,
        (RecordedMove("b2", 0, 0.5, 3, 20, 0.25),), 0, 0, "rules", detail, 1, plan.seed,
    )  # fmt: skip


def lines(*numbers: int, plan: MatchPlan = PLAN, detail: str = "won") -> list[str]:
    return [game(number, plan, detail).line() for number in numbers]


@given(GAMES)
def test_a_record_reads_back(record: GameRecord) -> None:
    line = record.line()
    assert "\n" not in line
    assert game_of(line, "here") == record


@settings(max_examples=50, deadline=None)
@given(GAMES, st.data())
def test_a_damaged_record_is_refused(record: GameRecord, data: st.DataObject) -> None:
    known: dict[str, Any] = json.loads(record.line())
    name = data.draw(st.sampled_from(sorted(known)))
    known[name] = data.draw(st.sampled_from([None, {}, [], "x"]).filter(lambda v: v != known[name]))
    try:
        read = game_of(json.dumps(known), "here")
    except RecordError:
        return
    assert read != record  # another value of the same type is another record
    assert type(known[name]) is type(json.loads(read.line())[name])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_records_are_there_again(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"record{suffix}"
    records = open_store(path, PLAN)
    assert records.openings is None
    records.begin([["b2"], []])
    assert records.add(lines(0, 1)) == [game(0), game(1)]
    records.close()
    again = open_store(path, PLAN)
    assert [list(line) for line in again.openings or ()] == [["b2"], []]
    assert again.games() == [game(0), game(1)]
    again.add(lines(2, 3))
    again.close()
    (match,) = read_matches(path)
    assert match.plan == PLAN
    assert match.games == [game(n) for n in range(4)]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_game_is_never_kept_twice(tmp_path: Path, suffix: str) -> None:
    records = open_store(tmp_path / f"record{suffix}", PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    kept = records.add(lines(1, 2, detail="played again"))
    assert kept == [game(1), game(2, detail="played again")]
    records.close()
    (match,) = read_matches(tmp_path / f"record{suffix}")
    assert match.games == [game(0), game(1), game(2, detail="played again")]


def test_another_command_on_a_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.close()
    with pytest.raises(RecordError, match=r"record of another command, which differs in seed;"):
        open_store(path, OTHER)


def test_lines_hold_several_matches(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    for plan in (PLAN, OTHER):
        records = open_store(path, plan)
        assert records.games() == []
        records.begin([[]])
        records.add(lines(0, 1, plan=plan))
        records.close()
    first, second = read_matches(path)
    assert (first.plan, second.plan) == (PLAN, OTHER)
    assert len(first.games) == len(second.games) == 2


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_half_a_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "record.jsonl"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    records.close()
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    assert read_matches(path)[0].games == [game(0)]  # reading changes nothing
    again = open_store(path, PLAN)
    assert again.games() == [game(0)]
    again.add(lines(1))
    again.close()
    assert path.read_bytes() == data


def test_two_processes_do_not_write_the_same_lines(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    records = open_store(path, PLAN)
    with pytest.raises(RecordError, match="being written by another process"):
        open_store(path, PLAN)
    records.close()
    open_store(path, PLAN).close()


def test_two_processes_on_one_database_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    one, two = open_store(path, PLAN), open_store(path, PLAN)
    one.begin([["b2"]])
    two.begin([["a1"]])
    assert [list(line) for line in two.openings or ()] == [["b2"]]
    one.games(), two.games()
    one.add(lines(0, 1))
    assert two.add(lines(1, 2, detail="slower")) == [game(1), game(2, detail="slower")]
    assert two.fresh() == [game(0)]
    assert two.fresh() == []
    assert one.fresh() == [game(2, detail="slower")]
    one.close()
    two.close()
    assert len(read_matches(path)[0].games) == 3


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_foreign_file_is_left_alone(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"record{suffix}"
    path.write_text("Dear diary,\n" * 50)
    with pytest.raises(RecordError, match="is there already and is no record"):
        open_store(path, PLAN)
    assert path.read_text() == "Dear diary,\n" * 50


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE games (number)")
    base.close()
    data = path.read_bytes()
    with pytest.raises(RecordError, match="database of another program"):
        open_store(path, PLAN)
    assert path.read_bytes() == data


def test_other_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"`.jsonl`, or a database, `.db`"):
        open_store(tmp_path / "record.json", PLAN)
    with pytest.raises(RecordError, match="is no file"):
        read_matches(tmp_path / "record.db")
    with pytest.raises(RecordError, match="cannot be written"):
        open_store(tmp_path / "nowhere" / "record.jsonl", PLAN)
    with pytest.raises(RecordError, match="cannot be written"):
        open_store(tmp_path / "nowhere" / "record.db", PLAN)


def test_a_full_disk_loses_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "record.jsonl"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    data = path.read_bytes()
    assert isinstance(records, LineStore)
    _fill(monkeypatch, room=100)
    with pytest.raises(RecordError, match=r"No space left.*what was recorded is kept"):
        records.add(lines(2, 3))
    assert path.read_bytes() == data
    monkeypatch.undo()
    records.add(lines(2, 3))
    records.close()
    assert len(read_matches(path)[0].games) == 4


def _fill(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """Let the system write no more than *room* bytes, as it does when the disk is nearly full."""
    import os

    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:room]))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_may_not_grow_loses_nothing(tmp_path: Path, suffix: str) -> None:
    import resource

    path = tmp_path / f"record{suffix}"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = max(file.stat().st_size for file in tmp_path.iterdir()) + 300
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        with pytest.raises(RecordError, match=r"cannot be written.*what was recorded is kept"):
            records.add(lines(*range(2, 40)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(read_matches(path)[0].games) == 2
    records.add(lines(*range(2, 40)))
    records.close()
    assert len(read_matches(path)[0].games) == 40


def test_only_files_take_lines(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.symlink_to("/dev/null")
    with pytest.raises(RecordError, match="no file that lines can be appended to"):
        open_store(path, PLAN)


def test_a_full_disk_loses_nothing_of_a_database(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    records = SqliteStore(path, PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    (pages,) = records._base.execute("PRAGMA page_count").fetchone()
    records._base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(RecordError, match="the disk is full; what was recorded is kept"):
        records.add(lines(*range(2, 60)))
    assert records.games() == [game(0), game(1)]
    records._base.execute("PRAGMA max_page_count = 1000000")
    records.add(lines(*range(2, 60)))
    records.close()
    assert len(read_matches(path)[0].games) == 60


def test_a_locked_database_is_waited_for_and_then_reported(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    records = SqliteStore(path, PLAN, patience=0.05)
    records.begin([[]])
    records.add(lines(0))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(RecordError, match="is locked by another program; what was recorded"):
        records.add(lines(1))
    assert records.games() == [game(0)]
    holder.execute("ROLLBACK")
    holder.close()
    records.add(lines(1))
    assert records.games() == [game(0), game(1)]
    records.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", ":1: this line is no JSON text"),
        ('{"kind": "song"}', ":1: this line is no record"),
        (lines(0)[0], "belongs to a match that has no line that can be read"),
    ],
)
def test_damaged_lines_are_named(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(RecordError) as error:
        read_matches(path)
    assert told in str(error.value)
