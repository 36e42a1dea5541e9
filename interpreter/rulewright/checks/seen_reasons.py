"""Why a decision is legal or not, as far as its player may know: nothing that is out of sight.

In: a state and the text of a decision.  Out: a reason.  What a decision does may look at what its
player does not see, and so may how the game ends then.  So a reason ends where effects begin: it
tells what a move chooses, needs and writes before them.  Where everything is seen, or the game is
over, it is the whole reason.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile

from attrs import evolve

from rulewright.checks.findings import clause
from rulewright.checks.reasons import (
    Reason,
    kind_of,
    reason_of_forbidden,
    statements_of_last_decision,
    why_not,
)
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.model import rules as r
from rulewright.reference.play import ReferencePlay


def why_not_seen(state: State, text: str) -> Reason:
    """Why *text* is not legal (or that it is), for whoever sees what the mover sees.

    Raises `RulewrightError` for several decisions: the second may depend on what the first finds.
    """
    if not state.game.rules.has_secrets or state.over:
        return why_not(state, text)
    if len(text.split()) > 1:
        raise RulewrightError("one decision at a time, where not everything is seen")
    legal = next((m for m in state.moves.texts if m.casefold() == text.casefold()), None)
    if legal is None:
        return reason_of_forbidden(state, text, _without_effects(state.game.play))
    return _legal(state, legal)


def _legal(state: State, text: str) -> Reason:
    """The clauses of a legal decision, up to its first effect."""
    statements = statements_of_last_decision(state.play_decision(text))
    choosing = takewhile(lambda point: isinstance(point.node, r.CHOOSING), statements)
    origins = dict.fromkeys(point.origin for point in choosing if point.origin)
    clauses = tuple(clause(state.game.rules, origin) for origin in origins)
    return Reason(
        text, True, f"`{text}` is legal: the move `{kind_of(state, text)}`", others=clauses
    )


@lru_cache(maxsize=8)
def _without_effects(play: ReferencePlay) -> ReferencePlay:
    """The same rules with moves that choose, need and write, and do nothing."""
    moves = (evolve(move, body=(*_choosing(move.body),)) for move in play.rules.moves)
    return ReferencePlay(evolve(play.rules, moves=(*moves,)))


def _choosing(body: tuple[r.Effect, ...]) -> list[r.Effect]:
    """What a move chooses and needs before its effects, and how it is written."""
    first = list(takewhile(lambda statement: isinstance(statement, r.CHOOSING), body))
    return first + [s for s in body[len(first) :] if isinstance(s, r.Write)]
