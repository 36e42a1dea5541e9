"""Actions: a number for everything that rules can ever write."""

from __future__ import annotations

import pytest

from rulewright import Game, load, loads
from rulewright.compiler.layout import Unsupported
from rulewright.games.engine.kernels import load_engine
from rulewright.learning.actions import ActionSpace
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm


def actions(name: str) -> ActionSpace:
    return actions_of(load(name))


def actions_of(game: Game) -> ActionSpace:
    engine = load_engine(game, "llvm", quick=True)
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


def test_a_text_that_depends_on_the_position_is_numbered_by_its_choices() -> None:
    game = loads(COUNTING.replace("CHOICES", "cell in empty"))
    space, state = actions_of(game), game.start()
    assert space.texts == ("place(a2)", "place(b2)", "place(a1)", "place(b1)")
    assert space.legal(state) == {"3a2": 0, "3b2": 1, "3a1": 2, "3b1": 3}
    assert space.legal(state.play("3b1")) == {"2a2": 0, "2b2": 1, "2a1": 2}


def test_chosen_directions_have_numbers() -> None:
    space = actions("sokoban")
    pushes = [f"{name}!" for name in ("north", "east", "south", "west")]
    assert space.texts == ("north", "east", "south", "west", *pushes)


def test_a_choice_of_unknown_range_has_no_number() -> None:
    rules = COUNTING.replace("CHOICES", "n in 1..count empty\n  choose cell in empty")
    with pytest.raises(Unsupported, match=r"how `place` .* and so does the range .* `sparse=256`"):
        actions_of(loads(rules))


COUNTING = """format 1
game counting
players red blue
board square 2 by 2
pieces stone "RB"
move place
  choose CHOICES
  put stone at cell
  write "{count empty}{cell}"
turn place
draw when stuck
"""
