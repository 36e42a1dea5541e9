"""What a game gives to `matching.py`: linked by name, never run from here."""

from __future__ import annotations

from rulewright.codegen.runtime import i64, ints


def pattern_table() -> i64:
    """Where in K the description of the patterns begins."""
    raise NotImplementedError


def path_ends(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, player: i64, at: i64) -> None:
    """Write a player's reference points: where paths leave ahead, then where they leave back."""
    raise NotImplementedError
