"""What all rounds of a loop share is worked out once, and only where a round asks for it."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine
from rulewright.compiler.plan import plan_lines
from rulewright.games.engine.game import Game
from rulewright.games.files.games import loads
from tests.shared.backends import BACKENDS
from tests.tools.agreement.pair import Pair

TEXT = """format 1
game small
players red blue
board {board}
pieces stone
state seen = nowhere
let more(n) = count(g in groups(own) : count g >= n) > count(g in groups(enemy) : count g >= n)
let same(n) = count(g in groups(own) : count g >= n) = count(g in groups(enemy) : count g >= n)
move go
  choose s in empty
  need {need}
  put stone at s
  seen := those(t in sites : {seen})
turn go
win when ply > 5 and {win}
draw when ply = 10
draw when stuck
"""
EASY = {"need": "s in sites", "seen": "t in own", "win": "no empty"}
FORMS = {
    "groups by size": {"win": "some(n in 1..9 : more(n) and every(k in 1..9 : k <= n or same(k)))"},
    "for the other player": {"win": "some(n in 1..9 : more(n) for enemy and not same(n))"},
    "a flood": {"seen": "count(reach(s, own)) > x(t) and t in reach(column(1), own or empty)"},
    "a number": {"need": "some(n in 1..9 : n = x(s) and count(g in groups(own) : any g) <= n)"},
    "a truth": {"seen": "t in own and every(g in groups(full) : count g < 4) or t in enemy"},
    "a fault that no round meets": {
        "seen": "t in own and max(g in groups(own) : count g) > y(t)",
    },
    "a fault that rounds meet": {
        "win": "some(n in 1..3 : n > max(g in groups(own column(1)) : count g))"
    },
    "one loop inside another": {
        "win": "some(n in 1..4 : some(k in 1..4 : count(g in groups(own) : count g >= n) > k))",
    },
    "a quantifier twice in normal form": {
        "win": "some(n in 1..4 : count(g in groups(own) : some(t in g : count(reach(t, g)) > n)) > "
        "sum(h in groups(enemy) : count h) - 3)",
    },
}


def game_of(form: str, board: str = "hexagon 3") -> Game:
    return loads(TEXT.format(board=board, **EASY | FORMS[form]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", FORMS)
def test_loops_agree_with_the_reference(form: str, backend: str) -> None:
    play = game_of(form, "hexagon 3" if backend == "python" else "square 9 by 8").play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    pair.game(1, most=10)
    pair.sampled(2, most=10)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "a number"])
def test_the_plan_says_what_is_worked_out_once(form: str) -> None:
    engine = Engine(game_of(form).play, "python", use_cache=False)
    assert engine.emitted is not None
    reasons = plan_lines(engine.emitted.layout)
    assert any(line.endswith("all rounds of a loop share: worked out once") for line in reasons)
