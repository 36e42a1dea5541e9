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
)
from rulewright.compiler.lower.writer import Writer, array, at, total
from rulewright.compiler.passes.alike import alike, only_counted
from rulewright.model.expressions import Apply, Type
from rulewright.model.rules import Rules
from rulewright.model.walk import nodes

_SMALL = (MOVER, SWAPPED, AGAIN, FRESH)
"""Words that are 0 or 1; they share one word with the rest of the turn."""
_Set = list[Expr]
"""The words of a set of sites."""


def key_offsets(layout: StateLayout) -> list[int]:
    """The words of a position that determine its future, without those that are mixed into one."""
    found = list(range(layout.owned, layout.links + layout.link_words))
    for index, state in enumerate(layout.rules.states):
        size = (layout.words if state.type is Type.SITES else 1) * (2 if state.each else 1)
        found += [layout.states[index] + i for i in range(size)]
    return found + [PLY] * reads_ply(layout.rules)


def reads_ply(rules: Rules) -> bool:
    """Whether the number of finished turns changes what may be played, or who wins."""
    parts = (rules.functions, rules.actions, rules.moves, rules.ends)
    return any(isinstance(n, Apply) and n.operation == "ply" for n in nodes(parts))


def position_key(layout: StateLayout) -> Function:
    """The kernel: every word is mixed on its own by two products, the sum of all once more."""
    w, chance = Writer(layout=layout), Random(0x5EED)
    values = (_turn(), *(at("state", place) for place in key_offsets(layout)))
    return _finished(w, "position_key", [_mixed(w, v, _odds(chance)) for v in values], chance)


def result_key(layout: StateLayout) -> Function:
    """The kernel: what sites that are alike hold is mixed in one way for all of them, and added."""
    rules, w, chance = layout.rules, Writer(layout=layout), Random(0xA11CE)
    classes, counted = alike(rules), only_counted(rules)
    if not classes and not counted:
        return w.function("result_key", _TAKES, w.call("position_key", (array("state"),)))
    sets, values = _parts(layout)
    if counted:
        values.append(total([op("popcount", word) for word in sets[0]]))
        both = [w.let(one | other, "b") for one, other in zip(*sets[:2], strict=True)]
        sets = [both, *sets[2:]]
    rest = layout.split(~sum(1 << site for members in classes for site in members))
    values += [word & Const(mask, INT) for s in sets for word, mask in zip(s, rest, strict=True)]
    mixed = [_mixed(w, value, _odds(chance)) for value in (_turn(), *values)]
    for members in classes:
        odds = _odds(chance)
        mixed += [_mixed(w, _held(sets, site), odds) for site in members]
    return _finished(w, "result_key", mixed, chance)


_TAKES = Signature((("state", "StateWords"),), INT, (("state", INTS),))


def _parts(layout: StateLayout) -> tuple[list[_Set], list[Expr]]:
    """The sets of sites of a position, those of both players first, and its other words."""
    firsts = set_places(layout)
    sets: list[_Set] = [[at("state", first + i) for i in range(layout.words)] for first in firsts]
    inside = {first + i for first in firsts for i in range(layout.words)}
    return sets, [at("state", place) for place in key_offsets(layout) if place not in inside]


def _held(sets: Sequence[_Set], site: int) -> Expr:
    """In which sets a site is, as bits of a number."""
    word, bit = divmod(site, 64)
    found = [(op("shift_right", s[word], bit) & 1) << i for i, s in enumerate(sets)]
    return reduce(or_, found)


def _turn() -> Expr:
    """The rest of the turn and the small words, as one."""
    turn = at("state", REST) << len(_SMALL)
    for i, place in enumerate(_SMALL):
        turn = turn | at("state", place) << i
    return turn


def _mixed(w: Writer, value: Expr, odds: tuple[int, int, int]) -> Expr:
    """A word, mixed by two products."""
    m = w.let(op("wrap_mul", value ^ odds[0], odds[1]), "m")
    return op("wrap_mul", m ^ op("shift_right", m, 32), odds[2])


def _finished(w: Writer, name: str, mixed: Iterable[Expr], chance: Random) -> Function:
    """The kernel that gives the sum of mixed words, mixed once more."""
    found: Expr = Const(0, INT)
    for product in mixed:
        found = w.let(op("wrap_add", found, product), "h")
    h = w.let(op("wrap_mul", found ^ op("shift_right", found, 29), _odd(chance)), "h")
    return w.function(name, _TAKES, op("shift_right", h ^ op("shift_right", h, 32), 2))


def _odds(chance: Random) -> tuple[int, int, int]:
    return _odd(chance), _odd(chance), _odd(chance)


def _odd(chance: Random) -> int:
    return chance.getrandbits(62) | 1
