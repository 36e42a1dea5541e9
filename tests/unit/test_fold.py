"""Folding an expression takes time in its size, however deep what gets simpler lies."""

from __future__ import annotations

from functools import reduce

from rulewright.codegen.ir.fold import simplified
from rulewright.codegen.ir.nodes import Const, Expr, Local, Op
from rulewright.codegen.ir.types import INT


def test_what_is_deep_inside_is_made_simpler_once() -> None:
    inside = Local("a", INT)
    deepest: Expr = Op("or", (inside, Const(0, INT)))
    names = [Local(f"b{i}", INT) for i in range(60)]  # twice at each level would never end
    deep = reduce(lambda e, name: Op("xor", (e, name)), names, deepest)
    found, depth = simplified(deep), 0
    while isinstance(found, Op):
        (found,) = [a for a in found.args if a not in names]
        depth += 1
    assert found is inside
    assert depth == 60
