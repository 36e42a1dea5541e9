"""States `with pieces`: what they say of a site goes where the piece goes, in every execution."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from rulewright.games.files.dresser import dress_scene
from rulewright.games.files.games import check, load, loads
from tests.shared.backends import needs_llvm

EXECUTIONS = ["reference", "python", pytest.param("llvm", marks=needs_llvm)]

GAME = """format 1
game attributes
players red blue
board square 4 by 3
pieces man, king

setup
  put red man at a1 or b1
  put red king at c1
  put blue man at a3 or b3

state tall = (a1 or a3 or c1 or d2) with pieces
state size each s in sites = (x(s) + 1 if s in (row(1) or row(3)) else 1) in 1..9 with pieces
state bold each s in sites = (s in (b1 or a3)) with pieces

move step
  choose a in own
  choose b in near(a)
  move a to b

move drop
  choose c in empty
  put man at c
  write "+{c}"

move over
  choose c in full
  put king at c
  write "={c}"

move lift
  choose c in sites
  clear c
  write "x{c}"

move swap
  need a1 in full and b1 in full
  move each s in (a1 or b1) to (b1 if s = a1 else a1)
  write "swap"

move advance
  move each s in own to (north(s) or (s if no north(s) else nowhere))
  write "advance"

turn step or drop or over or lift or swap or advance
draw when ply = 9
"""


def after(moves: str, backend: str) -> tuple[str, dict[str, int], set[str]]:
    """What the three states hold: sites, numbers above 1, sites that are true."""
    game = evolve(loads(GAME), backend=backend)
    position, names = game.start().play(moves).situation.position, game.rules.board.names
    states: list[Any] = [values[0] for values in position.states]
    tall, size, bold = states
    sites = [name for i, name in enumerate(names) if tall >> i & 1]
    return (
        " ".join(sorted(sites)),
        {name: int(n) for name, n in zip(names, size, strict=True) if n > 1},
        {name for name, flag in zip(names, bold, strict=True) if flag},
    )


@pytest.mark.parametrize("backend", EXECUTIONS)
@pytest.mark.parametrize(
    ("moves", "tall", "changed", "bold"),
    [
        ("a1-a2", "a2 a3 c1 d2", {"a2": 2, "a1": 0}, {"a3", "b1"}),
        ("b1-a1", "a3 c1 d2", {"a1": 3, "b1": 0}, {"a3", "a1"}),
        ("c1-d1", "a1 a3 d1 d2", {"d1": 4, "c1": 0}, {"a3", "b1"}),
        ("+d2", "a1 a3 c1", {}, {"a3", "b1"}),
        ("=a3", "a1 c1 d2", {"a3": 0}, {"b1"}),
        ("xa1", "a3 c1 d2", {"a1": 0}, {"a3", "b1"}),
        ("swap", "a3 b1 c1 d2", {"a1": 3, "b1": 2}, {"a3", "a1"}),
        ("advance", "a2 a3 c2 d2", {"a2": 2, "b2": 3, "c2": 4, "a1": 0, "b1": 0, "c1": 0},
         {"a3", "b2"}),
        ("a1-a2 a3-a2", "a2 c1 d2", {"a2": 2, "a1": 0, "a3": 0}, {"a2", "b1"}),
    ],
)  # fmt: skip
def test_attributes_go_with_pieces(
    moves: str, tall: str, changed: dict[str, int], bold: set[str], backend: str
) -> None:
    sizes = {"a1": 2, "b1": 3, "c1": 4, "d1": 5, "a3": 2, "b3": 3, "c3": 4, "d3": 5}
    expected = {name: n for name, n in (sizes | changed).items() if n}
    assert after(moves, backend) == (tall, expected, bold)


@pytest.mark.parametrize(
    "line",
    [
        "state armed = true with pieces",
        "state count_of = 3 in 0..9 with pieces",
        "state last each = nowhere with pieces",
        "state held each player, s in sites = 0 in 0..3 with pieces",
        "state held each s in row(1) = 0 in 0..3 with pieces",
        "state held each n in 1..3 = 0 in 0..3 with pieces",
    ],
)
def test_what_says_nothing_of_sites_goes_with_no_piece(line: str) -> None:
    checked = check(GAME.replace("state tall = (a1 or a3 or c1 or d2) with pieces", line))
    assert {d.code for d in checked.diagnostics} - {"unused-name"} == {"wrong-type"}
    assert "cannot go where a piece goes" in checked.diagnostics[0].message


def test_a_look_draws_a_stone_as_what_it_is_wherever_it_lies() -> None:
    game = load("quarto")
    first, later = game.start(), game.start().play("give:a5 b2")
    before, after_it = (dress_scene(state, state.scene) for state in (first, later))
    names = game.rules.board.names
    a5, b2 = names.index("a5"), names.index("b2")
    assert len(set(before.shown.forms.values())) == 16
    assert before.shown.forms[a5] == after_it.shown.forms[b2]
    assert a5 not in after_it.shown.forms
    number = after_it.shown.forms[b2]
    form = [f for f in after_it.drawing.forms if f.fits("stone", 2, b2, number)][-1]
    assert (form.number, form.symbol in after_it.drawing.symbols) == (number, True)
    assert not form.fits("stone", 2, b2, number % 16 + 1)
