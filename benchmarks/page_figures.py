"""Tables of figures on pages, each written by the command that measures it.

    python benchmarks/page_figures.py                # names of tables, with their commands
    python benchmarks/page_figures.py NAME ...       # measure, and print what would be written
    python benchmarks/page_figures.py NAME --write   # and put it into its page

A command prints the rows of its table in Markdown, one a line; other lines are shown, not written.
A page has the table between `<!-- NAME -->` and `<!-- end of NAME -->`, below the day, the machine,
how busy it was, and the command.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path

from rulewright.checks.bench.run import machine

ROOT = Path(__file__).parents[1]
STRENGTH, SPEED = ROOT / "docs" / "strength.md", ROOT / "docs" / "benchmarks.md"
TABLES: dict[str, tuple[Path, str]] = {
    "solving": (STRENGTH, "benchmarks/solving.py"),
    "forced": (STRENGTH, "benchmarks/connect5/forced.py tests/data/connect5_forced.txt"),
    "connect4": (STRENGTH, "benchmarks/connect4.py"),
    "against-random": (STRENGTH, "benchmarks/cold.py --games 10 --time 0.5"),
    "t1j": (STRENGTH, "benchmarks/t1j/text.py tests/data/t1j.jsonl"),
    "cold": (SPEED, "benchmarks/cold.py"),
    "evaluators": (SPEED, "benchmarks/evaluators.py"),
    "writing": (SPEED, "benchmarks/writing.py"),
    "slow-texts": (SPEED, "benchmarks/writing.py --texts tests/data/slow"),
    "growth": (SPEED, "benchmarks/growth.py"),
    "states": (SPEED, "benchmarks/state.py --plies 1500 --rounds 7"),
    "scripts": (SPEED, "benchmarks/state.py --scripts"),
}
"""The tables: the page of each, and the command after `python`."""


def marks(name: str) -> tuple[str, str]:
    """The two lines between which a page has a table."""
    return f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"


def measured(command: str) -> list[str]:
    """Run a command from the root, show what it prints, and return the rows of its table."""
    rows = []
    words = [sys.executable, "-u", *shlex.split(command)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            rows += [line] if line.startswith("|") else []
    if len(rows) < 3:
        raise SystemExit(f"{command} has printed no table")
    return rows


def caption(command: str, load: float) -> str:
    """The line above a table: when, where, beside what, and how it was measured."""
    about = machine()
    place = f"{about['system']}, {about['cores']} cores ({about['processor']})"
    return f"{date.today().isoformat()}, {place}, beside a load of {load:.0f}: `python {command}`."


def written(page: str, name: str, text: str) -> str:
    """A page with another text between the marks of a table."""
    begin, end = marks(name)
    before, has_begin, rest = page.partition(begin)
    _, has_end, after = rest.partition(end)
    if not (has_begin and has_end):
        raise SystemExit(f"the page has no marks for {name}")
    return f"{before}{begin}\n{text}\n{end}{after}"


def main() -> None:
    """Measure what is asked for, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*TABLES, []])
    parser.add_argument("--write", action="store_true", help="into the page of the table")
    asked = parser.parse_args()
    for name in asked.names:
        page, command = TABLES[name]
        load = os.getloadavg()[0]  # before the command adds its own
        text = f"{caption(command, load)}\n\n{''.join(measured(command))}"
        if asked.write:
            page.write_text(written(page.read_text("utf-8"), name, text), "utf-8")
    if not asked.names:
        print(*(f"{name}: python {command}" for name, (_, command) in TABLES.items()), sep="\n")


if __name__ == "__main__":
    main()
