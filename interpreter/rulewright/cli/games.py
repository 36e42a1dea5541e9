"""`rulewright games`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import print_json
from rulewright.disk import read_text
from rulewright.files.games import bundled, load


def run(arguments: Namespace) -> int:
    """List the bundled games, one line each."""
    found = [(name, summary(path), dict(load(name).options)) for name, path in bundled().items()]
    if arguments.format == "json":
        games = [{"name": n, "about": about, "options": o} for n, about, o in found]
        print_json({"games": games})
        return 0
    for name, about, options in found:
        shown = " ".join(f"{option}={_shown(value)}" for option, value in options.items())
        print(f"{name:<13}{about}" + (f"  [{shown}]" if shown else ""))
    return 0


def summary(path: Path) -> str:
    """The first sentence of the first comment of a rules file."""
    lines = read_text(path).splitlines()
    comments = [line.lstrip("# ").strip() for line in lines if line.startswith("#")]
    return " ".join(comments).partition(". ")[0].rstrip(".") + "." if comments else ""


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
