"""Random edits of bundled files, with every question of an editor after each of them.

    python -m tests.tools.edits [--minutes M]

Edits add up in `edits.json` beside this file, and each run takes a seed that no earlier one took.
A failure stops it and names the file; the text is written to `edits_failure.txt`.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

from rulewright.app.service.documents import SUFFIXES, Workspace
from rulewright.ground import disk
from tests.shared.editing import PIECES, ask_everything

EDITS = 40
"""Edits of one text before the next is taken."""
TEXTS = 200
"""Texts of one workspace, which keeps what it knows of the files that are not edited."""
LONGEST = 900
"""Characters of a text: shorter ones take less time for each edit."""
SECONDS = 0.8
"""Processor time for one text: most take a half of that, the first edit of some games ten times as
much."""
TOTALS = Path(__file__).with_suffix(".json")


def paths() -> list[Path]:
    """The bundled files."""
    found = (p for name in ("rulesets", "patterns") for p in sorted(disk.root(name).rglob("*")))
    return [path for path in found if path.suffix in SUFFIXES]


def session(workspace: Workspace, path: Path, chance: random.Random) -> int:
    """Edit one text for a while; how many edits there were."""
    text = path.read_text("utf-8")
    head, start = 60, chance.randrange(max(1, len(text) - LONGEST))
    text = text[:head] + text[max(head, start) :][:LONGEST]
    until = time.process_time() + SECONDS
    for number in range(EDITS):
        if time.process_time() > until:
            break
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
    else:
        number = EDITS
    workspace.close(path)
    return number


def main() -> None:
    """Edit until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    words = parser.parse_args()
    totals = json.loads(TOTALS.read_text("utf-8"))
    totals["seed"] += 1
    chance, known, before = random.Random(totals["seed"]), paths(), totals["edits"]
    until = time.monotonic() + 60 * words.minutes
    try:
        while time.monotonic() < until:
            workspace = Workspace()
            for path in chance.choices(known, k=TEXTS):
                totals["edits"] += session(workspace, path, chance)
                if time.monotonic() > until:
                    break
    finally:
        disk.write_whole(TOTALS, f"{json.dumps(totals)}\n".encode())
    print(f"{totals['edits'] - before:,} edits without a fault, {totals['edits']:,} in all")


if __name__ == "__main__":
    main()
