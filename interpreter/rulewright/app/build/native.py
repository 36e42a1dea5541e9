"""An engine as machine code: a shared library where a linker is found, else an object file.

In: a plan, and the machine that it is for.  Out: files by name, with the header of `c.py`.  The
code uses no more than every processor of its kind can do.  Refuses machines that LLVM does not
know; for another machine than this one there is no library, only the object file.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.app.build.c import header
from rulewright.app.build.engine_plan import Block, EnginePlan
from rulewright.compiler.backend.llvm import translate
from rulewright.compiler.ir.types import FLOATS
from rulewright.errors import RulewrightError

_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}
_DEFINED = re.compile(r"^define (?:internal )?(.*?@([\w.]+)\()", re.MULTILINE)


def files(plan: EnginePlan, triple: str | None = None) -> dict[str, bytes]:
    """The files of the engine, by name: their content in bytes."""
    name, code = plan.game.name, compiled(assembly(plan), triple)
    contents = {f"{name}.h": header(plan)}
    library = None if triple else _linked(name, code)
    if library is None:
        return contents | {f"{name}.o": code}
    return contents | {name + _SUFFIX.get(sys.platform, ".so"): library}


def assembly(plan: EnginePlan) -> str:
    """LLVM's text: the arrays, the kernels, of which only exported ones are to be seen."""

    def linkage(match: re.Match[str]) -> str:
        hidden = "" if match[2] in plan.exports else "internal "
        return f"define {hidden}{match[1]}"

    arrays = "\n".join(_array(name, block) for name, block in plan.blocks.items())
    getters = "\n".join(
        f"define ptr @rw_{word}() {{\n  ret ptr @f.{word}\n}}" for word in ("text", "wanted")
    )
    return "\n".join([arrays, _DEFINED.sub(linkage, translate(plan.module)), getters])


def _array(name: str, block: Block) -> str:
    kind, size = ("double" if block.type == FLOATS else "i64"), max(1, block.size)
    words = "zeroinitializer"
    if block.first:
        zeros = size - len(block.first)
        words = f"[{', '.join([*_numbers(block, kind), *[f'{kind} 0'] * zeros])}]"
        words = words.replace("double 0,", "double 0.0,").replace("double 0]", "double 0.0]")
    return f"@{name} = internal global [{size} x {kind}] {words}, align 16"


def _numbers(block: Block, kind: str) -> Iterator[str]:
    for value in block.first:
        if kind == "double":
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            yield f"double 0x{bits:016x}"
        else:
            yield f"i64 {int(value)}"


def compiled(text: str, triple: str | None) -> bytes:
    """Object code, position-independent."""
    try:
        import llvmlite.binding as llvm

        from rulewright.compiler.backend.native import optimise
    except ImportError:
        message = "machine code needs the package llvmlite; --target c needs none"
        raise RulewrightError(message) from None
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target: Any = llvm.Target.from_triple(triple or llvm.get_process_triple())
    except RuntimeError as error:
        raise RulewrightError(f"there is no machine `{triple}`: {error}") from None
    machine = target.create_target_machine(opt=2, reloc="pic", codemodel="default")
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    code: bytes = optimise(module, machine=machine).emit_object(module)
    return code


def _linked(name: str, code: bytes) -> bytes | None:
    """A shared library of an object file; None where nothing can make one."""
    linker = next(
        (path for tool in ("cc", "gcc", "clang", "ld") if (path := shutil.which(tool))), ""
    )
    if not linker:
        return None
    with tempfile.TemporaryDirectory() as folder:
        object_file, library = Path(folder, f"{name}.o"), Path(folder, f"lib{name}")
        object_file.write_bytes(code)
        command = [linker, "-shared", "-o", str(library), str(object_file)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
        return library.read_bytes()
