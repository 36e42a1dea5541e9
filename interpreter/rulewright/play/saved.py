"""Saved games as JSON text: a game under way, or a finished one, that can be gone on with.

In: what was played from where by whom, or a path.  Out: the text, or a `Saved` whose decisions are
all legal.  Refuses other files, and to write over anything but a saved game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rulewright.disk import is_there, read_text, write_whole
from rulewright.errors import MoveError, RulewrightError
from rulewright.game import State
from rulewright.loading import load_named

FORMAT = 1


@frozen
class Saved:
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


def save(saved: Saved, path: Path) -> None:
    """Write a game to *path*, which may hold another saved game but nothing else."""
    if is_there(path):
        try:
            read_saved(path)
        except RulewrightError:
            message = f"{path} is there already and is no saved game; choose another name"
            raise RulewrightError(message) from None
    write_whole(path, saved.text().encode())


def read_saved(path: Path) -> Saved:
    """The game that was saved in a file."""
    try:
        record: Any = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise RulewrightError(f"{path} is no saved game: it is not JSON text") from None
    try:
        if record["format"] != FORMAT:
            raise RulewrightError(f"{path} has the unknown format {record['format']!r}")
        return _saved(record)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise RulewrightError(f"{path} is no saved game of rulewright") from None
    except MoveError as error:
        raise RulewrightError(f"{path}: {error}") from None


def _saved(record: Mapping[str, Any]) -> Saved:
    source, moves, options = record["game"], record["moves"], dict(record["options"])
    game = load_named("the saved game", str(source), options)
    position, resigned = record.get("position"), record.get("resigned")
    state = game.read(str(position)) if position is not None else game.start()
    state = state.play(moves) if moves.strip() else state
    names, seed, series = record.get("players"), record.get("seed"), record.get("series")
    players = (str(names[0]), str(names[1])) if names else None
    return Saved(
        str(source),
        state,
        resigned if resigned in game.players else None,
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
