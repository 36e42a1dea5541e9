"""How long the language service takes to answer an edit, by file.

    python benchmarks/service.py [EDITS] [GAME ...]

Each edit writes one letter or takes one away at a random place of a bundled file, as a person does
who types.  Each line gives the median and the worst processor time in milliseconds until there are:
mistakes of form and colours (what is seen at once), everything that is wrong but for claims,
completion where the edit was, and the meaning of the word there.  Some edits come
first, unmeasured.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rulewright.app.service import completion, hover, tokens
from rulewright.app.service.document import Document
from rulewright.app.service.documents import SUFFIXES, Workspace
from rulewright.games.files.games import bundled_games
from rulewright.ground import disk

WARM = 3
LETTERS = "abcdefgh (:="


def questions(workspace: Workspace, offset: int) -> dict[str, Callable[[Document], object]]:
    """What an editor asks after an edit, in this order."""
    return {
        "form": lambda d: (d.diagnostics, tokens.colours(workspace, d)),
        "meaning": workspace.diagnostics,
        "completion": lambda d: completion.complete(workspace, d, offset),
        "hover": lambda d: hover.hover(workspace, d, offset),
    }


def times(path: Path, edits: int, chance: random.Random) -> dict[str, list[float]]:
    """Milliseconds of each question, for each edit."""
    workspace, text = Workspace(), path.read_text("utf-8")
    found: dict[str, list[float]] = {}
    for number in range(WARM + edits):
        at = chance.randrange(len(text))
        typed = "" if number % 2 else chance.choice(LETTERS)
        new = text[:at] + typed + text[at + (not typed) :]
        began = time.process_time()
        document = workspace.open(path, new, number)
        for name, question in questions(workspace, min(at + 1, len(new))).items():
            question(document)
            now = time.process_time()
            if number >= WARM:
                found.setdefault(name, []).append((now - began) * 1000)
            began = now
    return found


def main() -> None:
    """Print a line for each file."""
    words = sys.argv[1:]
    gc.set_threshold(100_000, 20, 20)  # as the command has it
    edits = int(words.pop(0)) if words and words[0].isdigit() else 40
    chance = random.Random(1)
    print("median / worst ms   form       meaning    completion hover")
    for game in words or [*bundled_games()]:
        folders = (disk.root("rulesets") / game, disk.root("patterns") / game)
        paths = [p for f in folders if f.is_dir() for p in sorted(f.iterdir())]
        for path in paths:
            if path.suffix in SUFFIXES:
                found = times(path, edits, chance)
                cells = (f"{median(t):.0f} / {max(t):.0f}" for t in found.values())
                print(f"{path.name:26}" + "  ".join(f"{cell:9}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
