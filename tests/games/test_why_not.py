"""Why a turn is not legal, how moves are written, and which site breaks a ray."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.reasons import why_not, why_not_clicked
from rulewright.errors import MoveError
from rulewright.games.files.games import load, loads
from tests.shared.effort import tries

TOGETHER = ("conniption", "amazons", "pentago")


@pytest.mark.parametrize(
    ("game", "moves", "turn", "message", "clause"),
    [
        ("conniption", "4!", "!4!", "`!` would be the move `flip`", "need settled and flips > 0"),
        ("conniption", "", "!4!!", "`!4!` is a whole turn, and `!` is left over", ""),
        ("conniption", "", "!8!", "after `!`: `8!` is no move of conniption", ""),
        ("conniption", "", "!", "", ""),
        (
            "amazons", "", "d1-d7/d7", "after `d1-d7`: `/d7` would be the move `shoot`",
            "choose c in ray from archer along around /empty+/",
        ),
        (
            "amazons", "", "d1-e3/e4", "`d1-e3` would be the move `slide`",
            "choose b in ray from a along around /empty+/",
        ),
        ("amazons", "", "d1-d7 d8", "after `d1-d7`: `d8` is no move of amazons", ""),
    ],
)  # fmt: skip
def test_a_whole_turn_is_reported_by_its_first_faulty_decision(
    game: str, moves: str, turn: str, message: str, clause: str
) -> None:
    state = load(game).start()
    reason = why_not(state.play(moves) if moves else state, turn)
    assert reason.legal is (not message)
    assert reason.message.startswith(message)
    assert (reason.clause.text if reason.clause and message else "") == clause


@pytest.mark.parametrize(
    ("game", "text", "forms"),
    [
        ("draughts", "9-13", ["`a3-b4` (walk)", 'write "{a}x{b}" (jump)']),
        ("conniption", "x4", ["`!` (flip)", "a whole turn like `1` or `!1!`"]),
        ("connect4", "9", ["`1` (drop)"]),
    ],
)
def test_an_unknown_form_is_answered_with_those_there_are(
    game: str, text: str, forms: list[str]
) -> None:
    reason = why_not(load(game).start(), text)
    assert all(form in reason.message for form in forms)


@pytest.mark.parametrize(
    ("game", "moves", "decision", "message"),
    [
        ("chess", "", "a1a5", "north from a1 breaks at a2 (white pawn)"),
        ("chess", "e2e4 e7e5", "e1g1", "east from e1 breaks at f1 (white bishop)"),
        ("chess", "e2e4 e7e5 f1e2 f8e7", "e1g1", "east from e1 breaks at g1 (white knight)"),
        ("draughts", "", "c3xe5", "northeast from c3 breaks at d4 (empty)"),
        ("amazons", "d1-d7 /d6", "g10-d10", "west from g10 breaks at d10 (black amazon)"),
        ("amazons", "d1-d7 /d6", "d10-d5", "south from d10 breaks at d7 (white amazon)"),
    ],
)
def test_a_ray_names_the_site_that_broke_it(
    game: str, moves: str, decision: str, message: str
) -> None:
    state = load(game).start()
    reason = why_not(state.play(moves) if moves else state, decision)
    assert dict(reason.values).get("the ray", "") == message


NEEDS_A_RAY = """format 1
game shot
players red blue
board square 4 by 4
pieces man
let shot(cell) = ray from cell along around /[enemy+], own/
setup
  put red man at a1 or d1
  put blue man at b1
move place
  choose cell in empty
  need {0}
  put man at cell
move wait
turn place or wait
draw when stuck
"""


@pytest.mark.parametrize(
    ("condition", "decision", "message"),
    [
        ("any shot(cell)", "b3", "east from b3 breaks at c3 (empty)"),
        ("cell in corners and any shot(cell) corners", "a4", "east from a4 breaks at b4 (empty)"),
        ("any ray from cell along east /empty, [own]/", "b3", "east from b3 breaks at d3 (empty)"),
        ("no ray from cell along around /[empty]/", "b3", None),  # led on, it would still fail
        ("no shot(cell) and ply = 7", "b3", None),
    ],
)
def test_a_condition_names_the_site_that_broke_its_ray(
    condition: str, decision: str, message: str | None
) -> None:
    reason = why_not(loads(NEEDS_A_RAY.format(condition)).start(), decision)
    assert not reason.legal
    assert dict(reason.values).get("the longest ray") == message


@pytest.mark.parametrize(
    ("game", "moves", "decision", "message"),
    [
        ("othello", "", "e3", "southwest from e3 breaks at c5 (empty)"),
        ("othello", "", "a1", "east from a1 breaks at b1 (empty)"),
        ("othello", "d3", "d6", "north from d6 breaks at d2 (empty)"),
    ],
)
def test_a_need_names_the_site_that_broke_its_ray(
    game: str, moves: str, decision: str, message: str
) -> None:
    state = load(game).start()
    reason = why_not(state.play(moves) if moves else state, decision)
    assert dict(reason.values)["the longest ray"] == message


@settings(max_examples=tries(15), deadline=None)
@given(st.sampled_from(TOGETHER), st.integers(0, 2**32))
def test_a_turn_is_either_legal_or_has_a_reason(name: str, seed: int) -> None:
    random = Random(seed)
    here = start = load(name).start()
    decisions = []
    while here is start or not here.turn_begins:
        decisions.append(random.choice(here.moves.texts))
        here = here.play_decision(decisions[-1])
    turn = start.turn_text(decisions)
    assert why_not(start, turn).legal
    reason = why_not(here, turn)
    try:
        here.play(turn)
    except MoveError:
        assert not reason.legal
        assert reason.message
    else:
        assert reason.legal


@pytest.mark.parametrize(
    ("game", "moves", "clicks", "message", "clause"),
    [
        ("chess", "", "e2 e5", "`e2e5` would be", "choose b in ahead(a) empty or slant(a) enemy"),
        ("chess", "", "a1", "nothing goes on from a1: `a1a2` would be", "choose b in ray from a"),
        ("chess", "", "e4", "nothing goes on from e4: `e4e5` would be", "choose a in own pawn"),
        ("amazons", "", "d5", "nothing goes on from d5: `d5-d6` would", "choose a in own amazon"),
        ("amazons", "d1-d7", "a4", "`/a4` would be", "choose c in ray from archer"),
        ("draughts", "", "b2", "nothing goes on from b2: `b2-a3` would", "choose ray from a along"),
        ("connect4", "4 4 4 4 4 4", "d6", "`4` would be the move `drop`", "choose slot in empty"),
        ("tictactoe", "b2", "b2", "`b2` would be the move `place`", "choose cell in empty"),
        ("tictactoe", "", "b2", "`b2` is legal", ""),
        ("tictactoe", "a1 a2 b1 b2 c1", "c2", "the game is over", ""),
    ],
)
def test_clicks_that_mean_nothing_are_reported_by_their_clause(
    game: str, moves: str, clicks: str, message: str, clause: str
) -> None:
    state = load(game).start()
    state = state.play(moves) if moves else state
    sites = state.game.rules.board.by_name
    reason = why_not_clicked(state, tuple(sites[name] for name in clicks.split()))
    assert reason.message.startswith(message)
    assert clause in (reason.clause.text if reason.clause else "")
