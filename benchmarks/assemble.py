"""Registers and spills of the games' kernels on a graphics card, as NVIDIA's assembler counts them.

    python benchmarks/assemble.py [GAME...]

No card is needed, only `ptxas`: pip install nvidia-cuda-nvcc-cu12.  Assembles the kernel of a
step, for sm_90, of the games that are named, or of those that have no row
yet; notes each game in `assembled.json` and writes the table of docs/cards.md.  PTX that the
assembler refuses ends the script with its message.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import asdict, frozen

from rulewright import batch
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games
from rulewright.learning.card_batch import ROWS
from rulewright.learning.card_program import CardProgram

PACKAGE, PROCESSOR, KIND = "nvidia-cuda-nvcc-cu12", "sm_90", 90
HERE = Path(__file__).parent
FIGURES, PAGE = HERE / "assembled.json", HERE.parent / "docs" / "cards.md"
BEGIN, END = "<!-- assembled -->\n", "<!-- end -->\n"
STEP = "act_on_card"
HEAD = f"| game | registers | bytes of stack | bytes spilled | KiB of PTX |\n{'|---' * 5}|\n"


@frozen
class AssembledKernel:
    """What the assembler says of a kernel: registers of a lane, bytes, and KiB of its PTX."""

    registers: int
    stack: int
    spills: int
    """Bytes that are stored because there are too few registers, and loaded again."""
    kib: int


def assembler() -> Path:
    """Return the path of `ptxas` in the package that brings it."""
    paths = [path for path in files(PACKAGE) or () if path.name == "ptxas"]
    return Path(str(paths[0].locate()))


def assembled(text: str) -> AssembledKernel:
    """Assemble PTX; raises `CalledProcessError` where it is refused."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.ptx"
        path.write_text(text)
        command = [str(assembler()), f"-arch={PROCESSOR}", "-v", str(path), "-o", f"{path}.cubin"]
        report = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    numbers = [int(n) for n in re.findall(r"(\d+) bytes (?:stack|spill)", report)]
    registers = [int(n) for n in re.findall(r"Used (\d+) registers", report)]
    spills = sum(numbers[1::3]) + sum(numbers[2::3])
    return AssembledKernel(max(registers), max(numbers[0::3]), spills, len(text) // 1024)


def plan_of(name: str) -> CardProgram:
    """Return the kernels of a game on a card; raises `RulewrightError` where it has no batch."""
    return CardProgram(batch(name, 1, threads=1)._arrays, ROWS)


def figures_of(name: str) -> dict[str, Any]:
    """Return what the assembler says of the kernel of a step of a game, or why it has none."""
    try:
        text = plan_of(name).group((STEP,)).ptx(KIND)
    except RulewrightError as reason:
        return {"refused": str(reason)}
    return asdict(assembled(text))


def table(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table of the page, and below it why games are missing."""
    rows, reasons = [], []
    for name, game in sorted(figures.items()):
        if "refused" in game:
            reasons.append(f"- {game['refused']}\n")
            continue
        cells = (name, *(game[word] for word in ("registers", "stack", "spills", "kib")))
        rows.append(f"| {' | '.join(map(str, cells))} |\n")
    return f"{HEAD}{''.join(rows)}\nNot on a card:\n\n{''.join(reasons)}"


def write(figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the figures and the table of the page."""
    FIGURES.write_text(json.dumps(dict(sorted(figures.items())), indent=1) + "\n", "utf-8")
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{table(figures)}{END}{rest.partition(END)[2]}", "utf-8")


def main() -> None:
    """Assemble what the command line names."""
    parser = argparse.ArgumentParser(description="Registers and spills of kernels on a card.")
    parser.add_argument("games", nargs="*")
    figures = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    names = parser.parse_args().games or sorted(set(bundled_games()) - set(figures))
    for name in names:
        figures[name] = figures_of(name)
        print(name, figures[name], flush=True)
        write(figures)


if __name__ == "__main__":
    main()
