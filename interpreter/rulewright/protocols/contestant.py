"""Who plays, as one text that every command and every process reads alike.

In: `WHO`, `WHO:SECONDS` or `WHO@depth=2,nodes=500,time=0.1`, where WHO is a personality (a name or
a path), `search` or `computer` (the search that knows the rules alone), `random`, or a program
from outside (`gomocup:COMMAND`, `gtp:COMMAND`, `engine:COMMAND`).  Out: a player.  Limits after `@`
hold for this one player; other names there are factors of a personality (`flip@flip_cost=30`),
which they give another value.  Refuses limits and factors that mean nothing to the player.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import evolve, frozen

from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.players.inside import PersonalityPlayer, RandomPlayer, SearchPlayer, limited
from rulewright.players.personality import Personality
from rulewright.players.player import Limits, Player
from rulewright.protocols.outside import SPEECHES, outside_player

_OWN = {"depth": ("depth", int), "nodes": ("nodes", int), "time": ("seconds", float)}
_SECONDS = re.compile(r"^(?P<who>.*[^:]):(?P<seconds>[-+]?[0-9.][0-9.e+-]*)$")
"""`WHO:SECONDS`, the short form of `WHO@time=SECONDS`."""


@frozen
class Contestant:
    """Who plays: `text` as it was written, `who` without what follows, limits, factors."""

    text: str
    who: str
    own: tuple[tuple[str, int | float], ...] = ()
    factors: tuple[tuple[str, int | float], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Read `WHO`, `WHO:SECONDS` or `WHO@NAME=N,...`."""
        who, at, tail = text.rpartition("@")
        if not at or "=" not in tail:
            who, tail = text, ""
        short = None if who.partition(":")[0] in SPEECHES else _SECONDS.match(who)
        pairs = [_pair(part, text) for part in tail.split(",") if part]
        if short:
            who = short["who"]
            pairs.append(_pair(f"time={short['seconds']}", text))
        if not who.strip():
            raise RulewrightError("a player is missing: a personality, computer or random")
        own = tuple(_limit(name, value, text) for name, value in pairs if name in _OWN)
        return cls(text, who, own, tuple(pair for pair in pairs if pair[0] not in _OWN))

    @property
    def seconds(self) -> float | None:
        """The seconds for a decision that the text itself gives."""
        return dict(self.own).get("seconds")

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

    def alone(self, game: Game) -> Personality:
        """The personality with its own factors and limits, as it thinks outside of matches."""
        own = self.limits(Limits())
        found = self.personality(game, own)
        return evolve(found, model=limited(found.model, own))

    def _plain(self) -> Player | None:
        if self.who == "random":
            return RandomPlayer(self.text)
        if self.who in ("computer", "search"):
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
