"""Sites whose links are asked for along one step: whole sets say what the reference says."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from rulewright.compiler.engine import Engine
from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load
from rulewright.model.evaluation import Evaluator
from rulewright.players.machine import native_evaluator, pack_values
from rulewright.reference.evaluation import StaticEvaluator
from tests.shared.backends import BACKENDS
from tests.shared.evaluating import written

TEXT = """format 1
evaluator links for twixt

let on for red = stride(1, 2)
let on for blue = stride(-2, 1)
let off for red = stride(-2, -1)
let off for blue = stride(1, 2)
let below = opposite(on)
let pegs = own or enemy
let on_only(s) = bridge(s) meets on(s) and not bridge(s) meets off(s)
let open(s) = not crossed(s, on(s), sites)
let open_off(s) = not crossed(s, off(s), sites)
let inner = sites and not (banks or banks for enemy)

let made = count those(s in pegs : bridge(s) meets on(s))
let back = count those(s in pegs : bridge(s) meets off(s))
let both = count those(s in pegs : on_only(s))
let free = count those(s in inner : any (on(s) and empty) and open(s))
let barred = count those(s in inner : any off(s) and not open_off(s))
let whole = count those(s in below(pegs) : open(s))

let low = made + 50 * (back + 50 * both)
value all of position for red = low + 125000 * (free + 50 * (barred + 50 * whole))
value beyond of position for red = count those(s in sites : crossed(s, on(s), sites))
"""


@cache
def read() -> tuple[Game, Evaluator]:
    game = load("twixt", size=7, pie=False)
    return game, written(TEXT, game)


@pytest.mark.parametrize("backend", BACKENDS)
def test_whole_sets_say_what_the_reference_says(backend: str) -> None:
    """One of the values fails, as it asks for links beyond the border: in both alike."""
    game, evaluator = read()
    kernels, judge = Engine(game.play, backend), StaticEvaluator(game.play, evaluator)
    for value in evaluator.values:
        found = native_evaluator(kernels, evaluator, value, (), judges_ends=False)
        assert found is not None
        functions, sizes = kernels.linked(found.linked), kernels.sizes()
        arrays = [
            kernels.constants if a == "K" else kernels.array([0] * sizes[a]) for a in "SKMHXT"
        ]
        random, situation, seen = Random(5), game.play.start(), set[float]()
        for _ in range(40):
            if situation.outcome is not None or situation.position.ply > 25:
                situation = game.play.start()
            kernels.put(situation.position, arrays[0], arrays[3])
            ours = functions["value"](*arrays, kernels.array([*pack_values((), ()), 0.0]))
            try:
                theirs = float(judge.of_position(value, situation.position)[0])
            except Fault:
                assert arrays[0][7] != 0
                break
            assert (ours, arrays[0][7]) == (theirs, 0)
            seen.add(ours)
            situation = situation.after(random.choice(situation.options))
        parts = [{int(n) // 50**k % 50 for n in seen} for k in range(6)]
        assert value.name == "beyond" or all(len(part) > 1 for part in parts)
