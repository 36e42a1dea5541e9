"""Pickling games and states, to send them to another process or to keep them.

In: a game, with the text it came from; a position.  Out: the text with its options and a digest of
the rules, positions as plain values.  A process reads rules with the same digest once, and all
states of them share that game.  Raises `RulewrightError` for a text that means other rules in the
process that reads it, and for positions of another version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias
from weakref import WeakKeyDictionary

from attrs import fields

from rulewright.errors import RulewrightError
from rulewright.games.engine.interpreted import history_keys
from rulewright.ground.packing import pack
from rulewright.model import rules as r
from rulewright.reference.courses import remainders
from rulewright.reference.play import Outcome, ReferencePlay, Situation
from rulewright.reference.position import History, Position

MOST = 64
"""Games that a process remembers."""
Parcel: TypeAlias = tuple[Mapping[str, Any], tuple[int | None, int] | None]
"""The fields of a position, and winner and origin of the outcome if the game ended in it."""


class Pickled(Protocol):
    """A game that can be pickled, such as a `Game`."""

    @property
    def rules(self) -> r.Rules:
        """Its rules."""

    @property
    def play(self) -> ReferencePlay:
        """The rules as the reference plays them."""

    @property
    def backend(self) -> Any:
        """The backend that was asked for."""

    def start(self, backend: Any = None) -> Any:
        """The position before the first move."""

    def state(self, situation: Situation, before: Any = None, move: str = "") -> Any:
        """A state of a situation."""


class Rereadable(Protocol):
    """The text that a game was read from."""

    rules: r.Rules | None
    """The rules that it was read as."""

    def __call__(self) -> Any:
        """Read it again, with its names."""

    def load(self) -> Any:
        """Load the game of the text, from the cache if it is there."""


_games: dict[tuple[str, object], Pickled] = {}
"""Games that this process has pickled or unpickled, by digest and backend."""
_digests: WeakKeyDictionary[ReferencePlay, str] = WeakKeyDictionary()
_courses: WeakKeyDictionary[ReferencePlay, list[r.Course]] = WeakKeyDictionary()


def digest(game: Pickled) -> str:
    """A digest of the rules of a game, the same in every process."""
    if game.play not in _digests:
        _digests[game.play] = hashlib.sha256(pack(game.rules)).hexdigest()[:32]
    return _digests[game.play]


def reduction(game: Pickled, text: Rereadable) -> tuple[Callable[..., Pickled], tuple[object, ...]]:
    """Pickle a game that was read from a text, as `__reduce__` does."""
    return unpickle_game, (_remember(digest(game), game.backend, game), game.backend, text)


def unpickle_game(key: str, backend: Any, text: Rereadable) -> Pickled:
    """Unpickle the game of a digest; reads its text if this process does not know it yet."""
    if (key, backend) not in _games:
        game: Pickled = text.load()
        if backend is not None:
            game = game.start(backend).game
        if digest(game) != key:
            where = "where the pickle was made: by another version of rulewright, say"
            raise RulewrightError(
                f"the rules of {game.rules.name} mean something else here than {where}"
            )
        _remember(key, backend, game)
    return _games[key, backend]


def _remember(key: str, backend: object, game: Pickled) -> str:
    """Remember a game; returns its digest."""
    if (key, backend) not in _games and len(_games) >= MOST:
        del _games[next(iter(_games))]
    _games.setdefault((key, backend), game)
    return key


# --- positions ---


def plain(situation: Situation) -> Parcel:
    """Write a situation as plain values; the rest of a turn is a number (`_remaining_courses`)."""
    position = situation.position
    numbers = {course: n for n, course in enumerate(_remaining_courses(situation.play))}
    values = {
        attribute.name: _to_plain(getattr(position, attribute.name), numbers)
        for attribute in fields(Position)
        if attribute.name != "history"
    }
    keys = tuple(_to_plain(key, numbers) for key in history_keys(position.history))
    ended = situation.ended
    return {**values, "history": keys}, None if ended is None else (ended.winner, ended.origin)


def first(situation: Situation) -> Parcel | None:
    """Write the first position of a game; None for the one of its rules."""
    usual = situation.position is situation.play.first and situation.ended is None
    return None if usual else plain(situation)


def read_situation(play: ReferencePlay, parcel: Parcel) -> Situation:
    """Read the situation that `plain` wrote; raises `RulewrightError` if fields do not fit."""
    rests, (values, ended) = _remaining_courses(play), parcel
    history: History = None
    try:
        for key in reversed(values["history"]):
            history = _from_plain(key, rests), history
        fields_by_name = {
            name: _from_plain(value, rests) for name, value in values.items() if name != "history"
        }
        position = Position(**fields_by_name, history=history)
    except (IndexError, KeyError, TypeError):
        why = "the position was kept by another version of rulewright"
        raise RulewrightError(f"{why}; `State.text` is what any version reads") from None
    return play.resume(position, None if ended is None else Outcome(*ended))


def _remaining_courses(play: ReferencePlay) -> list[r.Course]:
    """All that may be left of a turn, in a fixed order."""
    if play not in _courses:
        _courses[play] = list(dict.fromkeys((r.EMPTY, *remainders(play.rules).values())))
    return _courses[play]


def _to_plain(value: Any, numbers: Mapping[r.Course, int]) -> Any:
    """A part of a position as plain values: a course is a list with its number."""
    if isinstance(value, tuple):
        return tuple([_to_plain(part, numbers) for part in value])
    return [numbers[value]] if isinstance(value, r.Course) else value


def _from_plain(value: Any, rests: Sequence[r.Course]) -> Any:
    if isinstance(value, tuple):
        return tuple([_from_plain(part, rests) for part in value])
    return rests[value[0]] if isinstance(value, list) else value


# --- the history of a state ---


class ReplayedHistory:
    """The history of a pickled state: its decisions, played again when somebody asks."""

    __slots__ = ("_before", "decisions", "first", "game")

    def __init__(self, game: Pickled, first: Parcel | None, decisions: Sequence[str]) -> None:
        """Keep the first position (None: that of the rules) and the decisions since."""
        self.game, self.first, self.decisions = game, first, decisions
        self._before: Any = None

    def before(self) -> Any:
        """The state before the last decision."""
        if self._before is None:
            game, first = self.game, self.first
            state = game.start() if first is None else game.state(read_situation(game.play, first))
            for decision in self.decisions[:-1]:
                state = state.play_decision(decision)
            self._before = state
        return self._before


def unpickle_state(
    game: Pickled, parcel: Parcel, first: Parcel | None, decisions: Sequence[str]
) -> Any:
    """Unpickle a state."""
    way = ReplayedHistory(game, first, decisions) if decisions else None
    return game.state(read_situation(game.play, parcel), way, decisions[-1] if decisions else "")
