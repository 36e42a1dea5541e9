"""Kernels as typed nodes: what lowering builds, passes rewrite and backends translate.

Values are whole numbers of 64 bits, floats and truths; a truth stands only where something depends
on it.  Arrays are named and never values; a record is gone: its fields have dotted names
(`g.state`).  Control flow is structured.  Nodes compare by identity and are never shared between
places that differ, but expressions may be: a pass that changes one makes a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, get_args

from attrs import define, field

from rulewright.compiler.ir.expressions import (
    AND,
    ATOM,
    BUILT_IN,
    CHOICE,
    COMPARED,
    NOT,
    OPERATIONS,
    OR,
    Array,
    Call,
    Choice,
    Const,
    Element,
    Expr,
    Local,
    Logic,
    Op,
    Operation,
    Value,
    as_expr,
    choice,
    has_call,
    op,
    operation,
    parts,
    same,
    truth,
    with_parts,
)
from rulewright.compiler.ir.types import NOTHING, Signature, Types

__all__ = [
    "AND", "APART", "ATOM", "ATOMIC", "BUILT_IN", "CHOICE", "COMPARED", "NOT", "OPERATIONS", "OR",
    "Array", "Break", "Call", "Choice", "Const", "Continue", "Do", "Element", "Expr", "For",
    "Function", "If", "Local", "Logic", "Module", "Op", "Operation", "Return", "Set", "Stmt",
    "Store", "Value", "While", "as_expr", "blocks", "calls", "choice", "gives_nothing", "has_call",
    "length", "methods", "op", "operation", "parts", "same", "statements", "truth",
    "values", "with_parts",
]  # fmt: skip


# --- statements ---


@define(eq=False)
class Set:
    """A name gets a value."""

    name: str
    value: Expr


@define(eq=False)
class Store:
    """An element of an array gets a value."""

    array: Array
    index: Expr
    value: Expr


@define(eq=False)
class Do:
    """A call as a statement; its value is dropped."""

    call: Call


@define(eq=False)
class If:
    """One block or the other."""

    test: Expr
    then: list[Stmt]
    otherwise: list[Stmt] = field(factory=list)


@define(eq=False)
class While:
    """A block that is repeated as long as a truth holds."""

    test: Expr
    body: list[Stmt]


@define(eq=False)
class For:
    """`for name in range(low, high, step)`: the ends are worked out once; the step is known.

    The count is kept apart, so that the body may change the name.
    """

    name: str
    low: Expr
    high: Expr
    step: int
    body: list[Stmt]


@define(eq=False)
class Break:
    """Leave the loop."""


@define(eq=False)
class Continue:
    """Begin the loop's next round."""


@define(eq=False)
class Return:
    """Leave the kernel."""

    value: Expr | None = None


Stmt = Set | Store | Do | If | While | For | Break | Continue | Return


# --- functions ---

APART = "apart"
"""The decorator of a kernel that stands apart."""
ATOMIC = "atomic"
"""The decorator of a kernel that no other thread sees half done."""


@define(eq=False)
class Function:
    """One kernel; `locals` are the types of all its names that hold numbers, parameters first.

    One that stands `apart` (`@apart`) is never written into those that call it.  One that is
    `atomic` adds to an element of an array in one step; it is `old = words[at]`,
    `words[at] = old + more`, `return old`.
    """

    name: str
    signature: Signature
    locals: dict[str, str] = field(factory=dict)
    body: list[Stmt] = field(factory=list)
    apart: bool = False
    atomic: bool = False


@define(eq=False, slots=False)
class Module:
    """Kernels in order, with the constants and records that their text declares."""

    functions: dict[str, Function]
    constants: Mapping[str, int] = field(factory=dict)
    types: Types = field(factory=Types)
    outside: Mapping[str, Signature] = field(factory=dict)
    """Kernels of other modules that these may call."""

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        """The signatures of all kernels that can be called here, by name."""
        own = {name: function.signature for name, function in self.functions.items()}
        return {**self.outside, **own}

    def add(self, functions: Iterable[Function]) -> None:
        """Append kernels."""
        self.functions |= {function.name: function for function in functions}
        self.forget()

    def forget(self) -> None:
        """Drop the cached signatures: there are more kernels."""
        self.__dict__.pop("signatures", None)

    @property
    def length(self) -> int:
        """Lines of all kernels as text, about: a statement takes one, a kernel three besides."""
        return sum(length(function.body) + 3 for function in self.functions.values())


# --- walking ---


_VALUES: Mapping[type, Callable[[Any], tuple[Expr, ...]]] = {
    Set: lambda s: (s.value,),
    Store: lambda s: (s.value, s.index),
    Do: lambda s: (s.call,),
    If: lambda s: (s.test,),
    While: lambda s: (s.test,),
    For: lambda s: (s.low, s.high),
    Return: lambda s: () if s.value is None else (s.value,),
}
_BLOCKS: Mapping[type, Callable[[Any], tuple[list[Stmt], ...]]] = {
    If: lambda s: (s.then, s.otherwise),
    While: lambda s: (s.body,),
    For: lambda s: (s.body,),
}


def blocks(s: Stmt) -> tuple[list[Stmt], ...]:
    """Return the blocks directly inside a statement."""
    reader = _BLOCKS.get(type(s))
    return reader(s) if reader else ()


def values(s: Stmt) -> tuple[Expr, ...]:
    """Return the direct expressions of a statement, in the order in which they are evaluated."""
    reader = _VALUES.get(type(s))
    return reader(s) if reader else ()


def statements(body: list[Stmt]) -> Iterator[Stmt]:
    """Walk all statements of a block, nested ones too, in order."""
    for s in body:
        yield s
        for block in blocks(s):
            yield from statements(block)


def length(body: list[Stmt]) -> int:
    """Count the statements of a block, nested ones too."""
    return len(body) + sum(length(block) for s in body for block in blocks(s))


def calls(function: Function) -> Iterator[Call]:
    """Walk all calls in a kernel, nested ones too."""
    todo = [e for s in statements(function.body) for e in values(s)]
    while todo:
        e = todo.pop()
        if isinstance(e, Call):
            yield e
        todo += parts(e)


def methods(translator: type) -> Mapping[type, Callable[..., Any]]:
    """Return the methods of a translator by the class of the node they translate: `_set` of `Set`.

    Raises `AttributeError` if one is missing.
    """
    expressions = Const, Local, Array, Element, Op, Logic, Choice, Call
    classes = (*get_args(Stmt), *expressions)
    return {class_: getattr(translator, f"_{class_.__name__.lower()}") for class_ in classes}


def gives_nothing(function: Function) -> bool:
    """Return whether a kernel returns nothing."""
    return function.signature.gives == NOTHING
