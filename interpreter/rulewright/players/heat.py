"""Heat maps: where the decisions of an explanation lead, the better the warmer.

In: a state and an explanation.  Out: for sites of the board a text and a share of 1, and in words
the decisions that are about no single site, such as flipping the whole board or doing nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from attrs import frozen

from rulewright.games.engine.game import State
from rulewright.model.personality import Number
from rulewright.players.explain import Explanation
from rulewright.players.terms import ExplainedMove
from rulewright.reference.decisions import LegalDecision

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
    decision_site: int | None
    notes: tuple[str, ...]


def heat(state: State, explanation: Explanation, spelling: Callable[[str], str] = str) -> Heat:
    """The heat map of the decisions that an explanation has values for, as *spelling* has them."""
    options = {option.text: option for option in state.situation.options}
    sites = {m.move: site_of(state, options[m.move]) for m in explanation.moves}
    about: dict[int, list[ExplainedMove]] = {}
    for decision in explanation.moves:  # the best first
        site = sites[decision.move]
        if site is not None:
            about.setdefault(site, []).append(decision)
    shares = _shares(explanation.moves)
    elsewhere = [m for m in explanation.moves if sites[m.move] is None]
    move = explanation.decision
    chosen_site = site_of(state, options[move]) if move in options else None
    return Heat(
        {site: _text(moves, spelling) for site, moves in about.items()},
        {site: shares[moves[0].move] for site, moves in about.items()},
        chosen_site,
        _notes(move, elsewhere, spelling),
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
    sites_by_name = state.game.rules.board.by_name
    words = [word for word in re.findall(r"[A-Za-z]+\d+", option.text) if word in sites_by_name]
    return sites_by_name[words[-1]] if words else None


def _shares(moves: tuple[ExplainedMove, ...]) -> dict[str, float]:
    open_values: list[Number] = [m.value for m in moves if not m.ends]
    low, high = min(open_values, default=0), max(open_values, default=0)
    ends = {"win": 1.0, "loss": 0.0}
    floor = _UNLOST if any(m.ends == "loss" for m in moves) else 0.0

    def between(value: Number) -> float:
        if low == high:
            return 1.0 if floor else 0.0
        return floor + (1 - floor) * (value - low) / (high - low)

    return {m.move: ends[m.ends] if m.ends else between(m.value) for m in moves}


def _text(moves: list[ExplainedMove], spelling: Callable[[str], str]) -> str:
    """The values of decisions about one site, each named where there are several."""
    if len(moves) == 1:
        return _worth(moves[0])
    more = [f"+{len(moves) - _MOST}"] if len(moves) > _MOST else []
    return "\n".join([f"{spelling(m.move)} {_worth(m)}" for m in moves[:_MOST]] + more)


def _worth(move: ExplainedMove) -> str:
    return f"{move.ends} {move.distance}" if move.ends else f"{move.value:.4g}"


def _notes(
    move: str, elsewhere: list[ExplainedMove], spelling: Callable[[str], str]
) -> tuple[str, ...]:
    """Lines with the decisions that are about no site; the one made is marked."""
    lines: list[str] = []
    for m in elsewhere:
        note = f"{'> ' if m.move == move else ''}{spelling(m.move)}: {_worth(m)}"
        if lines and len(lines[-1]) + len(note) < _WIDE:
            lines[-1] += f"   {note}"
        else:
            lines.append(note)
    return tuple(lines)
