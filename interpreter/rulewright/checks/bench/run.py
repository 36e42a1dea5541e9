"""One run of `bench`: which games are measured with which options, and how it is shown.

In: names of games and an `Effort`.  Out: rows, one after the other, as they are measured; one JSON
object or a table of them.

The first move is the wall time of a whole new process, `rulewright best`.  Cold: nothing is
cached.  Edited: the grammar's tables and another game are cached, as after a change of the rules.
Cached: the second run.  Python's own bytecode is there in all three, as after an installation.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from rulewright import __version__
from rulewright.checks.bench import programs
from rulewright.checks.bench.rates import Effort, RateRow, measure
from rulewright.compiler.backend.native import processor_name
from rulewright.compiler.engine import native_is_there
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games, load_with
from rulewright.ground.printable import columns, shown_option

Task = tuple[str, Mapping[str, Any]]
"""A game as the command line names it, and its options."""


def tasks(names: list[str], options: Mapping[str, Any]) -> list[Task]:
    """The games to measure: those named, else all bundled ones.

    Without options a game has those that its C program plays.
    """
    usual = {program.game: program.options for program in programs.programs()}
    return [(n, options or usual.get(n, {})) for n in names or list(bundled_games())]


def scaling_tasks() -> list[Task]:
    """The games whose cost is measured on growing boards."""
    return [
        (s.game, {**s.options, s.option: value}) for s in programs.scalings() for value in s.values
    ]


def rows(tasks: list[Task], effort: Effort, say: Callable[[str], None]) -> Iterator[RateRow]:
    """Measure one game after the other."""
    there = programs.systems()
    for name, options in tasks:
        say(f"measuring {name}")
        effort = evolve(effort, begun=time.perf_counter())
        game = load_with(name, dict(options))
        program = programs.program_for(game, name)
        row = measure(game, program, effort)
        if program is not None and not effort.only_playouts:
            _measure_others(row, program, effort, there)
        if not effort.only_playouts:
            words = tuple(f"{option}={shown_option(value)}" for option, value in options.items())
            _measure_first_moves(row, _Command(name, words), effort)
            if "first_move_edited_s" not in row.rounds:
                say("the time was over before the first move was measured; --rounds waits for it")
        yield row


def _measure_others(
    row: RateRow, program: programs.CProgram, effort: Effort, there: Mapping[str, bool]
) -> None:
    """Note what other systems reach on the same game, where they are installed."""
    for number in range(effort.rounds):
        for system, call in (("openspiel", programs.openspiel), ("ludax", programs.ludax)):
            name = getattr(program, system)
            if there[system] and name:
                rate = call(name, effort.seconds, effort.seed + number)
                row.add(f"{system}_playouts_per_s", rate)


# --- the first move ---

_FIRST_MOVES = 3
"""The number of first moves that are measured, at the most."""
_NODES = 200
"""Nodes of the search for the first move."""
_CHILD = """
import sys
from pathlib import Path
from rulewright.app.cli import main
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
class _Command:
    """A command to run: a game as the command line names it, and its options."""

    game: str
    options: tuple[str, ...] = ()

    def words(self) -> list[str]:
        """The command line."""
        sets = [word for option in self.options for word in ("--set", option)]
        search = ["--nodes", str(_NODES), "--seed", "1"]
        return [sys.executable, "-c", _CHILD, "best", self.game, *sets, *search]


def _measure_first_moves(row: RateRow, command: _Command, effort: Effort) -> None:
    """Note the seconds to the first move, and the memory at most (MiB), as the time allows."""
    with tempfile.TemporaryDirectory() as name, suppress(subprocess.TimeoutExpired):
        _measured_moves(row, command, Path(name), effort)


def _measured_moves(row: RateRow, command: _Command, folder: Path, effort: Effort) -> None:
    other = next(_Command(name) for name in bundled_games() if name != command.game)

    def run(task: _Command, cache: Path) -> tuple[float, float | None]:
        return _run(task, folder, cache, effort.seconds_left())

    run(other, folder / "other")
    run(command, folder / "first")  # now the bytecode of all modules is there
    for number in range(min(effort.rounds, _FIRST_MOVES)):
        cache, edited = folder / f"cache{number}", folder / f"edited{number}"
        shutil.copytree(folder / "other", edited)
        for kind, where in (("cold", cache), ("cached", cache), ("edited", edited)):
            seconds, memory = run(command, where)
            row.add(f"first_move_{kind}_s", seconds)
            if memory is not None:
                row.add("peak_mib", memory)


def _run(
    command: _Command, folder: Path, cache: Path, seconds: float | None = None
) -> tuple[float, float | None]:
    """Seconds of the wall, and the largest resident size in MiB where the system tells."""
    begun = time.perf_counter()
    process = subprocess.run(
        command.words(), env=_environment(folder, cache), stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, check=False, timeout=seconds,
    )  # fmt: skip
    spent = time.perf_counter() - begun
    if process.returncode:
        raise RulewrightError(f"the first move of {command.game} failed: {process.stderr}")
    last = process.stderr.split()[-1:]
    return spent, int(last[0]) / 1024 if last and last[0].isdigit() else None


def _environment(folder: Path, cache: Path) -> dict[str, str]:
    """The environment of a child: its own caches, and modules found as they are found here."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return environment | {
        "RULEWRIGHT_CACHE": str(cache),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


# --- what is printed ---

NAMES = (
    "playouts_per_s", "plies_per_playout", "first_share", "draw_share", "perft_nodes_per_s",
    "search_nodes_per_s", "first_move_cold_s", "first_move_edited_s", "first_move_cached_s",
    "peak_mib", "c_playouts_per_s", "share_of_c",
)  # fmt: skip
"""The names that the JSON form always has, with `_min` and `_max`."""

_COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("playouts/s", "playouts_per_s", ",.0f"), ("of C", "share_of_c", ".3f"),
    ("ns/ply", "ns_per_ply", ",.0f"), ("C ns/ply", "c_ns_per_ply", ",.1f"),
    ("OpenSpiel", "openspiel_playouts_per_s", ",.0f"), ("Ludax", "ludax_playouts_per_s", ",.0f"),
    ("perft/s", "perft_nodes_per_s", ",.0f"), ("of C", "share_of_c_perft", ".3f"),
    ("search/s", "search_nodes_per_s", ",.0f"), ("cold s", "first_move_cold_s", ".2f"),
    ("edited s", "first_move_edited_s", ".2f"), ("cached s", "first_move_cached_s", ".2f"),
    ("MiB", "peak_mib", ".0f"), ("plies", "plies_per_playout", ",.2f"),
    ("first", "first_share", ".3f"), ("drawn", "draw_share", ".3f"),
)  # fmt: skip
_SPREAD = ("share_of_c", "share_of_c_perft")
"""Columns that show smallest and largest values too: shares are what rounds are compared by."""


def machine() -> dict[str, Any]:
    """The machine and the versions that figures depend on."""
    compiler = programs.compiler()
    return {
        "rulewright": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "compiler": compiler and " ".join([compiler, *programs.FLAGS]),
    }


def _processor() -> str:
    if native_is_there():
        return processor_name()
    return platform.processor() or platform.machine()


def as_data(rows: Iterable[RateRow]) -> dict[str, Any]:
    """The object for JSON."""
    return {"machine": machine(), "games": [row.as_data(NAMES) for row in rows]}


def table(rows: list[RateRow]) -> str:
    """A line for each game, with the columns that have values."""
    used_columns = [c for c in _COLUMNS if any(c[1] in row.rounds for row in rows)]
    head = ["game", *(title for title, _, _ in used_columns)]
    cells = ([_cell(row, name, form) for _, name, form in used_columns] for row in rows)
    lines = ([_title(row), *line] for row, line in zip(rows, cells, strict=True))
    return "\n".join(columns([head, *lines]))


def _title(row: RateRow) -> str:
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    tail = "" if row.backend == "native" else f" [{row.backend}]"
    return f"{row.game} {options}".strip() + tail


def _cell(row: RateRow, name: str, form: str) -> str:
    middle = row.middle(name)
    if middle is None:
        return "-"
    if name not in _SPREAD:
        return format(middle, form)
    values = row.rounds[name]
    return f"{middle:{form}} ({min(values):{form}}-{max(values):{form}})"
