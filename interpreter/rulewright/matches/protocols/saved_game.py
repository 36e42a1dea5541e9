"""Saved games, as `play` keeps them: JSON with a game, its options and its decisions.

In: the text of a file, or a recorded game.  Out: the recorded game, or the text.  A decision that
is not legal is refused at its place.  Variations have no place in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_named
from rulewright.ground.records import DataError, Setting, from_json, parse_json
from rulewright.language.diagnostics import Diagnostic, Place, TextError
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.recorded import Ending, Recorded, rules_beside

FORMAT = 1
"""The number of the format."""
DRAW = "draw"
"""Stands for the colour that resigned where a draw was agreed; no colour has this name."""
RESIGNED = "resigned"
_HOW = (RESIGNED, "time", "forfeit", "lost")
"""The ways to lose that the rules do not know."""


@frozen(kw_only=True)
class SavedFile:
    """The content of a game that `play` has saved, as JSON has it; nothing of it is played yet."""

    format: int
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
    names: tuple[str, ...] | None = None
    tags: Mapping[str, tuple[str, ...]] | None = None
    comments: Mapping[int, str] | None = None
    marks: Mapping[int, Mapping[str, tuple[str, ...]]] | None = None

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
            source = rules_beside(str(path), self.game)
            game = load_named("the saved game", source, dict(self.options))
            return game.start() if self.position is None else game.read(self.position)
        except RulewrightError as error:
            raise RulewrightError(f"{path}: {error}") from None

    def mistake_of_ending(self, players: Sequence[str]) -> tuple[str, str, str] | None:
        """A wrong value of `resigned` or `how`, the name of its field, and what is wrong."""
        if self.resigned is not None and self.resigned not in (*players, DRAW):
            message = f"`{self.resigned[:40]}` is none of {', '.join([*players, DRAW])}"
            return self.resigned, "resigned", message
        if self.how is not None and self.how not in _HOW:
            return self.how, "how", f"`{self.how[:40]}` is none of {', '.join(_HOW)}"
        return None

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
    options = recorded.game.options.items()
    file = SavedFile(
        format=FORMAT,
        game=recorded.source,
        options={n: value for n, value in options if n not in recorded.default_options},
        position=position_text(recorded.first),
        moves=" ".join(recorded.decisions),
        resigned=(ending.loser or DRAW) if ending else None,
        how=ending.how if ending and ending.how not in (RESIGNED, DRAW) else None,
        over=bool(recorded.verdict),
        names=recorded.names if any(recorded.names) else None,
        tags=recorded.notes or None,
        comments=recorded.comments or None,
        marks=recorded.marks or None,
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
    mistake = file.mistake_of_ending(state.game.players)
    if mistake:
        word = json.dumps(mistake[0])
        at = max(text.find(word, text.rfind(f'"{mistake[1]}"')), 0)
        place = lines.place(Span(at, at + len(word)))
        raise TextError([Diagnostic("bad-record", mistake[2], place)])
    return Recorded(
        rules_beside(name, file.game), state, file.names or ("", ""), _ending(file),
        file.comments or {}, file.tags or {}, marks=file.marks or {},
        default_options=frozenset(state.game.options.keys() - file.options.keys()),
    )  # fmt: skip


def _ending(file: SavedFile) -> Ending | None:
    if file.resigned in (None, DRAW):
        return Ending(DRAW) if file.resigned else None
    return Ending(file.how or RESIGNED, file.resigned)


def state_after(state: State, word: str, place: Place) -> State:
    """The state after a decision; raises `TextError` at its place if it is not legal."""
    try:
        return state.play(word)
    except (MoveError, Fault) as error:
        raise TextError([Diagnostic("illegal-move", str(error), place)]) from None
