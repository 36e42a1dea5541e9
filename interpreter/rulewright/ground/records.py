"""What the records of the trees have in common, and how they become JSON and records again.

Hundreds of small classes are made whenever the package is loaded, and attrs writes and compiles the
methods of each.  So records share `__repr__`, `__eq__` and `__hash__`: `record` is attrs' `frozen`
without these three, which saves a tenth of a start (docs/trials.md).

Packing: in, attrs records of named modules, with numbers, texts, tuples, lists, dictionaries, sets
and enums in them; out, bytes without anything that could be run, and from them equal records that
share what they shared.  Unpacking makes records and enums of the modules that the caller names, and
refuses everything else.

The text is a list of class names and a list of nodes, each after those that it refers to.  A node
is `[kind, part, ...]`; a part is a number, a text, a truth or null itself, or `[n]` for node n.
Nodes that refer to none have the kind -1 - kind: most of a large board is such lists of numbers.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

if TYPE_CHECKING:
    from attrs import frozen as record

T = TypeVar("T")

__all__ = [
    "Brief", "Record", "Unpackable", "as_json", "field_types", "fields_as_json", "is_record",
    "names_of", "pack", "record", "spelled", "uncollected", "unpack",
]  # fmt: skip


if not TYPE_CHECKING:

    def record(kind):
        """A class of records: what never changes is its own copy."""
        made = attrs.frozen(repr=False, eq=False)(kind)
        made.__copy__ = made.__deepcopy__ = _itself
        return made


def _itself(thing: T, _: object = None) -> T:
    return thing


class Unchanging:
    """Never changes, so that it is its own copy."""

    __slots__ = ()
    __copy__ = __deepcopy__ = _itself


_NAMES: dict[type[Any], tuple[str, ...]] = {}
"""The fields of classes of attrs; of these, below, those that a call fills, and those compared."""
_FILLED: dict[type[Any], tuple[str, ...]] = {}
_COMPARED: dict[type[Any], tuple[str, ...]] = {}
_IS_RECORD: dict[type[Any], bool] = {}


def _attributes(kind: Any) -> tuple[attrs.Attribute[Any], ...]:
    """The fields of a class of attrs, inherited ones first; none of other classes."""
    fields: tuple[attrs.Attribute[Any], ...] = getattr(kind, "__attrs_attrs__", ())
    return fields


def is_record(kind: type) -> bool:
    """Whether attrs made a class."""
    if kind not in _IS_RECORD:
        _IS_RECORD[kind] = attrs.has(kind)
    return _IS_RECORD[kind]


def names_of(kind: type) -> tuple[str, ...]:
    """The fields of a class of attrs; none of other classes."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in _attributes(kind))
    return _NAMES[kind]


def _filled(kind: type) -> tuple[str, ...]:
    """The fields that a call fills, without those that a record works out by itself."""
    if kind not in _FILLED:
        _FILLED[kind] = tuple(field.name for field in _attributes(kind) if field.init)
    return _FILLED[kind]


def field_types(kind: type) -> dict[str, str]:
    """The fields of a class and what it says of their types."""
    return {field.name: str(field.type) for field in _attributes(kind)}


def _fields(kind: type) -> tuple[str, ...]:
    """The fields that equality compares; places in a text are none of them."""
    if kind not in _COMPARED:
        _COMPARED[kind] = tuple(field.name for field in _attributes(kind) if field.eq)
    return _COMPARED[kind]


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


# --- packing ---


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage in this block: it builds large trees, and that takes a quarter of it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


_SMALL = 2**4096
"""Numbers from here on are written in base 16: Python reads no decimals of any length."""
_CONTAINERS: tuple[type, ...] = (tuple, list, set, frozenset)
_LARGE, _DICT = len(_CONTAINERS), len(_CONTAINERS) + 1
_CLASSES = _DICT + 1
"""The kinds from here on are the named classes."""


def as_json(value: Any) -> Any:
    """A value as JSON has it; a record says itself by `as_data` what it tells, or tells all."""
    kind = type(value)
    if kind in _SIMPLE:
        return value
    if kind is tuple or kind is list:
        return [as_json(item) for item in value]
    if hasattr(value, "as_data"):  # before what asks for classes of the standard library, slowly
        return value.as_data()
    match value:
        case dict() | Mapping():
            return {str(key): as_json(item) for key, item in value.items()}
        case tuple() | list():
            return [as_json(item) for item in value]
        case frozenset():
            return sorted(value)
    if is_record(kind):
        return {name: as_json(getattr(value, name)) for name in names_of(kind)}
    return value


def fields_as_json(record: object, names: str) -> dict[str, Any]:
    """Fields of a record as JSON has them; one that is named `field?` is null where it is empty."""
    values = {name: (getattr(record, name), may) for name, may in _wanted(names)}
    return {n: None if may and not value else as_json(value) for n, (value, may) in values.items()}


def spelled(thing: object) -> str:
    """All fields of a record, places in a text too: the same text for what is the same all over."""
    kind = type(thing)
    if is_record(kind):
        return f"{kind.__name__}({','.join(spelled(getattr(thing, n)) for n in names_of(kind))})"
    if isinstance(thing, tuple | list):
        return f"({','.join(map(spelled, thing))})"
    if isinstance(thing, set | frozenset):
        return f"{{{','.join(sorted(map(spelled, thing)))}}}"
    if isinstance(thing, dict):
        return f"{{{','.join(f'{spelled(k)}:{spelled(v)}' for k, v in thing.items())}}}"
    return repr(thing)


_SIMPLE = frozenset((str, int, float, bool, type(None)))


@cache
def _wanted(names: str) -> tuple[tuple[str, bool], ...]:
    """The fields of a list of names, each with whether it is null where it is empty."""
    return tuple((name.rstrip("?"), name.endswith("?")) for name in names.split())


class Unpackable(ValueError):
    """The bytes are no packed records, or those of other classes."""


class _Packer:
    """Writes nodes, every thing once."""

    def __init__(self, given: Sequence[object]) -> None:
        self.classes: dict[type, int] = {}
        self.nodes: list[list[Any]] = []
        self._given = len(given)
        self._known = {id(thing): ([number], thing) for number, thing in enumerate(given)}

    def part(self, thing: Any) -> Any:
        """How a node says *thing*."""
        if thing is None or type(thing) in (str, bool, float):
            return thing
        if type(thing) is int and -_SMALL <= thing < _SMALL:
            return thing
        if id(thing) not in self._known:
            kind, *parts = self._node(thing)
            alone = all(type(part) is not list for part in parts)
            self.nodes.append([-1 - kind if alone else kind, *parts])
            number = self._given + len(self.nodes) - 1
            self._known[id(thing)] = [number], thing  # kept alive: its id is its name
        return self._known[id(thing)][0]

    def _node(self, thing: Any) -> list[Any]:
        kind = type(thing)
        if kind is int:
            return [_LARGE, f"{thing:x}"]
        if kind is dict:
            return [_DICT, *(self.part(item) for pair in thing.items() for item in pair)]
        if kind in _CONTAINERS:
            return [_CONTAINERS.index(kind), *map(self.part, thing)]
        if isinstance(thing, Enum):
            return [self._class(kind), thing.name]
        if is_record(kind):
            return [self._class(kind), *(self.part(getattr(thing, n)) for n in _filled(kind))]
        raise TypeError(f"{kind.__name__} cannot be packed")

    def _class(self, kind: type) -> int:
        return _CLASSES + self.classes.setdefault(kind, len(self.classes))


def pack(thing: object, given: Sequence[object] = ()) -> bytes:
    """The bytes of a record; raises `RecursionError` when it is nested too deeply.

    Of what is *given*, which `unpack` is given too, only the number is written.
    """
    packer = _Packer(given)
    last = packer.part(thing)
    named = [f"{kind.__module__}:{kind.__qualname__}" for kind in packer.classes]
    return json.dumps([named, packer.nodes, last], separators=(",", ":")).encode()


def unpack(data: bytes, modules: Collection[str], given: Sequence[object] = ()) -> Any:
    """The record that was packed, of classes of *modules*; raises `Unpackable`."""
    try:
        with uncollected():
            return _unpacked(data, modules, given)
    except Exception as error:  # a record may refuse its fields as it likes
        raise Unpackable(repr(error)) from None


def _unpacked(data: bytes, modules: Collection[str], given: Sequence[object]) -> Any:
    named, nodes, last = json.loads(data)
    makers = [*_PLAIN, *(_maker(name, frozenset(modules)) for name in named)]
    made: list[Any] = list(given)
    for kind, *parts in nodes:
        if kind < 0:
            made.append(makers[-1 - kind](parts))
        else:
            made.append(makers[kind]([made[p[0]] if type(p) is list else p for p in parts]))
    return made[last[0]]


def _pairs(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


_PLAIN: tuple[Callable[[list[Any]], Any], ...] = (
    *_CONTAINERS, lambda parts: int(parts[0], 16), _pairs
)  # fmt: skip
"""What makes a thing of its parts, by kind."""


@cache
def _maker(named: str, modules: frozenset[str]) -> Callable[[list[Any]], Any]:
    module, _, name = named.partition(":")
    if module not in modules:
        raise Unpackable(f"{module} is no module of records")
    kind = getattr(import_module(module), name)
    if not isinstance(kind, type) or kind.__module__ != module:
        raise Unpackable(f"{named} is no record")
    if issubclass(kind, Enum):
        return lambda parts: kind[parts[0]]
    if not is_record(kind):
        raise Unpackable(f"{named} is no record")
    return _record_maker(kind)


def _record_maker(kind: type) -> Callable[[list[Any]], Any]:
    """Makes a record as its class does; faster where that only fills the fields."""
    names, put = _filled(kind), object.__setattr__
    if len(names) < len(names_of(kind)) or hasattr(kind, "__attrs_post_init__"):
        given = [a.alias for a in attrs.fields(kind) if a.init]
        return lambda parts: kind(**dict(zip(given, parts, strict=True)))

    def make(parts: list[Any]) -> Any:
        made: Any = object.__new__(kind)
        for name, part in zip(names, parts, strict=True):
            put(made, name, part)
        return made

    return make
