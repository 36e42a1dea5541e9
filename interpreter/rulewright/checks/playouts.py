"""Random games by the thousand, on kernels: whether they end, who wins, which faults they meet.

In: what is under test and a number of games.  Out: a tally, with the shortest game of each kind;
that game again as a state, decision by decision; how many positions of such games share a hash.
Where there are no kernels the reference plays as many games as steps allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from operator import itemgetter
from random import Random

from attrs import define, field, frozen

from rulewright.checks.sampling import LONGEST, Cost, Walk, walk
from rulewright.checks.subject import Subject
from rulewright.compiler import layout as p
from rulewright.compiler.defects import Defect
from rulewright.compiler.engine import Engine
from rulewright.compiler.faults import FAULTS
from rulewright.compiler.lower.keys import key_offsets
from rulewright.compiler.seats import outcome_of, result_word
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.ground import budget
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.play import Situation
from rulewright.reference.position import Position
from rulewright.search.thread_arrays import ThreadArrays

_HASHED = 20_000
"""Positions whose hashes are compared, for a thousand games."""
_MANY = 30
"""Random games that part, of which the shortest are looked at."""
OF_FAULTS = {"stuck": "stuck", "out-of-range": "ranges", "same-notation": "notation"}
"""The property that a fault belongs to; `faults` is that of all others."""


@frozen
class Playout:
    """A random game: seed, decisions, winner (None: a draw), or the fault that broke it off."""

    seed: int
    plies: int
    winner: int | None
    finished: bool
    fault: str = ""


@define
class Tally:
    """Counts of random games by how they ended.

    `first` is the shortest game of a kind: `draw`, `endless`, `long`, `red` (who won), a fault.
    """

    games: int = 0
    plies: int = 0
    longest: int = 0
    ends: dict[str, int] = field(factory=dict)
    first: dict[str, Playout] = field(factory=dict)
    by: str = "kernels"

    def note(self, kind: str, game: Playout) -> None:
        """Count a game of a kind."""
        self.ends[kind] = self.ends.get(kind, 0) + 1
        if kind not in self.first or game.plies < self.first[kind].plies:
            self.first[kind] = game


def is_fault(kind: str) -> bool:
    """Whether a kind of game is one that ends in a fault."""
    return bool(kind) and kind in FAULTS


def tally(subject: Subject, cost: Cost, steps: int, games: int, seed: int) -> Tally:
    """Random games by kernels; where there are none, as many by the reference as steps allow."""
    counts = Tally()
    if subject.engine is not None:
        for played in _played(subject.engine, games, seed):
            _note(subject, counts, played)
            if budget.over():
                break
        return counts
    counts.by = "the reference"
    with suppress(OutOfBudget):  # a game that is broken off tells nothing
        for played in _walked(subject, cost, steps, games, seed):
            _note(subject, counts, played)
    return counts


def _note(subject: Subject, counts: Tally, played: Playout) -> None:
    counts.games += 1
    counts.plies += played.plies
    counts.longest = max(counts.longest, played.plies)
    if played.fault:
        counts.note(played.fault, played)
    elif not played.finished:
        counts.note("endless", played)
    else:
        winner = "draw" if played.winner is None else subject.game.players[played.winner]
        counts.note(winner, played)
    if subject.bound is not None and played.plies > subject.bound[0]:
        counts.note("long", played)


def _walked(subject: Subject, cost: Cost, steps: int, games: int, seed: int) -> Iterator[Playout]:
    """Random games of the reference."""
    remaining_steps = steps
    for index in range(games):
        if remaining_steps <= 0 or budget.over():
            return
        number = _mixed(seed, index)
        game_walk = walk(subject.game, Random(number), LONGEST)
        remaining_steps -= len(game_walk.states) * cost.playing
        yield _of_walk(game_walk, number)


def _of_walk(game_walk: Walk, seed: int) -> Playout:
    """The playout that a random game of the reference is."""
    plies, fault, outcome = len(game_walk.states) - 1, game_walk.fault, None
    try:
        outcome = game_walk.states[-1].situation.outcome if game_walk.finished else None
    except Fault as stuck:
        fault = stuck
    winner = outcome.winner if outcome else None
    return Playout(seed, plies, winner, outcome is not None, fault.code if fault else "")


def replayed_state(subject: Subject, played: Playout, most: int) -> State | None:
    """A random game again: its last state (or that after *most* decisions)."""
    if subject.engine is not None:
        return _again(subject.game, subject.engine, played.seed, most)
    return walk(subject.game, Random(played.seed), min(most, LONGEST)).states[-1]


# --- by kernels ---


def _played(engine: Engine, number: int, seed: int) -> Iterator[Playout]:
    """Random games by kernels."""
    first, players = engine.play.first, len(engine.play.rules.players)
    for index in range(number):
        chance = _mixed(seed, index)
        plies, result, fault = engine.playout(first, chance, LONGEST)
        finished = result != p.RUNNING and not fault
        winner = outcome_of(result, 0, players).winner if finished else None
        yield Playout(chance, plies, winner, finished, FAULTS[fault])


def _mixed(seed: int, index: int) -> int:
    """The seed of the kernels' random numbers for one of many games: odd, with bits everywhere."""
    # Multiplied by large odd numbers, games beside each other begin with quite other bits.
    number = (seed * 1_000_003 + index) * 2_654_435_761 + 88_172_645_463_325_252
    number ^= number >> 29
    return (number * 0x5851F42D4C957F2D) % 2**62 | 1


def _again(game: Game, engine: Engine, seed: int, most: int) -> State | None:
    """The first *most* decisions of a random game; None if the reference knows no such game.

    It ends where the reference meets a fault, which a look at that state finds again.
    """
    state = game.start()
    following = list(_words(engine, state.situation.position, seed, most))
    for words in following:
        try:
            after = _step(game, engine, state, words)
        except Fault:
            return state
        if after is None:
            return None
        state = after
        if state.position.ended is not None:
            break
    return state


def _words(engine: Engine, position: Position, seed: int, most: int) -> Iterator[list[int]]:
    plies = engine.random_plies(position, seed)
    for _ in range(most):
        words = next(plies, None)
        if words is None or words[p.FAULT]:
            return
        yield words


def _step(game: Game, engine: Engine, state: State, words: list[int]) -> State | None:
    """The decision that leads to *words*: that of the options which does so."""
    target = visible(words)
    for option in state.situation.options:
        if _may_be(engine, option, words):
            after = state.situation.after(option)
            if visible(encoded_situation(engine, after)) == target:
                return game.state(after, state, option.text)
    return None


def encoded_situation(engine: Engine, situation: Situation) -> list[int]:
    """A situation as the kernels have it, with how the game ended."""
    words = engine.encode(situation.position)
    if situation.ended is not None:
        words[p.RESULT] = result_word(situation.ended, len(engine.play.rules.players))
    return words


def _may_be(engine: Engine, option: LegalDecision, words: list[int]) -> bool:
    """Whether the pieces stand where *words* have them."""
    plan, owned = engine.plan, option.after.owned
    pieces = [w for mask in owned[: plan.owners] for w in plan.split(mask)]
    return pieces == words[plan.owned : plan.owned + len(pieces)]


def visible(words: list[int]) -> tuple[int, ...]:
    """The words without how much history there is, which a game that has ended does not note."""
    return (*words[: p.PAST], *words[p.HEAD :])


_FOLLOWED = 3
"""Random games that seem to part, and are played decision by decision."""


def games_apart(
    subject: Subject, first: Engine, second: Engine, games: int, seed: int
) -> Iterator[list[str]]:
    """Random games of *first* that end in another way, or later, as *second* plays them.

    Where both list the same decisions, chance makes the same games; else these are only likely.
    """
    played = (_played(engine, games, seed) for engine in (first, second))
    apart = (game for game, other_game in zip(*played, strict=True) if game != other_game)
    for game in islice(sorted(islice(apart, _MANY), key=lambda p: p.plies), _FOLLOWED):
        state = replayed_state(subject, game, LONGEST)
        if state is not None:
            yield state.decisions()


# --- hashes ---


@frozen
class Hashes:
    """Positions that were hashed, how many of them differ, and how many share a hash."""

    positions: int
    different: int
    collisions: int


def hashes(subject: Subject, games: int, seed: int) -> Hashes | None:
    """Hash positions of random games; two differ when a word differs that decides the future."""
    if subject.engine is None:
        return None
    engine = subject.engine
    try:
        space = ThreadArrays(engine, 1 << 12)
    except Defect:
        return None
    turn = (p.MOVER, p.SWAPPED, p.AGAIN, p.FRESH, p.REST)
    decisive = itemgetter(*key_offsets(engine.plan), *turn)
    words_by_key: dict[int, tuple[int, ...]] = {}
    number = collisions = 0
    limit = _HASHED * max(1, games) // 1000
    for index in range(games):
        for words in engine.random_plies(engine.play.first, _mixed(seed, index)):
            if number >= limit or words[p.FAULT] or len(words_by_key) > 10**6:
                break
            space.game[0][: len(words)] = words
            key = space.kernels["position_key"](space.game[0])
            text = decisive(words)
            collisions += words_by_key.setdefault(key, text) != text
            number += 1
        if number >= limit or budget.over():
            break
    return Hashes(number, len(words_by_key), collisions)
