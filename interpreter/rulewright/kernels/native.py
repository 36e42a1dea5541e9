"""Kernels as machine code, through LLVM, with the object code kept between runs.

In: checked modules.  Out: functions that can be called from Python, with arrays given as addresses.
Linking is by symbol: a module may call functions of modules loaded before it.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from rulewright.kernels.llvm import translate
from rulewright.kernels.subset import FLOAT, INT, NOTHING, Module, Signature
from rulewright.resources import cache_folder

_C_TYPES = {INT: ctypes.c_int64, FLOAT: ctypes.c_double, NOTHING: None}
MOST_BYTES = 64 * 1024 * 1024
"""Object code kept at the most; the files used longest ago go first."""


@cache
def _target() -> tuple[llvm.Target, str, str]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features: str = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), features


def _machine() -> llvm.TargetMachine:
    """A new machine each time: an execution engine owns the one it is given."""
    target, cpu, features = _target()
    return target.create_target_machine(cpu=cpu, features=features, opt=2, jit=True)


def key(text: str) -> str:
    """What object code depends on: its text, LLVM, and the processor."""
    target, cpu, features = _target()
    version = (llvmlite.__version__, *llvm.llvm_version_info)
    parts = (text, str(version), target.triple, cpu, features)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def compile_object(assembly: str) -> bytes:
    """Object code for an assembly text, optimised for this processor."""
    module = llvm.parse_assembly(assembly)
    module.verify()
    machine = _machine()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def object_code(assembly: str, use_cache: bool = True) -> bytes:
    """Object code, from the cache if it is there."""
    path = cache_folder() / "kernels" / f"{key(assembly)}.o"
    if use_cache:
        try:
            code = path.read_bytes()
            os.utime(path)
            return code
        except OSError:
            pass
    code = compile_object(assembly)
    if use_cache:
        _keep(path, code)
    return code


def _keep(path: Path, code: bytes) -> None:
    """Write beside the final name and move: other processes see all of it or nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(code)
        Path(name).replace(path)
        _trim(path.parent)
    except OSError:
        return  # a cache that cannot be written is only a slow start


def _trim(folder: Path) -> None:
    files = sorted(folder.glob("*.o"), key=lambda f: f.stat().st_mtime, reverse=True)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > MOST_BYTES:
            file.unlink(missing_ok=True)


class Native:
    """Loaded machine code; it stays loaded as long as this object lives."""

    def __init__(
        self,
        modules: list[Module],
        externals: list[Mapping[str, Signature]] | None = None,
        use_cache: bool = True,
        below: Native | None = None,
    ) -> None:
        """Load *modules*, and once more what *below* has loaded."""
        outside = externals or [{} for _ in modules]
        backing = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(backing, _machine())
        self.signatures: dict[str, Signature] = dict(below.signatures) if below else {}
        self.codes: list[bytes] = list(below.codes) if below else []
        for module, known in zip(modules, outside, strict=True):
            self.codes.append(object_code(translate(module, known), use_cache))
            self.signatures |= {f.name: f.signature for f in module.functions.values()}
        for code in self.codes:
            self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._called: dict[str, Callable[..., Any]] = {}

    def address(self, name: str) -> int:
        """Where a function begins."""
        found: int = self._engine.get_function_address(name)
        return found

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """A function; arrays are given as `ctypes` arrays."""
        if name not in self._called:
            signature = self.signatures[name]
            takes: list[Any] = [_C_TYPES.get(t, ctypes.c_void_p) for _, t in signature.parameters]
            kind = ctypes.CFUNCTYPE(_C_TYPES[signature.gives], *takes)
            function: Any = kind(self.address(name))
            function.code = self  # the code must outlive whoever calls it
            self._called[name] = function
        return self._called[name]
