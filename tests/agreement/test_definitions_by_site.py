"""Definitions that a site alone determines are tables, which say what their expressions said."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine
from rulewright.compiler.passes.symmetry import symmetries
from rulewright.compiler.plan import plan_lines
from rulewright.games.engine.game import Game
from rulewright.games.files.games import loads
from rulewright.ground import limits
from rulewright.model import expressions as m
from rulewright.model.walk import nodes
from tests.shared.backends import BACKENDS
from tests.tools.agreement.pair import Pair

TEXT = """format 1
game small
players red blue
board square {size} by {size} where not a1
pieces stone
state next = sites
let home for red = bottom
let home for blue = top
{definition}
move go
  choose s in empty next
  need {need}
  put stone at s
  next := {next} empty if any ({next} empty) else sites
turn go
draw when ply = 12
draw when stuck
"""
BLOCK = "let block(s) = those(t in sites : (x(t) - 1) div 3 = (x(s) - 1) div 3 and y(t) = y(s))"
FORMS = {
    "a set": (BLOCK, "some(t in block(s) : t in empty) or block(s) in own", "block(s)"),
    "what meets a set": (BLOCK, "not block(s) meets own or ply > 3", "sites"),
    "a set of sets": (
        f"{BLOCK}\nlet wide(s) = block(s) or near(block(s))",
        "any own or ply < 2 or any wide(s)",
        "wide(s)",
    ),
    "a site": (
        "let across(s) = site(x(s), {size} + 1 - y(s)) or (a2 if s = {cell} else nowhere)",
        "no across(s) own or s in across(s)",
        "near(across(s))",
    ),
    "one site": (
        "let over(s) = site({size} + 1 - x(s), y(s))",
        "over(s) in empty or ply > 5",
        "near(over(s))",
    ),
    "a number": (
        "let far(s) = max(t in home : abs(x(t) - x(s)))",
        "far(s) > count own",
        "row(far(s))",
    ),
    "a truth": (
        "let odd(s) = count(t in near(s) : x(t) > y(t)) mod 2 = 1",
        "odd(s) or ply > 2",
        "those(t in sites : odd(t))",
    ),
    "what differs by player": (
        "let way(s) = those(t in home : x(t) <= x(s))",
        "way(s) meets empty",
        "way(s)",
    ),
}


def game_of(form: str, size: int) -> Game:
    definition, need, following = FORMS[form]
    definition = definition.format(size=size, cell="b2")
    return loads(TEXT.format(size=size, definition=definition, need=need, next=following))


def tables_of(game: Game) -> set[str]:
    """The operations on tables in the definitions with a parameter."""
    bodies = [f.bodies for f in game.rules.functions if f.parameters]
    return {n.operation for n in nodes(bodies) if isinstance(n, m.Apply)} & {"image", "placed"}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [4, 9])
@pytest.mark.parametrize("form", FORMS)
def test_a_table_says_what_its_definition_says(
    form: str, size: int, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(form, size)
    monkeypatch.setattr(limits, "TABULATED", 0)
    plain = game_of(form, size)
    assert not tables_of(plain)
    assert tables_of(game) or form == "a truth"
    assert game.rules.functions != plain.rules.functions
    pair = Pair(plain.play, Engine(game.play, backend, use_cache=False))
    pair.game(1, most=8)
    pair.sampled(2, most=8)


def test_the_plan_says_that_a_definition_is_a_table() -> None:
    engine = Engine(game_of("a set", 9).play, "python", use_cache=False)
    assert engine.emitted is not None
    reasons = plan_lines(engine.emitted.layout)
    assert any(line.endswith("a definition by site: a table") for line in reasons)


def test_a_need_that_looks_at_a_table_is_tested_for_all_sites_at_once() -> None:
    engine = Engine(game_of("what meets a set", 9).play, "python", use_cache=False)
    assert engine.emitted is not None
    reasons = plan_lines(engine.emitted.layout)
    assert any(line.endswith("need: tested for all sites at once") for line in reasons)


SYMMETRIC = """format 1
game small
players red blue
board square 5 by 5
pieces stone
let ring(s) = those(t in sites : count(u in around(t) : u in around(s)) = {number})
move go
  choose s in empty
  need no ring(s) own
  put stone at s
turn go
draw when stuck
"""


def test_a_table_keeps_the_symmetries_of_its_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    game = loads(SYMMETRIC.format(number=2))
    assert tables_of(game) == {"image"}
    assert len(symmetries(game.rules)) == 7
    bent = loads(SYMMETRIC.format(number="(2 if t in left else 1)"))
    assert tables_of(bent) == {"image"}
    assert len(symmetries(bent.rules)) == 1
    monkeypatch.setattr(limits, "TABULATED", 0)
    assert symmetries(loads(SYMMETRIC.format(number=2)).rules) == symmetries(game.rules)
