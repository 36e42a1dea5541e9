"""Context variables that hold a value for a block; threads that begin with a copy see it too.

Of that kind is who hears of the parts of long work: of each piece of code that has to be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def set_temporarily(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Set *variable* to *value* for a `with` block, and back after it."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


_ON_PART: ContextVar[Callable[[], None] | None] = ContextVar("parts", default=None)


def on_part_compiled(tell: Callable[[], None]) -> AbstractContextManager[None]:
    """A block in which *tell* is called for each part that is compiled."""
    return set_temporarily(_ON_PART, tell)


def begin_part() -> None:
    """Tell whoever waits that another part is compiled."""
    tell = _ON_PART.get()
    if tell is not None:
        tell()
