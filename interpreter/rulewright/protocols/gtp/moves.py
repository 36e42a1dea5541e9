"""Moves and colours as GTP has them: what both sides share.

After a swap that moves the piece (`swap-pieces`) the board is told mirrored and the colours stand
for the other players of the rules; `turned` says that it is so.
"""

from __future__ import annotations

from attrs import frozen

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.protocols.formats import Gtp, formats
from rulewright.protocols.points import Points


@frozen
class Moves:
    """How the moves of a game are written in GTP."""

    game: Game
    style: Gtp
    points: Points

    @classmethod
    def of(cls, game: Game) -> Moves:
        """The moves of a game; refuses one whose moves GTP has no words for."""
        style = formats(game).gtp
        points = Points(game, skip=style.skip, words=style.words)
        if not any(points.is_site(move) for move in game.start().moves.texts):
            raise RulewrightError(f"{game.name} cannot be played by GTP: its moves are no points")
        return cls(game, style, points)

    def write(self, decision: str, turned: bool) -> str:
        """A decision as GTP writes it."""
        if decision in self.style.turned:
            return self.style.turned[decision]
        return self.points.write(decision, turned)

    def read(self, text: str, turned: bool) -> str:
        """The decision of a text; it need not be legal."""
        word = text.casefold()
        for decision, other in self.style.turned.items():
            if word == other:
                return decision
        return self.points.read(word, turned)

    def turns(self, text: str) -> bool:
        """Whether the board is told mirrored after a move written like this."""
        return text.casefold() in self.style.turned.values()

    def colour(self, state: State, turned: bool) -> str:
        """The colour of whoever is to move."""
        return self.style.colours[state.situation.position.mover ^ turned]

    def colour_of(self, text: str, turned: bool) -> int:
        """Which player of the rules a colour stands for."""
        word = text.casefold()
        for number, (name, own) in enumerate(
            zip(self.style.colours, self.game.players, strict=True)
        ):
            if word in (name, name[0]):
                return number ^ turned
            if word == own:
                return number
        known = ", ".join(self.style.colours)
        raise RulewrightError(f"`{text[:40]}` is no colour: {known}")
