"""The search in kernels: one text in Python and as machine code, and what it must agree with."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.backend import Linked
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir.parse import parse
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with, loads
from rulewright.search.best import best
from rulewright.search.kernels import montecarlo, table
from rulewright.search.kernels import thread as at
from rulewright.search.results import MEBIBYTE, Limits, person
from rulewright.search.solve import solve
from rulewright.search.thread_arrays import INFINITE, LinkedEvaluator, Root, ThreadArrays
from rulewright.search.trees import ThreadTree, tree_search
from tests.shared.backends import needs_llvm
from tests.shared.bundled import SMALL
from tests.shared.effort import tries
from tests.shared.playing import after
from tests.shared.sample import chosen

pytestmark = needs_llvm

GAMES = sorted(set(chosen()) - {"chess"})
ARRAYS = "S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats"
HASHED = f"""
def position_key(S: ints) -> i64:
    return 0


def value({ARRAYS}) -> f64:
    return real(position_key(S) & 63) - 32.0 + F[0]
"""
"""An evaluator without sense: as good as random, but the same for equal positions."""


def nonsense(judges_ends: bool = False) -> LinkedEvaluator:
    text = HASHED.partition("def value")
    outside = {"position_key": parse(text[0]).functions["position_key"].signature}
    linked = Linked(text[1] + text[2], outside)
    return LinkedEvaluator(linked, (0.25,), judges_ends)


@cache
def game(name: str) -> Game:
    more = {"tictactoe": {}, "connect4": {"width": 5, "height": 4}, **SMALL}
    return load_with(name, dict(more.get(name, {})))


@cache
def engine(name: str, backend: str = "native") -> Engine:
    return Engine(game(name).play, backend)


def random_state(name: str, seed: int, plies: int) -> State:
    return after(game(name), seed, plies + 1)


def whole_value(worker: ThreadArrays, row: int, depth: int) -> tuple[float, bool]:
    """The value of a decision with a full window, found in one go."""
    try:
        next(worker.value(row, depth, -INFINITE, INFINITE))
    except StopIteration as end:
        found: tuple[float, bool] = end.value
        return found
    raise AssertionError("nothing limits it")


def root_values(
    name: str, state: State, depth: int, backend: str = "native", **control: int
) -> tuple[list[float], int]:
    """The value of every decision with a full window, and the nodes that took."""
    judge = nonsense(judges_ends=bool(control.pop("ends", 0)))
    worker = ThreadArrays(engine(name, backend), 1 << 14, judge)
    warm = control.pop("warm", 0)
    for key, value in control.items():
        setattr(worker.control, key, value)
    Root(state, engine(name, backend)).place(worker)
    rows = range(worker.rows)
    for row in rows[:warm]:
        whole_value(worker, row, depth + 1)  # leaves deeper entries in the table
    found = [whole_value(worker, row, depth)[0] for row in rows]
    return found, worker.nodes


def by_the_reference(state: State) -> State:
    """The same state, which the reference alone plays on."""
    first = state.game.start("reference")
    return first.play(" ".join(state.decisions())) if state.before else first


def minimax(name: str, state: State, who: int, depth: int, turns: bool, level: int = 1) -> float:
    """The value for a person, the obvious way: over the reference, with no window."""
    if state.over:
        assert state.situation.outcome is not None
        winner = state.situation.outcome.winner
        if winner is None:
            return 0.0
        mine = winner ^ state.situation.position.swapped == who
        return float(at.WIN - level) if mine else -float(at.WIN - level)
    if depth == 0:
        return judged(name, state, who)
    values = []
    for move in state.moves.texts:
        later = state.play_decision(move)
        left = depth - int(not turns or later.ply != state.ply)
        values.append(minimax(name, later, who, left, turns, level + 1))
    return max(values) if person(state) == who else min(values)


@cache
def judge_space(name: str) -> ThreadArrays:
    return ThreadArrays(engine(name), 1 << 12, nonsense())


def judged(name: str, state: State, who: int) -> float:
    position = state.situation.position
    worker = judge_space(name)
    key = worker.key_of(engine(name).encode(position))
    value = float(key & 63) - 32.0 + 0.25
    return value if int(position.swapped) == who else -value


seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("name", GAMES)
def test_python_and_machine_code_count_the_same_nodes(name: str) -> None:
    state = random_state(name, 7, 6)
    depth = 1 if len(state.moves) > 60 else 2
    native = root_values(name, state, depth)
    assert native == root_values(name, state, depth, "python")
    assert native[1] >= len(state.moves)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "conniption", "dots", "hex"])
@pytest.mark.parametrize("turns", [False, True])
@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds)
def test_alpha_beta_gives_minimax_values(name: str, turns: bool, seed: int) -> None:
    state = random_state(name, seed, 12)
    depth = 2 if name in ("tictactoe", "connect4") else 1
    depth -= int(turns and name in ("conniption", "dots"))
    mode = at.NO_TABLE if game(name).rules.looks_back else at.SAME_DEPTH
    found, _ = root_values(name, state, depth + 1, table=mode, turns=int(turns))
    who, wanted = person(state), []
    slow = by_the_reference(state)
    for move in slow.moves.texts:
        later = slow.play_decision(move)
        left = depth + 1 - int(not turns or later.ply != state.ply)
        wanted.append(minimax(name, later, who, left, turns))
    assert found == wanted


@pytest.mark.parametrize("moves", ["b2", "b2 swap", "c3 swap a1"])
def test_values_belong_to_persons_when_colours_are_exchanged(moves: str) -> None:
    state = game("hex").start().play(moves)
    found, _ = root_values("hex", state, 2, table=at.SAME_DEPTH)
    slow = by_the_reference(state)
    later = [slow.play_decision(move) for move in slow.moves.texts]
    assert found == [minimax("hex", one, person(state), 1, turns=False) for one in later]


@pytest.mark.parametrize("name", ["connect4", "othello", "breakthrough", "twixt", "pentago"])
@settings(max_examples=tries(5), deadline=None)
@given(seed=seeds, ends=st.booleans())
def test_scouts_table_and_looks_change_no_value(name: str, seed: int, ends: bool) -> None:
    state = random_state(name, seed, 20)
    depth = 2 if len(state.moves) > 20 else 4
    plain, most = root_values(
        name, state, depth, table=at.NO_TABLE, scout=0, look=999, ends=int(ends)
    )
    full, _ = root_values(name, state, depth, table=at.SAME_DEPTH, ends=int(ends), warm=4)
    assert plain == full
    assert most > 0


@settings(max_examples=tries(15), deadline=None)
@given(seed=seeds)
def test_the_table_proves_what_a_search_without_it_proves(seed: int) -> None:
    state = random_state("connect4", seed, 16)
    values = []
    for mode in (at.NO_TABLE, at.AT_LEAST):
        worker = ThreadArrays(engine("connect4"), 1 << 14)
        worker.control.table = mode
        Root(state, engine("connect4")).place(worker)
        values.append([whole_value(worker, row, 6) for row in range(worker.rows)])
    for (first, sure), (second, also) in zip(*values, strict=True):
        if sure:
            assert also
            assert first == second or abs(second) > at.SURE


# --- hashes ---


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=1, deadline=None)
@given(seed=seeds)
def test_equal_states_have_equal_hashes_and_others_differ(name: str, seed: int) -> None:
    kernels, worker = engine(name), judge_space(name)
    found = dict[int, list[int]]()
    state, random = game(name).start(), Random(seed)
    for _ in range(20):
        if state.over:
            break
        words = kernels.encode(state.situation.position)
        key = worker.key_of(words)
        assert 0 <= key < 2**62
        assert key == worker.key_of(list(words))
        parts = [words[i] for i in significant(kernels)]
        assert found.setdefault(key, parts) == parts
        state = state.play_decision(random.choice(state.moves.texts))


def significant(kernels: Engine) -> list[int]:
    from rulewright.compiler import layout as p
    from rulewright.compiler.lower.keys import key_offsets

    return [*key_offsets(kernels.plan), p.MOVER, p.SWAPPED, p.AGAIN, p.FRESH, p.REST]


def test_ways_to_one_position_have_one_hash() -> None:
    worker = judge_space("connect4")
    start = game("connect4").start()
    keys = {
        worker.key_of(engine("connect4").encode(start.play(moves).situation.position))
        for moves in ("1 2 3 4", "3 2 1 4", "1 4 3 2", "3 4 1 2")
    }
    assert len(keys) == 1


def test_the_persons_and_the_number_of_turns_count_where_they_matter() -> None:
    pie = load_with("hex", {"size": 4, "pie": True})
    kernels = Engine(pie.play)
    worker = ThreadArrays(kernels, 1 << 12)
    taken = pie.start().play("a1 swap")
    kept = taken.situation.position
    words = kernels.encode(kept)
    assert worker.key_of(words) != worker.key_of(
        [w if i != 5 else 1 - w for i, w in enumerate(words)]
    )


# --- tree search ---


@settings(max_examples=tries(10), deadline=None)
@given(seed=seeds)
def test_tree_search_finds_forced_wins(seed: int) -> None:
    state = random_state("connect4", seed, 14)
    proven = best(state, Limits(None, depth=4), algorithm="alphabeta")
    found = best(state, Limits(None, nodes=40_000), algorithm="montecarlo", seed=seed)
    if proven.proven == "win":
        assert found.proven == "win"
        assert found.value == 1.0
        after = best(state, Limits(None, depth=25), algorithm="alphabeta")
        assert after.proven == "win"
    if found.proven is not None:
        assert best(state, Limits(None, depth=25), algorithm="alphabeta").proven == found.proven


@settings(max_examples=tries(12), deadline=None)
@given(seed=seeds)
def test_trees_that_are_settled_are_right(seed: int) -> None:
    state = random_state("tictactoe", seed, 6)
    found = best(state, Limits(None, nodes=200_000), algorithm="montecarlo", seed=seed)
    assert found.proven == solve(state).value or (state.ply < 5 and found.proven is None)


@pytest.mark.parametrize("name", ["tictactoe", "conniption", "dots", "twixt"])
def test_trees_are_the_same_in_python(name: str) -> None:
    state, grown = random_state(name, 3, 4), []
    for backend in ("python", "native"):
        kernels = engine(name, backend)
        root, worker = Root(state, kernels), ThreadArrays(kernels, 0, more=(tree_search(),))
        worker.allow(1500, 1500)
        tree = ThreadTree(root, worker, 1 << 18, seed=5)
        tree.plant({})
        next(tree.grow())
        rows = range(len(root.moves))
        grown.append((worker.nodes, tree.games, [tree.child(row) for row in rows]))
    assert grown[0] == grown[1]
    assert grown[0][1] > 5


def test_a_tree_keeps_to_its_room() -> None:
    state, kernels = game("twixt").start(), engine("twixt")
    worker = ThreadArrays(kernels, 0, more=(tree_search(),))
    worker.allow(200_000, 200_000)
    tree = ThreadTree(Root(state, kernels), worker, 20_000, seed=1)
    tree.plant({})
    next(tree.grow())
    assert tree._nodes[montecarlo.USED] <= worker.control.room <= 20_000 // 8
    assert worker.nodes == 200_000


# --- faults ---

FAULTY = """
format 1
game faulty
players red blue
board square 4 by 2
pieces stone
state lives = 3 in 0..3
move place
  choose cell in empty
  put stone at cell
  lives := lives - 1
turn place
win when no empty
"""


@pytest.mark.parametrize("algorithm", ["auto", "alphabeta", "exact", "montecarlo"])
def test_a_fault_of_the_rules_ends_the_search(algorithm: str) -> None:
    state = loads(FAULTY, "faulty.rules").start()
    with pytest.raises(Fault) as caught:
        best(state, Limits(None, nodes=50_000), algorithm=algorithm)
    assert caught.value.code == "out-of-range"


def test_memory_is_what_was_asked_for() -> None:
    worker = ThreadArrays(engine("tictactoe"), 3 * MEBIBYTE)
    assert (worker.control.widest + 1) * 32 == 2 * MEBIBYTE


@settings(max_examples=tries(10), deadline=None)
@given(keys=st.lists(st.integers(0, 2**62 - 1), unique=True, max_size=200))
def test_a_table_that_grows_knows_what_it_knew(keys: list[int]) -> None:
    worker = ThreadArrays(engine("tictactoe"), 4 * MEBIBYTE)
    c, kernels = worker.control, worker.kernels
    small = c.mask
    for key in keys:
        kernels["tt_store"](worker.table, key, c.mask, 3, 0, 1.0, table.EXACT, 0, 7)
    known = [key for key in keys if kernels["tt_probe"](worker.table, key, c.mask) >= 0]
    while c.mask < c.widest:
        c.new_entries = c.mask * 2
        kernels["make_room"](*worker.arrays)
        kernels["make_room"](*worker.arrays)
        assert [k for k in known if kernels["tt_probe"](worker.table, k, c.mask) < 0] == []
    assert c.widest > small
    assert len(keys) == 0 or known


def test_threads_make_room_in_a_table_together_and_one_alone_copies_it() -> None:
    one = ThreadArrays(engine("tictactoe"), 4 * MEBIBYTE)
    other = ThreadArrays(one.engine, 4 * MEBIBYTE, shared=one)
    one.control.others = other.control.others = 1
    small, kernels = one.control.mask, one.kernels
    keys = [7, small + 8, 2**61 + 5]
    for key in keys:
        kernels["tt_store"](one.table, key, small, 3, 0, 1.0, table.EXACT, 0, 7)
    end = (one.control.widest + 1) * 4 + table.SEARCHED
    one.control.new_entries = (small + 1) // table.PART
    one.table[end + table.COPYING] = 2 * small + 1
    kernels["make_room"](*one.arrays)
    assert one.control.mask == small
    one.table[end + table.COPYING] = 0
    kernels["make_room"](*one.arrays)
    assert (one.control.mask, other.control.mask) == (2 * small + 1, small)
    kernels["make_room"](*other.arrays)
    assert (other.control.mask, other.control.new_entries) == (2 * small + 1, 0)
    assert all(kernels["tt_probe"](other.table, key, other.control.mask) >= 0 for key in keys)


def test_a_decision_that_another_thread_is_at_comes_last() -> None:
    worker = ThreadArrays(engine("tictactoe"), 1 << 12)
    count, frame = worker.place(load_with("tictactoe", {}).start().situation.position), at.FRAMES
    words, tried = worker.arrays[8], list[int]()
    for row in range(count):
        worker.arrays[10][row] = 100 - row
    words[frame + at.KEY] = 12345
    worker.kernels["being_at"](*worker.arrays, 0, 2, 1)
    for number in range(1, count + 1):
        words[frame + at.NUMBER], words[frame + at.PICKED] = number, 0
        worker.kernels["choose_next"](*worker.arrays, 1, 0, 0, count)
        tried.append(words[frame + at.ROW])
    assert tried == [*(row for row in range(count) if row != 2), 2]
    worker.kernels["being_at"](*worker.arrays, 0, 2, 0)
    assert worker.kernels["another_is_at"](*worker.arrays, 0, 2) == 0
