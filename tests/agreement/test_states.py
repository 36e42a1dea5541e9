"""`State` by machine code and `State` by the reference: nothing tells them apart but the clock."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import pairwise
from random import Random
from threading import Thread
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulewright.errors import MoveError
from rulewright.games.engine import memory
from rulewright.games.engine.game import Game
from rulewright.games.engine.interpreted import ReferencePosition
from rulewright.games.engine.kernels import load_engine
from rulewright.games.engine.packed import PackedPosition
from rulewright.games.files.games import check, load, loads
from rulewright.ground import budget
from rulewright.search.listing import followed, listed_decisions
from tests.generators.files import rule_files
from tests.shared.backends import needs_llvm
from tests.shared.bundled import GAMES, SMALL
from tests.shared.effort import tries
from tests.tools.agreement.states import both, compare, decisions, seen, walk

pytestmark = needs_llvm
seeds = st.integers(0, 2**32)


def test_code_that_nothing_better_follows_yet_is_bound_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Quick code asks at every ply whether better code is there."""
    bound = list[str]()

    def function_at(native: Any, name: str, held: bool) -> Any:
        bound.append(name)
        return memory.function_at(native, name, held)

    game = load("connect4")
    assert not isinstance(load_engine(game, quick=True), str)
    monkeypatch.setattr("rulewright.games.engine.packed.function_at", function_at)
    state = game.start().play("4 4 4 4 4 4 3 3")
    assert isinstance(state.position, PackedPosition)
    assert sorted(bound) == ["alike", "codes", "listed", "listed", "step", "step"]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds)
def test_random_games_are_the_same(name: str, seed: int) -> None:
    last = walk(load(name, **SMALL.get(name, {})), seed, 25)
    assert isinstance(last.position, PackedPosition)
    again = pickle.loads(pickle.dumps(last))
    assert again == last
    assert (again.decisions(), again.text()) == (last.decisions(), last.text())


@settings(max_examples=tries(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(text=rule_files(), seed=seeds)
def test_random_rules_are_the_same(text: str, seed: int) -> None:
    assume(check(text).ok)
    game = loads(text)
    assume(not isinstance(load_engine(game), str))
    walk(game, seed, 12)


FAULTY = """format 1
game faulty
players red blue
board square 3 by 3
pieces stone
state n = 0 in 0..2
"""
FAULTS = {
    "in an effect": """
move place
  choose a in empty
  put stone at a
  n := n + 1
turn place
draw when stuck
""",
    "in a condition": """
move place
  choose a in empty
  need 6 div (2 - ply) > 0
  put stone at a
turn place
draw when stuck
""",
    "nobody says what follows": """
move place
  choose a in empty corners
  put stone at a
turn place
win when ply = 9
""",
    "two decisions are written alike": """
move place
  choose a in empty
  put stone at a
  write "here"
turn place
draw when stuck
""",
    "numbers run into each other": """
move add
  choose i in 1..11
  choose j in 1..11
  n := (i + 3 * j) mod 3
  write "{i}{j}"
turn add
draw when ply = 3
""",
}


@pytest.mark.parametrize("rules", FAULTS.values(), ids=FAULTS)
@settings(max_examples=tries(5), deadline=None)
@given(seed=seeds)
def test_faults_are_the_same(rules: str, seed: int) -> None:
    walk(loads(FAULTY + rules), seed, 8)


@given(seed=seeds)
@settings(max_examples=tries(10), deadline=None)
def test_a_block_is_done_as_often_as_a_chosen_number_says(seed: int) -> None:
    """Who chooses n adds 1 + (1 + 2) + ... + (1 + ... + n), a tetrahedral number."""
    game = loads(f"""{FAULTY}state total = 0 in 0..60

move add
  choose k in 1..3
  let rounds = 4 - k
  each i in 1..rounds
    each j in 1..i
      total := total + j
turn add
draw when ply = 5
""")
    walk(game, seed, 5)
    state, expected = game.start(), 0
    for text in "21313":
        n = 4 - int(text)
        state, expected = state.play(text), expected + n * (n + 1) * (n + 2) // 6
        assert f"total: {expected}\n" in state.text() + "\n"


def test_what_is_written_by_the_position_is_the_references() -> None:
    game = loads(
        FAULTY + "\nmove place\n  choose a in not own\n  put stone at a\n"
        '  write "x{a}" if n = 1 else "{a}"\n  n := 1 - n\nturn place\ndraw when ply = 4\n'
    )
    walk(game, 1, 6)


MARKS = """
setup
  put red stone at a1 or b1
  put blue stone at c3
move go
  choose a in own
  choose ray from a along around /[over: full], [b: empty]/
  let there = {there}
  let times = count there
  need times >= 0
  move a to b
  write "{{a}}{{b}}{shown}"
move drop
  choose a in empty
  put stone at a
turn go or drop
draw when ply = 9
draw when stuck
"""


@pytest.mark.parametrize("there", ["not over", "around(over) own", "over", "over or a"])
@pytest.mark.parametrize("shown", ["", "{over}", "{there}", "{times}"])
def test_lets_over_marks_are_written_by_the_marks(there: str, shown: str) -> None:
    game = loads(FAULTY + MARKS.format(there=there, shown=shown))
    for seed in range(tries(3)):
        last = walk(game, seed, 12)
        assert isinstance(last.position, PackedPosition)


@pytest.mark.parametrize("name", ["conniption", "amazons", "morris", "draughts"])
@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds)
def test_whole_turns_are_the_same(name: str, seed: int) -> None:
    random, (fast, slow) = Random(seed), both(load(name))
    for _ in range(4):
        if slow.over:
            break
        way = slow
        while True:
            way = way.play_decision(random.choice(way.moves.texts))
            if way.over or way.turn_begins:
                break
        text = way.turns()[-1]
        assert fast.play(text).decisions() == slow.play(text).decisions()
        fast, slow = fast.play(text), slow.play(text)
        compare(fast, slow)


def test_messages_of_moves_that_cannot_be_played_are_the_same() -> None:
    fast, slow = both(load("chess"))
    for text in ("e2e5", "e9", "", "a" * 90, "e7e5"):
        messages = []
        for state in (fast, slow):
            with pytest.raises(MoveError) as refused:
                state.play(text)
            messages.append((type(refused.value), str(refused.value)))
        assert messages[0] == messages[1]


@pytest.mark.parametrize("which", [0, 1])
def test_equal_means_what_repeats_can_see_too(which: int) -> None:
    start = both(load("chess"))[which]
    there_and_back = start.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    once = start.play("b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8")
    assert there_and_back.same(once)  # but other positions stood between
    assert there_and_back != once
    first = start.play("g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8")
    second = start.play("b1c3 b8c6 c3b1 c6b8 g1f3 g8f6 f3g1 f6g8")
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, second, there_and_back, once}) == 3


def test_the_way_to_a_position_does_not_matter_where_no_rule_looks_back() -> None:
    for start in both(load("connect4")):
        assert start.play("1 2 3") == start.play("3 2 1")
        assert hash(start.play("1 2 3")) == hash(start.play("3 2 1"))
        assert start.play("1 2 3") != start.play("1 2 4")


def test_equal_means_the_same_persons_and_the_same_rest_of_the_turn() -> None:
    for start in both(load("hex", size=5, pie=True)):
        swap = next(move for move in start.play("a1").moves if "swap" in move.text)
        assert start.play("a1").play(swap).swapped
        assert start.play("a1").play(swap) != start.play("a1")
    for start in both(load("conniption")):
        assert start.play("-") != start


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "chess", "conniption", "dots", "go"])
def test_counts_are_the_same(name: str) -> None:
    fast, slow = both(load(name, **SMALL.get(name, {})))
    for unit in ("decision", "turn"):
        for depth in (0, 1, 2):
            assert fast.count(depth, unit) == slow.count(depth, unit)


def test_positions_given_by_texts_go_on_alike() -> None:
    game = load("chess")
    fast, slow = both(game)
    text = slow.play("e2e4 e7e5 g1f3").text()
    assert isinstance(slow.game.read(text).position, ReferencePosition)
    one, other = game.read(text), slow.game.read(text)
    assert one.moves.texts == other.moves.texts
    assert one.play("b8c6 f1b5") == other.play("b8c6 f1b5")
    assert isinstance(one.play("b8c6").position, PackedPosition)
    assert fast != one  # a text does not tell what stood before


def test_the_reference_goes_over_to_machine_code_in_the_middle_of_a_game() -> None:
    game = evolve(load("go", size=4), place=None)  # of which nothing is kept
    way, random = [game.start()], Random(3)
    for number in range(30):
        if number == 12:
            load_engine(game)
        if way[-1].over:
            break
        way.append(way[-1].play_decision(random.choice(way[-1].moves.texts)))
    slow = game.start("reference")
    for before, state in pairwise(way):
        compare(before, slow)
        slow = slow.play_decision(state.move)
    assert isinstance(way[5].position, ReferencePosition)
    assert isinstance(way[-1].position, PackedPosition)


def test_steps_of_the_reference_are_counted_where_somebody_limits_them() -> None:
    fast, _ = both(load("chess"))
    with budget.within_steps(10**6, "") as spent:
        later = fast.play("e2e4")
        texts = later.moves.texts
    assert spent.spent > 100
    assert later == fast.play("e2e4")
    assert texts == fast.play("e2e4").moves.texts


def test_whoever_waits_is_served_by_machine_code_while_it_is_quick() -> None:
    state = both(load("chess"))[0]
    with budget.within_steps(10**6, "", exact=False) as spent:
        after = followed(state, "e2e4")
        assert listed_decisions(after) == after.moves.texts
        assert spent.spent < 100  # for the texts
        assert isinstance(after.position, PackedPosition)
        machine = state.game.machine
        assert machine is not None
        machine.slow = True
        again = followed(state, "e2e4")
        assert isinstance(again.position, ReferencePosition)
    assert spent.spent > 500
    assert again == after
    assert again.moves == after.moves


@pytest.mark.parametrize("others", [1, 2, 3, 4])
def test_lines_that_part_keep_what_stood_before_each(others: int) -> None:
    """A line that is left and taken up again, while another begins."""
    there_and_back = "e2e3 e7e6 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
    for start in both(load("chess")):
        way, other = start.play(there_and_back), start
        for text in ("b1c3", "b8c6", "a2a3", "a7a6")[:others]:
            other = other.play(text)
        assert way.play("f6g8").claimable
        assert not way.claimable
        assert not other.claimable
        assert other.play("h2h3" if others % 2 == 0 else "h7h6").result is None


def test_listed_decisions_play_after_others() -> None:
    start = both(load("twixt", size=8))[0]
    moves, children = start.moves, [start.follow(number, "") for number in range(20)]
    assert [move.choices["hole"] for move in moves] == moves.texts == start.moves.texts
    last, first = children[-1].moves, children[0].moves
    assert (first[3].text, last[3].text) == (first.texts[3], last.texts[3])
    assert children[5].play(last[30]) == start.play(f"{moves[5]} {last[30]}")
    with pytest.raises(IndexError):
        start.follow(len(moves), "")


def test_two_threads_play_one_game() -> None:
    """Histories and positions of two games, by turns in the same arrays."""
    game = load("go", size=4)
    both(game)
    wrong: list[object] = []

    def play(seed: int) -> None:
        random, state = Random(seed), game.start()
        for _ in range(300):
            state = game.start() if state.over else state
            state = state.play_decision(random.choice(state.moves.texts))
        slow = game.start("reference").play(" ".join(state.decisions()))
        if seen(slow) != seen(state):
            wrong.append((state, slow))

    threads = [Thread(target=play, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# --- texts that tell of the position: the reference writes each when somebody asks ---

CROSSING = """format 1
game crossing
players red blue
board square 4 by 4
pieces man
state taken = 0 in 0..60
let goal for red = top
let goal for blue = bottom
setup
  put red man at row(1) or row(2)
  put blue man at row(4)
move step
  choose a in own
{step}
turn step
win when own meets goal
draw when stuck
draw when ply > 40
"""
TO = "choose b in orthogonal(a) and not own"
WRITTEN = {
    "a number of the position": (TO, 'write "{count own}{a}{b}"', "move a to b"),
    "whether something is taken": (
        TO, 'write "{a}x{b}" if b in enemy else "{a}-{b}"', "move a to b"
    ),
    "what came of it": (
        TO, "move a to b", "taken := taken + 1", 'write "{a}{b}/{taken}.{count enemy}"'
    ),
    "what was before and what is now": (
        TO, "let n = count enemy", "move a to b", 'write "{a}{b}" if n = count enemy else "{a}{b}!"'
    ),
    "less than what is chosen": (TO, "move a to b", 'write "{b}{count own}"'),
    "a choice that changes something": (
        "choose n in 1..2", TO, "taken := n", "move a to b", 'write "{a}{b}{count own mod 2}"'
    ),
    "one that changes nothing": (
        "choose n in 1..2", TO, "move a to b", 'write "{a}{b}{count own}"'
    ),
    "a ray": (
        "choose ray from a along orthogonal /[through: empty*], [b: not own]/",
        'write "{a}{b}{count enemy}"', "move a to b",
    ),
    "two numbers that may run together": (
        "choose n in 1..12", TO,
        'write "{count own}{n}{a}{b}" if n > 6 else "{n}{count own}{a}{b}"',
        "taken := n", "move a to b",
    ),
}  # fmt: skip


@cache
def crossing(name: str) -> Game:
    """A game whose decisions are written so."""
    return loads(CROSSING.format(step="\n".join(f"  {line}" for line in WRITTEN[name])))


@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=tries(3), deadline=None)
@given(seed=seeds)
def test_games_are_the_same_and_machine_code_plays_them(name: str, seed: int) -> None:
    last = walk(crossing(name), seed, 12)
    assert isinstance(last.position, PackedPosition) or "less" in name or "changes" in name


def test_a_text_is_written_when_somebody_asks() -> None:
    """Playing by number makes none, and asking for one makes one."""
    state, slow = both(crossing("whether something is taken"))
    state, slow = state.play_decision(state.moves[0]), slow.play_decision(slow.moves[0])
    for number in (3, 1, 4, 0):
        move = state.moves[number]
        assert isinstance(state.position, PackedPosition)
        assert state.position.written is None
        assert move.text == slow.moves[number].text
        assert state.position.written is None
        state, slow = state.play_decision(move), slow.play_decision(slow.moves[number])
    assert decisions(state) == decisions(slow)


def test_a_fault_of_the_next_position_waits_until_it_is_asked() -> None:
    """Which decisions are alike depends on their effects, and listing these meets a fault."""
    text = """format 1
game sample
players red blue
board rhombus 9 by 10 stacked 4 from top
pieces man, king
setup
  put red king at f6 or i4
  put blue king at i5 or i3
move go
move act
  choose a in own
  choose d in near if king in left else northwest
  choose n in 0..2
  let b = d(a, n)
  need a in (not red)
  if height(a) > 0
    clear count red of a
  write "a{n}{a}-{b}"
turn go?* or act
win after turn when some(g in groups(own, around or east) : g meets right and g meets left)
"""
    game = loads(text)
    for seed in range(1, 4):
        walk(game, seed, 8, "llvm")
