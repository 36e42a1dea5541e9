"""Trees that several threads grow: nothing is seen half done, and one thread grows what it did."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.backend import load
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir.parse import SubsetError, parse
from rulewright.compiler.ir.printer import module_text
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players import machine
from rulewright.players.personality import Personality
from rulewright.search.best import best
from rulewright.search.decide import Decider, SearchOptions
from rulewright.search.kernels import amaf as columns
from rulewright.search.kernels import montecarlo as tree
from rulewright.search.results import Limits, SearchResult
from rulewright.search.solve import solve
from rulewright.search.thread_arrays import Root, ThreadArrays
from rulewright.search.trees import ThreadTree, tree_search
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.playing import after
from tests.shared.verify import InvalidKernel, verify

pytestmark = needs_llvm

SIZES: dict[str, dict[str, int]] = {
    "tictactoe": {}, "connect4": {"width": 5, "height": 4}, "spanit": {"size": 3},
    "hex": {"size": 4}, "go": {"size": 5},
}  # fmt: skip
LEARNS = "format 1\npersonality learns for {}\nsearch mcts, nodes 1000, rave 300, explore 10%\n"


@cache
def game(name: str) -> Game:
    return load_with(name, dict(SIZES[name]))


@cache
def engine(name: str, backend: str = "native") -> Engine:
    return Engine(game(name).play, backend)


class Watched(Decider):
    """A search whose trees are kept."""

    def _judged(self, found: ThreadTree, depth: int) -> SearchResult:
        self.tree = found
        return super()._judged(found, depth)


def learning(name: str, folder: Path, seed: int) -> SearchOptions:
    """How a tree learns that nothing but `rave` leads, with machine code."""
    path = folder / "learns.personality"
    path.write_text(LEARNS.format(name))
    told = machine.led_trees(game(name).start(), Personality.load(path, game(name)).model, seed)
    assert told is not None
    return told


def searched(
    state: State, options: SearchOptions, nodes: int, threads: int, memory: int = 1 << 24
) -> Watched:
    """A search that has come to its end."""
    name = state.game.name
    limits = Limits(None, nodes, memory=memory, threads=threads)
    root = Root(state, engine(name))
    found = Watched(engine=engine(name), limits=limits, root=root, options=options)
    found.run()
    return found


# --- one thread ---

PLAIN = {
    ("connect4", 1): ("4", 0.12350877192982457, None, None, 30_000),
    ("spanit", 2): ("M10", 0.3227445997458704, None, None, 30_000),
    ("go", 3): ("d3", -0.2692307692307692, None, None, 30_000),
}
LED = {
    ("hex", 1): ("b3", 0.27298686464877214, None, None, 30_000),
    ("go", 2): ("c2", -0.3218390804597701, None, None, 30_000),
}


def facts(found: SearchResult) -> tuple[Any, ...]:
    return found.move, found.value, found.proven, found.distance, found.nodes


@pytest.mark.parametrize(("name", "seed"), PLAIN)
def test_one_thread_grows_the_tree_that_it_always_grew(name: str, seed: int) -> None:
    """Answers as they were when each thread had a tree of its own."""
    told = SearchOptions("montecarlo", seed)
    found = searched(after(game(name), seed, 3), told, 30_000, 1)
    assert facts(found.result()) == PLAIN[name, seed]


@pytest.mark.parametrize(("name", "seed"), LED)
def test_one_thread_learns_what_it_always_learnt(name: str, seed: int, tmp_path: Path) -> None:
    told = learning(name, tmp_path, seed)
    found = searched(after(game(name), seed, 3), told, 30_000, 1)
    assert facts(found.result()) == LED[name, seed]


# --- several threads ---


def check_nodes(found: Watched) -> int:
    """What holds of every node of a tree that rests; how many there are."""
    grown = found.tree
    nodes, size = grown._nodes, grown._size
    used, room = nodes[tree.USED], found.workers[0].control.room
    assert used <= room
    taken, todo, busy = bytearray(used), [0], 0
    taken[0] = 1
    while todo:
        at = todo.pop() * size
        count, first = nodes[at + tree.CHILDREN], nodes[at + tree.FIRST_CHILD]
        children = range(first, first + count)
        visits = [nodes[child * size + tree.VISITS] for child in children]
        assert sum(visits) <= nodes[at + tree.VISITS]
        assert abs(nodes[at + tree.SUM]) <= nodes[at + tree.VISITS]
        assert nodes[at + tree.BUSY] // tree.OPENING == int(count > 0)
        busy += nodes[at + tree.BUSY] % tree.OPENING
        for child in children:
            assert not taken[child], "two nodes have a child in common"
            taken[child] = 1
        todo += children
    assert all(taken)
    assert busy == sum(max(0, worker.control.path - 1) for worker in found.workers)  # broken off
    return int(used)


def check_decisions(found: Watched, deepest: int, most: int) -> None:
    """The children of nodes are the decisions of their positions, as the reference lists them."""
    nodes, size, root = found.tree._nodes, found.tree._size, found.root
    worker = ThreadArrays(root.engine, 0)
    todo = [(0, root.state)]
    for node, state in todo:
        first, count = nodes[node * size + tree.FIRST_CHILD], nodes[node * size + tree.CHILDREN]
        if not count or state.over:
            continue
        here = Root(state, root.engine)
        here.place(worker)
        begins = [(first + i) * size + tree.HEAD for i in range(count)]
        rows = [tuple(nodes[at + j] for j in range(root.engine.row)) for at in begins]
        assert rows == worker.decision_words(0, worker.rows)
        if state.ply - root.state.ply < deepest and len(todo) < most:
            todo += [(first + i, state.play_decision(move)) for i, move in enumerate(here.moves)]


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("name", ["connect4", "go"])
def test_a_tree_that_threads_have_grown_is_whole(name: str, threads: int) -> None:
    for seed in range(3):
        state = after(game(name), seed, 3)
        found = searched(state, SearchOptions("montecarlo", seed), 60_000, threads)
        check_nodes(found)
        check_decisions(found, 3, 300)


@pytest.mark.parametrize("name", ["hex", "go"])
def test_a_tree_that_threads_have_led_is_whole(name: str, tmp_path: Path) -> None:
    for seed in range(3):
        state, told = after(game(name), seed, 3), learning(name, tmp_path, seed)
        found = searched(state, told, 60_000, 2)
        used = check_nodes(found)
        check_decisions(found, 3, 300)
        later = found.tree._arrays["later"]
        for node in range(1, used):
            games = later[node * columns.WORDS + columns.GAMES]
            assert 0 <= games <= found.tree._nodes[tree.VISITS]


def test_threads_keep_to_one_room() -> None:
    """Where memory runs out nobody takes nodes that another one has."""
    state = after(game("go"), 1, 3)
    found = searched(state, SearchOptions("montecarlo", 1), 60_000, 3, memory=60_000)
    assert check_nodes(found) > 300


def test_results_that_threads_prove_are_right() -> None:
    """A draw or a loss needs all decisions, which the threads settle together."""
    proven = 0
    for name, nodes, plies in (("tictactoe", 20_000, 4), ("spanit", 60_000, 5)):
        for seed in range(6):
            state = after(game(name), seed, plies)
            found = searched(state, SearchOptions("montecarlo", seed), nodes, 3).result()
            if found.proven is not None:
                proven += 1
                solved = solve(state, shortest=True)
                assert found.proven == solved.value
                if found.proven == "win":  # it need not be the shortest
                    assert (found.distance or 0) >= (solved.distance or 0)
    assert proven > 3


def test_threads_that_learn_prove_what_is_so(tmp_path: Path) -> None:
    told = learning("hex", tmp_path, 1)
    for seed in range(4):
        state = after(game("hex"), seed, 5)
        found = searched(state, told, 100_000, 3).result()
        if found.proven is not None:
            assert found.proven == solve(state).value


def test_threads_search_in_plain_python_too() -> None:
    """There nothing is one instruction: adding takes a lock."""
    state, machinery = after(game("tictactoe"), 1, 3), engine("tictactoe", "python")
    found = Watched(
        engine=machinery, limits=Limits(None, 1500, threads=3), root=Root(state, machinery),
        options=SearchOptions("montecarlo", 1),
    )  # fmt: skip
    assert found.run().move in state.moves.texts
    check_nodes(found)


# --- what one thread sees of the others ---


@pytest.fixture(params=["python", "native"])
def planted(request: pytest.FixtureRequest) -> SimpleNamespace:
    """The tree of two threads with its root opened."""
    machinery = engine("connect4", request.param)
    root, trees = Root(game("connect4").start(), machinery), list[ThreadTree]()
    first = ThreadArrays(machinery, 0, more=(tree_search(),))
    for worker in (first, ThreadArrays(machinery, 0, shared=first)):
        worker.allow(1000, 1000)
        trees.append(ThreadTree(root, worker, 1 << 18, 5, trees[0] if trees else None))
        trees[-1].plant({})
    return SimpleNamespace(one=trees[0], other=trees[1], nodes=trees[0]._nodes, size=trees[0]._size)


def descended(grown: ThreadTree) -> list[int]:
    """The nodes of a walk from the root."""
    grown.worker.call("back", 0)
    path = grown._arrays["path"]
    path[0] = 0
    length = grown.worker.call("descend", *grown._arrays.values(), 1, 0.8)
    return [path[k] for k in range(length)]


def test_a_node_that_another_thread_opens_is_a_leaf(planted: SimpleNamespace) -> None:
    nodes, size = planted.nodes, planted.size
    child = descended(planted.one)[1]
    for other in range(1, nodes[tree.CHILDREN] + 1):
        nodes[other * size + tree.VISITS] = 1000
    nodes[child * size + tree.VISITS] = 1
    nodes[child * size + tree.BUSY] = tree.OPENING
    before = nodes[tree.USED]
    assert descended(planted.other) == [0, child]
    assert (nodes[child * size + tree.CHILDREN], nodes[tree.USED]) == (0, before)
    nodes[child * size + tree.BUSY] = 0
    assert len(descended(planted.other)) == 3
    assert nodes[child * size + tree.CHILDREN] > 0
    assert nodes[tree.USED] > before


def test_threads_go_different_ways(planted: SimpleNamespace) -> None:
    """Where another one is looks lost until its game is counted."""
    ways = {descended(who)[1] for who in (planted.one, planted.other, planted.one, planted.other)}
    assert len(ways) == 4
    for child in ways:
        assert planted.nodes[child * planted.size + tree.BUSY] == 1


def test_what_loses_altogether_is_settled_by_whoever_comes(planted: SimpleNamespace) -> None:
    """All children are lost, and who found it has not told the node yet: it is a leaf."""
    nodes, size = planted.nodes, planted.size
    for child in range(1, nodes[tree.CHILDREN] + 1):
        nodes[child * size + tree.SETTLED] = 2 | 3 << tree.AWAY
    assert descended(planted.other) == [0]
    assert planted.one.worker.call("concluded", nodes, 0) == 2 | 4 << tree.AWAY


def test_where_all_that_is_considered_loses_games_go_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left out keeps a node open, and there is no child to go to."""
    machinery = engine("tictactoe", "python")
    monkeypatch.setattr(machine, "load_engine", lambda _, **_more: machinery)
    root, told = Root(game("tictactoe").start(), machinery), learning("tictactoe", tmp_path, 1)
    before = Watched(engine=machinery, limits=Limits(None, 1), root=root, options=told)
    before.run()
    assert told.guide is not None
    assert told.guide.grown is not None
    worker = before.workers[0]
    grown = ThreadTree(root, worker, 1 << 18, 5, grown=told.guide.grown)
    worker.allow(300, 300)
    worker.leave()
    grown.plant({})
    for child in range(1, grown._nodes[tree.CHILDREN] + 1):
        grown._nodes[child * grown._size + tree.SETTLED] = 2
    grown._arrays["later"][columns.OMITTED] = 1
    next(grown.grow())
    assert grown._nodes[tree.SETTLED] == 0
    assert grown._nodes[tree.VISITS] == grown.games > 10


# --- adding in one step ---


@pytest.mark.parametrize("backend", ["python", "native"])
def test_threads_that_add_lose_nothing(backend: str) -> None:
    machinery = engine("tictactoe", backend)
    worker = ThreadArrays(machinery, 0, more=(tree_search(),))
    words, add = worker.ints(2), worker.kernels["fetch_add"]

    def work(_: int) -> list[int]:
        return [add(words, 1, 1) for _ in range(2000)]

    with ThreadPoolExecutor(4) as pool:
        seen = [value for part in pool.map(work, range(4)) for value in part]
    assert sorted(seen) == list(range(8000))
    assert (words[0], words[1]) == (0, 8000)


def test_it_is_one_instruction_and_stays_so_as_text() -> None:
    from rulewright.compiler.backend.llvm import translate

    module = load(tree).module
    again = parse(module_text(module), module.outside)
    for found in (module, again):
        verify(found)
        assert found.functions["fetch_add"].atomic
        assert translate(found).count("atomicrmw add") == 1


@pytest.mark.parametrize(
    "body",
    [
        "old = words[at]\n    words[at] = old + 1\n    return old",
        "old = words[at]\n    words[more] = old + more\n    return old",
        "old = words[at]\n    words[at] = old - more\n    return old",
        "old = words[at]\n    words[at] = old + more\n    return more",
        "return words[at]",
    ],
)
def test_what_else_is_called_atomic_is_refused(body: str) -> None:
    text = f"@atomic\ndef f(words: ints, at: i64, more: i64) -> i64:\n    {body}\n"
    with pytest.raises(InvalidKernel, match="does not add"):
        verify(parse(text))


def test_no_other_decorator_is_known() -> None:
    with pytest.raises(SubsetError, match="`@apart` or `@atomic`"):
        parse("@alone\ndef f(a: i64) -> i64:\n    return a\n")


@settings(max_examples=tries(40), deadline=None)
@given(name=st.sampled_from([*SIZES]), seed=st.integers(0, 2**32))
def test_a_decision_that_wins_at_once_is_seen_before_any_game(name: str, seed: int) -> None:
    state, random = game(name).start(), Random(seed)
    before, wins = state, set[str]()
    while not state.over and not wins:
        wins = {
            move
            for move in state.moves.texts
            for after in [state.play_decision(move)]
            if after.result is not None and after.result.winner == state.mover
        }
        before = state
        state = state.play_decision(random.choice(state.moves.texts))
    if wins:
        few = Limits(None, nodes=len(before.moves.texts) + 1)
        result = best(before, few, seed, "montecarlo")
        assert (result.proven, result.move in wins) == ("win", True)
