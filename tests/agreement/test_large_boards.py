"""Boards of many words: runs, cheapest paths and earlier positions are those of the reference."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from rulewright.games.engine.game import Game
from rulewright.games.engine.packed import PackedPosition
from rulewright.games.files.catalog import EVALUATOR, PATTERNS
from rulewright.games.files.games import RULES, load
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.model.evaluation import Evaluator
from tests.shared.backends import BACKENDS
from tests.shared.evaluating import agreed
from tests.shared.proposals import proposed_alike

FENCE = """format 1
game fence

players red blue
board square 16 by 13 where not (column(4) row(3))
pieces post
let knight = leap(1, 2)
links wire along knight

move fence
  choose cell in empty
  put post at cell
  link cell to those(p in own knight(cell) : not crossed(cell, p, sites))

turn fence
draw when stuck
"""
HEAPS = """format 1
game heaps

players red blue
board square 15 by 15
pieces seed
state seeds each s in sites = 2 in 0..9

move take
  choose a in sites
  seeds(a) := 4 if seeds(a) = 2 else 2

turn take
draw when repeats >= 2 or ply = 6
"""
RUNS = """format 1
evaluator runs for fence

let loose = not enemy
let hop = stride(2, 1)
let back = stride(-3, -2)
let up = count reach(own, loose, north) + 7 * count reach(own, loose, south)
let aside = count reach(own, loose, west) + 7 * count reach(own, loose, east)
let far = count reach(own, loose, hop) + 7 * count reach(own, loose, back)
let about = count reach(own and left, loose, around)

value all of position for mover = up + 11 * aside + 13 * far + 17 * about
"""
WAYS = """format 1
evaluator ways for fence

factor price = 3 points in 0..9 "for a step"
factor reach_out = 0 points in 0..9 "for a leap"
let loose = not enemy

path way
  from left and loose costs 0
  from own costs 8
  to right by 4
  step east into own costs price
  step wire into loose costs 0
  step around into loose and not own costs price + 2
  step east into row(3) and loose costs price
  step knight from a to b into own when not crossed(a, b, sites) costs reach_out
  step knight from a to b into row(5) and loose when not crossed(a, b, sites) costs reach_out
  step knight from a to b into loose when not crossed(a, b, sites) and around(b) meets enemy costs 5
  else 99

value way of position for mover = way for enemy - 3 * way
"""
AROUND = """format 1
Patterns for {game}
Around ends of {path}
Off any
  Set 1 2
Def any_too
  Set 0 1
"""


@pytest.mark.parametrize("backend", ["python", "llvm", "wasm"])
def test_earlier_positions_of_more_words_than_parentheses_nest(backend: str) -> None:
    """Their words are summed; Python takes no 200 parentheses inside each other."""
    game = check_file(RULES, "heaps.rules", HEAPS.encode(), FileContext(None)).loaded()
    state, played = game.start(), game.start(backend)
    for text in ("a1", "b2", "a1", "b2"):
        state, played = state.play(text), played.play(text)
        assert isinstance(played.position, PackedPosition), "it fell back to the reference"
        assert played.moves.texts == state.moves.texts


@cache
def read(name: str) -> tuple[Game, Evaluator | None]:
    if name == "twixt":
        return load("twixt", size=12, pie=False), None
    game = check_file(RULES, "fence.rules", FENCE.encode(), FileContext(None)).loaded()
    text = RUNS if name == "runs" else WAYS
    found = check_file(EVALUATOR, f"{name}.eval", text.encode(), FileContext(game))
    assert found.model is not None, found.diagnostics
    return game, found.model


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["runs", "ways"])
def test_kernels_say_what_the_reference_says(name: str, backend: str) -> None:
    """Also where a factor is 0, so that steps are free of which this is not known before."""
    game, evaluator = read(name)
    assert evaluator is not None
    assert len(agreed(game, evaluator, backend, plies=90, every=4)) > 5


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("path", ["way in t1j as next", "chain in racer", "rows in t1"])
def test_ends_of_paths_are_those_of_the_reference(path: str, seed: int) -> None:
    """In dense positions, where links are many."""
    game, _ = read("twixt")
    text = AROUND.format(game="twixt", path=path)
    file = check_file(PATTERNS, "x.patterns", text.encode(), FileContext(game)).model
    assert file is not None
    random, state = Random(seed), game.start()
    while not state.over and state.ply < 40:
        state = state.play(random.choice(state.moves.texts))
    assert proposed_alike(game, file, state) > 0
