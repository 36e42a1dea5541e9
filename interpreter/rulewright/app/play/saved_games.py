"""Saved games as JSON files, written on demand and automatically after each decision.

In: a game with its players, or a path.  Out: JSON text, or a `SavedGame` whose decisions are all
legal.  Automatic saving keeps a file for each game in the user's data folder (`RULEWRIGHT_DATA`
names another), so that it survives a closed terminal.  Refuses files of other kinds, and to write
over anything but a saved game.  If the folder cannot be written, the game goes on with a warning.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.game import State
from rulewright.ground.cache import data_folder
from rulewright.ground.disk import is_there, read_text, write_whole
from rulewright.matches.protocols.saved_game import FORMAT, SavedFile, position_text


@frozen
class SavedGame:
    """A game in progress or finished, with what is needed to continue it.

    `source` is the name or path of its rules, `resigned` the colour that resigned (or `DRAW`);
    `players` are the texts of all persons, who began first; `series` is the data of a `Series`;
    `undone` are decisions taken back, the next to redo last.
    """

    source: str
    state: State
    resigned: str | None = None
    players: tuple[str, ...] | None = None
    seed: int | None = None
    series: Mapping[str, Any] = field(factory=dict)
    undone: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.resigned is not None or self.state.over

    def text(self) -> str:
        """Write the game as JSON text; fields without a value are left out."""
        file = SavedFile(
            format=FORMAT,
            game=self.source,
            options=dict(self.state.game.options),
            position=position_text(self.state.states()[0]),
            moves=" ".join(self.state.decisions()),
            resigned=self.resigned,
            players=self.players,
            seed=self.seed,
            over=self.over,
            series=dict(self.series) or None,
            undone=self.undone or None,
        )
        return file.text()


def save(game: SavedGame, path: Path) -> None:
    """Write a game to *path*; raises `RulewrightError` if a file of another kind is there."""
    if is_there(path):
        try:
            read_saved_game(path)
        except RulewrightError:
            message = f"{path} is there already and is no saved game; choose another name"
            raise RulewrightError(message) from None
    write_whole(path, game.text().encode())


def read_saved_game(path: Path) -> SavedGame:
    """Read a saved game; raises `RulewrightError` with the path and what is wrong."""
    file = SavedFile.read(path, read_text(path))
    try:
        state = file.start(path)
        state = state.play(file.moves) if file.moves.strip() else state
        undone = _undone(state, file.undone or ())
    except MoveError as error:
        raise RulewrightError(f"{path}: {error}") from None
    mistake = file.mistake_of_ending(state.game.players)
    if mistake is not None:
        raise RulewrightError(f"{path}: {mistake[1]}: {mistake[2]}")
    series, players = file.series or {}, file.players
    if players is not None and len(players) != len(state.game.players):
        raise RulewrightError(f"{path}: the players are not those of {file.game}")
    return SavedGame(file.game, state, file.resigned, players, file.seed, series, undone)


def _undone(state: State, moves: Sequence[str]) -> tuple[str, ...]:
    """The decisions taken back; raises `MoveError` if they are not legal after *state*."""
    for move in reversed(moves):
        state = state.play_decision(move)
    return tuple(moves)


def saved_folder() -> Path:
    """The folder of games that are saved automatically."""
    return data_folder() / "games"


@frozen
class StoredGame:
    """A game that was saved automatically, and its file."""

    path: Path
    saved: SavedGame

    @property
    def when(self) -> str:
        """The time of the last decision, in local time: `2026-01-31 18:05`."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.path.stat().st_mtime))


@define
class Autosave:
    """Saves a game under one name after each decision; `failed` is the message of a failure."""

    path: Path
    failed: str = ""

    @classmethod
    def fresh(cls, source: str) -> Autosave:
        """Choose a file name that no other game has."""
        stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        name = f"{Path(source).stem or 'game'}-{stamp}"
        endings = chain([""], (f"-{number}" for number in count(2)))
        paths = (saved_folder() / f"{name}{ending}.json" for ending in endings)
        return cls(next(path for path in paths if not path.exists()))

    def write(self, saved: SavedGame) -> None:
        """Write the game as it is now; a game without a decision has no file."""
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
    """The automatically saved games of *source* (empty: of all games), the latest first."""
    for path in sorted(saved_folder().glob("*.json"), key=_age):
        with suppress(RulewrightError, OSError):
            entry = StoredGame(path, read_saved_game(path))
            if source in ("", entry.saved.source):
                yield entry


def last_unfinished(source: str) -> StoredGame | None:
    """The last game of *source* that is not over; None if there is none."""
    return next((entry for entry in stored_games(source) if not entry.saved.over), None)


def _age(path: Path) -> float:
    """A number that is smaller for files that were changed later."""
    with suppress(OSError):
        return -path.stat().st_mtime
    return 0.0
