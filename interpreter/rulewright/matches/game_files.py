"""Recorded games from files, whatever their format.

In: a path, and what the file may leave open.  Out: the recorded game.  By name and content: SGF,
T1j's files, saved games of `play`, records of matches (`.db`, `.jsonl`), lists of moves.  Refuses
what none of these is, and the first move that cannot be played, at its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_named
from rulewright.ground.disk import read_bytes, write_whole
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import Diagnostic, Place, TextError
from rulewright.language.source import Source, Span
from rulewright.matches.game_record import GameRecord
from rulewright.matches.protocols import move_list, sgf, t1
from rulewright.matches.protocols.recorded import Ending, Recorded, SavedFile
from rulewright.matches.record_files import SUFFIXES, Match, read_matches


@frozen
class FileHints:
    """Hints for a file: its game, options that it does not tell, the number of a game."""

    source: str = ""
    options: Mapping[str, object] = field(factory=dict)
    number: int | None = None


def read_game(path: str | Path, hints: FileHints | None = None) -> Recorded:
    """The recorded game of a file."""
    path, hints = Path(path), hints or FileHints()
    if path.suffix in SUFFIXES:
        return _numbered(path, hints.number or 0)
    return read_data(path, read_bytes(path), hints)


def read_data(path: Path, data: bytes, hints: FileHints) -> Recorded:
    """The recorded game in the content of a file, by its name and how it begins."""
    if b"\0" in data:
        raise RulewrightError(f"{path} holds binary data, not a recorded game")
    start = _beginning(data)
    arguments = (data, str(path), hints.source, hints.options)
    if start == b"(" and path.suffix.casefold() != ".t1":
        return sgf.read(*arguments, hints.number)
    if hints.number is not None:
        message = f"{path} holds one game; a number is for collections and records of matches"
        raise RulewrightError(message)
    if path.suffix.casefold() == ".t1":
        return t1.read(*arguments)
    is_saved = start == b"{" or path.suffix == ".json"
    return _saved_game(path, data, hints) if is_saved else move_list.read(*arguments)


def _beginning(data: bytes) -> bytes:
    """The first byte that is no blank and no byte order mark."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]


def read_games(path: str | Path) -> Iterator[Recorded]:
    """All recorded games of a file: one, but for collections and records of matches."""
    path = Path(path)
    if path.suffix not in SUFFIXES:
        data = read_bytes(path)
        if _beginning(data) == b"(" and path.suffix.casefold() != ".t1" and b"\0" not in data:
            yield from sgf.read_collection(data, str(path))
        else:
            yield read_data(path, data, FileHints())
        return
    matches = read_matches(path)
    for match in matches:
        for record in match.games:
            yield evolve(of_record(record, str(path)), damaged=_damaged(matches))


def write_game(path: str | Path, recorded: Recorded) -> None:
    """Write a game as the name of the file says: `.sgf`, `.T1`, or a list of moves."""
    write_whole(Path(path), game_bytes(Path(path), recorded))


def game_bytes(path: Path, recorded: Recorded) -> bytes:
    """Write a game as the content of a file of this name."""
    writers = {".sgf": sgf.write, ".t1": t1.write}
    if path.suffix.casefold() in (".json", *SUFFIXES):
        raise RulewrightError(f"{path}: games are written as .sgf, .T1 or a list of moves (.txt)")
    writer = writers.get(path.suffix.casefold())
    return writer(recorded) if writer else move_list.write(recorded).encode()


# --- saved games ---


def _saved_game(path: Path, data: bytes, hints: FileHints) -> Recorded:
    """Read a game that `play` has saved; a decision that is not legal is told at its place."""
    file = SavedFile.read(path, data)
    if hints.source not in ("", file.game):
        raise RulewrightError(f"{path} is a game of {file.game}, not of {hints.source}")
    text = data.decode("utf-8", "replace")
    source = Source(str(path), text)
    state = file.start(path)
    at = text.find(json.dumps(file.moves)) + 1 if file.moves else 0
    for word in file.moves.split():
        at = text.find(word, max(at, 0))
        place = source.place(Span(max(at, 0), max(at, 0) + len(word)))
        state = _state_after(state, word, place)
        at += len(word)
    is_colour = file.resigned in state.game.players
    ending = Ending("resigned", file.resigned) if is_colour else None
    ending = Ending("draw") if file.resigned == "draw" else ending
    return Recorded(file.game, state, ending=ending)


def _state_after(state: State, word: str, place: Place) -> State:
    try:
        return state.play(word)
    except (MoveError, Fault) as error:
        raise TextError([Diagnostic("illegal-move", str(error), place)]) from None


# --- records of matches ---


def _numbered(path: Path, number: int) -> Recorded:
    matches = read_matches(path)
    games = [game for match in matches for game in match.games]
    if not 0 <= number < len(games):
        raise RulewrightError(
            f"{path} holds {amount(len(games), 'game')}, numbered from 0; not {number}"
        )
    return evolve(of_record(games[number], str(path)), damaged=_damaged(matches))


def _damaged(matches: Sequence[Match]) -> tuple[str, ...]:
    return tuple(complaint for match in matches for complaint in match.damaged)


def of_record(record: GameRecord, path: str = "") -> Recorded:
    """The recorded game of a record of a match; *path* is its file in messages."""
    game = load_named(path or "the record", record.game, dict(record.options))
    state = game.start()
    for number, text in enumerate(record.decisions, 1):
        place = f"{path}, game {record.number}, decision {number}"
        state = _state_after(state, text, Place(place, 1, 1, 1, 2))
    return Recorded(record.game, state, record.players, _ending(record, state))


def _ending(record: GameRecord, state: State) -> Ending | None:
    """How the referee ended a game that the rules did not end."""
    if state.over or record.winner is None:
        return None
    colours = state.game.players
    loser = colours[(1 - record.winner) ^ state.swapped]
    return Ending("time" if record.reason in ("time", "hang") else "forfeit", loser)
