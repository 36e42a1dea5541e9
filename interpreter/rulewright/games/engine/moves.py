"""`Moves`, a lazy view of the legal decisions of a position.

In: a `Listing`, which knows the decisions of a position by their numbers.  Out: `Moves`, a sequence
of `Move` whose texts and choices are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias, overload

from attrs import frozen

from rulewright.ground.records import Unchanging

ChosenValue: TypeAlias = int | bool | str | tuple[str, ...]
"""A number, a truth, or the names of a site, a kind, a direction, a player or of several sites."""
Choices: TypeAlias = Mapping[str, ChosenValue]
"""What was chosen, by the names that the rules give the choices, in their order."""


class Listing(Protocol):
    """The decisions of a position, by their numbers from 0."""

    def __len__(self) -> int:
        """The number of decisions."""

    def texts(self) -> Sequence[str]:
        """The texts of all decisions."""

    def text(self, number: int) -> str:
        """The text of decision *number*."""

    def find(self, text: str) -> int:
        """The number of the first decision that is written as *text*; -1 if none is."""

    def name(self, number: int) -> str:
        """The name of the move that decision *number* is of; `none` for not moving."""

    def choices(self, number: int) -> Choices:
        """The choices of decision *number*."""


class Move(Unchanging):
    """A decision: its text, the name of its move, and its choices.

    Moves are equal when these are, also if they are of different positions.
    """

    __slots__ = ("listing", "number")

    def __init__(self, listing: Listing, number: int) -> None:
        """The move of that number in a listing."""
        self.listing, self.number = listing, number

    @property
    def text(self) -> str:
        """The text of the decision."""
        return self.listing.text(self.number)

    @property
    def name(self) -> str:
        """The name of the move in the rules; `none` for the decision not to move."""
        return self.listing.name(self.number)

    @property
    def choices(self) -> Choices:
        """The choices, by the names that the rules give them, in their order."""
        return self.listing.choices(self.number)

    chosen = choices
    """The former name of `choices`, for one release."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text}>"

    def _content(self) -> tuple[str, str, tuple[tuple[str, ChosenValue], ...]]:
        return self.text, self.name, tuple(self.choices.items())

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Move) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[object, ...]:
        text, name, choices = self._content()
        return _detached_move, (text, name, dict(choices))


def _detached_move(text: str, name: str, choices: Choices) -> Move:
    """Unpickle a move."""
    return Move(_DetachedListing(text, name, choices), 0)


@frozen
class _DetachedListing:
    """A listing of a single move without its position."""

    _text: str
    _name: str
    _choices: Choices

    def __len__(self) -> int:
        return 1

    def texts(self) -> list[str]:
        return [self._text]

    def text(self, number: int) -> str:
        return self._text

    def find(self, text: str) -> int:
        return 0 if text == self._text else -1

    def name(self, number: int) -> str:
        return self._name

    def choices(self, number: int) -> Choices:
        return self._choices


class Moves(Sequence[Move]):
    """The legal decisions of a position, in the order of the turn and of the board.

    A move may be asked for by its number, by its text (`KeyError` where none is written so), or
    as a `Move`.
    """

    __slots__ = ("_numbers", "listing")

    def __init__(self, listing: Listing, numbers: range | None = None) -> None:
        """All moves of a listing, or those of some numbers."""
        self.listing = listing
        self._numbers = range(len(listing)) if numbers is None else numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int | str) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Moves: ...
    def __getitem__(self, index: int | slice | str) -> Move | Moves:
        if isinstance(index, str):
            number = self._number(index)
            if number < 0:
                raise KeyError(index)
            return Move(self.listing, number)
        if isinstance(index, slice):
            return Moves(self.listing, self._numbers[index])
        return Move(self.listing, self._numbers[index])

    def _number(self, text: str) -> int:
        """The number of the first of these moves that is written as *text*; -1 if none is."""
        number = self.listing.find(text)
        if number < 0 or number in self._numbers:
            return number
        return next((n for n in self._numbers if self.listing.text(n) == text), -1)

    def __iter__(self) -> Iterator[Move]:
        return (Move(self.listing, number) for number in self._numbers)

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move):
            return any(move == mine for mine in self)
        return isinstance(move, str) and self._number(move) >= 0

    def index(self, move: Move | str, start: int = 0, stop: int | None = None) -> int:
        """The index of a move; raises `ValueError` if it is not among these."""
        texts = self.texts
        place = texts.index(str(move), start, len(texts) if stop is None else stop)
        if isinstance(move, Move) and self[place] != move:
            raise ValueError(f"{move} is of another position")
        return place

    def find(self, text: str) -> Move | None:
        """The move that is written as *text*; None if none is.

        Capitals do not matter where only one move is meant.
        """
        number = self._number(text)
        if number >= 0:
            return Move(self.listing, number)
        lower = text.casefold()
        alike = [i for i, candidate in enumerate(self.texts) if candidate.casefold() == lower]
        return self[alike[0]] if len(alike) == 1 else None

    @property
    def texts(self) -> list[str]:
        """The texts of the moves."""
        texts, numbers = self.listing.texts(), self._numbers
        return list(texts) if numbers == range(len(texts)) else [texts[n] for n in numbers]

    def by_kind(self) -> dict[str, list[str]]:
        """The texts of the moves, by the name of the move in the rules."""
        kinds: dict[str, list[str]] = {}
        for move in self:
            kinds.setdefault(move.name, []).append(move.text)
        return kinds

    def letters(self) -> dict[str, str]:
        """A letter for each decision that is the only one of its move: `f` flip, `p` none."""
        # A letter must not be the text of a decision, nor stand for two.
        texts = set(self.texts)
        letters: dict[str, str] = {}
        for name, decisions in self.by_kind().items():
            letter = "p" if name == "none" else name[0]
            if len(decisions) == 1 and letter not in texts and letter not in letters.values():
                letters[decisions[0]] = letter
        return letters

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Moves) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.texts))

    def __repr__(self) -> str:
        return f"<Moves {', '.join(self.texts)}>"
