"""The decision in a game with secrets: an average over positions that fit what was observed.

In: a state, limits, a search of positions in which everything is open.  Out: a `SearchResult` for
the player to move, whose values are means.  Looks at nothing that this player has not observed.
It knows no bluff: in each position the search takes for granted that both see everything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from random import Random

from attrs import evolve

from rulewright.errors import Fault, GameOver
from rulewright.games.engine.game import State
from rulewright.search.completions import Completions
from rulewright.search.results import Limits, SearchResult, refuse_throwing

SAMPLES = 12
"""Positions that are searched for a decision, at the most."""
_DRAWING = 0.4
"""The share of the time that drawing them may take."""

Search = Callable[[State, Limits, int], SearchResult]
"""Searches a position, with a value for every decision."""


def sampled_decision(
    state: State,
    limits: Limits,
    seed: int,
    search: Search,
    completions: Completions | None = None,
) -> SearchResult:
    """The decision that is best on the average of positions that fit what the mover has observed.

    *completions* are those of this player in earlier states of the game.  Where none is found, it
    is a random decision that was not searched.
    """
    if state.over:
        raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
    refuse_throwing(state)
    started, random = time.perf_counter(), Random(seed)
    player, texts = state.position.mover, state.moves.texts
    drawing = None if limits.seconds is None else _DRAWING * limits.seconds
    if completions is None:
        completions = Completions(state.game, player, random)
    completions.update(state, drawing)
    answers = list[SearchResult]()
    if completions.states and len(texts) > 1:
        samples = random.sample(completions.states, min(SAMPLES, len(completions.states)))
        others = (state for state in completions.states if state not in samples)
        each = _share(limits, len(samples), time.perf_counter() - started)
        for sample in chain(samples, others):  # those in which nobody can decide say nothing
            with suppress(Fault, GameOver):
                answers.append(search(sample, each, random.getrandbits(30)))
            if len(answers) == len(samples):
                break
    means = _means(answers, texts)
    best = max(texts, key=lambda move: means.get(move, 0.0)) if means else random.choice(texts)
    return SearchResult(
        best, means.get(best, 0.0), str(state.mover), None, None, (best,),
        sum(a.nodes for a in answers), max((a.depth for a in answers), default=0),
        time.perf_counter() - started, tuple((move, means.get(move)) for move in texts),
        searched=bool(answers),
    )  # fmt: skip


def _share(limits: Limits, number: int, spent: float) -> Limits:
    """The limits of the search of one of so many positions."""
    seconds = limits.seconds and max(0.001, (limits.seconds - spent) / number)
    nodes = limits.nodes and max(1, limits.nodes // number)
    return evolve(limits, seconds=seconds, nodes=nodes, line=False)


def _means(answers: Sequence[SearchResult], texts: Sequence[str]) -> dict[str, float]:
    """The mean value of each decision; one that a search left out was its worst."""
    sums = dict.fromkeys(texts, 0.0) if answers else {}
    for answer in answers:
        values = {move: value for move, value in answer.root if value is not None}
        values[answer.move] = answer.value
        least = min(values.values())
        for move in texts:
            sums[move] += min(1.0, max(-1.0, values.get(move, least))) / len(answers)
    return sums
