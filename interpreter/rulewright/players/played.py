"""Why the decision that was just played was made, by the player who made it.

In: a state, and who has made its last decision.  Out: an explanation of that decision, whatever the
same player would decide if it were asked again.  Refuses players who give no reasons.
"""

from __future__ import annotations

from rulewright.engine.game import State
from rulewright.errors import RulewrightError
from rulewright.players.explain import Explanation, explain
from rulewright.players.judged import Judged
from rulewright.players.personality import Personality
from rulewright.players.scores import FAR
from rulewright.search.best import best
from rulewright.search.results import Found, Limits

CHANCE = "chance"
"""What decides for the player that plays any legal decision."""
BY_SEARCH = "the search of the rules"
"""What decides for the player that knows the rules alone."""


def explain_played(
    state: State, by: Personality | str, seconds: float = 1.0, seed: int = 0
) -> Explanation:
    """Why the last decision of *state* was made by whom: a personality, `computer` or `random`.

    The computer searches again, *seconds* long.  Raises `RulewrightError` for anybody else, and
    where nothing is played yet.
    """
    before = state.before
    if before is None:
        raise RulewrightError("nothing is played yet")
    if isinstance(by, Personality):
        return explain(before, by, seed, played=state.move)
    if by not in ("computer", "random"):
        raise RulewrightError(f"{before.mover} played {state.move}, and {by} gives no reasons")
    search = by == "computer" and len(before.moves) > 1
    found = best(before, Limits(seconds), seed, roots=True) if search else None
    judged = _judged(found, state.move) if found else ()
    others = [one.move for one in judged if one.move != state.move]
    assert before.mover is not None
    return Explanation(
        by, "", before.mover, state.move, judged, BY_SEARCH if by == "computer" else CHANCE,
        others[0] if others else "", 0, played=True, again=_again(found, state.move),
    )  # fmt: skip


def _again(found: Found | None, move: str) -> str:
    return found.move if found and found.move != move else ""


def _judged(found: Found, made: str) -> tuple[Judged, ...]:
    """What a search says of the decisions, the best first."""
    told = [(value, move) for move, value in found.root if value is not None]
    told.sort(key=lambda one: (one[0], one[1] == made), reverse=True)
    return tuple(_one(found, move, value) for value, move in told)


def _one(found: Found, move: str, value: float) -> Judged:
    line = found.pv if move == found.move else (move,)
    if move == found.move and found.proven in ("win", "loss"):
        distance = FAR if found.distance is None else found.distance
        return Judged(move, value, {}, {}, line, found.proven, distance)
    return Judged(move, value, {}, {}, line)
