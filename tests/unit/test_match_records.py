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

from rulewright.matches.export import lines_text
from rulewright.matches.game_record import (
    REASONS,
    GameRecord,
    Head,
    RecordedMove,
    RecordError,
    game_of,
)
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_files import import_matches, read_matches
from rulewright.matches.record_store import open_store
from tests.shared.effort import tries

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


@settings(max_examples=tries(50), deadline=None)
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


def test_records_are_there_again(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
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


@pytest.mark.parametrize("name", ["record.db", None])
def test_a_game_is_never_kept_twice(tmp_path: Path, name: str | None) -> None:
    records = open_store(None if name is None else tmp_path / name, PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    kept = records.add(lines(1, 2, detail="played again"))
    assert kept == [game(1), game(2, detail="played again")]
    assert records.games() == [game(0), game(1), game(2, detail="played again")]
    records.close()


def test_another_command_on_a_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.close()
    with pytest.raises(RecordError, match=r"record of another command, which differs in seed;"):
        open_store(path, OTHER)


def of_two_matches() -> list[str]:
    """Lines of two matches, as 0.1 wrote them one after the other."""
    heads = [Head.of(plan, [["b2"]]).line() for plan in (PLAN, OTHER)]
    return [heads[0], *lines(0, 1), heads[1], *lines(0, 1, 2, plan=OTHER)]


def test_lines_hold_several_matches(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join([*of_two_matches(), ""]))
    first, second = read_matches(path)
    assert (first.plan, second.plan) == (PLAN, OTHER)
    assert (len(first.games), len(second.games)) == (2, 3)


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_half_a_line_does_not_count(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join([*of_two_matches()[:3], ""])[:-cut])
    assert read_matches(path)[0].games == [game(0)]


def test_a_match_in_lines_goes_on_in_a_database(tmp_path: Path) -> None:
    """The lines are read once, and stay as they are."""
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join([*of_two_matches(), "{}", ""]))
    before = path.read_bytes()
    for known in (2, 4):
        records = open_store(path, PLAN)
        assert records.notice == (
            f"the match goes on in {path.with_suffix('.db')}, which was made of {path}"
        )
        assert [list(line) for line in records.openings or ()] == [["b2"]]
        assert records.games() == [game(number) for number in range(known)]
        assert len(records.damaged) == (known == 2)  # what cannot be read is told when it is read
        records.add(lines(2, 3))
        records.close()
    first, second = read_matches(path.with_suffix(".db"))
    assert (len(first.games), len(second.games)) == (4, 3)
    assert path.read_bytes() == before


def test_no_match_begins_in_lines(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"kept in a database; .*: choose record\.db"):
        open_store(tmp_path / "record.jsonl", PLAN)
    assert not list(tmp_path.iterdir())


def test_files_are_imported_into_one_database(tmp_path: Path) -> None:
    path, more, store = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "all.db"))
    path.write_text("\n".join([*of_two_matches(), ""]))
    more.write_text("\n".join([of_two_matches()[0], *lines(1, 2, detail="of another"), ""]))
    assert import_matches(store, [path])[1] == 5
    assert import_matches(store, [more, path])[1] == 1
    first, second = read_matches(store)
    assert first.games == [game(0), game(1), game(2, detail="of another")]
    assert second.games == read_matches(path)[1].games
    lines_again = tmp_path / "again.jsonl"
    lines_again.write_text(lines_text(read_matches(store)[1:]))
    assert lines_again.read_text().splitlines() == of_two_matches()[3:]


def of_version_0(path: Path, *damaged: int) -> None:
    """A database as 0.1 wrote it, in which a few games cannot be read."""
    base = sqlite3.connect(path)
    base.executescript(OF_VERSION_0)
    base.execute("INSERT INTO plan VALUES (1, ?)", (Head.of(PLAN, [["b2"]]).line(),))
    texts = ("{" if number in damaged else lines(number)[0] for number in range(4))
    base.executemany("INSERT INTO games VALUES (?, ?)", enumerate(texts))
    base.commit()
    base.close()


OF_VERSION_0 = """
CREATE TABLE plan (one INTEGER PRIMARY KEY CHECK (one = 1), head TEXT NOT NULL);
CREATE TABLE games (number INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE damaged (number INTEGER, record);
INSERT INTO damaged VALUES (9, 'as it was');
PRAGMA application_id = 0x52574D31;
"""


def test_a_database_of_0_1_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    of_version_0(path, 1)
    before = path.read_bytes()
    (match,) = read_matches(path)
    assert [one.number for one in match.games] == [0, 2, 3]
    assert match.damaged == [f"{path}, game 1: this is no JSON text"]
    assert path.read_bytes() == before
    records = open_store(path, PLAN)
    assert records.games() == match.games
    records.add(lines(1))
    records.close()
    assert read_matches(path)[0].games == [game(number) for number in range(4)]
    kept = sqlite3.connect(path).execute("SELECT number, record FROM damaged").fetchall()
    assert kept == [(1, "{"), (9, "as it was")]


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    open_store(path, PLAN).close()
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version = 3")
    base.close()
    for use in (lambda: open_store(path, PLAN), lambda: read_matches(path)):
        with pytest.raises(RecordError, match="has tables of version 3, and 2 is the last known"):
            use()


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE games; CREATE VIEW games AS SELECT 1 match_id, 2 number, 3 record",
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
        "DROP TABLE matches",
    ],
)
def test_what_only_looks_like_our_tables_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "record.db"
    open_store(path, PLAN).close()
    base = sqlite3.connect(path)
    base.executescript(change)
    base.close()
    for use in (lambda: open_store(path, PLAN), lambda: read_matches(path)):
        with pytest.raises(RecordError, match="its tables are not those of matches"):
            use()


def test_columns_say_what_records_say(tmp_path: Path) -> None:
    """They are for queries of others, and can be joined."""
    path = tmp_path / "record.db"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.add(lines(0, 1, 2))
    records.close()
    base = sqlite3.connect(path)
    query = "SELECT game, first_player, sum(winner = 0) FROM games JOIN matches ON id = match_id"
    won = base.execute(f"{query} GROUP BY game, first_player ORDER BY 2").fetchall()
    assert won == [("tictactoe", "computer", 2), ("tictactoe", "random", 1)]
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        base.execute("UPDATE games SET winner = 2")
    base.close()


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


@pytest.mark.parametrize(
    ("suffix", "message"),
    [(".db", "is there already and is no record"), (".jsonl", ":1: this line is no JSON text")],
)
def test_a_foreign_file_is_left_alone(tmp_path: Path, suffix: str, message: str) -> None:
    path = tmp_path / f"record{suffix}"
    path.write_text("Dear diary,\n" * 50)
    with pytest.raises(RecordError, match=message):
        open_store(path, PLAN)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
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
    with pytest.raises(RecordError, match=r"a match is kept in a database, `.db`"):
        open_store(tmp_path / "record.json", PLAN)
    with pytest.raises(RecordError, match="is no file"):
        read_matches(tmp_path / "record.db")
    with pytest.raises(RecordError, match="cannot be written"):
        open_store(tmp_path / "nowhere" / "record.db", PLAN)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_file_that_may_not_grow_loses_nothing(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "record.db"
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


def test_only_files_keep_matches(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    path.symlink_to("/dev/null")
    with pytest.raises(RecordError, match="no file in which matches can be kept"):
        open_store(path, PLAN)


def test_a_full_disk_loses_nothing_of_a_database(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    records = open_store(path, PLAN)
    records.begin([[]])
    records.add(lines(0, 1))
    ((pages,),) = records.base.rows("PRAGMA page_count")
    records.base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(RecordError, match="the disk is full; what was recorded is kept"):
        records.add(lines(*range(2, 60)))
    assert records.games() == [game(0), game(1)]
    records.base.execute("PRAGMA max_page_count = 1000000")
    records.add(lines(*range(2, 60)))
    records.close()
    assert len(read_matches(path)[0].games) == 60


def test_a_locked_database_is_waited_for_and_then_reported(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    records = open_store(path, PLAN, patience=0.05)
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
    ("text", "message"),
    [
        ("{", ":1: this line is no JSON text"),
        ('{"kind": "song"}', ":1: this line is no record"),
        (lines(0)[0], "belongs to a match that has no line that can be read"),
    ],
)
def test_damaged_lines_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(RecordError) as error:
        read_matches(path)
    assert message in str(error.value)
