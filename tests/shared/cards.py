"""A driver of graphics cards that stands in for NVIDIA's: its memory is that of this process.

Each function takes what the C function takes, through C's own conventions.  A launch runs, for each
thread of the grid, the very loop that the PTX has, compiled for this processor.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.compiler.backend.native import compile_object
from rulewright.compiler.backend.ptx import CardKernels
from rulewright.learning import card_driver

OUT_OF_MEMORY, INVALID, NOT_FOUND = 2, 1, 500
ERRORS = {OUT_OF_MEMORY: b"CUDA_ERROR_OUT_OF_MEMORY", INVALID: b"CUDA_ERROR_INVALID_VALUE"}


class RowCopy(ctypes.Structure):
    """`CUDA_MEMCPY2D` as cuda.h has it."""

    _fields_ = (
        ("srcXInBytes", ctypes.c_size_t), ("srcY", ctypes.c_size_t),
        ("srcMemoryType", ctypes.c_uint), ("srcHost", ctypes.c_void_p),
        ("srcDevice", ctypes.c_uint64), ("srcArray", ctypes.c_void_p),
        ("srcPitch", ctypes.c_size_t), ("dstXInBytes", ctypes.c_size_t),
        ("dstY", ctypes.c_size_t), ("dstMemoryType", ctypes.c_uint), ("dstHost", ctypes.c_void_p),
        ("dstDevice", ctypes.c_uint64), ("dstArray", ctypes.c_void_p),
        ("dstPitch", ctypes.c_size_t), ("WidthInBytes", ctypes.c_size_t),
        ("Height", ctypes.c_size_t),
    )  # fmt: skip


def worker_of(assembly: str, name: str) -> tuple[int, Any]:
    """The address of a function of an assembly text on this processor, and what has its code."""
    import llvmlite.binding as llvm

    compile_object("define void @nothing() { ret void }")  # LLVM is made ready
    module = llvm.parse_assembly(assembly)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine.get_function_address(name), engine


class StandIn:
    """The library `libcuda.so.1` as far as it is called, with everything that it was asked."""

    def __init__(self, assemblies: dict[str, str]) -> None:
        self.calls: list[str] = []
        self.memory: dict[int, Any] = {}
        self.kept: list[Any] = []
        self.assemblies, self.functions = assemblies, dict[int, tuple[Any, int]]()
        self.limit = 1 << 30
        for name, takes in card_driver._FUNCTIONS.items():
            function = ctypes.CFUNCTYPE(ctypes.c_int, *takes)(self._recorded(name))
            setattr(self, name, function)

    def _recorded(self, name: str) -> Callable[..., int]:
        word = name.removeprefix("cu").removesuffix("_v2").removesuffix("Async")
        act = getattr(self, "_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower(), None)

        def run(*arguments: Any) -> int:
            self.calls.append(name)
            return (act(*arguments) if act else 0) or 0

        return run

    @staticmethod
    def _put(type_: Any, place: int, value: Any) -> None:
        type_.from_address(place).value = value

    def _device_get(self, place: int, number: int) -> int:
        self._put(ctypes.c_int, place, 40 + number)
        return 0 if number == 0 else 101

    def _device_get_name(self, text: int, size: int, device: int) -> None:
        ctypes.memmove(text, name := b"Stand-in\0", min(size, len(name)))

    def _device_get_attribute(self, place: int, attribute: int, device: int) -> None:
        assert device == 40
        self._put(ctypes.c_int, place, {75: 8, 76: 6}[attribute])

    def _device_primary_ctx_retain(self, place: int, device: int) -> None:
        self._put(ctypes.c_void_p, place, 77)

    def _ctx_set_current(self, context: int) -> None:
        assert context == 77

    def _get_error_name(self, status: int, place: int) -> None:
        self._put(ctypes.c_char_p, place, ERRORS.get(status))

    def _mem_alloc(self, place: int, size: int) -> int:
        if sum(map(ctypes.sizeof, self.memory.values())) + size > self.limit:
            return OUT_OF_MEMORY
        buffer = (ctypes.c_char * size).from_buffer(bytearray(b"\xa5" * size))
        self.memory[ctypes.addressof(buffer)] = buffer
        self._put(ctypes.c_uint64, place, ctypes.addressof(buffer))
        return 0

    def _mem_free(self, place: int) -> None:
        del self.memory[place]

    def _fits(self, place: int, size: int) -> bool:
        """Whether so many bytes lie in one piece of memory that was reserved."""
        return any(
            start <= place and place + size <= start + ctypes.sizeof(buffer)
            for start, buffer in self.memory.items()
        )

    def _memset_d8(self, place: int, value: int, size: int) -> None:
        assert self._fits(place, size)
        ctypes.memset(place, value, size)

    def _memcpy_hto_d(self, place: int, data: int, size: int) -> None:
        assert self._fits(place, size)
        ctypes.memmove(place, data, size)

    def _memcpy_dto_h(self, data: int, place: int, size: int) -> None:
        assert self._fits(place, size)
        ctypes.memmove(data, place, size)

    def _memcpy_dto_d(self, target: int, source: int, size: int, stream: Any) -> None:
        assert self._fits(target, size)
        ctypes.memmove(target, source, size)

    def _memcpy2_d(self, place: int, stream: Any) -> None:
        c = RowCopy.from_address(place)
        assert (c.srcMemoryType, c.dstMemoryType) == (2, 2)
        assert self._fits(c.srcDevice, c.srcPitch * (c.Height - 1) + c.WidthInBytes)
        assert self._fits(c.dstDevice, c.dstPitch * (c.Height - 1) + c.WidthInBytes)
        for row in range(c.Height):
            ctypes.memmove(
                c.dstDevice + c.dstPitch * row, c.srcDevice + c.srcPitch * row, c.WidthInBytes
            )

    def _module_load_data(self, place: int, ptx: bytes) -> int:
        text = ptx.decode()
        if text not in self.assemblies:
            return INVALID
        self.kept.append(text)
        self._put(ctypes.c_void_p, place, len(self.kept))
        return 0

    def _module_get_function(self, place: int, module: int, name: bytes) -> int:
        text, kernel = self.kept[module - 1], name.decode()
        head = f"define ptx_kernel void @{kernel}("
        if head not in text:
            return NOT_FOUND
        takes = text.partition(head)[2].partition(")")[0].count("%")
        worker = kernel.replace("card_", "worker_", 1)
        address, owner = worker_of(self.assemblies[text], worker)
        self.kept.append(owner)
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * (takes + 2))
        self.functions[address] = kind(address), takes
        self._put(ctypes.c_void_p, place, address)
        return 0

    def _launch_kernel(self, function: int, *rest: Any) -> None:
        blocks, _, _, threads, _, _, shared, stream, places, more = rest
        kernel, takes = self.functions[function]
        assert (shared, stream, more) == (0, None, None)
        at = (ctypes.c_void_p * takes).from_address(places)
        words = [ctypes.c_int64.from_address(at[i] or 0).value for i in range(takes)]
        for worker in reversed(range(blocks * threads)):
            kernel(*words, worker, blocks * threads)


def stand_in(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Put the stand-in in the place of the driver: it takes the text that PTX is made of."""
    assemblies: dict[str, str] = {}

    def ptx(self: CardKernels, kind: int) -> str:
        assert kind == 86
        assemblies[self.on_card] = self.assembly
        return self.on_card

    monkeypatch.setattr(CardKernels, "ptx", ptx)
    driver = StandIn(assemblies)
    monkeypatch.setattr(card_driver, "_driver", lambda: driver)
    return driver
