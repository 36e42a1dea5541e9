"""From text to the first move: the wall time of a whole new process, `rulewright best`.

Cold: nothing is cached.  Edited: the grammar's tables and another game are cached, as after a
change of the rules.  Cached: the second run.  Python's own bytecode is there in all three, as it is
after an installation.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from attrs import frozen

from rulewright.bench.rates import Row
from rulewright.errors import RulewrightError
from rulewright.files.games import bundled

_NODES = 200
"""Nodes of the search for the first move."""
_CHILD = """
import sys
from pathlib import Path
from rulewright.cli import main
status = main(sys.argv[1:])
if Path("/proc/self/status").exists():
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(status)
"""
"""The command, and then its largest resident size in KiB, where the system keeps it.

What `wait4` tells about a child begins with the size of its parent.
"""


@frozen
class Command:
    """What is run: a game as the command line names it, and its options."""

    game: str
    options: tuple[str, ...] = ()

    def words(self) -> list[str]:
        """The command line."""
        sets = [word for option in self.options for word in ("--set", option)]
        search = ["--nodes", str(_NODES), "--seed", "1"]
        return [sys.executable, "-c", _CHILD, "best", self.game, *sets, *search]


def measure(row: Row, command: Command, rounds: int) -> None:
    """Note the seconds to the first move, and the memory at most (MiB), of so many rounds."""
    other = next(Command(name) for name in bundled() if name != command.game)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run(other, folder, folder / "other")
        _run(command, folder, folder / "first")  # now the bytecode of all modules is there
        for number in range(rounds):
            cache, edited = folder / f"cache{number}", folder / f"edited{number}"
            shutil.copytree(folder / "other", edited)
            for kind, where in (("cold", cache), ("cached", cache), ("edited", edited)):
                seconds, memory = _run(command, folder, where)
                row.add(f"first_move_{kind}_s", seconds)
                if memory is not None:
                    row.add("peak_mib", memory)


def _run(command: Command, folder: Path, cache: Path) -> tuple[float, float | None]:
    """Seconds of the wall, and the largest resident size in MiB where the system tells."""
    begun = time.perf_counter()
    done = subprocess.run(
        command.words(), env=_environment(folder, cache), stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    seconds = time.perf_counter() - begun
    if done.returncode:
        raise RulewrightError(f"the first move of {command.game} failed: {done.stderr}")
    last = done.stderr.split()[-1:]
    return seconds, int(last[0]) / 1024 if last and last[0].isdigit() else None


def _environment(folder: Path, cache: Path) -> dict[str, str]:
    """The environment of a child: its own caches, and modules found as they are found here."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "RULEWRIGHT_CACHE": str(cache),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
