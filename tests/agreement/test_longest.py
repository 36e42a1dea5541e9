"""Longest ways through a part of a turn: by their decisions, and by a number at their end."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright
from rulewright.compiler.engine import Engine
from tests.shared.backends import needs_llvm
from tests.tools.agreement.pair import Pair

TEXT = """format 1
game hops

players white black
board square 7 by 1
pieces man "Oo", king "K"

setup
  put white man at c1
  put black man at b1 or d1 or f1
  put black king at {king}

state worth = 0 in 0..9 within turn

move hop
  choose a in own man
  choose ray from a along (east or west) /[over: enemy], [b: empty]/
  worth := worth + (5 if over in king else 1)
  clear over
  move a to b

turn {part}

draw when stuck
"""


def decisions(folder: Path, part: str, king: str, backend: str) -> list[str]:
    path = folder / "hops.rules"
    path.write_text(TEXT.format(part=part, king=king), "utf-8")
    return [move.text for move in rulewright.load(path, backend=backend).start().moves]


@pytest.mark.parametrize("backend", ["reference", "python", "llvm"])
@pytest.mark.parametrize(
    ("part", "king", "expected"),
    [
        ("hop+", "b1", ["c1-b1-a1", "c1-d1-e1"]),
        ("longest hop+", "b1", ["c1-d1-e1"]),  # two men rather than a king
        ("longest by worth hop+", "b1", ["c1-b1-a1"]),  # a king rather than two men
        ("longest by worth hop+", "f1", ["c1-d1-e1"]),
    ],
)
def test_longest_ways(
    tmp_path: Path, part: str, king: str, expected: list[str], backend: str
) -> None:
    assert sorted(decisions(tmp_path, part, king, backend)) == expected


def test_no_longest_part_holds_another(tmp_path: Path) -> None:
    (found,) = rulewright.check(TEXT.format(part="longest (longest hop+)", king="b1")).diagnostics
    assert found.code == "misplaced"


STEPS = """format 1
game steps
players red blue
board square 5 by 1
pieces man "RB"
setup
  put red man at a1 or c1
  put blue man at e1
state spare each n in 1..2 = 1 in 0..1 within turn
state short = -3 in -3..{top} within turn
let unused(m, s) = spare(m) > 0 and any east(s)
let next_step(n, a) = not some(m in 1..2 : m < n and unused(m, a))
move walk
  choose a in own
  choose n in 1..2
  need spare(n) > 0 and any east(a, n) empty and (next_step(n, a) or x(a) = 1)
  move a to east(a, n)
  spare(n) := spare(n) - 1
  short := short + n
  write "{{a}}{{n}}"
turn longest by short walk*
draw when ply = 1
"""


@pytest.mark.parametrize("backend", ["reference", "python", "llvm"])
@pytest.mark.parametrize("top", [0, 9])
def test_ways_that_reach_the_top_of_a_range(tmp_path: Path, top: int, backend: str) -> None:
    """The search stops there, and allows the same decisions as where the range goes on."""
    path = tmp_path / "steps.rules"
    path.write_text(STEPS.format(top=top), "utf-8")
    state = rulewright.load(path, backend=backend).start()
    assert state.moves.texts == ["a11", "c11"]
    assert state.play("a11").moves.texts == ["b12"]


@needs_llvm
def test_definitions_that_look_tables_up_by_their_parameters(tmp_path: Path) -> None:
    """As `unused` does: kernels put what it is called with into the index too."""
    (tmp_path / "steps.rules").write_text(STEPS.format(top=0), "utf-8")
    assert Engine(rulewright.load(tmp_path / "steps.rules").play).backend == "native"


STOPPED = """format 1
game stopped

players red blue
board square 4 by 1
pieces stone

setup
  put blue stone at b1

move place
  choose cell in empty
  put stone at cell

turn longest {part}

after turn
  need {need}

draw when no empty
"""


@needs_llvm
@pytest.mark.parametrize("need", ["any own", "not c1 in own or count own > 2"])
@pytest.mark.parametrize("part", ["(place?*)", "place*", "(place? place?)"])
def test_longest_ways_that_must_end_well(tmp_path: Path, part: str, need: str) -> None:
    """Whether one way can end well is asked of one, which is longest of all: those are compared."""
    path = tmp_path / "stopped.rules"
    path.write_text(STOPPED.format(part=part, need=need), "utf-8")
    slow, *others = [
        rulewright.load(path, backend=b).start() for b in ("reference", "python", "llvm")
    ]
    while slow.moves.texts and not slow.over:
        assert [other.moves.texts for other in others] == [slow.moves.texts] * 2
        text = slow.moves.texts[len(slow.moves) // 2]
        slow, *others = [state.play(text) for state in (slow, *others)]


FAULTY = """format 1
game faulty

players red blue
board square 3 by 1
pieces stone

state spent = 0 in 0..2
state bad = 0 in 0..1

move act
  choose n in 1..2
  need n = 1 or spent < {first} or 1 mod ({first} - spent) >= 0
  spent := spent + 1
  bad := (2 if n = {which} and spent = {second} else 0)

turn {part}

draw when ply = 2
"""


@pytest.mark.parametrize(
    ("part", "second", "which", "first"),
    [
        ("act", 1, 1, 0),
        ("act else act", 2, 1, 1),
        ("longest act*", 1, 2, 2),
        ("longest act*", 2, 2, 0),
        ("longest by spent (act act)", 1, 1, 0),
        ("longest by spent (act act)", 2, 1, 1),
        ("longest by spent (act act)", 2, 2, 3),  # the range is at its top before the fault
    ],
)
def test_all_decisions_are_listed_before_any_is_done(
    part: str, second: int, which: int, first: int
) -> None:
    """So a fault of a `need` comes before one of effects, and a way that is not gone has none."""
    text = FAULTY.format(part=part, second=second, which=which, first=first)
    report = rulewright.check(text)
    assert report.game is not None, report.diagnostics
    pair = Pair(report.game.play, Engine(report.game.play, "python", use_cache=False))
    pair.game(1, 4)
    assert pair.counts.positions
