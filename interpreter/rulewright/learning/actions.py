"""The actions of a game: a fixed number for every decision that its rules can ever write.

In: a game's rules and the numbers of its texts (`games.engine.notation`).  Out: an `ActionSpace`,
numbers from 0 on for all texts that some position may allow, known before play; moves that write
the same text share its number.  Where a text depends on the position, a number stands for the move
and its choices, `hop(b5)`, and a position says which text that is.  Refuses, as `Unsupported`,
games in which such a choice has no known range, and moves with too many combinations of choices.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from attrs import define, field

from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.games.engine.game import State
from rulewright.games.engine.interpreted import named_value
from rulewright.games.engine.moves import ChosenValue
from rulewright.games.engine.notation import Notation, choices_text
from rulewright.games.engine.position_words import Words
from rulewright.ground.records import Record
from rulewright.learning.possible import PossibleChoices, Unbounded
from rulewright.model.rules import MoveKind
from rulewright.reference.courses import count_nones
from rulewright.reference.decisions import NONE
from rulewright.reference.play import ReferencePlay

LISTED = "; or let actions be places in the list of decisions: `sparse=256`"
"""What else somebody may do whose actions have no numbers."""


@define(eq=False)
class ActionSpace(Record):
    """The numbers of a game's actions, and their texts."""

    notation: Notation
    chance: bool = True
    """Whether what chance decides is numbered, too."""
    texts: tuple[str, ...] = field(init=False)
    """The text of each action, by its number: in the order of moves and of the board.

    Where it depends on the position: the name of the move and its choices."""
    codes: list[int] = field(factory=list, init=False)
    """The numbers of all texts that some position may allow."""

    @classmethod
    def of(cls, play: ReferencePlay, layout: StateLayout, chance: bool = True) -> ActionSpace:
        """Number the actions of a game; without *chance* those of players alone."""
        return cls(Notation.of(play, layout).by_choices(layout), chance)

    def __attrs_post_init__(self) -> None:
        notation = self.notation
        if lazy := [w.move.name for w in notation.moves if w.lazy and self._numbers_move(w.move)]:
            reason = f"how `{lazy[0]}` is written depends on the position, and so does the range"
            advice = "choices of sites, kinds, directions and constant ranges have numbers"
            raise Unsupported(
                f"the actions cannot be numbered: {reason} of a choice; {advice}{LISTED}"
            )
        try:
            self.codes = [*dict.fromkeys(self._possible_codes())]
        except Unbounded as reason:
            advice = f"a turn of several moves, each with fewer choices, has fewer actions{LISTED}"
            raise Unsupported(f"the actions cannot be numbered: {reason}; {advice}") from None
        self.texts = tuple(dict.fromkeys(notation.texts(self.codes))) if self.codes else ()

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, action: int) -> str:
        return self.texts[action]

    def index(self, text: str) -> int:
        """Return the number of a text; raises `KeyError` if no position allows it."""
        return self._numbers[text]

    def legal(self, state: State) -> dict[str, int]:
        """Return the actions of a position's decisions, by the texts that they have there."""
        texts, numbers = state.moves.texts, self._numbers
        by_choices = {w.move.name for w in self.notation.moves if w.by_choices}
        if not by_choices:
            return {text: numbers[text] for text in texts}
        return {
            text: numbers[
                choices_text(move.name, move.choices.values()) if move.name in by_choices else text
            ]
            for text, move in zip(texts, state.moves, strict=True)
        }

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


@define(eq=False)
class ListedActions(ActionSpace):
    """Actions that are places in the list of a position's decisions, of which there are so many.

    They suit games whose decisions cannot be numbered, or have too many numbers: what an action
    is depends on the position.
    """

    size: int = 0

    @classmethod
    def places(cls, play: ReferencePlay, layout: StateLayout, size: int) -> ListedActions:
        """Return the places of lists of so many decisions."""
        return cls(Notation.of(play, layout), size=size)

    def __attrs_post_init__(self) -> None:
        self.texts = tuple(map(str, range(self.size)))

    def legal(self, state: State) -> dict[str, int]:
        """Return the places of a position's decisions, by their texts."""
        return {text: place for place, text in enumerate(state.moves.texts)}


def named_parts(
    engine: Engine, rows: Iterable[Sequence[int]], mover: int
) -> Iterator[tuple[ChosenValue, ...]]:
    """Yield the name of the move and those of its choices for each row of a decision."""
    words, rules = Words(engine), engine.play.rules
    for row in rows:
        choices = (named_value(c[3], c[2], rules) for c in words.choices(row, mover))
        yield (rules.moves[row[0]].name if row[0] >= 0 else NONE), *choices
