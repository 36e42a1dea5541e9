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
    """Return the type that a class of Python declares for kernels: a record or a layout."""
    names = get_annotations(class_)
    if issubclass(class_, GuardedArray):
        return Layout(class_.__bases__[0].__name__, {name: place(class_, name) for name in names})
    return RecordType({name: str(inner) for name, inner in names.items()})


@define(repr=False, eq=False)
class Types(Record):
    """The records and layouts that a module declares."""

    declared: dict[str, RecordType | Layout] = field(factory=dict)

    def base(self, type_: str) -> str:
        """Return the array type below a layout; every other type is its own."""
        declaration = self.declared.get(type_)
        return declaration.array if isinstance(declaration, Layout) else type_

    def flat(self, name: str, type_: str) -> Iterator[tuple[str, str]]:
        """Flatten a value: the fields of a record by dotted names, with their types."""
        declaration = self.declared.get(type_)
        if isinstance(declaration, RecordType):
            for part, inner in declaration.fields.items():
                yield from self.flat(f"{name}.{part}", inner)
        else:
            yield name, self.base(type_)

    def paths(self, name: str, type_: str) -> Iterator[tuple[str, str]]:
        """Walk a name and all dotted names below it, with their types."""
        yield name, type_
        declaration = self.declared.get(type_)
        if isinstance(declaration, RecordType):
            for part, inner in declaration.fields.items():
                yield from self.paths(f"{name}.{part}", inner)


@record
class Signature(Record):
    """Names and types of the parameters, as written and as handed over; the type of the result."""

    parameters: tuple[tuple[str, str], ...]
    gives: str
    flat: tuple[tuple[str, str], ...] = field()

    @flat.default
    def _default_flat(self) -> tuple[tuple[str, str], ...]:
        return self.parameters

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, str]], gives: str, types: Types) -> Signature:
        """Make the signature of a kernel that may take records."""
        pairs = tuple(parameters)
        return cls(pairs, gives, tuple(f for n, t in pairs for f in types.flat(n, t)))

    @classmethod
    def of_lists(cls, parameters: list[list[str]], gives: str, flat: list[list[str]]) -> Signature:
        """Make the signature whose fields JSON has made lists of."""
        return cls(tuple(map(tuple, parameters)), gives, tuple(map(tuple, flat)))  # type: ignore[arg-type]


def is_internal(name: str) -> bool:
    """Whether a kernel is called in its own module only, as those of one player are."""
    return name.endswith(("_0", "_1"))
