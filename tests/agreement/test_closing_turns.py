"""What is done when a turn is over, in every execution, against turns that are listed by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import rulewright
from rulewright.errors import Fault

BACKENDS = ("reference", "python", "llvm", "wasm")
WALK = """format 1
game walk

players red blue
board square 3 by 3
pieces stone

state steps = 0 in 0..2 within turn

setup
  put red stone at row(1)
  put blue stone at row(3)

move step
  need steps < 2
  choose a in own
  choose b in near(a) empty
  move a to b
  steps := steps + 1

turn {course}

after turn
  clear b2
  need {need}

draw when ply = 6
lose when stuck
"""
Board = dict[str, str]
START = {"a1": "R", "b1": "R", "c1": "R", "a3": "B", "b3": "B", "c3": "B"}
SITES = [x + y for x, y in product("abc", "123")]


def near(a: str) -> list[str]:
    return [b for b in SITES if abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1]


def steps(board: Board, who: str) -> list[tuple[str, Board]]:
    own = [site for site in board if board[site] == who]
    pairs = [(a, b) for a in own for b in near(a) if b not in board]
    moved = [({s: p for s, p in board.items() if s != a} | {b: who}) for a, b in pairs]
    return [(f"{a}-{b}", after) for (a, b), after in zip(pairs, moved, strict=True)]


def turns(board: Board, who: str) -> list[tuple[str, Board]]:
    """Whole turns of `step step?` that leave somebody on a row of one's own, by brute force."""
    found = []
    for first, once in steps(board, who):
        for second, twice in [("-", once), *steps(once, who)]:
            after = {s: p for s, p in twice.items() if s != "b2"}
            if sum(p == who for p in after.values()) == 3:
                found.append((f"{first} {second}", after))
    return found


def walk(
    folder: Path, backend: str, course: str = "step step?", need: str = "count own = 3"
) -> rulewright.State:
    path = folder / "walk.rules"
    path.write_text(WALK.format(course=course, need=need), "utf-8")
    return rulewright.load(path, backend=backend).start()


def count(state: rulewright.State, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for first in state.moves.texts:
        once = state.play(first)
        total += sum(count(once.play(second), depth - 1) for second in once.moves.texts)
    return total


def count_by_hand(board: Board, who: str, depth: int) -> int:
    if depth == 0:
        return 1
    other = "B" if who == "R" else "R"
    return sum(count_by_hand(after, other, depth - 1) for _, after in turns(board, who))


@pytest.mark.parametrize("backend", BACKENDS)
def test_turns_are_those_that_can_be_finished(tmp_path: Path, backend: str) -> None:
    state = walk(tmp_path, backend)
    legal = {t for t, _ in turns(START, "R")}
    played = {f"{a} {b}" for a in state.moves.texts for b in state.play(a).moves.texts}
    assert played == legal
    assert "b1-b2 -" not in legal  # b2 is cleared then
    assert "b1-b2 b2-b1" in legal


@pytest.mark.parametrize("backend", BACKENDS)
def test_counts_agree_with_a_listing_by_hand(tmp_path: Path, backend: str) -> None:
    state = walk(tmp_path, backend)
    assert count(state, 2) == count_by_hand(START, "R", 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_turn_that_nothing_can_finish_is_not_begun(tmp_path: Path, backend: str) -> None:
    state = walk(tmp_path, backend, need="count own = 2")  # only with a stone left on b2
    assert set(state.moves.texts) == {"b1-b2", "a1-a2", "c1-c2"}
    assert all(state.play(m).moves for m in state.moves.texts)
    assert state.play("b1-b2").moves.texts[-1] == "-"
    assert "-" not in state.play("a1-a2").moves.texts


@pytest.mark.parametrize("backend", BACKENDS)
def test_turns_of_one_decision_do_it_in_their_moves(tmp_path: Path, backend: str) -> None:
    state = walk(tmp_path, backend, course="step")
    assert set(state.moves.texts) == {"a1-a2", "c1-c2"}
    assert state.game.rules.closing is None  # so that random games draw decisions as ever


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("course", ["step", "step step?"])
def test_a_position_may_be_forbidden_to_come_back(
    tmp_path: Path, backend: str, course: str
) -> None:
    state = walk(tmp_path, backend, course, "repeats = 0")
    rest = " -" * (course != "step")
    for text in ("a1-a2", "c3-c2", "a2-a1"):
        state = state.play(text + rest)
    back = "c2-c3" + rest
    later = state if course == "step" else state.play("c2-c3")
    last = back.split()[-1]
    assert last not in later.moves.texts  # as it stood after the first move
    assert later.moves.texts


REFUSED = {
    "after turn\n  choose a in own\n  clear a\n": "misplaced",
    'after turn\n  write "x"\n': "misplaced",
    "after turn\n  need stuck\n": "misplaced",
    "after turn\n  need any own\n\nafter turn\n  need any own\n": "repeated-statement",
    "after turn\n": "missing-block",
}


@pytest.mark.parametrize(("block", "code"), REFUSED.items())
def test_what_cannot_stand_there_is_refused(block: str, code: str) -> None:
    text = WALK.format(course="step", need="any own").replace(
        "after turn\n  clear b2\n  need any own\n", block
    )
    assert code in [d.code for d in rulewright.check(text).diagnostics]


ENDLESS = """format 1
game endless

players red blue
board square 2 by 2
pieces stone

move go

move act
  choose cell in empty

# Nobody gets to the end of it.
turn longest (go? (act* act+))

after turn
  need any own

lose when stuck
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_turn_without_an_end_is_a_fault(tmp_path: Path, backend: str) -> None:
    """Longest ways and turns that must be finished, one inside of the other, 128 decisions deep."""
    (tmp_path / "endless.rules").write_text(ENDLESS)
    state = rulewright.load(str(tmp_path / "endless.rules"), backend=backend).start()
    with pytest.raises(Fault, match="more than 128 decisions"):
        _ = state.moves.texts
