"""The parts of the search: modules of kernels, each linked to a game's where it is needed.

In: nothing; the kernels are this package's own.  Out: their texts.
"""

from __future__ import annotations

from functools import cache

from rulewright.codegen.backend import Linked, load
from rulewright.search.kernels import (
    alphabeta,
    montecarlo,
    ordering,
    plain_narrow,
    plain_value,
    proof,
    table,
    undo,
)


@cache
def generic() -> Linked:
    """Alpha-beta, its table and its ordering: one module for all games."""
    return load(table, ordering, undo, alphabeta)


@cache
def trees() -> Linked:
    """Tree search, for a workspace that grows a tree."""
    return load(montecarlo)


@cache
def proofs() -> Linked:
    """Proof numbers, for a workspace that uses them."""
    return load(proof)


@cache
def no_value() -> Linked:
    """What stands where an evaluator could."""
    return load(plain_value)


@cache
def no_patterns() -> Linked:
    """What stands where patterns could propose decisions: all of them are kept."""
    return load(plain_narrow)
