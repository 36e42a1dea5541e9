"""Games, records, studies and talk of programs, made and read for the fuzzer.

In: bytes.  Out: what was said of them, as outlines of messages; refusals are the package's own
errors, everything else goes through.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import rulewright
from rulewright.app.play.saved_games import SavedGame, read_saved_game
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.matches.export import csv_text, game_text, lines_text
from rulewright.matches.game_files import of_record, read_game
from rulewright.matches.record_files import read_matches
from tests.shared.playing import played_on
from tests.tools.fuzz.reader import outline

PLAYED = ("tictactoe", "connect4", "hex", "othello", "twixt", "chess", "go", "dots", "conniption")


@cache
def scratch() -> Path:
    """A folder for files that are read at once."""
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def after(name: str, seed: int, most: int = 12) -> State:
    """A position of a random game."""
    return played_on(rulewright.load(name).start(), Random(seed), most)


def positions() -> list[bytes]:
    drawn = [f"{name}\n{after(name, 5).text()}".encode() for name in (*PLAYED, "morris", "spanit")]
    return [*drawn, b"othello\n[[- X -] [O X -] [- - -]]\n", b"connect5\n(- - -\n- X -\nO - -)\n"]


# --- files of our own ---


def saved_games() -> list[bytes]:
    states = [after(name, 7) for name in ("tictactoe", "othello", "chess")]
    return [
        SavedGame(s.game.name, s, None, ("human", "computer:1"), 4).text().encode() for s in states
    ]


def read_saved(data: bytes) -> set[str]:
    path = scratch() / "game.json"
    path.write_bytes(data)
    return _refused(lambda: read_saved_game(path)) | _refused(lambda: read_game(path))


def _refused(read: Callable[[], object]) -> set[str]:
    try:
        read()
    except RulewrightError as error:
        return {outline(str(error).replace(str(scratch()), ""))}
    return set()


@cache
def _match(suffix: str) -> bytes:
    path = scratch() / f"match{suffix}"
    path.with_suffix(".db").unlink(missing_ok=True)
    given: dict[str, Any] = {"games": 4, "nodes": 50, "sprt": (0, 100), "adjudicate": (50, 3)}
    with rulewright.match(
        "tictactoe", "random", "computer", record=path.with_suffix(".db"), **given
    ) as run:
        for _ in run:
            pass
    if suffix == ".jsonl":
        path.write_text(lines_text(read_matches(path.with_suffix(".db"))), "utf-8")
    return path.read_bytes()


def records(suffix: str) -> Callable[[], list[bytes]]:
    return lambda: [_match(suffix)]


def read_record(suffix: str) -> Callable[[bytes], set[str]]:
    """A reader of records that puts what it has read to use."""

    def answer(data: bytes) -> set[str]:
        path = scratch() / f"fuzz{suffix}"
        for extra in ("", "-wal", "-shm"):
            path.with_name(path.name + extra).unlink(missing_ok=True)
        path.write_bytes(data)
        said = set[str]()
        found = list[Any]()
        said |= _refused(lambda: found.extend(read_matches(path)))
        for match in found[:2]:
            said |= _refused(lambda m=match: csv_text([m]))  # type: ignore[misc]
            for game in match.games[:3]:
                said |= _refused(lambda g=game: of_record(g))  # type: ignore[misc]
                said |= _refused(lambda m=match, g=game: game_text(m, g))  # type: ignore[misc]
        return said

    return answer


def _task() -> Any:
    from rulewright.matches.tune import TuningTask

    return TuningTask(
        "connect4", "counter", ("random",), terms={"games": 2, "openings": 1, "seed": 3}
    )


@cache
def _study() -> bytes:
    from rulewright.matches.tune import Tuner

    path = scratch() / "made.study"
    for _ in Tuner(_task(), path).trials(2):
        pass
    return path.read_bytes()


def studies() -> list[bytes]:
    return [_study()]


def read_study(data: bytes) -> set[str]:
    from optuna.storages._rdb.storage import _VersionManager

    from rulewright.matches.tune import Tuner

    path = scratch() / "fuzz.study"
    path.write_bytes(data)
    with patch.object(_VersionManager, "get_head_version", _newest_version()):
        return _refused(lambda: Tuner(_task(), path).best)


@cache
def _newest_version() -> Callable[..., Any]:
    """What Optuna asks all its migrations for with each study: which of them is the last."""
    from optuna.storages._rdb.storage import _VersionManager

    return cache(_VersionManager.get_head_version)
