"""Games and positions of the Universal Shogi Interface: SFEN, and its text of moves, one a line.

In: lines such as `position startpos moves 7g7f 3c3d` or `sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P 1`, with
`moves P*5e` or without.  Out: the recorded games, or such a line.  Columns are counted from the
right, rows have letters from the top; what the states of hands and promoted pieces are called
stands in the table `[usi]` of `GAME.toml`.  A line that does not say its game is of the first one,
from the largest board, that it fits.  Refuses what is no position, and moves that are not legal, at
their places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial

from attrs import evolve, field, frozen

from rulewright.errors import Fault, IllegalMove, RulewrightError, UnreadableMove
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_named
from rulewright.ground.printable import amount
from rulewright.language.source import Span
from rulewright.matches.protocols.format_settings import Usi, bundled_with, formats
from rulewright.matches.protocols.recorded import (
    Recorded,
    RecordReading,
    UnreadGame,
    readings,
)
from rulewright.model.expressions import Value
from rulewright.reference.position import Position

_ROWS = r"[A-Za-z0-9+]+(?:/[A-Za-z0-9+]+){2,}"
FIRST = re.compile(
    rf"(?:position\s+)?(?:startpos\b|(?:sfen\s+)?{_ROWS}\s+[bw]\s+(?:-|[0-9A-Za-z]+)\s+\d+(?!\S))"
)
"""Matches the beginning of a line: a position whose third field is a number of moves."""
_LINE = re.compile(
    rf"\s*(?:position\s+)?(?:startpos|(?:sfen\s+)?(?P<sfen>{_ROWS}\s+\S+\s+\S+(?:\s+\d+)?))"
    r"(?:\s+moves)?(?P<moves>(?:\s+\S+)*)\s*"
)
_MOVE = re.compile(r"(?:(\d+[a-z])(\d+[a-z])(\+?)|([A-Z])\*(\d+[a-z]))")
_SITE = re.compile(r"(\d+)([a-z])")
_COLOURS = ("b", "w")
_START = "startpos"


@frozen
class UsiText:
    """Writes and reads sites, moves and positions of a game."""

    game: Game
    style: Usi = field(factory=Usi)

    # --- sites and moves ---

    def site_text(self, site: int) -> str:
        """How a site is written: its column from the right, the letter of its row."""
        board = self.game.rules.board
        return f"{board.width - board.columns[site]}{chr(97 + board.rows[site])}"

    def site(self, text: str) -> str:
        """The name of a site; raises `UnreadableMove`."""
        match, board = _SITE.fullmatch(text), self.game.rules.board
        column = board.width - int(match[1][:4]) if match else -1
        place = board.at(column, ord(match[2]) - 97) if match else -1
        if place < 0:
            raise UnreadableMove(f"`{text[:20]}` is no site of {self.game.name}")
        return board.names[place]

    @cached_property
    def _letters(self) -> dict[str, tuple[int, int]]:
        """The owner and the kind of each letter."""
        return {
            letter: (owner, number)
            for number, kind in enumerate(self.game.rules.kinds)
            for owner, letter in enumerate(kind.letters)
            if letter
        }

    def decision(self, text: str) -> str:
        """The decision that a move stands for, legal or not; raises `UnreadableMove`."""
        match = _MOVE.fullmatch(text)
        if match is None:
            raise UnreadableMove(f"`{text[:40]}` is no move; they are written like 7g7f or P*5e")
        start, end, promoted, letter, place = match.groups()
        if letter is None:
            return f"{self.site(start)}{self.site(end)}{promoted}"
        _, kind = self._letters.get(letter, (0, -1))
        name = self.game.rules.kinds[kind].name if kind >= 0 else letter
        return f"{name}@{self.site(place)}"

    def read(self, state: State, text: str) -> State:
        """The state after a move; raises `MoveError`."""
        decision = self.decision(text)
        if decision not in state.moves:
            raise IllegalMove(f"`{text}` is not legal for {state.mover} here")
        return state.play_decision(decision)

    def write(self, decision: str) -> str:
        """The text of a decision."""
        board = self.game.rules.board
        name, at, place = decision.partition("@")
        if at:
            kind = next(k for k in self.game.rules.kinds if k.name == name)
            return f"{kind.letters[0]}*{self.site_text(board.by_name[place])}"
        sites = [self.site_text(board.by_name[name]) for name in re.findall(r"[a-z]+\d+", decision)]
        if len(sites) != 2:
            raise RulewrightError(f"USI has no way to write the decision `{decision}`")
        return "".join(sites) + "+" * decision.endswith("+")

    # --- positions ---

    def read_position(self, fields: list[str]) -> State:
        """The position of rows, colour, hands and number; raises `RulewrightError`."""
        rows, colour, hands, number = [*fields, *("", "b", "-", "1")[len(fields) :]][:4]
        if colour not in _COLOURS or not number.isdecimal() or len(number) > 6:
            raise RulewrightError(
                f"`{colour[:9]} {hands[:30]} {number[:9]}`: b or w, hands, a number"
            )
        position = self._placed(rows)
        for name, (owner, kind), count in self._in_hand(hands):
            position = self._with_hand(position, name, owner, kind, count)
        mover = _COLOURS.index(colour)
        ply = max(int(number) - 1, 0)
        return self.game.at(evolve(position, mover=mover, ply=ply + (ply - mover) % 2))

    def _placed(self, text: str) -> Position:
        board, promoted = self.game.rules.board, 0
        position = self.game.play.first.without(self.game.play.first.full)
        rows = text.split("/")
        if len(rows) != board.height:
            count = amount(len(rows), "row")
            raise RulewrightError(f"`{text[:60]}` has {count}, and the board {board.height}")
        for y, row in enumerate(rows):
            pieces = list(self._pieces(row))
            if len(pieces) != board.width:
                raise RulewrightError(f"the row `{row[:40]}` is not {board.width} sites long")
            for x, piece in enumerate(pieces):
                if piece:
                    site = 1 << board.at(x, y)
                    position = position.put(*self._piece(piece[-1]), site)
                    promoted |= site * (piece[0] == "+")
        return self._with(position, self.style.promoted, promoted)

    def _piece(self, letter: str) -> tuple[int, int]:
        if letter not in self._letters:
            raise RulewrightError(f"`{letter}` is no piece of {self.game.name}")
        return self._letters[letter]

    @staticmethod
    def _pieces(row: str) -> Iterator[str]:
        """The piece of each site of a row, empty for an empty one."""
        for number, piece in re.findall(r"(\d{1,2})|(\+?[A-Za-z])", row):
            yield from [""] * int(number) if number else [piece]

    def _in_hand(self, text: str) -> Iterator[tuple[str, tuple[int, int], int]]:
        if text == "-":
            return
        if not re.fullmatch(r"(?:\d{0,2}[A-Za-z])+", text):
            raise RulewrightError(f"`{text[:30]}` are no pieces in hand; they are written like 2Pb")
        for number, letter in re.findall(r"(\d*)([A-Za-z])", text):
            yield self.style.hand, self._piece(letter), int(number or 1)

    def _index(self, name: str) -> int:
        return next(i for i, state in enumerate(self.game.rules.states) if state.name == name)

    def _with(self, position: Position, name: str, value: Value) -> Position:
        for player in (0, 1):
            position = position.with_state(self._index(name), player, value, shared=False)
        return position

    def _with_hand(
        self, position: Position, name: str, owner: int, kind: int, count: int
    ) -> Position:
        index = self._index(name)
        row, high = position.states[index][owner], self.game.rules.states[index].high
        assert isinstance(row, tuple)
        if high is not None and count > high:
            raise RulewrightError(f"nobody has {count} of a kind in hand; {high} is the most")
        row = (*row[:kind], count, *row[kind + 1 :])
        return position.with_state(index, owner, row, shared=False)

    def write_position(self, position: Position) -> str:
        """The rows, colour, hands and number of a position."""
        number = str(position.ply + 1)
        return " ".join(
            [self._rows(position), _COLOURS[position.mover], self._hands(position), number]
        )

    def _rows(self, position: Position) -> str:
        board = self.game.rules.board
        rows = [
            "".join(self._sign(position, board.at(x, y)) for x in range(board.width))
            for y in range(board.height)
        ]
        return "/".join(re.sub(" +", lambda empty: str(len(empty[0])), row) for row in rows)

    def _sign(self, position: Position, site: int) -> str:
        piece = position.piece(1 << site)
        if piece is None:
            return " "
        return (
            "+" * self.is_promoted(position, site)
            + self.game.rules.kinds[piece[1]].letters[piece[0]]
        )

    def is_promoted(self, position: Position, site: int) -> bool:
        """Whether the piece on a site is promoted."""
        promoted = position.states[self._index(self.style.promoted)][0]
        assert isinstance(promoted, int)
        return bool(promoted >> site & 1)

    def _hands(self, position: Position) -> str:
        text = ""
        for owner in (0, 1):
            row = position.states[self._index(self.style.hand)][owner]
            assert isinstance(row, tuple)
            for kind, count in reversed(list(enumerate(row))):
                letter = self.game.rules.kinds[kind].letters[owner]
                assert isinstance(count, int)
                text += f"{count if count > 1 else ''}{letter}" * bool(count)
        return text or "-"


# --- files ---


def parts(
    lines: Iterable[bytes], name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The games of a file called *name*, one a line, none read yet; `#` begins a comment."""
    for reading in readings(lines, name):
        yield UnreadGame(partial(_read, reading, source, options))


def _read(reading: RecordReading, source: str, options: Mapping[str, object] | None) -> Recorded:
    text = reading.source.text
    match = _LINE.fullmatch(text)
    if match is None:
        message = "a line is `startpos` or a position in SFEN, and behind `moves` the moves"
        reading.fail("bad-record", Span(0, max(len(text.rstrip()), 1)), message)
    source = source or _source(reading, match)
    game = reading.load(source, options or {}, Span(0, 1))
    style = formats(game).usi
    if style is None:
        message = f"{game.name} has no games in USI: {game.name}.toml has no [usi]"
        reading.fail("bad-record", Span(0, 1), message)
    notation = UsiText(game, style)
    state = _start(reading, match, notation)
    for word in re.finditer(r"\S+", text[match.start("moves") :]):
        span = Span(match.start("moves") + word.start(), match.start("moves") + word.end())
        state = play_move_text(reading, notation, state, word[0], span)
    return Recorded(source, state)


def play_move_text(
    reading: RecordReading, notation: UsiText, state: State, text: str, span: Span
) -> State:
    """The state after a move of a file, which fails at its place."""
    try:
        return notation.read(state, text)
    except (RulewrightError, Fault) as error:
        reading.fail("illegal-move", span, str(error))


def _start(reading: RecordReading, match: re.Match[str], notation: UsiText) -> State:
    if match["sfen"] is None:
        return notation.game.start()
    try:
        return notation.read_position(match["sfen"].split())
    except (RulewrightError, Fault) as error:
        reading.fail("bad-record", Span(match.start("sfen"), match.end("sfen")), str(error))


def _source(reading: RecordReading, match: re.Match[str]) -> str:
    """The first game, from the largest board, that a line fits."""
    moves = match["moves"].split()
    for name in _by_size():
        game = reading.load(name, {}, Span(0, 1))
        notation = UsiText(game, formats(game).usi or Usi())
        try:
            sfen = match["sfen"]
            state = notation.read_position(sfen.split()) if sfen else game.start()
            if moves:
                notation.read(state, moves[0])
        except (RulewrightError, Fault):
            continue
        return name
    message = "no game that is bundled has this position, or this first move"
    return reading.fail("bad-record", Span(0, max(len(match[0].rstrip()), 1)), message)


def _by_size() -> list[str]:
    boards = {name: load_named("the game", name, {}).rules.board for name in bundled_with("usi")}
    return sorted(boards, key=lambda name: (-boards[name].width, name))


def write(recorded: Recorded) -> bytes:
    """Write a game as a line: where it begins, and its moves."""
    style = formats(recorded.game).usi
    if style is None:
        name = recorded.game.name
        raise RulewrightError(f"{name} has no games in USI: {name}.toml has no [usi]")
    notation, first = UsiText(recorded.game, style), recorded.first.situation.position
    start = _START
    if recorded.is_set_up or not recorded.decisions:
        start = f"sfen {notation.write_position(first)}"
        again = notation.read_position(start.split()[1:]).situation.position
        if again != first:
            raise RulewrightError("this game begins from a position that SFEN has no words for")
    moves = [notation.write(decision) for decision in recorded.decisions]
    return (" ".join(["position", start, *["moves"] * bool(moves), *moves]) + "\n").encode()
