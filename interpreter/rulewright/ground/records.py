"""What the records of the trees have in common, and how they become JSON and records again.

JSON from outside: in, a text or data, and the class that says what may stand in it; out, a record
of that class, or a `DataError` that says what is wrong and where.  cattrs fills the classes, and
nothing is converted: a number in quotes is none.

Hundreds of small classes are made whenever the package is loaded, and attrs writes and compiles the
methods of each.  So records share `__repr__`, `__eq__` and `__hash__`: `record` is attrs' `frozen`
without these three, which saves a tenth of a start (docs/trials.md).
"""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

import attrs

from rulewright.errors import RulewrightError

if TYPE_CHECKING:
    from attrs import frozen as record
    from cattrs import Converter

T = TypeVar("T")

__all__ = [
    "JSON_NAME",
    "Brief",
    "DataError",
    "Record",
    "Setting",
    "arguments",
    "as_json",
    "canonical_text",
    "field_types",
    "fields_as_json",
    "from_json",
    "is_record",
    "names_of",
    "parse_json",
    "read_json",
    "record",
    "without_collection",
]  # fmt: skip


if not TYPE_CHECKING:

    def record(kind):
        """A class of records: what never changes is its own copy."""
        record_class = attrs.frozen(repr=False, eq=False)(kind)
        record_class.__copy__ = record_class.__deepcopy__ = _itself
        return record_class


def _itself(thing: T, _: object = None) -> T:
    return thing


class Unchanging:
    """Never changes, so that it is its own copy."""

    __slots__ = ()
    __copy__ = __deepcopy__ = _itself


def _by_class(work: Callable[[type], T]) -> Callable[[type], T]:
    """Remember the result of *work* for each class."""
    return cache(work)


def _attributes(kind: Any) -> tuple[attrs.Attribute[Any], ...]:
    """The fields of a class of attrs, inherited ones first; none of other classes."""
    fields: tuple[attrs.Attribute[Any], ...] = getattr(kind, "__attrs_attrs__", ())
    return fields


@_by_class
def is_record(kind: type) -> bool:
    """Whether attrs made a class."""
    return attrs.has(kind)


@_by_class
def names_of(kind: type) -> tuple[str, ...]:
    """The fields of a class of attrs; none of other classes."""
    return tuple(field.name for field in _attributes(kind))


@_by_class
def arguments(kind: type) -> tuple[str, ...]:
    """The fields that a call fills, without those that a record works out by itself."""
    return tuple(field.name for field in _attributes(kind) if field.init)


def field_types(kind: type) -> dict[str, str]:
    """The fields of a class and what it says of their types."""
    return {field.name: str(field.type) for field in _attributes(kind)}


@_by_class
def _fields(kind: type) -> tuple[str, ...]:
    """The fields that equality compares; places in a text are none of them."""
    return tuple(field.name for field in _attributes(kind) if field.eq)


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


# --- from JSON ---


Setting = int | float | bool
"""The value of an option or of a limit."""
JSON_NAME = "json"
"""In the metadata of a field: the name that JSON has for it; empty where JSON has none."""


class DataError(RulewrightError):
    """Data from outside are not of their class; the message says what is wrong, and where."""


class _Misfit(ValueError):
    """A value is of another type; the message says which it should be."""


def read_json(text: str | bytes | None, kind: type[T], strict: bool = False) -> T:
    """Read a text of JSON as a record; raises `DataError`."""
    return from_json(parse_json(text), kind, strict=strict)


def parse_json(text: str | bytes | None) -> object:
    """Parse a text of JSON; raises `DataError`, also for None, which a database may hold."""
    try:
        data: object = json.loads(text)  # type: ignore[arg-type]  # None is a TypeError
    except (ValueError, TypeError, RecursionError):
        raise DataError("this is no JSON text") from None
    return data


def from_json(data: object, kind: type[T], whole: str = "record", strict: bool = False) -> T:
    """Make a record of parsed JSON; raises `DataError` with at most three reasons.

    *whole* names the data in places, as in `record.moves`; *strict* refuses fields that the class
    has not.  An attrs class with a true `JSON_LIST` is a list of its fields.
    """
    from cattrs import BaseValidationError, transform_error  # slow to load, and seldom needed

    try:
        return _converter(strict).structure(data, kind)
    except BaseValidationError as error:
        raise DataError("; ".join(transform_error(error, whole, _reason)[:3])) from None
    except (_Misfit, AttributeError) as error:  # of the whole, and not of a part
        raise DataError(_reason(error, kind)) from None
    except RecursionError:
        raise DataError("it is nested too deeply") from None


def _reason(error: BaseException, kind: type | None) -> str:
    """Say in words why a value could not be read as a *kind*."""
    from cattrs.errors import ForbiddenExtraKeysError

    if isinstance(error, _Misfit | RulewrightError):
        return str(error)
    if isinstance(error, ForbiddenExtraKeysError):
        return f"there is no field `{_shorten(min(error.extra_fields), 40)}`"
    if isinstance(error, KeyError):
        return "it is missing"
    if kind is None and error.args:  # a validator, whose message names the attribute
        return _shorten(str(error.args[0]), 200)
    return f"that is no {getattr(kind, '__name__', kind)}"


@cache
def _converter(strict: bool) -> Converter:
    from cattrs import Converter

    converter = Converter(forbid_extra_keys=strict)
    for kind in (str, bool, int):
        converter.register_structure_hook(kind, _exact)
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(Setting, _setting)
    hooks = ((_is_list, _list_hook), (_has_numbers, _dict_hook), (attrs.has, _object_hook))
    for is_such, hook in hooks:
        converter.register_structure_hook_factory(is_such, partial(hook, converter=converter))
    return converter


def _object_hook(kind: Any, converter: Converter) -> Callable[[object, Any], object]:
    """Reads objects of JSON only: a text and a list can be asked for their parts too."""
    from cattrs.gen import make_dict_structure_fn, override

    if getattr(kind, "JSON_LIST", False):
        fields = get_type_hints(kind)
        types: Any = tuple.__class_getitem__(tuple(fields[name] for name in names_of(kind)))
        return lambda value, _: kind(*converter.structure(value, types))
    renames = {f.name: f.metadata[JSON_NAME] for f in _attributes(kind) if JSON_NAME in f.metadata}
    names = {field: override(rename=name or None, omit=not name) for field, name in renames.items()}
    fill = make_dict_structure_fn(kind, converter, **names)  # type: ignore[arg-type]

    def read(value: object, _: Any) -> object:
        if not isinstance(value, dict):
            raise _Misfit(f"{_shown(value)} is no object")
        return fill(value, kind)

    return read


def _exact(value: object, kind: type) -> object:
    if type(value) is not kind:
        raise _Misfit(f"{_shown(value)} is no {kind.__name__}")
    return value


def _number(value: object, _: type) -> float:
    """A number that is finite as a float; a truth is none.  A plan's name tells 1 from 1.0."""
    with suppress(OverflowError):
        if isinstance(value, int | float) and type(value) is not bool and math.isfinite(value):
            return value
    raise _Misfit(f"{_shown(value)} is no number")


def _setting(value: object, _: type) -> Setting:
    return value if isinstance(value, bool | int) else _number(value, float)


def _has_numbers(kind: Any) -> bool:
    return get_origin(kind) in (dict, Mapping) and get_args(kind)[0] is int


def _dict_hook(kind: Any, converter: Converter) -> Callable[[object, Any], object]:
    """Reads an object whose keys are numbers, which JSON writes as texts."""
    texts: Any = Mapping[str, get_args(kind)[1]]  # type: ignore[misc]

    def read(value: object, _: Any) -> object:
        parts: dict[str, object] = converter.structure(value, texts)
        return {int(name): part for name, part in parts.items()}

    return read


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (tuple, frozenset)


def _list_hook(kind: Any, converter: Converter) -> Callable[[object, Any], object]:
    """Reads lists only: a text is a sequence too, of its letters."""
    types, make = get_args(kind), get_origin(kind)
    hooks = [(converter.get_structure_hook(part), part) for part in types if part is not ...]
    of_any_length = make is frozenset or types[-1] is ...

    def read(value: object, _: Any) -> object:
        if type(value) is not list:
            raise _Misfit(f"{_shown(value)} is no list")
        if of_any_length:
            hook, part = hooks[0]
            return make([hook(item, part) for item in value])
        if len(value) != len(hooks):
            raise _Misfit(f"{_shown(value)} is no list of {len(hooks)}")
        return tuple([h(item, part) for (h, part), item in zip(hooks, value, strict=True)])

    return read


def _shown(value: object) -> str:
    return _shorten(json.dumps(value), 40)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


# --- records as JSON ---


@contextmanager
def without_collection() -> Iterator[None]:
    """Look for no garbage in this block: it builds large trees, and that takes a quarter of it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


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
    values = {name: (getattr(record, name), may) for name, may in _fields_in(names)}
    return {n: None if may and not value else as_json(value) for n, (value, may) in values.items()}


def canonical_text(thing: object) -> str:
    """Return a text of all fields of a record, places included; equal records have equal texts."""
    kind, text = type(thing), canonical_text
    if is_record(kind):
        return f"{kind.__name__}({','.join(text(getattr(thing, n)) for n in names_of(kind))})"
    if isinstance(thing, tuple | list):
        return f"({','.join(map(text, thing))})"
    if isinstance(thing, set | frozenset):
        return f"{{{','.join(sorted(map(text, thing)))}}}"
    if isinstance(thing, dict):
        return f"{{{','.join(f'{text(k)}:{text(v)}' for k, v in thing.items())}}}"
    return repr(thing)


_SIMPLE = frozenset((str, int, float, bool, type(None)))


@cache
def _fields_in(names: str) -> tuple[tuple[str, bool], ...]:
    """The fields of a list of names, each with whether it is null where it is empty."""
    return tuple((name.rstrip("?"), name.endswith("?")) for name in names.split())
