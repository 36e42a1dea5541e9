"""Games and states on their way to another process: what a pickle holds, and how it is read.

In: a game, with the text it came from; a position.  Out: the text with its options and a digest of
the rules, positions as plain values.  A process reads the rules of one digest once, and all states
of them share that game.  Refuses, as `RulewrightError`, a text that comes to mean other rules here,
and positions that were kept by another version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias
from weakref import WeakKeyDictionary

from attrs import fields

from rulewright.errors import RulewrightError
from rulewright.model import rules as r
from rulewright.records import pack
from rulewright.reference.courses import remainders
from rulewright.reference.play import Outcome, ReferencePlay, Situation
from rulewright.reference.position import History, Position

MOST = 64
"""Games that a process remembers."""
Plain: TypeAlias = tuple[Mapping[str, Any], tuple[int | None, int] | None]
"""The fields of a position, and how the game ended in it."""


class Pickled(Protocol):
    """A game on its way, such as a `Game`; its states are what it makes of situations."""

    @property
    def rules(self) -> r.Rules:
        """Its rules."""

    @property
    def play(self) -> ReferencePlay:
        """The rules in motion."""

    @property
    def backend(self) -> Any:
        """What was asked to play it."""

    def start(self, backend: Any = None) -> Any:
        """The position before the first move."""

    def state(self, situation: Situation, before: Any = None, move: str = "") -> Any:
        """A state of a situation."""


class Rereadable(Protocol):
    """The text that a game was read from."""

    rules: r.Rules | None
    """What it came to mean."""

    def __call__(self) -> Any:
        """Read it anew, with the names in it."""

    def load(self) -> Any:
        """The game of the text, as soon as it can be had."""


_games: dict[tuple[str, object], Pickled] = {}
"""Games that were sent from here or have come here, by their digest and what plays them."""
_digests: WeakKeyDictionary[ReferencePlay, str] = WeakKeyDictionary()
_courses: WeakKeyDictionary[ReferencePlay, list[r.Course]] = WeakKeyDictionary()


def digest(game: Pickled) -> str:
    """What tells the rules of a game from all others, in every process."""
    if game.play not in _digests:
        _digests[game.play] = hashlib.sha256(pack(game.rules)).hexdigest()[:32]
    return _digests[game.play]


def sent(game: Pickled, text: Rereadable) -> tuple[Callable[..., Pickled], tuple[object, ...]]:
    """How a game that was read from a text is pickled."""
    return arrived, (_remembered(digest(game), game.backend, game), game.backend, text)


def arrived(known: str, backend: Any, text: Rereadable) -> Pickled:
    """The game of a digest, which is read from its text where it is not known yet."""
    if (known, backend) not in _games:
        game: Pickled = text.load()
        if backend is not None:
            game = game.start(backend).game
        if digest(game) != known:
            where = "where the pickle was made: by another version of rulewright, say"
            raise RulewrightError(
                f"the rules of {game.rules.name} mean something else here than {where}"
            )
        _remembered(known, backend, game)
    return _games[known, backend]


def _remembered(known: str, backend: object, game: Pickled) -> str:
    """Let a process know a game from now on."""
    if (known, backend) not in _games and len(_games) >= MOST:
        del _games[next(iter(_games))]
    _games.setdefault((known, backend), game)
    return known


# --- positions ---


def plain(situation: Situation) -> Plain:
    """A situation as plain values: the rest of a turn is a number among all that may be left."""
    play, position = situation.play, situation.position
    numbers = {course: n for n, course in enumerate(_rests(play))}
    values = {
        one.name: _written(getattr(position, one.name), numbers)
        for one in fields(Position)
        if one.name != "history"
    }
    keys, history = [], position.history
    while history is not None:
        key, history = history
        keys.append(_written(key, numbers))
    ended = situation.ended
    told = None if ended is None else (ended.winner, ended.origin)
    return {**values, "history": tuple(keys)}, told


def first(situation: Situation) -> Plain | None:
    """What tells the first position of a game; None where it is the usual one."""
    usual = situation.position is situation.play.first and situation.ended is None
    return None if usual else plain(situation)


def situated(play: ReferencePlay, told: Plain) -> Situation:
    """The situation that such values were made of."""
    rests, (values, ended) = _rests(play), told
    history: History = None
    try:
        for key in reversed(values["history"]):
            history = _read(key, rests), history
        known = {name: _read(value, rests) for name, value in values.items() if name != "history"}
        position = Position(**known, history=history)
    except (IndexError, KeyError, TypeError):
        why = "the position was kept by another version of rulewright"
        raise RulewrightError(f"{why}; `State.text` is what any version reads") from None
    return play.resume(position, None if ended is None else Outcome(*ended))


def _rests(play: ReferencePlay) -> list[r.Course]:
    """All that may be left of a turn."""
    if play not in _courses:
        _courses[play] = list(dict.fromkeys((r.EMPTY, *remainders(play.rules).values())))
    return _courses[play]


def _written(value: Any, numbers: Mapping[r.Course, int]) -> Any:
    """A part of a position without records of the rules: a course is a list of its number."""
    if isinstance(value, tuple):
        return tuple([_written(one, numbers) for one in value])
    return [numbers[value]] if isinstance(value, r.Course) else value


def _read(value: Any, rests: Sequence[r.Course]) -> Any:
    if isinstance(value, tuple):
        return tuple([_read(one, rests) for one in value])
    return rests[value[0]] if isinstance(value, list) else value


# --- the way to a state ---


class WayHere:
    """The decisions that led to a state that was pickled; played again when somebody asks."""

    __slots__ = ("_played", "decisions", "first", "game")

    def __init__(self, game: Pickled, first: Plain | None, decisions: Sequence[str]) -> None:
        """From a first position, None for the game's own, by so many decisions."""
        self.game, self.first, self.decisions = game, first, decisions
        self._played: Any = None

    def before(self) -> Any:
        """The state in which the last of the decisions was made."""
        if self._played is None:
            game, first = self.game, self.first
            state = game.start() if first is None else game.state(situated(game.play, first))
            for decision in self.decisions[:-1]:
                state = state.play_decision(decision)
            self._played = state
        return self._played


def state_arrived(game: Pickled, here: Plain, first: Plain | None, decisions: Sequence[str]) -> Any:
    """A state that was pickled."""
    way = WayHere(game, first, decisions) if decisions else None
    return game.state(situated(game.play, here), way, decisions[-1] if decisions else "")
