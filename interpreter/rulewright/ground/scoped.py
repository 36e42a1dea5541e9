"""Context variables that hold a value for a block; threads that begin with a copy see it too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def scoped(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Set *variable* to *value* for a `with` block, and back after it."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
