"""Whether a value of an evaluator depends on chance.

In: an evaluator and one of its values.  Out: whether numbers drawn at random are asked for, in the
value itself or in any definition, scan or path that it uses.
"""

from __future__ import annotations

from rulewright.model.evaluation import Evaluator, ValueOf
from rulewright.model.expressions import Apply, CallFunction, PathValue, ScanValue
from rulewright.model.walk import nodes


def draws(evaluator: Evaluator, value: ValueOf) -> bool:
    """Whether a value asks for numbers drawn at random."""
    todo: list[object] = [value.parts]
    known = set[tuple[str, int]]()
    while todo:
        for node in nodes(todo.pop()):
            match node:
                case Apply(operation="random"):
                    return True
                case CallFunction(function=number) if ("call", number) not in known:
                    known.add(("call", number))
                    todo += evaluator.functions[number].bodies
                case ScanValue(scan=number) if ("scan", number) not in known:
                    known.add(("scan", number))
                    todo.append(evaluator.scans[number])
                case PathValue(path=number) if ("path", number) not in known:
                    known.add(("path", number))
                    todo.append(evaluator.paths[number])
    return False
