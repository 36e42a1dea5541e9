"""The hash of a position, made of all that determines what can happen from it, and of nothing else.

In: a plan.  Out: the text of the kernel `position_key`, which gives a number of 62 bits.  Who owns
what, kinds, links, states, who is at move, whether the persons have exchanged colours, what is left
of the turn; the number of finished turns only where a rule reads it.  What stood on the board
earlier is left out: where rules look back, equal hashes do not mean equal futures.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulewright.codegen import plan as p
from rulewright.codegen.plan import Plan
from rulewright.model.expressions import Apply, Type
from rulewright.model.rules import Rules

_SMALL = (p.MOVER, p.SWAPPED, p.AGAIN, p.FRESH)
"""Words that are 0 or 1; they share one word with the rest of the turn."""


def key_offsets(plan: Plan) -> list[int]:
    """The words of a position that determine its future, without those that are mixed into one."""
    found = list(range(plan.owned, plan.links + plan.link_words))
    for index, state in enumerate(plan.rules.states):
        size = (plan.words if state.type is Type.SITES else 1) * (2 if state.each else 1)
        found += [plan.states[index] + i for i in range(size)]
    return found + [p.PLY] * reads_ply(plan.rules)


def reads_ply(rules: Rules) -> bool:
    """Whether the number of finished turns changes what may be played, or who wins."""
    parts = (rules.functions, rules.actions, rules.moves, rules.ends)
    return any(isinstance(n, Apply) and n.operation == "ply" for n in _nodes(parts))


def _nodes(node: object) -> Iterator[object]:
    """*node* and all below it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _nodes(item)
    else:
        for attribute in getattr(type(node), "__attrs_attrs__", ()):
            yield from _nodes(getattr(node, attribute.name))


def key_text(plan: Plan) -> str:
    """The kernel: every word is mixed on its own by two products, the sum of all once more."""
    chance = Random(0x5EED)
    turn = " | ".join(f"{plan.word('state', at)} << {i}" for i, at in enumerate(_SMALL))
    lines = ["def position_key(state: State) -> i64:"]
    values = [
        f"{turn} | state.rest << {len(_SMALL)}",
        *(plan.word("state", i) for i in key_offsets(plan)),
    ]
    for number, value in enumerate(values):
        first, second, third = (_odd(chance) for _ in range(3))
        mixed = f"wrap_mul(({value}) ^ {first}, {second})"
        lines.append(f"    m = {mixed}")
        product = f"wrap_mul(m ^ shift_right(m, 32), {third})"
        lines.append(f"    h = {product}" if number == 0 else f"    h = wrap_add(h, {product})")
    lines.append(f"    h = wrap_mul(h ^ shift_right(h, 29), {_odd(chance)})")
    return "\n".join([*lines, "    return shift_right(h ^ shift_right(h, 32), 2)", ""])


def _odd(chance: Random) -> int:
    return chance.getrandbits(62) | 1
