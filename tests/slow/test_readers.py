"""A small sample of `tests/tools/readers.py`: games that independent programs read and write.

PGN has a sample in `test_thousand_games.py`, PDN and Shogi in `games/test_judged.py`.
"""

from __future__ import annotations

from random import Random

import pytest

from rulewright import Recorded, load
from rulewright.matches.protocols.sgf_writing import write
from tests.tools.readers import FORMATS, differences_by_sgfmill

SAMPLED = ("fen", "epd", "sgf")
COUNT = 12


@pytest.mark.parametrize("name", SAMPLED)
def test_games_of_other_programs_are_read_alike(name: str) -> None:
    assert list(FORMATS[name](COUNT, Random(f"{name} slow"))) == []


def test_another_move_and_another_komi_are_differences() -> None:
    state = load("go", size=5, komi=6.5).start().play("c3 d3")
    text = write(Recorded("go", state, ("Ann", "Bob]\\")))
    assert list(differences_by_sgfmill(text, state, 5, 6.5)) == []
    for wrong in (text.replace(b"W[dc]", b"W[dd]"), text.replace(b"KM[6.5]", b"KM[5.5]")):
        assert wrong != text
        assert len(list(differences_by_sgfmill(wrong, state, 5, 6.5))) == 1
