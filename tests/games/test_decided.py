"""What decided: ties, fallbacks and later parts of values by name, players by name."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Personality, explain
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load
from rulewright.model.personality import Opening, Search, Setting
from rulewright.players.explain import BY_SEARCH, CHANCE, ONLY, THE_END, explain_played
from rulewright.players.terms import term_for
from tests.shared.effort import tries
from tests.shared.playing import after


@cache
def game(name: str, **options: int) -> Game:
    return load(name, **options)


@settings(deadline=None, max_examples=tries(8))
@given(seed=st.integers(0, 10**6))
def test_the_first_part_that_differs_decides(seed: int) -> None:
    """A tie of first parts is no factor's doing; the next part that differs is looked for."""
    state = after(game("connect5", size=7), seed, 14)
    found = explain(state, Personality.load("smart", state.game))
    made, other = found.judged(found.decision), found.judged(found.runner_up)
    decided = [t for t in found.tried if t.decided]
    assert decided == [found.tried[-1]]
    assert found.value == decided[0].pick.value == next(iter(made.parts)).partition("_")[0]
    differing = [n for n in made.parts if made.parts[n] != other.parts[n]]
    if differing and differing[0] == next(iter(made.parts)):
        first = differing[0]
        assert made.value - other.value == made.parts[first] - other.parts[first] > 0
        assert found.decided_by in (*made.factors, first)
    elif differing:
        assert found.decided_by == differing[0]
        assert found.margin == made.parts[differing[0]] - other.parts[differing[0]] > 0
    else:
        assert found.decided_by == "ties first"
        assert found.decision == min(found.tied, key=state.moves.texts.index)
    for one in found.moves:
        for role in ("win", "block"):  # the maximum and the sum are those of the four lines
            lines = one.steps.get(f"{role}_max", {})
            if lines:
                assert len(lines) == 4
                assert max(lines.values()) == one.parts[f"{role}_max"]
                assert sum(lines.values()) == one.parts[f"{role}_sum"]


def test_the_numbers_that_conditions_compare_are_reported() -> None:
    state = game("connect5").start().play("h8 a1 i8 c1 j8 e1")
    found = explain(state, Personality.load("smart", state.game))
    assert [(str(t.pick), t.decided) for t in found.tried] == [("pick best win if win >= 52", True)]
    assert found.tried[0].first == max(one.parts["win_max"] for one in found.moves)
    assert found.tried[0].second == 52


def test_what_settles_equal_decisions_is_named() -> None:
    start = game("connect5", size=7).start()
    basic = explain(start, Personality.load("basic", start.game))
    assert (basic.decided_by, basic.decision) == ("pick first", start.moves.texts[0])
    assert [t.decided for t in basic.tried] == [False, False, True]
    board = game("conniption")
    for name, how in (("sols", "ties random"), ("sols_steady", "prefer none")):
        player = Personality.load(name, board)
        search = Search("one_ply", (Setting("ends", "valued"),))
        player = Personality.of(evolve(player.model, search=search), board)
        found = explain(board.start(), player)
        assert (found.decided_by, set(found.tied)) == (how, {"-", "!"})
        assert found.margin == 0


@settings(deadline=None, max_examples=tries(10))
@given(seed=st.integers(0, 10**6))
def test_a_tie_is_never_reported_as_a_reason(seed: int) -> None:
    state = after(game("hex", size=4), seed, 9)
    found = explain(state, Personality.load("builder", state.game))
    same = [one.move for one in found.moves if _worth(one) == _worth(found.moves[0])]
    if len(state.moves) == 1:
        assert found.decided_by == ONLY
    elif len(same) > 1:
        assert found.decided_by == "ties random"
        assert set(found.tied) == set(same)
    else:
        assert found.tied == ()
        ends = {found.moves[0].ends, found.moves[1].ends} != {""}
        assert (found.decided_by == THE_END) == ends


def _worth(one: object) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in ("value", "ends", "distance"))


@pytest.mark.parametrize(
    ("moves", "ends"), [("1 7 1 7 1 6", ("win", "")), ("1 2 1 3 1", ("", "loss"))]
)
def test_the_end_of_the_game_decides_by_name(moves: str, ends: tuple[str, str]) -> None:
    state = game("connect4").start().play(moves)
    found = explain(state, Personality.load("counter", state.game))
    assert found.decided_by == THE_END
    told = found.judged(found.decision), found.judged(found.runner_up)
    assert tuple(one.ends for one in told) == ends


@settings(deadline=None, max_examples=tries(5))
@given(seed=st.integers(0, 10**6), depth=st.integers(1, 2))
def test_terms_name_the_player_they_are_for(seed: int, depth: int) -> None:
    """Whoever is to move at the end of the line, what is black's is called black's."""
    board = game("othello")
    state = after(board, seed, 30)
    wise = Personality.load("cornered", board)
    search = Search("minimax", (Setting("depth", depth, "decisions"),))
    wise = Personality.of(evolve(wise.model, search=search), board)
    found = explain(state, wise)
    for one in found.moves[:3]:
        if one.ends:
            continue
        leaf, judge = state.play(" ".join(one.line)), wise.judge
        assert judge is not None
        for player, name in enumerate(board.players):
            mine = evolve(leaf.situation.position, mover=player, rest=board.play.rules.course)
            mobility = len(board.play.options(evolve(mine, fresh=True)))
            sign = 1 if name == state.mover else -1
            if len(board.play.options(leaf.situation.position)):
                assert one.terms.get(f"moves for {name}", 0) == sign * 8 * mobility
        assert not any("enemy" in term for term in one.terms)


@pytest.mark.parametrize(
    ("text", "view", "message"),
    [
        ("moves", 0, "moves for white"),
        ("moves for enemy", 0, "moves for black"),
        ("moves for enemy", 1, "moves for white"),
        ("moves for enemy for enemy", 1, "moves for black"),
        ("moves for white", 1, "moves for white"),
        ("cost * (gaps for enemy - gaps)", 1, "cost * (gaps for white - gaps) for black"),
        ("count (enemy row(1)) for enemy", 0, "count (white row(1)) for black"),
        ("x for these", 0, "x for these for white"),
    ],
)
def test_players_are_written_into_terms(text: str, view: int, message: str) -> None:
    assert term_for(text, view, ("white", "black")) == message


def test_terms_of_a_choice_belong_to_who_chooses() -> None:
    assert term_for("gain", 1, ("white", "black"), always=False) == "gain"
    assert term_for("gain for enemy", 1, ("white", "black"), always=False) == "gain for white"


def test_what_was_played_is_explained_and_not_what_would_be_played() -> None:
    board = game("hex", size=4)
    builder = Personality.load("builder", board)
    builder = evolve(builder, model=evolve(builder.model, opening=Opening()))  # that has no values
    for seed in range(6):
        before = after(board, seed, 6)
        chosen = builder.choose(before, Random(seed))
        found = explain_played(before.play_decision(chosen), builder, seed=seed + 100)
        assert (found.decision, found.played, found.side) == (chosen, True, before.mover)
        assert found.decided_by in ("ties random", THE_END) or not found.tied
        assert found.again in ("", *found.tied)


def test_players_without_an_evaluator_are_explained_by_what_they_do() -> None:
    state = game("connect4").start().play("1 7 1 7 1")
    found = explain_played(state, "random")
    assert (found.decision, found.decided_by, found.moves) == ("1", CHANCE, ())
    found = explain_played(state.play("1"), "computer", 0.3)
    assert (found.decision, found.decided_by) == ("1", BY_SEARCH)
    assert found.side == "red"
    assert "1" in {one.move for one in found.moves}
    for who in ("human", "gtp:gnugo"):
        with pytest.raises(RulewrightError, match=f"{who} gives no reasons"):
            explain_played(state, who)
    with pytest.raises(RulewrightError, match="nothing is played"):
        explain_played(game("connect4").start(), "random")
