"""Positions in FEN and EPD, one a line, for any game on a rectangle of sites.

In: lines such as `4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "castle";`.  Out: games that begin there
and have no moves yet, with the operations as notes.  `fen.py` reads positions.  Refuses what is
none, with its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_named
from rulewright.language.source import Span
from rulewright.matches.protocols.fen import Fen
from rulewright.matches.protocols.format_settings import NO_STATE, bundled_with, formats
from rulewright.matches.protocols.recorded import (
    Recorded,
    RecordReading,
    UnreadGame,
    readings,
)
from rulewright.model.expressions import Type

FIRST = re.compile(r"[A-Za-z0-9+~]+(?:/[A-Za-z0-9+~]+){2,} +\S( |$)")
"""Matches the beginning of a position: its rows, and the letter of a colour."""
_OPERATION = re.compile(r'\s*([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_OPERAND = re.compile(r'"([^"]*)"|(\S+)')


def parts(
    lines: Iterable[bytes], name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The positions of a file called *name*, none of them read yet; `#` begins a comment."""
    for reading in readings(lines, name):
        game = source or _source(reading.source.text)
        yield UnreadGame(partial(_read, reading, game, options))


def _source(text: str) -> str:
    """The game of chess itself, or the first one in FEN whose board has the rows of a line."""
    standard = bundled_with("pgn", "variants", "Standard")[0]
    rows = text.split(maxsplit=1)[0].split("/")
    size = sum(int(number or 1) for number in re.findall(r"(\d+)|[A-Za-z]", rows[0])), len(rows)
    if size == _size(standard):
        return standard
    return next((name for name in _written_games() if _size(name) == size), standard)


def _written_games() -> list[str]:
    """The games that have words for FEN or PGN, by their names."""
    return sorted({*bundled_with("uci"), *bundled_with("pgn")})


@cache
def _size(name: str) -> tuple[int, int]:
    """The columns and rows of the board of a bundled game."""
    board = load_named("FEN", name, {}).rules.board
    return board.width, board.height


def write(recorded: Recorded) -> bytes:
    """Write the last position of a game as a line of FEN; refuses what FEN has no words for."""
    fen, end = Fen(recorded.game), recorded.end
    text = fen.write(end)
    again = fen.read(text.split()).situation.position.states
    values = zip(end.situation.position.states, again, recorded.game.rules.states, strict=True)
    for value, value_again, state in values:
        if value != value_again and state.name not in fen.style.fields and not state.unseen:
            raise RulewrightError(f"FEN has no words for `{state.name}` of {recorded.game.name}")
    return f"{text}\n".encode()


def state_of(game: Game, text: str) -> State:
    """The position of a line; raises `PositionError`."""
    words = text.split()
    return Fen(game).read(words[: _length(game, words)])


def _length(game: Game, words: list[str]) -> int:
    """The words of a position: numbers may be missing, operations follow."""
    states = {state.name: state.type for state in game.rules.states}
    count = 2
    for name in formats(game).uci.fields:
        wants_number = states.get(name) is Type.INT and name != NO_STATE
        if wants_number and not "".join(words[count : count + 1]).isdecimal():
            return count
        count += 1
    return count + "".join(words[count : count + 1]).isdecimal()


def _read(reading: RecordReading, source: str, options: Mapping[str, object] | None) -> Recorded:
    text = reading.source.text.rstrip()
    game = load_named(reading.source.name, source, dict(options or {}))
    start = len(text) - len(text.lstrip())
    try:
        state = state_of(game, text)
    except (RulewrightError, Fault) as error:
        reading.fail("bad-record", Span(start, len(text)), str(error))
    words = list(re.finditer(r"\S+", text))
    end = words[min(_length(game, text.split()), len(words)) - 1].end()
    return Recorded(source, state, notes=dict(_operations(reading, text, end)))


def _operations(
    reading: RecordReading, text: str, at: int
) -> Iterator[tuple[str, tuple[str, ...]]]:
    while text[at:].strip():
        operation = _OPERATION.match(text, at)
        if operation is None:
            message = 'an operation is written as `bm Nf3;` or `id "name";`'
            at = len(text) - len(text[at:].lstrip())
            reading.fail("bad-record", Span(at, len(text)), message)
        operands = (quoted or plain for quoted, plain in _OPERAND.findall(operation[2]))
        yield operation[1], tuple(operands)
        at = operation.end()
