"""The executions of kernels, as parameters; those whose packages are not installed are left out."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.compiler.arrays import Arrays, Guarded, InMemory
from rulewright.compiler.backend import Linked
from rulewright.compiler.backend.python import run
from rulewright.compiler.backend.wasm_host import Wasm, wasm_is_there
from rulewright.compiler.engine import native_is_there
from rulewright.compiler.ir.parse import parse

needs_llvm = pytest.mark.skipif(not native_is_there(), reason="llvmlite is not installed")
needs_wasm = pytest.mark.skipif(not wasm_is_there(), reason="wasmtime is not installed")
COMPILED = [
    pytest.param("native", marks=needs_llvm),
    pytest.param("wasm", marks=needs_wasm),
]
BACKENDS = ["python", *COMPILED]
THERE = ["python", *["native"] * native_is_there(), *["wasm"] * wasm_is_there()]
"""Those of them that can run here, for tests that ask the reference once for all."""


def loaded(text: str, backend: str) -> tuple[Any, Arrays]:
    """The kernels of a text by name, and what makes arrays that they take."""
    if backend == "wasm":
        kernels = Wasm([Linked(text, {})], use_cache=False)
        return kernels, InMemory(kernels.host.memory)
    if backend == "python":
        return run(parse(text), "test"), Guarded()
    from rulewright.compiler.backend.native import Native

    return Native([Linked(text, {})], use_cache=False, quick=True), InMemory()
