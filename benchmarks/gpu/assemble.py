"""Registers and spills of the games' kernels on a graphics card, as NVIDIA's assembler counts them.

    python benchmarks/gpu/assemble.py [GAME...] [--processor sm_90]

No card is needed, only `ptxas`: pip install nvidia-cuda-nvcc-cu12.  Prints a row for each game;
one whose PTX the assembler refuses ends the script with its message.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from importlib.metadata import files
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen
from lanes import Lanes  # beside this file

from rulewright.compiler.engine import Engine
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games, load

PACKAGE = "nvidia-cuda-nvcc-cu12"
LANES = 1 << 15


@frozen
class AssembledKernel:
    """What the assembler says of a kernel: registers of a lane, bytes, and seconds it took."""

    registers: int
    stack: int
    spills: int
    """Bytes that are stored because there are too few registers, and loaded again."""
    seconds: float


def assembler() -> Path:
    """Return the path of `ptxas` in the package that brings it."""
    paths = [path for path in files(PACKAGE) or () if path.name == "ptxas"]
    return Path(str(paths[0].locate()))


def ptx_of(name: str, processor: str) -> str:
    """Return the PTX of a game's kernels."""
    engine = Engine(load(name).play)
    sizes = {**engine.sizes(), "Y": engine.plan.whole, "R": 16, "C": 16}
    return Lanes(engine, LANES, sizes).ptx(processor)


def assembled(text: str, processor: str) -> AssembledKernel:
    """Assemble PTX; raises `CalledProcessError` where it is refused."""
    begun = time.perf_counter()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.ptx"
        path.write_text(text)
        command = [str(assembler()), f"-arch={processor}", "-v", str(path), "-o", f"{path}.cubin"]
        report = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    numbers = [int(n) for n in re.findall(r"(\d+) bytes (?:stack|spill)", report)]
    registers = [int(n) for n in re.findall(r"Used (\d+) registers", report)]
    return AssembledKernel(
        max(registers), max(numbers[0::3]), sum(numbers[1::3]) + sum(numbers[2::3]),
        time.perf_counter() - begun,
    )  # fmt: skip


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--processor", default="sm_90")
    options = parser.parse_args()
    print("| game | KiB of PTX | registers | bytes of stack | bytes spilled | seconds |")
    print("|---|---|---|---|---|---|")
    for name in options.games or sorted(bundled_games()):
        try:
            text = ptx_of(name, options.processor)
        except RulewrightError as reason:
            print(f"| {name} | {reason} |", flush=True)
            continue
        kernel = assembled(text, options.processor)
        row = (name, len(text) // 1024, kernel.registers, kernel.stack, kernel.spills)
        print(f"| {' | '.join(map(str, row))} | {kernel.seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
