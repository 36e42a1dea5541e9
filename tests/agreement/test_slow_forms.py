"""What is slow is said with its line and a faster way, and what is fast is not complained of."""

from __future__ import annotations

import pytest

from rulewright.checks.tried import try_claims
from rulewright.compiler.engine import emitted_of
from rulewright.compiler.layout import ChosenForm, Unsupported
from rulewright.compiler.plan import plan_lines, slow_parts
from rulewright.games.engine.kernels import playing_backend
from rulewright.games.files.games import check, load, loads

TEXT = """format 1
game slow

players red blue
board square {size} by {size}
pieces stone

{before}

move place
  choose a in empty
{lines}
  put stone at a

turn place
{end}
draw when stuck
"""
SLOW = {
    "nested": ("  need every(s in sites, t in sites : s = t or x(s) <> y(t) or a in t)", "`every`"),
    "flood": ("  need not some(s in own : count reach(s, own, near) > 9)", "`reach`"),
    "groups": ("  need every(s in own : every(g in groups(own s or a) : count g < 9))", "`groups`"),
}


def slow(lines: str = "", before: str = "", end: str = "", size: int = 8) -> list[ChosenForm]:
    """The slow parts of a text."""
    text = TEXT.format(lines=lines, before=before, end=end, size=size)
    return slow_parts(emitted_of(loads(text).play).layout)


@pytest.mark.parametrize("name", SLOW)
def test_a_slow_shape_is_named_with_a_faster_way(name: str) -> None:
    lines, part = SLOW[name]
    (note,) = slow(lines)
    assert note.part == part
    assert note.advice


def test_the_same_on_a_small_board_is_not_slow() -> None:
    assert slow(SLOW["nested"][0])
    assert not slow(SLOW["nested"][0], size=4)


def test_what_lies_outside_of_the_loop_does_not_count() -> None:
    outside = "win when some(s in reach(bottom, own, near) : count near(s) own > 7)"
    assert not slow(end=outside)


def test_a_set_by_a_site_is_a_table_and_not_slow() -> None:
    block = "let block(s) = those(t in sites : (x(t) - 1) div 3 = (x(s) - 1) div 3)"
    assert not slow(before=block, end="win when some(s in own : count own block(s) > 20)", size=9)


def test_decisions_that_may_be_written_alike_are_named() -> None:
    move = """
move leap
  choose s in own
  choose t in empty
  clear s
  put stone at t
  write "{t}"
"""
    text = TEXT.format(lines="", before=move, end="", size=8).replace("turn p", "turn leap or p")
    (note,) = slow_parts(emitted_of(loads(text).play).layout)
    assert note.part == "decisions of `leap`"
    assert not slow_parts(emitted_of(loads(text.replace('"{t}"', '"{s}{t}"')).play).layout)


def test_the_lines_of_a_plan_are_in_the_order_of_the_text() -> None:
    lines = [x for x in plan_lines(emitted_of(load("chess").play).layout) if ".rules:" in x]
    numbers = [int(line.split(":")[1]) for line in lines]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 5


def test_check_warns_at_the_line() -> None:
    text = TEXT.format(lines=SLOW["nested"][0], before="", end="", size=8)
    (warning,) = (
        d for d in try_claims("rules", check(text, "slow.rules"))[0] if d.code == "slow-form"
    )
    assert warning.render().startswith("slow.rules:12:")
    assert "hint:" in warning.render()


def test_what_no_kernel_can_do_is_named_with_its_line() -> None:
    text = TEXT.format(lines="", before="", end="", size=4).replace(
        "put stone at a\n", "put stone at a\n  if a in corners\n    need any near(a) own\n"
    )
    game = loads(text)
    with pytest.raises(Unsupported) as refusal:
        emitted_of(game.play)
    assert refusal.value.where.endswith(":14"), "the line of the `if`"
    assert playing_backend(game).reason == f"{refusal.value} ({refusal.value.where})"
