"""Random games by the kernels of two rules, which `diff` and `mutate` tell apart."""

from __future__ import annotations

import pytest

from rulewright import loads
from rulewright.checks.playouts import games_apart
from rulewright.checks.subject import Subject
from rulewright.errors import MoveError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import bundled_games

TURNS = ("turn place place", "turn place?", "turn place*")


def end(game: Game, moves: list[str]) -> tuple[bool, str] | None:
    """Whether these moves end a game, and who wins it; None where they are not all legal."""
    try:
        state = game.start().play(" ".join(moves))
    except MoveError:
        return None
    return state.over, str(state.result)


@pytest.mark.parametrize("turn", TURNS)
def test_games_with_other_turns_are_distinguished(turn: str) -> None:
    """Each begins with its own first position: the other's stands at a turn that it has not."""
    text = bundled_games()["tictactoe"].read_text("utf-8")
    changed = text.replace("turn place", turn)
    assert changed != text
    first, second = Subject(loads(text)), Subject(loads(changed))
    for one, other in ((first, second), (second, first)):
        assert one.engine is not None
        assert other.engine is not None
        found = list(games_apart(one, one.engine, other.engine, 5, 1))
        ends = [(end(one.game, moves), end(other.game, moves)) for moves in found]
        assert ends
        assert all(mine and mine[0] for mine, _ in ends)
        if turn != "turn place?":  # from another first list chance makes other games
            assert all(mine != its for mine, its in ends)
