"""What a turn allows: courses of the reference, against a machine that reads the turn's text.

Kernels take what is left of a turn from the reference, so that no comparison with them would find
a fault there.
"""

from __future__ import annotations

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.files.games import check
from rulewright.reference.play import Situation
from tests.generators.turns import plain_turn
from tests.independent.turns import NONE, lines
from tests.shared.effort import tries

NAMES = ("a", "b", "c")
LONGEST = 4
HEAD = """format 1
game turns
players red blue
board square 2 by 2
pieces stone
"""


@st.composite
def turns(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    """The text of a turn, and how often each of its moves can be made in it.

    The second implementation does not know `longest`, which agreement/test_longest.py tries.
    """
    names = list(NAMES[: draw(st.integers(1, 3))])
    return plain_turn(draw, names), {name: draw(st.integers(0, 2)) for name in names}


def rules(turn: str, limits: dict[str, int]) -> str:
    """A game of these turns; no two lines of a turn lead to one position."""
    states = [f"state {name}_made = 0 in 0..9 within turn" for name in limits]
    moves = [
        f"move {name}\n  need {name}_made < {most}\n  {name}_made := {name}_made + 1"
        for name, most in limits.items()
    ]
    return "\n".join([HEAD, *states, *moves, f"turn {turn}", "draw when stuck", ""])


def played(game: Game, longest: int) -> set[tuple[str, ...]]:
    """All beginnings of the first turn, by the reference."""
    found = set[tuple[str, ...]]()
    todo: list[tuple[tuple[str, ...], Situation]] = [((), game.play.start())]
    while todo:
        line, here = todo.pop()
        over = bool(line) and here.position.ply > 0
        found.add((*line, ".") if over else line)
        if not over and len(line) < longest and not here.ended:
            for option in here.options:
                name = NONE if option.move is None else game.rules.moves[option.move].name
                todo.append(((*line, name), here.after(option)))
    return found


@settings(max_examples=tries(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(turns())
@example(("c (a* else b)", {"a": 0, "b": 0, "c": 1}))
@example(("c (a* else b)", {"a": 1, "b": 1, "c": 1}))
@example(("(a or b*)+ c?*", {"a": 1, "b": 2, "c": 1}))
@example(("(a? b) or c?", {"a": 0, "b": 0, "c": 0}))
def test_a_turn_allows_what_its_text_says(given_turn: tuple[str, dict[str, int]]) -> None:
    turn, limits = given_turn
    report = check(rules(turn, limits))
    assume(report.game is not None)
    assert report.game is not None
    try:
        beginnings = played(report.game, LONGEST)
    except Fault as fault:  # two ways to pass on are one text: a fault of the rules
        if fault.code != "same-notation":
            raise
        return
    assert beginnings == lines(turn, limits, LONGEST)
