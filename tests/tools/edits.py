"""Random edits of bundled files, with every question of an editor after each of them.

    python -m tests.tools.edits [--minutes M] [--seed N]

A failure stops it and names file and seed; the text is written to `edits_failure.txt`.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from rulewright import disk
from rulewright.service.workspace import SUFFIXES, Workspace
from tests.shared.editing import PIECES, ask_everything

EDITS = 30
"""Edits of one text before the next is taken."""
LONGEST = 900
"""Characters of a text: shorter ones take less time for each edit."""


def paths() -> list[Path]:
    """The bundled files."""
    found = (p for name in ("rulesets", "patterns") for p in sorted(disk.root(name).rglob("*")))
    return [path for path in found if path.suffix in SUFFIXES]


def session(path: Path, chance: random.Random) -> int:
    """Edit one text for a while; how many edits there were."""
    text = path.read_text("utf-8")
    head, start = 60, chance.randrange(max(1, len(text) - LONGEST))
    text = text[:head] + text[max(head, start) :][:LONGEST]
    workspace = Workspace()
    for number in range(EDITS):
        at = chance.randrange(len(text) + 1)
        typed = chance.choice(PIECES)
        text = text[:at] + typed + text[at + chance.choice((0, 0, 1, 5, 20)) :]
        document = workspace.open(path, text, number)
        try:
            ask_everything(workspace, document, min(at + len(typed), len(text)))
        except BaseException:
            Path("edits_failure.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
            print(f"{path}, at {at}: the text is in edits_failure.txt")
            raise
    return EDITS


def main() -> None:
    """Edit until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    words = parser.parse_args()
    chance, known, done = random.Random(words.seed), paths(), 0
    until = time.monotonic() + 60 * words.minutes
    while time.monotonic() < until:
        done += session(chance.choice(known), chance)
    print(f"{done:,} edits without a fault")


if __name__ == "__main__":
    main()
