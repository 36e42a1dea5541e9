"""`rulewright replay`: what a file of games shows now.

`KINDS` says what replays each kind of file.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from rulewright.cli.common import print_json
from rulewright.cli.replay_cases import replay_cases
from rulewright.cli.replay_records import replay_records
from rulewright.errors import RulewrightError

Result = tuple[int, dict[str, object], str]
"""Exit status, plain data, text."""
KINDS: dict[str, Callable[[Path, Namespace], Result]] = {
    ".jsonl": replay_records,
    ".db": replay_records,
    ".cases": replay_cases,
}


def run(arguments: Namespace) -> int:
    """Replay a file of a known kind."""
    path = Path(arguments.file)
    kind = KINDS.get(path.suffix)
    if kind is None:
        known = ", ".join(KINDS)
        raise RulewrightError(f"{path} cannot be replayed; these kinds of files can: {known}")
    status, data, text = kind(path, arguments)
    if arguments.format == "json":
        print_json(data)
    else:
        print(text)
    return status
