"""The general form, put together: every way in which a part of the model is written."""

from __future__ import annotations

from rulewright.codegen.definitions import shared
from rulewright.codegen.families import each_set
from rulewright.codegen.lift import attempt
from rulewright.codegen.operations import OPERATIONS
from rulewright.codegen.rays import ray_words
from rulewright.codegen.shapes import quantified
from rulewright.codegen.values import Forms, Value, Values
from rulewright.model import expressions as m


def _fast(v: Values, e: m.Each) -> Value:
    return attempt(v.w, lambda: quantified(v, e))


GENERAL = Forms(OPERATIONS, each_set, ray_words, _fast, shared)
