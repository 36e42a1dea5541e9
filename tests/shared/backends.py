"""The executions of kernels, as parameters: machine code is left out where llvmlite is not."""

from __future__ import annotations

import pytest

from rulewright.codegen.engine import native_is_there

needs_llvm = pytest.mark.skipif(not native_is_there(), reason="llvmlite is not installed")
BACKENDS = ["python", pytest.param("native", marks=needs_llvm)]
