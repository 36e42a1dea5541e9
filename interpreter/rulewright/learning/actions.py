"""The actions of a game: a fixed number for every decision that its rules can ever write.

In: a game's rules and the numbers of its texts (`games.engine.notation`).  Out: an `ActionSpace`,
numbers from 0 on for all texts that some position may allow, known before play; moves that write
the same text share its number.  Refuses, as `Unsupported`, games in which a text depends on more
than the choices of its move.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property

from attrs import define, field

from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.games.engine.notation import Notation
from rulewright.ground.records import Record
from rulewright.learning.possible import PossibleChoices, Unbounded
from rulewright.model.rules import MoveKind
from rulewright.reference.courses import count_nones
from rulewright.reference.decisions import NONE
from rulewright.reference.play import ReferencePlay


@define(eq=False)
class ActionSpace(Record):
    """The numbers of a game's actions, and their texts."""

    notation: Notation
    chance: bool = True
    """Whether what chance decides is numbered, too."""
    texts: tuple[str, ...] = field(init=False)
    """The text of each action, by its number: in the order of moves and of the board."""
    codes: list[int] = field(factory=list, init=False)
    """The numbers of all texts that some position may allow."""

    @classmethod
    def of(cls, play: ReferencePlay, layout: StateLayout, chance: bool = True) -> ActionSpace:
        """Number the actions of a game; without *chance* those of players alone."""
        return cls(Notation.of(play, layout), chance)

    def __attrs_post_init__(self) -> None:
        notation = self.notation
        if lazy := [w.move.name for w in notation.moves if w.lazy and self._numbers_move(w.move)]:
            reason = f"how `{lazy[0]}` is written depends on more than what it chooses"
            advice = "a text of its choices alone has a number"
            raise Unsupported(f"the actions cannot be numbered: {reason}; {advice}")
        try:
            self.codes = [*dict.fromkeys(self._possible_codes())]
        except Unbounded as reason:
            advice = "a turn of several moves, each with fewer choices, has fewer actions"
            raise Unsupported(f"the actions cannot be numbered: {reason}; {advice}") from None
        self.texts = tuple(dict.fromkeys(notation.texts(self.codes))) if self.codes else ()

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, action: int) -> str:
        return self.texts[action]

    def index(self, text: str) -> int:
        """Return the number of a text; raises `KeyError` if no position allows it."""
        return self._numbers[text]

    def _numbers_move(self, move: MoveKind) -> bool:
        """Whether the decisions of a move are actions."""
        return self.chance or not move.by_chance

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    def table(self) -> array[int]:
        """Return the action of each number of a text, -1 for those that are never written."""
        actions = array("q", [-1]) * (max(self.codes, default=0) + 1)
        for code, text in zip(self.codes, self.notation.texts(self.codes), strict=True):
            actions[code] = self._numbers[text]
        return actions

    def _possible_codes(self) -> Iterator[int]:
        """Yield the numbers of all texts that some position may allow, some more than once."""
        rules = self.notation.play.rules
        if any(count_nones(course) for course in (rules.course, rules.first_course)):
            yield self.notation.codes[NONE]
        for written in filter(lambda w: self._numbers_move(w.move), self.notation.moves):
            for player in rules.views:
                for choices in PossibleChoices(rules, player).of(written.move):
                    yield written.code(choices)
