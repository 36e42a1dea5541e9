"""Modules as plain lists: what is kept of kernels between runs, and what names their code.

In: a module.  Out: a text in JSON, the same for the same nodes and another one for others, and from
it these nodes again.

In an expression the name of a number is a text, a constant is a number or a truth.  All else is
`[kind, part, ...]`, as statements are; the kind of an operation is its name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Expr, Function, Module, Stmt
from rulewright.compiler.ir.types import BOOL, FLOAT, INT, Layout, RecordType, Signature, Types


def pack(module: Module) -> str:
    """Pack a module into a text in JSON."""
    declared = {
        name: [type_.array, type_.words] if isinstance(type_, Layout) else [None, type_.fields]
        for name, type_ in module.types.declared.items()
    }
    outside = {name: _signature(signature) for name, signature in module.outside.items()}
    kernels = [[f.name, *pack_kernel(f)] for f in module.functions.values()]
    return _spelled([module.constants, declared, outside, kernels])


def unpack(text: str) -> Module:
    """Unpack the module of a text in JSON."""
    constants, declared, outside, kernels = json.loads(text)
    types = {
        name: RecordType(parts) if array is None else Layout(array, parts)
        for name, (array, parts) in declared.items()
    }
    signatures = {name: Signature.of_lists(*parts) for name, parts in outside.items()}
    functions = {name: _kernel(name, *parts) for name, *parts in kernels}
    return Module(functions, constants, Types(types), signatures)


def reads(text: str, element: n.Element) -> bool:
    """Whether any kernel of a packed module reads an element."""
    return _spelled(_expr(element)) in text


def _spelled(parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"))


def pack_kernel(f: Function) -> tuple[Any, ...]:
    """Pack a kernel without its name: equal results mean equal kernels."""
    locals_ = tuple(f.locals.items())
    return (f.apart, f.atomic, _signature(f.signature), locals_, _block(f.body))


def _kernel(name: str, *parts: Any) -> Function:
    apart, atomic, takes, pairs, body = parts
    types = dict(pairs)
    block = _Unpacker(types).block(body)
    return Function(name, Signature.of_lists(*takes), types, block, apart, atomic)


def _signature(signature: Signature) -> tuple[Any, ...]:
    return signature.parameters, signature.gives, signature.flat


# --- from nodes ---


def _expr(e: Expr) -> Any:
    return _PACK[type(e)](e)


def _const(e: n.Const) -> Any:
    if e.name:
        return _NAMED, e.value, e.name
    return _NUMBERS[e.type](e.value)


def _block(body: Sequence[Stmt]) -> tuple[Any, ...]:
    return tuple([_PACK[type(s)](s) for s in body])


_NUMBERS: Mapping[str, type] = {INT: int, FLOAT: float, BOOL: bool}
_TYPES = {number: type_ for type_, number in _NUMBERS.items()}
_NAMED, _ARRAY, _ELEMENT, _LOGIC, _CHOICE, _CALL = range(6)
_SET, _STORE, _DO, _IF, _WHILE, _FOR, _BREAK, _CONTINUE, _RETURN = range(9)
_PACK: Mapping[type, Callable[[Any], Any]] = {
    n.Local: lambda e: e.name,
    n.Const: _const,
    n.Op: lambda e: (e.name, *map(_expr, e.args)),
    n.Array: lambda e: (_ARRAY, e.name, e.type),
    n.Element: lambda e: (_ELEMENT, e.array.name, e.array.type, _expr(e.index), e.volatile),
    n.Logic: lambda e: (_LOGIC, e.both, *map(_expr, e.items)),
    n.Choice: lambda e: (_CHOICE, _expr(e.test), _expr(e.then), _expr(e.otherwise)),
    n.Call: lambda e: (_CALL, e.name, e.type, *map(_expr, e.args)),
    n.Set: lambda s: (_SET, s.name, _expr(s.value)),
    n.Store: lambda s: (_STORE, s.array.name, s.array.type, _expr(s.index), _expr(s.value)),
    n.Do: lambda s: (_DO, _expr(s.call)),
    n.If: lambda s: (_IF, _expr(s.test), _block(s.then), _block(s.otherwise)),
    n.While: lambda s: (_WHILE, _expr(s.test), _block(s.body)),
    n.For: lambda s: (_FOR, s.name, _expr(s.low), _expr(s.high), s.step, _block(s.body)),
    n.Break: lambda s: (_BREAK,),
    n.Continue: lambda s: (_CONTINUE,),
    n.Return: lambda s: (_RETURN,) if s.value is None else (_RETURN, _expr(s.value)),
}


# --- to nodes ---


@frozen
class _Unpacker:
    """Make the nodes of one kernel, whose locals have these types."""

    types: Mapping[str, str]

    def block(self, body: Iterable[list[Any]]) -> list[Stmt]:
        return [_STATEMENTS[kind](self, *parts) for kind, *parts in body]

    def expr(self, e: Any) -> Any:
        if type(e) is str:
            return n.Local(e, self.types[e])
        if type(e) is not list:
            return n.Const(e, _TYPES[type(e)])
        kind, *parts = e
        if type(kind) is str:
            return n.Op(kind, self.all(parts))
        return _EXPRESSIONS[kind](self, *parts)

    def all(self, parts: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(self.expr, parts))


_EXPRESSIONS: Sequence[Callable[..., Expr]] = (
    lambda u, value, name: n.Const(value, INT, name),
    lambda u, *array: n.Array(*array),
    lambda u, name, type_, index, volatile: n.Element(
        n.Array(name, type_), u.expr(index), volatile
    ),
    lambda u, both, *items: n.Logic(both, u.all(items)),
    lambda u, *sides: n.Choice(*u.all(sides)),
    lambda u, name, type_, *args: n.Call(name, u.all(args), type_),
)
_STATEMENTS: Sequence[Callable[..., Stmt]] = (
    lambda u, name, value: n.Set(name, u.expr(value)),
    lambda u, name, type_, *parts: n.Store(n.Array(name, type_), *u.all(parts)),
    lambda u, call: n.Do(u.expr(call)),
    lambda u, test, *sides: n.If(u.expr(test), *map(u.block, sides)),
    lambda u, test, body: n.While(u.expr(test), u.block(body)),
    lambda u, name, low, high, step, body: n.For(
        name, u.expr(low), u.expr(high), step, u.block(body)
    ),
    lambda u: n.Break(),
    lambda u: n.Continue(),
    lambda u, *value: n.Return(*u.all(value)),
)
