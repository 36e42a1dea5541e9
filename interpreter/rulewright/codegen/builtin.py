"""What kernels in files of their own import: the types, and what is built in.

Such a file is ordinary Python for every tool; `source.py` makes the text of a kernel module of it.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import Any, Generic, TypeVar

from rulewright.codegen import python

i64 = int
f64 = float
T = TypeVar("T", int, float)


class _Word(Generic[T]):
    """An element of an array that has a name."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __get__(self, array: python.Checked[T], owner: type) -> T:
        return array[self.place]

    def __set__(self, array: python.Checked[T], value: T) -> None:
        array[self.place] = value


class _Named:
    """Fields of a class with their places become words of the array."""

    def __init_subclass__(cls) -> None:
        for name in get_annotations(cls):
            setattr(cls, name, _Word(vars(cls)[name]))


class ints(_Named, python.Checked[int]):  # noqa: N801 - a type of kernels, spelt like the others
    """An array of whole numbers; a class of it names some of its elements."""


class floats(_Named, python.Checked[float]):  # noqa: N801
    """An array of floats."""


def place(layout: type, name: str) -> int:
    """Where the word of that name lies in an array."""
    word = vars(layout)[name]
    assert isinstance(word, _Word)
    return word.place


def popcount(x: i64) -> i64:
    """The number of ones among the 64 bits."""
    return _int("popcount", x)


def trailing(x: i64) -> i64:
    """The zeros below the lowest one; 64 for 0."""
    return _int("trailing", x)


def wrap_add(a: i64, b: i64) -> i64:
    """The sum modulo 2^64."""
    return _int("wrap_add", a, b)


def wrap_mul(a: i64, b: i64) -> i64:
    """The product modulo 2^64."""
    return _int("wrap_mul", a, b)


def wrap_shl(a: i64, b: i64) -> i64:
    """Shifted up, modulo 2^64."""
    return _int("wrap_shl", a, b)


def shift_right(a: i64, b: i64) -> i64:
    """Shifted down, as an unsigned value."""
    return _int("shift_right", a, b)


def volatile(element: ints | i64, i: i64 = 0) -> i64:
    """An element that another thread may write: `volatile(c.stop)` or `volatile(c, 4)`."""
    return element if isinstance(element, int) else element[i]


def float_bits(x: f64) -> i64:
    """The 64 bits of a float."""
    return _int("float_bits", x)


def real(x: i64) -> f64:
    """A whole number as a float."""
    return float(python.INTRINSICS["real"](x))


def bits_float(x: i64) -> f64:
    """The float of these 64 bits."""
    return float(python.INTRINSICS["bits_float"](x))


def sqrt(x: f64) -> f64:
    """The square root."""
    return float(python.INTRINSICS["sqrt"](x))


def _int(name: str, *given: Any) -> int:
    return int(python.INTRINSICS[name](*given))
