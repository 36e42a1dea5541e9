"""Scores with fractions: kernels decide as the reference does, by a whole multiple."""

from __future__ import annotations

from random import Random

import pytest

import rulewright
from rulewright.compiler.passes.fractions import in_wholes
from rulewright.compiler.passes.normalize import Normalizer
from rulewright.model.expressions import Apply, Const, Type


@pytest.mark.parametrize("komi", [0.5, 3.75, 6.5, 2])
def test_kernels_and_the_reference_count_alike(komi: float) -> None:
    game, random = rulewright.load("go", size=3, komi=komi), Random(f"komi {komi}")
    for _ in range(8):
        states = [game.start(backend=name) for name in ("python", "reference")]
        for _ in range(40):
            move = random.choice([*states[0].moves.texts, "pass", "pass"])
            states = [state.play_decision(move) for state in states]
            if states[0].over:
                break
        fast, plain = states
        assert str(fast.result) == str(plain.result)


def test_a_score_with_fractions_has_a_whole_multiple() -> None:
    rules = rulewright.load("go", size=3, komi=3.75).rules
    score = next(end.score for end in rules.ends if end.score is not None)
    assert score.type is Type.REAL
    whole = in_wholes(Normalizer(rules, 0, 0)(score))
    assert whole is not None
    assert whole.type is Type.INT


def test_what_is_no_sum_has_none() -> None:
    half = Const(Type.REAL, 0.5)
    assert in_wholes(Apply(Type.REAL, "divide", (half, half))) is None
    assert in_wholes(Const(Type.REAL, 0.123456)) is None
