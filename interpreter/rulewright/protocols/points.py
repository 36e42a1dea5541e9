"""Sites and decisions as other programs write them.

In: a game and how a format writes its points.  Out: texts for decisions, and decisions for texts.
Refuses a text that no decision of the game can have, and a decision that the format cannot write.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen

from rulewright.engine.game import Game
from rulewright.errors import RulewrightError, UnreadableMove
from rulewright.model.board import bits, letters

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@frozen
class Points:
    """How a format writes the decisions of a game.

    `style` is `cells` (the game's own names of sites, columns without the letters of `skip`) or
    `letters` (column and row from the top, from `a`).  `words` stand for other decisions.
    """

    game: Game
    style: str = "cells"
    skip: str = ""
    words: Mapping[str, str] = field(factory=dict)

    @cached_property
    def _texts(self) -> dict[str, str]:
        board = self.game.rules.board
        found = {board.names[site]: self._text(site) for site in bits(board.sites)}
        return found | dict(self.words)

    @cached_property
    def _decisions(self) -> dict[str, str]:
        fold = str if self.style == "letters" else str.casefold
        return {fold(text): decision for decision, text in self._texts.items()}

    def _text(self, site: int) -> str:
        board = self.game.rules.board
        column, row = board.columns[site], board.rows[site]
        if self.style == "letters":
            most = len(_LETTERS)
            if column >= most or row >= most:
                raise RulewrightError(f"a board of more than {most} rows has no letters for them")
            return _LETTERS[column] + _LETTERS[row]
        if not self.skip:
            return board.names[site]
        return f"{_skipping(column, self.skip)}{board.numbers[site]}"

    def write(self, decision: str, turned: bool = False) -> str:
        """What the format writes for a decision; *turned* mirrors it along the diagonal."""
        text = self._texts.get(self.mirror(decision) if turned else decision, decision)
        if text == decision and self._read(text) != decision:
            raise RulewrightError(f"this format has no way to write the decision `{decision}`")
        return text

    def read(self, text: str, turned: bool = False) -> str:
        """The decision that a text of the format stands for; it need not be legal."""
        found = self._read(text)
        return self.mirror(found) if turned else found

    def _read(self, text: str) -> str:
        folded = text if self.style == "letters" else text.casefold()
        return self._decisions.get(folded, text)

    def mirror(self, decision: str) -> str:
        """The same decision on the board mirrored along the diagonal from the left top corner."""
        board = self.game.rules.board
        site = board.by_name.get(decision)
        if site is None:
            return decision
        other = board.at(board.rows[site], board.columns[site])
        if other < 0 or board.width != board.height:
            message = f"{self.game.name} on this board cannot be mirrored along its diagonal"
            raise UnreadableMove(message)
        return board.names[other]

    def is_site(self, decision: str) -> bool:
        """Whether a decision is written as the site it is about."""
        return decision in self.game.rules.board.by_name


def _skipping(column: int, skip: str) -> str:
    """The name of a column from 0 in an alphabet without some letters."""
    alphabet = [c for c in _LETTERS[:26] if c not in skip]
    return alphabet[column] if column < len(alphabet) else letters(column + 1)
