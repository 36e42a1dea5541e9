"""A disk that fails at any write, or no memory there: nothing is lost, and nothing half-written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.app.play.saved_games import Autosave, read_saved_game
from rulewright.errors import RulewrightError
from rulewright.games.engine import model_cache
from rulewright.games.files.games import load, load_with
from rulewright.ground import cache
from rulewright.ground.disk import write_whole
from rulewright.matches.export import lines_text
from rulewright.matches.game_record import GameRecord, RecordedMove
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_files import Match, read_matches
from rulewright.matches.record_store import open_store
from rulewright.model.rules import Rules
from tests.shared.faults import Disk, each_failure, failing

OLD, NEW = b"as it was", b"as it should be" * 50
PLAN = MatchPlan("tictactoe", {}, ("computer", "random"), 100)
EXPECTED = (OSError, MemoryError, RulewrightError)
"""What a deed may raise; the command line tells of all of them."""


def only(folder: Path, *names: str) -> None:
    """Nothing else lies in a folder."""
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == sorted(names)


def attempt(deed: Callable[[], object]) -> Callable[[], None]:
    def tried() -> None:
        with suppress(*EXPECTED):
            deed()

    return tried


def test_the_disk_fails_at_every_call(tmp_path: Path) -> None:
    """The harness itself: it sees the calls, and half of a write arrives."""
    path = tmp_path / "file"
    numbers = [
        disk.number for disk in each_failure(attempt(lambda: write_whole(path, NEW)))
        if disk.kind == "full" and not disk.stays
    ]  # fmt: skip
    assert numbers == [1, 2, 3, 4]  # open, write, fsync, replace
    disk = Disk(2, "full")
    with failing(disk), suppress(OSError):
        write_whole(path, NEW)
    assert disk.failed


@pytest.mark.parametrize("there", [True, False])
def test_a_file_is_the_old_one_or_the_new_one(there: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"

    def begin() -> None:
        path.unlink(missing_ok=True)
        if there:
            path.write_bytes(OLD)

    for disk in each_failure(attempt(lambda: write_whole(path, NEW)), begin):
        left = path.read_bytes() if path.exists() else None
        assert left in (OLD if there else None, NEW), disk
        for part in tmp_path.glob("*.part"):
            assert disk.stays  # nothing could be removed any more
            part.unlink()
        only(tmp_path, *(["file"] if left else []))


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(OLD)
    for _ in each_failure(attempt(lambda: write_whole(path, NEW, new=True))):
        assert path.read_bytes() == OLD
    with pytest.raises(FileExistsError):
        write_whole(path, NEW, new=True)
    only(tmp_path, "file", *(part.name for part in tmp_path.glob("*.part")))


def test_a_link_and_rights_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(OLD)
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, NEW)
    assert link.is_symlink()
    assert path.read_bytes() == NEW
    assert path.stat().st_mode & 0o777 == 0o640


# --- records ---


def game(number: int) -> GameRecord:
    players = (PLAN.players[number % 2], PLAN.players[1 - number % 2])
    return GameRecord(
        PLAN.name, number, number // 2, PLAN.game, {}, players,
        (RecordedMove("b2", 0, 0.5, 3, 20, 0.25),), 0, 0, "rules", "won", 1, PLAN.seed,
    )  # fmt: skip


def test_no_recorded_game_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    told: list[int] = []
    """Games of which the match knows that they are kept."""

    def begin() -> None:
        told.clear()
        for old in tmp_path.iterdir():
            old.unlink()

    def deed() -> None:
        with suppress(*EXPECTED):
            records = open_store(path, PLAN)
            try:
                records.begin([[]])
                for number in range(4):
                    with suppress(*EXPECTED):  # the match ends here; the same record may go on
                        records.add([game(number).line()])
                        told.append(number)
            finally:
                records.close()

    count = 0
    for disk in each_failure(deed, begin):
        count += 1
        again = open_store(path, PLAN)
        if again.openings is None:
            again.begin([[]])
        found = {one.number for one in again.games()}
        assert found >= set(told), disk
        assert not again.damaged
        again.add([game(number).line() for number in range(4)])
        again.close()
        (match,) = read_matches(path)
        assert match.games == [game(number) for number in range(4)], disk
        assert not match.damaged
    assert count > 20


def test_files_are_imported_whole_or_not_at_all(tmp_path: Path) -> None:
    path, store = tmp_path / "record.jsonl", tmp_path / "record.db"
    games = [game(number) for number in range(4)]
    path.write_text(lines_text([Match(PLAN, [[]], games)]))

    def begin() -> None:
        for old in tmp_path.glob("record.db*"):
            old.unlink()

    for disk in each_failure(attempt(lambda: open_store(path, PLAN).close()), begin):
        with suppress(RulewrightError):
            assert read_matches(store)[0].games == games, disk
        again = open_store(path, PLAN)
        assert again.games() == games, disk
        again.close()


# --- caches ---


def test_a_cache_gives_what_was_kept_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    place = tmp_path / "rulewright" / "models" / f"{0:032}.model"
    cache.write(place, OLD, 10**6)

    for disk in each_failure(attempt(lambda: cache.write(place, NEW, 10**6))):
        assert cache.read(place) in (OLD, NEW), disk
        cache.write(place, OLD, 10**6)
        assert cache.read(place) == OLD


def test_a_game_is_loaded_whatever_the_cache_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, that is; without memory nothing can be loaded."""
    load_with("tictactoe", {})
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    for number in range(1, 9):
        with failing(Disk(number, "full", stays=True)):
            assert load_with("tictactoe", {}).name == "tictactoe"
        for model in tmp_path.rglob("*.model"):
            model.unlink()
    assert model_cache.read(tmp_path / "none.model", Rules) is None


# --- commands ---

RULES = 'format 1\ngame  x\nplayers a b\nboard square 3 by 3\npieces s "AB"\n' + (
    "move m\n  choose c in empty\n  put s at c\nturn m\ndraw when stuck\n"
)
COMMANDS = {
    "fmt": ["fmt", "x.rules"],
    "new": ["new", "fresh", "--from", "tictactoe"],
    "new --personality": ["new", "fresh", "--from", "connect4", "--personality"],
    "export": ["export", "record.db", "--out", "table.csv"],
    "export svg": ["export", "record.db", "--as", "svg", "--out", "folder"],
    "report": ["report", "record.db"],
    "show": ["show", "tictactoe", "--svg", "board.svg"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_write_whole_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path.with_name(f"{tmp_path.name}-cache")))
    monkeypatch.chdir(tmp_path)
    words = COMMANDS[name]

    def begin() -> dict[str, bytes]:
        for old in sorted(tmp_path.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        Path("x.rules").write_text(RULES)
        records = open_store(Path("record.db"), PLAN)
        records.begin([[]])
        records.add([game(number).line() for number in (0, 1)])
        records.close()
        return here()

    def here() -> dict[str, bytes]:
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        return {str(path.relative_to(tmp_path)): path.read_bytes() for path in files}

    before = begin()
    assert main(words) == 0
    after = here()
    assert after != before
    statuses: list[int] = []

    for disk in each_failure(lambda: statuses.append(main(words)), begin):
        for file, data in here().items():
            if not file.endswith(".part"):
                assert data in (before.get(file), after.get(file)), (disk, file)
        assert not disk.stays or statuses[-1] == 2 or here() == after, disk
    assert "Traceback" not in capsys.readouterr().err


def test_a_kept_game_survives(tmp_path: Path) -> None:
    state = load("tictactoe").start()
    from rulewright.app.play.saved_games import SavedGame

    first, second = (SavedGame("tictactoe", state.play(moves)) for moves in ("b2", "b2 a1"))
    autosave = Autosave(tmp_path / "game.json")
    autosave.write(first)

    for disk in each_failure(attempt(lambda: autosave.write(second))):
        assert read_saved_game(autosave.path).state.text() in (
            first.state.text(), second.state.text()
        ), disk  # fmt: skip
        autosave.write(first)
        assert autosave.failed == ""
