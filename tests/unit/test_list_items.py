"""Members of lists by their number: kinds and steps that a position picks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.claims import failing
from rulewright.games.files.games import check, loads
from tests.shared.effort import tries

COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
GAME = """format 1
game pointed
players white black
board square 5 by 5
pieces man, chief "Cc"
let army = [man, chief]
let compass = [{compass}]
setup
  put white man at c3
  put black man at a1
state way = {way} in 0..9
move go
  choose a in own
  let d = compass({item})
  choose b in d(a)
  let k = army(way mod 2)
  clear a
  put k at b
turn go
lose when stuck
"""


def text(way: int = 0, item: str = "way", compass: str = ", ".join(COMPASS)) -> str:
    return GAME.format(way=way, item=item, compass=compass)


@settings(max_examples=tries(15))
@given(st.permutations(COMPASS), st.integers(0, 7))
def test_a_list_of_steps_keeps_its_order(steps: list[str], way: int) -> None:
    game = loads(text(way, compass=", ".join(steps)))
    (decision,) = game.start().moves.texts
    across, up = {
        "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
        "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
    }[steps[way]]  # fmt: skip
    assert decision == f"c3-{'abcde'[2 + across]}{3 + up}"
    kind = ("man", "chief")[way % 2]
    after = game.start().play_decision(decision)
    (piece,) = [p for p in after.scene.spots if p.piece and p.name == decision[3:]]
    assert piece.piece is not None
    assert piece.piece.kind == kind


@pytest.mark.parametrize("item", ["way + 8", "way - 1"])
@pytest.mark.parametrize("backend", ["reference", "llvm"])
def test_a_number_beyond_the_list_is_a_located_fault(item: str, backend: str) -> None:
    game = loads(text(item=item), backend=backend)
    with pytest.raises(Exception, match=r":14.*has no number") as caught:
        game.start().moves.texts  # noqa: B018
    assert "not-in-list" in str(caught.value)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("8", "a list of 8 has no number 8 (from 0)"),
        ("own", "`d` is a set of sites, not a function"),
        ("any own", "a set of sites is needed"),
    ],
)
def test_what_is_no_number_of_a_list_is_reported(item: str, message: str) -> None:
    diagnostics = check(text(item=item)).diagnostics
    assert any(message in d.message for d in diagnostics), diagnostics


COMPUTED = """format 1
game thrown
players red blue
board square 1 by 1
let faces = [1 + ply mod 2, 3]
state seen each n in 1..6 = 0 in 0..4
state largest = 0 in 0..6
move go
  choose p in 2..3
  choose q in [p, 1]
  each f in [p, q, 1]
    seen(f) := seen(f) + 1
  each f in faces
    seen(f) := seen(f) + 1
  largest := max(f in faces : f)
turn go
draw when ply = 1
claim after "2-2" seen(1) = 2 and seen(2) = 2 and seen(3) = 1 and largest = 3
"""


def test_members_of_computed_lists_of_whole_numbers_are_whole() -> None:
    assert check(COMPUTED).diagnostics == ()
    assert [*failing(loads(COMPUTED))] == []


def test_an_entry_that_is_no_number_is_reported_once() -> None:
    broken = COMPUTED.replace("seen(f) + 1\n  each", "seen(1 / 2) + 1\n  each")
    (diagnostic,) = check(broken).diagnostics
    assert (diagnostic.code, diagnostic.message) == (
        "wrong-type",
        "a whole number is needed here, and this is a number",
    )


def test_a_local_name_that_is_built_in_is_reported_where_it_is_given_alone() -> None:
    broken = text().replace("let d = ", "let row = ").replace("in d(a)", "in own and row")
    (diagnostic,) = check(broken).diagnostics
    assert diagnostic.message == "`row` is a built-in name, so it cannot be a local name"
