"""What loops cost, for the plan of a game: how often each is gone through at the most.

In: a quantifier, a flood or a ray that is written as a loop, and how often the loops around it go
through it.  Out: a note on it, with a faster way to write it where many rounds multiply.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Protocol, TypeVar

from rulewright.compiler.layout import StateLayout
from rulewright.ground.printable import amount
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type

T = TypeVar("T")
MANY = 2_000
"""Rounds of loops inside each other that can be felt."""
_FEW = 8
"""Rounds of a loop that are no reason to write another one otherwise: the steps of a site."""
_NESTED = (
    "let the variables run over fewer sites, or give what hangs on one site alone a name of its "
    "own with that site as parameter (`let NAME(s) = ...`), which becomes a table"
)
_FLOODS = "go through groups (`g in groups(X)`), each of which is one flood, and not through sites"
_TOLD_APART = "name in `write` what else was chosen, so that no two decisions are written alike"
_CHOSEN_ONCE = (
    "choose so that no decision comes about twice (`d in east or south`, not `b in near(a)`), and "
    "name in `write` all that was chosen"
)
_PAIRS_OF_FREE = 20_000
"""Pairs that can be felt, of decisions that begin with any free site; pieces are mostly fewer."""


class InLoops(Protocol):
    """What is written in loops, and is gone through so many times at the most."""

    rounds: int


def most_members(rules: r.Rules, e: m.Expr) -> int:
    """Return how many members a domain has at the most, as far as its form tells."""
    match e:
        case m.Const():
            return _of_constant(e)
        case m.Apply(operation="lines", arguments=(m.Const(value=int(length)),)):
            return len(rules.board.lines(length))
        case m.Apply(operation="family"):
            return len(e.arguments)
        case m.Apply(operation="step", arguments=(m.Const(value=tuple(steps)), site)):
            return len(steps) if site.type is Type.SITE else rules.board.sites.bit_count()
        case m.Apply(operation="intersect"):
            return min(most_members(rules, part) for part in e.arguments)
        case m.CallFunction():
            bodies = rules.functions[e.function].bodies
            return max(most_members(rules, body) for body in bodies)
        case m.Viewed():
            return most_members(rules, e.body)
        case m.Quantified(quantifier="those"):
            return most_members(rules, e.domains[0])
    if e.type in (Type.SITES, Type.FAMILY):
        return rules.board.sites.bit_count()
    return 1


def _of_constant(e: m.Const) -> int:
    match e.type, e.value:
        case ((Type.SITE | Type.SITES), int(mask)):
            return mask.bit_count()
        case Type.RANGE, (int(low), int(high)):
            return max(1, high - low + 1)
        case _, tuple(members):
            return len(members)
    return 1


def in_rounds(v: InLoops, body: Callable[[T], None], rounds: int) -> Callable[[T], None]:
    """Return *body*, during which *v* knows that it is gone through so many times."""

    def in_round(member: T) -> None:
        v.rounds *= rounds
        body(member)
        v.rounds //= rounds

    return in_round if rounds > 1 else body


def note_loop(layout: StateLayout, e: m.Quantified, around: int) -> None:
    """Note a quantifier that goes through the members of its domains one by one."""
    sizes = [most_members(layout.rules, domain) for domain in e.domains]
    rounds = prod(sizes)
    form = f"a loop of up to {amount(rounds, 'round')}"
    if around > 1:
        form += f", {around * rounds:,} with the loops around it"
    many = around * rounds >= MANY and sorted([around, *sizes])[-2] > _FEW
    layout.note(f"`{e.quantifier}`", form, e.origin, _NESTED if many else "")


def note_flood(layout: StateLayout, part: str, origin: int, around: int) -> None:
    """Note a flood, which goes on step by step from a site to all that is connected with it."""
    form = "a flood" if around <= 1 else f"a flood, up to {around:,} times by the loops around it"
    layout.note(f"`{part}`", form, origin, _FLOODS if around > _FEW else "")


def note_walk(layout: StateLayout, origin: int, around: int) -> None:
    """Note a ray that is walked site by site."""
    many = "" if around <= 1 else f", up to {around:,} times by the loops around it"
    layout.note("ray", f"walked site by site{many}", origin)


def note_compared(layout: StateLayout, move: r.MoveKind) -> None:
    """Note a move whose decisions are compared with each other, since texts may be alike."""
    domains = [s.domain for s in move.body if isinstance(s, r.Choose)]
    pairs = prod(most_members(layout.rules, domain) for domain in domains) ** 2
    form = f"compared in up to {pairs // 2:,} pairs, because two may be written alike"
    free = bool(domains) and isinstance(domains[0], m.Apply) and domains[0].operation == "empty"
    advice = _CHOSEN_ONCE if free and pairs > 2 * _PAIRS_OF_FREE else ""
    advice = _TOLD_APART if pairs > MANY * MANY // 4 else advice
    layout.note(f"decisions of `{move.name}`", form, move.origin, advice)
