"""Actions: a number for everything that rules can ever write."""

from __future__ import annotations

import pytest

from rulewright import load, loads
from rulewright.compiler.layout import Unsupported
from rulewright.games.engine.kernels import load_engine
from rulewright.learning.actions import ActionSpace
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm


def actions(name: str) -> ActionSpace:
    engine = load_engine(load(name), "llvm", quick=True)
    assert not isinstance(engine, str)
    return ActionSpace.of(engine.play, engine.plan)


@pytest.mark.parametrize(
    ("name", "count"),
    [  # counted by hand; chess by the moves of queens and knights and 44 promotions to 4 kinds
        ("connect4", 7),
        ("othello", 65),
        ("go", 82),
        ("hex", 121),
        ("kalah", 12),
        ("breakthrough", 2 * (56 + 2 * 49)),
        ("chess", 1456 + 336 + 44 * 4),
    ],
)
def test_a_game_has_as_many_actions_as_it_can_write(name: str, count: int) -> None:
    assert len(actions(name)) == count


def test_texts_and_numbers_belong_together() -> None:
    space = actions("chess")
    assert all(space.index(text) == number for number, text in enumerate(space.texts))
    assert space[space.index("e1g1")] == "e1g1"
    with pytest.raises(KeyError):
        space.index("a1b4")


def test_a_text_that_depends_on_the_position_has_no_number() -> None:
    rules = """format 1
game counting
players red blue
board square 2 by 2
pieces stone "RB"
move place
  choose cell in empty
  put stone at cell
  write "{count empty}{cell}"
turn place
draw when stuck
"""
    engine = load_engine(loads(rules), "llvm", quick=True)
    assert not isinstance(engine, str)
    with pytest.raises(Unsupported, match="how `place` is written depends on more"):
        ActionSpace.of(engine.play, engine.plan)
