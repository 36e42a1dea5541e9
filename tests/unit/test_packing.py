"""What records have in common: equality, a line of text, JSON, the bytes that they pack into."""

from __future__ import annotations

import copy
import gc
import json
import math
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple

import attrs
import pytest
from attrs import field, frozen
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ground import packing
from rulewright.ground.packing import Unpackable, pack, unpack
from rulewright.ground.records import (
    Brief,
    Record,
    Unchanging,
    as_json,
    canonical_text,
    field_types,
    fields_as_json,
    is_record,
    names_of,
    record,
    without_collection,
)
from rulewright.matches.statistics import Elo

HERE = frozenset({__name__})


class Colour(Enum):
    """Two of them."""

    RED = 1
    BLUE = "b"


@record
class Point(Record):
    """Stands at a place of a text, which does not count."""

    x: Any
    y: Any = 0
    place: Any = field(default=0, eq=False)


@record
class Other(Record):
    """As a point, and none."""

    x: Any
    y: Any = 0


@record
class Longer(Point):
    """A point with more."""

    z: Any = None


@frozen
class Doubled:
    """Works a field out, and has one that is written otherwise than it is given."""

    _inner: int
    twice: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        if self._inner < 0:
            raise ValueError("below nothing")
        object.__setattr__(self, "twice", 2 * self._inner)


@frozen
class Later:
    """Has a field that it does not take, and nothing that works it out."""

    n: int
    known: dict[str, int] = field(factory=dict, init=False)


class Plain:
    """No record."""


class Pair(NamedTuple):
    """A tuple by another name."""

    one: Any
    two: Any


def function(parts: object) -> object:
    """No class."""
    return parts


# --- equality ---

VALUES = st.integers(0, 2)


@given(first=st.tuples(VALUES, VALUES, VALUES), second=st.tuples(VALUES, VALUES, VALUES))
def test_records_are_equal_by_the_fields_that_count(
    first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    one, two = Point(*first), Point(*second)
    assert (one == two) is (first[:2] == second[:2])
    if one == two:
        assert hash(one) == hash(two)
    assert (canonical_text(one) == canonical_text(two)) is (first == second)
    assert one != Other(*first[:2])
    assert one.__eq__(Other(*first[:2])) is NotImplemented
    assert hash(one) != hash(Other(*first[:2]))


def test_a_record_is_shown_as_the_call_that_makes_it() -> None:
    assert repr(Point(1, "a", 7)) == "Point(x=1, y='a')"
    assert repr(Longer(1, 2, 3, Point(4))) == "Longer(x=1, y=2, z=Point(x=4, y=0))"
    shown = repr(Longer((1, 2), None, 5, Colour))
    assert shown.startswith("Longer(x=(1, 2), y=None, z=<enum")


def test_what_never_changes_is_its_own_copy() -> None:
    class Still(Unchanging):
        """Nothing of its own."""

    for thing in (Point([1]), Still()):
        assert copy.copy(thing) is copy.deepcopy(thing) is thing
    with pytest.raises(FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]


def test_a_brief_thing_is_printed_as_it_is_shown() -> None:
    class Short(Brief):
        """One word."""

        def __repr__(self) -> str:
            return "short"

    class Printer:
        """Keeps what it is given."""

        def text(self, text: str) -> None:
            assert text == "short"
            self.printed = text

    printer = Printer()
    Short()._repr_pretty_(printer, cycle=False)
    assert printer.printed == "short"


def test_fields_are_those_of_the_class_inherited_ones_first() -> None:
    assert names_of(Longer) == ("x", "y", "place", "z")
    assert names_of(Plain) == ()
    assert (is_record(Longer), is_record(Plain), is_record(Colour)) == (True, False, False)
    assert field_types(Later) == {"n": "int", "known": "dict[str, int]"}


# --- JSON ---


@frozen
class Telling:
    """Says itself what it tells."""

    n: int

    def as_data(self) -> dict[str, int]:
        """Less than it has."""
        return {"told": self.n}


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (1, 1), (True, True), (None, None), ("a", "a"), (2.5, 2.5), ((1, (2,)), [1, [2]]),
        ([1, (2,)], [1, [2]]), (Pair(1, (2,)), [1, [2]]), ({1: (2,)}, {"1": [2]}),
        (MappingProxyType({True: Telling(3)}), {"True": {"told": 3}}), (frozenset({3, 1}), [1, 3]),
        (Point(1, (Telling(2),), 3), {"x": 1, "y": [{"told": 2}], "place": 3}), ((), []), ({}, {}),
        (Colour.RED, Colour.RED), (Telling(4), {"told": 4}),
    ],
    ids=str,
)  # fmt: skip
def test_a_thing_as_json(thing: object, expected: object) -> None:
    found = as_json(thing)
    assert (found, type(found)) == (expected, type(expected))


def test_only_what_is_empty_and_may_be_is_null() -> None:
    told = fields_as_json(Point((), (1,), 0), "x? y? place")
    assert told == {"x": None, "y": [1], "place": 0}
    assert list(told) == ["x", "y", "place"]
    assert fields_as_json(Point(0, ""), "y x? place?") == {"y": "", "x": None, "place": None}


# --- spelling ---

THINGS = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a", "1", "(1)"]),
    lambda inner: (
        st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
        | st.frozensets(st.integers(0, 2), max_size=2) | st.builds(Point, inner, inner, inner)
        | st.builds(Other, inner, inner)
    ),
    max_leaves=5,
)  # fmt: skip


def exactly(thing: Any) -> Any:
    """What tells things apart that are not the same all over: places, types, orders of keys.

    A dictionary and a set of nothing are spelled alike: a field is one or the other.
    """
    if thing in ({}, frozenset()):
        return "nothing"
    if attrs.has(type(thing)):
        return type(thing).__name__, *(exactly(getattr(thing, n)) for n in names_of(type(thing)))
    if isinstance(thing, tuple):
        return "tuple", *map(exactly, thing)
    if isinstance(thing, dict):
        return "dict", *((key, exactly(value)) for key, value in thing.items())
    return type(thing).__name__, thing


@given(first=THINGS, second=THINGS)
def test_things_are_spelled_alike_where_they_are_the_same(first: Any, second: Any) -> None:
    assert (canonical_text(first) == canonical_text(second)) is (exactly(first) == exactly(second))
    assert canonical_text(copy.deepcopy(first)) == canonical_text(first)


def test_sets_are_spelled_in_one_order() -> None:
    names = ["b", "a", "c", "ab", "é"]
    assert (
        canonical_text(frozenset(names)) == canonical_text(set(names)) == "{'a','ab','b','c','é'}"
    )
    assert canonical_text([1, (2,)]) == "(1,(2))"
    assert canonical_text({"b": 1, "a": (2,)}) == "{'b':1,'a':(2)}"


# --- packing ---


@given(collects=st.booleans(), refuses=st.booleans())
def test_garbage_is_looked_for_after_as_before(collects: bool, refuses: bool) -> None:
    """Also where what is built is refused."""
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        with suppress(Unpackable), without_collection():
            assert not gc.isenabled()
            if refuses:
                raise Unpackable
        assert gc.isenabled() is collects
    finally:
        (gc.enable if before else gc.disable)()


EDGE = 2**4096
NUMBERS = st.integers() | st.sampled_from(
    [sign * EDGE + more for sign in (1, -1) for more in (-1, 0, 1)]
)
KEYS = st.none() | st.booleans() | NUMBERS | st.text(max_size=3) | st.sampled_from(Colour)
PACKED = st.recursive(
    KEYS | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3) | st.frozensets(KEYS) | st.sets(KEYS)
        | st.builds(Point, inner, inner, inner) | st.builds(Longer, inner, inner, inner, inner)
        | st.builds(Doubled, st.integers(0, 9))
    ),
)  # fmt: skip


def same(one: Any, two: Any) -> bool:
    """Equal, and of the same types all over: 1 is not 1.0, and no truth."""
    if type(one) is not type(two):
        return False
    if attrs.has(type(one)):
        return all(same(getattr(one, n), getattr(two, n)) for n in names_of(type(one)))
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same(list(one.items()), list(two.items()))
    if isinstance(one, set | frozenset):
        return sorted(map(repr, one)) == sorted(map(repr, two))
    if isinstance(one, float):
        return one == two and math.copysign(1, one) == math.copysign(1, two)
    return bool(one == two)


@given(thing=PACKED)
def test_what_is_packed_is_unpacked_whole(thing: Any) -> None:
    """Fields that do not count, too; the outermost is a list, as numbers pack into no node."""
    assert same(unpack(pack([thing]), HERE), [thing])


@given(thing=PACKED, given_=st.lists(PACKED.map(lambda inner: [inner]), max_size=3))
def test_what_is_given_is_not_written(thing: Any, given_: list[Any]) -> None:
    whole = [thing, *given_, *given_]
    back = unpack(pack(whole, given_), HERE, given_)
    assert all(one is two for one, two in zip(back[1:], [*given_, *given_], strict=True))
    assert same(back[0], thing)
    assert pack(whole, given_) == pack([thing, *whole[1:]], given_)


def test_the_bytes_are_those_of_the_format() -> None:
    """Classes; nodes after those that they refer to, kinds below 0 of those that refer to none."""
    told = f'[["{__name__}:Point","{__name__}:Colour"],'
    inner, edge = [1, None], EDGE
    thing = (Point(inner, inner, Colour.RED), {"a": True, "b": edge}, frozenset({2}), {3}, 0.5)
    nodes = [
        [-2, 1, None], [-9, "RED"], [7, [0], [0], [1]], [-5, f"{edge:x}"],
        [5, "a", True, "b", [3]], [-4, 2], [-3, 3], [0, [2], [4], [5], [6], 0.5],
    ]  # fmt: skip
    written = json.dumps(nodes, separators=(",", ":"))
    assert pack(thing).decode() == f"{told}{written},[7]]\n"
    assert pack((), [[], []]) == b"[[],[[-1]],[2]]\n"
    assert unpack(b"[[],[[-1,1],[0,[0],2]],[1]]", ()) == ((1,), 2)


@pytest.mark.parametrize("letter", ["a", "\n", "\\", "\u20ac", "\ud800"])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_long_texts_stand_behind_the_nodes(letter: str, more: int) -> None:
    text = letter * (packing._LONG + more)
    data = pack((text, "b" * packing._LONG, text))
    nodes, _, behind = data.partition(b"\n")
    assert (text.encode("utf-8", "surrogatepass") in behind) == (more >= 0)
    assert unpack(data, ()) == (text, "b" * packing._LONG, text)
    assert (more < 0) == (len(nodes) > packing._LONG)


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_beyond_4096_bits_are_written_in_base_16(more: int, sign: int) -> None:
    """Python reads decimals of 4,300 digits at the most."""
    number = sign * EDGE + more
    assert (b'"' in pack([number])) is not (-EDGE <= number < EDGE)
    assert unpack(pack([number]), ()) == [number]
    assert unpack(pack([number**9]), ()) == [number**9]


def test_what_was_shared_is_shared_and_what_was_not_is_not() -> None:
    inner = [1]
    one, two, three = unpack(pack([inner, inner, [1]]), ())
    assert one is two
    assert three is not one
    chain: Any = (1,)
    for _ in range(60):
        chain = (chain, chain)
    assert len(pack(chain)) < 2000  # as a tree it would have 2^60 parts
    back = unpack(pack(chain), ())
    for _ in range(60):
        assert back[0] is back[1]
        back = back[0]
    assert back == (1,)


def test_what_is_too_deep_is_no_answer() -> None:
    thing: list[Any] = []
    for _ in range(10**5):
        thing = [thing]
    with pytest.raises(RecursionError):
        pack(thing)


def test_a_record_works_out_what_it_works_out() -> None:
    """A field that it takes under another name, and one that it does not take."""
    back = unpack(pack(Doubled(21)), HERE)
    assert (back, back.twice) == (Doubled(21), 42)
    later = Later(3)
    later.known["a"] = 1
    assert unpack(pack(later), HERE) == Later(3)
    spoilt = pack(Doubled(21)).replace(b"21", b"-1")
    with pytest.raises(Unpackable, match="below nothing"):
        unpack(spoilt, HERE)


@pytest.mark.parametrize("thing", [b"bytes", object(), Plain(), function, 1j, Mapping, Pair(1, 2)])
def test_nothing_else_is_packed(thing: object) -> None:
    for whole in ([thing], Point(thing), {"a": thing}, {1: (2, thing)}):
        with pytest.raises(TypeError, match=f"{type(thing).__name__} cannot be packed"):
            pack(whole)


def text(*nodes: list[Any], classes: tuple[str, ...] = (), last: object = None) -> bytes:
    told = [len(nodes) - 1] if last is None else last
    return json.dumps([[name if ":" in name else f"{__name__}:{name}" for name in classes],
                       list(nodes), told]).encode()  # fmt: skip


FIRST = packing._CLASSES


@pytest.mark.parametrize(
    "name",
    ["Plain", "function", "HERE", "FIRST", "nothing", "Any", "json", "os:mkdir", "attrs:frozen",
     "rulewright.ground.records:Record", "Record", "Enum", ":Point", "Point:x"],
)  # fmt: skip
def test_only_records_and_enums_of_the_modules_are_made(name: str) -> None:
    """Not what a module has from another: `Record` is imported here."""
    whole = text([-1 - FIRST, 1, 2, 3], classes=("Point",))
    assert unpack(whole, HERE) == Point(1, 2)
    with pytest.raises(Unpackable):
        unpack(text([-1 - FIRST, 1, 2, 3], classes=(name,)), HERE)
    with pytest.raises(Unpackable, match="is no module of records"):
        unpack(whole, {"rulewright.ground.records"})
    with pytest.raises(Unpackable):
        unpack(whole, ())


@pytest.mark.parametrize(
    ("kind", "parts"), [(Elo, [1, 2, 3]), (HTTPStatus, ["OK"]), (Plain, []), (Record, [])]
)
def test_what_would_fit_is_refused_where_it_is_from_elsewhere_or_no_record(
    kind: type, parts: list[Any]
) -> None:
    """A record and an enum of other modules, imported here; classes that need no parts."""
    name = kind.__name__
    with pytest.raises(Unpackable, match=f"{name} is no record"):
        unpack(text([-1 - FIRST, *parts], classes=(name,)), HERE)


def test_a_class_that_is_not_used_is_refused_too() -> None:
    with pytest.raises(Unpackable):
        unpack(text([-1, 1], classes=("os:mkdir",)), HERE)


@pytest.mark.parametrize(
    ("nodes", "classes", "last"),
    [
        ([[-1 - FIRST, 1]], ("Point",), None),  # too few parts, and too many
        ([[-1 - FIRST, 1, 2, 3, 4]], ("Point",), None),
        ([[-1 - FIRST]], ("Doubled",), None), ([[-1 - FIRST, 1, 2]], ("Doubled",), None),
        ([[-1 - FIRST, "GREEN"]], ("Colour",), None), ([[-1 - FIRST]], ("Colour",), None),
        ([[-1 - FIRST, 1]], (), None), ([[FIRST, 1]], (), None),  # no such class
        ([[0, [0]]], (), None), ([[0, [1]], [-1]], (), None),  # of itself, and of what comes later
        ([[-1]], (), [1]), ([[-1]], (), 0), ([], (), [0]), ([[]], (), None),
        ([[-5, "x"]], (), None), ([[-5]], (), None), ([[-6, 1]], (), None),
        ([[-2], [2, [0]]], (), None), ([["0", 1]], (), None), ([3], (), None),
        ([[-7, 0]], (), None), ([[-7, 0, 1]], (), None), ([[-7, -1, 0]], (), None),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_is_refused(nodes: Any, classes: tuple[str, ...], last: object) -> None:
    with pytest.raises(Unpackable):
        unpack(text(*nodes, classes=classes, last=last), HERE)


@pytest.mark.parametrize("data", [b"", b"[]", b"[[],[]]", b"{}", b"\xff", b"[" * 10**5, b"null"])
def test_what_is_no_packed_text_is_refused(data: bytes) -> None:
    with pytest.raises(Unpackable):
        unpack(data, HERE)
    assert issubclass(Unpackable, ValueError)
