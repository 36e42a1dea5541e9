"""Notations that tell more than they name: no two decisions are compared, and none is lost."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine
from rulewright.compiler.passes.notations import shows_choices
from rulewright.compiler.plan import plan_lines
from rulewright.games.engine.game import Game
from rulewright.games.files.games import loads
from tests.shared.backends import BACKENDS
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

HEAD = """format 1
game small
players red blue
board {board}
pieces stone
let way for red = north
let way for blue = east
setup
  put red stone at a1
  put blue stone at b2
"""
TAIL = """turn {turn}
draw when ply = 8
draw when stuck
"""
SQUARE = "square 4 by 4"
PAIR = """move go
  choose a in empty
  choose b in way(a) empty
  put stone at a or b
  write "{named}"
"""
LET = """move go
  choose a in empty
  let b = way(a)
  need {need}
  put stone at a or b
  write "{{b}}"
"""
JUMP = """move go
  choose a in own
  choose d in around
  let c = d(way(d(a)))
  need c in empty
  put stone at c
  write "{a}-{c}"
"""
TWO_STEPS = """move go
  choose a in own
  choose d in orthogonal
  choose e in orthogonal
  let c = d(e(a))
  need c in empty
  put stone at c
  write "{a}-{c}"
"""
RAY = """move go
  choose a in own
  choose d in around
  choose ray from a along d /[rest: own*], [past: {way}*], [b: not own]/
  need count past <= 1 + count rest
  clear a
  put stone at past or b
  write "{{a}}-{{b}}"
"""
JUMP_FAR = """move go
  choose a in own
  choose d in around
  let n = count (full whole_line(a, d))
  choose ray from a along d /{way}{{n - 1}}, [b: not own]/
  move a to b
  write "{{a}}-{{b}}"
"""
LATE = """move go
  {chooser} a in empty
  {chooser} d in around
  put stone at a
  clear d(a) enemy
  let rest = count enemy
  write "{{a}}{shown}"
"""
OTHER = """move other
  choose cell in empty
  put stone at cell
  write "+{cell}"
"""
TOLD = {
    "the site behind": PAIR.replace("{named}", "{a}"),
    "the site before": PAIR.replace("{named}", "{b}"),
    "a `let` that is there": LET.format(need="b in empty"),
    "a `let` of which something is there": LET.format(need="any b empty and not a in left"),
    "a step": JUMP,
    "a ray over sites of two sets": JUMP_FAR.format(way="(own | empty)"),
    "the parts of a ray": RAY.format(way="empty"),
    "beside another move": PAIR.replace("{named}", "{a}") + OTHER,
    "a `let` beside another move": LET.format(need="b in empty") + OTHER,
}
NOT_TOLD = {
    "a `let` that may be off the board": LET.format(need="any a or any b"),
    "two steps": TWO_STEPS,
    "parts of a ray that overlap": RAY.format(way="full"),
    "a `let` behind effects": LATE.format(chooser="choose", shown="{rest}"),
    "a `let` that only effects use": LATE.format(chooser="choose", shown="{count enemy}").replace(
        "  put stone at a\n  clear d(a) enemy",
        "  let gone = d(a) enemy\n  put stone at a\n  clear gone",
    ),
    "a set as effects leave it": LATE.format(chooser="choose", shown="{count enemy}"),
    "a side of a text that effects decide": LATE.format(chooser="choose", shown="").replace(
        '"{a}"', '"{a}x" if rest = 0 else "{a}{rest}"'
    ),
    "what chance brings about": LATE.format(chooser="chance", shown="{rest}"),
}


def game_of(moves: str, board: str = SQUARE) -> Game:
    turn = "go or other" if "move other" in moves else "go"
    return loads(HEAD.format(board=board) + moves + TAIL.format(turn=turn))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("moves", [*TOLD.values(), *NOT_TOLD.values()], ids=[*TOLD, *NOT_TOLD])
def test_decisions_are_those_of_the_reference(moves: str, backend: str) -> None:
    play = game_of(moves).play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    for seed in range(tries(2)):
        pair.game(seed, most=8)
        pair.sampled(seed, most=8)
    pair.perft(2)


@pytest.mark.parametrize("moves", TOLD.values(), ids=TOLD)
def test_a_choice_that_follows_is_reported(moves: str) -> None:
    rules = game_of(moves).rules
    assert shows_choices(rules.moves[0], rules)


@pytest.mark.parametrize("moves", NOT_TOLD.values(), ids=NOT_TOLD)
def test_a_choice_that_may_be_another_is_not_reported(moves: str) -> None:
    rules = game_of(moves).rules
    assert not shows_choices(rules.moves[0], rules)


def test_the_plan_of_a_site_that_names_its_neighbour() -> None:
    for moves in (TOLD["the site behind"], TOLD["the site before"]):
        engine = Engine(game_of(moves).play, "python", use_cache=False)
        assert engine.emitted is not None
        assert any("picked as a bit of a set" in line for line in plan_lines(engine.emitted.layout))
