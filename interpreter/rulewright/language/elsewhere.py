"""Hints for what people write who know other languages and programs, and how to say it here.

In: the words of a line that cannot be read, or a name that stands for nothing.  Out: a hint, or an
empty text.  All of them stand in `habits.toml`, which the tests read line by line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from rulewright.ground.disk import read_text
from rulewright.ground.records import Record, record
from rulewright.language.node_rows import Lexeme


@record
class Habit(Record):
    """A line as it is written elsewhere (a pattern over its words, one blank apart) and here.

    `here` is what to write, with groups of the pattern in it; it is empty where there is no such
    thing.  `example` is a line that the pattern fits.
    """

    pattern: str
    message: str
    here: str
    example: str


@record
class Habits(Record):
    """The contents of `habits.toml`: lines by language and block, words, names, board shapes."""

    lines: Mapping[tuple[str, str], tuple[Habit, ...]]
    words: Mapping[str, Mapping[str, str]]
    names: Mapping[str, str]
    boards: Mapping[str, str]


@cache
def habits() -> Habits:
    """Read `habits.toml` once, when the first mistake needs a hint."""
    data = tomllib.loads(read_text(Path(__file__).with_name("habits.toml")))
    lines: dict[tuple[str, str], tuple[Habit, ...]] = {}
    for row in data["line"]:
        place = row["of"], row["in"]
        habit = Habit(row["pattern"], row["message"], row.get("here", ""), row["example"])
        lines[place] = (*lines.get(place, ()), habit)
    return Habits(lines, data["words"], data["names"], data["boards"])


_BLANKS = re.compile(r"(?<=[(\[]) | (?=[(\]),]|:(?!=)|\.\.)|(?<=\.\.) |(?<=/) (?=\[)|(?<=\]) (?=/)")
"""Blanks between words of a line that nobody writes: within brackets, before commas and colons."""
JOINING = frozenset({"then", "next", "followed", "and", "after"})
"""Names in the course of a turn that join moves elsewhere."""


def of_line(line: Sequence[Lexeme], language: str, block: str) -> str:
    """Return a hint for a line that cannot be read, if it follows another language's habit."""
    words = " ".join(t.value.strip() for t in line if t.type not in ("NEWLINE", "$END"))
    for habit in habits().lines.get((language, block), ()):
        match = re.match(habit.pattern, words, re.IGNORECASE)
        if match:
            here = _BLANKS.sub("", match.expand(habit.here))
            return f"{habit.message}: `{here}`" if here else habit.message
    return ""


def of_word(word: str, language: str) -> str:
    """The statement here that a word from elsewhere stands for, or an empty text."""
    return habits().words[language].get(word.casefold(), "")


def of_name(name: str) -> str:
    """A hint for a name that stands for nothing."""
    return habits().names.get(name.casefold(), "")


def of_board(shape: str) -> str:
    """A hint for a shape that no board has."""
    return habits().boards.get(shape.casefold(), "")
