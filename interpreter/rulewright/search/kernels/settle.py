"""Playing a decision to the end of all that follows from it at once.  C is control."""

from __future__ import annotations

from rulewright.codegen.layout import FAULT, RESULT, RUNNING, STUCK
from rulewright.codegen.runtime import i64, ints
from rulewright.search.kernels.game import how_many, play, stuck
from rulewright.search.kernels.layout import DRY, FAULTED, ROW, STOP


def failed(C: ints, fault: i64) -> None:
    """A fault of the rules or of the evaluator ends the search."""
    C[FAULTED] = fault
    C[STOP] = 1


def settle(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, C: ints, number: i64, n: i64
) -> None:
    """Play a decision; a player who is then stuck has come to the end of the game."""
    play(S, K, M, H, X, T, number * C[ROW], n)
    if S[FAULT] != 0:
        failed(C, S[FAULT])
    elif S[RESULT] == RUNNING and C[DRY] == 1 and how_many(S, K, M, H, X, T, n) == 0:
        S[RESULT] = stuck(S, K, M, H, X, T)
        if S[RESULT] == RUNNING:
            failed(C, STUCK)
