"""Games side by side are the games that `State` plays, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Game, State, TextError, batch, load, loads
from rulewright.compiler.runtime import place
from rulewright.errors import Fault, MoveError
from rulewright.games.engine.kernels import load_engine
from rulewright.learning.batch import CHANCE, DRAW, SHOWN, STAND, Batch
from rulewright.learning.kernels import BatchWords
from rulewright.learning.lane_arrays import LearningError, Pace
from rulewright.model.board import bits
from rulewright.reference.play import Outcome
from rulewright.reference.sight import view_of
from tests.generators import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game
from tests.shared.effort import tries
from tests.shared.sample import chosen
from tests.shared.seats import GAMES as ENDS
from tests.shared.seats import HEAD as SEATS
from tests.shared.tiny import FAULTY, ROWS_FOR_THREE

pytestmark = needs_llvm
SHUFFLED = {"chess960"}
"""A game in which chance alone writes what has no number."""
GAMES = sorted(chosen())
LANES, STEPS = 3, 60


def compare(games: Batch, steps: int, seed: int) -> int:
    """Play random actions in all lanes and beside them by `State`; returns games finished."""
    states, generator = [games.state(n) for n in range(games.lanes)], random.Random(seed)
    finished = 0
    for step in range(steps):
        listed = [compare_position(games, lane, state) for lane, state in enumerate(states)]
        compare_views(games, step % games.lanes, states[step % games.lanes])
        decisions = [generator.choice([*actions.items()]) for actions in listed]
        games.step([action for _, action in decisions])
        for lane, (text, _) in enumerate(decisions):
            states[lane] = states[lane].play_decision(text)
            if states[lane].over:
                compare_end(games, lane, states[lane])
                states[lane], finished = games.state(lane), finished + 1
                assert states[lane].ply == 0
            else:
                assert not games.over[lane]
                assert not games.rewards[lane].any()
    return finished


def compare_position(games: Batch, lane: int, state: State) -> dict[str, int]:
    """Compare who decides, what is legal and how likely; returns the actions by their texts."""
    assert state.mover is not None
    mover = games.game.players.index(state.mover)
    assert games.seats[lane] == (CHANCE if state.by_chance else mover ^ state.swapped)
    decisions = games.decisions(lane)
    assert sorted(decisions) == sorted(state.moves.texts)
    assert {*decisions.values()} == {*np.flatnonzero(games.legal[lane]).tolist()}
    if state.by_chance:
        chances = games.probabilities()[lane]
        for text, chance in state.probabilities().items():
            assert chances[decisions[text]] == pytest.approx(float(chance))
    return decisions


def compare_views(games: Batch, lane: int, state: State) -> None:
    """Compare what each seat sees."""
    for seat in range(len(games.game.players)):
        compare_view(games, lane, state, seat)


def compare_view(games: Batch, lane: int, state: State, seat: int) -> None:
    """Compare planes and numbers with the words of what a player sees of a position."""
    player, play = seat ^ state.swapped, games.game.play
    view = view_of(play, state.situation.position, player).position
    if not games.game.rules.has_secrets:
        view = state.situation.position
    engine = load_engine(games.game, "llvm")
    assert not isinstance(engine, str)
    words, planes = engine.encode(view), games.planes
    shown = games.observe(seat)[lane].reshape(len(planes.planes), -1)
    for number, part in enumerate(planes.planes[: planes.sets]):
        at = part.places[player]
        here = sum((words[at + i] % 2**64) << 64 * i for i in range(planes.words))
        assert as_mask(shown[number]) == here, part.name
    if games.game.rules.board.stacked:
        compare_piles(games, shown, view.piles, player)
    for step, number in planes.links.items():
        assert as_mask(shown[number]) == linked(games, view.links[0], step)
    expected = [words[part.places[player]] for part in planes.numbers]
    assert games.numbers(seat)[lane].tolist() == expected


def compare_piles(games: Batch, shown: Any, piles: Any, player: int) -> None:
    """Compare what lies below the top of piles, as names of planes say it."""
    rules, names = games.game.rules, [plane.name for plane in games.planes.planes]
    seats = ["own", *(["enemy"] if len(rules.players) == 2 else [])]
    here, expected = set[tuple[str, int]](), set[tuple[str, int]]()
    for site, pile in enumerate(piles):
        for depth, (owner, kind) in enumerate(pile[-2::-1], 1):
            seat = seats[(owner - player) % 2] if owner < 2 else "nobody"
            words = [seat, rules.kinds[kind].name] if len(rules.kinds) > 1 else [seat]
            expected.add((" ".join([*words, f"at depth {depth}"]), site))
    for number, name in enumerate(names):
        if "at depth" in name:
            here |= {(name, int(site)) for site in np.flatnonzero(shown[number])}
    assert here == expected


def linked(games: Batch, links: int, step: tuple[int, int]) -> int:
    """The sites from which a link leads by a step."""
    table, board = games.game.play.links[0], games.game.rules.board
    ends = [table.ends[number] for number in bits(links)]
    ways = {*ends, *((b, a) for a, b in ends)}
    return sum(1 << a for a, b in ways if board.targets(step)[a] == 1 << b)


def as_mask(plane: Any) -> int:
    return sum(1 << int(site) for site in np.flatnonzero(plane))


def compare_end(games: Batch, lane: int, state: State) -> None:
    """Compare how a game ended: for persons, and not for colours."""
    assert games.terminated[lane]
    outcome = state.situation.outcome
    assert isinstance(outcome, Outcome)
    count = len(games.game.players)
    expected = [0.0] * count
    if count > 2:
        places = outcome.places
        expected = [sum((p > own) - (p < own) for p in places) / (count - 1) for own in places]
    elif outcome.winner is not None:
        seat = outcome.winner ^ state.swapped
        expected[seat], expected[1 - seat] = 1, -1
    assert games.rewards[lane].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("name", GAMES)
def test_lanes_play_as_states_do(name: str) -> None:
    chance = "hidden" if name in SHUFFLED else SHOWN
    games = batch(game(name), LANES, seed=1, threads=1, chance=chance)
    compare(games, 25 if games.game.rules.looks_back else STEPS, seed=2)


@pytest.mark.parametrize("name", ["kuhn", "tictactoe"])
def test_places_in_the_list_of_decisions_are_actions(name: str) -> None:
    games = batch(game(name), 2, seed=1, threads=1, chance=SHOWN, sparse=300)
    assert games.legal.shape == (2, 300)
    compare(games, 12, seed=2)
    parts = games.parts()
    assert ((parts[:, :, 0] >= 0).sum(axis=1) == games.counts).all()
    names = [move.name for move in game(name).rules.moves]
    moves = games.state(0).moves
    assert [names[n] for n in parts[0, : len(moves), 0]] == [move.name for move in moves]


@pytest.mark.parametrize("name", ["tictactoe", "hex", "conniption", "connect4", "kuhn"])
def test_ends_are_those_of_states(name: str) -> None:
    options = {"size": 4} if name == "hex" else {}
    games = batch(load(name, **options), 4, threads=1, chance=SHOWN)
    assert compare(games, 150, seed=3) > 4


@settings(max_examples=tries(5), deadline=None)
@given(seed=st.integers(0, 2**64 - 1), name=st.sampled_from(["pig", "backgammon", "kuhn", "ur"]))
def test_chance_decides_in_steps_as_it_does_in_actions(seed: int, name: str) -> None:
    """From the same numbers: what is hidden in a step is what is drawn where it is shown."""
    steps = batch(game(name), 3, seed=seed, threads=1)
    shown = batch(game(name), 3, seed=seed, threads=1, chance=SHOWN)
    generator = random.Random(seed)
    for _ in range(20):
        while (waits := shown.seats == CHANCE).any():
            shown.step(np.where(waits, DRAW, STAND))
        assert [steps.state(lane) for lane in range(3)] == [shown.state(lane) for lane in range(3)]
        actions = [int(generator.choice(np.flatnonzero(marks))) for marks in steps.legal]
        steps.step(actions)
        shown.step([shown.actions.index(steps.actions[action]) for action in actions])
        if steps.over.any():
            break
        assert not shown.over.any()


@pytest.mark.parametrize("name", ["breakthrough", "kuhn"])
def test_rows_that_are_kept_or_listed_again_are_the_same(name: str) -> None:
    """Whichever is faster: drawn decisions and chosen ones, with chance that is shown."""
    kept, again = (batch(game(name), 3, seed=4, threads=1, chance=SHOWN) for _ in range(2))
    for step in range(20):
        for games, keeps in ((kept, 1), (again, 0)):
            games._arrays.arrays["batch"][place(BatchWords, "keeps")] = keeps
            actions = [int(np.flatnonzero(marks)[-1]) for marks in games.legal]
            games.step(actions if step % 3 else None)
        assert kept._word("has_rows").all()
        assert not again._word("has_rows").any()
        assert [kept.state(lane) for lane in range(3)] == [again.state(lane) for lane in range(3)]
    with pytest.raises(LearningError, match="is not legal there"):
        again.step([99_999] * 3)


def test_chance_draws_what_is_likely_more_often() -> None:
    """Of two cards, pairs are half as likely as others in Leduc hold'em."""
    games = batch("leduc", 1_000, seed=3, threads=1, chance=SHOWN)
    start, chances = games.game.start(), games.probabilities()[0].copy()
    games.step()
    counts = Counter(games.state(lane).text() for lane in range(1_000))
    assert len(counts) == len(start.moves)
    for deal in start.moves.texts:
        share = chances[games.actions.index(deal)]
        share_drawn = counts[start.play_decision(deal).text()] / 1_000
        assert abs(share_drawn - share) < 4 * (share * (1 - share) / 1_000) ** 0.5


OUT = "who has no piece is out, and so is who is stuck"
SCORED = "places by a number of each, of who is still in"


@pytest.mark.parametrize("text", [ROWS_FOR_THREE, SEATS + ENDS[OUT], SEATS + ENDS[SCORED]])
def test_several_players_have_seats_and_rewards_of_their_own(text: str) -> None:
    games = batch(loads(text), 3, threads=1, longest=60)
    assert compare(games, 80, seed=1) > 2
    names = [plane.name for plane in games.planes.planes]
    assert names == ["own", *(f"next {n}" for n in range(1, len(games.game.players)))]


@settings(max_examples=tries(25), deadline=None)
@given(text=rule_files(), seed=st.integers(0, 99))
def test_lanes_play_random_rules_as_states_do(text: str, seed: int) -> None:
    for games in playable(text):
        try:
            compare(games, 12, seed)
        except Fault as fault:  # both meet it
            with pytest.raises((Fault, LearningError)):
                until_fault(games, fault)


def playable(text: str) -> Iterator[Batch]:
    """The batch of a text, if machine code plays it and it can begin."""
    try:
        rules = loads(text)
        if rules.start().over:
            return
        yield batch(rules, 2, threads=1, longest=40, chance=SHOWN)
    except (LearningError, TextError, Fault, MoveError):
        return


def until_fault(games: Batch, fault: Fault) -> None:
    """Play on until the rules go wrong here too."""
    for _ in range(400):
        games.step()
    raise fault


@settings(max_examples=tries(5), deadline=None)
@given(seed=st.integers(0, 2**64 - 1), lanes=st.integers(1, 9))
def test_games_depend_on_the_seed_and_the_number_of_a_lane_alone(seed: int, lanes: int) -> None:
    few = batch("breakthrough", lanes, seed=seed, threads=1)
    many = batch("breakthrough", 12, seed=seed, threads=3)
    for _ in range(30):
        few.step()
        many.step()
    assert (few.observe() == many.observe()[:lanes]).all()
    few.reset(seed + 1)
    assert (few.observe() == batch("breakthrough", 1).observe()).all()
    few.roll(20)
    assert not (few.observe() == many.observe()[:lanes]).all()


def test_threads_share_the_lanes() -> None:
    """Long calls are divided; each lane is played once."""
    games = batch("chess", 300, seed=5, threads=2)
    alone = batch("chess", 300, seed=5, threads=1)
    for _ in range(12):
        games.step()
        alone.step()
    assert (games.legal == alone.legal).all()
    assert (games.numbers()[:, -1] == 12).all()
    games.close()


def test_a_position_goes_into_a_lane_and_comes_out() -> None:
    games = batch("chess", 3, threads=1)
    line = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"
    state = games.game.start().play(line)
    games.put(1, state)
    assert games.state(1) == state
    assert games.state(0) == games.game.start()
    games.step([DRAW, games.actions.index("f3g1"), DRAW])
    assert games.state(1) == state.play("f3g1")


def test_games_are_broken_off_for_their_length() -> None:
    games = batch("connect4", 4, threads=1, longest=5)
    for _ in range(4):
        games.step()
        assert not games.over.any()
    games.step()
    assert games.truncated.all()
    assert not games.terminated.any()
    assert (games.rewards == 0).all()
    assert games.counts.tolist() == [7] * 4


def test_a_finished_game_stands_still_if_games_do_not_begin_again() -> None:
    games = batch("tictactoe", 1, threads=1, again=False)
    for text in ("a1", "b1", "a2", "b2", "a3"):
        games.step([games.actions.index(text)])
    assert games.rewards.tolist() == [[1, -1]]
    assert not games.legal.any()
    games.step()
    assert games.rewards.tolist() == [[0, 0]]
    games.reset()
    assert games.legal.all()


def test_more_decisions_than_are_kept_are_listed_again() -> None:
    games = batch("pente", 2, seed=4, threads=1)
    assert (games.counts > 256).all()
    compare(games, 8, seed=1)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 6], r"lane 1: action 6 \(a1\) is not legal there"),
        ([1, 99], "lane 1: action 99 is not legal there"),
        ([1.0, 2.0], r"type float64; a whole number is needed for each lane"),
        ([1], r"shape \(1,\)"),
    ],
)
def test_a_wrong_action_is_refused(actions: list[int], message: str) -> None:
    games = batch("tictactoe", 2, threads=1)
    games.put(1, games.game.start().play("a1"))
    with pytest.raises(LearningError, match=message):
        games.step(actions)


def test_what_cannot_be_played_in_a_batch_is_refused() -> None:
    with pytest.raises(LearningError, match="chess960: the actions cannot be numbered"):
        batch("chess960", 1, chance=SHOWN)
    with pytest.raises(LearningError, match="'often'; it is 'hidden' or 'shown'"):
        batch("pig", 1, chance="often")
    with pytest.raises(LearningError, match="seat 2; there are 2, from 0 on"):
        batch("pig", 1).observe(2)
    with pytest.raises(LearningError, match="lane 0: 9 decisions; sparse=8 has no more"):
        batch("tictactoe", 1, sparse=8)
    with pytest.raises(LearningError, match="sparse=-1; it is 0, or"):
        batch("tictactoe", 1, sparse=-1)
    with pytest.raises(LearningError, match="parts are those of a sparse batch"):
        batch("tictactoe", 1).parts()
    with pytest.raises(LearningError, match="at least 1"):
        batch("hex", 0)
    with pytest.raises(LearningError, match="a position of hex"):
        batch("tictactoe", 1).put(0, load("hex").start())
    with pytest.raises(LearningError, match="the game is over"):
        batch("tictactoe", 1).put(0, load("tictactoe").start().play("a1 b1 a2 b2 a3"))
    with pytest.raises(TypeError, match="no setting 'size'"):
        batch(load("hex"), 1, size=4)


def test_a_fault_of_the_rules_is_reported() -> None:
    rules: Game = loads(FAULTY)
    games = batch(rules, 2, threads=1)
    games.step()
    with pytest.raises(Fault):
        games.step()


@pytest.mark.parametrize("plies", [0, 12])
def test_no_decision_and_no_rule_is_a_fault(plies: int) -> None:
    """Where decisions are listed, and where they are drawn without a list."""
    rules = loads(ROWS_FOR_THREE.replace("draw when stuck\n", "").replace("lines(3)", "lines(4)"))
    games = batch(rules, 20, threads=1, seed=1)
    for _ in range(11 if plies == 0 else 0):
        games.step()
    with pytest.raises(Fault, match="no rule says what follows"):
        games.roll(plies) if plies else games.step()


def test_a_move_of_too_many_choices_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.learning.possible.MOST", 100)
    with pytest.raises(LearningError, match=r"than 100 combinations .*; a turn of several moves"):
        batch("breakthrough", 1)
    assert len(batch("tictactoe", 1).actions) == 9


def test_the_memory_of_a_game_grows_with_its_length_and_not_with_lanes() -> None:
    few, many = (batch("chess", lanes, threads=1, longest=100) for lanes in (1, 8))
    assert few.bytes_each == many.bytes_each
    assert few.bytes_each < batch("chess", 1, threads=1, longest=200).bytes_each


def test_calls_are_shared_by_threads_where_that_is_faster() -> None:
    pace, times = Pace(), {False: 0.003, True: 0.002}
    ways = []
    for _ in range(100):
        ways.append(pace.shares())
        pace.note(ways[-1], times[ways[-1]])
    assert ways.count(False) == 4, "the first, and one of 32"
    times = {False: 0.0002, True: 0.002}  # the slow calls were slow by accident
    for _ in range(33):
        way = pace.shares()
        pace.note(way, times[way])
    assert not any(pace.shares() for _ in range(100))
