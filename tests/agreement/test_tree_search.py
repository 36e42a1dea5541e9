"""Tree search in batches: its trees are those of a plain search over `State`, and it finds wins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import State, batch, load, loads
from rulewright.learning import tree_search
from rulewright.learning.batch import CHANCE, DRAW, SHOWN, STAND, Batch
from rulewright.learning.lane_arrays import LearningError
from rulewright.learning.tree_search import PUCT, Gumbel, completions, halving, softmax
from rulewright.search.expected import expected_value
from rulewright.search.several import worths_of
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.seats import GAMES, HEAD
from tests.shared.tiny import DICE_FOR_THREE, ROWS_FOR_THREE

pytestmark = needs_llvm
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
SEARCHES = [PUCT, Gumbel]
search_kinds = pytest.mark.parametrize("kind", SEARCHES)


def alike(games: Batch) -> tuple[Array, Array]:
    """Say the same of all actions, and 0 of all positions."""
    return np.zeros((games.lanes, len(games.actions)), np.float32), np.zeros(games.lanes)


def odd(games: Batch) -> tuple[Array, Array]:
    """Say something of actions and of positions that depends on every piece."""
    seen = games.observe().reshape(games.lanes, -1).astype(np.float64)
    sites, actions = np.arange(1, seen.shape[1] + 1), np.arange(len(games.actions))
    number = (seen * np.sin(sites * 1.7)).sum(axis=1)
    logits = np.sin(number[:, None] * 3 + actions * 2.3).astype(np.float32)
    values = np.sin(number * 5) * 0.9
    seats = len(games.game.players)
    return logits, values if seats == 2 else np.sin(number[:, None] * 5 + np.arange(seats)) * 0.9


@define
class Node:
    """A node of a plain search over `State`; *sums* has the values for each seat."""

    state: State
    sums: Array
    prior: float = 1.0
    visits: int = 0
    children: dict[str, Node] = field(factory=dict)

    @property
    def seat(self) -> int:
        return int(self.state.situation.position.mover ^ self.state.swapped)


@define
class PlainSearch:
    """PUCT as it is written down, a game at a time; *word* is what chance is drawn from."""

    probe: Batch
    word: int
    exploration: float = 1.25

    def visits(self, state: State, simulations: int) -> dict[str, int]:
        root = self._node(state)
        for _ in range(simulations + 1):
            path = [root]
            while path[-1].children or path[-1].state.by_chance:
                path.append(self._chosen(path[-1]))
            values = self._values(path[-1])
            for node in path:
                node.visits += 1
                node.sums += values
        return {text: child.visits for text, child in root.children.items()}

    def _node(self, state: State, prior: float = 1.0) -> Node:
        return Node(state, np.zeros(len(state.game.players)), prior)

    def _chosen(self, node: Node) -> Node:
        if node.state.by_chance:
            if not node.children:
                chances = node.state.probabilities()
                self._grow(node, {text: float(share) for text, share in chances.items()})
            return self._drawn([*node.children.values()])

        def bound(child: Node) -> float:
            source = child if child.visits else node
            pull = self.exploration * math.sqrt(node.visits) * child.prior / (1 + child.visits)
            return float(source.sums[node.seat]) / source.visits + pull

        return max(node.children.values(), key=bound)

    def _drawn(self, children: list[Node]) -> Node:
        """Draw an outcome of chance by Marsaglia's xorshift and the last number of its state."""
        self.word ^= self.word >> 12
        self.word ^= self.word << 25 & 2**64 - 1
        self.word ^= self.word >> 27
        rank = (self.word * 2685821657736338717 >> 32 & 2**32 - 1) / 2**32
        for child in children[:-1]:
            rank -= child.prior
            if rank < 0:
                return child
        return children[-1]

    def _grow(self, node: Node, weights: Mapping[str, float]) -> None:
        for text, weight in weights.items():
            node.children[text] = self._node(node.state.play_decision(text), weight)

    def _values(self, node: Node) -> Array:
        """The values of a leaf by seat; an open one gets its children."""
        if node.state.over:
            return worths(node.state)
        self.probe.put(0, node.state)
        logits, values = odd(self.probe)
        weights = softmax(np.where(self.probe.legal, logits, np.float32(-1e30)))[0].astype(float)
        numbers = {text: self.probe.actions.index(text) for text in node.state.moves.texts}
        self._grow(node, {text: float(weights[number]) for text, number in numbers.items()})
        value: Array = values[0].astype(np.float32).astype(float)
        if values.ndim > 1:
            return value
        return np.array([value, -value] if node.seat == 0 else [-value, value])


def worths(state: State) -> Array:
    """What the end of a game is worth to each seat."""
    outcome = state.situation.outcome
    assert outcome is not None
    if len(state.game.players) > 2:
        return np.array([float(worth) for worth in worths_of(outcome, len(state.game.players))])
    if outcome.winner is None:
        return np.zeros(2)
    first = 1.0 - 2.0 * (outcome.winner ^ state.swapped)
    return np.array([first, -first])


TREE_GAMES = ["tictactoe", "connect4", "conniption", "go", "hex", "draughts", "pig", "ur"]
NAMES_OF_SEVERAL = ["rows", "market", "four"]
SEVERAL = [
    ROWS_FOR_THREE,
    DICE_FOR_THREE,
    HEAD + GAMES["who has no piece is out, and so is who is stuck"],
]


@pytest.mark.parametrize("text", [*TREE_GAMES, *SEVERAL], ids=[*TREE_GAMES, *NAMES_OF_SEVERAL])
@settings(max_examples=tries(3), deadline=None)
@given(plies=st.integers(0, 30), seed=st.integers(0, 99))
def test_trees_are_those_of_a_plain_search(text: str, plies: int, seed: int) -> None:
    """Whoever moves twice, exchanges colours or looks back included, dice and three seats, too."""
    options = {"size": 4} if text in {"hex", "go"} else {}
    games = batch(loads(text) if "\n" in text else load(text, **options), 2, seed=seed, threads=1)
    for _ in range(plies):
        games.step()
    search = PUCT(games, 24)
    words = search.leaves._arrays.arrays["chance"][:, 0].astype(np.uint64).tolist()
    counts = search.run(odd)
    for lane in range(2):
        plain = PlainSearch(batch(games.game, 1, threads=1), words[lane])
        expected = plain.visits(games.state(lane), 24)
        visits = counts.visits[lane]
        assert {games.actions[int(i)]: visits[i] for i in np.flatnonzero(visits)} == {
            text: number for text, number in expected.items() if number
        }


def placid(games: Batch) -> tuple[Array, Array]:
    """Say the same of all actions, and what `odd` says of positions."""
    logits, values = odd(games)
    return np.zeros_like(logits), values


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "ur"])
def test_places_in_a_list_grow_the_same_tree_as_numbers(name: str) -> None:
    """Without noise, which is drawn by action and would fall on other decisions."""
    trees = []
    for sparse in (0, 60):
        games = batch(name, 2, seed=4, threads=1, sparse=sparse)
        for _ in range(5):
            games.step([min(games.decisions(lane).values()) for lane in range(2)])
        search = PUCT(games, 40)
        trees.append(
            [
                {text: float(counts[number]) for text, number in games.decisions(lane).items()}
                for lane, counts in enumerate(search.run(placid).visits)
            ]
        )
    assert trees[0] == trees[1]
    assert all(sum(tree.values()) == 40 for tree in trees[0])


def test_a_search_throws_other_dice_than_its_game() -> None:
    games = batch("pig", 50, threads=1)
    search = PUCT(games, 4)
    after = search.leaves._arrays.arrays["chance"][:, 0] == games._arrays.arrays["chance"][:, 0]
    assert not after.any()


@search_kinds
def test_values_come_near_to_those_of_all_ways_to_go_on(kind: type[PUCT]) -> None:
    """Of dice and three players: no other decision is worth more, and the best is worth so much."""
    games = batch(loads(DICE_FOR_THREE), 6, threads=1, seed=1)
    games.step([0, 1, 2, 3, 0, 1])
    counts = kind(games, 1500).run(nothing)
    for lane in range(games.lanes):
        state, action = games.state(lane), int(counts.actions[lane])
        seat = int(games.seats[lane])
        worth = {text: of_all(state.play_decision(text))[seat] for text in state.moves.texts}
        best = max(worth.values())
        assert worth[games.actions[action]] > best - 0.05
        assert counts.values[lane, action] == pytest.approx(best, abs=0.15)


def of_all(state: State) -> Array:
    """What a position is worth to each player who looks for the most, by all ways to go on."""
    value = expected_value(state)
    return np.array([float(worth) for worth in value.each or value.sure])


def nothing(games: Batch) -> tuple[Array, Array]:
    """Say the same of all actions, and nothing of positions of several players."""
    return np.zeros((games.lanes, len(games.actions))), np.zeros((games.lanes, 3))


def test_where_chance_decides_its_action_is_drawn() -> None:
    games = batch("pig", 2, threads=1, chance=SHOWN, seed=1)
    games.step([DRAW, STAND])
    counts = PUCT(games, 10).run(alike)
    assert counts.visits.sum(axis=1).tolist() == [10, 0]
    assert counts.actions[1] == DRAW
    games.step(counts.actions)
    assert games.seats.tolist() != [0, CHANCE]


def test_secrets_are_refused_with_a_way_out() -> None:
    with pytest.raises(LearningError, match="`completions` gives positions that fit"):
        PUCT(batch("kuhn", 1, threads=1))


@pytest.mark.parametrize("card", ["3", "2"])
def test_completions_play_poker_without_a_look_at_the_cards(card: str) -> None:
    """After a pass and a bet a king calls, and so does a queen, whatever the other card is."""
    visits = {}
    for other in {"1", "2", "3"} - {card}:
        state = load("kuhn").start().play(f"{card}{other} pass bet")
        games = completions(state, 40, seed=2, threads=1)
        counts = PUCT(games, 30).run(alike)
        visits[other] = dict(
            zip(games.actions.texts, counts.visits.sum(axis=0).tolist(), strict=True)
        )
    first, second = visits.values()
    assert first == second
    assert first["bet"] > first["pass"]


@search_kinds
@pytest.mark.parametrize("name", ["tictactoe", "connect4", "breakthrough"])
def test_wins_in_one_are_chosen(name: str, kind: type[PUCT]) -> None:
    games = batch(name, 60, seed=4, threads=1)
    wide = {"considered": 99} if kind is Gumbel else {}
    search, won = kind(games, 200, **wide), 0
    for _ in range(8 if name == "tictactoe" else 40):
        games.step()
    counts = search.run(alike)
    for lane in range(games.lanes):
        state, action = games.state(lane), int(counts.actions[lane])
        ends = {text for text in state.moves.texts if wins(state, text)}
        if ends:
            assert games.actions[action] in ends
            assert counts.values[lane, action] == 1
            won += 1
    assert won


def wins(state: State, text: str) -> bool:
    after = state.play_decision(text)
    return after.result is not None and after.result.winner == state.mover


@search_kinds
def test_visits_are_the_simulations(kind: type[PUCT]) -> None:
    games = batch("othello", 5, threads=1, seed=2)
    for _ in range(9):
        games.step()
    counts = kind(games, 33).run(odd)
    assert (counts.visits.sum(axis=1) == 33).all()
    assert not counts.visits[~games.legal].any()
    assert counts.policy.sum(axis=1) == pytest.approx(1)
    assert not counts.policy[~games.legal].any()
    assert games.legal[np.arange(5), counts.actions].all()


@search_kinds
def test_lanes_search_alike_however_many_they_are(kind: type[PUCT]) -> None:
    """Noise of roots included; and on threads as without."""
    few, many = (batch("hex", n, seed=7, threads=t) for n, t in ((3, 1), (40, 2)))
    noise = {} if kind is Gumbel else {"noise": 0.25}
    searches = [kind(games, 20, **noise) for games in (few, many)]
    for _ in range(3):
        counts, others = (search.run(odd) for search in searches)
        assert (counts.visits == others.visits[:3]).all()
        assert (counts.visits[0] != counts.visits[1]).any()
        few.step(counts.actions)
        many.step(others.actions)
    for search in searches:
        search.close()


@search_kinds
def test_a_lane_whose_game_is_over_has_no_visits(kind: type[PUCT]) -> None:
    games = batch("tictactoe", 2, threads=1, again=False)
    for text in ("a1", "b1", "a2", "b2", "a3"):
        games.step([games.actions.index(text), STAND])
    counts = kind(games, 10).run(alike)
    assert counts.visits.sum(axis=1).tolist() == [0, 10]
    assert not counts.policy[0].any()


def test_a_leaf_without_room_stays_a_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "_BRANCHES", 1)
    counts = PUCT(batch("hex", 2, threads=1), 100).run(odd)
    assert (counts.visits.sum(axis=1) == 100).all()


def test_what_an_evaluation_may_not_say_is_refused() -> None:
    search = PUCT(batch("tictactoe", 2, threads=1), 4)
    with pytest.raises(LearningError, match=r"logits of shape \(2, 4\); \(2, 9\) is needed"):
        search.run(lambda games: (np.zeros((2, 4)), np.zeros(2)))
    with pytest.raises(LearningError, match="2 values from -1 to 1 are needed"):
        search.run(lambda games: (np.zeros((2, 9)), np.full(2, 7.0)))
    with pytest.raises(LearningError, match="at least 1 is needed"):
        PUCT(batch("tictactoe", 2, threads=1), 0)


@given(tried=st.integers(1, 40), simulations=st.integers(1, 300))
def test_halving_tries_all_alike_and_then_the_better_half(tried: int, simulations: int) -> None:
    """A turn is for an action with as many visits as it says: such an action is there."""
    turns, visits = halving(tried, simulations), [0] * tried
    assert len(turns) == simulations
    for turn in turns:
        visits[visits.index(turn)] += 1
    if simulations >= tried:
        assert min(visits) >= 1
