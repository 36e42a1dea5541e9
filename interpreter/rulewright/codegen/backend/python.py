"""Kernels as plain Python: the debugger's view, and the fallback without LLVM.

Arrays refuse every index out of bounds, negative ones too; sums, differences, products, quotients,
negations and shifts refuse to leave 64 bits, where machine code would wrap in silence.  Records are
handed over as their fields, as to machine code.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from typing import Any

from rulewright.codegen.backend.subset import ONE_TREE, Function, Module, dotted, number, parsed
from rulewright.codegen.runtime import INTRINSICS, amount, in_64_bits


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
        **INTRINSICS, "_in_64_bits": in_64_bits, "_amount": amount, **(others or {}),
    }  # fmt: skip
    with ONE_TREE:
        code = compile(tree, file, "exec")
    exec(code, names)  # the text is checked, and written by this package
    return {f: names[f] for f in module.functions}
