"""Personalities: the old programs' players, the searches against plain ones, choosing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import GameOver, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import EVALUATOR, PERSONALITY
from rulewright.games.files.games import bundled_games, load
from rulewright.games.files.kinds import FileContext, check_file, files_of
from rulewright.ground.budget import within_seconds
from rulewright.model.personality import Opening, Pick, Search, Setting
from rulewright.model.personality import Personality as Model
from rulewright.players.machine import SearchResources
from rulewright.players.personality import Personality
from rulewright.reference.play import Situation
from rulewright.search.reference_search import Scorer, SearchBudget, full_width, one_ply
from rulewright.search.results import FAR, Limits, Lines, Score, half_up, person_at
from tests.shared.effort import tries
from tests.shared.places import RULESETS
from tests.shared.playing import played_on, rows_of

FILES = sorted(RULESETS.glob("*/*.personality"))


@cache
def game(name: str, **options: int) -> Game:
    return load(name, **options)


def player(name: str, board: Game | None = None) -> Personality:
    return Personality.load(name, board)


def rows(text: str) -> State:
    """A Connect 5 position, X to move."""
    squares = rows_of(text)
    board = game("connect5", width=len(squares[0]), height=len(squares))
    position = board.play.first
    for y, row in enumerate(squares):
        for x, square in enumerate(row):
            if square != "-":
                position = position.put("XO".index(square), 0, 1 << (y * len(row) + x))
    return board.at(position)


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_bundled_personality_has_nothing_to_complain_of(path: Path) -> None:
    board = game(path.parent.name)
    report = check_file(PERSONALITY, path.name, path.read_bytes(), FileContext(board, path.parent))
    assert [d.render() for d in report.diagnostics] == []
    assert report.model is not None
    assert report.model.name == path.stem
    assert report.model.about.endswith(".")


def test_the_games_of_the_seeds_have_their_players() -> None:
    there = {name: set(files_of(PERSONALITY, game(name))) for name in bundled_games()}
    assert {"basic", "smart"} <= there["connect5"]
    assert {"sols", "cells", "hybrid", "flip", "dice"} <= there["conniption"]
    assert len(there["spanit"]) >= 6
    assert {"t1", "turns"} <= there["twixt"]
    for name in ("hex", "breakthrough", "othello", "connect4"):
        assert there[name]
        assert files_of(EVALUATOR, game(name))


# --- Connect 5 ---

WIN = """((X X X X - - - - -) (O O O O - - - - -) (- - - - - - - - -) (- - - - - - - - -)
          (- - - - - - - - -) (- - - - - - - - -))"""


def test_basic_wins_before_it_blocks() -> None:
    assert player("basic", rows(WIN).game).choose(rows(WIN)) == "e1"
    block = WIN.replace("X X X X", "X X X -")
    assert player("basic", rows(block).game).choose(rows(block)) == "e2"
    nothing = WIN.replace("X X X X", "X X X -").replace("O O O O", "O O O -")
    assert player("basic", rows(nothing).game).choose(rows(nothing)) == "d1"


@pytest.mark.parametrize(("size", "centre"), [(5, "c3"), (9, "e5")])
def test_smart_begins_in_the_centre(size: int, centre: str) -> None:
    board = game("connect5", size=size)
    assert player("smart", board).choose(board.start()) == centre


def test_smart_goes_by_its_thresholds() -> None:
    # Three blanks to the left of O O O make the document's 51 at the square beside them ...
    block = "((- O O O - -) (- - - - - -) (- - - - - -) (- - - - - -) (- - - - - -))"
    chosen = player("smart", rows(block).game).decide(rows(block))
    assert (chosen.value, chosen.move) == ("block", "e1")
    # ... and an own line that is worth 52 or more comes first.
    win = block.replace("(- - - - - -))", "(- X X - X -))")
    chosen = player("smart", rows(win).game).decide(rows(win))
    assert (chosen.value, chosen.move) == ("win", "d5")


# --- Conniption ---


def test_steady_players_rather_do_nothing_than_flip() -> None:
    """On the empty board a flip changes nothing: all three kinds of decisions can be equal."""
    board = game("conniption")
    model = player("sols_steady", board).model
    quick = Personality.of(evolve(model, search=_depth(model, 1)), board)
    assert {quick.choose(board.start(), Random(n)) for n in range(5)} == {"-"}
    loose = Personality.of(evolve(quick.model, prefer=()), board)
    assert {loose.choose(board.start(), Random(n)) for n in range(20)} == {"-", "!"}


def _depth(model: Model, turns: int) -> Search:
    ends = model.search.setting("ends")
    settings = (Setting("depth", turns, "turns"), *((ends,) if ends else ()))
    return evolve(model.search, settings=settings)


def test_the_default_search_looks_three_turns_ahead() -> None:
    board = game("conniption")
    for name in ("sols", "cells", "hybrid", "flip", "sols_steady", "flip_steady"):
        setting = player(name, board).model.search.setting("depth")
        assert setting == Setting("depth", 3, "turns")
    assert player("dice", board).model.search.setting("depth") == Setting("depth", 2, "turns")


def plain(situation: Situation, scorer: Scorer, ply: int, distance: int) -> Score:
    """Minimax of whole turns as the document tells it, without any pruning."""
    if situation.outcome:
        return scorer.ended(situation, distance)
    if situation.position.ply - ply >= 1:
        return scorer.open(situation.position)
    scores = [plain(situation.after(o), scorer, ply, distance + 1) for o in situation.options]
    return max(scores) if person_at(situation.position) == scorer.person else min(scores)


@settings(deadline=None, max_examples=tries(8))
@given(seed=st.integers(0, 10**6))
def test_root_values_are_exact(seed: int) -> None:
    board, random = game("conniption"), Random(seed)
    state = board.start()
    state = played_on(state, random, random.randrange(3, 18))
    if state.over:
        return
    for name in ("hybrid", "flip"):
        wise = player(name, board)
        wise = Personality.of(evolve(wise.model, search=_depth(wise.model, 1)), board)
        root = wise.root(state, name)
        scorer = wise.scorer(state, name, Random(0))
        ply = state.situation.position.ply
        for option in state.situation.options:
            line = root[option.text]
            assert line is not None
            assert line.score == plain(state.situation.after(option), scorer, ply, 1)


@settings(deadline=None, max_examples=tries(6))
@given(seed=st.integers(0, 10**6))
def test_alphabeta_finds_the_value_that_minimax_finds(seed: int) -> None:
    board, random = game("connect4", width=5, height=4), Random(seed)
    state = board.start()
    state = played_on(state, random, random.randrange(2, 10))
    if state.over:
        return
    wise = player("counter", board)

    def searched(exact: bool, nodes: int | None = None) -> Lines:
        clock = SearchBudget(Limits(None, nodes, 3))
        return full_width(state, wise.scorer(state, "", Random(0)), clock, exact)

    exact, rough, deep = searched(True), searched(False), searched(False, 10**6)
    best = max(line.score for line in exact.values() if line is not None)
    for found in (rough, deep):
        assert max(line.score for line in found.values() if line is not None) == best


def test_a_win_counts_above_every_value_and_soon_above_late() -> None:
    board = game("connect4")
    state = board.start().play("1 7 1 7 1 6")
    root = player("counter", board).root(state, "value")
    line = root["1"]
    assert line is not None
    assert line.score[0] == FAR - 1
    assert player("counter", board).choose(state) == "1"
    lost = board.start().play("2 7 3 7 4 6")  # two ends are open: one of them will be closed
    best = max(line.score for line in player("counter", board).root(lost, "value").values() if line)
    assert best[0] == FAR - 1


# --- Span-It! ---


def worked_example() -> State:
    board = game("spanit", size=3)
    position = board.start().play("M00 M11 M20").situation.position
    return board.at(evolve(position, mover=0))


def test_spanit_plays_the_winning_node_of_the_worked_example() -> None:
    state = worked_example()
    for name in ("default", "hasty", "blocker", "runner", "scatterer", "dreamer"):
        wise = player(name, state.game).with_factors(GameTreeMaxDepth=2)
        assert wise.choose(state) == "M10"


def look_ahead(state: State, wise: Personality, level: int, breadth: int) -> dict[str, float]:
    """The look-ahead as its definition reads, from the side of whoever is to move."""
    scorer = wise.scorer(state, "value", Random(0))
    weights = {
        t: x.score[1]
        for t, x in one_ply(state, scorer, SearchBudget(Limits(None))).items()
        if x is not None
    }
    kept = sorted(weights, key=lambda text: -weights[text])[: max(1, breadth)]
    depth = int(wise.model.number("depth") or 1)
    trim, fade = wise.model.number("trim") or 0, wise.model.number("fade") or 0
    found = {}
    for text in kept:
        after = state.play_decision(text)
        found[text] = weights[text]
        if level < depth and not after.over:
            narrower = int(breadth * (1 - trim) + 0.5)
            found[text] -= (1 - fade) * max(look_ahead(after, wise, level + 1, narrower).values())
    return found


@settings(deadline=None, max_examples=tries(5))
@given(seed=st.integers(0, 10**6))
def test_the_beam_is_the_look_ahead_of_its_definition(seed: int) -> None:
    board, random = game("spanit", size=3), Random(seed)
    state = board.start()
    state = played_on(state, random, random.randrange(2, 8))
    if state.over:
        return
    wise = player("default", board).with_factors(GameTreeMaxBreadth=2)
    root = wise.root(state, "value")
    found = {text: line.score[1] for text, line in root.items() if line is not None}
    assert found == pytest.approx(look_ahead(state, wise, 1, 2))


def test_breadths_are_rounded_with_halves_going_up() -> None:
    assert [half_up(n) for n in (0.4, 0.5, 1.5, 1.6, 2.5, 2.4)] == [0, 1, 2, 2, 3, 2]


@settings(deadline=None, max_examples=tries(5))
@given(st.sampled_from([1, 2, 3]), st.integers(0, 10**6))
def test_perfect_play_cannot_be_beaten(size: int, seed: int) -> None:
    board, random = game("spanit", size=size), Random(seed)
    state, wise = board.start(), player("perfect", board)
    while not state.over:
        mine = state.mover == "vertical"
        state = state.play_decision(
            wise.choose(state) if mine else random.choice(state.moves.texts)
        )
    assert state.result is not None
    assert state.result.winner == "vertical"


# --- choosing ---


def test_a_decision_is_the_same_for_the_same_seed() -> None:
    state = game("hex", size=5).start()
    model = evolve(player("builder", state.game).model, opening=Opening())
    wise = Personality.of(model, state.game)
    assert wise.choose(state, Random(3)) == wise.choose(state, Random(3))
    assert len({wise.choose(state, Random(n)) for n in range(30)}) > 1


def test_openings_are_played_while_they_are_legal() -> None:
    board = game("hex", size=7)
    model = player("builder", board).model
    wise = Personality.of(evolve(model, opening=Opening(turns=("d4", "a1", "b2"))), board)
    state = board.start()
    assert wise.choose(state) == "d4"
    state = state.play("d4 c3")
    assert wise.choose(state) == "a1"
    assert wise.choose(state.play("a1 b2")) not in ("b2", "")  # b2 is taken: the opening ends
    assert wise.choose(board.start().play("a7")) == "d4"  # the second player has his own


def test_the_opening_of_a_whole_turn_is_played_part_by_part() -> None:
    board = game("conniption")
    model = player("dice", board).model
    quick = evolve(model, search=Search("random"), opening=Opening(turns=("4!",)))
    wise, state = Personality.of(quick, board), board.start()
    for wanted in ("-", "4", "!"):
        assert wise.choose(state) == wanted
        state = state.play_decision(wanted)


def test_random_openings_last_so_many_turns() -> None:
    board = game("hex", size=5)
    model = evolve(player("builder", board).model, opening=Opening(random=1), ties="first")
    wise = Personality.of(model, board)
    assert len({wise.choose(board.start(), Random(n)) for n in range(30)}) > 10
    later = board.start().play("c3 a1")
    assert len({wise.choose(later, Random(n)) for n in range(10)}) == 1


def test_ways_to_pick() -> None:
    board = game("hex", size=3)
    model = evolve(player("builder", board).model, opening=Opening())
    state = board.start()
    first = Personality.of(evolve(model, picks=(Pick("first"),)), board)
    chance = Personality.of(evolve(model, picks=(Pick("random"),)), board)
    assert first.choose(state) == state.moves.texts[0]
    assert {chance.choose(state, Random(n)) for n in range(60)} == set(state.moves.texts)


def test_a_limit_of_nodes_still_gives_a_decision() -> None:
    board = game("connect4")
    model = player("counter", board).model
    short = Search("alphabeta", (Setting("depth", 4, "decisions"), Setting("nodes", 3, "nodes")))
    wise = Personality.of(evolve(model, search=short), board)
    assert wise.choose(board.start()) in board.start().moves


def test_who_is_asked_after_the_end_says_so() -> None:
    board = game("connect4")
    over = board.start().play("1 2 1 2 1 2 1")
    with pytest.raises(GameOver):
        player("counter", board).choose(over)


def test_names_that_are_wrong_get_a_hint() -> None:
    with pytest.raises(RulewrightError, match="did you mean `flip`"):
        player("conniption/flop")
    with pytest.raises(RulewrightError, match="say which game"):
        player("flip")
    with pytest.raises(RulewrightError, match="did you mean `one`"):
        player("conniption/flip").with_factors(onne=3)
    with pytest.raises(RulewrightError, match="outside the range"):
        player("conniption/flip").with_factors(one=-3)


def test_what_extends_keeps_what_it_does_not_change() -> None:
    flipper = player("conniption/careful_flipper")
    assert flipper.factors["flip_cost"] == 60
    assert flipper.factors["three"] == 16
    assert flipper.model.prefer == ("none", "drop", "flip")
    assert flipper.model.search.kind == "minimax"


# --- matches ---


def test_perfect_play_wins_every_game_that_it_begins() -> None:
    with rulewright.match(
        "spanit", "perfect", "hasty", games=12, options={"size": 2}, openings=0, seed=4
    ) as run:
        games = list(run)
    begun = [game for game in games if game.players[0] == "perfect"]
    assert len(begun) == 6
    assert all(game.winner == 0 and 3 <= game.turns <= 5 for game in begun)


def test_time_running_out_leaves_the_best_so_far() -> None:
    board = game("hex", size=6)
    wise = player("builder", board)
    state = board.start().play("c3")
    assert wise.choose(state, Random(1), seconds=1e-9) in state.moves
    root = wise.root(state, "", Random(1), seconds=1e-9)
    assert sum(line is not None for line in root.values()) == 1
    deep = player("counter", game("connect4"))
    assert deep.choose(game("connect4").start(), Random(1), seconds=1e-9) in "1234567"


@pytest.mark.parametrize(
    ("name", "who", "least", "most"),
    [("twixt", "chains", 90, 100), ("go", "hunter", 90, 100), ("connect5", "smart", 40, 60)],
)
def test_the_only_search_of_a_decision_has_nearly_all_of_its_time(
    name: str, who: str, least: float, most: float
) -> None:
    """Half of it, in matches too, was what every search took; `smart` may need two."""
    inside = evolve(player(who, game(name)), resources=SearchResources(last=True))
    model = evolve(inside.model, search=Search(inside.model.search.kind))
    with within_seconds(100, 0, "late", clock=lambda: 0.0):
        given = evolve(inside, model=model).limits(100).seconds
    assert given is not None
    assert least < given < most
