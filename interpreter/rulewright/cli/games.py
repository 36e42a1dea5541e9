"""`rulewright games`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import print_json
from rulewright.loading import bundled, load


def run(arguments: Namespace) -> int:
    """List the bundled games, one line each."""
    found = []
    for name, path in bundled().items():
        options = {o.name: o.value for o in load(name).rules.options}
        found.append({"name": name, "about": summary(path), "options": options})
    if arguments.format == "json":
        print_json({"games": found})
        return 0
    for game in found:
        options = " ".join(f"{k}={_shown(v)}" for k, v in game["options"].items())  # type: ignore[attr-defined]
        print(f"{game['name']:<13}{game['about']}" + (f"  [{options}]" if options else ""))
    return 0


def summary(path: Path) -> str:
    """The first sentence of the first comment of a rules file."""
    lines = path.read_text("utf-8").splitlines()
    comments = [line.lstrip("# ").strip() for line in lines if line.startswith("#")]
    return " ".join(comments).partition(". ")[0].rstrip(".") + "." if comments else ""


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
