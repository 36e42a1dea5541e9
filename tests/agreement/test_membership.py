"""`A in B` of lists: kinds, numbers, single steps and players among others, beside a longer way."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.files.games import check, loads
from tests.shared.backends import BACKENDS
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

GAME = """format 1
game small
players red blue
board square 4 by 4
pieces queen "QQ", rook "RR", man "OO"
state drawn = 1 in 1..3
let court = [queen, rook]
let ahead for red = [north, east]
let ahead for blue = [south]
let one = [red]
setup
  put red queen at a1
  put blue rook at d4
  put red man at b1 or c3
move step
  choose a in own
  choose d in around
  choose k in [queen, rook, man]
  need a in k and any d(a) empty
  need {need}
  move a to d(a)
  drawn := drawn mod 3 + 1
  write "{{a}}{{d}}{{k}}"
move pass
turn step or pass
draw when ply = 7
"""
ASKED = {
    "kinds": ("k in [queen, rook]", "k = queen or k = rook"),
    "one kind": ("not k in [queen]", "k <> queen"),
    "kinds by a name": ("k in court", "k = queen or k = rook"),
    "a kind by its number": ("court(drawn mod 2) in [rook, man]", "drawn mod 2 = 1"),
    "numbers": ("drawn in [1, 3]", "drawn = 1 or drawn = 3"),
    "numbers of a position": ("drawn in [count own, 1]", "drawn = count own or drawn = 1"),
    "a step": ("d in orthogonal", "some(e in orthogonal : e = d)"),
    "steps of a list": ("d in [north, southwest]", "d = north or d = southwest"),
    "one step": ("d in north", "d = north"),
    "steps that players see": ("d in ahead", "some(e in ahead : e = d)"),
    "how often a single step is": ("count(e in north : e in leap(0, 1)) in [1, 3]", "true"),
    "how often a single site is": (
        "count(s in a : some(t in near(s) : t in own)) in [1, drawn]",
        "some(t in near(a) : t in own) or drawn = 0",
    ),
    "players": ("mover in [red]", "mover = red"),
    "both players": ("mover in [blue, red] and k = man", "k = man"),
    "players by a name": ("mover in one", "mover = red"),
}


def game_of(need: str) -> Game:
    return loads(GAME.format(need=need))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("short", "long"), ASKED.values(), ids=ASKED)
def test_a_question_about_a_list_is_one_about_its_members(
    short: str, long: str, backend: str
) -> None:
    asked, written_out = game_of(short), game_of(long)
    kernels = Engine(asked.play, backend, use_cache=False)
    pair = Pair(asked.play, kernels)
    for seed in range(tries(3)):
        pair.game(seed, most=7)
    count = kernels.perft(asked.play.first, 3)
    assert count == written_out.start("reference").perft(3) > 3**2


LIST, SET = "k in [queen, rook]", "a in (queen or rook)"
REFUSED = {
    "a site": ("a in [queen, rook]", "a site cannot be in a list of kinds", SET),
    "a number": ("drawn in court", "a whole number cannot be in a list of kinds", ""),
    "several steps": ("diagonal in around", "a list is asked for a single step", "ask for each"),
    "a whole list": ("k = [queen, rook]", "cannot be compared", LIST),
    "a set of kinds": ("k in (queen or rook)", "asks where the pieces of a kind stand", LIST),
    "kinds in a row": ("k = queen or rook", "a truth is needed here", LIST),
    "braces": ("k in {queen, rook}", "`{` does not fit after `in`", LIST),
    "brackets": ("k in (queen, rook)", "`,` does not fit after `queen`", LIST),
}


@pytest.mark.parametrize(("need", "message", "hint"), REFUSED.values(), ids=REFUSED)
def test_a_hint_says_how_to_ask_for_members(need: str, message: str, hint: str) -> None:
    text = GAME.replace("{need}", need).replace("{{", "{").replace("}}", "}")
    (found,) = (d for d in check(text).diagnostics if message in d.message)
    assert hint in found.hint
    assert bool(hint) == bool(found.hint)
