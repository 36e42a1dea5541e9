"""Score Four: Qubic on pegs."""

from .qubic import Qubic
from .qubic import start as cube


def start(size: int = 4) -> Qubic:
    return cube(size, falls=True)
