"""What a package brings: a first start takes it, whatever is not quite the same is made anew."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.compiler import engine
from rulewright.compiler.backend import native
from rulewright.compiler.backend.loading import is_loaded_here
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files import games
from rulewright.games.files.games import load
from rulewright.games.files.kinds import check_file
from rulewright.ground import cache
from rulewright.ground.disk import root
from tests.shared.places import ROOT

RULES = "tictactoe"
BRING = """
import sys
from rulewright.games.files.games import bring_bundled
bring_bundled(*sys.argv[1:])
"""
Made = dict[str, int]


def bring(folder: Path, program: Path) -> None:
    """Fill a folder by a program."""
    folder.mkdir()
    command = [sys.executable, "-c", BRING, str(folder), RULES]
    place = {"PYTHONPATH": str(program), "PYTHONHASHSEED": "random"}
    subprocess.run(command, check=True, env=place)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel would bring of one game."""
    folder = tmp_path_factory.mktemp("wheel") / "brought"
    bring(folder, ROOT / "interpreter")
    return folder


@pytest.fixture
def work(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """How often a text is read, lowered and compiled, by somebody without a cache who has it."""
    for file in (*cache.BROUGHT.iterdir(), *made.iterdir()):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(cache, "BROUGHT", tmp_path)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    count: Made = {"read": 0, "lowered": 0, "compiled": 0}

    def counted(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def counting(*words: object, **named: object) -> object:
            count[name] += 1
            return real(*words, **named)

        return counting

    monkeypatch.setattr(games, "check_file", counted("read", check_file))
    monkeypatch.setattr(engine, "emitted_of", counted("lowered", engine.emitted_of))
    monkeypatch.setattr(native, "_compiled_now", counted("compiled", native._compiled_now))
    return count


def leaves(path: str = RULES, **options: int) -> int:
    game = load(path, **options)
    found = load_engine(game, quick=True)
    assert not isinstance(found, str)
    return found.perft(game.play.first, 2)


needs_native = pytest.mark.skipif(not is_loaded_here(), reason="code is brought for Linux, x86-64")


@needs_native
def test_a_first_start_makes_nothing_again(work: Made) -> None:
    assert leaves() == 72
    assert work == {"read": 0, "lowered": 0, "compiled": 0}


@needs_native
def test_a_text_that_was_edited_is_made_anew(work: Made, tmp_path: Path) -> None:
    mine = tmp_path / f"{RULES}.rules"
    mine.write_bytes((root("rulesets") / RULES / mine.name).read_bytes() + b"# mine\n")
    assert leaves(str(mine)) == 72
    assert work["read"] == work["lowered"] == 1


@needs_native
@pytest.mark.parametrize("suffix", [".model", ".kernels", ".x86-64"])
def test_what_was_damaged_is_made_anew(suffix: str, work: Made, made: Path, tmp_path: Path) -> None:
    for file in made.glob(f"*{suffix}"):
        data = bytearray(file.read_bytes())
        data[-3] ^= 1
        (tmp_path / file.name).write_bytes(data)
    assert leaves() == 72
    assert sum(work.values()) == 1


def test_a_program_that_was_changed_takes_nothing(
    work: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulewright.games.engine import model_cache

    monkeypatch.setattr(model_cache, "_program", lambda: "changed")
    load(RULES)
    assert work["read"] == 1


def test_names_depend_on_nothing_of_the_place(made: Path, tmp_path: Path) -> None:
    """Another folder, as in a wheel; other times, another order of sets."""
    ignored = shutil.ignore_patterns("__pycache__", "brought", "studio")
    shutil.copytree(ROOT / "interpreter" / "rulewright", tmp_path / "rulewright", ignore=ignored)
    for kind in ("grammar", "rulesets"):
        shutil.copytree(root(kind), tmp_path / "rulewright" / kind)
    bring(tmp_path / "brought", tmp_path)
    for file in made.iterdir():
        assert (tmp_path / "brought" / file.name).read_bytes() == file.read_bytes()


def test_contents_are_what_files_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    files = []
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        files.append(tmp_path / place / "module.py")
        files[-1].write_text("one = 1\n")
    first = cache.contents(files[:1])
    assert cache.contents(files[:1]) == cache.contents(files[1:]) == first
    files[0].write_text("one = 22\n")
    assert cache.contents(files[:1]) != first
    files[0].rename(files[0].with_name("other.py"))
    assert cache.contents([files[0].with_name("other.py")]) != first
