"""A reader for each format of recorded games, from the table of formats itself.

In: the bytes of a file.  Out: what was said of its games.  Each game that can be read is written
in the same format and read again: what the format holds must come back.  Raises `Complaint` where
it does not, and where a refusal names neither a place nor the file.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random

import rulewright
from rulewright.errors import RulewrightError
from rulewright.matches.game_files import (
    FORMATS,
    FileFormat,
    FileHints,
    GameFile,
    read_data,
)
from rulewright.matches.protocols import epd, move_list
from rulewright.matches.protocols.recorded import Ending, Recorded
from tests.shared.places import FORMAT_WORDS, GAME_FILES
from tests.tools.fuzz.games import after
from tests.tools.fuzz.mutations import MUTATIONS, Mutation
from tests.tools.fuzz.reader import Complaint, Reader, Said, located, outline

WRITTEN = (
    "tictactoe", "connect4", "hex", "othello", "twixt", "chess", "go", "dots", "conniption",
    "draughts", "russiandraughts", "connect5", "shogi", "minishogi",
)  # fmt: skip
"""Games that are written in each format that has room for them."""
WORDS = {
    name: text.split("\n")[1:-1]
    for name, text in tomllib.loads(FORMAT_WORDS.read_text("utf-8")).items()
}
"""Words of the formats, by their endings, which a text says more often than chance does."""
MOST = 12
"""Games of a text that are read."""
PLACE = r"^fuzz\.\w+(:\d+)*[: ]"


def target(form: FileFormat) -> Reader:
    """The reader of a format, with its files and games that it writes to begin with."""
    name = form.suffixes[0].removeprefix(".")
    put_words = partial(_put_words, [word.encode() for word in WORDS[name]])
    ways: tuple[Mutation, ...] = (*MUTATIONS, *[put_words] * 6)
    read = partial(_read, Path(f"fuzz.{name}"))
    return Reader(name, partial(_beginnings, form), read, ways, seconds=3)


def _put_words(words: list[bytes], chance: Random, text: bytes, _: list[bytes]) -> bytes:
    """Put words of the format between the lines, words and brackets of a text."""
    for _index in range(chance.randint(1, 4)):
        places = [m.start() for m in re.finditer(rb"[\s()\[;]", text)] or [len(text)]
        at = chance.choice(places)
        blank = chance.choice((b"", b" ", b"\n"))
        text = text[:at] + blank + chance.choice(words) + blank + text[at:]
    return text


def _beginnings(form: FileFormat) -> list[bytes]:
    files = [p for p in sorted(GAME_FILES.iterdir()) if p.suffix.casefold() in form.suffixes]
    texts = [path.read_bytes() for path in files]
    if form.write is not None:
        for name in WRITTEN:
            with suppress(RulewrightError):  # a game without this format
                texts.append(form.write(_recorded(name)))
    return texts


def _recorded(name: str) -> Recorded:
    ending = Ending("resigned", rulewright.load(name).players[0])
    comments = {0: "begins", 3: "a [note] \\ here\nand more"}
    return Recorded(name, after(name, 3), ("Ann", "Bob"), ending, comments)


def _read(path: Path, text: bytes) -> Said:
    said = Said()
    try:
        file = GameFile.begin(path, BytesIO(text))
        for part in islice(file.parts(FileHints()), MOST):
            try:
                said |= written_again(file.form, part.read())
            except RulewrightError as error:
                said |= located(error, PLACE)
    except RulewrightError as error:
        said |= located(error, PLACE)
    return said


def written_again(form: FileFormat, game: Recorded) -> Said:
    """Write a game and read it again; what was said where it cannot be written."""
    repr(game), game.verdict, game.decisions
    if form.write is None:
        return Said()
    path = Path(f"again{form.suffixes[0]}")
    try:
        data = form.write(game)
    except RulewrightError as error:
        return {outline(str(error))}
    try:
        again = read_data(path, data, FileHints())
    except RulewrightError as error:
        raise Complaint(f"{error}\nof {data!r}") from error
    lost = [n for n, held in held_parts(form, game).items() if held != held_parts(form, again)[n]]
    if lost:
        both = [[held_parts(form, g)[n] for n in lost] for g in (game, again)]
        raise Complaint(f"lost on the way: {lost}: {both[0]} is {both[1]} of {data!r}")
    return Said()


def held_parts(form: FileFormat, game: Recorded) -> dict[str, object]:
    """The parts of a game that a format gives back, by their names."""
    end: dict[str, object] = {"end": (game.game.rules, game.end.situation.position)}
    if form.write is epd.write:
        return end
    first = game.first.situation.position
    marks = {number: dict(marks) for number, marks in game.marks.items()}
    parts = {
        "names": game.names, "comments": dict(game.comments), "result": game.ending,
        "variations": game.variations, "marks": marks, "assessments": marks,
        "options": dict(game.game.options),
    }  # fmt: skip
    holds = () if form.name == move_list.NAME else form.holds
    return {**end, "line": (first, game.decisions)} | {name: parts[name] for name in holds}


TARGETS = tuple(map(target, FORMATS))
