"""Random games on kernels: thousands where the reference could play a few.

In: a game with kernels.  Out: how each random game ended; any of them again as a state of the
reference, decision by decision.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulewright.codegen import plan as p
from rulewright.codegen.engine import Engine
from rulewright.engine.game import Game, State
from rulewright.reference.play import Option
from rulewright.reference.position import Position


@frozen
class Played:
    """A random game: its seed, its decisions, who won (None: a draw), or why it has no result."""

    seed: int
    plies: int
    winner: int | None
    finished: bool
    fault: str = ""


def games(game: Game, engine: Engine, number: int, seed: int, most: int) -> Iterator[Played]:
    """So many random games of up to *most* decisions."""
    first = game.play.first
    for index in range(number):
        chance = mixed(seed, index)
        plies, result, fault = engine.playout(first, chance, most)
        winner = result if result in (0, 1) else None
        finished = result != p.RUNNING and not fault
        yield Played(chance, plies, winner, finished, p.FAULTS[fault])


def mixed(seed: int, index: int) -> int:
    """The seed of the kernels' random numbers for one of many games: odd, with bits everywhere."""
    number = (seed * 1_000_003 + index) * 2_654_435_761 + 88_172_645_463_325_252
    number ^= number >> 29
    return (number * 0x5851F42D4C957F2D) % 2**62 | 1


def again(game: Game, engine: Engine, seed: int, most: int) -> State | None:
    """The first *most* decisions of a random game; None if the reference knows no such game."""
    state = game.start()
    following = list(_words(engine, state.situation.position, seed, most))
    for words in following:
        found = _step(game, engine, state, words)
        if found is None:
            return None
        state = found
        if state.situation.ended is not None:
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
            found = engine.encode(after.position)
            if after.ended is not None:
                winner = after.ended.winner
                found[p.RESULT] = p.DRAWN if winner is None else winner
            if visible(found) == target:
                return State(game, after, state, option.text)
    return None


def _may_be(engine: Engine, option: Option, words: list[int]) -> bool:
    """Whether the pieces stand where *words* have them."""
    plan, owned = engine.plan, option.after.owned
    found = [w for mask in owned[: plan.owners] for w in plan.split(mask)]
    return found == words[plan.owned : plan.owned + len(found)]


def visible(words: list[int]) -> tuple[int, ...]:
    """The words without how much history there is, which a game that has ended does not note."""
    return (*words[: p.PAST], *words[p.HEAD :])
