"""The hashes of positions, as kernels.

`position_key(state)` is a hash of all that determines the future but the earlier positions.
`result_key(state)` is one of all that determines who wins: equal for positions that differ in no
more than in what the rules cannot tell apart (`passes.alike`).  Where that is nothing they are the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from random import Random

from rulewright.compiler.ir.nodes import Const, Expr, Function, op
from rulewright.compiler.ir.types import INT, INTS, Signature
from rulewright.compiler.layout import (
    AGAIN,
    FRESH,
    MOVER,
    PLY,
    REST,
    SWAPPED,
    StateLayout,
    set_places,
    state_size,
)
from rulewright.compiler.lower.writer import Writer, array, at, total
from rulewright.compiler.passes.alike import alike, only_counted
from rulewright.model.expressions import Apply
from rulewright.model.rules import Rules
from rulewright.model.walk import nodes

_SMALL = (MOVER, SWAPPED, AGAIN, FRESH)
"""Words that are 0 or 1 between two players; they share one word with the rest of the turn."""
_Set = list[Expr]
"""The words of a set of sites."""


def key_offsets(layout: StateLayout) -> list[int]:
    """List the words that determine a position's future, without those that `_turn` joins."""
    offsets = list(range(layout.owned, layout.piles.end))
    for index, state in enumerate(layout.rules.states):
        players = len(layout.rules.players) if state.each else 1
        size = state_size(state, layout.words) * players
        offsets += [layout.states[index] + i for i in range(size)]
    offsets += [MOVER] * layout.rules.has_several + [layout.out] * bool(layout.out)
    return offsets + [PLY] * reads_ply(layout.rules)


def reads_ply(rules: Rules) -> bool:
    """Whether the number of finished turns changes what may be played, or who wins."""
    parts = (rules.functions, rules.actions, rules.moves, rules.ends)
    return any(isinstance(n, Apply) and n.operation == "ply" for n in nodes(parts))


def position_key(layout: StateLayout) -> Function:
    """Write `position_key`: each word is mixed by two products, and so is the sum of all."""
    w, chance = Writer(layout=layout), Random(0x5EED)
    values = (_turn(), *(at("state", place) for place in key_offsets(layout)))
    return _sum_of(w, "position_key", [_mix(w, v, _odds(chance)) for v in values], chance)


def result_key(layout: StateLayout) -> Function:
    """Write `result_key`: sites that are alike are mixed with the same odds, and added."""
    rules, w, chance = layout.rules, Writer(layout=layout), Random(0xA11CE)
    classes, counted = alike(rules), only_counted(rules)
    if not classes and not counted:
        return w.function("result_key", _TAKES, w.call("position_key", (array("state"),)))
    sets, values = _parts(layout)
    if counted:
        values.append(total([op("popcount", word) for word in sets[0]]))
        players = [w.let(own | enemy, "b") for own, enemy in zip(*sets[:2], strict=True)]
        sets = [players, *sets[2:]]
    rest = layout.split(~sum(1 << site for members in classes for site in members))
    values += [word & Const(mask, INT) for s in sets for word, mask in zip(s, rest, strict=True)]
    terms = [_mix(w, value, _odds(chance)) for value in (_turn(), *values)]
    for members in classes:
        odds = _odds(chance)
        terms += [_mix(w, _sets_of(sets, site), odds) for site in members]
    return _sum_of(w, "result_key", terms, chance)


_TAKES = Signature((("state", "StateWords"),), INT, (("state", INTS),))


def _parts(layout: StateLayout) -> tuple[list[_Set], list[Expr]]:
    """Split a position into its sets of sites, those of the players first, and other words."""
    firsts = set_places(layout)
    sets: list[_Set] = [[at("state", first + i) for i in range(layout.words)] for first in firsts]
    set_words = {first + i for first in firsts for i in range(layout.words)}
    return sets, [at("state", place) for place in key_offsets(layout) if place not in set_words]


def _sets_of(sets: Sequence[_Set], site: int) -> Expr:
    """Write a number whose bits say in which sets a site is."""
    word, bit = divmod(site, 64)
    bits = [(op("shift_right", s[word], bit) & 1) << i for i, s in enumerate(sets)]
    return reduce(or_, bits)


def _turn() -> Expr:
    """Join the rest of the turn and the small words into one word."""
    turn = at("state", REST) << len(_SMALL)
    for i, place in enumerate(_SMALL):
        turn = turn | at("state", place) << i
    return turn


def _mix(w: Writer, value: Expr, odds: tuple[int, int, int]) -> Expr:
    """Mix a word by two products."""
    m = w.let(op("wrap_mul", value ^ odds[0], odds[1]), "m")
    return op("wrap_mul", m ^ op("shift_right", m, 32), odds[2])


def _sum_of(w: Writer, name: str, terms: Iterable[Expr], chance: Random) -> Function:
    """Write the kernel that returns the mixed sum of mixed words."""
    mixed_sum = wrapping_sum(w, terms)
    h = w.let(op("wrap_mul", mixed_sum ^ op("shift_right", mixed_sum, 29), _odd(chance)), "h")
    return w.function(name, _TAKES, op("shift_right", h ^ op("shift_right", h, 32), 2))


def wrapping_sum(w: Writer, terms: Iterable[Expr]) -> Expr:
    """Write a sum modulo 2**64 term by term: Python nests too few parentheses for many words."""
    total: Expr = Const(0, INT)
    for term in terms:
        total = w.let(op("wrap_add", total, term), "h")
    return total


def _odds(chance: Random) -> tuple[int, int, int]:
    return _odd(chance), _odd(chance), _odd(chance)


def _odd(chance: Random) -> int:
    return chance.getrandbits(62) | 1
