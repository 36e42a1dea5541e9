"""Limits in play: the same fault at the same place in the reference and in kernels."""

from __future__ import annotations

import pytest

from rulewright.compiler.engine import Engine
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import loads
from rulewright.ground import limits
from rulewright.reference.position import Position
from tests.shared.backends import BACKENDS, needs_llvm

HEAD = """format 1
game small
players red blue
board square 3 by 3
pieces stone
"""
ENDS = "draw when ply = 90\ndraw when stuck\n"


def engine(game: Game, backend: str) -> Engine:
    return Engine(game.play, backend, use_cache=False)


def fault_of(state: State, depth: int, kernels: Engine | None) -> tuple[str, str] | int:
    """What counting so deep comes to: a number, or the code and the place of a fault."""
    try:
        with state.game.located():
            if kernels is None:
                return state.count(depth)[0]
            return kernels.perft(state.situation.position, depth)
    except Fault as fault:
        return fault.code, fault.place


# --- decisions of a position ---

OFFERS = {
    "sets of sites, two moves together": """move place
  choose cell in empty
  put stone at cell
move drop
  choose cell in empty near(b2)
  put stone at cell
  write "d{cell}"
turn place or drop
""",
    "rows": """move act
  choose l in lines(3)
  choose n in 1..2
  put stone at l
turn act
""",
    "rows below sets": """move place
  choose cell in empty
  put stone at cell
move act
  choose l in lines(3)
  need no l full
  put stone at l
  write "x{l}"
turn place or act
""",
    "decisions that are written alike": """move act
  choose a in empty
  choose b in empty
  write "{b}" if b in corners else "{a}{b}"
  put stone at b
turn act
""",
    "a step between two sites": """setup
  put red stone at b2 or a1
  put blue stone at c3
move go
  choose a in own
  choose b in around(a) empty
  move a to b
turn go
""",
    "one after the other fails": """move never
  choose cell in empty
  need cell in own
move place
  choose cell in empty
  choose n in 1..2
  put stone at cell
turn never else place
""",
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("most", [2, 8, 9, 13, 18])
@pytest.mark.parametrize("move", OFFERS.values(), ids=OFFERS)
def test_more_decisions_than_the_limit(
    move: str, most: int, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BRANCHES", most)
    game = loads(HEAD + move + ENDS)
    kernels = engine(game, backend)
    for depth in (1, 2):
        expected = fault_of(game.start("reference"), depth, None)
        assert fault_of(game.start("reference"), depth, kernels) == expected
        if depth == 1 and not isinstance(expected, int):
            assert expected[0] == "too-many"
            assert kernels.playouts(game.start().situation.position, 3)[1] == [0, 0, 0, 3]


TWICE = """move act
  choose a in empty
  choose b in empty and not a
  put stone at a or b
turn act
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("size", "fault"), [(11, False), (12, True)])
def test_the_limit_as_it_is(size: int, fault: bool, backend: str) -> None:
    """12 by 12: 144 times 143 decisions, 592 too many."""
    game = loads(HEAD.replace("3 by 3", f"{size} by {size}") + TWICE + ENDS)
    expected = ("too-many", "<text>:6") if fault else 121 * 120
    assert fault_of(game.start("reference"), 1, engine(game, backend)) == expected
    assert fault_of(game.start("reference"), 1, None) == expected


# --- earlier positions ---

LOOKING = """move place
  choose cell in empty
  put stone at cell
move clear_all
  need any full
  clear full
turn place or clear_all
draw when repeats > 2
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
def test_more_earlier_positions_than_the_limit(
    most: int, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT", most)
    game = loads(HEAD + LOOKING + ENDS)
    kernels, found = engine(game, backend), set[object]()
    for depth in (1, 2, 3, 4):
        expected = fault_of(game.start("reference"), depth, None)
        assert fault_of(game.start("reference"), depth, kernels) == expected
        found.add(isinstance(expected, tuple) and expected)
    assert (("too-many", "<text>:12") in found) is (most < 4)


LONG = """state n = 0
move go
  n := n + 1
turn go
draw when n = {} and repeats > 0
"""


@needs_llvm
@pytest.mark.parametrize(("plies", "fault"), [(3_000, ""), (66_000, "too-many")])
def test_long_games_of_rules_that_look_back(plies: int, fault: str) -> None:
    """Kernels held 1,024 earlier positions where the reference held any number."""
    game = loads(HEAD + LONG.format(plies + 1) + "draw when stuck\n")
    kernels = engine(game, "native")
    played, _, met = kernels.playout(game.start().situation.position, 1, plies)
    assert played == (limits.KEPT if fault else plies)
    assert (met != 0) is bool(fault)


def test_the_reference_keeps_count_of_earlier_positions() -> None:
    position = loads(HEAD + LOOKING + ENDS).start().play("a1 b1 clear_all").situation.position
    assert position.past == length(position) == 4


def length(position: Position) -> int:
    found, history = 0, position.history
    while history is not None:
        found, history = found + 1, history[1]
    return found


# --- places ---

STUCK = "move place\n  choose cell in empty\n  put stone at cell\nturn place\ndraw when ply = 99\n"


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_a_player_who_is_stuck_is_a_fault_of_the_turn(backend: str) -> None:
    game = loads(HEAD.replace("3 by 3", "2 by 1") + STUCK)
    kernels = None if backend == "reference" else engine(game, backend)
    assert fault_of(game.start("reference"), 3, kernels) == ("stuck", "<text>:9")


GO = "move go\n  {}\nturn go\ndraw when ply = 9\ndraw when stuck\n"
FAULTS = {
    "out-of-range": "state n = 0 in 0..1\n" + GO.format("n := n + 2"),
    "divide-by-zero": "state n = 0\n" + GO.format("n := 4 div ply"),
    "nothing-to-compare": "state n = 0\n" + GO.format("n := max(s in own : x(s))"),
    "not-one-site": "state n = 0\n" + GO.format("n := x(own or a1 or b1)"),
    "target-twice": "setup\n  put red stone at a1 or c1\n"
    + GO.format("move each s in own to b2"),
    "no-target": "setup\n  put red stone at a1\n"
    + GO.format("move each s in own to own and enemy"),
    "no-piece": GO.format("move a1 to b2"),
    "overflow": "state n = 4611686018427387900\n" + GO.format("n := n + n + ply"),
}  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("code", FAULTS)
def test_faults_tell_the_same_place(code: str, backend: str) -> None:
    """Counting two deep plays the first decision, whose fault it is."""
    text = HEAD + FAULTS[code]
    game = loads(text)
    expected = fault_of(game.start("reference"), 2, None)
    assert isinstance(expected, tuple), expected
    assert expected[0] == code
    assert int(expected[1].rpartition(":")[2]) == text[: text.index("turn go")].count("\n")
    assert fault_of(game.start("reference"), 2, engine(game, backend)) == expected
