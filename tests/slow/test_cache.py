"""The cache of object code: whole files or none, many processes at once, never an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import platformdirs
import pytest

from rulewright.compiler.backend import Linked, shipped
from rulewright.compiler.backend.loading import is_loaded_here
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir.printer import module_text
from rulewright.games.files.games import load
from rulewright.ground import cache as kept
from rulewright.search.background import compile_ahead, wait_for_compilers
from rulewright.search.best import search
from rulewright.search.thread_arrays import no_value
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm

COUNT = """
from rulewright.compiler.engine import Engine
from rulewright.games.files.games import load
game = load("tictactoe")
print(Engine(game.play).perft(game.play.first, 5))
"""
LEAVES = 15120


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of its own."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    return tmp_path / "rulewright" / "kernels"


def count(use_cache: bool = True) -> int:
    game = load("tictactoe")
    return Engine(game.play, use_cache=use_cache).perft(game.play.first, 5)


def objects(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.o"))


def refuse(*_: object, **__: object) -> None:
    """What a call does that is not allowed; root is allowed too much to try it."""
    raise PermissionError("read only")


def compiled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows whenever LLVM compiles, once what earlier tests have begun is done."""
    from rulewright.compiler.backend import native

    wait_for_compilers(perf_counter() + 60)
    calls, real = list[int](), native.compile_object

    def counted(assembly: str, quick: bool = False) -> bytes:
        calls.append(1)
        return real(assembly, quick)

    monkeypatch.setattr(native, "compile_object", counted)
    return calls


def test_a_second_start_does_not_compile(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = compiled(monkeypatch)
    assert count() == count() == LEAVES
    assert len(calls) == 1
    assert objects(cache)  # beside those that a thread of another test may be writing


def test_no_cache_keeps_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = compiled(monkeypatch)
    assert count(use_cache=False) == count(use_cache=False) == LEAVES
    assert len(calls) == 2
    assert not cache.exists()


@pytest.mark.parametrize("damage", ["empty", "short", "changed", "text"])
def test_a_damaged_file_is_compiled_anew(
    damage: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count()
    (path,) = objects(cache)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes({
        "empty": b"",
        "short": whole[:middle],
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "text": b"not object code at all" * 20,
    }[damage])  # fmt: skip
    calls = compiled(monkeypatch)
    assert count() == LEAVES
    assert len(calls) == 1
    assert path.read_bytes() == whole
    assert count() == LEAVES
    assert len(calls) == 1


def test_many_processes_fill_one_cache(cache: Path) -> None:
    command = [sys.executable, "-c", COUNT]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in running:
        printed, complaints = process.communicate(timeout=120)
        assert (process.returncode, printed, complaints) == (0, f"{LEAVES}\n", "")
    assert len(objects(cache)) == 1
    assert [path for path in cache.iterdir() if path.suffix == ".part"] == []


def test_the_cache_stays_small(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.compiler.backend import native

    cache.mkdir(mode=0o700, parents=True)
    for number in range(5):
        path = cache / f"{number:032}.o"
        path.write_bytes(bytes(40_000))
        os.utime(path, (number, number))
    abandoned = cache / "rulewright-killed.part"
    abandoned.write_bytes(b"half")
    os.utime(abandoned, (0, 0))
    monkeypatch.setattr(native, "MOST_BYTES", 100_000)
    count()
    assert sum(path.stat().st_size for path in cache.iterdir()) <= 100_000
    assert not (cache / f"{0:032}.o").exists()
    assert (cache / f"{4:032}.o").exists()  # used last of the old ones
    assert not abandoned.exists()
    assert len(objects(cache)) == 3


def test_a_cache_that_cannot_be_written_is_used(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count()
    calls = compiled(monkeypatch)

    for name in ("utime", "replace", "mkdir"):  # what a disk refuses that is only readable
        monkeypatch.setattr(os, name, refuse)
    assert count() == LEAVES
    assert calls == []


@pytest.mark.parametrize("obstacle", ["a file is there", "nothing is allowed"])
def test_a_cache_that_cannot_be_made_is_done_without(
    obstacle: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if obstacle == "a file is there":
        cache.parent.mkdir()
        cache.write_text("in the way")
    else:
        monkeypatch.setattr("rulewright.ground.disk._write", refuse)
    assert count() == LEAVES


def test_code_compiled_quickly_gives_way_to_better(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, game = compiled(monkeypatch), load("tictactoe")
    quick = Engine(game.play, quick=True)
    assert quick.perft(game.play.first, 5) == LEAVES
    quick.improve()
    quick.improve()
    assert quick.perft(game.play.first, 5) == LEAVES
    assert len(calls) == len(objects(cache)) == 2
    Engine(game.play, quick=True).improve()  # the better code is there already
    assert len(calls) == 2


def test_code_compiled_quickly_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, game = compiled(monkeypatch), load("tictactoe")
    for _ in range(2):
        assert Engine(game.play, quick=True).perft(game.play.first, 5) == LEAVES
    assert len(calls) == len(objects(cache)) == 1


@pytest.mark.parametrize("comes", [True, False])
def test_code_of_the_search_is_waited_for_or_comes_with_the_package(
    comes: bool, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = compiled(monkeypatch)
    if not comes:
        monkeypatch.setattr(kept, "BROUGHT", tmp_path)
    thread = compile_ahead()
    found = search(load("tictactoe").start(), nodes=100)
    assert thread is not None
    thread.join()
    assert (found.move, found.nodes) == ("b2", 100)
    assert len(objects(cache)) == 9  # the game, its codes, seven parts of the search
    assert len(calls) == (1 if comes and is_loaded_here() else 9)


def test_code_for_other_texts_does_not_come(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none = no_value()
    other = Linked(module_text(none.module).replace("0.0", "0.5"), {})
    assert (shipped.find(none) is not None) == is_loaded_here()
    assert shipped.find(other) is None
    monkeypatch.setattr(shipped, "_translator", lambda: "changed")
    assert shipped.find(none) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems ask platformdirs")
@pytest.mark.parametrize("named", [None, "", " ", "/else/where", "relative", "~/mine"])
def test_folders_are_those_of_platformdirs(
    named: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("RULEWRIGHT_CACHE", raising=False)
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        if named is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, named)
    assert kept.cache_folder() == platformdirs.user_cache_path("rulewright", appauthor=False)
    assert kept.state_folder() == platformdirs.user_state_path("rulewright", appauthor=False)
