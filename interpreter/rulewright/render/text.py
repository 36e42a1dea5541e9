"""A position as text, which `reading.py` reads back.

In: the rules in motion, a position and how the game ended.  Out: the board (see `board.py`), and
below it lines `name: value`.  Earlier positions, which `repeats` counts, are not part of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model import rules as r
from rulewright.model.board import bits
from rulewright.reference.courses import text as course_text
from rulewright.reference.play import Outcome, Play
from rulewright.reference.position import Position
from rulewright.render.board import board_lines, plain
from rulewright.render.scene import scene, value_text

DRAW = "draw"
NOTHING = "nothing"
"""What is left of a turn that is over."""


def board_text(play: Play, position: Position) -> str:
    """The picture of the board alone, with coordinates."""
    return plain(board_lines(scene(play, position), marked=False))


def position_text(play: Play, position: Position, ended: Outcome | None) -> str:
    """The whole position: board, mover, states, links, and what is left of the turn.

    `ended` is how an end rule has ended the game, which may be in the middle of a turn.
    """
    lines = [board_text(play, position), "", *_fields(play, position)]
    if ended:
        winner = DRAW if ended.winner is None else play.rules.players[ended.winner]
        lines.append(f"over: {winner}, {play.rules.origins[ended.origin].text}")
    return "\n".join(lines) + "\n"


def _fields(play: Play, position: Position) -> Iterator[str]:
    rules = play.rules
    yield f"mover: {rules.players[position.mover]}"
    yield f"ply: {position.ply}"
    for state, values in zip(rules.states, position.states, strict=True):
        if state.each:
            pairs = zip(rules.players, values, strict=True)
            shown = ", ".join(f"{p} {value_text(rules, state.type, v)}" for p, v in pairs)
        else:
            shown = value_text(rules, state.type, values[0])
        yield f"{state.name}: {shown}"
    for table, links in zip(play.links, position.links, strict=True):
        names = [
            f"{_name(rules, a)}-{_name(rules, b)}" for a, b in (table.ends[n] for n in bits(links))
        ]
        yield f"{table.kind.name}: {' '.join(names) or 'none'}"
    if not position.fresh:
        yield f"rest: {course_text(position.rest, rules) or NOTHING}"
    if position.again:
        yield "again: yes"
    if position.swapped:
        yield "swapped: yes"


def _name(rules: r.Rules, site: int) -> str:
    return rules.board.names[site]
