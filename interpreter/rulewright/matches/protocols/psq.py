"""Records of Piskvork, the manager of Gomocup: a line for each move, `.psq`.

In: the bytes of a file, or a recorded game.  Out: the recorded game, or the bytes.  The head says
the size of the board; columns and rows are counted from 1, from the left top corner; behind the
moves stand the persons and `WINNER,RULE`.  Which options a rule sets says the table `[psq]` of
`GAME.toml`.  Refuses, each at its place: another head, fields off the board, moves that are not
legal.  Times of moves are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.format_settings import Psq, bundled_with, formats
from rulewright.matches.protocols.gomocup import decision_at, field_of, refuse_other_games
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    in_a_line,
    size_options,
    text_of,
)

FIRST = re.compile(rb"Piskvorky\s+\d")
_HEAD = re.compile(r"Piskvorky\s+(\d{1,3})x(\d{1,3})\b.*")
_MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*(\d+)\s*)?")
_NUMBERS = re.compile(r"\s*-?\d+\s*,\s*-?\d+\b.*")
"""Matches a line behind the moves that should have been a move."""
_NOBODY = "?"
_WINNER = re.compile(r"(-?\d) ?(?:, ?(\S.*))?")


def read(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Recorded:
    """Read the game in *data*, a file called *name*; raises `TextError` at a mistake."""
    reading = RecordReading(Source(name, text_of(data)))
    lines = list(re.finditer(r"[^\n]*", reading.source.text))
    lines = [line for line in lines if line[0].strip()]
    head = _HEAD.fullmatch(lines[0][0].strip()) if lines else None
    if head is None:
        message = "a record of Piskvork begins with `Piskvorky 20x20, 11:11, 0`"
        reading.fail("bad-record", Span(0, 1), message)
    source = source or bundled_with("psq")[0]
    moves = list(takewhile(lambda line: _MOVE.fullmatch(line[0]), lines[1:]))
    foot = lines[1 + len(moves) :]
    for line in foot[:-1]:
        if _NUMBERS.fullmatch(line[0]):
            reading.fail("bad-record", _span(line), "a move is written `8,8,0`: column, row, time")
    winner, rule = _last(foot)
    plain = load_with(source, dict(options or {}))
    style = formats(plain).psq
    if style is None:
        message = f"{plain.name} has no games in .psq: {plain.name}.toml has no [psq]"
        reading.fail("bad-record", Span(0, 1), message)
    size = size_options(plain, int(head[1]), int(head[2]))
    settings = {**(options or {}), **style.rules.get(rule, {}), **size}
    state = reading.load(source, settings, _span(lines[0])).start()
    for line in moves:
        state = _played(reading, state, line)
    names = [_name(line[0]) for line in foot[:2]] if len(foot) > 2 else []
    first, second = [*names, "", ""][:2]
    return Recorded(source, state, (first, second), _ending(state, winner))


def _span(line: re.Match[str]) -> Span:
    return Span(line.start(), max(line.end(), line.start() + 1))


def _name(text: str) -> str:
    """The name of a person in one line; a `?` stands for none."""
    name = in_a_line(text)
    return "" if name == _NOBODY else name


def _last(foot: list[re.Match[str]]) -> tuple[str, str]:
    """The winner and the rule of the last line; empty where it says none."""
    match = _WINNER.fullmatch(in_a_line(foot[-1][0])) if foot else None
    return (match[1], match[2] or "") if match else ("", "")


def _played(reading: RecordReading, state: State, line: re.Match[str]) -> State:
    match = _MOVE.fullmatch(line[0])
    assert match is not None
    place = f"{int(match[1]) - 1},{int(match[2]) - 1}"
    decision = decision_at(state.game, place)
    if decision is None:
        message = f"`{line[0].strip()}` is no field of this board; they are counted from 1"
        reading.fail("illegal-move", _span(line), message)
    return reading.play(state, decision, _span(line))


def _ending(state: State, winner: str) -> Ending | None:
    if state.over or winner not in ("0", "1", "2"):
        return None
    return Ending("lost", state.game.players[2 - int(winner)]) if winner != "0" else Ending("draw")


def write(recorded: Recorded) -> bytes:
    """Write the game as Piskvork does."""
    recorded.refuse_set_up("a record of Piskvork")
    game = recorded.game
    style, board = formats(game).psq, game.rules.board
    if style is None:
        raise RulewrightError(f"{game.name} has no games in .psq: {game.name}.toml has no [psq]")
    refuse_other_games(game)
    lines = [f"Piskvorky {board.width}x{board.height}, 11:11, 0"]
    for decision in recorded.decisions:
        x, y = map(int, field_of(game, decision).split(","))
        lines.append(f"{x + 1},{y + 1},0")
    lines += [in_a_line(name) or _NOBODY for name in recorded.names]
    lines += ["-1", f"{_winner(recorded)},{_rule(recorded, style)}"]
    return ("\r\n".join(lines) + "\r\n").encode()


def _winner(recorded: Recorded) -> int:
    """1 or 2, by who has won; 0 for a draw, -1 while the game goes on."""
    players, result, ending = recorded.game.players, recorded.end.result, recorded.ending
    if result is None and ending is None:
        return -1
    winner = result.winner if result is not None else None
    if ending is not None and ending.loser:
        winner = next(name for name in players if name != ending.loser)
    return 0 if winner is None else 1 + players.index(winner)


def _rule(recorded: Recorded, style: Psq) -> str:
    """The rule whose options the game has; refuses options that no rule sets."""
    changed = recorded.changed_options()
    for name, options in style.rules.items():
        if all(recorded.game.options[o] == value for o, value in options.items()):
            rest = set(changed) - set(options)
            if not rest:
                return name
    raise RulewrightError(
        f"no rule of Piskvork sets {', '.join(sorted(changed)) or 'these options'}"
    )
