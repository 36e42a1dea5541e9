"""Arrays on a card, for whoever trains there: by DLPack and by CUDA's array interface.

In: memory of a card.  Out: `CardArray`s, which PyTorch, JAX and CuPy take without a copy
(`torch.from_dlpack(array)`).  And back: the address of an array of theirs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulewright.ground.records import Record
from rulewright.learning.lane_arrays import LearningError, numpy

CUDA = 2
"""DLPack's number of the kind of device."""
_LEGACY_STREAM = 1
"""CUDA's number of the order in which a card works off what is launched without further words."""
_NAME = b"dltensor"
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLPack's numbers of kinds of elements, by NumPy's letters."""


class _Tensor(ctypes.Structure):
    """DLPack's `DLTensor`."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_kind", ctypes.c_int32), ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("each", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    """DLPack's `DLManagedTensor`: whoever has read it calls its last field."""

    _fields_ = (("tensor", _Tensor), ("owner", ctypes.c_void_p), ("end", ctypes.c_void_p))


_END = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_handed_over: dict[int, tuple[Any, ...]] = {}
"""What those that read our arrays still use, by the address of its `_Managed`."""


def _api(name: str, gives: Any, *takes: Any) -> Any:
    """Return a function of Python itself."""
    return ctypes.PYFUNCTYPE(gives, *takes)((name, ctypes.pythonapi))


_capsule = _api("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _END)
_is_named = _api("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_content = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)


def _drop(address: int) -> None:
    """Drop an array that its reader is done with."""
    _handed_over.pop(address, None)


def _drop_unread(capsule: int) -> None:
    """Drop what nobody has read; a reader renames the capsule."""
    if _is_named(capsule, _NAME):
        _drop(_pointer(capsule, _NAME))


_end, _end_unread = _END(_drop), _END(_drop_unread)


@define(eq=False)
class CardArray(Record):
    """An array on a card, without gaps; the next call of its batch writes over it."""

    place: int
    """Its address."""
    shape: tuple[int, ...]
    dtype: str
    """As NumPy writes it: `bool`, `uint8`, `int64`, `float64`."""
    device: tuple[int, int]
    """DLPack's kind of device, and its number."""
    owner: Any
    """Has the memory; it lives as long as whoever reads this."""
    wait: Callable[[], None]
    """Returns when the card has done all that was launched."""
    _fetch: Callable[[int, Any], Any] = field(alias="fetch")

    def numpy(self) -> Any:
        """Copy the array to this processor's memory, as a NumPy array."""
        return self._fetch(self.place, numpy().empty(self.shape, self.dtype))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape, "typestr": numpy().dtype(self.dtype).str, "version": 3,
            "data": (self.place, False), "strides": None, "stream": _LEGACY_STREAM,
        }  # fmt: skip

    def __dlpack_device__(self) -> tuple[int, int]:
        """Say where the array lies."""
        return self.device

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        """Hand the array over, when all that writes it is done."""
        if stream != -1:  # the reader wants no order
            self.wait()
        dtype, count = numpy().dtype(self.dtype), len(self.shape)
        shape = (ctypes.c_int64 * count)(*self.shape)
        tensor = _Tensor(
            data=self.place, device_kind=self.device[0], device=self.device[1], ndim=count,
            code=_CODES[dtype.kind], bits=8 * dtype.itemsize, each=1, shape=shape,
        )  # fmt: skip
        managed = _Managed(tensor=tensor, end=ctypes.cast(_end, ctypes.c_void_p))
        address = ctypes.addressof(managed)
        _handed_over[address] = (managed, shape, self)
        return _capsule(address, _NAME, _end_unread)


def place_of(array: Any, lanes: int, device: tuple[int, int]) -> int:
    """Return the address of an array of whole numbers of 64 bits, one for each lane, on a card.

    Raises `LearningError` for another shape, type or device.
    """
    capsule = array.__dlpack__(stream=_LEGACY_STREAM)
    tensor = _Managed.from_address(_content(capsule, _NAME)).tensor
    shape = tuple(tensor.shape[: tensor.ndim])
    if (tensor.device_kind, tensor.device) != device:
        raise LearningError("the actions lie on another device than the batch")
    is_whole = tensor.code == _CODES["i"] and tensor.bits == 64 and tensor.each == 1
    if not is_whole or shape != (lanes,) or (tensor.strides and tensor.strides[0] != 1):
        wrong = f"shape {shape} and {tensor.bits} bits"
        raise LearningError(
            f"actions of {wrong}; a whole number of 64 bits is needed for each lane"
        )
    return int(tensor.data + tensor.offset)
