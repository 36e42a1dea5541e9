"""What the records of the trees have in common, and how they become JSON and records again.

Hundreds of small classes are made whenever the package is loaded.  attrs needs 0.4 ms for each: it
writes methods as text and compiles them, and tells everything about every field.  So records share
`__repr__`, `__eq__` and `__hash__`; `record` makes classes of plain fields without any text, and
attrs is asked about their fields only when somebody asks attrs.

Packing: in, attrs records of named modules, with numbers, texts, tuples, lists, dictionaries, sets
and enums in them; out, bytes without anything that could be run, and from them equal records that
share what they shared.  Unpacking makes records and enums of the modules that the caller names, and
refuses everything else.

The text is a list of class names and a list of nodes, each after those that it refers to.  A node
is `[kind, part, ...]`; a part is a number, a text, a truth or null itself, or `[n]` for node n.
Nodes that refer to none have the kind -1 - kind: most of a large board is such lists of numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

if TYPE_CHECKING:
    from attrs import frozen as record

__all__ = [
    "Brief", "Record", "Unpackable", "as_json", "field_types", "fields_as_json", "is_record",
    "names_of", "pack", "record", "spelled", "unpack",
]  # fmt: skip


class _Field(NamedTuple):
    """A field of a record: its default is `attrs.NOTHING` where it has none."""

    name: str
    default: Any
    named: bool
    """Given by its name only."""
    counts: bool
    """For equality; places in a text do not."""
    type: Any


_KNOWN: dict[type[Any], tuple[_Field, ...]] = {}
_NAMES: dict[type[Any], tuple[str, ...]] = {}
_COUNTED: dict[type[Any], tuple[str, ...]] = {}
_PLAIN_KINDS: set[type[Any]] = set()
"""The classes that attrs was not asked for."""


def _known(kind: Any) -> tuple[_Field, ...]:
    """The fields of a class of records or of attrs, inherited ones first; none of other classes."""
    if kind not in _KNOWN:
        told = getattr(kind, "__attrs_attrs__", ())
        _KNOWN[kind] = tuple(_Field(a.name, a.default, a.kw_only, bool(a.eq), a.type) for a in told)
    return _KNOWN[kind]


def is_record(kind: type) -> bool:
    """Whether a class is one of records or of attrs."""
    return kind in _PLAIN_KINDS or attrs.has(kind)


def names_of(kind: type) -> tuple[str, ...]:
    """The fields of a class of records or of attrs; none of other classes."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in _known(kind))
    return _NAMES[kind]


def field_types(kind: type) -> dict[str, str]:
    """The fields of a class and what it says of their types."""
    return {field.name: str(field.type) for field in _known(kind)}


def _fields(kind: type) -> tuple[str, ...]:
    """The fields that count for equality."""
    if kind not in _COUNTED:
        _COUNTED[kind] = tuple(field.name for field in _known(kind) if field.counts)
    return _COUNTED[kind]


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


# --- classes of plain fields ---


def _made(kind: type) -> type:
    """A class as `attrs.frozen(repr=False, eq=False)` makes it, in a tenth of its time."""
    own = _own(kind)
    fields = None if own is None else (*_inherited(kind), *own)
    if own is None or fields is None or not _plain(fields):
        return attrs.frozen(repr=False, eq=False)(kind)
    names = {field.name for field in own}
    body = {n: v for n, v in vars(kind).items() if n not in names and n not in _REPLACED}
    weak = () if any(hasattr(base, "__weakref__") for base in kind.__bases__) else ("__weakref__",)
    body |= _SHARED | {
        "__qualname__": kind.__qualname__, "__slots__": (*(f.name for f in own), *weak),
        "__attrs_attrs__": _Told(kind),
        "__match_args__": tuple(field.name for field in fields if not field.named),
    }  # fmt: skip
    made = type(kind)(kind.__name__, kind.__bases__, body)
    _KNOWN[made] = fields
    _PLAIN_KINDS.add(made)
    made.__init__ = _filling(made, fields)  # type: ignore[misc]
    _move_cells(kind, made)
    return made


if not TYPE_CHECKING:
    record = _made

_REPLACED = frozenset(("__dict__", "__weakref__"))
_OWN = frozenset(("__init__", "__setattr__", "__getstate__", "__setstate__", "__slots__"))
"""What a class may have of its own; attrs then knows what to do."""


def _own(kind: type) -> list[_Field] | None:
    """The fields that a class adds; None where attrs has to read them."""
    if any(name in _OWN or isinstance(v, cached_property) for name, v in vars(kind).items()):
        return None
    found = []
    for name, told in kind.__annotations__.items():
        if not isinstance(told, str) or "ClassVar" in told or name.startswith("__"):
            return None
        default = vars(kind).get(name, attrs.NOTHING)
        if isinstance(default, _TO_ATTRS):
            return None
        found.append(_Field(name, default, False, True, told))
    return found


_TO_ATTRS: tuple[Any, ...] = type(attrs.field()), attrs.Factory
"""Defaults that say more than a value."""


def _inherited(kind: type) -> list[_Field]:
    """The fields of the classes above, farthest first."""
    above = {field.name: field for base in reversed(kind.__mro__[1:]) for field in _known(base)}
    return list(above.values())


def _plain(fields: tuple[_Field, ...]) -> bool:
    """Whether to fill such fields is all that there is to do."""
    names = {field.name for field in fields}
    lasts = [field.default is not attrs.NOTHING for field in fields if not field.named]
    made = any(isinstance(field.default, _TO_ATTRS) for field in fields)
    return len(names) == len(fields) and lasts == sorted(lasts) and not made


class _Told:
    """What attrs tells of a class, once somebody asks."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __get__(self, thing: object, owner: type) -> Any:
        if "__attrs_attrs__" not in vars(self._kind):
            attrs.frozen(repr=False, eq=False, init=False, slots=False)(self._kind)
        told = vars(self._kind)["__attrs_attrs__"]
        if vars(owner).get("__attrs_attrs__") is self:
            owner.__attrs_attrs__ = told  # type: ignore[attr-defined]
        return told


def _filling(kind: type, fields: tuple[_Field, ...]) -> FunctionType:
    """The `__init__` of a class: what puts each argument into its place."""
    ordered = sorted(fields, key=lambda field: field.named)
    named = sum(field.named for field in fields)
    code = _template(len(fields) - named, named, hasattr(kind, "__attrs_post_init__"))
    names = [field.name.lstrip("_") for field in ordered]
    puts = {f"put{i}": getattr(kind, field.name).__set__ for i, field in enumerate(ordered)}
    given = {
        n: f.default for n, f in zip(names, ordered, strict=True) if f.default is not attrs.NOTHING
    }
    made = FunctionType(code.replace(co_varnames=("self", *names)), puts, "__init__")
    made.__defaults__ = tuple(given[n] for n in names[: len(names) - named] if n in given)
    made.__kwdefaults__ = {n: given[n] for n in names[len(names) - named :] if n in given}
    made.__annotations__ = {n: f.type for n, f in zip(names, ordered, strict=True)}
    made.__annotations__["return"] = None
    made.__qualname__, made.__module__ = f"{kind.__qualname__}.__init__", kind.__module__
    return made


@cache
def _template(places: int, named: int, goes_on: bool) -> CodeType:
    """The code of all `__init__` with so many arguments, whatever their names are."""
    numbers = range(places + named)
    heads = [f"a{i}" for i in numbers]
    takes = ", ".join(["self", *heads[:places], *(["*"] if named else []), *heads[places:]])
    lines = [*(f"put{i}(self, a{i})" for i in numbers), "self.__attrs_post_init__()"]
    found: dict[str, Any] = {}
    exec(
        f"def made({takes}):\n " + "\n ".join(lines if goes_on else [*lines[:-1], "return"]), found
    )
    code: CodeType = found["made"].__code__
    return code


def _move_cells(old: type, new: type) -> None:
    """`super()` in methods means the class that is used."""
    for thing in vars(new).values():
        inner = getattr(thing, "fget", None) or getattr(thing, "func", None) or thing
        for cell in getattr(getattr(inner, "__func__", inner), "__closure__", None) or ():
            if cell.cell_contents is old:
                cell.cell_contents = new


def _kept(self: Any) -> dict[str, Any]:
    """What a copy is made of."""
    return {name: getattr(self, name) for name in names_of(type(self))}


def _keep(self: Any, state: Mapping[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)


@attrs.frozen
class _Frozen:
    """What refuses to be changed as attrs has it."""


_SHARED: dict[str, Any] = {
    "__setattr__": _Frozen.__setattr__, "__delattr__": _Frozen.__delattr__,
    "__getstate__": _kept, "__setstate__": _keep,
}  # fmt: skip
"""What all classes of plain fields have in common."""

# --- packing ---

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
        return [as_json(one) for one in value]
    if hasattr(value, "as_data"):  # before what asks for classes of the standard library, slowly
        return value.as_data()
    match value:
        case dict() | Mapping():
            return {str(key): as_json(one) for key, one in value.items()}
        case tuple() | list():
            return [as_json(one) for one in value]
        case frozenset():
            return sorted(value)
    if is_record(kind):
        return {name: as_json(getattr(value, name)) for name in names_of(kind)}
    return value


def fields_as_json(record: object, names: str) -> dict[str, Any]:
    """Fields of a record as JSON has them; one that is named `field?` is null where it is empty."""
    known = {name: (getattr(record, name), may) for name, may in _told(names)}
    return {n: None if may and not one else as_json(one) for n, (one, may) in known.items()}


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
def _told(names: str) -> tuple[tuple[str, bool], ...]:
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
            return [_DICT, *(self.part(one) for pair in thing.items() for one in pair)]
        if kind in _CONTAINERS:
            return [_CONTAINERS.index(kind), *map(self.part, thing)]
        if isinstance(thing, Enum):
            return [self._class(kind), thing.name]
        if is_record(kind):
            return [self._class(kind), *(self.part(getattr(thing, n)) for n in _names(kind))]
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
        named, nodes, last = json.loads(data)
        makers = [*_PLAIN, *(_maker(name, frozenset(modules)) for name in named)]
        made: list[Any] = list(given)
        for kind, *parts in nodes:
            if kind < 0:
                made.append(makers[-1 - kind](parts))
            else:
                made.append(makers[kind]([made[p[0]] if type(p) is list else p for p in parts]))
        return made[last[0]]
    except Exception as error:  # a record may refuse its fields as it likes
        raise Unpackable(repr(error)) from None


def _pairs(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


_PLAIN: tuple[Callable[[list[Any]], Any], ...] = (
    *_CONTAINERS, lambda parts: int(parts[0], 16), _pairs
)  # fmt: skip
"""What makes a thing of its parts, by kind."""


def _names(kind: type) -> Sequence[str]:
    """The fields of a record that it is made of, without those that it works out by itself."""
    if kind in _PLAIN_KINDS:
        return names_of(kind)
    return [a.name for a in attrs.fields(kind) if a.init]


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
    names, put = _names(kind), object.__setattr__
    if len(names) < len(names_of(kind)) or hasattr(kind, "__attrs_post_init__"):
        given = [a.alias for a in attrs.fields(kind) if a.init]
        return lambda parts: kind(**dict(zip(given, parts, strict=True)))

    def make(parts: list[Any]) -> Any:
        made: Any = object.__new__(kind)
        for name, part in zip(names, parts, strict=True):
            put(made, name, part)
        return made

    return make
