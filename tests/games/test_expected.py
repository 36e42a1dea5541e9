"""Exact values by chance, of several players, and of very small games with secrets."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.search.equilibrium import equilibrium
from rulewright.search.expected import expected_value
from rulewright.search.linear import solution
from rulewright.search.sequence_form import InformationSet, SecretNode, exact_value
from rulewright.search.several import worths_of
from rulewright.search.solve import solve
from tests.shared.tiny import ROWS_FOR_THREE

ROUND = """format 1
game round

players red blue
board square 3 by 1
pieces man "RB"

setup
  put red man at a1
  put blue man at c1

state luck = 0 in 0..2

move throw
  chance n in 0..2
  luck := n
  write "{n}"

move wait
  write "wait"

turn throw wait
win when luck = 2
"""


def pig(target: int) -> State:
    return rulewright.load("pig", target=target, backend="reference").start()


def pig_by_rounds(target: int) -> float:
    """The chance that who begins wins, by going over all positions until nothing changes."""
    wins = {(a, b): 0.5 for a in range(target) for b in range(target)}

    def thrown(a: int, b: int, held: int) -> float:
        lost = 1 - wins[b, a]
        return (lost + sum(decided(a, b, held + n) for n in range(2, 7))) / 6

    def decided(a: int, b: int, held: int) -> float:
        if a + held >= target:
            return 1.0
        return max(1 - wins[b, a + held], thrown(a, b, held))

    for _ in range(60):
        wins = {(a, b): thrown(a, b, 0) for a, b in wins}
    return wins[0, 0]


def test_pig_to_two_is_five_sevenths() -> None:
    """Any number but a one wins, so p = 5/6 + (1 - p)/6, and the value is 2p - 1."""
    assert expected_value(pig(2)).sure == (Fraction(5, 7), Fraction(-5, 7))


@pytest.mark.parametrize("target", [4, 7])
def test_pig_is_worth_what_rounds_converge_to(target: int) -> None:
    value = expected_value(pig(target)).sure[0]
    assert float(value) == pytest.approx(2 * pig_by_rounds(target) - 1, abs=1e-9)


def test_a_decision_comes_with_a_value() -> None:
    state = pig(6).play("3").play("throw").play("2")
    assert expected_value(state).move == "throw"  # five are worth less than a sixth more
    assert expected_value(pig(6).play("6")).move == "hold"


@pytest.mark.parametrize("seed", range(3))
def test_without_chance_it_is_what_a_proof_says(seed: int) -> None:
    random, state = Random(seed), rulewright.load("tictactoe").start()
    for _ in range(3):
        state = state.play_decision(random.choice(state.moves.texts))
    worth, proven = expected_value(state), solve(state)
    value = worth.sure[state.position.mover]
    assert {1: "win", 0: "draw", -1: "loss"}[int(value)] == proven.value


def by_hand(state: State, me: int | None) -> tuple[Fraction, ...]:
    """What three get: all others against one, or where that is None, each for themselves."""
    if state.over:
        return tuple(Fraction(w) for w in worths_of(state.situation.outcome, 3))
    after = [by_hand(state.play_decision(text), me) for text in state.moves.texts]
    mover = state.position.mover
    if me is None:
        return max(after, key=lambda worth: worth[mover])
    return (max if mover == me else min)(after, key=lambda worth: worth[me])


@pytest.mark.parametrize("seed", range(4))
def test_three_players_get_what_a_plain_search_says(seed: int) -> None:
    random, state = Random(seed), rulewright.loads(ROWS_FOR_THREE).start()
    while len(state.moves) > 5 and not state.over:
        state = state.play_decision(random.choice(state.moves.texts))
    if state.over:
        return
    worth = expected_value(state)
    assert worth.each == by_hand(state, None)
    assert worth.sure == tuple(by_hand(state, me)[me] for me in range(3))


def test_positions_that_come_again_are_worth_what_equations_say() -> None:
    """Whoever throws wins a third of the time: p = 1/3 + 2/3 (1 - p)."""
    assert expected_value(rulewright.loads(ROUND).start()).sure == (Fraction(1, 5), Fraction(-1, 5))


def test_a_game_that_may_never_end_is_refused() -> None:
    with pytest.raises(RulewrightError, match="may never end"):
        expected_value(
            rulewright.loads(ROUND.replace("win when luck = 2", "win when luck > 2")).start()
        )


@given(st.integers(1, 6), st.integers(0, 1000))
def test_equations_are_solved(number: int, seed: int) -> None:
    random = Random(seed)
    rows = {
        n: (
            {m: Fraction(random.randrange(3), 13) for m in range(number)},
            Fraction(random.randrange(-5, 6)),
        )
        for n in range(number)
    }
    x = solution(rows)
    for n, (shares, constant) in rows.items():
        assert x[n] == constant + sum(share * x[m] for m, share in shares.items())


# --- secrets ---


def value_of_matrix(matrix: list[list[int]]) -> Fraction:
    """Both choose at the same time: a row, a column."""
    number = len(matrix[0])
    below = [SecretNode(set=1, branches=[SecretNode(Fraction(v)) for v in row]) for row in matrix]
    root = SecretNode(set=0, branches=below)
    sets = [
        InformationSet(0, [root], [0.0] * len(matrix)), InformationSet(1, below, [0.0] * number),
    ]  # fmt: skip
    value = exact_value(root, sets, Fraction(min(map(min, matrix))))
    assert value is not None
    return value


@given(st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=2, max_size=4))
def test_a_game_of_two_choices_has_one_value(matrix: list[list[int]]) -> None:
    """It is between what rows and columns are sure of, and the same from the other side."""
    value = value_of_matrix(matrix)
    columns = [*map(list, zip(*matrix, strict=True))]
    assert max(map(min, matrix)) <= value <= min(map(max, columns))
    assert value_of_matrix([[-v for v in column] for column in columns]) == -value


@given(st.lists(st.integers(-6, 6), min_size=4, max_size=4))
def test_two_by_two_by_the_formula(numbers: list[int]) -> None:
    a, b, c, d = numbers
    rows, columns = ((a, b), (c, d)), ((a, c), (b, d))
    low, high = max(map(min, rows)), min(map(max, columns))
    mixed = low if low == high else Fraction(a * d - b * c, a + d - b - c)
    assert value_of_matrix([[a, b], [c, d]]) == mixed


@pytest.mark.parametrize(("game", "options"), [("kuhn", {}), ("rps", {"rounds": 2})])
def test_the_exact_value_lies_between_the_bounds_of_rounds(
    game: str, options: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = rulewright.load(game, backend="reference", **options).start()
    exact = equilibrium(state)
    monkeypatch.setattr("rulewright.search.sequence_form.MOST", 0)
    bounds = equilibrium(state, rounds=100)
    assert exact.least == exact.most
    assert bounds.least <= exact.least <= bounds.most


def test_kuhn_is_worth_an_eighteenth(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "kuhn"]) == 0
    assert capsys.readouterr().out.startswith("alice gets -1/18 (about -0.055556) on the average")
    assert main(["solve", "pig", "--set", "target=2"]) == 0
    assert "red gets 5/7 (about 0.714286) on the average" in capsys.readouterr().out


def test_what_asks_for_a_proof_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "pig", "--check"]) == 2
    assert "leave --check out" in capsys.readouterr().err
