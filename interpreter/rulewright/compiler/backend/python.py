"""Kernels as plain Python: the debugger's view, and the fallback without LLVM.

Arrays refuse every index out of bounds, negative ones too; sums, differences, products, quotients,
negations and shifts refuse to leave 64 bits, where machine code would wrap in silence.  Records are
handed over as their fields, as to machine code.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any

from attrs import define

from rulewright.compiler.backend import calls_outside, refuse_unresolved
from rulewright.compiler.ir.nodes import ATOM, OPERATIONS, Expr, Module
from rulewright.compiler.ir.parse import ONE_TREE
from rulewright.compiler.ir.printer import Printer
from rulewright.compiler.ir.types import Types
from rulewright.compiler.runtime import INTRINSICS, amount, atomic, in_64_bits
from rulewright.ground.nesting import ROOM

_MAY_LEAVE = {"add", "sub", "mul", "div", "shl", "neg"}
_SHIFTS = {"shl", "shr"}


def _with_room(kernel: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(kernel)
    def run_with_room(*arguments: Any) -> Any:
        with ROOM:
            return kernel(*arguments)

    return run_with_room


def _is_recursive(name: str, names: dict[str, Any]) -> bool:
    """Whether a kernel calls itself, directly or through other kernels."""
    todo, reached = [name], set[str]()
    while todo:
        code = getattr(names.get(todo.pop()), "__code__", None)
        callees = set(code.co_names) - reached if code else set[str]()
        if name in callees:
            return True
        reached |= callees
        todo += callees
    return False


@define
class _Guarded(Printer):
    """Print kernels with checks around what could leave 64 bits; a field's dot becomes `·`."""

    def lines(self) -> Iterator[str]:
        takes = ", ".join(self.name(name) for name, _ in self.function.signature.flat)
        yield f"def {self.function.name}({takes}):"
        yield from self._block(self.function.body, 1)

    def name(self, name: str) -> str:
        return name.replace(".", "·")

    def operation(self, name: str, args: Sequence[Expr]) -> tuple[str, int]:
        if name in _SHIFTS:
            left, right = self.expr(args[0], OPERATIONS[name].level), self.expr(args[1])
            text, level = f"{left} {OPERATIONS[name].text} _amount({right})", OPERATIONS[name].level
        else:
            text, level = super().operation(name, args)
        return (f"_in_64_bits({text})", ATOM) if name in _MAY_LEAVE else (text, level)


def run(module: Module, name: str, kernels: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the kernels of *module* as Python functions, which may call *kernels*.

    Tracebacks show their text.  Raises `KernelFault` if a kernel that is called is missing.
    """
    refuse_unresolved(calls_outside(module), kernels or {})
    file = f"<kernels of {name}>"
    functions = module.functions.values()
    text = "\n\n".join("\n".join(_Guarded(f, Types(), {}).lines()) for f in functions) + "\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {
        **INTRINSICS, **module.constants, "_in_64_bits": in_64_bits, "_amount": amount,
        **(kernels or {}),
    }  # fmt: skip
    with ONE_TREE:
        code = compile(text, file, "exec")
    exec(code, names)  # the text is checked, and written by this package
    for function in functions:
        if function.atomic:
            names[function.name] = atomic(names[function.name])
    own = {f: names[f] for f in module.functions}
    return {f: _with_room(k) if _is_recursive(f, names) else k for f, k in own.items()}
