"""What an expression may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulewright.budget import Budget, current
from rulewright.errors import Fault
from rulewright.model.board import Board
from rulewright.model.expressions import Function
from rulewright.reference.links import LinkTable
from rulewright.reference.position import Position

if TYPE_CHECKING:
    from rulewright.model.rules import Choose, ChooseRay


Order: TypeAlias = "Callable[[Choose | ChooseRay, Iterable[Any]], Iterable[Any]]"
"""Which values of a choice are tried, and in which order."""


@define
class Context:
    """A position and a player's view of it (`view` is the player called `own`).

    `frame` holds the local values, `stuck` what the word says, `key` what the position is compared
    by when `repeats` looks back, `notation` how the decision under way is written; `order` says
    which values of a choice are tried, and in which order.  `budget` is what may be spent.
    """

    board: Board
    functions: tuple[Function, ...]
    links: tuple[LinkTable, ...]
    position: Position
    view: int = 0
    frame: list[Any] = field(factory=list)
    stuck: bool = False
    key: object = None
    notation: str = ""
    order: Order | None = None
    budget: Budget | None = field(factory=current)


def checked(number: Any) -> Any:
    """*number*, unless it is a whole number too large for every execution, or no number at all."""
    if isinstance(number, int) and not -(2**62) < number < 2**62:
        raise Fault("overflow", "a whole number of more than 62 bits")
    if isinstance(number, float) and not isfinite(number):
        raise Fault("overflow", "a number too large for 64 bits")
    return number
