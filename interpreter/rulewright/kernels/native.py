"""Kernels as machine code, through LLVM, with the object code kept between runs.

In: checked modules.  Out: functions that can be called from Python, with arrays given as addresses.
Linking is by symbol: a module may call functions of modules loaded before it.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
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
_DIGEST = 32
"""Bytes before the object code in a file: its SHA-256, as half a file must not be executed."""
_ABANDONED = 3600.0
"""Seconds after which nobody writes a file any more."""


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
    """Object code, from the cache if it is there and whole."""
    path = cache_folder() / "kernels" / f"{key(assembly)}.o"
    code = _kept(path) if use_cache else None
    if code is None:
        code = compile_object(assembly)
        if use_cache:
            _keep(path, code)
    return code


def _kept(path: Path) -> bytes | None:
    """What was kept there; None if there is nothing, or not what was written."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # the folder may be another user's, and only readable
        os.utime(path)
    digest, code = data[:_DIGEST], data[_DIGEST:]
    return code if hashlib.sha256(code).digest() == digest else None


def _keep(path: Path, code: bytes) -> None:
    """Write beside the final name and move: other processes see all of it or nothing."""
    name = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        Path(name).replace(path)
        _trim(path.parent)
    except OSError:  # a cache that cannot be written is only a slow start
        if name is not None:
            with suppress(OSError):
                Path(name).unlink(missing_ok=True)


def _trim(folder: Path) -> None:
    """Remove the files used longest ago, and parts that a killed process left."""
    total, now = 0, time.time()
    for used, size, file in sorted(_files(folder), reverse=True):
        total += size
        if total > MOST_BYTES or (file.suffix == ".part" and now - used > _ABANDONED):
            file.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each file was used last, and its size; another process may remove it meanwhile."""
    for file in folder.iterdir():
        with suppress(FileNotFoundError):
            known = file.stat()
            yield known.st_mtime, known.st_size, file


class Native:
    """Loaded machine code; it stays loaded as long as this object lives."""

    def __init__(
        self,
        modules: list[Module],
        externals: list[Mapping[str, Signature]] | None = None,
        use_cache: bool = True,
    ) -> None:
        outside = externals or [{} for _ in modules]
        backing = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(backing, _machine())
        self.signatures: dict[str, Signature] = {}
        for module, known in zip(modules, outside, strict=True):
            code = object_code(translate(module, known), use_cache)
            self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
            self.signatures |= {f.name: f.signature for f in module.functions.values()}
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
