"""Files of games, or of bare lines of moves: openings of a match, games for patterns.

In: a path (`-` is the standard input), and the game that bare lines are moves of.  Out: games, or
the texts of lines, each behind its place for messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.ground.disk import LARGEST
from rulewright.ground.printable import shown_option
from rulewright.matches.game_files import (
    FileHints,
    GameFile,
    open_games,
    read_games,
    shown_name,
)
from rulewright.matches.openings import sound_lines
from rulewright.matches.protocols import move_list
from rulewright.matches.protocols.recorded import Recorded, text_of
from rulewright.matches.record_files import SUFFIXES

_NAMES_GAME = re.compile(rb"(\xef\xbb\xbf)?(\s|#[^\n]*\n)*game\s")


def games_or_lines(path: Path, hints: FileHints) -> Iterator[tuple[str, Recorded | str]]:
    """The games of a file of any format, or its lines of moves where it names no game."""
    if path.suffix in SUFFIXES:
        yield from _numbered(path, read_games(path, hints))
        return
    with open_games(path) as file:
        if _holds_lines(file):
            yield from _lines(file)
        else:
            own = FileHints() if _is_text(file) else hints  # it names its game itself
            yield from _numbered(path, (part.read() for part in file.parts(own)))


def read_openings(path: Path, game: Game, faults: list[Fault] | None = None) -> list[str]:
    """The openings of a file: its games, or one a line, moves separated by blanks.

    Refuses games of other rules, and those that begin from a position.
    """
    texts = [(f"{place}: ", _opening(place, entry, game))
             for place, entry in games_or_lines(path, FileHints())]  # fmt: skip
    if not texts:
        message = "holds no opening: one a line, moves separated by blanks, or games"
        raise RulewrightError(f"{shown_name(path)} {message}")
    return sound_lines(game, texts, faults)


def _opening(place: str, entry: Recorded | str, game: Game) -> str:
    """The moves of an opening."""
    if isinstance(entry, str):
        return entry
    if entry.game.rules != game.rules:
        raise RulewrightError(f"{place}: {_difference(entry.game, game)}")
    if entry.is_set_up:
        raise RulewrightError(f"{place}: openings are moves, and it begins from a position")
    return " ".join(entry.decisions)


def _difference(other: Game, game: Game) -> str:
    """What differs between the rules of a file and those that are played."""
    if other.name != game.name:
        return f"it is a game of {other.name}, not of {game.name}"
    pairs = [f"{name}={shown_option(value)}" for name, value in other.options.items()
             if game.options.get(name) != value]  # fmt: skip
    plays = f": it has {' '.join(pairs)}" if pairs else ""
    return f"it is of other rules than {game.name} as it is played{plays}"


def _numbered(path: Path, games: Iterator[Recorded]) -> Iterator[tuple[str, Recorded]]:
    for number, game in enumerate(games):
        yield f"{shown_name(path)}, game {number}", game


def _is_text(file: GameFile) -> bool:
    """Whether a file holds moves as they are written, and no format of other programs."""
    return file.form.name == move_list.NAME


def _holds_lines(file: GameFile) -> bool:
    return _is_text(file) and _NAMES_GAME.match(file.start) is None


def _lines(file: GameFile) -> Iterator[tuple[str, str]]:
    data = file.start + file.rest.read(LARGEST)
    if len(data) > LARGEST:
        raise RulewrightError(f"{file.name} has more than {LARGEST:,} bytes")
    if b"\0" in data:
        raise RulewrightError(f"{file.name} holds binary data, not lines of moves")
    for number, line in enumerate(text_of(data).splitlines(), 1):
        moves = line.partition("#")[0].strip()
        if moves:
            yield f"{file.name}:{number}", moves
