"""Tree search in batches: its trees are those of a plain search over `State`, and it finds wins."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import State, batch, load
from rulewright.learning import tree_search
from rulewright.learning.batch import STAND, Batch
from rulewright.learning.lane_arrays import LearningError
from rulewright.learning.tree_search import PUCT, Gumbel, halving, softmax
from tests.shared.backends import needs_llvm

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
    return logits, np.sin(number * 5) * 0.9


@define
class Node:
    """A node of a plain search over `State`."""

    state: State
    prior: float = 1.0
    visits: int = 0
    sum: float = 0.0
    children: dict[str, Node] = field(factory=dict)

    @property
    def seat(self) -> int:
        return int(self.state.situation.position.mover ^ self.state.swapped)


@define
class PlainSearch:
    """PUCT as it is written down, a game at a time."""

    probe: Batch
    exploration: float = 1.25

    def visits(self, state: State, simulations: int) -> dict[str, int]:
        root = Node(state)
        for _ in range(simulations + 1):
            path = [root]
            while path[-1].children:
                path.append(self._chosen(path[-1]))
            value = self._value(path[-1])
            for node in path:
                node.visits += 1
                node.sum += value
        return {text: child.visits for text, child in root.children.items()}

    def _chosen(self, node: Node) -> Node:
        side = 1 if node.seat == 0 else -1

        def bound(child: Node) -> float:
            source = child if child.visits else node
            pull = self.exploration * math.sqrt(node.visits) * child.prior / (1 + child.visits)
            return side * source.sum / source.visits + pull

        return max(node.children.values(), key=bound)

    def _value(self, node: Node) -> float:
        """The value of a leaf for seat 0; an open one gets its children."""
        if node.state.over:
            winner = node.state.situation.outcome.winner  # type: ignore[union-attr]
            return 0.0 if winner is None else 1.0 - 2.0 * (winner ^ node.state.swapped)
        self.probe.put(0, node.state)
        logits, values = odd(self.probe)
        weights = softmax(np.where(self.probe.legal, logits, np.float32(-1e30)))[0].astype(float)
        for text in node.state.moves.texts:
            prior = float(weights[self.probe.actions.index(text)])
            node.children[text] = Node(node.state.play_decision(text), prior)
        return float(np.float32(values[0])) * (1 if node.seat == 0 else -1)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "conniption", "go", "hex", "draughts"])
@settings(max_examples=3, deadline=None)
@given(plies=st.integers(0, 30), seed=st.integers(0, 99))
def test_trees_are_those_of_a_plain_search(name: str, plies: int, seed: int) -> None:
    """Whoever moves twice, exchanges colours or looks back included."""
    options = {"size": 4} if name in {"hex", "go"} else {}
    games = batch(load(name, **options), 2, seed=seed, threads=1)
    for _ in range(plies):
        games.step()
    counts = PUCT(games, 24).run(odd)
    plain = PlainSearch(batch(games.game, 1, threads=1))
    for lane in range(2):
        expected = plain.visits(games.state(lane), 24)
        visits = counts.visits[lane]
        assert {games.actions[int(i)]: visits[i] for i in np.flatnonzero(visits)} == {
            text: number for text, number in expected.items() if number
        }


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
