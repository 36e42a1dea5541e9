"""Kernels as WebAssembly, loaded: by wasmtime, or in Pyodide by the page's own `WebAssembly`.

In: modules of kernels.  Out: functions that can be called from Python, with arrays given as
`ctypes` arrays or addresses, as for machine code.  Arrays lie in the memory that the modules of a
game share: in Pyodide that is Python's own, elsewhere whoever makes one takes it from `memory`.
Refuses, as `KernelFault`, what WebAssembly refuses while it runs: addresses outside its memory, a
division by zero, a line that is too deep.  What wasmtime has compiled is kept between runs.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import importlib.util
import platform
import struct
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, TypeAlias

from rulewright.compiler.backend import MOST_BYTES, CodeParts, Linked, packed, unpack_code
from rulewright.compiler.backend.wasm_binary import PAGE
from rulewright.compiler.ir.types import ARRAYS, FLOAT, INT, NOTHING, Signature
from rulewright.compiler.runtime import KernelFault
from rulewright.ground import cache
from rulewright.ground.scoped import begin_part

IN_PAGE = sys.platform == "emscripten"
_START = 1 << 20
"""Where arrays begin: places before an array are addresses too, and none of them is negative."""
_LARGEST = 1 << 32
_ROUND = 64
_C_TYPES: dict[str, Any] = {INT: ctypes.c_int64, FLOAT: ctypes.c_double, NOTHING: None}


def wasm_is_there() -> bool:
    """Whether WebAssembly can be run here."""
    return IN_PAGE or importlib.util.find_spec("wasmtime") is not None


_Functions: TypeAlias = dict[str, Callable[..., Any]]
_Signatures: TypeAlias = dict[str, Signature]


class WasmHost(Protocol):
    """Run modules that share a memory."""

    def memory(self, size: int) -> Any:
        """Make a writable buffer of *size* bytes, all 0."""

    def load(self, parts: Sequence[Linked], use_cache: bool) -> tuple[_Functions, _Signatures]:
        """Load modules as one; returns their functions and signatures, by name."""


class Wasm:
    """Loaded kernels; it has the face of `native.Native`."""

    def __init__(
        self, parts: Sequence[Linked], below: Wasm | None = None, use_cache: bool = True
    ) -> None:
        """Load modules as one, together with all that *below* has loaded."""
        self.parts: list[Linked] = [*(below.parts if below else ()), *parts]
        self.host: WasmHost = below.host if below else _InPage() if IN_PAGE else _Wasmtime()
        self._use_cache = use_cache

    @functools.cached_property
    def _loaded(self) -> tuple[_Functions, _Signatures]:
        """Load at the first use: many modules only serve those loaded above them."""
        return self.host.load(self.parts, self._use_cache)

    @property
    def signatures(self) -> _Signatures:
        """The signatures of all functions, by name."""
        return self._loaded[1]

    @property
    def best(self) -> Wasm:
        """The code that was compiled with the most care: there is one."""
        return self

    @property
    def final(self) -> bool:
        """Whether no better code will come."""
        return True

    def improve(self) -> None:
        """Nothing is compiled better later."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """A function; arrays are given as `ctypes` arrays or as addresses."""
        return self._loaded[0][name]


def keep_for_page(parts: Sequence[Linked]) -> None:
    """Cache modules as the bytes of one, so that a page need not make them (`_in_page`)."""
    cache.write(_in_page(parts), packed(*_translated(parts)), MOST_BYTES)


def _in_page(parts: Sequence[Linked]) -> Path:
    """Return the file in which a page gets the bytes of modules."""
    return cache.cache_folder() / f"{cache.digest(*(part.key for part in parts))}.wasm"


def _translated(parts: Sequence[Linked]) -> CodeParts:
    """Modules as the bytes of one; raises `KernelFault` if a kernel that is called is missing."""
    from rulewright.compiler.backend.wasm import binary  # and its passes, which few starts need

    modules = [part.module for part in parts]
    functions = {n: f.signature for module in modules for n, f in module.functions.items()}
    return binary(modules).encoded(), functions, {}


class _InPage:
    """Pyodide: modules import Python's own memory, and their functions go into its table.

    `PYFUNCTYPE`, because the other kind would give up the lock that a page has no threads for.
    """

    def memory(self, size: int) -> Any:
        return (ctypes.c_char * size)()

    def load(self, parts: Sequence[Linked], use_cache: bool) -> tuple[_Functions, _Signatures]:
        import js
        from pyodide.ffi import to_js
        from pyodide_js import _module as page

        code, signatures, _ = unpack_code(cache.read(_in_page(parts))) or _translated(parts)
        imports = to_js({"env": {"memory": page.memory}}, dict_converter=js.Object.fromEntries)
        module = js.WebAssembly.Module.new(to_js(code))
        exports = js.WebAssembly.Instance.new(module, imports).exports
        start = page.wasmTable.grow(len(signatures))
        functions = dict[str, Callable[..., Any]]()
        for place, (name, signature) in enumerate(signatures.items(), start):
            page.wasmTable.set(place, getattr(exports, name))
            takes = [_C_TYPES.get(t, ctypes.c_void_p) for _, t in signature.flat]
            functions[name] = ctypes.PYFUNCTYPE(_C_TYPES[signature.gives], *takes)(place)
        return functions, signatures


def _place(parts: Sequence[Linked]) -> Path:
    """Return the file of modules' machine code, named by their texts and the translator."""
    name = cache.digest(_translator(), *(part.key for part in parts))
    return cache.cache_folder() / "kernels" / f"{name}.cwasm"


@functools.cache
def _translator() -> str:
    """Return a digest of all that machine code depends on but for its text."""
    from importlib.metadata import version  # slow to load

    folder = Path(__file__).parent
    files = (*folder.glob("wasm*.py"), *folder.with_name("ir").glob("*.py"))
    return cache.fingerprint(sorted(files)) + version("wasmtime") + platform.machine()


@functools.cache
def _compiler() -> Any:
    """Make Wasmtime's engine: memory never moves, so that `ctypes` arrays may lie in it."""
    import wasmtime

    config = wasmtime.Config()
    config.memory_may_move = False
    config.memory_reservation = _LARGEST
    config.max_wasm_stack = 1 << 20
    return _outlive(wasmtime.Engine(config))


_library_objects = weakref.WeakSet[Any]()


def _outlive(item: Any) -> Any:
    """Keep one of wasmtime's objects from being taken apart when the process ends.

    Its modules are gone by then, and threads may still be running in it.
    """
    if not _library_objects:
        atexit.register(_forget)
    _library_objects.add(item)
    return item


def _forget() -> None:
    for item in list(_library_objects):
        item._consume()


class _Wasmtime:
    """CPython: wasmtime runs the modules; one thread at a time, as it must be."""

    def __init__(self) -> None:
        import wasmtime

        self._store = _outlive(wasmtime.Store(_compiler()))
        limits = wasmtime.Limits(_START // PAGE, _LARGEST // PAGE)
        self._memory = wasmtime.Memory(self._store, wasmtime.MemoryType(limits))
        self.base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self._end = _START
        self._free: dict[int, list[int]] = {}
        self.lock = RLock()

    def memory(self, size: int) -> Any:
        whole = (size + _ROUND - 1) // _ROUND * _ROUND
        with self.lock:
            free = self._free.setdefault(whole, [])
            if free:
                at = free.pop()
                ctypes.memset(self.base + at, 0, whole)
            else:
                at = self._grow(whole)
        block: Any = (ctypes.c_char * size).from_address(self.base + at)
        block.host = self  # the memory must outlive whoever has a part of it
        release = weakref.finalize(block, free.append, at)
        release.atexit = False
        return block

    def _grow(self, size: int) -> int:
        """Return the address of fresh memory of *size* bytes; grows the memory if it has to."""
        at, self._end = self._end, self._end + size
        missing = self._end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, (missing + PAGE - 1) // PAGE)
        return at

    def load(self, parts: Sequence[Linked], use_cache: bool) -> tuple[_Functions, _Signatures]:
        import wasmtime

        with self.lock:
            module, signatures = self._module(parts, use_cache)
            exports = wasmtime.Instance(self._store, module, [self._memory]).exports(self._store)
        return {name: self._bind(exports[name], s) for name, s in signatures.items()}, signatures

    def _module(self, parts: Sequence[Linked], use_cache: bool) -> tuple[Any, _Signatures]:
        """Compile a module, or load it from the cache, which needs neither nodes nor a compiler."""
        import wasmtime

        place = _place(parts) if use_cache else None
        kept_code = unpack_code(cache.read(place)) if place else None
        if kept_code:
            with suppress(wasmtime.WasmtimeError):  # for another processor, or another wasmtime
                return wasmtime.Module.deserialize(self._store.engine, kept_code[0]), kept_code[1]
        begin_part()
        code, signatures, _ = _translated(parts)
        module = wasmtime.Module(self._store.engine, code)
        if place:
            cache.write(place, packed(bytes(module.serialize()), signatures, {}), MOST_BYTES)
        return module, signatures

    def _bind(self, function: Any, signature: Signature) -> Callable[..., Any]:
        """Bind a function by wasmtime's C API: a call by its Python API takes 200 µs."""
        from wasmtime import Trap, WasmtimeError, _bindings

        types = [t for _, t in signature.flat]
        size, forms = max(1, len(types)), {INT: "q8x", FLOAT: "d8x"}
        form = struct.Struct("=" + "".join(forms.get(t, "I12x") for t in types))
        slots = (_bindings.wasmtime_val_raw_t * size)()
        arrays = [t in ARRAYS for t in types]
        callee = ctypes.byref(function._func)
        trap: Any = ctypes.POINTER(_bindings.wasm_trap_t)()
        run = _bindings.wasmtime_func_call_unchecked
        trapped, base, lock = ctypes.byref(trap), self.base, self.lock
        context, gives = self._store._context(), signature.gives
        kind = ctypes.c_double if gives == FLOAT else ctypes.c_int64
        result = kind.from_buffer(slots)

        def call(*arguments: Any) -> Any:
            with lock:
                form.pack_into(slots, 0, *(
                    (a if type(a) is int else ctypes.addressof(a)) - base if is_array else a
                    for a, is_array in zip(arguments, arrays, strict=True)
                ))  # fmt: skip
                error: Any = run(context, callee, slots, size, trapped)
                if error:
                    raise WasmtimeError._from_ptr(error)
                if trap:
                    error = Trap._from_ptr(ctypes.pointer(trap.contents))
                    ctypes.memset(trapped, 0, ctypes.sizeof(trap))
                    raise KernelFault(str(error))
                return None if gives == NOTHING else result.value

        bound: Any = call
        bound.host = self  # the code must outlive whoever calls it
        return call
