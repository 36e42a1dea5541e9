"""What each operation of an `Apply` takes and gives, and what it looks at.

`reads` is "nothing", "board" (constant for a game) or "position" (changes while playing).
"""

from __future__ import annotations

from attrs import frozen

from rulewright.model.expressions import Type

S, F, N, B = Type.SITES, Type.FAMILY, Type.INT, Type.TRUTH
D, P, K = Type.STEPS, Type.PLAYER, Type.KIND


@frozen
class Operation:
    """The signature of an operation; `repeats` means any number of arguments of the last type."""

    takes: tuple[Type, ...]
    gives: Type
    reads: str = "nothing"
    repeats: bool = False


def _of(*takes: Type, gives: Type, reads: str = "nothing", repeats: bool = False) -> Operation:
    return Operation(takes, gives, reads, repeats)


R = Type.REAL

OPERATIONS: dict[str, Operation] = {
    # numbers; add, subtract, multiply, negate, abs and sign give whole numbers for whole numbers
    "add": _of(R, R, gives=R),
    "subtract": _of(R, R, gives=R),
    "multiply": _of(R, R, gives=R),
    "divide": _of(R, R, gives=R),
    "div": _of(N, N, gives=N),
    "mod": _of(N, N, gives=N),
    "negate": _of(R, gives=R),
    "abs": _of(R, gives=R),
    "sign": _of(R, gives=N),
    "count": _of(S, gives=N),
    "members": _of(F, gives=N),
    "x": _of(S, gives=N, reads="board"),
    "y": _of(S, gives=N, reads="board"),
    "item": _of(Type.NUMBERS, N, gives=R),
    "ply": _of(gives=N, reads="position"),
    "repeats": _of(gives=N, reads="position"),
    "board_repeats": _of(gives=N, reads="position"),
    # numbers that only evaluators ask for
    "power": _of(R, N, gives=R),
    "placed": _of(Type.NUMBERS, S, gives=R),
    "random": _of(N, N, gives=N, reads="position"),
    "mobility": _of(gives=N, reads="position"),
    # truths
    "not": _of(B, gives=B),
    "less": _of(R, R, gives=B),
    "less_equal": _of(R, R, gives=B),
    "equal": _of(Type.UNKNOWN, Type.UNKNOWN, gives=B),
    "inside": _of(S, S, gives=B),
    "between": _of(R, R, R, gives=B),
    "meets": _of(S, S, gives=B),
    "any": _of(S, gives=B),
    "crossed": _of(S, S, S, gives=B, reads="position"),
    "stuck": _of(gives=B, reads="position"),
    # sets of sites
    "unite": _of(S, gives=S, repeats=True),
    "intersect": _of(S, gives=S, repeats=True),
    "complement": _of(S, gives=S, reads="board"),
    "gather": _of(F, gives=S),
    "own": _of(gives=S, reads="position"),
    "enemy": _of(gives=S, reads="position"),
    "owned": _of(P, gives=S, reads="position"),
    "of_kind": _of(K, gives=S, reads="position"),
    "full": _of(gives=S, reads="position"),
    "empty": _of(gives=S, reads="position"),
    "step": _of(D, S, gives=S, reads="board"),
    "linked": _of(Type.LINK, S, gives=S, reads="position"),
    "row": _of(N, gives=S, reads="board"),
    "column": _of(N, gives=S, reads="board"),
    "site": _of(N, N, gives=S, reads="board"),
    "whole_line": _of(S, D, gives=S, reads="board"),
    "ends": _of(S, gives=S, reads="board"),
    "reach": _of(S, S, D, gives=S, reads="board"),
    "reach_linked": _of(S, S, Type.LINK, gives=S, reads="position"),
    # families
    "lines": _of(N, gives=F, reads="board"),
    "groups": _of(S, D, gives=F, reads="board"),
    "groups_linked": _of(S, Type.LINK, gives=F, reads="position"),
    "family": _of(S, gives=F, repeats=True),
    # steps, players, lists
    "join_steps": _of(D, gives=D, repeats=True),
    "opposite": _of(D, gives=D, reads="board"),
    "viewer": _of(gives=P, reads="position"),
    "numbers": _of(R, gives=Type.NUMBERS, repeats=True),
    "kinds": _of(K, gives=Type.KINDS, repeats=True),
    "range": _of(N, N, gives=Type.RANGE),
}
