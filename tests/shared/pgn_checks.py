"""Checks of PGN beside python-chess: both programs have the same game."""

from __future__ import annotations

import io
from itertools import pairwise

import chess.pgn

from rulewright.games.engine.game import State
from rulewright.matches.protocols import pgn
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.protocols.san import San
from tests.shared.chess_games import OtherGame

ENDED_EARLIER = ("Racing Kings",)
"""Variants whose games python-chess ends a move before we do, where nothing can change any more."""


def read_back(games: list[OtherGame]) -> list[Recorded]:
    """The games of a file that python-chess has written."""
    text = "\n\n".join(game.text for game in games) + "\n"
    return [part.read() for part in pgn.parts(io.BytesIO(text.encode()), "games.pgn")]


def words(recorded: Recorded) -> list[str]:
    """The moves of a game in standard notation."""
    style = formats(recorded.game).pgn
    assert style is not None
    san, states = San(recorded.game, style), recorded.end.states()
    return [san.write(before, after) for before, after in pairwise(states)]


def check(other: OtherGame, variant: str, recorded: Recorded) -> None:
    """Both programs have the same game, and each reads what the other writes."""
    assert list(recorded.decisions) == [_ours(m, s) for m, s in _steps(other, recorded)]
    assert not recorded.left_out
    text = pgn.write(recorded).decode()
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert not read.errors
    exporters = [chess.pgn.StringExporter(headers=False, columns=None) for _ in (0, 1)]
    expected, written = other.game.accept(exporters[0]), read.accept(exporters[1])
    assert " ".join(written.split()[:-1]) == " ".join(expected.split()[:-1])
    if variant not in ENDED_EARLIER:
        assert words(recorded) == other.words
        assert other.game.headers["Result"] == read.headers["Result"]
    (again,) = pgn.parts(io.BytesIO(text.encode()), "again.pgn")
    assert again.read().same(recorded)


def _steps(other: OtherGame, recorded: Recorded) -> list[tuple[str, State]]:
    return list(zip(other.moves, recorded.end.states(), strict=False))


def _ours(move: str, state: State) -> str:
    """A move of python-chess as our rules write it."""
    names = {kind.letters[0].lower(): kind.name for kind in state.game.rules.kinds}
    if "@" in move:
        return f"{names[move[0].lower()]}{move[1:]}"
    return move if len(move) == 4 else f"{move[:4]}={names[move[4]]}"
