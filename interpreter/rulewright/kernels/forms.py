"""The general form, put together: every way in which a part of the model is written."""

from __future__ import annotations

from rulewright.kernels.families import each_set
from rulewright.kernels.operations import OPERATIONS
from rulewright.kernels.rays import ray_words
from rulewright.kernels.values import Forms

GENERAL = Forms(OPERATIONS, each_set, ray_words)
