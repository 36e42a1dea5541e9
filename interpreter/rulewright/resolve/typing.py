"""Types: which values may stand where another type is wanted, and how a mismatch is explained."""

from __future__ import annotations

from rulewright.model.expressions import Apply, Const, Expr, Type

SETS = frozenset({Type.SITE, Type.SITES, Type.FAMILY, Type.KIND, Type.PLAYER})
NUMBERS = frozenset({Type.INT, Type.REAL})
STEPS = frozenset({Type.STEP, Type.STEPS})

_HINTS: dict[tuple[Type, Type], str] = {
    (Type.SITES, Type.TRUTH): "ask `any ...` or `no ...` of a set",
    (Type.SITE, Type.TRUTH): "ask `... in SET` or `any ...`",
    (Type.FAMILY, Type.TRUTH): "ask `some(x in ... : condition)`",
    (Type.SITES, Type.INT): "`count ...` gives the number of its sites",
    (Type.SITES, Type.REAL): "`count ...` gives the number of its sites",
    (Type.FAMILY, Type.INT): "`count ...` gives the number of its members",
    (Type.FAMILY, Type.REAL): "`count ...` gives the number of its members",
    (Type.TRUTH, Type.INT): "write `1 if ... else 0`",
    (Type.TRUTH, Type.REAL): "write `1 if ... else 0`",
    (Type.STEPS, Type.SITES): "a step is used as a function: `north(a)`",
    (Type.STEP, Type.SITES): "a step is used as a function: `north(a)`",
    (Type.TRUTH, Type.SITES): "join truths with `and`; sets stand side by side",
    (Type.REAL, Type.INT): "`div` divides whole numbers",
    (Type.INT, Type.TRUTH): "compare it: `... > 0`",
    (Type.LINK, Type.STEPS): "a link is used as a function, or in `groups(X, link)`",
}


def coerce(expression: Expr, wanted: Type) -> Expr | None:
    """*expression* as a value of the wanted type, or None if it cannot be one."""
    have = expression.type
    if have is Type.UNKNOWN or wanted is Type.UNKNOWN or have is wanted:
        return expression
    match wanted:
        case Type.REAL if have is Type.INT:
            return expression
        case Type.STEPS if have is Type.STEP:
            return expression
        case Type.SITES:
            return _as_sites(expression)
    return None


def _as_sites(expression: Expr) -> Expr | None:
    match expression.type:
        case Type.SITE:
            return expression
        case Type.FAMILY if isinstance(expression, Const):
            whole = 0
            assert isinstance(expression.value, tuple)
            for sites in expression.value:
                assert isinstance(sites, int)
                whole |= sites
            return Const(Type.SITES, whole)
        case Type.FAMILY:
            return Apply(Type.SITES, "gather", (expression,), origin=expression.origin)
        case Type.KIND:
            return Apply(Type.SITES, "of_kind", (expression,), origin=expression.origin)
        case Type.PLAYER:
            return Apply(Type.SITES, "owned", (expression,), origin=expression.origin)
    return None


def hint(have: Type, wanted: Type) -> str:
    """What to write instead, where that is clear."""
    return _HINTS.get((have, wanted), "")


def common(first: Type, second: Type) -> Type | None:
    """The type that two values share, as in `A if C else B`."""
    if first is Type.UNKNOWN or second is Type.UNKNOWN:
        return Type.UNKNOWN
    if first is second and first not in (Type.KIND, Type.PLAYER):
        return first
    if {first, second} <= NUMBERS:
        return Type.REAL
    if {first, second} <= STEPS:
        return Type.STEPS
    if first is second:
        return first
    return Type.SITES if {first, second} <= SETS else None
