"""Every exception that a caller of the library can meet; each says what to do in its message.

A user's mistake is one of these and never anything else: a text that cannot be used, a call that
asks for the impossible, or a fault that a rules file shows only when it is played.
"""

from __future__ import annotations

from rulewright.ground.printable import printable_name


class RulewrightError(Exception):
    """The common base: catching it catches every error this library raises on purpose.

    A message is one line, whatever is called in it.
    """

    def __str__(self) -> str:
        return printable_name(super().__str__())


class UnknownGame(RulewrightError):
    """No bundled game has this name and no file is there."""


class OptionError(RulewrightError):
    """An option is not one of the game's, or its value lies outside the declared range."""


class MoveError(RulewrightError):
    """A move cannot be played here."""


class IllegalMove(MoveError):
    """The text names no legal decision (or whole turn) of this position."""


class UnreadableMove(MoveError):
    """The text does not have the form of any move of this position."""


class GameOver(MoveError):
    """A move was asked for or played after the end of the game."""


class PositionError(RulewrightError):
    """The text of a position cannot be read; the message names the line."""


class OutOfBudget(RulewrightError):
    """A limit of time or of work came before there was an answer.

    `origin` is the clause that was at work, 0 where none is known.
    """

    def __init__(self, message: str, origin: int = 0) -> None:
        self.origin = origin
        super().__init__(message)


class Fault(RulewrightError):
    """The rules went wrong in play: a value outside its range, `max` of nothing, a player stuck.

    `code` is stable, `place` is `file:line` of the clause at fault (empty when there is none).
    """

    def __init__(self, code: str, message: str, origin: int = 0, place: str = "") -> None:
        self.code, self.message, self.origin, self.place = code, message, origin, place
        super().__init__(f"{place}: {message} [{code}]" if place else f"{message} [{code}]")


class NotEnoughMemory(RulewrightError):
    """Tables of this size cannot be had here; `size` is in bytes."""

    def __init__(self, size: int) -> None:
        self.size = size
        mebibytes = f"{max(1, size >> 20):,} MiB"
        super().__init__(f"there is not enough memory for tables of {mebibytes}; ask for less")


class TooLong(RulewrightError):
    """A line of more decisions than are counted."""

    def __init__(self, most: int) -> None:
        super().__init__(f"lines of more than {most} decisions are not counted")
