"""What a position of any game offers; the function `start` of a game's module makes the first."""

from typing import Protocol


class Position(Protocol):
    """A position; it never changes, and two equal positions have the same future."""

    def decisions(self) -> list[str]:
        """List all that the player to move may do, as unique texts; nothing after the end."""

    def play(self, text: str) -> "Position":
        """Make one of the decisions."""

    def winner(self) -> str:
        """Say `first`, `second` (colours in the order of moving), `draw`, or nothing yet."""

    def over(self) -> bool:
        """Tell whether the game has ended."""

    def fresh(self) -> bool:
        """Tell whether a whole turn has just ended (or the game begins)."""
