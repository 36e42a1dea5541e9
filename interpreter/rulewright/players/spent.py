"""What a decision has cost: nodes and depth, told by whichever search was at work.

In: what searches tell while a decision is made.  Out: their sum.  A search calls `tell`; whoever
wants to know opens `counted` around the decision.  Nothing is kept where nobody asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from attrs import define

_OPEN: ContextVar[Spent | None] = ContextVar("spent", default=None)


@define
class Spent:
    """Nodes searched, and the depth of the last search that told one."""

    nodes: int = 0
    depth: int | None = None


def tell(nodes: int, depth: int | None = None) -> None:
    """Say that a search has ended."""
    spent = _OPEN.get()
    if spent is not None:
        spent.nodes += nodes
        spent.depth = spent.depth if depth is None else depth


@contextmanager
def counted() -> Iterator[Spent]:
    """What is told inside."""
    spent = Spent()
    token = _OPEN.set(spent)
    try:
        yield spent
    finally:
        _OPEN.reset(token)
