"""The notation of sites and of decisions that name one, as files and programs write them.

In: a game, and how a format calls its sites.  Out: `Points`, which converts decisions to texts of
the format and back.  Refuses decisions that a format cannot write, and boards without letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from rulewright.errors import RulewrightError, UnreadableMove
from rulewright.games.engine.game import Game, State
from rulewright.model.board import bits, letters

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@frozen
class Points:
    """Converts decisions of a game to texts of a format, and back.

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
        texts = {board.names[site]: self._text(site) for site in bits(board.sites)}
        return texts | dict(self.words)

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

    def columns(self, own: Sequence[str]) -> tuple[str, ...]:
        """The names of the columns, which the game calls *own*."""
        if not self.skip:
            return tuple(own)
        return tuple(_skipping(column, self.skip) for column in range(len(own)))

    def write(self, decision: str, turned: bool = False) -> str:
        """Write a decision; *turned*: for the board mirrored along the diagonal."""
        text = self._texts.get(self.mirror(decision) if turned else decision, decision)
        if text == decision and self._read(text) != decision:
            raise RulewrightError(f"this format has no way to write the decision `{decision}`")
        return text

    def sites(self, text: str) -> list[str]:
        """The names of the sites in a text: pairs of letters, or names with anything between."""
        pairs = [self._read(text[at : at + 2]) for at in range(0, len(text), 2)]
        if self.style == "letters" and pairs and all(map(self.is_site, pairs)):
            return pairs
        return [name for name in re.findall(r"[a-z]+\d+", text.casefold()) if self.is_site(name)]

    def join(self, sites: Iterable[str], plain: str) -> str:
        """The text of sites one behind the other, or *plain* where sites have their own names."""
        return plain if self.style == "cells" else "".join(map(self.write, sites))

    def read(self, text: str, turned: bool = False) -> str:
        """Read the decision that a text stands for; it need not be legal."""
        decision = self._read(text)
        return self.mirror(decision) if turned else decision

    def _read(self, text: str) -> str:
        folded = text if self.style == "letters" else text.casefold()
        plain = text.casefold() if self.is_site(text.casefold()) else text
        return self._decisions.get(folded, plain)

    def mirror(self, decision: str) -> str:
        """Mirror a decision along the diagonal from the left top corner of the board."""
        board = self.game.rules.board
        site = board.by_name.get(decision)
        if site is None:
            return decision
        image = board.at(board.rows[site], board.columns[site])
        if image < 0 or board.width != board.height:
            message = f"{self.game.name} on this board cannot be mirrored along its diagonal"
            raise UnreadableMove(message)
        return board.names[image]

    def refusal(self, state: State, text: str) -> str:
        """Why *text* is no decision of a state, in the words of the format.

        Empty where sites have their own names, as the message of the game then fits.
        """
        decision, legal = self.read(text), [m for m in state.moves.texts if self.is_site(m)]
        if self.style != "letters" or not legal:
            return ""
        if not self.is_site(decision):
            example = self.write(legal[0])
            return f"`{text[:40]}` is no point of this board; they are written like `{example}`"
        site = self.game.rules.board.by_name[decision]
        reason = ": a piece stands there" * bool(state.situation.position.full >> site & 1)
        return f"`{text}` ({decision}) is not legal for {state.mover} here{reason}"

    def is_site(self, decision: str) -> bool:
        """Whether the text of a decision is the name of a site."""
        return decision in self.game.rules.board.by_name


def _skipping(column: int, skip: str) -> str:
    """The name of a column (from 0) in an alphabet without some letters."""
    alphabet = [c for c in _LETTERS[:26] if c not in skip]
    return alphabet[column] if column < len(alphabet) else letters(column + 1)
