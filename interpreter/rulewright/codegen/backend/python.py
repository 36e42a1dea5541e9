"""Kernels as plain Python: the debugger's view, and the fallback without LLVM.

Arrays refuse every index out of bounds, negative ones too; sums, differences, products, quotients,
negations and shifts refuse to leave 64 bits, where machine code would wrap in silence.  Records are
handed over as their fields, as to machine code.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define

from rulewright.codegen.ir.nodes import ATOM, OPERATIONS, Expr, Module
from rulewright.codegen.ir.parse import ONE_TREE
from rulewright.codegen.ir.printer import Printer
from rulewright.codegen.ir.types import Types
from rulewright.codegen.runtime import INTRINSICS, amount, atomic, in_64_bits

_MAY_LEAVE = {"add", "sub", "mul", "div", "shl", "neg"}
_SHIFTS = {"shl", "shr"}


@define
class _Guarded(Printer):
    """Wraps whatever could leave 64 bits; the dot in the name of a field becomes a letter."""

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


def run(module: Module, name: str, others: dict[str, Any] | None = None) -> dict[str, Any]:
    """The functions of *module* as Python functions; tracebacks show what is run."""
    file = f"<kernels of {name}>"
    functions = module.functions.values()
    text = "\n\n".join("\n".join(_Guarded(f, Types(), {}).lines()) for f in functions) + "\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {
        **INTRINSICS, **module.constants, "_in_64_bits": in_64_bits, "_amount": amount,
        **(others or {}),
    }  # fmt: skip
    with ONE_TREE:
        code = compile(text, file, "exec")
    exec(code, names)  # the text is checked, and written by this package
    for function in functions:
        if function.atomic:
            names[function.name] = atomic(names[function.name])
    return {f: names[f] for f in module.functions}
