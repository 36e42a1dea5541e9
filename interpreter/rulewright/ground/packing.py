"""Packed records: bytes without anything that could be run, and records of them again.

In: attrs records of named modules, with numbers, texts, tuples, lists, dictionaries, sets and enums
in them.  Out: bytes, and from them equal records that share what they shared.  Refuses records and
enums of modules that the caller does not name.

The text is a list of class names and a list of nodes, each after those that it refers to.  A node
is `[kind, part, ...]`; a part is a number, a text, a truth or null itself, or `[n]` for node n.
Nodes that refer to none have the kind -1 - kind: most of a large board is such lists of numbers.
Long texts stand behind the line of JSON as they are, which takes a fifth of the time to read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from functools import cache, partial
from importlib import import_module
from typing import Any

import attrs

from rulewright.ground.records import arguments, is_record, names_of, without_collection

_SMALL = 2**4096
"""Numbers from here on are written in base 16: Python reads no decimals of any length."""
_LONG = 4096
"""Texts from this length on stand behind the nodes."""
_CONTAINERS: tuple[type, ...] = (tuple, list, set, frozenset)
_LARGE, _DICT, _BEHIND = range(len(_CONTAINERS), len(_CONTAINERS) + 3)
_CLASSES = _BEHIND + 1
"""The kinds from here on are the named classes."""


class Unpackable(ValueError):
    """Raised for bytes that are no packed records, or records of classes that have changed."""


class _Packer:
    """Writes nodes, every thing once."""

    def __init__(self, shared_parts: Sequence[object]) -> None:
        self.classes: dict[type, int] = {}
        self.nodes: list[list[Any]] = []
        self.texts = bytearray()
        self._shared = len(shared_parts)
        self._numbers = {id(thing): ([number], thing) for number, thing in enumerate(shared_parts)}

    def part(self, thing: Any) -> Any:
        """How a node says *thing*."""
        if thing is None or type(thing) in (bool, float):
            return thing
        if type(thing) is str and len(thing) < _LONG:
            return thing
        if type(thing) is int and -_SMALL <= thing < _SMALL:
            return thing
        if id(thing) not in self._numbers:
            kind, *parts = self._node(thing)
            alone = all(type(part) is not list for part in parts)
            self.nodes.append([-1 - kind if alone else kind, *parts])
            number = self._shared + len(self.nodes) - 1
            self._numbers[id(thing)] = [number], thing  # kept alive: its id is its name
        return self._numbers[id(thing)][0]

    def _node(self, thing: Any) -> list[Any]:
        kind = type(thing)
        if kind is int:
            return [_LARGE, f"{thing:x}"]
        if kind is str:
            start = len(self.texts)
            self.texts += thing.encode("utf-8", "surrogatepass")
            return [_BEHIND, start, len(self.texts)]
        if kind is dict:
            return [_DICT, *(self.part(item) for pair in thing.items() for item in pair)]
        if kind in _CONTAINERS:
            return [_CONTAINERS.index(kind), *map(self.part, thing)]
        if isinstance(thing, Enum):
            return [self._class(kind), thing.name]
        if is_record(kind):
            return [self._class(kind), *(self.part(getattr(thing, n)) for n in arguments(kind))]
        raise TypeError(f"{kind.__name__} cannot be packed")

    def _class(self, kind: type) -> int:
        return _CLASSES + self.classes.setdefault(kind, len(self.classes))


def pack(thing: object, shared_parts: Sequence[object] = ()) -> bytes:
    """The bytes of a record; raises `RecursionError` when it is nested too deeply.

    Of a part that `unpack` is given too, only the number is written.
    """
    packer = _Packer(shared_parts)
    root = packer.part(thing)
    names = [f"{kind.__module__}:{kind.__qualname__}" for kind in packer.classes]
    nodes = json.dumps([names, packer.nodes, root], separators=(",", ":"))
    return nodes.encode() + b"\n" + packer.texts


def unpack(data: bytes, modules: Collection[str], shared_parts: Sequence[object] = ()) -> Any:
    """The record that was packed, of classes of *modules*; raises `Unpackable`."""
    try:
        with without_collection():
            return _unpack(data, modules, shared_parts)
    except Exception as error:  # a record may refuse its fields as it likes
        raise Unpackable(repr(error)) from None


def _unpack(data: bytes, modules: Collection[str], shared_parts: Sequence[object]) -> Any:
    lines, _, texts = data.partition(b"\n")
    names, nodes, root = json.loads(lines)
    behind = partial(_text_behind, texts)
    makers = [*_PLAIN, behind, *(_maker(name, frozenset(modules)) for name in names)]
    things: list[Any] = list(shared_parts)
    for kind, *parts in nodes:
        if kind < 0:
            things.append(makers[-1 - kind](parts))
        else:
            things.append(makers[kind]([things[p[0]] if type(p) is list else p for p in parts]))
    return things[root[0]]


def _text_behind(texts: bytes, parts: list[Any]) -> str:
    start, end = parts
    if not 0 <= start < end <= len(texts):
        raise Unpackable("no such text")
    return texts[start:end].decode("utf-8", "surrogatepass")


def _pairs(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


_PLAIN: tuple[Callable[[list[Any]], Any], ...] = (
    *_CONTAINERS, lambda parts: int(parts[0], 16), _pairs
)  # fmt: skip
"""What makes a thing of its parts, by kind."""


@cache
def _maker(full_name: str, modules: frozenset[str]) -> Callable[[list[Any]], Any]:
    module, _, name = full_name.partition(":")
    if module not in modules:
        raise Unpackable(f"{module} is no module of records")
    kind = getattr(import_module(module), name)
    if not isinstance(kind, type) or kind.__module__ != module:
        raise Unpackable(f"{full_name} is no record")
    if issubclass(kind, Enum):
        return lambda parts: kind[parts[0]]
    if not is_record(kind):
        raise Unpackable(f"{full_name} is no record")
    return _record_maker(kind)


def _record_maker(kind: type) -> Callable[[list[Any]], Any]:
    """Makes a record as its class does; faster where that only fills the fields."""
    names, set_field = arguments(kind), object.__setattr__
    if len(names) < len(names_of(kind)) or hasattr(kind, "__attrs_post_init__"):
        aliases = [a.alias for a in attrs.fields(kind) if a.init]
        return lambda parts: kind(**dict(zip(aliases, parts, strict=True)))

    def make(parts: list[Any]) -> Any:
        thing: Any = object.__new__(kind)
        for name, part in zip(names, parts, strict=True):
            set_field(thing, name, part)
        return thing

    return make
