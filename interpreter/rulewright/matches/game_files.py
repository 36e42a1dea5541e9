"""Recorded games from files, whatever their format.

In: a path (`-` is the standard input), and what the file may leave open.  Out: recorded games.
`FORMATS` has a row for each format, and lists of moves take what no other does; records of matches
(`.db`, `.jsonl`) are read too.  Refuses what none of
these is, and the first move that cannot be played, at its place.
"""

from __future__ import annotations

import re
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from attrs import evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.games import load_named
from rulewright.ground.disk import LARGEST, is_there, open_file, write_whole
from rulewright.ground.printable import amount, plural
from rulewright.language.diagnostics import Place, did_you_mean
from rulewright.matches.game_record import GameRecord
from rulewright.matches.protocols import (
    epd,
    ggf,
    kif,
    move_list,
    pdn,
    pgn,
    psq,
    saved_game,
    scored,
    sgf,
    t1,
    usi,
)
from rulewright.matches.protocols.move_text import ASSESSED
from rulewright.matches.protocols.recorded import Ending, Recorded, UnreadGame
from rulewright.matches.protocols.saved_game import state_after
from rulewright.matches.protocols.text_protocol import setting
from rulewright.matches.record_files import SUFFIXES, Match, read_matches
from rulewright.search.results import refuse_seats

INPUT = "-"
"""The name of the standard input."""
_START = 1 << 12
"""Bytes by which a format is recognised."""
_LINE = 1 << 16
"""Bytes of a line that are read at once."""


@frozen
class FileHints:
    """Hints for a file: its game, options that it does not tell, the number of a game."""

    source: str = ""
    options: Mapping[str, object] = field(factory=dict)
    number: int | None = None


# --- the table of formats ---

Lines = Iterable[bytes]


@frozen
class FileFormat:
    """A format of recorded games.

    `recognises` says whether a file begins like it; where none is given its name tells.  `parts`
    takes the lines of a file, its name and hints; `write` is None where games are only read.
    `holds` says what of a game the format has room for, by the words of `_LOSSES`; `tags` matches
    the names of those that it has room for.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool] | None
    parts: Callable[[Lines, str, FileHints], Iterator[UnreadGame]]
    write: Callable[[Recorded], bytes] | None = None
    holds: frozenset[str] = frozenset()
    tags: str = "(?!)"
    several: bool = False
    """Whether it knows more than two players."""


def _whole(read: Callable[..., Iterator[UnreadGame]]) -> Callable[..., Iterator[UnreadGame]]:
    """A reader of whole files as one of lines."""

    def parts(lines: Lines, name: str, hints: FileHints) -> Iterator[UnreadGame]:
        data = bytearray()
        for line in lines:
            data += line
            if len(data) > LARGEST:
                raise RulewrightError(f"{name} has more than {LARGEST:,} bytes")
        if b"\0" in data:
            raise RulewrightError(f"{name} holds binary data, not a recorded game")
        yield from read(bytes(data), name, hints.source, hints.options)

    return parts


def _single(read: Callable[..., Recorded]) -> Callable[..., Iterator[UnreadGame]]:
    """A reader of a file that holds one game."""

    def parts(data: bytes, *arguments: object) -> Iterator[UnreadGame]:
        yield UnreadGame(partial(read, data, *arguments))

    return _whole(parts)


def _streamed(read: Callable[..., Iterator[UnreadGame]]) -> Callable[..., Iterator[UnreadGame]]:
    """A reader of lines, which holds one game at a time."""
    return lambda lines, name, hints: read(lines, name, hints.source, hints.options)


def _beginning(start: bytes) -> bytes:
    """What stands behind a byte order mark and blanks."""
    return start.removeprefix(BOM_UTF8).lstrip()


def _first_line(start: bytes) -> str:
    lines = (line.strip() for line in _beginning(start).decode("latin-1").split("\n"))
    return next((line for line in lines if line and not line.startswith("#")), "")


_GAME_TYPE = re.compile(rb'^\[\s*(GameType\s*"|FEN\s*"[WB]:)', re.MULTILINE)
_TAG = re.compile(rb'\[\s*\w+\s*"')


FORMATS = (
    FileFormat(
        "T1j", (".t1",), lambda start: t1.FIRST.match(start) is not None,
        _single(t1.read), t1.write, frozenset({"names", "comments", "result", "options"}), t1.TAGS,
    ),
    FileFormat(
        "GGF", (".ggf",), lambda start: ggf.FIRST.match(_beginning(start)) is not None,
        _whole(ggf.parts), ggf.write, frozenset({"names", "result"}), ggf.TAGS,
    ),
    FileFormat(
        "Piskvork", (".psq",), lambda start: psq.FIRST.match(_beginning(start)) is not None,
        _single(psq.read), psq.write, frozenset({"names", "result", "options"}),
    ),
    FileFormat(
        "KIF", (".kif", ".kifu"), kif.looks, _single(kif.read), kif.write,
        frozenset({"names", "comments", "result", "variations"}), kif.TAGS,
    ),
    FileFormat(
        "USI", (".sfen", ".usi"), lambda start: usi.FIRST.match(_first_line(start)) is not None,
        _streamed(usi.parts), usi.write,
    ),
    FileFormat(
        "SGF", (".sgf", ".tsgf", ".hsgf", ".hgf"), lambda start: _beginning(start)[:1] == b"(",
        _whole(sgf.parts), sgf.write,
        frozenset({
            "names", "comments", "marks", "assessments", "result", "variations", "options",
        }), ".+",
    ),
    FileFormat(
        "PDN", (".pdn",), lambda start: _GAME_TYPE.search(start) is not None,
        _streamed(pdn.parts), pdn.write,
        frozenset({"names", "comments", "assessments", "result", "variations"}), r"\w+",
    ),
    FileFormat(
        "PGN", (".pgn",), lambda start: _TAG.match(_beginning(start)) is not None,
        _streamed(pgn.parts), pgn.write,
        frozenset({"names", "comments", "assessments", "result", "variations", "options"}), r"\w+",
    ),
    FileFormat(
        "FEN", (".fen", ".epd"), lambda start: epd.FIRST.match(_first_line(start)) is not None,
        _streamed(epd.parts), epd.write,
    ),
    FileFormat(
        "scored list", (".scores",),
        lambda start: scored.FIRST.fullmatch(_first_line(start)) is not None,
        _streamed(scored.parts),
    ),
    FileFormat(
        "saved game", (".json",), lambda start: _beginning(start)[:1] == b"{",
        _single(saved_game.read), saved_game.write,
        frozenset({"names", "comments", "marks", "assessments", "result", "options"}), ".+",
        several=True,
    ),
    FileFormat(
        move_list.NAME, (".txt",), lambda _: True, _single(move_list.read),
        lambda recorded: move_list.write(recorded).encode(),
        frozenset({"names", "result", "options"}), several=True,
    ),
)  # fmt: skip
"""Every format of files with games; the last one takes what no other does."""
ENDINGS = frozenset(suffix for form in FORMATS for suffix in form.suffixes)
"""The endings of files with games."""
WRITTEN = tuple(s for f in FORMATS if f.write not in (None, saved_game.write) for s in f.suffixes)
"""Endings of files that other programs read."""
_RECORD = re.compile(rb'SQLite format 3\0|\{"format":\d+,"kind":"(match|game)"')
"""How records of matches begin."""


def format_of(path: Path, start: bytes = b"") -> FileFormat:
    """The format of a file: as its name says where that is plain, else by how it begins."""
    suffix = path.suffix.casefold()
    named = [f for f in FORMATS[:-1] if suffix in f.suffixes]
    return (
        named[0]
        if named
        else next(f for f in FORMATS if f.recognises is not None and f.recognises(start))
    )


# --- reading ---


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if str(path) == INPUT:
        yield sys.stdin.buffer
        return
    with open_file(path) as file:
        yield file


def shown_name(path: str | Path) -> str:
    """The name of a file in messages."""
    return "the input" if str(path) == INPUT else str(path)


def _plain_line(line: bytes) -> bytes:
    """A line without the marks of files that were put together: byte order, and the end of DOS."""
    while line.startswith(BOM_UTF8):
        line = line.removeprefix(BOM_UTF8)
    return line.rstrip(b"\x1a") if line.endswith(b"\x1a") else line


@frozen
class GameFile:
    """A file that is open, of which the beginning is read.

    Refuses records of matches, which are no streams, and UTF-16.
    """

    path: Path
    start: bytes
    rest: BinaryIO

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return shown_name(self.path)

    @property
    def form(self) -> FileFormat:
        """The format of the file."""
        return format_of(self.path, self.start.removeprefix(BOM_UTF8))

    @classmethod
    def begin(cls, path: Path, stream: BinaryIO) -> GameFile:
        """Read the beginning of a stream."""
        start = stream.read(_START)
        if b"\r" in start and b"\n" not in start:  # as old Macs ended lines
            stream = BytesIO((start + stream.read(LARGEST)).replace(b"\r", b"\n"))
            start = stream.read(_START)
        file = cls(path, start, stream)
        if file.start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise RulewrightError(f"{file.name} is written in UTF-16; save it in UTF-8")
        if _RECORD.match(file.start):
            endings = " or ".join(SUFFIXES)
            message = f"{file.name} is a record of a match, which is read from a file with the"
            raise RulewrightError(f"{message} ending {endings}")
        return file

    def lines(self) -> Lines:
        """The lines of the file, long ones in parts."""
        start, end = self.start, self.start.rfind(b"\n") + 1
        rest = start[end:] + self.rest.readline(_LINE) if len(start) == _START else start[end:]
        more = iter(partial(self.rest.readline, _LINE), b"")
        return map(_plain_line, chain(start[:end].splitlines(keepends=True), [rest], more))

    def parts(self, hints: FileHints) -> Iterator[UnreadGame]:
        """The games of the file, none of them read yet."""
        return self.form.parts(self.lines(), self.name, hints)


@contextmanager
def open_games(path: Path) -> Iterator[GameFile]:
    """Open a file with games; `-` is the standard input."""
    with _opened(path) as stream:
        yield GameFile.begin(path, stream)


def _parts(path: Path, stream: BinaryIO, hints: FileHints) -> Iterator[UnreadGame]:
    return GameFile.begin(path, stream).parts(hints)


def read_game(path: str | Path, hints: FileHints | None = None) -> Recorded:
    """The recorded game of a file; `-` is the standard input."""
    path, hints = Path(path), hints or FileHints()
    if path.suffix in SUFFIXES:
        return _numbered(path, hints.number or 0)
    with _opened(path) as stream:
        return _choose(path, stream, hints)


def read_data(path: Path, data: bytes, hints: FileHints) -> Recorded:
    """The recorded game in the content of a file, by its name and how it begins."""
    return _choose(path, BytesIO(data), hints)


def _choose(path: Path, stream: BinaryIO, hints: FileHints) -> Recorded:
    """The game of a number, else the first one, with a word about those that follow."""
    number, count, game = hints.number or 0, 0, None
    for part in _parts(path, stream, hints):
        if count == number:
            game = part.read()
            if hints.number is not None:
                return game
        count += 1
    if game is None:
        if not count:
            raise RulewrightError(f"{shown_name(path)} holds no game")
        held = amount(count, "game")
        raise RulewrightError(f"{shown_name(path)} holds {held}, numbered from 0; not {number}")
    more = (amount(count - 1, "further game"),) if count > 1 else ()
    return evolve(game, left_out=(*game.left_out, *more))


def read_games(path: str | Path, hints: FileHints | None = None) -> Iterator[Recorded]:
    """All recorded games of a file, one after another."""
    path, hints = Path(path), hints or FileHints()
    if path.suffix not in SUFFIXES:
        yield from (part.read() for part in unread_games(path, hints))
        return
    matches = read_matches(path)
    for match in matches:
        for record in match.games:
            yield evolve(of_record(record, str(path)), damaged=_damaged(matches))


def read(
    source: str | Path | bytes, game: str = "", options: Mapping[str, object] | None = None
) -> list[Recorded]:
    """All games in a file of any format, or in a text that is given itself.

    A `str` is the name of a file (`-` is the standard input) unless it has several lines, or names
    no file and has blanks or brackets.
    """
    hints = FileHints(game, options or {})
    if isinstance(source, str) and _is_text(source):
        source = source.encode()
    if isinstance(source, bytes):
        return [part.read() for part in _parts(Path("the text"), BytesIO(source), hints)]
    return list(read_games(source, hints))


def _is_text(source: str) -> bool:
    """Whether a text is a game, and no name of a file."""
    return "\n" in source or (bool(re.search(r"[\s(\[{]", source)) and not is_there(source))


def unread_games(path: Path, hints: FileHints | None = None) -> Iterator[UnreadGame]:
    """The games of a file that is no record of matches, each of them to be read or passed over."""
    with open_games(path) as file:
        yield from file.parts(hints or FileHints())


# --- writing ---


def write_game(path: str | Path, recorded: Recorded) -> None:
    """Write a game as the name of the file says; a list of moves where that has no ending.

    `losses` says what of it the format has no room for.
    """
    write_whole(Path(path), game_bytes(Path(path), recorded))


def game_bytes(path: Path, recorded: Recorded) -> bytes:
    """Write a game as the content of a file of this name."""
    form = _written_as(path)
    is_ending = not path.suffix or path.suffix.casefold() in form.suffixes
    if form.write is None or not is_ending:
        raise RulewrightError(_no_ending(path))
    if not form.several:
        refuse_seats(recorded.game.rules, form.name)
    return form.write(recorded)


def _no_ending(path: Path) -> str:
    """What is said where the name of a file is that of no format that is written."""
    formats = [form for form in FORMATS if form.write is not None]
    endings = ", ".join(form.suffixes[0] for form in formats[:-1])
    message = f"{path}: games are written as {endings} or a list of moves (.txt)"
    hint = did_you_mean(path.suffix.casefold(), [s for form in formats for s in form.suffixes])
    return f"{message}; {hint}" if hint else message


def _written_as(path: Path) -> FileFormat:
    suffix = path.suffix.casefold()
    return next((f for f in FORMATS if suffix in f.suffixes), FORMATS[-1])


def losses(path: Path, recorded: Recorded) -> list[str]:
    """What of a game a file of this name has no room for, such as `2 comments`."""
    form = _written_as(path)
    tags = [name for name in recorded.notes if not re.fullmatch(form.tags, name, re.DOTALL)]
    options = {} if "options" in form.holds else recorded.changed_options()
    lists = {"tag": tags, "option": [setting(n, value).strip() for n, value in options.items()]}
    named = [f"{plural(len(n), w, f'{w}s')} {', '.join(n)}" for w, n in lists.items() if n]
    return [*lost_parts(path, recorded), *named]


def lost_parts(path: Path, recorded: Recorded) -> list[str]:
    """What beside tags and options a file of this name has no room for."""
    holds = _written_as(path).holds
    counts = {word: count(recorded) for word, count in _LOSSES.items() if word not in holds}
    return [
        word if word in _ALONE else amount(number, word.removesuffix("s"))
        for word, number in counts.items()
        if number
    ]


def _marks(recorded: Recorded, assessments: bool) -> int:
    """The boards that have marks, or assessments of moves."""
    return sum(
        any((key == ASSESSED) == assessments for key in marks) for marks in recorded.marks.values()
    )


_ALONE = ("names", "result")
_LOSSES: dict[str, Callable[[Recorded], int]] = {
    "names": lambda recorded: any(recorded.names),
    "comments": lambda recorded: len(recorded.comments),
    "marks": lambda recorded: _marks(recorded, False),
    "assessments": lambda recorded: _marks(recorded, True),
    "variations": lambda recorded: len(recorded.variations),
    "result": lambda recorded: recorded.ending is not None,
}
"""Parts of a game that not every format has room for, and how many of them a game has."""


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
        state = state_after(state, text, Place(place, 1, 1, 1, 2))
    return Recorded(record.game, state, record.players, _ending(record, state))


def _ending(record: GameRecord, state: State) -> Ending | None:
    """How the referee ended a game that the rules did not end."""
    if state.over or record.winner is None or record.places:
        return None
    colours = state.game.players
    loser = colours[(1 - record.winner) ^ state.swapped]
    return Ending("time" if record.reason in ("time", "hang") else "forfeit", loser)
