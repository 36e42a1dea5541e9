"""`rulewright new`."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import read_text, write_text
from rulewright.disk import is_there, write_whole
from rulewright.errors import RulewrightError
from rulewright.files.games import check, find, load
from rulewright.files.kinds import files_of
from rulewright.files.table import PERSONALITY, load_personality
from rulewright.language.diagnostics import TextError, errors
from rulewright.players.write import whole_text


def run(arguments: Namespace) -> int:
    """Copy the rules of a game under a new name, as a starting point."""
    if arguments.personality is not None:
        return _personality(arguments)
    name = arguments.name.removesuffix(".rules")
    word = Path(name).name
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word):
        raise RulewrightError(f"a game's name has letters, digits and `_`, not {word!r}")
    path = Path(f"{name}.rules")
    if is_there(path) and not arguments.force:
        raise RulewrightError(f"{path} is there already; --force replaces it")
    text = read_text(str(find(arguments.source)))
    text = re.sub(r"^game\s+\w+", f"game {word}", text, count=1, flags=re.MULTILINE)
    report = check(text, str(path))
    if not report.ok:
        raise TextError(errors(report.diagnostics))
    write_whole(path, text.encode())
    print(
        f"{path} written; `rulewright check {path}` and `rulewright play {path}` use it",
        file=sys.stderr,
    )
    return 0


def _personality(arguments: Namespace) -> int:
    """Write a personality with every factor and what it means, as a starting point."""
    name = arguments.name.removesuffix(".personality")
    word = Path(name).name
    path = Path(f"{name}.personality")
    if is_there(path) and not arguments.force:
        raise RulewrightError(f"{path} is there already; --force replaces it")
    game = load(arguments.source)
    source = arguments.personality or next(iter(files_of(PERSONALITY, game)), "")
    write_text(str(path), whole_text(load_personality(game, source), word))
    print(f"{path} written; `rulewright check {path}` tests it", file=sys.stderr)
    return 0
