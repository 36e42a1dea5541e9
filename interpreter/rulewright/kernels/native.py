"""Kernels as machine code, through LLVM, with the object code kept between runs.

In: modules, checked or as text.  Out: functions that can be called from Python, with arrays given
as addresses.  Linking is by symbol: a module may call functions of modules loaded before it.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from rulewright import store
from rulewright.kernels.llvm import translate
from rulewright.kernels.subset import FLOAT, INT, NOTHING, Module, Signature, check
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


def fast_deposit() -> bool:
    """Whether the processor has pdep, and not as the slow microcode of the first Zen."""
    _, cpu, features = _target()
    return "+bmi2" in features.split(",") and cpu not in ("znver1", "znver2")


def _machine() -> llvm.TargetMachine:
    """A new machine each time: an execution engine owns the one it is given."""
    target, cpu, features = _target()
    return target.create_target_machine(cpu=cpu, features=features, opt=2, jit=True)


def key(*texts: str) -> str:
    """What object code depends on: its text, LLVM, and the processor."""
    target, cpu, features = _target()
    version = (llvmlite.__version__, *llvm.llvm_version_info)
    return store.digest(*texts, str(version), target.triple, cpu, features)


def compile_object(assembly: str) -> bytes:
    """Object code for an assembly text, optimised for this processor."""
    module = llvm.parse_assembly(assembly)
    module.verify()
    code: bytes = optimise(module).emit_object(module)
    return code


def optimise(module: llvm.ModuleRef) -> llvm.TargetMachine:
    """Run LLVM's passes over a module, and give the machine that can emit it."""
    machine = _machine()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    _passes().run(module, llvm.create_pass_builder(machine, options))
    return machine


def _passes() -> llvm.ModulePassManager:
    """Those of LLVM's passes that pay: its whole second level takes twice as long to compile."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_new_gvn_pass()
    passes.add_dead_store_elimination_pass()
    passes.add_simplify_cfg_pass()
    passes.add_loop_rotate_pass()
    return passes


def object_code(assembly: str, use_cache: bool = True) -> bytes:
    """Object code, from the cache if it is there and whole."""
    path = cache_folder() / "kernels" / f"{key(assembly)}.o"
    code = store.read(path) if use_cache else None
    if code is None:
        code = compile_object(assembly)
        if use_cache:
            store.write(path, code, MOST_BYTES)
    return code


Compiled = tuple[bytes, dict[str, Signature]]
"""Object code, and the functions in it."""


def compiled(module: Module | str, known: Mapping[str, Signature], use_cache: bool) -> Compiled:
    """A module's object code and functions; a text that is kept is not even read."""
    if isinstance(module, Module):
        return object_code(translate(module, known, fast_deposit()), use_cache), _signatures(module)
    outside = repr(sorted(known.items()))
    path = cache_folder() / "kernels" / f"{key(module, outside, _translator())}.o"
    kept = store.read(path) if use_cache else None
    if kept is not None:
        head, _, code = kept.partition(b"\n")
        return code, {n: _signature(*s) for n, s in json.loads(head).items()}
    checked = check(module, known)
    code, functions = (
        compile_object(translate(checked, known, fast_deposit())),
        _signatures(checked),
    )
    if use_cache:
        known_as = {name: (s.parameters, s.gives) for name, s in functions.items()}
        store.write(path, json.dumps(known_as).encode() + b"\n" + code, MOST_BYTES)
    return code, functions


def _signatures(module: Module) -> dict[str, Signature]:
    return {f.name: f.signature for f in module.functions.values()}


def _signature(parameters: list[list[str]], gives: str) -> Signature:
    return Signature(tuple((name, type_) for name, type_ in parameters), gives)


@cache
def _translator() -> str:
    """What the way from a text to object code depends on."""
    folder = Path(__file__).parent
    return store.fingerprint(folder / name for name in ("subset.py", "llvm.py", "native.py"))


class Native:
    """Loaded machine code; it stays loaded as long as this object lives."""

    def __init__(
        self,
        modules: Sequence[Module | str],
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
            code, functions = compiled(module, known, use_cache)
            self.codes.append(code)
            self.signatures |= functions
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
