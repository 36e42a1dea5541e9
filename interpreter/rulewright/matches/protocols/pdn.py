"""Games in PDN: tags, moves by numbers or names of sites, comments, assessments and variations.

In: the text of a game, or a recorded game.  Out: the recorded game, or the bytes.  `pgn_text.py`
reads tokens, `move_text.py` lines of play; which game the number of a tag `GameType` means, and how
its sites are written, stands in the table `[pdn]` of `GAME.toml`.  Without that tag the game is the
first by its number in which the first move is legal.  Refuses, each at its place: types without
rules, positions that are none, moves that are not legal or that may be several.
After https://wiegerw.github.io/pdn/ (PDN 3.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import islice, takewhile

from attrs import evolve, field, frozen

from rulewright.errors import Fault, IllegalMove, MoveError, RulewrightError, UnreadableMove
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_named
from rulewright.language.source import Span
from rulewright.matches.protocols.format_settings import PDN_BOARD, Pdn, bundled_with, formats
from rulewright.matches.protocols.move_text import (
    MoveTextReader,
    MoveTextWriter,
    PlayLine,
    fill_lines,
)
from rulewright.matches.protocols.pgn import (
    ROSTER,
    escaped,
    tag_names,
    tag_notes,
    tag_text,
)
from rulewright.matches.protocols.pgn_text import RESULTS, Token, games, tokens
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    UnreadGame,
    unreadable_result,
)
from rulewright.matches.protocols.turn_sites import SiteTurn, turn_at, turns
from rulewright.model.board import Mask, bits
from rulewright.reference.position import Position

_RESULTS = (*RESULTS[:3], "2-0", "0-2", "1-1", "0-0", "*")
_WINS = {"1-0": "W", "2-0": "W", "0-1": "B", "0-2": "B"}
_DRAWS = ("1/2-1/2", "1-1")
_SPECIAL = ("White", "Black", "Result", "FEN", "SetUp", "GameType")
_COLOURS = ("W", "B")
_SHOWN = 8
"""Moves that a message shows."""


# --- moves ---


@frozen
class PdnNotation:
    """Writes and reads the moves of a game, which are whole turns."""

    game: Game
    style: Pdn = field(factory=Pdn)

    @property
    def first(self) -> str:
        """The letter of who begins."""
        return self.style.board[0]

    @cached_property
    def _numbers(self) -> dict[str, str]:
        """How each site is written."""
        board = self.game.rules.board
        match = PDN_BOARD.fullmatch(self.style.board)
        assert match is not None
        if match[4] == "A":
            return {board.names[site]: board.names[site] for site in bits(board.sites)}
        corner = int(match[5])
        down, right = (1 if corner >= 2 else -1), (-1 if corner % 2 else 1)
        sites = sorted(
            bits(board.sites), key=lambda s: (down * board.rows[s], right * board.columns[s])
        )
        return {board.names[site]: str(number) for number, site in enumerate(sites, 1)}

    @cached_property
    def _names(self) -> dict[str, str]:
        return {text: name for name, text in self._numbers.items()}

    def site(self, text: str) -> str:
        """The name of a site from how it is written; raises `UnreadableMove`."""
        name = self._names.get(text.casefold().lstrip("0"))
        if name is None:
            raise UnreadableMove(f"`{text[:20]}` is no site of {self.game.name}")
        return name

    def number(self, site: str) -> str:
        """How a site is written."""
        return self._numbers[site]

    def played(self, state: State, text: str) -> list[State]:
        """The states after each decision of a move; raises `MoveError` unless it is exactly one."""
        way = [self.site(part) for part in re.split("[-x:]", text.rstrip("*+#"))]
        if len(way) < 2:
            raise UnreadableMove(f"`{text[:40]}` is no move; they are written like 32-28 or 26x17")
        ends = [t for t in turns(state, lambda w: w[:1] == (way[0],)) if t.way[-1] == way[-1]]
        fitting = [t for t in ends if _passes(t, way)]
        exact = [t for t in fitting if list(t.way) == way]
        positions = {t.states[-1].situation.position for t in fitting}
        if fitting and (exact or len(positions) == 1):
            return list((exact or fitting)[0].states)
        raise self._refusal(state, text, fitting)

    def _refusal(self, state: State, text: str, fitting: list[SiteTurn]) -> MoveError:
        if fitting:
            ways = " or ".join(self._whole(turn) for turn in fitting[:_SHOWN])
            return IllegalMove(f"`{text[:40]}` is {ways}: say which is meant")
        legal = [self._whole(turn) for turn in islice(turns(state, bool), _SHOWN)]
        there = f"legal: {', '.join(legal)}"
        return IllegalMove(f"`{text[:40]}` is not legal for {state.mover} here; {there}")

    def move_at(self, states: list[State], number: int) -> tuple[str, int]:
        """The text of the move that begins in a state, and how many decisions it has."""
        turn = turn_at(states, number)
        if turn is None:
            raise RulewrightError("PDN holds whole turns, and the last one is not finished")
        start, end = turn.way[0], turn.way[-1]
        alike = [t for t in turns(states[number], lambda w: w[:1] == (start,)) if t.way[-1] == end]
        if len(alike) > 1:
            return self._whole(turn), len(turn.states)
        return self._short(turn), len(turn.states)

    def _short(self, turn: SiteTurn) -> str:
        sign = "x" if turn.victims else "-"
        return f"{self.number(turn.way[0])}{sign}{self.number(turn.way[-1])}"

    def _whole(self, turn: SiteTurn) -> str:
        return ("x" if turn.victims else "-").join(map(self.number, turn.way))


def _passes(turn: SiteTurn, way: list[str]) -> bool:
    """Whether a turn goes over these sites: it lands there, or takes what stands there."""
    return {*way} <= {*turn.way, *turn.victims}


# --- positions ---


def read_position(notation: PdnNotation, text: str) -> State:
    """The position of a tag `FEN`, as `W:W31-50,K5:B1-20`; raises `RulewrightError`."""
    game, style = notation.game, notation.style
    colour, *parts = text.strip().rstrip(".").split(":")
    position = game.play.first.without(game.play.first.full)
    number = 1
    for part in parts:
        if part[:1] in ("H", "F") and part[1:].isdecimal() and len(part) < 6:
            number = int(part[1:]) if part[0] == "F" else number
            continue
        owner = _owner(notation, part[:1])
        for piece in filter(None, part[1:].split(",")):
            is_king = piece[0] == "K"
            kind = _kind(game, style.king if is_king else style.plain)
            position = position.put(owner, kind, _mask(notation, piece.removeprefix("K")))
    mover = _owner(notation, colour)
    return game.at(evolve(position, mover=mover, ply=2 * max(number - 1, 0) + mover))


def _owner(notation: PdnNotation, letter: str) -> int:
    if letter not in _COLOURS:
        raise RulewrightError(f"`{letter}` is no colour: {' or '.join(_COLOURS)} is expected")
    return int(letter != notation.first)


def _kind(game: Game, name: str) -> int:
    return next(number for number, kind in enumerate(game.rules.kinds) if kind.name == name)


def _mask(notation: PdnNotation, text: str) -> Mask:
    """The site of a text, or the sites from a number to another one."""
    board = notation.game.rules.board
    first, _, last = text.partition("-")
    names = [text]
    if first.isdecimal() and last.isdecimal() and max(len(first), len(last)) < 4:
        names = [str(number) for number in range(int(first), int(last) + 1)]
    return sum({1 << board.by_name[notation.site(name)] for name in names})


def write_position(notation: PdnNotation, position: Position) -> str:
    """The text of a position; raises `RulewrightError` if it does not say all."""
    letters = (notation.first, _other(notation.first))
    parts = [letters[position.mover]]
    kings = position.kinds[_kind(notation.game, notation.style.king)]
    for letter, owned in zip(letters, position.owned[:2], strict=True):
        names = [(notation.game.rules.board.names[s], kings >> s & 1) for s in bits(owned)]
        texts = [f"{'K' * is_king}{notation.number(name)}" for name, is_king in names]
        parts.append(letter + ",".join(texts))
    parts += [f"F{position.ply // 2 + 1}"] * (position.ply > 1)
    text = ":".join(parts)
    if read_position(notation, text).situation.position != position:
        raise RulewrightError("this game begins from a position that PDN has no words for")
    return text


def _other(colour: str) -> str:
    return _COLOURS[1 - _COLOURS.index(colour)]


# --- reading ---


def parts(
    lines: Iterable[bytes], name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The games of a file called *name*, one after another, none of them read yet.

    *source* names the game, else the tag `GameType` or the first move does.  Reading raises
    `TextError` at the place of a mistake.
    """
    for reading in games(name, lines, _RESULTS):
        yield UnreadGame(partial(_read, reading, source, options), partial(_head, reading))


def _head(reading: RecordReading) -> Mapping[str, str]:
    tags = takewhile(lambda token: token.kind == "tag", tokens(reading, _RESULTS))
    return {token.name: token.text for token in tags}


def _read(reading: RecordReading, source: str, options: Mapping[str, object] | None) -> Recorded:
    stream = list(tokens(reading, _RESULTS))
    tags = {token.name: token for token in stream if token.kind == "tag"}
    moves = [token for token in stream if token.kind != "tag"]
    source = source or _source(reading, tags, moves)
    game = reading.load(source, options or {}, Span(0, 1))
    style = formats(game).pdn
    if style is None:
        message = f"{game.name} has no games in PDN: {game.name}.toml has no [pdn]"
        reading.fail("bad-record", Span(0, 1), message)
    notation = PdnNotation(game, _style_of(reading, tags, style, game))
    reader = MoveTextReader(reading, notation, [PlayLine(0, [_start(reading, tags, notation)])])
    main = reader.read(moves)
    stated = reader.result if reader.result not in ("", "*") else tag_text(tags, "Result")
    white, black = tag_names(tags)
    end = main.states[-1]
    return Recorded(
        source, end, (white, black) if notation.first == "W" else (black, white),
        _ending(notation, end, stated), main.comments, tag_notes(tags, _SPECIAL),
        tuple(reader.left_out), marks=main.marks, variations=tuple(main.variations),
        doubts=tuple(_doubts(notation, end, stated)),
    )  # fmt: skip


def _source(reading: RecordReading, tags: Mapping[str, Token], moves: list[Token]) -> str:
    """The game of the tag `GameType`, or the first in which the first move is legal."""
    number = tag_text(tags, "GameType").partition(",")[0].strip()
    names = bundled_with("pdn", "type", number) if number else []
    if number and not names:
        message = f"no game that is bundled is of type {number[:20]}"
        reading.fail("bad-record", tags["GameType"].span, message, "name the game")
    text = next((token.text for token in moves if token.kind == "move"), "")
    for name in names or _by_type():
        if number or _begins(reading, tags, name, text):
            return name
    message = "there is no tag GameType, and the first move is none of a game that is bundled"
    return reading.fail("bad-record", Span(0, 1), message, "name the game")


def _by_type() -> list[str]:
    """The games that have files in PDN, by the numbers of their types."""
    types = {name: formats(load_named("the game", name, {})).pdn for name in bundled_with("pdn")}
    return sorted(types, key=lambda name: (style.type if (style := types[name]) else 0, name))


def _begins(reading: RecordReading, tags: Mapping[str, Token], name: str, text: str) -> bool:
    """Whether a game can begin as the file does."""
    game = reading.load(name, {}, Span(0, 1))
    notation = PdnNotation(game, formats(game).pdn or Pdn())
    try:
        state = _start(reading, tags, notation)
        return not text or bool(notation.played(state, text))
    except (RulewrightError, Fault):
        return False


def _style_of(reading: RecordReading, tags: Mapping[str, Token], style: Pdn, game: Game) -> Pdn:
    """The settings for a file, whose tag may say that sites are written in another way."""
    number, _, board = tag_text(tags, "GameType").replace(" ", "").partition(",")
    if number and number != str(style.type):
        message = f"this is a game of type {number[:20]}, and {game.name} is {style.type}"
        reading.fail("bad-record", tags["GameType"].span, message)
    theirs, ours = PDN_BOARD.fullmatch(board), PDN_BOARD.fullmatch(style.board)
    if theirs is None or ours is None:
        return style
    if theirs.groups()[:3] != ours.groups()[:3]:
        message = f"{game.name} is {style.board}: who begins, the width and the height"
        reading.fail("bad-record", tags["GameType"].span, message)
    return evolve(style, board=board)


def _start(reading: RecordReading, tags: Mapping[str, Token], notation: PdnNotation) -> State:
    if "FEN" not in tags:
        return notation.game.start()
    try:
        return read_position(notation, tags["FEN"].text)
    except (RulewrightError, Fault) as error:
        reading.fail("bad-record", tags["FEN"].span, str(error))


def _player(notation: PdnNotation, colour: str) -> str:
    return notation.game.players[colour != notation.first]


def _ending(notation: PdnNotation, end: State, stated: str) -> Ending | None:
    if end.over or stated not in (*_WINS, *_DRAWS):
        return None
    winner = _WINS.get(stated)
    return Ending("lost", _player(notation, _other(winner))) if winner else Ending("draw")


def _doubts(notation: PdnNotation, end: State, stated: str) -> Iterator[str]:
    if stated not in ("", "?", "*", *_WINS, *_DRAWS):
        yield unreadable_result(stated)
    if end.result is None or stated not in (*_WINS, *_DRAWS):
        return
    winner = _WINS.get(stated)
    if end.result.winner != (_player(notation, winner) if winner else None):
        yield f"the file says {stated}, and by the rules it is: {end.result}"


# --- writing ---


def write(recorded: Recorded) -> bytes:
    """Write the game as PDN; reading it gives the same game again."""
    style = formats(recorded.game).pdn
    if style is None:
        name = recorded.game.name
        raise RulewrightError(f"{name} has no games in PDN: {name}.toml has no [pdn]")
    notation = PdnNotation(recorded.game, style)
    result = _result(notation, recorded)
    tags = [f'[{name} "{escaped(value)}"]' for name, value in _tags(notation, recorded, result)]
    words = [*MoveTextWriter(notation).main(recorded), result]
    return ("\n".join(tags) + "\n\n" + fill_lines(words) + "\n").encode()


def _result(notation: PdnNotation, recorded: Recorded) -> str:
    end, ending = recorded.end, recorded.ending
    if end.result is None and ending is None:
        return "*"
    winner = end.result.winner if end.result is not None else None
    if ending is not None and ending.loser:
        winner = next(name for name in recorded.game.players if name != ending.loser)
    if winner is None:
        return _DRAWS[0]
    return "1-0" if winner == _player(notation, "W") else "0-1"


def _tags(notation: PdnNotation, recorded: Recorded, result: str) -> Iterator[tuple[str, str]]:
    first, second = recorded.names
    white, black = (first, second) if notation.first == "W" else (second, first)
    unknown = dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??"}
    notes = {name: "; ".join(v) for name, v in recorded.notes.items() if re.fullmatch(r"\w+", name)}
    named = {name: text for name, text in (("White", white), ("Black", black)) if text}
    values = {**unknown, **notes, **named, "Result": result}
    yield from ((name, values.pop(name)) for name in ROSTER)
    style = notation.style
    values["GameType"] = f"{style.type},{style.board}"
    if recorded.is_set_up:
        fen = write_position(notation, recorded.first.situation.position)
        values |= {"SetUp": "1", "FEN": fen}
    yield from values.items()
