"""Types of kernels: numbers, arrays, records that stand for their fields, arrays with names.

In: what a module declares.  Out: what is handed over for a value of each type, and signatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from inspect import get_annotations

from attrs import define, field

from rulewright.compiler.runtime import GuardedArray, place
from rulewright.ground.records import Record, record

INT, FLOAT, INTS, FLOATS, NOTHING, BOOL = "i64", "f64", "ints", "floats", "None", "bool"
SCALARS = (INT, FLOAT)
ARRAYS = {INTS: INT, FLOATS: FLOAT}
"""Arrays, and the type of their elements."""


@record
class RecordType(Record):
    """Named fields that are handed over together: numbers, arrays, other records."""

    fields: Mapping[str, str]


@record
class Layout(Record):
    """An array some of whose elements have names."""

    array: str
    words: Mapping[str, int]


def declared_by(class_: type) -> RecordType | Layout:
    """What a class of Python declares for kernels: a record, or an array with names."""
    names = get_annotations(class_)
    if issubclass(class_, GuardedArray):
        return Layout(class_.__bases__[0].__name__, {name: place(class_, name) for name in names})
    return RecordType({name: str(inner) for name, inner in names.items()})


@define(repr=False, eq=False)
class Types(Record):
    """The records and layouts that a module declares."""

    declared: dict[str, RecordType | Layout] = field(factory=dict)

    def base(self, type_: str) -> str:
        """The type of an array without the names of its words; every other type is its own."""
        found = self.declared.get(type_)
        return found.array if isinstance(found, Layout) else type_

    def flat(self, name: str, type_: str) -> Iterator[tuple[str, str]]:
        """What is handed over for a value of a type: the fields of a record by dotted names."""
        found = self.declared.get(type_)
        if isinstance(found, RecordType):
            for part, inner in found.fields.items():
                yield from self.flat(f"{name}.{part}", inner)
        else:
            yield name, self.base(type_)

    def named(self, name: str, type_: str) -> Iterator[tuple[str, str]]:
        """A name and all the dotted names below it, with their types."""
        yield name, type_
        found = self.declared.get(type_)
        if isinstance(found, RecordType):
            for part, inner in found.fields.items():
                yield from self.named(f"{name}.{part}", inner)


@record
class Signature(Record):
    """Names and types of the parameters, as written and as handed over; the type of the result."""

    parameters: tuple[tuple[str, str], ...]
    gives: str
    flat: tuple[tuple[str, str], ...] = field()

    @flat.default
    def _no_records(self) -> tuple[tuple[str, str], ...]:
        return self.parameters

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, str]], gives: str, types: Types) -> Signature:
        """The signature of a kernel that may take records."""
        written = tuple(parameters)
        return cls(written, gives, tuple(f for n, t in written for f in types.flat(n, t)))

    @classmethod
    def of_lists(cls, parameters: list[list[str]], gives: str, flat: list[list[str]]) -> Signature:
        """The signature whose fields JSON has made lists of."""
        return cls(tuple((n, t) for n, t in parameters), gives, tuple((n, t) for n, t in flat))


def is_internal(name: str) -> bool:
    """Whether a kernel is known in its own module only: those of one player are."""
    return name.endswith(("_0", "_1"))
