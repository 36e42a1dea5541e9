"""Six texts that are slow by the way they are written: each is told where, and how to write it.

`tests/data/slow/NAME.fast.rules` is the same game as it is told to be written; `rulewright bench
--playouts` measures both.  Random games a second, slow and fast, on the day they were written:
rows 32,000 and 889,000; pairs 15,700 and 949,000; floods 79,000 and 484,000; chains a fault (of too
many ways) and 27,000; margin 236,000 and 473,000; sets 26,600 and 41,600.
"""

from __future__ import annotations

import pytest

from rulewright.checks.tried import try_claims
from rulewright.compiler.engine import emitted_of
from rulewright.compiler.plan import plan_lines
from rulewright.games.files.games import check
from tests.shared.backends import needs_llvm
from tests.shared.places import TESTS

FOLDER = TESTS / "data" / "slow"
WARNED = {
    "rows": (16, "slow-form", "let NAME(s)"),
    "pairs": (9, "slow-form", "east or south"),
    "floods": (18, "slow-form", "groups"),
    "chains": (24, "slow", "longest by NAME"),
}


def warnings(name: str) -> list[tuple[int, str, str]]:
    report = check((FOLDER / f"{name}.rules").read_text("utf-8"))
    found, _ = try_claims("rules", report)
    told = [d for d in (*report.diagnostics, *found) if d.code.startswith("slow")]
    assert report.game is not None
    return [(d.place.line, d.code, d.hint) for d in told]


@needs_llvm
@pytest.mark.parametrize("name", WARNED)
def test_what_is_slow_is_reported_with_its_line_and_a_faster_way(name: str) -> None:
    ((line, code, hint),) = warnings(f"{name}.slow")
    text = (FOLDER / f"{name}.slow.rules").read_text("utf-8").splitlines()
    assert (line, code) == WARNED[name][:2], text[line - 1]
    assert WARNED[name][2] in hint


@needs_llvm
@pytest.mark.parametrize("name", [*WARNED, "sets", "margin"])
def test_the_faster_text_is_not_complained_of(name: str) -> None:
    assert warnings(f"{name}.fast") == []


@needs_llvm
def test_sets_that_are_written_behind_a_choice_are_not_complained_of() -> None:
    """They do not hang on what is chosen, and cost less than twice as much."""
    assert warnings("sets.slow") == []


def test_a_margin_that_costs_a_word_is_in_the_plan() -> None:
    told = {}
    for name in ("margin.slow", "margin.fast"):
        game = check((FOLDER / f"{name}.rules").read_text("utf-8")).game
        assert game is not None
        told[name] = plan_lines(emitted_of(game.play).layout)[1]
    assert told["margin.slow"].endswith("; faster: `board` 8 by 8, which needs 1 word")
    assert "faster" not in told["margin.fast"]
