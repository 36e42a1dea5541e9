"""Saved games as JSON text, and the ones that are saved by themselves after each decision.

In: what was played from where by whom, or a path.  Out: the text, or a `SavedGame` whose decisions
are all legal; in the user's data folder a file for each game, which is there whatever happens to
the terminal (`RULEWRIGHT_DATA` names another folder).  Refuses other files, and to write over
anything but a saved game.  A folder that cannot be written is told of once, and the game goes on.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.cache import data_folder
from rulewright.disk import is_there, read_text, write_whole
from rulewright.engine.game import State
from rulewright.errors import MoveError, RulewrightError
from rulewright.files.games import load_named

FORMAT = 1


DRAW = "draw"
"""In place of the colour that gave up: a draw was claimed; no colour is called so."""


@frozen
class SavedGame:
    """A game: what loads its rules, the state with the way to it, who resigned, who played.

    `players` are the texts of both persons, who began first; `series` is what a series of
    opponents needs to go on; `undone` are decisions taken back, the next one last.
    """

    source: str
    state: State
    resigned: str | None = None
    players: tuple[str, str] | None = None
    seed: int | None = None
    series: Mapping[str, Any] = field(factory=dict)
    undone: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.resigned is not None or self.state.over

    def text(self) -> str:
        """The JSON text, with what is not said left out."""
        first = self.state.states()[0]
        fresh = first.same(first.game.start())
        record = {
            "format": FORMAT,
            "game": self.source,
            "options": dict(self.state.game.options),
            "position": None if fresh else first.text(),
            "moves": " ".join(self.state.decisions()),
            "resigned": self.resigned,
            "players": self.players and list(self.players),
            "seed": self.seed,
            "over": self.over,
            "series": dict(self.series) or None,
            "undone": list(self.undone) or None,
        }
        always = ("resigned",)
        kept = {k: v for k, v in record.items() if v is not None or k in always}
        return json.dumps(kept, indent=1) + "\n"


def save(saved: SavedGame, path: Path) -> None:
    """Write a game to *path*, which may hold another saved game but nothing else."""
    if is_there(path):
        try:
            read_saved_game(path)
        except RulewrightError:
            message = f"{path} is there already and is no saved game; choose another name"
            raise RulewrightError(message) from None
    write_whole(path, saved.text().encode())


def read_saved_game(path: Path) -> SavedGame:
    """The game that was saved in a file."""
    try:
        record: Any = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise RulewrightError(f"{path} is no saved game: it is not JSON text") from None
    try:
        if record["format"] != FORMAT:
            raise RulewrightError(f"{path} has the unknown format {record['format']!r}")
        return _saved(record)
    except (LookupError, TypeError, AttributeError, ValueError):
        raise RulewrightError(f"{path} is no saved game of rulewright") from None
    except MoveError as error:
        raise RulewrightError(f"{path}: {error}") from None


def _saved(record: Mapping[str, Any]) -> SavedGame:
    source, moves, options = record["game"], record["moves"], dict(record["options"])
    game = load_named("the saved game", str(source), options)
    position, resigned = record.get("position"), record.get("resigned")
    state = game.read(str(position)) if position is not None else game.start()
    state = state.play(moves) if moves.strip() else state
    names, seed, series = record.get("players"), record.get("seed"), record.get("series")
    players = (str(names[0]), str(names[1])) if names else None
    return SavedGame(
        str(source),
        state,
        resigned if resigned in (*game.players, DRAW) else None,
        players,
        seed if isinstance(seed, int) else None,
        dict(series) if series else {},
        _undone(state, record.get("undone") or ()),
    )


def _undone(state: State, moves: Sequence[str]) -> tuple[str, ...]:
    """Decisions taken back, if they can be played again."""
    for move in reversed(moves):
        state = state.play_decision(str(move))
    return tuple(map(str, moves))


def saved_folder() -> Path:
    """Where games are saved by themselves."""
    return data_folder() / "games"


@frozen
class StoredGame:
    """A game that was saved by itself, and its file."""

    path: Path
    saved: SavedGame

    @property
    def when(self) -> str:
        """When it was played last, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.path.stat().st_mtime))


@define
class Autosave:
    """Saves one game under one name, again and again; `failed` is why the last time failed."""

    path: Path
    failed: str = ""

    @classmethod
    def fresh(cls, source: str) -> Autosave:
        """A name that no other game has."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        name = Path(source).stem or "game"
        found = saved_folder() / f"{name}-{stamp}-{os.getpid()}.json"
        number = 1
        while found.exists():
            number += 1
            found = saved_folder() / f"{name}-{stamp}-{os.getpid()}-{number}.json"
        return cls(found)

    def write(self, saved: SavedGame) -> None:
        """Write the game as it is now; one without a decision is not kept."""
        try:
            if saved.state.before is None and not (saved.resigned or saved.undone):
                self.path.unlink(missing_ok=True)
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, saved.text().encode())
            self.failed = ""
        except (OSError, RulewrightError) as error:
            self.failed = f"this game cannot be kept: {error}"


def stored_games(source: str = "") -> Iterator[StoredGame]:
    """The games of *source* (empty: of all) that saved themselves, the latest first."""
    for path in sorted(_files(), key=_age):
        with suppress(RulewrightError, OSError):
            found = StoredGame(path, read_saved_game(path))
            if source in ("", found.saved.source):
                yield found


def last_unfinished(source: str) -> StoredGame | None:
    """The last game of *source* that is not over."""
    return next((kept for kept in stored_games(source) if not kept.saved.over), None)


def _files() -> list[Path]:
    with suppress(OSError):
        return list(saved_folder().glob("*.json"))
    return []


def _age(path: Path) -> float:
    with suppress(OSError):
        return -path.stat().st_mtime
    return 0.0
