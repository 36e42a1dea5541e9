"""The places of several players when a game has ended.

In: what those who are still in are placed by, and who went out, in order.  Out: places from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def places_of(scores: Mapping[int, Any], out: Sequence[int]) -> tuple[int, ...]:
    """The place of each player: more is better, equal scores share a place.

    Who is out stands behind whoever is still in, and in front of whoever went earlier.
    """
    keys = {player: (1, score) for player, score in scores.items()}
    keys |= {player: (0, number) for number, player in enumerate(out)}
    return tuple(1 + sum(key > keys[p] for key in keys.values()) for p in range(len(keys)))
