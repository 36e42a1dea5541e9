"""What all records of the trees have in common.

A hundred small classes are made whenever the package is loaded, and more than half of that time
would go into writing `__repr__`, `__eq__` and `__hash__` for each; they share these instead.
"""

from __future__ import annotations

from typing import Any

_KNOWN: dict[type[Any], tuple[str, ...]] = {}


def _fields(kind: Any) -> tuple[str, ...]:
    """The fields that count for equality; places in a text do not."""
    if kind not in _KNOWN:
        _KNOWN[kind] = tuple(a.name for a in kind.__attrs_attrs__ if a.eq)
    return _KNOWN[kind]


class Brief:
    """Printed as its `repr` also where its fields would be printed one by one.

    Hypothesis and notebooks print every field of an attrs class, and those of a `State` lead to the
    whole model of its game.
    """

    __slots__ = ()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


class Record:
    """Equal to another of its class when all fields are that count; shown as the call it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _fields(type(self)))
        return f"{type(self).__name__}({fields})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in _fields(type(self)))

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in _fields(type(self)))))
