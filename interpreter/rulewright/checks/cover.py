"""Which clauses of a rules file were used, by the positions of random games.

In: a game, an effort and a seed.  Out: for each clause how often it was reached and how it came
out; the clauses that nothing used, with a proof where there is a cheap one (see `dead.py`).  What
is used only where an option has another value says so (see `cover_options.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright import budget
from rulewright.checks.chance import is_fault, shown, tally
from rulewright.checks.coverage import Counter, Coverage, Use
from rulewright.checks.dead import proofs
from rulewright.checks.effort import CALLS, GAMES, Price, price
from rulewright.checks.explore import sampled, shortest
from rulewright.checks.ground import Ground
from rulewright.checks.instrument import Notebook, instrumented
from rulewright.engine.game import Game, State
from rulewright.errors import Fault

_WHOLE = 0.5
"""The share of the calls that goes into looking at the whole game, where it is small enough."""
_RARE = 0.5
"""What may be spent beside that to play rare games again."""


def cover_rules(game: Game, effort: float = 1.0, seed: int = 0) -> Coverage:
    """Play random games on rules with notes in them, and count what they note."""
    rules, book = instrumented(game.rules)
    noted, counter = Game(rules), Counter()
    cost, calls = price(game, seed), round(CALLS * effort)
    book.listener = counter
    states, whole = _short(noted, round(calls * _WHOLE), cost.listing)
    games = 0
    if not whole:
        for state in sampled(noted, cost, round(calls * (1 - _WHOLE)), seed):
            if budget.over():
                break
            states += 1
            games += state.situation.ended is not None
            _looked(state)
        for moves in _rare(game, cost, round(calls * _RARE), seed):
            _looked(Ground(noted).played(moves))
            games += 1
    book.listener = None
    uses = tuple(_uses(game, book, counter, whole))
    return Coverage(game.name, dict(game.options), uses, states, games, whole)


def _short(game: Game, calls: int, listing: int) -> tuple[int, bool]:
    """Look at the positions of short games; how many, and whether these were all."""
    number = 0
    for state in shortest(game):
        number += 1
        _looked(state)
        calls -= listing
        if calls < 0 or budget.over():
            return number, False
    return number, not game.rules.looks_back


def _rare(game: Game, cost: Price, calls: int, seed: int) -> Iterator[list[str]]:
    """Games that end in rare ways, found among many that kernels play, as far as calls allow."""
    ground = Ground(game)
    if ground.engine is None:
        return
    found = tally(ground, cost, 0, GAMES, seed)
    for kind, played in sorted(found.first.items(), key=lambda one: found.ends[one[0]]):
        calls -= played.plies * cost.listing
        if calls < 0 or budget.over():
            return
        state = None if is_fault(kind) else shown(ground, played, played.plies)
        if state is not None:
            yield state.decisions()


def _looked(state: State) -> None:
    try:
        _ = state.moves.texts
        _ = state.result
    except Fault:
        return


def _uses(game: Game, book: Notebook, counter: Counter, whole: bool) -> Iterator[Use]:
    """What was noted, with what is remarkable about it."""
    known = proofs(game.rules)
    proof = "every position of the game was looked at" if whole else ""
    for use in counter.uses(book, game.rules):
        origin = use.spot.origin if use.spot else 0
        yield evolve(use, proof=(known.get(origin) or proof) if use.why else "")
