"""Many random games: whether they end, how long they are, who wins, which faults they meet.

In: the ground and a number of games.  Out: a tally, with the shortest game of each remarkable kind;
that game again, as a state of the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from attrs import define, field, frozen

from rulewright import budget
from rulewright.checks import sampling
from rulewright.checks.effort import LONGEST, Price, stepped
from rulewright.checks.ground import Ground
from rulewright.checks.sampling import Played
from rulewright.codegen import plan as p
from rulewright.codegen.hashing import key_offsets
from rulewright.codegen.plan import FAULTS
from rulewright.engine.game import State
from rulewright.errors import Fault
from rulewright.search.workspace import Workspace

_HASHED = 20_000
"""Positions whose hashes are compared, for a thousand games."""
OF_FAULTS = {"stuck": "stuck", "out-of-range": "ranges"}
"""The property that a fault belongs to; `faults` is that of all others."""


@define
class Tally:
    """What so many random games came to.

    `first` is the shortest game of a kind: `draw`, `endless`, `long`, `red` (who won), a fault.
    """

    games: int = 0
    plies: int = 0
    longest: int = 0
    ends: dict[str, int] = field(factory=dict)
    first: dict[str, Played] = field(factory=dict)
    by: str = "kernels"

    def note(self, kind: str, game: Played) -> None:
        """Count a game of a kind."""
        self.ends[kind] = self.ends.get(kind, 0) + 1
        if kind not in self.first or game.plies < self.first[kind].plies:
            self.first[kind] = game


def tally(ground: Ground, price: Price, calls: int, games: int, seed: int) -> Tally:
    """Random games by kernels; where there are none, as many by the reference as calls allow."""
    found = Tally()
    if ground.engine is not None:
        for played in sampling.games(ground.game, ground.engine, games, seed, LONGEST):
            _note(ground, found, played)
            if budget.over():
                break
        return found
    found.by = "the reference"
    for played in _walked(ground, price, calls, games, seed):
        _note(ground, found, played)
    return found


def _note(ground: Ground, found: Tally, played: Played) -> None:
    found.games += 1
    found.plies += played.plies
    found.longest = max(found.longest, played.plies)
    if played.fault:
        found.note(played.fault, played)
    elif not played.finished:
        found.note("endless", played)
    else:
        winner = "draw" if played.winner is None else ground.game.players[played.winner]
        found.note(winner, played)
    if ground.bound is not None and played.plies > ground.bound[0]:
        found.note("long", played)


def _walked(ground: Ground, price: Price, calls: int, games: int, seed: int) -> Iterator[Played]:
    """Random games of the reference."""
    left = calls
    for index in range(games):
        if left <= 0 or budget.over():
            return
        number = sampling.mixed(seed, index)
        state, plies, fault = walked(ground, number)
        left -= plies * price.step
        outcome = None if fault or plies >= LONGEST else state.situation.outcome
        winner = outcome.winner if outcome else None
        yield Played(number, plies, winner, outcome is not None, fault)


def walked(ground: Ground, seed: int) -> tuple[State, int, str]:
    """A random game of the reference: its last state, its decisions, the code of its fault."""
    random, state, plies = Random(seed), ground.game.start(), 0
    try:
        while plies < LONGEST:
            following = stepped(state, random)
            if following is None:
                break
            state, plies = following, plies + 1
        _ = state.situation.outcome
    except Fault as fault:
        return state, plies, fault.code
    return state, plies, ""


def shown(ground: Ground, played: Played, most: int) -> State | None:
    """A random game again: its last state (or that after *most* decisions)."""
    if ground.engine is not None:
        return sampling.again(ground.game, ground.engine, played.seed, most)
    states = walked(ground, played.seed)[0].states()
    return states[min(most, len(states) - 1)]


# --- hashes ---


@frozen
class Hashes:
    """Positions that were hashed, how many of them differ, and how many share a hash."""

    positions: int
    different: int
    collisions: int


def hashes(ground: Ground, games: int, seed: int) -> Hashes | None:
    """Hash positions of random games; two differ when a word differs that decides the future."""
    if ground.engine is None:
        return None
    engine = ground.engine
    space = Workspace(engine, 1 << 12)
    turn = (p.MOVER, p.SWAPPED, p.AGAIN, p.FRESH, p.REST)
    offsets = [*key_offsets(engine.plan), *turn]
    known: dict[int, tuple[int, ...]] = {}
    seen = collisions = 0
    limit = _HASHED * max(1, games) // 1000
    for index in range(games):
        for words in engine.random_plies(engine.play.first, sampling.mixed(seed, index)):
            if seen >= limit or words[p.FAULT] or len(known) > 10**6:
                break
            state = space.game[0]
            for at, word in enumerate(words):
                state[at] = word
            key = space.kernels["position_key"](state)
            text = tuple(words[i] for i in offsets)
            collisions += known.setdefault(key, text) != text
            seen += 1
        if seen >= limit or budget.over():
            break
    return Hashes(seen, len(known), collisions)


def is_fault(kind: str) -> bool:
    """Whether a kind of game is one that ends in a fault."""
    return bool(kind) and kind in FAULTS
