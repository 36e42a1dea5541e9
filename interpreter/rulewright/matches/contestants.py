"""Contestants: who plays, as a text that every process can read, and what identifies him.

In: `WHO` or `WHO@depth=2,nodes=500,time=0.1`, where WHO is a personality (a name or a path),
`computer` (the search that knows the rules alone), `random`, or a program from outside
(`gomocup:COMMAND`, `gtp:COMMAND`, `engine:COMMAND`).  Out: a player, and the hashes of the files
behind it.  Limits after `@` hold for this one player in place of the match's; other names there are
factors of a personality (`flip@flip_cost=30`), which they give another value.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from rulewright.errors import RulewrightError
from rulewright.game import Game
from rulewright.knowledge import find_file
from rulewright.loading import find
from rulewright.pattern_files import SUFFIX as PATTERNS
from rulewright.pattern_files import pattern_files
from rulewright.players.inside import PersonalityPlayer, RandomPlayer, SearchPlayer, limited
from rulewright.players.personality import Personality
from rulewright.players.player import Limits, Player
from rulewright.protocols.outside import outside_player

_OWN = {"depth": ("depth", int), "nodes": ("nodes", int), "time": ("seconds", float)}
_BUILDS = re.compile(r"^(use|extends|consider\s+patterns)\s+([\w-]+)", re.MULTILINE | re.IGNORECASE)
"""What builds upon another file: in pattern files words begin with capitals."""


@frozen
class Contestant:
    """Who plays: `text` as it was written, `who` without what follows `@`, limits, factors."""

    text: str
    who: str
    own: tuple[tuple[str, int | float], ...] = ()
    factors: tuple[tuple[str, int | float], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Read `WHO` or `WHO@NAME=N,...`."""
        who, at, tail = text.rpartition("@")
        if not at or "=" not in tail:
            who, tail = text, ""
        if not who.strip():
            raise RulewrightError("a player is missing: a personality, computer or random")
        pairs = [_pair(part, text) for part in tail.split(",") if part]
        own = tuple(_limit(name, value, text) for name, value in pairs if name in _OWN)
        return cls(text, who, own, tuple(pair for pair in pairs if pair[0] not in _OWN))

    def limits(self, limits: Limits) -> Limits:
        """The limits that hold for this player."""
        changes: dict[str, Any] = dict(self.own)
        return evolve(limits, **changes) if changes else limits

    def open(self, game: Game, limits: Limits) -> Player:
        """The player, which is refused when it cannot play this game within these limits."""
        plain = self._plain()
        if plain is not None and self.factors:
            raise RulewrightError(f"`{self.text}`: only personalities have factors")
        return plain or PersonalityPlayer(self.text, self.personality(game, limits))

    def personality(self, game: Game, limits: Limits) -> Personality:
        """The personality with its factors, refused when these limits mean nothing to it."""
        found = Personality.load(self.who, game).with_factors(**dict(self.factors))
        limited(found.model, self.limits(limits))
        return found

    def _plain(self) -> Player | None:
        if self.who == "random":
            return RandomPlayer(self.text)
        if self.who == "computer":
            return SearchPlayer(self.text)
        return outside_player(self.who, self.text)


def _pair(part: str, text: str) -> tuple[str, int | float]:
    """`NAME=N`, `NAME=2.5` or `NAME=50%`."""
    name, _, number = part.partition("=")
    share = number.endswith("%")
    try:
        value = float(number.removesuffix("%")) / (100 if share else 1)
        whole = value.is_integer() and not share and "." not in number
    except ValueError:
        known = "depth=N, nodes=N, time=SECONDS and FACTOR=N"
        raise RulewrightError(f"`{text}`: behind @ stand {known}, not `{part}`") from None
    return name.strip(), int(value) if whole else value


def _limit(name: str, value: float, text: str) -> tuple[str, int | float]:
    field, kind = _OWN[name]
    if not 0 < value < float("inf") or (kind is int and not isinstance(value, int)):
        what = "a whole number from 1" if kind is int else "a time above 0"
        raise RulewrightError(f"`{text}`: the limit {name} is {what}")
    return field, value


# --- identity ---


def rules_hash(name_or_path: str) -> str:
    """The hash of a rules file."""
    return _digest([find(name_or_path)])


def hashes(contestant: Contestant, game: Game) -> dict[str, str]:
    """The hashes of the files that make a player: its personality, evaluators, patterns."""
    if contestant.who in ("random", "computer"):
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
    for word, name in _BUILDS.findall(path.read_text("utf-8")):
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
        data = file.read_bytes()
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()[:16]
