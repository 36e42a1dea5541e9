"""The general form, put together: every way in which a part of the model is written."""

from __future__ import annotations

from rulewright.kernels.definitions import shared
from rulewright.kernels.families import each_set
from rulewright.kernels.lift import attempt
from rulewright.kernels.operations import OPERATIONS
from rulewright.kernels.rays import ray_words
from rulewright.kernels.shapes import quantified
from rulewright.kernels.values import Forms, Value, Values
from rulewright.model import expressions as m


def _fast(v: Values, e: m.Each) -> Value:
    return attempt(v.w, lambda: quantified(v, e))


GENERAL = Forms(OPERATIONS, each_set, ray_words, _fast, shared)
