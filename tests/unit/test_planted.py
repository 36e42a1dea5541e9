"""The cache among strangers: nothing of theirs is read, nothing of theirs is removed."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs import field, fields, frozen
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from rulewright.games.engine import model_cache
from rulewright.games.files.games import bundled_games, load_with
from rulewright.ground import cache, packing, records
from rulewright.ground.packing import Unpackable, pack, unpack
from rulewright.ground.records import Record, is_record, names_of, record
from rulewright.model.board_shapes import lattice
from rulewright.model.expressions import Const, Type

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
NAME = f"{0:032}.model"
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.integers(2**4000, 2**30000)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner).map(tuple) | st.lists(inner) | st.dictionaries(st.text(), inner)
        | st.frozensets(SCALARS) | st.builds(Const, st.sampled_from(Type), st.lists(inner))
    ),
)  # fmt: skip


@frozen
class Bomb:
    """What pickle would set off."""

    path: str

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a secret of his own, and a cache."""
    monkeypatch.setattr("rulewright.ground.cache.state_folder", lambda: tmp_path / "state")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def place(home: Path) -> Path:
    return home / "cache" / "rulewright" / "models" / NAME


def planted(home: Path, data: bytes = b"kept") -> Path:
    cache.write(place(home), data, 1000)
    assert cache.read(place(home)) == data
    return place(home)


# --- what is read ---


@given(VALUES)
def test_what_is_packed_is_unpacked(thing: object) -> None:
    if type(thing) in (tuple, list, dict, frozenset, Const):
        assert unpack(pack(thing), model_cache._RECORDS) == thing


def test_shared_parts_stay_shared() -> None:
    board = lattice("square", 3, 3, False)
    one, (two, same) = unpack(pack([board, (board, board)]), model_cache._RECORDS)
    assert one is two is same == board
    assert unpack(pack((board, 1), [board]), model_cache._RECORDS, [one])[0] is one


def records_of(module: str) -> list[Any]:
    """The classes of records that a module defines."""
    made = vars(import_module(module)).values()
    return [
        one for one in made if isinstance(one, type) and one.__module__ == module and is_record(one)
    ]


@pytest.mark.parametrize("module", [*model_cache._RECORDS, "rulewright.compiler.ir.nodes"])
def test_fields_are_known_as_attrs_tells_them(module: str) -> None:
    for kind in records_of(module):
        known = names_of(kind), records.arguments(kind), records._fields(kind), kind.__match_args__
        told = fields(kind)
        assert known == (
            tuple(one.name for one in told),
            tuple(one.name for one in told if one.init),
            tuple(one.name for one in told if one.eq),
            tuple(one.name for one in told if one.init and not one.kw_only),
        )


def test_a_record_is_whole_from_the_first() -> None:
    @record
    class Pair(Record):
        first: int
        second: int = field(default=2, kw_only=True)

    empty = object.__new__(Pair)
    with pytest.raises(FrozenInstanceError):
        empty.first = 1  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del empty.first
    with ThreadPoolExecutor(8) as pool:
        pairs = list(pool.map(Pair, range(64)))
    assert [(one.first, one.second) for one in pairs] == [(n, 2) for n in range(64)]
    with pytest.raises(FrozenInstanceError):
        pairs[0].first = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "named", ["os:mkdir", "subprocess:Popen", "rulewright.ground.cache:Path", "builtins:eval"]
)
def test_no_other_class_is_made(named: str) -> None:
    data = json.dumps([[named], [[-1 - packing._CLASSES, "x"]], [0]]).encode()
    with pytest.raises(Unpackable):
        unpack(data, model_cache._RECORDS)


@given(st.data())
def test_damaged_bytes_are_refused_or_data(data: st.DataObject) -> None:
    whole = pack((Const(Type.INT, 7), {"a": (1, 2.5)}))
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + 1 :]
    with suppress(Unpackable):
        unpack(changed, model_cache._RECORDS)


def test_a_planted_pickle_is_not_run(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the format before this one had it, and even with the seal of today."""
    file = home / "corners.rules"
    file.write_text(bundled_games()["tictactoe"].read_text("utf-8"))
    load_with(file, {})
    (model,) = (home / "cache" / "rulewright" / "models").glob("*.model")
    bomb = pickle.dumps(Bomb(str(home / "exploded")), 5)
    cache.write(model, bomb, 10**6)
    assert load_with(file, {}).name == "tictactoe"
    assert not (home / "exploded").exists()


def test_what_another_user_sealed_is_not_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = planted(home)
    monkeypatch.setattr("rulewright.ground.cache.state_folder", lambda: home / "somebody else")
    assert cache.read(path) is None


def test_an_entry_does_not_serve_under_another_name(home: Path) -> None:
    path = planted(home)
    other = path.with_name(f"{1:032}.model")
    other.write_bytes(path.read_bytes())
    other.chmod(0o600)
    assert cache.read(other) is None


@POSIX
@pytest.mark.parametrize("what", ["entry", "folder"])
@pytest.mark.parametrize("how", ["owner", "group", "world"])
def test_what_others_own_or_may_write_is_not_read(
    what: str, how: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = planted(home)
    told = path if what == "entry" else path.parent
    if how == "owner":
        real, inode = cache.only_ours, told.stat().st_ino
        strange = lambda known: known.st_ino != inode and real(known)  # noqa: E731
        monkeypatch.setattr(cache, "only_ours", strange)
    else:
        told.chmod(stat.S_IMODE(told.stat().st_mode) | (0o020 if how == "group" else 0o002))
    assert cache.read(path) is None


@POSIX
def test_only_the_user_reads_his_secret(home: Path) -> None:
    assert cache.secret() is not None
    path = home / "state" / "cache.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    cache._secret.cache_clear()
    assert cache.secret() is None  # who has read it could have planted anything
    path.chmod(0o600)
    cache._secret.cache_clear()


@pytest.mark.parametrize("length", [0, 31])
def test_half_a_secret_is_none(length: int, home: Path) -> None:
    (home / "state").mkdir()
    path = home / "state" / "cache.key"
    path.write_bytes(bytes(length))
    path.chmod(0o600)
    assert cache.secret() is None
    assert cache.read(place(home)) is None


# --- what is removed ---


def test_files_of_others_are_neither_counted_nor_removed(home: Path) -> None:
    """A folder called `models`, which people have."""
    mine = [home / "cache" / "models", place(home).parent]
    for folder in mine:
        folder.mkdir(parents=True, mode=0o700)
        for name in ("thesis.model", "weights.bin", "tmpx.part", f"{7:032}", f"{7:032}.model.txt"):
            (folder / name).write_bytes(bytes(5000))
            os.utime(folder / name, (0, 0))
        (folder / f"{7:032}.kernels").mkdir()
    for number in range(3):
        cache.write(place(home).with_name(f"{number:032}.model"), bytes(600), 1000)
    assert all(len(list(folder.glob("*"))) >= 6 for folder in mine)
    assert len(list(place(home).parent.glob("0*.model"))) == 1


@POSIX
def test_a_link_leads_nowhere(home: Path) -> None:
    treasure = home / "treasure"
    treasure.mkdir(mode=0o700)
    (treasure / NAME).write_bytes(bytes(5000))
    place(home).parent.parent.mkdir(parents=True)
    place(home).parent.symlink_to(treasure)
    cache.write(place(home).with_name(f"{1:032}.model"), bytes(600), 1000)
    assert [file.name for file in treasure.iterdir()] == [NAME]


@POSIX
def test_an_entry_that_is_a_link_leads_nowhere(home: Path) -> None:
    """What was unpacked from elsewhere may hold one in the place of an entry."""
    path = planted(home)
    (home / "thesis").write_bytes(b"mine")
    path.unlink()
    path.symlink_to(home / "thesis")
    assert cache.read(path) is None
    assert planted(home) == path
    assert (home / "thesis").read_bytes() == b"mine"


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_an_entry_that_is_no_file_keeps_nobody_waiting(kind: str, home: Path) -> None:
    path = planted(home)
    path.unlink()
    os.mkfifo(path) if kind == "pipe" else path.mkdir()
    script = (
        f"from pathlib import Path; from rulewright.ground import cache; p = Path({str(path)!r})"
    )
    script += "; cache.write(p, b'kept', 1000); print(cache.read(p))"
    environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, timeout=60, check=True
    )
    assert done.stdout.split() == [b"b'kept'" if kind == "pipe" else b"None"]
