"""`rulewright convert`: files of others in our form, and recorded games in theirs."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rulewright.analysis.files import write_game
from rulewright.cli import patterns
from rulewright.cli.common import load_recorded, spare, write_text
from rulewright.files.table import PATTERNS
from rulewright.protocols import move_list


def run(arguments: Namespace) -> int:
    """Write a recorded game in the format of OUT's name, or patterns in today's words."""
    path, out = Path(arguments.file), arguments.to
    if path.suffix == PATTERNS.suffix:
        force = arguments.force
        return patterns.run(Namespace(what="convert", file=arguments.file, to=out, force=force))
    recorded = load_recorded(path, arguments.game, arguments.set, arguments.number)
    for told in recorded.left_out:
        print(f"{path}: {told} left out", file=sys.stderr)
    if out == "-":
        write_text(out, move_list.write(recorded))
        return 0
    spare(out, arguments.force)
    write_game(out, recorded)
    print(f"{out} written", file=sys.stderr)
    return 0
