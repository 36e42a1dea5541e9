"""Kernels for graphics cards: a loop over lanes for each thread of a card, as text in PTX.

In: modules of kernels, and kernels with the orders of their arrays (`tiles`).  Out: LLVM's assembly
and PTX, in which each kernel has an entry.  An entry takes, for each array, its place and the words
of a lane, and then the first lane and the end.  Its threads are workers: each runs the kernel on
every so many-th lane.  Nothing is run here; `worker` makes the same loop for this processor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from attrs import define

from rulewright.compiler.backend import MOST_BYTES
from rulewright.compiler.backend.llvm import translate
from rulewright.compiler.backend.native import LLVM, key, optimise
from rulewright.compiler.backend.tiles import TILE, LaneOrder, TiledKernels
from rulewright.compiler.ir.nodes import Module
from rulewright.ground import cache
from rulewright.ground.records import Record

NEWEST = 90
"""The newest kind of card that PTX is written for; newer ones take that, too."""
_TRIPLE, _FEATURES = "nvptx64-nvidia-cuda", "+ptx80"
_LOOP = """
define void @worker_{name}({takes}, i64 %first, i64 %end, i64 %worker, i64 %workers) {{
entry:
{of_worker}
  %begin = add i64 %first, %worker
  br label %test
test:
  %lane = phi i64 [ %begin, %entry ], [ %next, %run ]
  %more = icmp slt i64 %lane, %end
  br i1 %more, label %run, label %done
run:
{of_lane}
  call void @{name}({arrays})
  %next = add i64 %lane, %workers
  br label %test
done:
  ret void
}}
"""
_PLACES = {
    LaneOrder.SHARED: "  %a{i} = getelementptr i64, ptr %base{i}, i64 0",
    LaneOrder.APART: """  %w{i} = mul i64 {whose}, %size{i}
  %a{i} = getelementptr i64, ptr %base{i}, i64 %w{i}""",
    LaneOrder.TILED: """  %t{i} = lshr i64 {whose}, {bits}
  %u{i} = mul i64 %t{i}, %size{i}
  %v{i} = shl i64 %u{i}, {bits}
  %x{i} = and i64 {whose}, {below}
  %w{i} = or i64 %v{i}, %x{i}
  %a{i} = getelementptr i64, ptr %base{i}, i64 %w{i}""",
}
_ENTRY = """
define ptx_kernel void @card_{name}({takes}, i64 %first, i64 %end) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %size
  %number = add i32 %before, %thread
  %all = mul i32 %blocks, %size
  %worker = zext i32 %number to i64
  %workers = zext i32 %all to i64
  call void @worker_{name}({arguments}, i64 %first, i64 %end, i64 %worker, i64 %workers)
  ret void
}}
"""
_REGISTERS = "\n".join(
    f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()"
    for name in ("tid", "ntid", "ctaid", "nctaid")
)


@define(eq=False)
class CardKernels(Record):
    """Kernels that run on many lanes of a card, and the orders of the arrays by their names."""

    modules: Sequence[Module]
    kernels: Mapping[str, Mapping[str, tuple[LaneOrder, bool]]]
    """Kernels, and of each array that it takes the order, and whether each worker has its own."""
    room: int
    """Words of the arrays that are bounded (`tiles.LaneOrder`)."""

    @cached_property
    def assembly(self) -> str:
        """The kernels for LLVM; nothing can be called from outside but `worker_NAME`."""
        tiled = TiledKernels(self.modules, self.room)
        for name, arrays in self.kernels.items():
            tiled.add(name, {array: order for array, (order, _) in arrays.items()})
        text = re.sub(r"(?m)^define (?!internal )", "define internal ", translate(tiled.module))
        return text + "".join(map(self._loop, self.kernels))

    def ptx(self, kind: int = NEWEST) -> str:
        """The kernels as PTX for a kind of card (90 for sm_90), cached by all that it depends on.

        Raises `Unsupported` for kernels that a card cannot run.
        """
        place = cache.cache_folder() / "kernels" / f"{key(self.on_card, str(kind))}.ptx"
        data = cache.read(place)
        if data is None:
            data = _translated(self.on_card, f"sm_{min(kind, NEWEST)}").encode()
            cache.write(place, data, MOST_BYTES)
        return data.decode()

    @cached_property
    def on_card(self) -> str:
        """The kernels for LLVM, with the entries that a card begins with."""
        text = self.assembly.replace("define void @worker_", "define internal void @worker_")
        return text + _REGISTERS + "".join(map(self._entry, self.kernels))

    def _loop(self, name: str) -> str:
        arrays = self.kernels[name]
        own: dict[bool, list[str]] = {True: [], False: []}
        for i, (order, by_worker) in enumerate(arrays.values()):
            whose = "%worker" if by_worker else "%lane"
            line = _PLACES[LaneOrder.TILED if order is LaneOrder.BOUNDED else order]
            bits = TILE.bit_length() - 1
            own[by_worker].append(line.format(i=i, whose=whose, bits=bits, below=TILE - 1))
        return _LOOP.format(
            name=name, takes=_takes(len(arrays)),
            of_worker="\n".join(own[True]), of_lane="\n".join(own[False]),
            arrays=", ".join(f"ptr %a{i}" for i in range(len(arrays))),
        )  # fmt: skip

    def _entry(self, name: str) -> str:
        takes = _takes(len(self.kernels[name]))
        return _ENTRY.format(name=name, takes=takes, arguments=takes)


def _takes(count: int) -> str:
    pairs = ((f"ptr %base{i}", f"i64 %size{i}") for i in range(count))
    return ", ".join(chain.from_iterable(pairs))


def _translated(text: str, processor: str) -> str:
    """Translate assembly into PTX for a card's processor."""
    import llvmlite.binding as llvm

    with LLVM:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        context = llvm.create_context()
        module = llvm.parse_assembly(text, context)
        module.verify()
        target: Any = llvm.Target.from_triple(_TRIPLE)
        machine = target.create_target_machine(cpu=processor, features=_FEATURES, opt=3)
        module.triple, module.data_layout = target.triple, str(machine.target_data)
        result: str = optimise(module, machine=machine).emit_assembly(module)
        module.close()
        context.close()
    return result
