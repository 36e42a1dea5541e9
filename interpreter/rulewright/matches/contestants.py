"""What identifies the players of a match: the hashes of the files behind them.

In: a contestant (`protocols/contestant.py` reads the text of one) and its game.  Out: hashes by
kind of file; none for players that come from no file.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from rulewright.disk import read_bytes, read_text
from rulewright.engine.game import Game
from rulewright.knowledge import find_file
from rulewright.loading import find
from rulewright.pattern_files import SUFFIX as PATTERNS
from rulewright.pattern_files import pattern_files
from rulewright.protocols.contestant import Contestant

_BUILDS = re.compile(r"^(use|extends|consider\s+patterns)\s+([\w-]+)", re.MULTILINE | re.IGNORECASE)
"""What builds upon another file: in pattern files words begin with capitals."""


def rules_hash(name_or_path: str) -> str:
    """The hash of a rules file."""
    return _digest([find(name_or_path)])


def hashes(contestant: Contestant, game: Game) -> dict[str, str]:
    """The hashes of the files that make a player: its personality, evaluators, patterns."""
    if contestant.who in ("random", "computer", "search"):
        return {}
    bare = contestant.who.removeprefix(f"{game.name}/")
    given = Path(contestant.who)
    path = given if given.suffix == ".personality" else find_file(game, f"{bare}.personality")
    if path is None:
        return {}
    files = _files(game, path)
    kinds = {"personality": "personality", "eval": "evaluator", "patterns": "patterns"}
    return {
        kind: _digest(mine)
        for suffix, kind in kinds.items()
        if (mine := sorted(f for f in files if f.suffix == f".{suffix}"))
    }


def _files(game: Game, path: Path, seen: tuple[Path, ...] = ()) -> set[Path]:
    """A file and all that it builds upon."""
    found = {path}
    for word, name in _BUILDS.findall(read_text(path)):
        file = _file(game, path, word.lower(), name)
        if file is not None and file not in (*seen, path):
            found |= _files(game, file, (*seen, path))
    return found


def _file(game: Game, path: Path, word: str, name: str) -> Path | None:
    """The file that a line of another one names."""
    if word.startswith("consider") or path.suffix == PATTERNS:
        return pattern_files(game, path.parent).get(name)
    suffix = "eval" if word == "use" else "personality"
    return find_file(game, f"{name}.{suffix}", path.parent)


def _digest(files: list[Path]) -> str:
    """SHA-256 of the texts one after the other, each after its length; the first 16 figures."""
    found = hashlib.sha256()
    for file in files:
        data = read_bytes(file)
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()[:16]
