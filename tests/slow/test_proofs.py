"""Random small games solved by force, beside all that claims a proof: a short form."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from rulewright.games.files.games import load_with, loads
from rulewright.search.results import Solved
from rulewright.search.solve import solve
from tests.generators import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.places import TESTS
from tests.tools.proofs import compare
from tests.tools.proofs.__main__ import batch
from tests.tools.proofs.compare import compared
from tests.tools.proofs.force import DRAW, LOSS, WIN, TooManyPositions, graph
from tests.tools.proofs.words import led

pytestmark = needs_llvm
RULES = """format 1
game shuffle
players red blue
board square 3 by 1
pieces man
setup
  put red man at a1
  put blue man at c1
move step
  choose a in own
  choose b in near(a) empty
  move a to b
{wait}
turn step{course}
{ends}
lose when stuck
"""


@settings(max_examples=tries(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files())
def test_what_is_claimed_of_random_small_games_is_so(text: str) -> None:
    found = compared(text)
    assert not found.wrong, found.wrong[0]


@settings(max_examples=tries(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(grows=True))
def test_what_is_claimed_of_games_that_only_add_pieces_is_so(text: str) -> None:
    found = compared(text)
    assert not found.wrong, found.wrong[0]


# --- the force itself ---


def test_tictactoe_is_a_draw_and_its_positions_are_those_that_are_known() -> None:
    known = graph(load_with("tictactoe", {}).play, 6_000)
    assert len(known.nodes) == 5_478
    assert known.truth(0).value == DRAW


def test_distances_are_those_of_the_best_play() -> None:
    """Red steps to b1, and blue is stuck."""
    text = RULES.format(wait="", course="", ends="")
    known = graph(loads(text).play, 100)
    assert (known.truth(0).value, known.truth(0).distance) == (WIN, 1)


def test_games_that_never_end_are_nobodys() -> None:
    text = RULES.format(wait="move wait", course=" or wait", ends="")
    known = graph(loads(text).play, 100)
    assert (known.truth(0).least, known.truth(0).most) == (LOSS, WIN)
    assert known.truth(0).value is None


def test_repetition_counts_how_often_a_position_stood() -> None:
    text = RULES.format(wait="move wait", course=" or wait", ends="draw when repeats >= 2")
    known = graph(loads(text).play, 10_000)
    assert known.truth(0).value == DRAW
    assert any(node.winner == -1 for node in known.nodes)


def test_turns_count_where_a_rule_asks_for_them() -> None:
    text = RULES.format(wait="move wait", course=" or wait", ends="win when ply = 3")
    known = graph(loads(text).play, 100)
    assert (known.truth(0).value, known.truth(0).distance) == (LOSS, 4)


def test_large_games_are_refused() -> None:
    with pytest.raises(TooManyPositions):
        graph(load_with("tictactoe", {}).play, 100)


def test_a_wrong_claim_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    text = RULES.format(wait="", course="", ends="")
    assert not compared(text).wrong

    def wrong(*given: object, **more: object) -> Solved:
        found = solve(*given, **more)  # type: ignore[arg-type]
        return Solved(
            "loss", found.side, "loss", "loss", None, None, (), found.nodes, found.depth, 0.0
        )

    monkeypatch.setattr(compare, "solve", wrong)
    assert "solve by alphabeta" in "".join(compared(text).wrong)


def test_words_are_said_of_what_is_known() -> None:
    game = load_with("tictactoe", {})
    known = graph(game.play, 6_000)
    told = [led(game.name, game.rules, known, Random(seed)) for seed in range(10)]
    texts = " ".join(one.personality for one in told if one)
    assert all(word in texts for word in ("decided", "drawn", "hopeless", "must"))


def test_files_are_the_same_for_the_same_batch() -> None:
    assert batch(3) == batch(3) != batch(4)


def test_a_draw_that_may_be_claimed_is_held() -> None:
    """Red would be stuck in two, and claims."""
    ends = "draw may be claimed when ply = 1\nlose when ply = 9"
    text = RULES.format(wait="", course="", ends=ends).replace("square 3", "square 4")
    text = text.replace("at c1", "at d1")
    assert graph(loads(text).play, 1_000).truth(0).least >= DRAW
    found = compared(text)
    assert not found.wrong, found.wrong[0]


@pytest.mark.parametrize("name", ["rows_in_use", "stuck_claimer"])
def test_games_that_were_proven_wrong_are_proven_right(name: str) -> None:
    """Random files as they came: their texts seed what is tried of them.

    `rows_in_use`: a led search that went on after a slice played rows that its way there had
    written over.  `stuck_claimer`: a player without a decision claimed a draw where a word said
    who had won.
    """
    outcome = compared((TESTS / "data" / "proofs" / f"{name}.rules").read_text("utf-8"))
    assert (outcome.left, outcome.wrong) == ("", [])
    assert outcome.led > 0
