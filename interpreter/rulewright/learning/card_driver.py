"""A graphics card by its driver alone: memory, kernels given as PTX, launches.

In: the number of a card.  Out: `Card`, on NVIDIA's driver library by `ctypes`, so that nothing has
to be installed beside the driver.  It works in the context of the card that PyTorch, JAX and CuPy
use, so that they can read its memory.  Without a driver or a card: a `LearningError` that says so.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

from attrs import define, field

from rulewright.ground.records import Record
from rulewright.learning.lane_arrays import LearningError

_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
_MAJOR, _MINOR = 75, 76
"""Attributes of a card: both numbers of its kind, 9 and 0 for sm_90."""
_NUMBER, _BYTES, _PLACE = ctypes.c_int, ctypes.c_size_t, ctypes.c_uint64
_POINTER = ctypes.c_void_p
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "cuInit": (ctypes.c_uint,),
    "cuDeviceGet": (_POINTER, _NUMBER),
    "cuDeviceGetName": (_POINTER, _NUMBER, _NUMBER),
    "cuDeviceGetAttribute": (_POINTER, _NUMBER, _NUMBER),
    "cuDevicePrimaryCtxRetain": (_POINTER, _NUMBER),
    "cuCtxSetCurrent": (_POINTER,),
    "cuCtxSynchronize": (),
    "cuGetErrorName": (_NUMBER, _POINTER),
    "cuMemAlloc_v2": (_POINTER, _BYTES),
    "cuMemFree_v2": (_PLACE,),
    "cuMemsetD8_v2": (_PLACE, ctypes.c_ubyte, _BYTES),
    "cuMemcpyHtoD_v2": (_PLACE, _POINTER, _BYTES),
    "cuMemcpyDtoH_v2": (_POINTER, _PLACE, _BYTES),
    "cuMemcpyDtoDAsync_v2": (_PLACE, _PLACE, _BYTES, _POINTER),
    "cuMemcpy2DAsync_v2": (_POINTER, _POINTER),
    "cuModuleLoadData": (_POINTER, ctypes.c_char_p),
    "cuModuleGetFunction": (_POINTER, _POINTER, ctypes.c_char_p),
    "cuModuleUnload": (_POINTER,),
    "cuLaunchKernel": (_POINTER, *[ctypes.c_uint] * 7, _POINTER, _POINTER, _POINTER),
}
"""What is called of the driver, and what it takes; all of it gives a status, 0 for success."""
_ON_CARD = 2
"""The kind of memory that lies on a card, for a copy of rows."""


class _RowCopy(ctypes.Structure):
    """What is to be copied by rows: the driver's `CUDA_MEMCPY2D`."""

    _fields_ = (
        *((f"{side}_{name}", type_) for side in ("source", "target") for name, type_ in (
            ("x", _BYTES), ("y", _BYTES), ("kind", ctypes.c_uint), ("host", _POINTER),
            ("place", _PLACE), ("array", _POINTER), ("pitch", _BYTES))),
        ("width", _BYTES),
        ("height", _BYTES),
    )  # fmt: skip


@cache
def _driver() -> Any:
    """Return the driver's library; raises `LearningError` where it is missing or has no card."""
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        reason = f"it has no driver of NVIDIA's cards ({_LIBRARY})"
        raise LearningError(f"this machine cannot play on a card: {reason}") from None
    for name, takes in _FUNCTIONS.items():
        getattr(library, name).argtypes = takes
    return library


@define(eq=False)
class Card(Record):
    """One card, by its number."""

    number: int = 0
    name: str = field(default="", init=False)
    kind: int = field(default=0, init=False)
    """Its kind as PTX has it: 90 for sm_90."""
    _library: Any = field(init=False)
    _context: Any = field(factory=ctypes.c_void_p, init=False)

    def __attrs_post_init__(self) -> None:
        self._library = _driver()
        self._call("cuInit", 0)
        device, text = ctypes.c_int(), ctypes.create_string_buffer(100)
        self._call("cuDeviceGet", ctypes.byref(device), self.number)
        self._call("cuDeviceGetName", text, len(text), device)
        self.name = text.value.decode(errors="replace")
        kinds = ctypes.c_int(), ctypes.c_int()
        for kind, attribute in zip(kinds, (_MAJOR, _MINOR), strict=True):
            self._call("cuDeviceGetAttribute", ctypes.byref(kind), attribute, device)
        self.kind = 10 * kinds[0].value + kinds[1].value
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)

    def _call(self, name: str, *arguments: Any) -> None:
        """Call the driver; raises `LearningError` with its own word for what went wrong."""
        status = getattr(self._library, name)(*arguments)
        if status:
            word = ctypes.c_char_p()
            self._library.cuGetErrorName(status, ctypes.byref(word))
            reason = (word.value or b"an unknown error").decode(errors="replace")
            raise LearningError(f"the driver of card {self.number} refuses {name}: {reason}")

    def _ask(self, name: str, *arguments: Any) -> None:
        """Call the driver for this card, whatever card this thread used last."""
        self._call("cuCtxSetCurrent", self._context)
        self._call(name, *arguments)

    # --- memory ---

    def memory(self, size: int) -> int:
        """Reserve so many bytes, all 0; returns their address."""
        place = ctypes.c_uint64()
        self._ask("cuMemAlloc_v2", ctypes.byref(place), max(1, size))
        self.fill(place.value, 0, max(1, size))
        return place.value

    def fill(self, place: int, byte: int, size: int) -> None:
        """Write so many bytes of one value."""
        self._ask("cuMemsetD8_v2", place, byte, size)

    def free(self, place: int) -> None:
        """Give memory back."""
        self._ask("cuMemFree_v2", place)

    def write(self, place: int, data: Any) -> None:
        """Copy a NumPy array to the card."""
        self._ask("cuMemcpyHtoD_v2", place, data.ctypes.data, data.nbytes)

    def read(self, place: int, data: Any) -> Any:
        """Fill a NumPy array from the card, when all launches are done; returns it."""
        self._ask("cuMemcpyDtoH_v2", data.ctypes.data, place, data.nbytes)
        return data

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy so many bytes on the card, behind what was launched before."""
        self._ask("cuMemcpyDtoDAsync_v2", target, source, size, None)

    def copy_rows(self, target: int, source: int, pitch: int, width: int, height: int) -> None:
        """Copy the first *width* bytes of each of *height* rows, which lie *pitch* bytes apart."""
        rows = _RowCopy(
            source_kind=_ON_CARD, source_place=source, source_pitch=pitch,
            target_kind=_ON_CARD, target_place=target, target_pitch=width,
            width=width, height=height,
        )  # fmt: skip
        self._ask("cuMemcpy2DAsync_v2", ctypes.byref(rows), None)

    # --- kernels ---

    def module(self, ptx: str) -> Any:
        """Load kernels; the driver translates them for the card, and keeps that itself."""
        module = ctypes.c_void_p()
        self._ask("cuModuleLoadData", ctypes.byref(module), ptx.encode())
        return module

    def unload(self, module: Any) -> None:
        """Drop kernels."""
        self._ask("cuModuleUnload", module)

    def function(self, module: Any, name: str) -> Any:
        """Return a kernel of a module."""
        function = ctypes.c_void_p()
        self._ask("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def launch(self, function: Any, blocks: int, threads: int, words: Sequence[int]) -> None:
        """Launch a kernel that takes words of 64 bits; it runs behind what was launched before."""
        values = (ctypes.c_uint64 * len(words))(*words)
        at, step = ctypes.addressof(values), ctypes.sizeof(ctypes.c_uint64)
        places = (ctypes.c_void_p * len(words))(*(at + step * i for i in range(len(words))))
        self._ask("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, 0, None, places, None)

    def wait(self) -> None:
        """Wait until all launches are done; raises `LearningError` where one went wrong."""
        self._ask("cuCtxSynchronize")
