"""Which clauses acted: the statements that a decision went through, and the rule that ended it.

In: a state and the decision that led there.  Out: places of the text, in the order of play.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from rulewright.checks.instrument import Notebook, Spot, instrumented
from rulewright.engine.game import Game, State
from rulewright.model.rules import Rules
from rulewright.reference.lookup import find
from rulewright.reference.play import NONE, Play
from rulewright.reference.position import Context


@frozen
class Clause:
    """A line of the rules: `file:line` and its text."""

    place: str
    text: str

    def as_data(self) -> dict[str, str]:
        """The clause as plain data."""
        return {"place": self.place, "text": self.text}


def clause(rules: Rules, origin: int) -> Clause:
    """The line of an origin."""
    return Clause(rules.place(origin), rules.origins[origin].text)


@define(eq=False)
class _Path:
    """The spots on the way to the branch that is being tried."""

    spots: list[Spot] = field(factory=list)

    def __call__(self, spot: Spot, value: Any, context: Context) -> None:
        """Note a spot; a statement of a move forgets what was tried from there before."""
        if spot.owner.startswith("move "):
            for index, earlier in enumerate(self.spots):
                if _forgotten(earlier, spot):
                    del self.spots[index:]
                    break
        self.spots.append(spot)


def _forgotten(earlier: Spot, now: Spot) -> bool:
    """Whether *earlier* belongs to another move, or stands at or behind *now* in the same one."""
    if earlier.owner == now.owner:
        return earlier.number >= now.number
    return earlier.owner.startswith("move ")


_KNOWN: WeakKeyDictionary[Play, tuple[Play, Notebook]] = WeakKeyDictionary()
_EFFECTS = ("choose", "chooseray", "bind", "need", "put", "clear", "carry", "carryeach", "tie",
            "tieeach", "assign", "perform", "branch", "again", "swapsides")  # fmt: skip


def noted(game: Game) -> tuple[Play, Notebook]:
    """The game with notes in it."""
    if game.play not in _KNOWN:
        rules, book = instrumented(game.rules)
        _KNOWN[game.play] = (Play(rules), book)
    return _KNOWN[game.play]


def acted(state: State) -> list[Clause]:
    """The clauses of the last decision, and the end rule that it met."""
    if state.before is None:
        return []
    rules = state.game.rules
    origins = _path(state) if state.move != NONE else []
    if state.situation.ended is not None:
        origins.append(state.situation.ended.origin)
    return [clause(rules, origin) for origin in dict.fromkeys(origins) if origin]


def _path(state: State) -> list[int]:
    """The origins of the statements that the decision went through."""
    assert state.before is not None
    play, book = noted(state.game)
    path = _Path()
    book.listener = path
    try:
        found = find(play, state.before.situation.position, state.move)
    finally:
        book.listener = None
    return [s.origin for s in path.spots if s.kind in _EFFECTS] if found else []
