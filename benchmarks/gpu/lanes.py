"""A game's kernels for many games side by side: a lane is a game with arrays of its own.

In: a game.  Out: LLVM's assembly with a function `lane`, and PTX with a kernel `lanes` that runs it
on every lane.  Word i of all lanes lies side by side, so that lanes which read the same word read
one line of memory; the constants are shared.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from attrs import frozen

from rulewright.compiler.backend.llvm import translate
from rulewright.compiler.backend.native import optimise
from rulewright.compiler.engine import Engine

MOST = 4000
"""Decisions of a game at the most."""
TAKEN, OWN = "SKMHXT", "SMHXTYRC"
"""The arrays that kernels take, in their order; those that each lane has for itself."""
LANE = """
define {linkage}void @lane(ptr %first, ptr %K, ptr %pool, ptr %seeds, ptr %out, i64 %games,
                           i64 %lane) {{
entry:
{places}
  %from = getelementptr i64, ptr %seeds, i64 %lane
  %seed = load i64, ptr %from
  store i64 %seed, ptr %R
  br label %copy
copy:
  %i = phi i64 [ 0, %entry ], [ %next, %copy ]
  %src = getelementptr i64, ptr %first, i64 %i
  %word = load i64, ptr %src
  %at = mul i64 %i, {lanes}
  %dst = getelementptr i64, ptr %S, i64 %at
  store i64 %word, ptr %dst
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, {size}
  br i1 %more, label %copy, label %go
go:
  %plies = call i64 @playouts({arrays}, ptr %Y, ptr %R, ptr %C, i64 %games, i64 {most})
  %here = mul i64 %lane, 6
  %o0 = getelementptr i64, ptr %out, i64 %here
  store i64 %plies, ptr %o0
  %last = load i64, ptr %R
  %o1 = getelementptr i64, ptr %o0, i64 1
  store i64 %last, ptr %o1
{counts}
  ret void
}}
"""
KERNEL = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @lanes(ptr %first, ptr %K, ptr %pool, ptr %seeds, ptr %out, i64 %games) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %block, %size
  %number = add i32 %before, %thread
  %lane = zext i32 %number to i64
  call void @lane(ptr %first, ptr %K, ptr %pool, ptr %seeds, ptr %out, i64 %games, i64 %lane)
  ret void
}
"""


@frozen
class Lanes:
    """So many games side by side, with arrays of these sizes (words) for each."""

    engine: Engine
    lanes: int
    sizes: dict[str, int]

    def assembly(self, linkage: str = "") -> str:
        """The kernels with `lane`; nothing else can be called from outside."""
        text = interleaved(translate(self.engine.lowered.module), self.lanes)
        for gives in ("i64", "void", "double"):
            text = text.replace(f"\ndefine {gives}", f"\ndefine internal {gives}")
        return text + self._lane(linkage)

    def ptx(self, processor: str = "sm_90") -> str:
        """The kernel `lanes`, for a card's processor."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        module = llvm.parse_assembly(self.assembly("internal ") + KERNEL)
        target: Any = llvm.Target.from_triple("nvptx64-nvidia-cuda")
        machine = target.create_target_machine(cpu=processor, features="+ptx80", opt=3)
        module.triple = target.triple
        module.data_layout = str(machine.target_data)
        text: str = optimise(module, machine=machine).emit_assembly(module)
        return text

    def _lane(self, linkage: str) -> str:
        offset, places = 0, []
        for name in OWN:
            places.append(f"  %a{name} = add i64 %lane, {offset * self.lanes}")
            places.append(f"  %{name} = getelementptr i64, ptr %pool, i64 %a{name}")
            offset += self.sizes[name]
        counts = "\n".join(
            f"  %c{at} = getelementptr i64, ptr %C, i64 {at * self.lanes}\n"
            f"  %n{at} = load i64, ptr %c{at}\n"
            f"  %o{at + 2} = getelementptr i64, ptr %o0, i64 {at + 2}\n"
            f"  store i64 %n{at}, ptr %o{at + 2}"
            for at in range(4)
        )
        return LANE.format(
            linkage=linkage, places="\n".join(places), counts=counts, lanes=self.lanes,
            size=self.engine.plan.whole, most=MOST,
            arrays=", ".join(f"ptr %{name}" for name in TAKEN),
        )  # fmt: skip


def interleaved(text: str, lanes: int) -> str:
    """Assembly in which words of all arrays but the constants stand *lanes* apart."""
    lines = []
    for number, line in enumerate(text.split("\n")):
        head, _, index = line.rpartition(", i64 ")
        array = head.rpartition("ptr ")[2]
        if "= getelementptr i64" in head and not array.endswith("tables"):
            lines.append(f"  %w.{number} = mul i64 {index}, {lanes}")
            lines.append(f"{head}, i64 %w.{number}")
        else:
            lines.append(line)
    return "\n".join(lines)
