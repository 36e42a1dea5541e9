"""Recorded games, of any file format.

In: a game, the decisions played, names and comments of a file.  Out: `Recorded`, whose decisions
are all legal.  Refuses, at its place, the first decision that is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import NoReturn, TypeVar

from attrs import evolve, field, frozen

from rulewright.errors import Fault, MoveError, OptionError, RulewrightError, UnknownGame
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import RULES, load_named, load_with
from rulewright.ground.disk import FileError, is_there
from rulewright.ground.printable import amount
from rulewright.ground.records import Brief
from rulewright.language.diagnostics import Diagnostic, Place, TextError
from rulewright.language.source import Source, Span

_Value = TypeVar("_Value")


@frozen
class Ending:
    """An end outside the rules, and the colour that lost by it; None for an agreed draw.

    `how` is `lost` where a file does not say how.
    """

    how: str
    loser: str | None = None

    def __str__(self) -> str:
        phrases = {
            "resigned": "resigned", "time": "lost on time", "forfeit": "forfeited the game",
            "lost": "lost",
        }  # fmt: skip
        return f"{self.loser} {phrases[self.how]}" if self.loser else "a draw was agreed"


@frozen
class Variation:
    """A variation: decisions that stand for those which were played, after `at` decisions.

    Comments and marks are by the number of decisions from the beginning of the game.
    """

    at: int
    decisions: tuple[str, ...]
    comments: Mapping[int, str] = field(factory=dict)
    marks: Mapping[int, Mapping[str, tuple[str, ...]]] = field(factory=dict)
    variations: tuple[Variation, ...] = ()


@frozen(repr=False)
class Recorded(Brief):
    """A recorded game.

    `source` loads the game again; `names` are the persons, by seats.  `comments` are by the
    number of decisions before them; `notes` are other data of the file, by its own keys; `left_out`
    describes data of the file that is not in this record, `damaged` parts of it that cannot be
    read, each with its place.  `marks` are what a file adds to its boards, by the number of
    decisions before and the file's own keys.  `default_options` are those that the file leaves to
    the rules, though its format has a word for them.
    """

    source: str
    end: State
    names: tuple[str, ...] = ("", "")
    ending: Ending | None = None
    comments: Mapping[int, str] = field(factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(factory=dict)
    left_out: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    marks: Mapping[int, Mapping[str, tuple[str, ...]]] = field(factory=dict)
    variations: tuple[Variation, ...] = ()
    doubts: tuple[str, ...] = ()
    default_options: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        ending = f", {self.ending}" if self.ending else ""
        names = " against ".join(name or "?" for name in self.names)
        length = amount(len(self.end.decisions()), "decision")
        return f"<Recorded {self.game.name}, {names}, {length}{ending}>"

    @property
    def game(self) -> Game:
        """The game that `end` is a position of, with its options."""
        return self.end.game

    @cached_property
    def decisions(self) -> tuple[str, ...]:
        """The decisions, in order."""
        return tuple(self.end.decisions())

    @property
    def verdict(self) -> str:
        """The result in a sentence; empty if the game did not end."""
        return str(self.end.result or self.ending or "")

    @cached_property
    def first(self) -> State:
        """The position with which the game begins."""
        return self.end.states()[0]

    @cached_property
    def is_set_up(self) -> bool:
        """Whether the game begins from another position than the rules have it."""
        return self.first.situation.position != self.game.start().situation.position

    def behind_chance(self) -> Recorded:
        """The game as it begins behind what chance decided before the players did."""
        states = self.end.states()
        lead = sum(1 for _ in takewhile(lambda state: state.by_chance, states))
        if lead in (0, len(states)):
            return self
        state = self.game.at(evolve(states[lead].situation.position, fresh=True))
        for after in states[lead + 1 :]:
            state = state.play_decision(after.move)
        return evolve(
            self, end=state, comments=_less(self.comments, lead), marks=_less(self.marks, lead),
            variations=tuple(_earlier(variation, lead) for variation in self.variations),
        )  # fmt: skip

    def changed_options(self) -> dict[str, int | float | bool]:
        """The options that differ from their defaults on a board of this size."""
        board = self.game.rules.board
        plain = load_with(self.source, size_options(self.game, board.width, board.height)).options
        return {name: value for name, value in self.game.options.items() if value != plain[name]}

    def same(self, other: Recorded) -> bool:
        """Whether both have the same game, decisions, names, end, comments, marks, variations."""
        return self._parts() == other._parts()

    def _parts(self) -> tuple[object, ...]:
        first = self.first.situation.position
        marks = {number: dict(marks) for number, marks in self.marks.items()}
        return (
            self.game.rules, first, self.decisions, self.names, self.ending, dict(self.comments),
            marks, self.variations,
        )  # fmt: skip

    def refuse_set_up(self, form: str) -> None:
        """Raise `RulewrightError` if a format, which knows no set-up, would lose the beginning."""
        if self.is_set_up:
            message = f"this game begins from a position that is set up, which {form} cannot hold"
            raise RulewrightError(f"{message}; save it as .json, or as .sgf where it fits")


def _less(numbered: Mapping[int, _Value], lead: int) -> dict[int, _Value]:
    """What stands at numbers of decisions, at numbers that are smaller by *lead*."""
    return {max(number - lead, 0): value for number, value in numbered.items()}


def _earlier(variation: Variation, lead: int) -> Variation:
    return evolve(
        variation, at=variation.at - lead, comments=_less(variation.comments, lead),
        marks=_less(variation.marks, lead),
        variations=tuple(_earlier(inner, lead) for inner in variation.variations),
    )  # fmt: skip


@frozen
class UnreadGame:
    """A game of a file that is not read yet.

    `read` raises `RulewrightError`; `head` has the names and texts of what stands before its moves,
    where they can be had without reading these.
    """

    read: Callable[[], Recorded]
    head: Callable[[], Mapping[str, str]] | None = None

    def tags(self) -> Mapping[str, str]:
        """What the file says of the game: names, places, dates.

        Where a format has no tag for a person, the colour that the rules give them is one.
        """
        if self.head is not None:
            return self.head()
        game = self.read()
        names = dict(zip(game.game.players, game.names, strict=False))
        return {**names, **{name: " ".join(texts) for name, texts in game.notes.items()}}


def black_and_white(properties: Mapping[str, str]) -> dict[str, str]:
    """The tags `Black` and `White` of a file that names persons in the properties `PB` and `PW`."""
    colours = {"PB": "Black", "PW": "White"}
    return {tag: properties[name] for name, tag in colours.items() if name in properties}


def size_options(game: Game, width: int, height: int) -> dict[str, int]:
    """The options that give a game a board of this size; empty if it has none."""
    options = game.options
    if "size" in options and width == height:
        return {"size": width}
    return {"width": width, "height": height} if {"width", "height"} <= set(options) else {}


def text_of(data: bytes) -> str:
    """Decode a file from outside: as UTF-8, else as Latin-1, which older files are in."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n")


def in_a_line(text: str) -> str:
    """A text in a single line, its words a blank apart: so formats hold names."""
    return " ".join(text.split())


def unreadable_result(text: str) -> str:
    """What is said of a result in words that the format has not."""
    return f"the file gives the result `{text[:60]}`, which cannot be read"


def rules_beside(record: str, source: str) -> str:
    """The rules that a record names, beside the record where they are there; else as it names them.

    So a record and its rules can be moved together.
    """
    path = Path(record).parent / source
    named = source.endswith(RULES.suffix) and not Path(source).is_absolute()
    return str(path) if named and is_there(path) else source


@frozen
class RecordReading:
    """The text of a record while it is read; mistakes raise `TextError` at their place.

    `skipped` lines of the file stand before the text.
    """

    source: Source
    skipped: int = 0

    def fail(self, code: str, span: Span, message: str, hint: str = "") -> NoReturn:
        """Raise a `TextError` about a span of the text."""
        raise TextError([Diagnostic(code, message, self.place(span), hint)]) from None

    def place(self, span: Span) -> Place:
        """The place of a span in the file."""
        place, lines = self.source.place(span), self.skipped
        return evolve(place, line=place.line + lines, end_line=place.end_line + lines)

    def load(self, source: str, options: Mapping[str, object], span: Span, most: int = 2) -> Game:
        """Load the game with options from the text at *span*, of so many players at the most."""
        source = rules_beside(self.source.name, source)
        try:
            game = load_named(self.source.name, source, dict(options))
        except (OptionError, UnknownGame, FileError) as error:
            self.fail("bad-record", span, str(error))
        if len(game.players) > most:
            players = amount(len(game.players), "player")
            message = f"{game.name} has {players} here, and this format knows two"
            self.fail("bad-record", span, message, "save the game as .json, or as a list of moves")
        return game

    def play(self, state: State, decision: str, span: Span) -> State:
        """Play a decision or a whole turn from the text at *span*."""
        try:
            return state.play(decision)
        except MoveError as error:
            self.fail("illegal-move", span, str(error))
        except Fault as fault:
            self.fail("illegal-move", span, f"`{decision}` cannot be played: {fault}")


def readings(lines: Iterable[bytes], name: str) -> Iterator[RecordReading]:
    """Begin to read each line of a file called *name*; blank lines and comments (`#`) are none."""
    for number, line in enumerate(lines):
        text = text_of(line)
        if text.strip() and not text.lstrip().startswith("#"):
            yield RecordReading(Source(name, text), number)
