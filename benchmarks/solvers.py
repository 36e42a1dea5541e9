"""Proven values beside an independent solver in C that shares no code: `c/rows.c`.

    python benchmarks/solvers.py                # up to Connect Four 5x5, seconds
    python benchmarks/solvers.py --large        # Connect Four 6x5 too, about a minute

In: nothing but a C compiler.  Out: a line for each board, with both values and nodes.  Exit status
1 where the two do not agree.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rulewright.games.files.games import load
from rulewright.search.solve import solve

SOURCE = Path(__file__).parent / "c" / "rows.c"
BOARDS = [
    ("tictactoe", 3, 3, 3), ("tictactoe", 4, 3, 3), ("tictactoe", 4, 4, 3), ("tictactoe", 4, 4, 4),
    ("connect4", 4, 4, 4), ("connect4", 5, 4, 4), ("connect4", 5, 5, 4),
]  # fmt: skip
LARGE = [("connect4", 6, 5, 4)]


def compare(program: Path, game: str, width: int, height: int, run: int) -> bool:
    """Print what both find; whether they agree."""
    way = "drop" if game == "connect4" else "free"
    command = [str(program), *map(str, (width, height, run)), way]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    value, nodes = done.stdout.split()
    found = solve(load(game, width=width, height=height, run=run).start())
    agreed = found.value == value
    ours = f"{found.value} ({found.nodes:,} nodes, {found.seconds:.1f} s)"
    note = "" if agreed else "  DIFFERENT"
    print(
        f"{game} {width}x{height}, {run} in a row: {ours}; C: {value} ({int(nodes):,} nodes){note}"
    )
    return agreed


def main() -> int:
    """Compare all boards."""
    parser = argparse.ArgumentParser(description="Proven values beside a solver in C.")
    parser.add_argument("--large", action="store_true", help="Connect Four 6x5 too")
    boards = BOARDS + (LARGE if parser.parse_args().large else [])
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("a C compiler is needed: cc or gcc", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "rows"
        subprocess.run([compiler, "-O2", "-o", str(program), str(SOURCE)], check=True)
        agreed = [compare(program, *board) for board in boards]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
