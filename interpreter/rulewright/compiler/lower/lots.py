"""What chance chooses: how likely each row is, and a row that is drawn so.

In: the choices of a move that chance makes.  Out: in games with chance the last word of a row, the
bits of a float: how likely it is, compared with the other rows of its position; 0 where a player
decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.compiler.ir.nodes import Expr, as_expr, op
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.definitions import row_value
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Lowered, at
from rulewright.model import rules as r
from rulewright.model.expressions import Const

LOT = """def lot(g: GameArrays, chance: Chance, first: i64, n: i64) -> i64:
    every = 0.0
    for row in range(first, n):
        every = every + bits_float(g.rows[row * ROW + ROW - 1])
    rank = every * real(random_half(chance)) / 4294967296.0
    for row in range(first, n):
        rank = rank - bits_float(g.rows[row * ROW + ROW - 1])
        if rank < 0.0:
            return row
    return n - 1


"""
"""The kernel that draws one of the rows from `first` on, as likely as they say."""


def likelihood_at(layout: StateLayout, row: Expr) -> Expr:
    """Name the word of a row that says how likely it is."""
    return at("g.rows", row + (layout.row - 1))


def each_lot(v: Values, s: r.Choose, before: Expr, body: Callable[[Lowered, Expr], None]) -> None:
    """Write a loop over what chance may choose; *body* gets how likely all choices so far are."""
    w = v.w
    if s.weight is None and isinstance(s.domain, Const):
        v.members(s.domain, lambda member: body(member, before), None)
        return
    every = w.var(0, "n")

    def weigh(member: Lowered) -> Expr:
        if s.weight is None:
            return as_expr(1)
        v.frame[s.slot] = member
        weight = w.let(v.number(s.weight), "n")
        with w.when(weight < 0):
            v.fault("out-of-range")
        return weight

    v.members(s.domain, lambda member: w.set(every, every + weigh(member)), None)

    def use(member: Lowered) -> None:
        weight = weigh(member)
        share = w.let(before * op("real", weight) / op("real", every), "f")
        with w.when(weight > 0):
            body(member, share)

    v.members(s.domain, use, None)


class LotWriter(Protocol):
    """A writer of moves that knows how likely the choices so far are."""

    layout: StateLayout
    v: Values
    likelihood: Expr

    @property
    def move(self) -> r.MoveKind:
        """The move in the model."""


def draw_lots(writer: LotWriter, s: r.Choose, rest: Callable[[], None]) -> None:
    """Write what follows each choice that chance may make."""
    before, state = writer.likelihood, writer.v.state

    def use(member: Lowered, likelihood: Expr) -> None:
        writer.v.frame[s.slot] = row_value(writer.v, writer.move, s.slot, member)
        writer.likelihood = likelihood
        rest()
        writer.v.state = state

    each_lot(writer.v, s, before, use)
    writer.likelihood = before


def is_even(move: r.MoveKind) -> bool:
    """Whether all decisions of a move that chance makes are as likely: one choice, unweighed."""
    choices = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    return len(choices) == 1 and isinstance(choices[0], r.Choose) and choices[0].weight is None


def add_likelihood(writer: LotWriter, first: Expr, equal: Expr) -> None:
    """Write that two rows which are one outcome are as likely as both."""
    w, chance = writer.v.w, likelihood_at(writer.layout, first)
    with w.when(equal.ne(0)):
        w.set(chance, op("float_bits", op("bits_float", chance) + writer.likelihood))
