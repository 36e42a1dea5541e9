"""One kernel for many games: a loop in machine code that gives each lane arrays of its own.

In: a kernel whose parameters are all arrays, and for each of them how far apart those of two
neighbouring lanes lie (0: all lanes share it).  Out: a call that runs the kernel on a range of
lanes without coming back to Python between them; threads may run ranges beside each other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rulewright.compiler.backend.native import Native, compile_object, load_alone
from rulewright.compiler.ir.types import ARRAYS, NOTHING
from rulewright.compiler.runtime import KernelFault

LanesCall = Callable[[Any, Any, int, int], None]
"""Takes addresses, distances in bytes (`words_of` both), and the first and the last lane, which is
not run."""


def words_of(numbers: Sequence[int]) -> Any:
    """Return numbers as the loop reads them."""
    return (ctypes.c_int64 * len(numbers))(*numbers)


def each_lane(native: Native, name: str) -> LanesCall:
    """Return what runs the kernel of a name on lanes; raises `KernelFault` for other parameters."""
    signature = native.signatures[name]
    if signature.gives != NOTHING or any(t not in ARRAYS for _, t in signature.flat):
        raise KernelFault(f"`{name}` takes more than arrays, or gives a value")
    count = len(signature.flat)
    loop = _loop(count)

    def run(addresses: Any, distances: Any, first: int, end: int) -> None:
        address = native.address(name)  # asked here, so that the code outlives whoever calls
        loop(address, addresses, distances, first, end)

    return run


@cache
def _loop(count: int) -> Any:
    """Return the loop over lanes for kernels that take *count* arrays."""
    loaded = load_alone(compile_object(_assembly(count)))
    takes = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 2
    function: Any = ctypes.CFUNCTYPE(None, *takes)(loaded.address("each_lane"))
    function.code = loaded
    return function


def _assembly(count: int) -> str:
    """Return the loop as text for LLVM: addresses grow by their distances from lane to lane."""
    arrays = range(count)
    heads = "\n".join(
        f"""  %{name}_at{i} = getelementptr i64, ptr %{name}, i64 {i}
  %{name}{i} = load i64, ptr %{name}_at{i}, align 8"""
        for name in ("address", "distance")
        for i in arrays
    )
    steps = "\n".join(
        f"""  %far{i} = mul i64 %lane, %distance{i}
  %place{i} = add i64 %address{i}, %far{i}
  %array{i} = inttoptr i64 %place{i} to ptr"""
        for i in arrays
    )
    arguments = ", ".join(f"ptr %array{i}" for i in arrays)
    takes = "ptr %kernel, ptr %address, ptr %distance, i64 %first, i64 %end"
    return f"""define void @each_lane({takes}) {{
entry:
{heads}
  br label %test
test:
  %lane = phi i64 [ %first, %entry ], [ %next, %run ]
  %more = icmp slt i64 %lane, %end
  br i1 %more, label %run, label %done
run:
{steps}
  call void %kernel({arguments})
  %next = add i64 %lane, 1
  br label %test
done:
  ret void
}}
"""
