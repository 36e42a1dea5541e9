"""Explanations: terms add up, factors tell what they do, differences name what makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright import Personality, explain
from rulewright.errors import Fault, IllegalMove
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR, PERSONALITY, load_personality
from rulewright.games.files.games import bundled_games, load
from rulewright.games.files.kinds import FileContext, check_file, check_path, files_of
from rulewright.games.render.svg import Annotations, scene_svg
from rulewright.model.board import bits
from rulewright.model.personality import Opening, Pick, Search, Setting
from rulewright.model.personality import Personality as Model
from rulewright.players.heat import heat
from rulewright.players.lint import difference, lint
from rulewright.players.personality import whole_text
from rulewright.players.terms import AHEAD
from tests.shared.effort import tries
from tests.shared.playing import after


@cache
def game(name: str, **options: int) -> Game:
    return load(name, **options)


def one_ply(personality: Personality) -> Personality:
    return Personality.of(evolve(personality.model, search=Search("one_ply")), personality.game)


@pytest.mark.parametrize(
    ("name", "options"),
    [("connect4/counter", {}), ("hex/builder", {"size": 4}), ("pente/builder", {"size": 5}),
     ("spanit/blocker", {"size": 3}), ("othello/cornered", {}), ("connect4/eager", {})],
)  # fmt: skip
@settings(deadline=None, max_examples=tries(4))
@given(seed=st.integers(0, 10**6))
def test_terms_add_up_to_the_value(name: str, options: dict[str, int], seed: int) -> None:
    board = game(name.partition("/")[0], **options)
    state = after(board, seed, 7)
    found = explain(state, one_ply(Personality.load(name, board)))
    assert {one.move for one in found.moves} | set(found.unjudged) == set(state.moves.texts)
    for one in found.moves:
        if not one.ends:
            assert sum(one.terms.values()) == pytest.approx(one.value)
    values = [one.value for one in found.moves if not one.ends]
    assert values == sorted(values, reverse=True)
    assert found.side == state.mover


def test_after_a_search_the_end_of_the_line_is_explained() -> None:
    board = game("connect4")
    wise = Personality.load("counter", board)
    state = board.start().play("4 4")
    found = explain(state, wise)
    assert len(found.moves) == 7  # all of them, though the search needs only the best
    best = found.moves[0]
    assert best.move == found.decision == wise.choose(state)
    assert len(best.line) == 4
    leaf = state.play(" ".join(best.line))
    judge, value = wise.judge, wise.value()
    assert judge is not None
    seen = judge.of_position(value, leaf.situation.position)[0]
    assert best.value == (seen if leaf.mover == state.mover else -seen)


def test_the_answer_that_a_beam_expects_is_a_term() -> None:
    board = game("spanit", size=3)
    wise = Personality.load("default", board).with_factors(GameTreeMaxDepth=2)
    found = explain(board.start().play("M00 M11"), wise)
    assert AHEAD in found.moves[0].terms
    assert sum(found.moves[0].terms.values()) == pytest.approx(found.moves[0].value)


def test_a_factor_is_worth_what_is_lost_without_it() -> None:
    board = game("conniption")
    wise = one_ply(Personality.load("flip", board))
    state = board.start().play("4 4! - 3")
    found = explain(state, wise)
    for one in found.moves:
        assert one.factors["flip_cost"] == one.terms["flip_cost * (used - used for blue) for red"]
        position = state.play_decision(one.move).situation.position
        bare = wise.with_factors(one=0)
        assert bare.judge is not None
        left = bare.judge.of_position(bare.value("flip"), position, bare.model.factors)[0]
        assert one.value - left == one.factors["one"]


def test_the_deciding_factor_speaks_for_the_decision() -> None:
    board = game("conniption")
    state = board.start().play("4 4 4 4 4")
    loose = one_ply(Personality.load("flip", board))
    thrifty = loose.with_factors(flip_cost=100)
    found = explain(state, thrifty)
    assert found.decision == "-"
    flips = found.judged("!")
    assert found.judged("-").factors.get("flip_cost", 0) - flips.factors["flip_cost"] in (100, -100)


def test_which_factor_makes_two_personalities_differ() -> None:
    board = game("conniption")
    text_free = one_ply(Personality.load("flip_steady", board)).with_factors(flip_cost=0)
    thrifty = text_free.with_factors(flip_cost=100)
    differ = 0
    for seed in range(40):
        state = after(board, seed, 14)
        found = difference(state, text_free, thrifty)
        assert found.first == text_free.choose(state)
        assert found.second == thrifty.choose(state)
        if found.first != found.second:
            assert found.factors == ("flip_cost",)
            differ += 1
        else:
            assert found.factors == ()
    assert differ > 0


def test_wins_and_losses_say_how_far_they_are() -> None:
    board = game("connect4")
    wise = Personality.load("counter", board)
    found = explain(board.start().play("1 7 1 7 1 6"), wise)
    best = found.moves[0]
    assert (best.move, best.ends, best.distance) == ("1", "win", 1)
    lost = explain(board.start().play("1 2 1 3 1"), wise)
    losing = [one for one in lost.moves if one.ends == "loss"]
    assert losing
    assert all(one.distance == 2 and one.move != "1" for one in losing)


def test_a_personality_without_values_explains_nothing() -> None:
    board = game("connect4")
    model = Model("dice", "connect4", None, (), Search("random"), (Pick("random"),), (), "first",
                  Opening())  # fmt: skip
    found = explain(board.start(), Personality.of(model, board), seed=3)
    assert found.moves == ()
    assert found.decided_by == "pick random"
    assert set(found.unjudged) == set(board.start().moves.texts)


def test_one_decision_can_be_asked_for() -> None:
    board = game("connect4")
    found = explain(board.start(), one_ply(Personality.load("counter", board)))
    assert found.judged("4").move == "4"
    with pytest.raises(IllegalMove, match="`9` has no value here"):
        found.judged("9")


def test_explanations_are_plain_data() -> None:
    board = game("connect4")
    found = explain(board.start(), one_ply(Personality.load("counter", board)))
    data = found.as_data()
    assert data["side"] == "yellow"
    moves = data["moves"]
    assert isinstance(moves, list)
    assert {"move", "value", "terms", "factors"} <= set(moves[0])


def test_a_heat_map_glows_where_decisions_lead() -> None:
    board = game("hex", size=4)
    state = board.start().play("b2 a1 b3")
    found = explain(state, Personality.load("builder", board))
    shown = heat(state, found)
    assert set(shown.shares) == set(bits(board.rules.board.sites & ~state.situation.position.full))
    assert (min(shown.shares.values()), max(shown.shares.values())) == (0, 1)
    best = board.rules.board.by_name[found.moves[0].move]
    assert shown.shares[best] == 1
    svg = scene_svg(state.scene, Annotations(shown.texts, shown.shares))
    assert svg.count('class="heat"') == 13
    assert svg.count('class="mark"') == 13


@pytest.mark.parametrize("name", list(bundled_games()))
def test_a_personality_written_whole_means_the_same(name: str, tmp_path: Path) -> None:
    board = game(name)
    for known, file in files_of(PERSONALITY, board).items():
        if name != file.parent.name and not check_path(PERSONALITY, file, FileContext(board)).ok:
            continue  # a player of the game that this one builds on, who asks for what is not here
        model = load_personality(board, known)
        path = tmp_path / "copy.personality"
        path.write_text(whole_text(model, "copy"), "utf-8")
        again = load_personality(board, path)
        assert evolve(again, name=known, about=model.about) == model
        assert (
            set(again.factor_settings) == {f.name for f in model.evaluator.factors}
            if model.evaluator
            else 1
        )


def test_lint_counts_the_decisions_that_a_factor_changes() -> None:
    board = game("conniption")
    loose = one_ply(Personality.load("sols", board))
    found = {one.factor: one for one in lint(loose, 12)}
    assert found["flip_cost"].changed == 0  # sols does not look at it
    assert found["luck"].changed == 0
    assert 0 < found["one"].changed <= found["one"].positions == 12


def test_a_fault_in_a_search_names_the_line_of_the_evaluator() -> None:
    board = game("tictactoe")
    text = (
        "format 1\nevaluator e for tictactoe\n\nvalue of position for mover = 1 / count (own b2)\n"
    )
    report = check_file(EVALUATOR, "e.eval", text.encode(), FileContext(board))
    assert report.model is not None
    model = Model("p", "tictactoe", report.model, (), Search("one_ply"), (Pick("best"),), (),
                  "first", Opening())  # fmt: skip
    with pytest.raises(Fault) as caught:
        rulewright.Personality.of(model, board).choose(board.start())
    assert (caught.value.code, caught.value.place) == ("divide-by-zero", "e.eval:4")


@pytest.mark.parametrize(
    ("name", "options", "depth"),
    [("connect4/counter", {"width": 4, "height": 4, "run": 3}, "3"),
     ("conniption/sols", {}, "1 turns"), ("spanit/default", {"size": 3}, "2")],
)  # fmt: skip
@settings(deadline=None, max_examples=tries(3))
@given(seed=st.integers(0, 10**6))
def test_native_searches_are_explained_as_those_over_the_reference(
    name: str, options: dict[str, int], depth: str, seed: int
) -> None:
    """Mutations this has caught: a line a decision short, one by the other person's values."""
    board = game(name.partition("/")[0], **options)
    player = Personality.load(name, board)
    number, _, unit = depth.partition(" ")
    search = player.model.search
    kept = tuple(s for s in search.settings if s.name not in ("depth", "time"))
    told = (*kept, Setting("depth", int(number), unit))
    player = Personality.of(evolve(player.model, search=evolve(search, settings=told)), board)
    state = after(board, seed, 7)
    ours, theirs = (explain(state, evolve(player, native=n)) for n in (True, False))
    if ours.decision == theirs.decision:
        assert ours == theirs
        return
    # alpha-beta knows one best decision: of several it is the one that it happened to try first
    assert sorted(ours.moves, key=str) == sorted(theirs.moves, key=str)
    assert ours.judged(ours.decision).value == theirs.judged(theirs.decision).value
