"""Game files of T1j: eleven lines about the game, then a move on each line.

In: the bytes of a file, or a recorded game.  Out: the recorded game, or the bytes.  T1j skips text
behind `#`, and lines that are then empty, so a player without a name is `Player 1`.  T1j has no
line for a swap (it exchanges the players' names instead) nor for resigning: both are written as
comments, which T1j skips, so that nothing is lost.  The lines `swap` and `resign` of other programs
are read as well; after their `swap`, moves are for the mirrored board.  Refuses games without a
table `[t1]` in `GAME.toml`, more than 26 columns, and decisions that are no holes.  After the
source of T1j by J. Schwagereit (`LoadSave`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.format_settings import T1, bundled_with, formats
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    in_a_line,
    size_options,
    text_of,
)

_LINES = (
    ("version", "version of file-format"),
    ("name 1", "Name of player 1"),
    ("name 2", "Name of player 2"),
    ("height", "y-size of board"),
    ("width", "x-size of board"),
    ("kind 1", "player 1 human or computer"),
    ("kind 2", "player 2 human or computer"),
    ("starts", "starting player (1 plays top-down)"),
    ("letters", "direction of letters"),
    ("pie", "pierule?"),
    ("over", "game already over?"),
)
"""The lines of the head in their order, and the comments that T1j writes behind them."""
TAGS = "|".join(name for name, _ in _LINES)
"""Matches the tags that a head holds."""
FIRST = re.compile(rb"(\s*#[^\n]*\n)*\s*\d+\s*#\s*version")
"""Matches how a file begins."""
_COLUMNS = 26
_LONGEST = 4096
"""Letters of a name: 8,192 of 16 bits are what Java keeps."""
_NO_NAME = re.compile("[#\\x00-\\x20]")
_OPTION = re.compile(r"#\s*option (\w+)=(\S+)\s*")
_ENDING_LINE = re.compile(r"#\s*(\w+) (resigned|lost on time|lost|forfeited the game)\s*")
_HOW = {
    "resigned": "resigned",
    "lost on time": "time",
    "lost": "lost",
    "forfeited the game": "forfeit",
}


def _style(game: Game) -> T1:
    style = formats(game).t1
    if style is None:
        raise RulewrightError(f"{game.name} has no files of T1j: {game.name}.toml has no [t1]")
    return style


# --- writing ---


def write(recorded: Recorded) -> bytes:
    """Write the game as T1j does; reading it gives the same game again."""
    recorded.refuse_set_up("T1j")
    style, board = _style(recorded.game), recorded.game.rules.board
    if max(board.width, board.height) > _COLUMNS:
        raise RulewrightError(f"T1j's files name columns by one letter: at most {_COLUMNS}")
    head = ["# File created by rulewright", *_options(recorded, style)]
    values = _head(recorded, style)
    head += [f"{values[name]} # {comment}" for name, comment in _LINES]
    return ("\n".join([*head, *_moves(recorded, style)]) + "\n").encode()


def _options(recorded: Recorded, style: T1) -> Iterator[str]:
    for name, value in recorded.changed_options().items():
        if name != style.pie:
            yield f"# option {name}={str(value).lower()}"


def _head(recorded: Recorded, style: T1) -> dict[str, str]:
    game, notes = recorded.game, recorded.notes
    turned = notes.get("starts") == ("2",)
    width, height = game.rules.board.width, game.rules.board.height
    first, second = recorded.names[:: -1 if turned ^ recorded.end.swapped else 1]
    yes = {True: "Y", False: "N"}
    over = recorded.end.over or recorded.ending is not None
    plain = {"version": "1", "kind 1": "H", "kind 2": "H", "letters": "V", "over": yes[over]}
    return {
        **plain,
        **{name: values[0] for name, values in notes.items()},
        "name 1": _name(first, "Player 1"),
        "name 2": _name(second, "Player 2"),
        "height": str(width if turned else height),
        "width": str(height if turned else width),
        "starts": "2" if turned else "1",
        "pie": yes[bool(game.options.get(style.pie, False))],
    }


def _name(person: str, otherwise: str) -> str:
    """Make a name readable for T1j, which cuts comments and skips lines that are then empty.

    It stores the names of the last game, which Java refuses if they are long or have a NUL.
    """
    return in_a_line(_NO_NAME.sub(" ", person)[:_LONGEST]) or otherwise


def _moves(recorded: Recorded, style: T1) -> Iterator[str]:
    turned = recorded.notes.get("starts") == ("2",)
    yield from _comment(recorded.comments.get(0, ""))
    for number, decision in enumerate(recorded.decisions, 1):
        yield "# swap" if decision == style.swap else _hole(recorded.game, decision, turned)
        yield from _comment(recorded.comments.get(number, ""))
    if recorded.ending is not None:
        yield f"# {recorded.ending}"


def _hole(game: Game, decision: str, turned: bool) -> str:
    board = game.rules.board
    site = board.by_name.get(decision)
    if site is None:
        raise RulewrightError(f"T1j's files hold pegs, and `{decision}` is none")
    column, row = board.columns[site], board.rows[site]
    column, row = (row, column) if turned else (column, row)
    return f"{chr(65 + column)}{row + 1}"


def _comment(text: str) -> Iterator[str]:
    yield from (f"#: {line}" for line in text.replace("\r", "\n").split("\n") if line.strip())


# --- reading ---


@frozen
class _Line:
    """A line of a file: the text before `#`, the comment from there on, the span of the text."""

    text: str
    comment: str
    span: Span


def read(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Recorded:
    """Read the game in *data*, a file called *name*; *source* names the game.

    Raises `TextError` at the place of a mistake.
    """
    text = text_of(data).replace("\r", "\n")
    reading = RecordReading(Source(name, text))
    source = source or bundled_with("t1")[0]
    style = _style(load_with(source, dict(options or {})))
    return _Reader(reading, style).read(source, dict(options or {}), list(_lines(text)))


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.split("\n"):
        content, _, _ = line.partition("#")
        start = at + len(content) - len(content.lstrip())
        span = Span(start, max(start + len(content.strip()), start + 1))
        yield _Line(content.strip(), line[len(content) :].strip(), span)
        at += len(line) + 1


@define
class _Reader:
    reading: RecordReading
    style: T1
    head: dict[str, _Line] = field(factory=dict)
    comments: dict[int, str] = field(factory=dict)
    ending: Ending | None = None
    turned: bool = False

    def read(self, source: str, options: dict[str, object], lines: list[_Line]) -> Recorded:
        """Read the recorded game from the lines of a file."""
        rest = self._read_head(lines)
        self.turned = self._word("starts", "12") == "2"
        size = (self._size("width"), self._size("height"))
        options |= size_options(load_with(source, options), *size[:: -1 if self.turned else 1])
        for line in lines[: len(lines) - len(rest)]:
            match = _OPTION.fullmatch(line.comment)
            options |= {match[1]: match[2]} if match else {}
        if self.style.pie:
            options[self.style.pie] = self._word("pie", "YN") == "Y"
        game = self.reading.load(source, options, self.head["width"].span)
        state = game.start()
        for line in rest:
            state = self._line(state, line)
        return Recorded(
            source, state, self._names(state), self.ending, self.comments, self._notes(state)
        )

    def _read_head(self, lines: list[_Line]) -> list[_Line]:
        """Find the eleven lines of the head; returns the rest.  A name may be empty."""
        names = [name for name, _ in _LINES]
        for number, line in enumerate(lines):
            if not names:
                return lines[number:]
            empty_name = names[0].startswith("name") and "name of player" in line.comment.lower()
            if line.text or empty_name:
                self.head[names.pop(0)] = line
        if names:
            comment = dict(_LINES)[names[0]]
            end = len(self.reading.source.text)
            message = f"this is no file of T1j: the line `# {comment}` is missing"
            self.reading.fail("bad-record", Span(max(end - 1, 0), end), message)
        return []

    def _word(self, name: str, letters: str) -> str:
        line = self.head[name]
        if line.text[:1].upper() not in letters or not line.text:
            message = f"{dict(_LINES)[name]}: {' or '.join(letters)} is expected"
            self.reading.fail("bad-record", line.span, message)
        return line.text[0].upper()

    def _size(self, name: str) -> int:
        line = self.head[name]
        if not re.fullmatch(r"\d{1,3}", line.text):
            message = f"{dict(_LINES)[name]}: a whole number is expected"
            self.reading.fail("bad-record", line.span, message)
        return int(line.text)

    def _names(self, state: State) -> tuple[str, str]:
        """The names, who began first; T1j lists them by the sides they have at the end."""
        texts = self.head["name 1"].text, self.head["name 2"].text
        names = ["" if t == f"Player {i}" else _name(t, "") for i, t in enumerate(texts, 1)]
        backwards = (self.head["starts"].text[0] == "2") ^ self._exchanged(state)
        return (names[1], names[0]) if backwards else (names[0], names[1])

    def _exchanged(self, state: State) -> bool:
        """Whether the persons have exchanged sides, which a line `swap` does not count as."""
        return state.swapped and self.turned == (self.head["starts"].text[0] == "2")

    def _notes(self, state: State) -> dict[str, tuple[str, ...]]:
        plain = {"version": "1", "kind 1": "H", "kind 2": "H", "starts": "1", "letters": "V"}
        notes = {n: self.head[n].text for n in plain if self.head[n].text != plain[n]}
        over = self._word("over", "YN")
        if (over == "Y") != (state.over or self.ending is not None):
            notes["over"] = over
        return {name: (text,) for name, text in notes.items()}

    def _line(self, state: State, line: _Line) -> State:
        number = len(state.decisions())
        if not line.text:
            return self._comment(state, line, number)
        word = line.text.casefold()
        if word == "resign":
            self.ending = Ending("resigned", state.mover)
            return state
        if word == self.style.swap:
            self.turned = not self.turned
            return self.reading.play(state, self.style.swap, line.span)
        points = Points(state.game)
        after = self.reading.play(state, self._decision(state, points, word, line), line.span)
        self._keep(line.comment.lstrip("#: "), number + 1)
        return after

    def _decision(self, state: State, points: Points, word: str, line: _Line) -> str:
        match = re.fullmatch(r"([a-z]+)(\d+)", word)
        if match is None:
            message = f"`{line.text}` is no hole; they are written like `L10`"
            self.reading.fail("illegal-move", line.span, message)
        if not self.turned:
            return word
        column, row = _number(match[1]), int(match[2])
        site = state.game.rules.board.at(row - 1, column - 1)
        return state.game.rules.board.names[site] if site >= 0 else word

    def _comment(self, state: State, line: _Line, number: int) -> State:
        if line.comment.lstrip("# ") == "swap" and self.style.swap:
            return self.reading.play(state, self.style.swap, Span(line.span.start, line.span.end))
        match = _ENDING_LINE.fullmatch(line.comment)
        if match and match[1] in state.game.players:
            self.ending = Ending(_HOW[match[2]], match[1])
        elif line.comment == "# a draw was agreed":
            self.ending = Ending("draw")
        else:
            self._keep(line.comment.removeprefix("#").removeprefix(":").strip(), number)
        return state

    def _keep(self, text: str, number: int) -> None:
        if text:
            before = self.comments.get(number)
            self.comments[number] = f"{before}\n{text}" if before else text


def _number(letters: str) -> int:
    """The column of letters, from 1."""
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 96
    return column
