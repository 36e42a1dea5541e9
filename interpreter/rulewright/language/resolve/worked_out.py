"""What definitions are worth without a position, kept by what they say.

In: the body of a definition, and the definitions that it calls.  Out: its value, worked out once on
one board for all texts that stand on it, and for all states of a text that is edited.  Raises the
`Fault` of the expression.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulewright.model import expressions as m
from rulewright.model.walk import content
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context

_MOST = 5_000
"""Values that are kept."""


@define(eq=False)
class WorkedOut:
    """Values by the contents of expressions; definitions count by what they mean."""

    _values: dict[Any, m.Value] = field(factory=dict)
    _meanings: dict[Any, int] = field(factory=dict)

    def value(self, body: m.Expr, context: Context, numbers: dict[int, int]) -> m.Value:
        """The value of *body*; *numbers* are the meanings of the context's definitions so far."""

        def meaning(number: int) -> int:
            if number not in numbers:
                function = context.functions[number]
                bodies = tuple(content(part, meaning) for part in function.bodies)
                key = function.parameters, function.slots, bodies
                numbers[number] = self._meanings.setdefault(key, len(self._meanings))
            return numbers[number]

        key = context.view, len(context.frame), content(body, meaning)
        if key not in self._values:
            if len(self._values) > _MOST:
                self._values.clear()
            self._values[key] = evaluate(body, context)
        return self._values[key]
