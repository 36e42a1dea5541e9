"""Kernels written in files of their own: from ordinary Python to the text of a kernel module.

In: Python modules that hold kernels.  Out: one module, `Linked`.  Their imports are resolved: a
number becomes a constant, a function of another file a kernel that is linked by its name.  The
check of a module refuses (as `SubsetError`) whatever is not in the subset.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

from attrs import frozen

from rulewright.codegen import builtin
from rulewright.codegen.subset import Module, Signature, SubsetError, check
from rulewright.codegen.trees import parsed


@frozen
class Linked:
    """The text of a module, and the kernels of other modules that it calls."""

    text: str
    outside: Mapping[str, Signature]

    @cached_property
    def module(self) -> Module:
        """The same, checked; object code that is kept needs no check."""
        return check(self.text, self.outside)


def load(*files: ModuleType) -> Linked:
    """One module of all kernels in *files*; what they import from elsewhere is linked later."""
    constants: dict[str, int] = {}
    outside: dict[str, Signature] = {}
    bodies, own = [], {file.__name__ for file in files}
    for file in files:
        text = inspect.getsource(file)
        bodies.append(_resolved(text, own, constants, outside))
    head = "".join(f"{name} = {value}\n" for name, value in constants.items())
    return Linked(head + "\n\n".join(bodies), outside)


def _resolved(
    text: str, own: set[str], constants: dict[str, int], outside: dict[str, Signature]
) -> str:
    """The text without its imports; what they name goes to *constants* and *outside*."""
    lines = text.splitlines()
    for node in parsed(text).body:
        if isinstance(node, ast.ImportFrom):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[number - 1] = ""
            if node.module not in ("__future__", builtin.__name__):
                _import(node, own, constants, outside)
    return "\n".join(lines) + "\n"


def _import(
    node: ast.ImportFrom, own: set[str], constants: dict[str, int], outside: dict[str, Signature]
) -> None:
    file = __import__(str(node.module), fromlist=[a.name for a in node.names])
    for alias in node.names:
        found: Any = getattr(file, alias.name)
        if isinstance(found, int) and alias.asname is None:
            constants[alias.name] = found
        elif isinstance(found, FunctionType):
            if node.module not in own:
                outside[alias.name] = _signature(found)
        else:
            raise SubsetError(node, f"`{alias.name}` is neither a number nor a kernel")


def _signature(kernel: FunctionType) -> Signature:
    """The types of a kernel, as its annotations write them."""
    written = dict(kernel.__annotations__)
    gives = written.pop("return")
    return Signature(tuple(written.items()), "None" if gives is None else str(gives))


def signatures(modules: Iterable[Module]) -> dict[str, Signature]:
    """What other modules can call."""
    return {f.name: f.signature for module in modules for f in module.functions.values()}
