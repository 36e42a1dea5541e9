"""Games in GGF, the Generic Game Format of servers for Othello: each stands in `(;...;)`.

In: the bytes of a file, or a recorded game.  Out: the recorded games, or the bytes.  The name in
`GM[...]` is that of the table `[ggf]` of `GAME.toml`, which names words for decisions too; a game
begins from its board `BO`.  Refuses, each at its place: names without rules, boards that are none,
moves that are not legal.  Times and values behind moves (`B[e3/0.5/2.1]`) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from attrs import evolve

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.format_settings import bundled_with, formats
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    UnreadGame,
    black_and_white,
    in_a_line,
    size_options,
    text_of,
    unreadable_result,
)
from rulewright.model.board import bits
from rulewright.reference.position import Position

FIRST = re.compile(rb"(?:\d+\s+)?\(;\s*GM\[\s*[A-Za-z]")
"""Matches the beginning of a file, whose game has a name where SGF has a number."""
_GAME = re.compile(r"\(;(?:[^\[\]();]*\[[^\]]*\])*[^\[\]();]*;\)")
_PROPERTY = re.compile(r"([A-Z]{1,2})\s*\[([^\]]*)\]")
_SIGNS = "*O"
"""The pieces of who begins and of the other on a board."""
_HOW = {"r": "resigned", "t": "time"}
_RESULT = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*(?::\s*([a-z]))?\s*")
_READ = ("GM", "PB", "PW", "BO", "RE", "B", "W")
TAGS = "(?!(GM|PB|PW|BO|RE|PC|TY)$)[A-Z]{2}"
"""Matches the notes that a game has room for: properties that say nothing else of it."""


def parts(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The games in *data*, a file called *name*, one after another, none of them read yet."""
    reading = RecordReading(Source(name, text_of(data)))
    games = list(_GAME.finditer(reading.source.text))
    if not games:
        message = "a game stands in (; and ;), and there is none"
        reading.fail("bad-record", Span(0, 1), message)
    for game in games:
        yield UnreadGame(partial(_read, reading, game, source, options), partial(_head, game))


def _head(text: re.Match[str]) -> Mapping[str, str]:
    """The properties of a game, and the persons under the names of their colours."""
    values = _PROPERTY.findall(text[0])
    texts = {name: _plain(value) for name, value in values if name not in ("B", "W")}
    return texts | black_and_white(texts)


def _read(
    reading: RecordReading, text: re.Match[str], source: str, options: Mapping[str, object] | None
) -> Recorded:
    values = list(_PROPERTY.finditer(text.string, text.start(), text.end()))
    head = {value[1]: value for value in values if value[1] not in ("B", "W")}
    name = head["GM"][2].strip() if "GM" in head else ""
    source = source or _source(reading, head, name, text.start())
    game = reading.load(source, options or {}, Span(text.start(), text.start() + 2))
    style = formats(game).ggf
    if style is None:
        message = f"{game.name} has no games in GGF: {game.name}.toml has no [ggf]"
        reading.fail("bad-record", Span(text.start(), text.start() + 2), message)
    state = _start(reading, head, source, options or {}, game)
    points, left_out = Points(state.game, words=style.words), 0
    for value in values:
        if value[1] in ("B", "W"):
            move, slash, rest = value[2].partition("/")
            left_out += bool(slash and rest.strip("/ "))
            state = _played(reading, state, points, value, move.strip())
    names = tuple(_plain(head[p][2]) if p in head else "" for p in ("PB", "PW"))
    notes = {name: (v[2],) for name, v in head.items() if name not in _READ and v[2].strip()}
    return Recorded(
        source, state, (names[0], names[1]), _ending(state, head), notes=notes,
        left_out=(f"times or values of {left_out} moves",) * bool(left_out),
        doubts=tuple(_doubts(head)),
    )  # fmt: skip


def _source(reading: RecordReading, head: Mapping[str, re.Match[str]], name: str, at: int) -> str:
    games = bundled_with("ggf", "name", name)
    if not games:
        span = Span(head["GM"].start(2), head["GM"].end(2)) if "GM" in head else Span(at, at + 2)
        message = f"no game that is bundled is called `{name[:40]}` in GGF"
        reading.fail("bad-record", span, message, "name the game")
    return games[0]


def _played(
    reading: RecordReading, state: State, points: Points, value: re.Match[str], text: str
) -> State:
    span, mover = Span(value.start(2), value.end(2)), "BW"[state.situation.position.mover]
    if value[1] != mover and not state.over:
        message = f"{value[1]} moves here, and it is the turn of {mover} ({state.mover})"
        reading.fail("illegal-move", span, message)
    return reading.play(state, points.read(text.casefold()), span)


def _start(
    reading: RecordReading,
    head: Mapping[str, re.Match[str]],
    source: str,
    options: Mapping[str, object],
    game: Game,
) -> State:
    """The position of `BO`: the size, the rows from the top, who moves."""
    if "BO" not in head:
        return game.start()
    board, span = head["BO"], Span(head["BO"].start(2), head["BO"].end(2))
    size, _, signs = board[2].strip().partition(" ")
    letters = "".join(signs.split())
    width = int(size) if size.isdecimal() and len(size) < 3 else 0
    if not re.fullmatch(r"[*O-]+", letters) or len(letters) != width * width + 1:
        message = "a board is its size, its rows from the top in *, O and -, and who moves"
        reading.fail("bad-record", span, message)
    game = reading.load(source, {**options, **size_options(game, width, width)}, span)
    rules = game.rules
    if (rules.board.width, rules.board.height) != (width, width):
        reading.fail("bad-record", span, f"{game.name} is not played on {width} by {width}")
    position = game.play.first.without(game.play.first.full)
    for number, sign in enumerate(letters[:-1]):
        site = rules.board.at(number % width, number // width)
        if sign in _SIGNS and site >= 0:
            position = position.put(_SIGNS.index(sign), 0, 1 << site)
    position = evolve(position, mover=max(_SIGNS.find(letters[-1]), 0))
    try:
        return game.at(position)
    except (RulewrightError, Fault) as error:
        reading.fail("bad-record", span, str(error))


def _ending(state: State, head: Mapping[str, re.Match[str]]) -> Ending | None:
    match = _RESULT.fullmatch(head["RE"][2]) if "RE" in head else None
    if state.over or match is None:
        return None
    margin = float(match[1])
    if margin == 0:
        return Ending("draw")
    return Ending(_HOW.get(match[2], "lost"), state.game.players[margin > 0])


def _doubts(head: Mapping[str, re.Match[str]]) -> Iterator[str]:
    text = head["RE"][2].strip() if "RE" in head else ""
    if text.strip("?") and not _RESULT.fullmatch(text):
        yield unreadable_result(text)


# --- writing ---


def write(recorded: Recorded) -> bytes:
    """Write the game as a line of GGF."""
    game = recorded.game
    style, board = formats(game).ggf, game.rules.board
    if style is None:
        raise RulewrightError(f"{game.name} has no games in GGF: {game.name}.toml has no [ggf]")
    if board.width != board.height or len(game.rules.kinds) != 1:
        raise RulewrightError("GGF knows square boards and pieces of one kind only")
    points = Points(game, words=style.words)
    first = recorded.first.situation.position
    values = [("GM", style.name), ("PC", "rulewright"), *_names(recorded), *_notes(recorded)]
    values += [("TY", str(board.width)), ("BO", _board(game, first)), *_result(recorded)]
    movers = [state.situation.position.mover for state in recorded.end.states()]
    moves = zip(movers, recorded.decisions, strict=False)
    values += [("BW"[mover], points.write(decision)) for mover, decision in moves]
    return f"(;{''.join(f'{name}[{text}]' for name, text in values)};)\n".encode()


def _names(recorded: Recorded) -> Iterator[tuple[str, str]]:
    for name, person in zip(("PB", "PW"), recorded.names, strict=True):
        if person:
            yield name, _plain(person)


def _plain(text: str) -> str:
    """A text without brackets, for which the format has no escape."""
    return in_a_line(re.sub(r"[\[\]]", " ", text))


def _notes(recorded: Recorded) -> Iterator[tuple[str, str]]:
    for name, texts in recorded.notes.items():
        if re.fullmatch(TAGS, name):
            yield name, _plain(" ".join(texts))


def _board(game: Game, position: Position) -> str:
    board = game.rules.board
    signs = dict[int, str]()
    for sign, owned in zip(_SIGNS, position.owned[:2], strict=True):
        signs |= dict.fromkeys(bits(owned), sign)
    rows = [
        "".join(signs.get(board.at(x, y), "-") for x in range(board.width))
        for y in range(board.height)
    ]
    return " ".join([str(board.width), *rows, _SIGNS[position.mover]])


def _result(recorded: Recorded) -> Iterator[tuple[str, str]]:
    """The result as seen by who begins; its size is that of pieces on the board."""
    end, ending = recorded.end, recorded.ending
    first, second = (owned.bit_count() for owned in end.situation.position.owned[:2])
    if end.result is not None:
        yield "RE", f"{first - second:+d}.000"
    elif ending is not None:
        sign = 0 if ending.loser is None else 1 if ending.loser == end.game.players[1] else -1
        letter = {how: letter for letter, how in _HOW.items()}.get(ending.how, "")
        yield "RE", f"{sign * max(abs(first - second), 1):+d}.000{':' * bool(letter)}{letter}"
