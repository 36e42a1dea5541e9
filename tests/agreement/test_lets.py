"""Lets of moves that hold steps, families, lists and ranges: kernels write them out where used.

And forms that do not fit: nothing is written by them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.definitions import GENERAL, call_kernel
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Writer, at, signature
from rulewright.games.files.games import load, loads
from rulewright.model import expressions as m
from tests.shared.backends import BACKENDS, needs_llvm
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

HEAD = """format 1
game small
players red blue
board square 4 by 4
pieces stone
let home for red = bottom
let home for blue = top
"""
TAIL = """turn go
draw when ply = 6
draw when stuck
"""
HELD = {
    "a step": """move go
  choose d in around
  let back = opposite(d)
  choose s in empty
  need no back(s) own
  put stone at s
""",
    "steps that a condition chooses": """move go
  let way = north or east if ply < 3 else south
  choose s in empty
  need any way(s) or ply < 1
  put stone at s
  put stone at way(s) empty
""",
    "lines": """move go
  choose s in empty
  put stone at s
  let all = lines(3)
  need not some(l in all : l in own) or ply > 2
""",
    "groups": """move go
  let groups_now = groups(own)
  choose s in empty
  need count(g in groups_now : any near(g) s) < 2
  put stone at s
""",
    "groups that the other player looks at": """move go
  choose s in empty
  let mine = groups(own home)
  need count(g in mine : any near(g) s or any g own) < 2 for enemy
  put stone at s
""",
    "a range": """move go
  let k = 1..3
  choose n in k
  choose s in row(n) empty
  put stone at s
""",
    "a list of sets": """move go
  choose s in empty
  let parts = [row(1), column(1), near(s)]
  choose f in parts
  need any f own or ply < 2
  put stone at s
  clear f enemy
""",
    "steps inside an `if`": """move go
  choose s in empty
  put stone at s
  if ply > 1
    let back = north or south
    put stone at back(s) empty
""",
    "steps inside an action": """action spread(s)
  let ways = diagonal
  put stone at ways(s) empty
move go
  choose s in empty
  put stone at s
  spread(s)
""",
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("move", HELD.values(), ids=HELD)
def test_a_let_that_no_word_can_hold_has_kernels(move: str, backend: str) -> None:
    play = loads(HEAD + move + TAIL).play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    for seed in range(tries(3)):
        pair.game(seed, most=8)
        pair.sampled(seed, most=8)
    pair.perft(2)


LATE = """move go
  choose s in empty
  let before = groups(own)
  put stone at s
  need count(g in before : any near(g) s) < 2
"""
FAULTY = """move go
  choose s in empty
  let to = 1..(8 div count own)
  put stone at s
  put stone at those(t in near(s) : some(k in to : k = x(t))) empty
"""


@pytest.mark.parametrize(
    ("move", "why"),
    [(LATE, "a family of a position that has changed"), (FAULTY, "a range that may be a fault")],
)
def test_a_let_with_another_value_where_it_is_used_is_left_to_the_reference(
    move: str, why: str
) -> None:
    with pytest.raises(Unsupported, match=why):
        Engine(loads(HEAD + move + TAIL).play, "python")


# --- check says what plays a file ---


@needs_llvm
def test_check_says_what_plays_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow, fast = tmp_path / "slow.rules", tmp_path / "fast.rules"
    head = HEAD.partition("let home")[0]
    slow.write_text(head + LATE + TAIL, "utf-8")
    fast.write_text(head + HELD["groups"] + TAIL, "utf-8")
    assert main(["check", str(slow), str(fast)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0].endswith("slow.rules: fine")
    assert "slow.rules: played by the reference, which is slow: a `let` in a move" in told[1]
    assert told[2].endswith("fast.rules: fine")
    assert len(told) == 3
    main(["check", str(slow), str(fast), "--format", "json"])
    played = json.loads(capsys.readouterr().out)["played_by"]
    assert [one["backend"] for one in played] == ["reference", "native"]
    assert "has changed" in played[0]["reason"]
    assert not played[1]["reason"]


# --- forms that do not fit ---


@pytest.mark.parametrize("reason", [Unsupported(), Unsupported("no")])
def test_a_form_that_does_not_fit_leaves_nothing_written(reason: Exception) -> None:
    """Neither lines nor tables, rooms, notes or kernels of definitions."""
    game = load("twixt", size=5)
    plan = StateLayout(game.rules, game.play.links[0])
    w = Writer(layout=plan)
    names: dict[str, str] = {"known": "t1"}
    w.books = [names]
    v = Values(GENERAL, plan, w, 0, 0)
    plan.note("before", "stays")
    untouched = (w.let(at("g.state", 1)), plan.bit_table(), plan.scratch(3))
    before = state_of(w)

    def write() -> None:
        w.let(at("g.state", 2))
        names["new"] = "t2"
        plan.scratch(9)
        plan.room(5)
        plan.note("after", "goes")
        assert plan.crossing_table[1] > 1
        assert plan.incident_table[1] > 1
        for number, function in enumerate(game.rules.functions):
            if not function.parameters:
                call_kernel(v, m.CallFunction(function.bodies[0].type, number, ()))
        plan.kernels.append(Writer(layout=plan).function("unused", signature()))
        raise reason

    assert w.attempt(write) is None
    assert state_of(w) == before
    assert names == {"known": "t1"}
    assert untouched[1] == plan.bit_table()
    offset, row = plan.crossing_table  # a table that is asked for again is there again
    assert len(plan.table) >= offset + row


def state_of(w: Writer) -> tuple[object, ...]:
    """All that writing changes."""
    plan = w.layout
    kept = (list(plan.table), list(plan.kernels), dict(plan.callees), dict(plan.notes))
    return (
        *kept,
        plan.scratch_size,
        plan.extra,
        list(w.body),
        dict(w.locals),
        w.count,
        w.level,
    )
