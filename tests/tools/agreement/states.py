"""A random game by `State`s of kernels and by `State`s of the reference, compared at each decision.

In: a game, and what plays it.  Out: the last state; an `AssertionError` where anything that can be
asked of a state differs, what is written included.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from attrs import evolve

from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.interpreted import ReferencePosition
from rulewright.games.engine.kernels import load_engine
from rulewright.reference.decisions import NONE


def both(game: Game, backend: str | None = None) -> tuple[State, State]:
    """The first state by kernels (machine code unless one says otherwise), and by the reference."""
    assert not isinstance(load_engine(game, backend), str)
    return game.start(backend), game.start("reference")


def told(act: Callable[[], Any]) -> object:
    """What comes of something: a value, or the fault with its place."""
    try:
        return act()
    except Fault as fault:
        return fault.code, fault.message, fault.place


def decisions(state: State) -> object:
    """All that the moves say of themselves."""
    return told(lambda: [(m.text, m.name, dict(m.choices)) for m in state.moves])


def seen(state: State) -> list[object]:
    """All that can be asked of a state."""
    return [
        decisions(state), told(lambda: state.result), told(lambda: state.mover), state.ply,
        state.turn_begins, state.swapped, state.text(), told(lambda: state.scene),
        state.situation.position, state.situation.position.past, state.situation.ended,
        state.decisions(), told(state.by_kind),
    ]  # fmt: skip


def first_fault(state: State) -> object:
    """The fault of listing the decisions, or of the first that cannot be played."""
    for number in range(len(state.moves.texts)):
        state.play_decision(state.moves[number])
    return None


def going_on(state: State, number: int) -> object:
    """What comes of listing the rest of a turn after a decision of the reference.

    The reference lists it to learn whether the turn goes on, kernels look no farther than needed:
    where the game has ended in the turn they never meet the faults of decisions that follow.
    """
    situation = state.situation
    after = situation.options[number].after
    with state.game.located():
        return list(situation.play.listing(after).of(after.rest))


def compare(fast: State, slow: State) -> None:
    """One position, both ways.

    Machine code does what a decision does when it is played, the reference when it is listed.
    """
    faulty = decisions(slow)
    if not isinstance(faulty, list):
        assert told(partial(first_fault, fast)) == faulty
        return
    assert seen(fast) == seen(slow)
    assert isinstance(slow.position, ReferencePosition)
    assert fast == slow
    assert slow == fast
    assert hash(fast) == hash(slow)
    if fast.turn_begins and fast.game.rules.looks_back is False:
        shown, again = fast.game.read(fast.text()), slow.game.read(slow.text())
        assert shown == again
        assert shown == fast or (unasked(fast) and (shown.over or differ_in_claim(shown, fast)))


def unasked(state: State) -> bool:
    """Whether the last turn asked no end as whoever is not at move: a text asks them all so."""
    before = state.before
    assert before is not None
    position, last = state.situation.position, before.situation.position
    has_left = last.mover in position.out  # a text takes another for the last mover
    is_later = position.ply > last.ply + 1  # somebody was stuck and left, which counts a ply
    return state.move == NONE or last.mover == position.mover or has_left or is_later


def differ_in_claim(first: State, second: State) -> bool:
    """Whether two positions differ only in whether a draw may be claimed, as ends are asked."""
    position = first.situation.position
    claimable = second.situation.position.claimable
    return evolve(position, claimable=claimable) == second.situation.position


def played(state: State, number: int, exactly: bool) -> State:
    """The state after a decision, as a move or by what a person writes."""
    move = state.moves[number]
    return state.play_decision(move) if exactly else state.play(move.text)


def walk(game: Game, seed: int, most: int, backend: str | None = None) -> State:
    """A random game, compared at every decision; its last state by kernels."""
    random, (fast, slow) = Random(seed), both(game, backend)
    for _ in range(most):
        compare(fast, slow)
        if not isinstance(decisions(slow), list) or slow.over:
            break
        number, exactly = random.randrange(len(slow.moves)), random.random() < 0.5
        after = told(partial(played, slow, number, exactly))
        found = told(partial(played, fast, number, exactly))
        if not isinstance(after, State) and isinstance(found, State):  # does the turn go on?
            is_over = told(partial(getattr, found, "over")) is True  # else it goes on, or faults
            ended_with_fault = is_over and after == told(partial(going_on, slow, number))
            found = after if ended_with_fault else told(partial(first_fault, found))
        if not isinstance(after, State) or not isinstance(found, State):
            assert found == after
            break
        fast, slow = found, after
    compare(fast, slow)
    return fast
