"""Classes of plain fields are what attrs would have made of them, and attrs is asked late."""

from __future__ import annotations

import copy
import inspect
import subprocess
import sys
import weakref
from typing import Any

import attrs
import pytest

from rulewright.records import Record, names_of, record


@attrs.frozen(repr=False, eq=False)
class Above(Record):
    """With fields that are given by name."""

    span: int = attrs.field(eq=False, kw_only=True)
    depth: int = attrs.field(eq=False, kw_only=True, default=1)


class Plain(Above):
    """Made twice below."""

    left: int
    right: tuple[int, ...] = ()
    _hidden: str = ""


OURS: Any = record(Plain)
THEIRS: Any = attrs.frozen(repr=False, eq=False)(Plain)


def test_arguments_are_those_of_attrs() -> None:
    ours, theirs = (inspect.signature(kind) for kind in (OURS, THEIRS))
    assert str(ours) == str(theirs)
    assert OURS.__match_args__ == THEIRS.__match_args__
    assert names_of(OURS) == names_of(THEIRS) == ("span", "depth", "left", "right", "_hidden")


def test_attrs_is_asked_when_somebody_asks_it() -> None:
    made = record(type("Small", (Record,), {"__annotations__": {"a": "int"}}))
    assert not isinstance(vars(made)["__attrs_attrs__"], tuple)
    told: Any = attrs.fields(made)
    assert told.a.type == "int"
    assert vars(made)["__attrs_attrs__"] is told
    assert attrs.fields(OURS) == attrs.fields(THEIRS)


def test_values() -> None:
    one: Any = OURS(1, span=2)
    changed: Any = attrs.evolve(one, left=4, hidden="x")
    assert repr(one) == "Plain(left=1, right=(), _hidden='')"
    assert one == OURS(1, span=3)
    assert hash(one) == hash(OURS(1, span=3))
    assert changed == OURS(4, (), "x", span=2)
    assert copy.deepcopy(one) == copy.copy(one) == one
    assert copy.copy(one).span == 2
    assert weakref.ref(one)() is not None
    assert not hasattr(one, "__dict__")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one.left = 2
    with pytest.raises(TypeError, match="span"):
        OURS(1)


def test_methods_mean_the_class_that_is_used() -> None:
    class Own(Record):
        a: int

        def kind(self) -> type:
            return __class__  # type: ignore[name-defined,no-any-return]

    made: Any = record(Own)
    assert made(1).kind() is made


def test_classes_above_and_below() -> None:
    class Lower(OURS):  # type: ignore[misc]
        more: float = 0.5

        def __attrs_post_init__(self) -> None:
            object.__setattr__(self, "more", self.more + 1)

    made: Any = record(Lower)
    assert made(1, span=0).more == 1.5
    assert names_of(made) == (*names_of(OURS), "more")
    theirs: Any = attrs.frozen(repr=False, eq=False)(Lower)
    assert names_of(theirs) == names_of(made)


def test_what_attrs_has_to_read_goes_to_attrs() -> None:
    class Listed(Record):
        a: list[int] = attrs.field(factory=list)

    made: Any = record(Listed)
    assert made().a == []
    assert made().a is not made().a


def test_a_process_ends_in_order_and_takes_nothing_down() -> None:
    program = """
import atexit, sys
from rulewright import cli
class Kept:
    def __del__(self):
        print("taken down")
sys.kept = Kept()
def main(alone):
    print("said", end=" ")
    atexit.register(print, "last", end="")
    return 1
cli.main = main
cli.run()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "said last", "")
