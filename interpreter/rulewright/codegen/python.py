"""Kernels as plain Python: the debugger's view, and the fallback without LLVM.

Arrays refuse every index out of bounds, negative ones too; sums, differences, products, quotients,
negations and shifts refuse to leave 64 bits, where machine code would wrap in silence.  Records are
handed over as their fields, as to machine code.
"""

from __future__ import annotations

import ast
import linecache
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from rulewright.codegen.subset import Function, Module, dotted, number
from rulewright.codegen.trees import compiled, parsed

T = TypeVar("T", int, float)
_BITS = 2**64 - 1


class KernelFault(Exception):
    """A kernel did what machine code must not do."""


class Checked(Generic[T]):
    """An array of fixed length that refuses any other index."""

    def __init__(self, values: Iterable[T]) -> None:
        self._values: list[T] = list(values)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    def __getitem__(self, index: int) -> T:
        if not 0 <= index < len(self._values):
            raise KernelFault(f"index {index} of an array of {len(self._values)}")
        return self._values[index]

    def __setitem__(self, index: int, value: T) -> None:
        if not 0 <= index < len(self._values):
            raise KernelFault(f"index {index} of an array of {len(self._values)}")
        self._values[index] = value


class Room(Checked[int]):
    """Whole numbers, all 0 at first, that take memory only as they are used."""

    def __init__(self, length: int) -> None:
        super().__init__(())
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[int]:
        yield from self._values
        yield from (0 for _ in range(self._length - len(self._values)))

    def __getitem__(self, index: int) -> int:
        if 0 <= index < len(self._values):
            return self._values[index]
        if not 0 <= index < self._length:
            raise KernelFault(f"index {index} of an array of {self._length}")
        return 0

    def __setitem__(self, index: int, value: int) -> None:
        if not 0 <= index < self._length:
            raise KernelFault(f"index {index} of an array of {self._length}")
        if index >= len(self._values):
            more = min(max(index + 1, 2 * len(self._values)), self._length) - len(self._values)
            self._values += [0] * more
        self._values[index] = value


def _signed(value: int) -> int:
    value &= _BITS
    return value - 2**64 if value >> 63 else value


def _in_64_bits(value: Any) -> Any:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise KernelFault(f"{value} does not fit into 64 bits")
    return value


def _amount(value: int) -> int:
    if not 0 <= value < 64:
        raise KernelFault(f"a shift by {value}")
    return value


def _select(bits: int, k: int) -> int:
    """The place of the k-th one; 64 when there are not so many, as in machine code."""
    for _ in range(k):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1 if bits else 64


INTRINSICS: dict[str, Callable[..., Any]] = {
    "popcount": lambda x: (x & _BITS).bit_count(),
    "trailing": lambda x: ((x & -x) & _BITS).bit_length() - 1 if x else 64,
    "select_bit": lambda x, k: _select(x & _BITS, k),
    "wrap_add": lambda a, b: _signed(a + b),
    "wrap_mul": lambda a, b: _signed(a * b),
    "wrap_shl": lambda a, b: _signed(a << _amount(b)),
    "shift_right": lambda a, b: _signed((a & _BITS) >> _amount(b)),
    "real": float,
    "volatile": lambda array, *index: array[index[0]] if index else array,
    "float_bits": lambda x: int(struct.unpack("<q", struct.pack("<d", x))[0]),
    "bits_float": lambda x: float(struct.unpack("<d", struct.pack("<q", x))[0]),
    "sqrt": math.sqrt,
}


class _Guard(ast.NodeTransformer):
    """Wraps whatever could leave 64 bits, and puts fields in the place of records.

    A field keeps its dotted name: what a text could not write is a name like any other in a tree.
    """

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._function: Function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Records are gone in what runs."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._function = self._functions[node.name]
        node.args.args = [ast.arg(name) for name, _ in self._function.signature.flat]
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        found = self._function.element(node)
        if found is None:
            return ast.copy_location(ast.Name(dotted(node), node.ctx), node)
        array, place = ast.Name(found[0], ast.Load()), found[1]
        index = ast.Constant(place) if isinstance(place, int) else place
        return ast.copy_location(ast.Subscript(array, index, node.ctx), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        arguments: list[ast.expr] = []
        for argument in node.args:
            fields = self._function.handed(argument)
            names = [ast.Name(name, ast.Load()) for name, _ in fields or ()]
            arguments += [argument] if fields is None else names
        node.args = arguments
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift | ast.RShift):
            node.right = _called("_amount", node.right)
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.LShift | ast.FloorDiv):
            return _called("_in_64_bits", node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and number(node) is None:
            return _called("_in_64_bits", node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        target: Any = node.target
        loaded = type(target)(
            **{f: getattr(target, f) for f in target._fields} | {"ctx": ast.Load()}
        )
        value = ast.copy_location(ast.BinOp(loaded, node.op, node.value), node)
        return self.visit_Assign(ast.copy_location(ast.Assign([target], value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        return node


def _called(name: str, node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [node], []), node)


def run(module: Module, name: str, others: dict[str, Any] | None = None) -> dict[str, Any]:
    """The functions of *module* as Python functions; tracebacks show its text."""
    file = f"<kernels of {name}>"
    linecache.cache[file] = (len(module.text), None, module.text.splitlines(True), file)
    tree = ast.fix_missing_locations(_Guard(module.functions).visit(parsed(module.text, file)))
    names: dict[str, Any] = {
        **INTRINSICS, "_in_64_bits": _in_64_bits, "_amount": _amount, **(others or {}),
    }  # fmt: skip
    exec(compiled(tree, file), names)  # the text is checked, and written by this package
    return {f: names[f] for f in module.functions}
