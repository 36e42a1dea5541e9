"""PGN beside python-chess: what it writes is read, and what is written it reads."""

from __future__ import annotations

from random import Random

import pytest

from tests.shared.chess_games import VARIANTS, random_game
from tests.shared.pgn_checks import check, read_back


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_python_chess_go_both_ways(variant: str) -> None:
    random = Random(f"pgn {variant}")
    games = [random_game(random, variant, plies) for plies in (0, 1, 12, 90)]
    for game, recorded in zip(games, read_back(games), strict=True):
        check(game, variant, recorded)
