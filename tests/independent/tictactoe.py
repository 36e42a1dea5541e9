"""Tic-tac-toe and the other m,n,k games."""

from .connect_five import InARow
from .connect_five import start as in_a_row


def start(width: int = 3, height: int = 3, run: int = 3) -> InARow:
    return in_a_row(width, height, run)
