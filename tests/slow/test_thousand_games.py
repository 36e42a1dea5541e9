"""A thousand generated games of other programs, read and written; a sample of them by day."""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.shared.chess_games import VARIANTS, random_game
from tests.shared.pgn_checks import check, read_back
from tests.shared.sample import VARIABLE

COUNT = 125 if os.environ.get(VARIABLE, "all") == "all" else 16
"""Games of each variant."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_python_chess(variant: str) -> None:
    random = Random(f"thousand {variant}")
    games = [random_game(random, variant, random.choice((9, 40, 80))) for _ in range(COUNT)]
    for game, recorded in zip(games, read_back(games), strict=True):
        check(game, variant, recorded)
