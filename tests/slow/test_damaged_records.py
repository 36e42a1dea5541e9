"""Records in which something was changed: a message with its place, and all else is kept."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches.database import Database, explain_errors
from rulewright.matches.export import csv_text, game_text, lines_text, sgf_bytes, svg_page
from rulewright.matches.game_files import of_record
from rulewright.matches.game_record import SUM, checksum
from rulewright.matches.record_files import Match, import_matches, read_matches
from rulewright.matches.record_store import open_store
from rulewright.matches.report import report
from rulewright.matches.verify import verify
from tests.shared.effort import tries
from tests.shared.json_values import JSON, places, replaced


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a short match with everything that a record can hold."""
    path = tmp_path_factory.mktemp("played") / "record.db"
    with rulewright.match(
        "tictactoe",
        "random",
        "computer",
        games=4,
        nodes=50,
        sprt=(0, 100),
        record=path,
        adjudicate=(50, 3),
    ) as run:
        for _ in run:
            pass
    return lines_text(read_matches(path)).splitlines()


def changed(line: str, place: tuple[Any, ...], value: Any, seal: str) -> str:
    data = replaced(json.loads(line), place, value)
    if isinstance(data, dict) and seal != "stale" and place != (SUM,):
        data.pop(SUM, None)
        if seal == "new":
            data[SUM] = checksum(data)
    return json.dumps(data)


def used(path: Path) -> list[Match]:
    """A record read and put to every use there is; all that may be raised is our own error."""
    found: list[Match] = []
    with suppress(RulewrightError):
        found = read_matches(path)
    uses: list[Any] = [lambda: csv_text(found)]
    for match in found:
        uses += [lambda m=match: list(verify(m)), lambda m=match: report(m)]
        for game in match.games:
            for use in (game_text, svg_page, sgf_bytes):
                uses.append(lambda u=use, m=match, g=game: u(m, g))
            uses.append(lambda g=game: of_record(g))
    for one in uses:
        with suppress(RulewrightError):
            one()
    return found


@settings(max_examples=tries(80))
@given(st.data())
def test_one_changed_value_is_no_crash(
    played: list[str], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "changed.jsonl"
    number = data.draw(st.integers(0, len(played) - 1))
    place = data.draw(st.sampled_from(list(places(json.loads(played[number])))))
    line = changed(
        played[number], place, data.draw(JSON), data.draw(st.sampled_from(["stale", "none", "new"]))
    )
    path.write_text("\n".join([*played[:number], line, *played[number + 1 :], ""]), "utf-8")
    found = used(path)
    if number:  # the match itself is as it was
        kept = {game.number for match in found for game in match.games}
        assert kept >= {n for n in range(len(played) - 1) if n != number - 1}
        if len(kept) < len(played) - 1:
            assert any(f"{path}:{number + 1}: " in told for told in found[-1].damaged)


def written(played: list[str], path: Path) -> Path:
    """The same match in either form."""
    if path.suffix == ".jsonl":
        path.write_text("\n".join([*played, ""]), "utf-8")
        return path
    import_matches(path, [written(played, path.with_suffix(".jsonl"))])
    return path


def spoil(path: Path, number: int, record: Any) -> str:
    """Put something else in the place of a game; the start of the message for it."""
    if path.suffix == ".jsonl":
        lines = path.read_text("utf-8").splitlines()
        lines[number + 1] = record
        path.write_text("\n".join([*lines, ""]), "utf-8")
        return f"{path}:{number + 2}: "
    base = sqlite3.connect(path)
    base.execute("PRAGMA writable_schema = ON")  # a NULL, although the table does not allow it
    told = "UPDATE sqlite_master SET sql = replace(sql, 'record TEXT NOT NULL', 'record')"
    base.execute(told)
    base.commit()
    base.close()
    base = sqlite3.connect(path)
    base.execute("UPDATE games SET record = ? WHERE number = ?", (record, number))
    base.commit()
    base.close()
    return f"{path}, game {number}: "


BAD = ["", "null", "[]", '{"kind":"game"}', "[" * 10**5]
SPOILT = [
    *((".jsonl", bad) for bad in BAD),
    *((".db", bad) for bad in [*BAD, None, 7, 1.5, b"\xff\xfe\x00", b'{"a":"\xff"}']),
]


@pytest.mark.parametrize(("suffix", "bad"), SPOILT)
def test_a_damaged_game_is_reported_left_out_and_played_again(
    suffix: str, bad: Any, played: list[str], tmp_path: Path
) -> None:
    path = written(played, tmp_path / f"record{suffix}")
    (whole,) = read_matches(path)
    place = spoil(path, 1, bad)
    (match,) = read_matches(path)
    assert [game.number for game in match.games] == [0, 2, 3]
    assert len(match.damaged) == 1
    assert match.damaged[0].startswith(place)
    records = open_store(path, whole.plan)
    assert [game.number for game in records.games()] == [0, 2, 3]
    assert len(records.damaged) == 1
    records.add([whole.games[1].line()])
    records.close()
    (again,) = read_matches(path.with_suffix(".db"))
    assert again.games == whole.games


@pytest.mark.parametrize("suffix", [".jsonl", ".db"])
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("players", ["x", "computer"], "x is no player of the match"),
        ("players", ["random", "computer"], "is of pair 0, computer against random"),
        ("pair", 1, "is of pair 0, computer against random"),
    ],
)
def test_a_game_of_others_is_reported_left_out_and_played_again(
    name: str, value: Any, message: str, suffix: str, played: list[str], tmp_path: Path
) -> None:
    """With the right checksum: going on with such a record ended in a KeyError."""
    path = written(played, tmp_path / f"record{suffix}")
    (whole,) = read_matches(path)
    spoil(path, 1, changed(played[2], (name,), value, "new"))
    assert message in read_matches(path)[0].damaged[0]
    records = open_store(path, whole.plan)
    assert [game.number for game in records.games()] == [0, 2, 3]
    assert message in records.damaged[0]
    records.add([whole.games[1].line()])
    records.close()
    assert read_matches(path.with_suffix(".db"))[0].games == whole.games


def test_other_commands_leave_it_out_and_say_so(
    played: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(played, tmp_path / "record.jsonl")
    place = spoil(path, 1, "null")
    for words in (["replay", str(path)], ["export", str(path)]):
        assert main(words) == 1
        out, told = capsys.readouterr()
        assert told.startswith(f"rulewright: {place}")
        assert "computer" in out
    assert main(["replay", str(path), "--verify"]) == 1
    assert place in capsys.readouterr().out
    game = read_matches(path)[0].plan.game
    for words, status in (
        (["analyze", str(path), "--nodes", "20", "--to", "1"], 1),
        (["convert", str(path)], 1),
        (["show", game, "--load", str(path)], 0),
    ):
        assert main(words) == status
        assert capsys.readouterr().err.startswith(f"rulewright: {place}")


def test_a_changed_letter_is_noticed(played: list[str], tmp_path: Path) -> None:
    path = written(played, tmp_path / "record.jsonl")
    spoil(path, 1, played[2].replace('"depth":1', '"depth":2', 1))
    (match,) = read_matches(path)
    assert [game.number for game in match.games] == [0, 2, 3]
    assert match.damaged[0].endswith("this record was changed, for its checksum is another")


@pytest.mark.parametrize("place", [("turns",), ("decisions", -1, "nodes")])
def test_a_number_that_no_float_holds_is_no_crash(
    place: tuple[Any, ...], played: list[str], tmp_path: Path
) -> None:
    """Even with the checksum of who wrote it: sums of such numbers were divided."""
    spoilt = changed(played[1], place, 10**400, "new")
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join([played[0], spoilt, *played[2:], ""]), "utf-8")
    (found,) = read_matches(path)
    assert [game.number for game in found.games] == [1, 2, 3]
    assert f"{path}:2: " in found.damaged[0]


def test_a_damaged_length_is_what_there_is_no_memory_for(
    played: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite believes a length and says MemoryError; which bytes do that is its own affair."""
    path = written(played, tmp_path / "record.db")

    def greedy(base: Database, query: str, *values: object) -> None:
        with explain_errors(base.path):
            raise MemoryError

    monkeypatch.setattr(Database, "rows", greedy)
    with pytest.raises(RulewrightError, match=r"record\.db is damaged, or larger than"):
        read_matches(path)


def test_records_without_checksums_are_read_and_marked(
    played: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As 0.1 wrote them."""
    old = [{k: v for k, v in json.loads(line).items() if k != SUM} for line in played]
    path = tmp_path / "record.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in old), "utf-8")
    (match,) = read_matches(path)
    (new,) = read_matches(written(played, tmp_path / "new.jsonl"))
    assert match.games == new.games
    assert [game.checked for game in match.games] == [False] * 4
    assert all(game.checked for game in new.games)
    assert main(["replay", str(path), "--verify"]) == 0
    assert "4 games without a checksum" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["replay", "export", "show"])
def test_no_record_makes_a_command_print_another_file(
    command: str, played: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "diary.txt"
    other.write_text("Dear diary\nsecret\n")
    path = tmp_path / "record.jsonl"
    named = json.dumps(str(other))
    for line in played:
        text = line.replace('"tictactoe"', named).replace('{"width":3,"height":3,"run":3}', "{}")
        data = {k: v for k, v in json.loads(text).items() if k != SUM}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")
    words = {
        "replay": ["replay", str(path), "--game", "0"],
        "export": ["export", str(path), "--as", "svg", "--game", "0"],
        "show": ["show", str(other), "--load", str(path)],
    }
    assert main(words[command]) in (1, 2)
    out, told = capsys.readouterr()
    assert "diary" not in (out + told).replace(str(other), "")
    assert "secret" not in out + told
    assert f"`rulewright check {other}`" in told
