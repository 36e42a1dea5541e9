"""Kernels written in files of their own: from ordinary Python to the nodes of a kernel module.

In: Python modules that hold kernels.  Out: one module of all their kernels.  Imports are resolved:
a number becomes a constant, a class a record, a function of another file a kernel that is linked by
its name.  Refuses (as `SubsetError`) what can be none of these.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

from attrs import define, field

from rulewright.compiler import runtime
from rulewright.compiler.ir.nodes import Module
from rulewright.compiler.ir.parse import SubsetError, read_into, tree_of
from rulewright.compiler.ir.types import RecordType, Signature, Types, declared_by
from rulewright.ground.records import Record

_BUILT_IN = (runtime.i64, runtime.f64, runtime.ints, runtime.floats, runtime.atomic)


def join_kernels(files: Sequence[ModuleType]) -> Module:
    """Make one module of all kernels in *files*; those imported from elsewhere are linked later."""
    linker = _Linker({file.__name__ for file in files})
    body = [node for file in files for node in linker.resolved(inspect.getsource(file))]
    module = Module({}, linker.constants, linker.types, linker.outside)
    read_into(module, body)
    return module


@define(repr=False, eq=False)
class _Linker(Record):
    """Resolve the imports of the files of one module."""

    own: set[str]
    constants: dict[str, int] = field(factory=dict)
    numbers: dict[str, object] = field(factory=dict)
    types: Types = field(factory=Types)
    outside: dict[str, Signature] = field(factory=dict)

    def resolved(self, text: str) -> Iterator[ast.stmt]:
        """Note the imports of a file; returns its other statements."""
        for node in tree_of(text).body:
            if isinstance(node, ast.Assign):
                self._number(node, ast.unparse(node.targets[0]), ast.literal_eval(node.value))
            if not isinstance(node, ast.ImportFrom):
                yield node
            elif node.module != "__future__":
                self._import(node)

    def _import(self, node: ast.ImportFrom) -> None:
        file = __import__(str(node.module), fromlist=[a.name for a in node.names])
        for alias in node.names:
            meaning: Any = getattr(file, alias.name)
            if meaning in _BUILT_IN or meaning is runtime.INTRINSICS.get(alias.name):
                continue
            if isinstance(meaning, int) and alias.asname is None:
                self._number(node, alias.name, meaning)
                if node.module not in self.own:
                    self.constants[alias.name] = meaning
            elif node.module in self.own:
                continue
            elif isinstance(meaning, FunctionType):
                self.outside[alias.name] = self._signature(meaning)
            elif isinstance(meaning, type):
                self._declare(meaning)
            else:
                raise SubsetError(node, f"`{alias.name}` is no number, record or kernel")

    def _number(self, node: ast.stmt, name: str, value: object) -> None:
        """Note the meaning of a name, the same in all files; raises `SubsetError` otherwise."""
        if self.numbers.setdefault(name, value) != value:
            raise SubsetError(node, f"`{name}` is {self.numbers[name]} in another file")

    def _signature(self, kernel: FunctionType) -> Signature:
        """Return the signature of a kernel, by its annotations."""
        types = {n: str(t) for n, t in kernel.__annotations__.items()}
        gives = types.pop("return")
        for type_ in types.values():
            self._declare(kernel.__globals__[type_])
        return Signature.of(types.items(), gives, self.types)

    def _declare(self, type_: Any) -> None:
        """Note a class of another file as a record, once, behind what it holds."""
        name, fields = type_.__name__, inspect.get_annotations(type_)
        if type_ in _BUILT_IN or name in self.types.declared:
            return
        declaration = declared_by(type_)
        if isinstance(declaration, RecordType):
            for inner in fields.values():
                self._declare(vars(sys.modules[type_.__module__])[inner])
        self.types.declared[name] = declaration
