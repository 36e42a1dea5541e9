"""The built-in names of the rules language: what each stands for."""

from __future__ import annotations

from attrs import frozen

from rulewright.model.expressions import Type

S, F, N, D = Type.SITES, Type.FAMILY, Type.INT, Type.STEPS


@frozen
class BuiltIn:
    """A built-in function: an operation, the types it takes, how many of them may be left out."""

    operation: str
    takes: tuple[Type, ...]
    gives: Type
    optional: int = 0


REGIONS = ("border", "corners", "top", "bottom", "left", "right")
_COMPASS = "north northeast east southeast south southwest west northwest"
STEP_NAMES = (*_COMPASS.split(), "orthogonal", "diagonal", "around", "near")

VALUES: dict[str, tuple[str, Type]] = {
    "own": ("own", S),
    "enemy": ("enemy", S),
    "empty": ("empty", S),
    "full": ("full", S),
    "ply": ("ply", N),
    "repeats": ("repeats", N),
    "board_repeats": ("board_repeats", N),
    "stuck": ("stuck", Type.TRUTH),
}
"""Names that are an operation without arguments."""

CONSTANTS = ("sites", "nowhere", "sides", "true", "false", "mover", *REGIONS, *STEP_NAMES)

FUNCTIONS: dict[str, BuiltIn] = {
    "row": BuiltIn("row", (N,), S),
    "column": BuiltIn("column", (N,), S),
    "site": BuiltIn("site", (N, N), S),
    "x": BuiltIn("x", (S,), N),
    "y": BuiltIn("y", (S,), N),
    "ends": BuiltIn("ends", (S,), S),
    "whole_line": BuiltIn("whole_line", (S, D), S),
    "lines": BuiltIn("lines", (N,), F),
    "groups": BuiltIn("groups", (S, D), F, optional=1),
    "reach": BuiltIn("reach", (S, S, D), S, optional=1),
    "crossed": BuiltIn("crossed", (S, S, S), Type.TRUTH, optional=1),
    "opposite": BuiltIn("opposite", (D,), D),
    "leap": BuiltIn("leap", (N, N), D),
    "abs": BuiltIn("abs", (Type.REAL,), Type.REAL),
    "sign": BuiltIn("sign", (Type.REAL,), N),
}
QUANTIFIERS = ("some", "every", "those", "count", "sum", "max", "min")
PLAYER_WORDS = ("own", "enemy", "mover", "nobody", "none")
SYMMETRIES = ("mirror", "flip", "half", "quarter", "diagonal")

NEVER_CALLED = frozenset({"to", "at", "by", "from", "along", "when", "where", "score"})
"""Words that may be names and are words of statements before a bracket: `move a to (b)`."""

BUILT_IN = frozenset((*VALUES, *CONSTANTS, *FUNCTIONS, *QUANTIFIERS, *PLAYER_WORDS))
"""Names that a file cannot give to something else."""
