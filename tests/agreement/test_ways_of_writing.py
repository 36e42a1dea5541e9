"""Games in two texts each: both are accepted, and kernels take the same form for both."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.engine import Engine, emitted_of
from rulewright.compiler.plan import plan_lines
from rulewright.games.files.games import check, load, loads
from tests.shared.places import ROOT
from tests.tools.agreement.files import verdict
from tests.tools.agreement.pair import Counts

TEXTS = sorted((ROOT / "benchmarks" / "writing").glob("*.rules"))
FORMS = {
    "catchup.sets": "all rounds of a loop share: worked out once",
    "domineering.both": "a random one is picked as a bit of a set",
    "domineering.one": "a random one is picked as a bit of a set",
    "uttt.rows": "a definition by site: a table",
    "uttt.sets": "a definition by site: a table",
}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_text_is_accepted(path: Path) -> None:
    report = check(path.read_text("utf-8"), path.name)
    assert not [d for d in report.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("name", FORMS)
def test_the_plan_names_the_form(name: str) -> None:
    (path,) = (path for path in TEXTS if path.stem == name)
    reasons = plan_lines(emitted_of(load(path).play).layout)
    assert any(line.endswith(FORMS[name]) for line in reasons)


@pytest.mark.parametrize("name", ["jumpers.step", "jumpers.target"])
def test_nothing_is_compared_where_the_text_tells_all(name: str) -> None:
    (path,) = (path for path in TEXTS if path.stem == name)
    layout = emitted_of(load(path).play).layout
    assert layout.row == 2 + 2, "the move, the rest of the turn, a site and a step"


SMALL = """format 1
game small
players red blue
board square 3 by 3
pieces stone
"""
ALIKE = {
    "a number that nobody chooses is written as one that is chosen in another move": """
move place
  choose cell in empty
  let n = 1 + count own mod 2
  put stone at cell
  write "{n}{cell}"
move drop
  choose n in 1..2
  choose cell in empty
  put stone at cell
  write "{n}{cell}"
turn place or drop
draw when ply = 4
""",
    "a value behind the effects is written as another move's choice": """
move drop
  choose n in 1..3
  choose cell in empty
  put stone at cell
  write "{n}{cell}"
move place
  choose cell in empty
  put stone at cell
  need any empty
  write "{count own}{cell}"
turn drop or place
draw when ply = 4
""",
    "both ends of a step taken so many times tell which and how many": """
move go
  choose a in own or b2
  choose d in around
  choose n in 0..2
  let b = d(a, n)
  need any b empty
  put stone at b
  write "{a}-{b}"
move run
  choose a in own or a1
  choose d in around
  choose n in 1..2
  choose b in d(a, n) empty
  put stone at b
  write "{n}{a}-{b}"
turn go or run
draw when stuck
""",
}


@pytest.mark.parametrize("rules", ALIKE.values(), ids=list(ALIKE))
def test_values_that_moves_name_alike_are_compared(rules: str) -> None:
    found = verdict(SMALL + rules, "python", 3, 15, Counts())
    assert not found.finding, found.trace


HEAD = """format 1
game ends
players red blue
board square 4 by 4{more}
pieces man, king
let sideways = east or west
setup
  put red man at bottom
  put blue king at top
"""
GO = """
move go
  choose a in own
{lines}
  move a to b
  write "{{{named}}}{{a}}-{{b}}"
turn go
lose when stuck
draw when ply = 20
"""
STEP = "  choose d in sideways or north\n"
TOLD = {
    "a number in front": (STEP + "  choose n in 1..2\n  choose b in d(a, n) empty", "n"),
    "so many steps": (STEP + "  choose n in 1..2\n  let b = d(a, n)\n  need any b empty", "n"),
    "a kind in front": (
        "  choose k in [man, king]\n  need a in k\n" + STEP + "  let b = d(a)\n  need any b empty",
        "k",
    ),
    "a count in front": (STEP + "  let n = count near(a) own\n  choose b in d(a) empty", "n"),
}


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("more", ["", " wrap left"])
def test_a_value_in_front_of_both_ends_leaves_nothing_to_compare(name: str, more: str) -> None:
    """But over an edge, where two steps or several lead to one site, decisions may be alike."""
    lines, named = TOLD[name]
    game = loads(HEAD.format(more=more) + GO.format(lines=lines, named=named))
    notes = plan_lines(emitted_of(game.play).layout)
    assert any("may be written alike" in note for note in notes) == bool(more)
    for depth in (1, 2, 3):
        counted = Engine(game.play, "python").perft(game.play.first, depth, "decision")
        assert counted == game.start("reference").perft(depth)


def test_two_ways_around_a_ring_are_written_alike() -> None:
    """Two steps to the left or to the right: one decision on four columns that are joined."""
    lines = "  choose d in sideways\n  let b = d(d(a))\n  need any b empty"
    text = HEAD.format(more=" wrap left").replace("at bottom", "at a1") + GO.format(
        lines=lines, named="count own"
    )
    game = loads(text)
    assert [option.text for option in game.play.start().options] == ["1a1-c1"]
    assert Engine(game.play, "python").perft(game.play.first, 1, "decision") == 1


@pytest.mark.parametrize("lines", [STEP + "  let b = d(a)\n  need any b empty"])
def test_decisions_of_two_moves_are_compared_and_not_those_of_one(lines: str) -> None:
    """Both name a step's ends, so that each move tells its own decisions apart."""
    body = GO.format(lines=lines, named="a")
    go, _, rest = body.partition("turn go")
    jump = go.replace("move go", "move jump").replace("d(a)", "d(d(a))")
    text = HEAD.format(more="") + go + jump + "turn go or jump" + rest
    notes = plan_lines(emitted_of(loads(text).play).layout)
    assert [note.partition(": ")[2] for note in notes if "alike" in note] == [
        "decisions of `go` and `jump`: compared, because two may be written alike"
    ]
