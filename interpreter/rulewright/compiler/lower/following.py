"""Random decisions of turns that must come to their end: one is drawn, and followed then.

In: a move, and what is left of the turn after it.  Out: how many decisions there are, and a writer
that plays the k-th of them if its turn can be finished (`lower/turn_finishing.py`).  So the others
are never followed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulewright.compiler.ir.nodes import Expr, as_expr
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.lots import is_even
from rulewright.compiler.lower.moves import MoveWriter, N
from rulewright.compiler.lower.picks import Picker
from rulewright.compiler.lower.trying import before_effects
from rulewright.compiler.lower.turn_finishing import ends_turn
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import GAME, Writer
from rulewright.compiler.passes.offers import Instead, Offer, Option, TurnEnds
from rulewright.model import rules as r
from rulewright.model.rules import Course

FOLLOWED = "a random one is drawn, and whether its turn can be finished is tested then"
"""How the plan of a game tells of it."""
Drawn = tuple[Expr, Callable[[Expr], None]]
"""How many decisions there are, and the writer that plays one of them if it may."""


class RandomPly(Protocol):
    """A writer of random decisions."""

    layout: StateLayout
    player: int
    w: Writer

    def drawn_row(self, first: Expr, k: Expr) -> Expr:
        """Write the k-th row, or one drawn as likely as it is where chance decides."""

    def refuse_needs(self, move: r.MoveKind) -> None:
        """Raise `Unsupported` for moves whose decisions effects may still refuse, or name alike."""


def may_draw(offers: Sequence[Option], rules: r.Rules, follows: bool) -> bool:
    """Whether one decision may be drawn before all are followed to the end of their turn.

    So it is if each finishes its turn; also if what is drawn is followed then (*follows*).
    """
    return all(_may_draw(option, rules, follows) for option in offers)


def _may_draw(option: Option, rules: r.Rules, follows: bool) -> bool:
    match option:
        case Offer(move=move, tail=rest):
            return ends_turn(rules, rest) or (follows and move is not None)
        case Instead(first=first, second=second):
            return may_draw((*first, *second), rules, follows)
        case TurnEnds():
            return True
    return rules.closing is None


def followed_decisions(ply: RandomPly, number: int, rest: Course) -> Drawn:
    """Return decisions of a move: the bits of a set, or else rows."""
    picked: Drawn | None = ply.w.attempt(lambda: _picked(ply, number, rest))
    if picked is not None:
        return picked
    w, first, layout = ply.w, ply.w.var(N, "n"), ply.layout
    w.set(N, w.call(f"moves_{number}_{ply.player}", GAME, N, layout.courses[rest]))

    def play(k: Expr) -> None:
        _play(w, w.let(ply.drawn_row(first, k) * layout.row, "r"), N)

    return w.let(N - first, "n"), play


def _picked(ply: RandomPly, number: int, rest: Course) -> Drawn:
    layout = ply.layout
    move = layout.rules.moves[number]
    if move.by_chance and not is_even(move):
        raise Unsupported
    ply.refuse_needs(move)
    v = Values(GENERAL, layout, ply.w, ply.player, ply.player)
    count, pick = Picker(v, before_effects(move)).read()

    def play(k: Expr) -> None:
        v.frame = pick(k)
        writer = MoveWriter(layout, number, ply.player)
        _play(ply.w, writer.write_row(v, as_expr(layout.courses[rest])), N + 1)

    return count, play


def _play(w: Writer, row: Expr, top: Expr) -> None:
    """Play the decision in a row, and return 1, if its turn can be finished."""
    with w.when(w.call("can_finish", GAME, row, top).ne(0)):
        w.do("play", GAME, row, top)
        w.give(1)
