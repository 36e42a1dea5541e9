"""A game with its branches: how it begins, what was played from where, and where the page looks.

In: names of games, states and decisions.  Out: nodes with numbers, the way from the root.  A
decision that was played before leads to the node that there is.  Where nothing else can be decided,
`-` is played by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from attrs import define, field, frozen

from rulewright.checks.sampling import waiting
from rulewright.disk import read_source
from rulewright.engine.game import Game, State
from rulewright.errors import MoveError, RulewrightError
from rulewright.files.games import bundled, find, load_with
from rulewright.reference.play import NONE

MOST = 20_000
"""Nodes of a game."""
_TRIED = 2
"""Positions that are looked at while a text is typed."""
_KEPT = 8
"""Games whose beginning is kept, with what was worked out and compiled for them."""


class TooSlow(RulewrightError):
    """Rules that a page would wait for."""


def started(name: str, options: Mapping[str, str]) -> State:
    """The beginning of a game; the same text with the same options gives the same state.

    Raises what is wrong with the game.
    """
    path = find(name)
    changed = _changed(path, options) if path in bundled().values() else options
    return _started(path, read_source(path), tuple(sorted(changed.items())))


def _changed(path: Path, options: Mapping[str, str]) -> dict[str, str]:
    """The options that are not as they are if unsaid: a page says all of them."""
    usual = load_with(path, {}).rules.options if options else ()
    known = {one.name: typed(one.default) for one in usual}
    return {name: value for name, value in options.items() if value != known.get(name)}


def typed(value: object) -> str:
    """The value of an option as it is typed."""
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


@lru_cache(_KEPT)
def _started(path: Path, _: bytes, options: tuple[tuple[str, str], ...]) -> State:
    game = load_with(path, dict(options))
    if path not in bundled().values():
        refuse_slow(game)
    return game.start()


def refuse_slow(game: Game) -> None:
    """Refuse rules whose first positions would keep a page waiting, as `check` does."""
    for one in waiting(game, most=_TRIED):
        if one.severity == "error":
            raise TooSlow(f"{one.message}; {one.hint}")


def replayed(game: Game, decisions: list[str]) -> tuple[State, int]:
    """The state after as many decisions as are legal, and how many are not."""
    state = game.start()
    for done, move in enumerate(decisions):
        try:
            state = state.play_decision(move)
        except MoveError:
            return state, len(decisions) - done
    return state, 0


@frozen(eq=False)
class TreePlace:
    """A node: the state, the node before it, and who decided, as a chair's text."""

    number: int
    state: State
    parent: int | None
    by: str = ""


@define(eq=False)
class GameTree:
    """All that was played in one game; `at` is the node that is shown."""

    places: list[TreePlace] = field(factory=list)
    at: int = 0
    _after: dict[tuple[int, str], int] = field(factory=dict)

    @classmethod
    def of(cls, end: State) -> GameTree:
        """The tree of the one line that led to a state."""
        first, *rest = end.states()
        tree = cls([TreePlace(0, first, None)])
        for state in rest:
            tree._add(state, "")
        tree._forced()
        return tree

    @property
    def state(self) -> State:
        """What is shown."""
        return self.places[self.at].state

    def play(self, text: str, by: str = "") -> None:
        """Play decisions, or a whole turn."""
        before = len(self.state.states())
        for state in self.state.play(text).states()[before:]:
            self._add(state, by)
        self._forced()

    def goto(self, number: int) -> None:
        """Show another node."""
        if not 0 <= number < len(self.places):
            raise RulewrightError(f"there is no node {number} in this game")
        self.at = number

    def cut(self, nodes: int, at: int) -> None:
        """Forget all but the first *nodes*, and show what was shown."""
        del self.places[nodes:]
        self._after = {way: number for way, number in self._after.items() if number < nodes}
        self.at = at

    def path(self) -> list[int]:
        """The numbers of the nodes from the root to the one that is shown."""
        way = [self.at]
        while (parent := self.places[way[-1]].parent) is not None:
            way.append(parent)
        return way[::-1]

    def _add(self, state: State, by: str) -> None:
        known = self._after.get((self.at, state.move))
        if known is None:
            if len(self.places) >= MOST:
                raise RulewrightError(f"a game has {MOST:,} nodes at most")
            known = len(self.places)
            self.places.append(TreePlace(known, state, self.at, by))
            self._after[self.at, state.move] = known
        self.at = known

    def _forced(self) -> None:
        while not self.state.over and self.state.moves.texts == [NONE]:
            self._add(self.state.play_decision(NONE), "")
