"""What is known of an expression is worked out while it is written, in time of its size."""

from __future__ import annotations

from functools import reduce

from rulewright.compiler.ir.nodes import Const, Expr, Local, Op
from rulewright.compiler.ir.types import INT


def test_what_is_deep_inside_is_made_simpler_once() -> None:
    inside = Local("a", INT)
    deepest: Expr = inside | Const(0, INT)
    names = [Local(f"b{i}", INT) for i in range(60)]  # twice at each level would never end
    found, depth = reduce(lambda e, name: e ^ name, names, deepest), 0
    while isinstance(found, Op):
        (found,) = [a for a in found.args if a not in names]
        depth += 1
    assert found is inside
    assert depth == 60
