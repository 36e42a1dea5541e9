"""Saved games, as `play` keeps them: JSON with a game, its options and its decisions.

In: the text of a file, or a recorded game.  Out: the recorded game, or the text.  A decision that
is not legal is refused at its place.  Names, comments and variations have no place in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_named
from rulewright.ground.records import DataError, Setting, from_json, parse_json
from rulewright.language.diagnostics import Diagnostic, Place, TextError
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.recorded import Ending, Recorded

FORMAT = 1
"""The number of the format."""
DRAW = "draw"
"""Stands for the colour that resigned where a draw was agreed; no colour has this name."""


@frozen(kw_only=True)
class SavedFile:
    """The content of a game that `play` has saved, as JSON has it; nothing of it is played yet."""

    format: int = FORMAT
    game: str
    options: Mapping[str, Setting]
    position: str | None = None
    moves: str
    resigned: str | None = None
    how: str | None = None
    players: tuple[str, ...] | None = None
    seed: int | None = None
    over: bool = False
    series: Mapping[str, Any] | None = None
    undone: tuple[str, ...] | None = None

    @classmethod
    def read(cls, path: object, text: str | bytes) -> SavedFile:
        """Read the text of a file; raises `RulewrightError` with the path and what is wrong."""
        try:
            data = parse_json(text)
            version = data.get("format", FORMAT) if isinstance(data, dict) else FORMAT
            if version != FORMAT:
                raise RulewrightError(f"{path} has the unknown format {version!r}")
            return from_json(data, cls, "game")
        except DataError as error:
            raise RulewrightError(f"{path} is no saved game of rulewright ({error})") from None

    def start(self, path: object) -> State:
        """Load the game of a file, and return the position that it began with."""
        try:
            game = load_named("the saved game", self.game, dict(self.options))
            return game.start() if self.position is None else game.read(self.position)
        except RulewrightError as error:
            raise RulewrightError(f"{path}: {error}") from None

    def text(self) -> str:
        """Write the file as JSON; fields without a value are left out."""
        fields = asdict(self).items()
        content = {name: value for name, value in fields if value is not None or name == "resigned"}
        return json.dumps(content, indent=1) + "\n"


def position_text(first: State) -> str | None:
    """The position with which a game begins; None where it is that of the rules."""
    return None if first.same(first.game.start()) else first.text()


def write(recorded: Recorded) -> bytes:
    """Write a game as `play` saves it."""
    ending = recorded.ending
    file = SavedFile(
        game=recorded.source,
        options=dict(recorded.game.options),
        position=position_text(recorded.first),
        moves=" ".join(recorded.decisions),
        resigned=(ending.loser or DRAW) if ending else None,
        how=ending.how if ending and ending.how not in ("resigned", DRAW) else None,
        over=bool(recorded.verdict),
    )
    return file.text().encode()


def read(
    data: bytes, name: str, source: str = "", _: Mapping[str, object] | None = None
) -> Recorded:
    """Read a saved game; *source* refuses those of other games."""
    file = SavedFile.read(name, data)
    if source not in ("", file.game):
        raise RulewrightError(f"{name} is a game of {file.game}, not of {source}")
    text = data.decode("utf-8", "replace")
    lines = Source(name, text)
    state = file.start(Path(name))
    at = text.find(json.dumps(file.moves)) + 1 if file.moves else 0
    for word in file.moves.split():
        at = text.find(word, max(at, 0))
        place = lines.place(Span(max(at, 0), max(at, 0) + len(word)))
        state = state_after(state, word, place)
        at += len(word)
    return Recorded(file.game, state, ending=_ending(file, state))


def _ending(file: SavedFile, state: State) -> Ending | None:
    if file.resigned == DRAW:
        return Ending(DRAW)
    is_colour = file.resigned in state.game.players
    how = file.how if file.how in ("time", "forfeit", "lost") else "resigned"
    return Ending(how, file.resigned) if is_colour else None


def state_after(state: State, word: str, place: Place) -> State:
    """The state after a decision; raises `TextError` at its place if it is not legal."""
    try:
        return state.play(word)
    except (MoveError, Fault) as error:
        raise TextError([Diagnostic("illegal-move", str(error), place)]) from None
