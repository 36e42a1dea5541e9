"""The tables of pairs of Span-It!: whoever may follow one wins, as a proof says too."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.engine.game import State
from rulewright.search.solve import solve
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.evaluating import game, judge

pytestmark = needs_llvm


def by_tables(state: State) -> tuple[float, str]:
    """The best decision as `pairing` sees it: from 500 on some table of pairs can be followed."""
    wise, position = judge("spanit", "pairing", size=3), state.situation.position
    value = wise.evaluator.value("")
    assert value is not None
    best = (-1000.0, "")
    for option in wise.play.options(position):
        choice = wise.choices(position, option)
        assert choice is not None
        best = max(best, (wise.of_move(value, position, choice)[0], option.text))
    return best


@settings(deadline=None, max_examples=tries(6))
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 8))
def test_whoever_may_follow_a_table_of_pairs_wins(seed: int, plies: int) -> None:
    random, state = Random(seed), game("spanit", size=3).start()
    for _ in range(plies):
        value, text = by_tables(state)
        state = state.play_decision(text if random.random() < 0.5 else random.choice(state.moves))
        if state.over:
            return
    value, text = by_tables(state)
    if plies == 0:
        assert value >= 500
    while value >= 500:
        after = state.play_decision(text)
        if after.over:
            assert after.result is not None
            assert after.result.winner == state.mover
            return
        assert solve(after).value == "loss"
        replies = [after.play_decision(move) for move in after.moves.texts]
        assert not any(one.over for one in replies)
        state = random.choice(replies)
        value, text = by_tables(state)
        assert value >= 500
