"""The subject of tests: a game, its kernels where there are any, its claims and symmetries.

In: a game and the file of its rules.  Out: quick steps along games, and the parts that probes need.
A symmetry turns a position over or round, with or without an exchange of the players; there is none
where sites or links would leave the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.compiler.engine import Engine
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.ground import budget
from rulewright.model.board import Mask, bits, sites_of
from rulewright.model.expressions import Type
from rulewright.model.rules import Claim, StateVariable
from rulewright.reference.evaluate import evaluate
from rulewright.reference.lookup import find
from rulewright.reference.play import Outcome, ReferencePlay, Situation
from rulewright.reference.position import History, Key, Pile, Position
from rulewright.search.background import improve, in_time


@frozen
class Violation:
    """A violation in a position, and the origin of the clause that it is about (0: none)."""

    message: str
    origin: int = 0


@define(eq=False, slots=False)
class Subject:
    """A game that is tested; `path` is the file of its rules."""

    game: Game
    path: Path | None = None
    reload: Callable[[dict[str, object]], Game] | None = None
    """Reads the same rules with other options."""
    quick: bool = False
    """Whether machine code that compiles fast will do, as few games are played."""
    draws: int = field(default=0, init=False)
    """Decisions that were played to draw positions which look the same to a player."""
    twins: int = field(default=0, init=False)
    """Such positions that were compared, and are others."""

    @cached_property
    def engine(self) -> Engine | None:
        """The kernels, if the game has them and may use them, and they are there in time."""
        if self.game.backend == "reference":
            return None
        seconds = budget.seconds_left()
        try:
            load = partial(load_engine, self.game, use_cache=not self.quick, quick=True)
            engine = in_time(load, (seconds or 0.0) / 2)
        except OutOfBudget:
            return None
        if isinstance(engine, str):
            return None
        if not self.quick:
            improve(engine)
        return engine

    def claims(self, *kinds: str) -> list[Claim]:
        """The claims of certain kinds."""
        return [c for c in self.game.rules.claims if c.kind in kinds]

    @cached_property
    def changed(self) -> bool:
        """Whether an option has another value than its default, for which some claims hold only."""
        return any(o.value != o.default for o in self.game.rules.options)

    @cached_property
    def symmetries(self) -> list[tuple[Claim, BoardSymmetry | None]]:
        """The claimed symmetries."""
        claims = self.claims("symmetric")
        return [(c, symmetry(self.game.play, c.what, c.swap)) for c in claims]

    @cached_property
    def bound(self) -> tuple[int, Claim] | None:
        """The least claimed bound on the decisions of a game, with its claim; None without one."""
        least = None
        for claim in self.claims("bound"):
            assert claim.value is not None
            number = self.truth(claim, self.game.start())
            if least is None or number < least[0]:
                least = (number, claim)
        return None if self.changed else least

    def truth(self, claim: Claim, state: State) -> int:
        """The value of a claim's expression, as the player to move sees it."""
        assert claim.value is not None
        context = self.game.play.context(state.situation.position)
        with self.game.located():
            value: int = evaluate(claim.value, context)
        return value

    def again(self, options: dict[str, object]) -> Game:
        """Return the game under test with other options."""
        if self.reload is None:
            raise RulewrightError("the text of these rules is not at hand to set other options")
        return self.reload(options)

    # --- playing ---

    def after(self, state: State, text: str) -> State | None:
        """The state after a decision, None if it is not legal or the game is over."""
        if state.position.ended is not None:
            return None
        if self.engine is not None:
            return state.play_decision(text) if text in state.moves else None
        with self.game.located():  # found without listing all
            option = find(self.game.play, state.situation.position, text)
            if option is None:
                return None
            return self.game.state(state.situation.after(option), state, text)

    def played(self, moves: Iterable[str]) -> State:
        """The state after the legal ones of *moves*, the others left out."""
        state = self.game.start()
        for text in moves:
            state = self.after(state, text) or state
        return state


def option_text(value: object) -> str:
    """The value of an option as texts and commands write it: `true`, `false` or a number."""
    return str(value).lower()


FOLLOWED = 8
"""Decisions of a position after which the end rules are tried."""
Probe = Callable[[Subject, State], "Violation | None"]
"""The violation in a position, or by the decision that led there; None where all is well."""


def fault_in(state: State) -> Fault | None:
    """The fault that the rules meet in a position, if they do."""
    try:
        _ = state.moves.texts
        _ = state.result
    except Fault as fault:
        return fault
    return None


def fault_after(state: State) -> Fault | None:
    """The fault that the end rules meet after a decision; of many decisions some are tried."""
    moves = state.moves
    step = len(moves) // FOLLOWED + 1
    for move in moves[state.ply % step :: step]:
        try:
            state.play_decision(move)
        except Fault as fault:
            message = f"after `{move.text}`: {fault.message}"
            return Fault(fault.code, message, fault.origin, fault.place)
    return None


@frozen(eq=False)
class BoardSymmetry:
    """A symmetry of a game's board, in which everybody moves on by `shift` seats."""

    play: ReferencePlay
    sites: tuple[int, ...]
    shift: int
    links: tuple[tuple[int, ...], ...] = field(default=())
    _turned: dict[Mask, Mask] = field(factory=dict, init=False)
    """Sets that were turned before: decisions leave most of a position as it was."""

    def mask(self, sites: Mask) -> Mask:
        """A set of sites, turned."""
        if sites not in self._turned:
            self._turned[sites] = sum(1 << self.sites[i] for i in bits(sites))
        return self._turned[sites]

    def player(self, player: int) -> int:
        """The player that a symmetry maps a player to."""
        return (player + self.shift) % self.seats

    @property
    def seats(self) -> int:
        """How many players there are; of a puzzle two, like inside."""
        return max(2, len(self.play.rules.players))

    def _seated(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """What belongs to each player, and behind it to nobody, for those who sit there now."""
        players = values[: self.seats]
        return (*players[-self.shift :], *players[: -self.shift], *values[self.seats :])

    def _masks(self, masks: tuple[Mask, ...]) -> tuple[Mask, ...]:
        return tuple(self.mask(m) for m in masks)

    def _links(self, links: tuple[Mask, ...]) -> tuple[Mask, ...]:
        pairs = zip(self.links, links, strict=True)
        return tuple(sum(1 << table[n] for n in bits(mask)) for table, mask in pairs)

    def _states(self, states: tuple[Any, ...]) -> tuple[Any, ...]:
        mapped = []
        for declared, values in zip(self.play.rules.states, states, strict=True):
            turned = values
            if values is not None and declared.type is Type.SITES:
                turned = self._masks(values)
            elif values is not None and declared.indices:
                turned = tuple(self._table(declared, value) for value in values)
            mapped.append(self._seated(turned) if turned is not None and declared.each else turned)
        return tuple(mapped)

    def _table(self, declared: StateVariable, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """The entries of a table, each at the image of its sites."""
        turned = list(value)
        for at in declared.entry_places():
            pairs = zip(declared.indices, at, strict=True)
            image = [self.sites[n] if i.type is Type.SITE else n for i, n in pairs]
            turned[declared.place(image)] = value[declared.place(at)]
        return tuple(turned)

    def _piles(self, piles: tuple[Pile, ...]) -> tuple[Pile, ...]:
        """The pile of each site at its image, with the owners of its pieces exchanged."""
        turned = list(piles)
        for site, pile in enumerate(piles):
            turned[self.sites[site]] = tuple(
                (self.player(owner) if owner < self.seats else owner, kind) for owner, kind in pile
            )
        return tuple(turned)

    def _key(self, key: Key) -> Key:
        owned, kinds, links, piles, states, mover, again, rest, out = key
        board = self._seated(self._masks(owned)), self._masks(kinds), self._links(links)
        turned = self._piles(piles), self._states(states)
        return (*board, *turned, self.player(mover), again, rest, tuple(map(self.player, out)))

    def _history(self, history: History) -> History:
        keys: list[Key] = []  # not by recursion: a game may have thousands of positions
        while history is not None:
            key, history = history
            keys.append(self._key(key))
        mapped: History = None
        for key in reversed(keys):
            mapped = (key, mapped)
        return mapped

    def position(self, position: Position) -> Position:
        """A position, turned, with all that stood before it."""
        return evolve(
            position,
            owned=self._seated(self._masks(position.owned)),
            kinds=self._masks(position.kinds),
            links=self._links(position.links),
            states=self._states(position.states),
            piles=self._piles(position.piles),
            mover=self.player(position.mover),
            history=self._history(position.history),
            out=tuple(map(self.player, position.out)),
        )

    def holds_at_start(self) -> bool:
        """Whether the first position is its own image, but for who is to move."""
        first = self.play.first
        return self.position(first) == evolve(first, mover=self.player(first.mover))

    def situation(self, situation: Situation) -> Situation:
        """A situation, turned."""
        ended = self.outcome(situation.ended)
        return Situation(self.play, self.position(situation.position), ended)

    def outcome(self, outcome: Outcome | None) -> Outcome | None:
        """The outcome that a symmetry maps an outcome to."""
        if outcome is None:
            return outcome
        winner = None if outcome.winner is None else self.player(outcome.winner)
        return evolve(outcome, winner=winner, places=self._seated(outcome.places))


def symmetry(play: ReferencePlay, name: str, swap: bool) -> BoardSymmetry | None:
    """The symmetry of that name; None where sites or links would leave the board.

    With *swap* two players exchange their roles.  Of more, everybody moves on by as many seats as
    bring the first position to itself, or by one.
    """
    sites = sites_of(name, play.rules.board)
    if sites is None:
        return None
    tables = []
    for table in play.links:
        pairs = [sorted((sites[a], sites[b])) for a, b in table.ends]
        numbers = [table.number.get((a, b)) for a, b in pairs]
        if None in numbers:
            return None
        tables.append(tuple(n for n in numbers if n is not None))
    seats = len(play.rules.players)
    shifts = range(1, seats) if swap and seats > 2 else (int(swap),)
    turns = [BoardSymmetry(play, sites, shift, tuple(tables)) for shift in shifts]
    return next((turn for turn in turns if turn.holds_at_start()), turns[0])
