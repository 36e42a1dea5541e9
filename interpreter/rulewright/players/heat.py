"""Heat maps: where the decisions of an explanation lead, the better the warmer.

In: a state and an explanation.  Out: for sites of the board a text and a share of 1, and in words
the decisions that are about no single site, such as flipping the whole board or doing nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from rulewright.games.engine.game import State
from rulewright.model.personality import Number
from rulewright.players.explain import Explanation
from rulewright.players.terms import ExplainedMove
from rulewright.reference.play import LegalDecision

_MOST = 3
"""Decisions about one site that are written there."""
_UNLOST = 0.25
"""The share of the worst decision that is not lost, where others are: it is seen to be better."""
_WIDE = 60
"""Characters of a note."""


@frozen
class Heat:
    """Texts and shares of 1 by site, the site of the decision made, and what has no site.

    What loses by force is as cold as can be, what wins as warm; between them values decide.
    """

    texts: Mapping[int, str]
    shares: Mapping[int, float]
    chosen: int | None
    notes: tuple[str, ...]


def heat(state: State, explanation: Explanation) -> Heat:
    """What a heat map shows of the decisions that an explanation has values for."""
    options = {option.text: option for option in state.situation.options}
    sites = {one.move: site_of(state, options[one.move]) for one in explanation.moves}
    about: dict[int, list[ExplainedMove]] = {}
    for one in explanation.moves:  # the best first
        site = sites[one.move]
        if site is not None:
            about.setdefault(site, []).append(one)
    shares = _shares(explanation.moves)
    elsewhere = [one for one in explanation.moves if sites[one.move] is None]
    move = explanation.chosen
    chosen = site_of(state, options[move]) if move in options else None
    return Heat(
        {site: _text(ones) for site, ones in about.items()},
        {site: shares[ones[0].move] for site, ones in about.items()},
        chosen,
        _notes(move, elsewhere),
    )


def site_of(state: State, option: LegalDecision) -> int | None:
    """The site that a decision is about, if there is one.

    It is where a piece of the mover's own comes to stand; else the only empty site that is filled;
    else the only one that is emptied; else the last that the decision names.
    """
    before, after = state.situation.position, option.after
    mine = after.owned[before.mover] & ~before.owned[before.mover]
    filled, emptied = after.full & ~before.full, before.full & ~after.full
    for sites in (mine, filled, emptied):
        if sites.bit_count() == 1:
            return sites.bit_length() - 1
    known = state.game.rules.board.by_name
    named = [known[word] for word in re.findall(r"[A-Za-z]+\d+", option.text) if word in known]
    return named[-1] if named else None


def _shares(moves: tuple[ExplainedMove, ...]) -> dict[str, float]:
    open_values: list[Number] = [one.value for one in moves if not one.ends]
    low, high = min(open_values, default=0), max(open_values, default=0)
    ended = {"win": 1.0, "loss": 0.0}
    floor = _UNLOST if any(one.ends == "loss" for one in moves) else 0.0

    def between(value: Number) -> float:
        if low == high:
            return 1.0 if floor else 0.0
        return floor + (1 - floor) * (value - low) / (high - low)

    return {one.move: ended[one.ends] if one.ends else between(one.value) for one in moves}


def _text(ones: list[ExplainedMove]) -> str:
    """The values of decisions about one site, each named where there are several."""
    if len(ones) == 1:
        return _worth(ones[0])
    more = [f"+{len(ones) - _MOST}"] if len(ones) > _MOST else []
    return "\n".join([f"{one.move} {_worth(one)}" for one in ones[:_MOST]] + more)


def _worth(one: ExplainedMove) -> str:
    return f"{one.ends} {one.distance}" if one.ends else f"{one.value:.4g}"


def _notes(chosen: str, elsewhere: list[ExplainedMove]) -> tuple[str, ...]:
    """Lines with the decisions that are about no site; the one made is marked."""
    lines: list[str] = []
    for one in elsewhere:
        told = f"{'> ' if one.move == chosen else ''}{one.move}: {_worth(one)}"
        if lines and len(lines[-1]) + len(told) < _WIDE:
            lines[-1] += f"   {told}"
        else:
            lines.append(told)
    return tuple(lines)
