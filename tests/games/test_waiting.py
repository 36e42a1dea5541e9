"""What a person waits for: texts that would keep one waiting are refused, and every command ends.

The texts of `tests/data/waiting` were accepted once, and then took from 20 to over 200 seconds for
one decision.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.checks.catching import catching, first_failing
from rulewright.checks.claims import failing
from rulewright.checks.compare import GameDifference
from rulewright.checks.sampling import cost_of, measured_positions, waiting
from rulewright.checks.tried import try_claims
from rulewright.compiler.engine import emitted_of
from rulewright.compiler.ir.build import FunctionBuilder
from rulewright.compiler.layout import Unsupported
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.files import catalog
from rulewright.games.files.games import bundled_games, check
from rulewright.games.files.kinds import FileContext, check_path
from rulewright.ground import budget, disk, limits
from rulewright.ground.limits import POSITION_STEPS, SLOW_STEPS
from tests.shared.effort import tries
from tests.shared.places import DOCS, WAITING

Run = tuple[int, str, str]
"""What a command gave: its status, and what it wrote to both streams."""

REFUSED = {"needc": 12, "many": 10, "pairs": 14}
"""The line that is to blame."""


@pytest.mark.parametrize(("name", "line"), REFUSED.items())
def test_a_position_that_takes_too_long_is_refused_at_its_line(name: str, line: int) -> None:
    (found,) = waiting(rulewright.load(WAITING / f"{name}.rules"))
    assert found.code == "too-slow"
    assert found.place.line == line


def test_check_ends_with_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The claim of this file alone would take hours."""
    assert main(["check", str(WAITING / "pairs.rules")]) == 1
    out = capsys.readouterr().out
    assert "[too-slow]" in out
    assert "claim" not in out


CROWDED = """format 1
game crowded
players red blue
board square 12 by 12
pieces man
move place
  choose a in empty
  choose b in empty
  need a <> b
  put man at a or b
  write "{a}{b}"
turn place
draw when stuck
"""
NOBODY = CROWDED.replace("need a <> b", "need a in full").replace("when stuck", "when ply = 9")


@pytest.mark.parametrize("text", [CROWDED, NOBODY], ids=["too many", "none"])
def test_a_game_that_cannot_begin_is_refused(text: str) -> None:
    report = check(text)
    assert report.game is not None
    with pytest.raises(Fault):
        _ = report.game.start("reference").moves.texts
    (found,), played = try_claims("rules", report)
    assert (found.code, found.severity, played) == ("cannot-begin", "error", None)


def turns(number: int) -> str:
    """A game whose turn has so many parts."""
    move = "choose c in empty\n  put man at c"
    head = CROWDED.partition("move place")[0]
    return f"{head}move p\n  {move}\nturn {'p? ' * number}p\ndraw when stuck\n"


@pytest.mark.parametrize("number", [900, limits.COURSES - 1])
def test_a_turn_of_too_many_parts_is_refused_before_anything_is_written(number: int) -> None:
    with pytest.raises(Unsupported, match="200 different parts"):
        emitted_of(rulewright.loads(turns(number)).play)


def doubled(levels: int) -> str:
    """A game whose move performs an action that performs another twice, and so on."""
    head, _, end = turns(0).partition("move p\n")
    calls = "".join(f"action a{n}(s)\n  if any s\n" + f"    a{n - 1}(s)\n" * 2
                    for n in range(1, levels + 1))  # fmt: skip
    move, _, rest = end.partition("turn")
    return f"{head}action a0(s)\n  clear s\n{calls}move p\n{move}  a{levels}(c)\nturn{rest}"


@given(levels=st.integers(1, 7))
def test_statements_in_actions_and_blocks_are_steps(levels: int) -> None:
    """They were none, so that twenty short actions kept `check` at work for hours."""

    def statements(levels: int) -> int:
        state = rulewright.loads(doubled(levels).replace("12 by 12", "2 by 2")).start("reference")
        with budget.within_steps(10**9, "") as counted:
            assert len(state.moves.texts) == 4
        return counted.statements

    performed = 0
    for _ in range(levels):
        performed = 3 + 2 * performed  # `if`, and two calls
    leaves = 2**levels  # `clear`
    assert statements(levels) - statements(0) == 4 * (performed + leaves - 1)


def test_actions_that_double_are_refused_at_their_line() -> None:
    (found,) = waiting(rulewright.loads(doubled(18)))
    assert found.code == "too-slow"
    assert found.place.excerpt.strip().startswith("a")


CHESS = rulewright.load("chess")


@settings(max_examples=tries(5))
@given(most=st.integers(1, 3000))
def test_lowering_stops_where_its_limit_is_passed(most: int) -> None:
    written = list[int]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "KERNELS", most)
        patch.setattr(FunctionBuilder, "put", lambda *_: written.append(1))
        with pytest.raises(Unsupported, match="lines"):
            emitted_of(CHESS.play)
    assert len(written) == most


@pytest.mark.parametrize("name", bundled_games())
def test_bundled_games_are_far_from_slow(name: str) -> None:
    game = rulewright.load(name)
    with budget.within_steps(10**9, "too much") as all_of_it:
        assert waiting(game) == []
    limit = 3 if game.start().by_chance else 2  # 960 set-ups are listed once a game
    assert 0 < all_of_it.spent < limit * SLOW_STEPS  # a dozen positions together


def test_what_is_not_looked_at_is_reported(run: Callable[..., Run], write: Path) -> None:
    """Looking stops between positions, and nothing dear is begun after it."""
    file = write / "tictactoe.rules"
    file.write_text(bundled_games()["tictactoe"].read_text("utf-8"))
    whole = measured_positions(rulewright.load(file))
    assert (whole.diagnostics, whole.left_out) == ((), "")
    with pytest.MonkeyPatch.context() as patch:
        module = "rulewright.checks.tried"
        patch.setattr(f"{module}.LOOKING_STEPS", whole.spent // 2)
        patch.setattr(
            f"{module}.measured_positions", partial(measured_positions, steps=whole.spent // 2)
        )
        told = run("check", str(file))[2]
        data = json.loads(run("check", str(file), "--format", "json")[1])
    (left, compiled) = (one["what"] for one in data["left_out"])
    assert re.fullmatch(r"\d+ positions? of a random game", left)
    assert compiled == "whether it is compiled"
    assert f"not looked at: {left}, {compiled}: too many steps" in told
    assert data["played_by"] == []
    assert json.loads(run("check", str(file), "--format", "json")[1])["left_out"] == []


def test_more_ends_than_kernels_test_are_refused_before_anything_is_written() -> None:
    head, _, _ = turns(1).rpartition("draw when stuck")
    ends = "".join(f"draw when ply > {900 + i}\n" for i in range(limits.ENDS))
    kept = head + "lose when stuck\n" + ends.split("\n", 1)[1]
    emitted_of(rulewright.loads(kept).play)
    with pytest.raises(Unsupported, match="more than 200 ends"):
        emitted_of(rulewright.loads(kept + "draw when ply > 1\n").play)


def test_claims_share_one_budget() -> None:
    text = (WAITING / "pairs.rules").read_text("utf-8")
    smaller = text.replace("9 by 9", "4 by 4").replace("81, 6480, 511920", "16, 240")
    game = rulewright.loads(smaller + "claim perft 16, 241\n")
    with budget.within_steps(10**9, "") as whole:
        assert [d.code for d in failing(game, steps=10**9)] == ["claim-fails"]
    (found,) = failing(game, steps=whole.spent * 3 // 4)
    assert (found.code, found.severity) == ("claim-untested", "warning")
    assert "perft 16, 241" in found.place.excerpt  # the first claim fitted in


def test_a_claim_is_not_blamed_for_an_outer_limit() -> None:
    game = rulewright.load(WAITING / "pairs.rules")
    with budget.within_seconds(0, 0, "late"), pytest.raises(OutOfBudget, match="late"):
        failing(game)


@given(steps=st.integers(1, 400))
def test_a_budget_ends_where_it_says(steps: int) -> None:
    """Neither before nor after; and what is spent of an inner one is spent of it."""
    with budget.within_steps(steps, "enough") as whole:
        with budget.within_steps(steps, "too much") as part:
            part.spend(steps)
        assert whole.spent == steps
        with pytest.raises(OutOfBudget, match="enough"):
            whole.spend()
    assert budget.current() is None


def test_what_is_over_stops_the_reference_and_not_what_comes_after() -> None:
    state = rulewright.load(WAITING / "many.rules").start()
    with budget.within_seconds(0.05, 0, "late"), pytest.raises(OutOfBudget, match="late"):
        _ = state.moves.texts
    assert rulewright.load("tictactoe").start().moves.texts


def test_a_position_too_slow_for_its_part_of_the_time_is_not_blamed_on_the_whole() -> None:
    moments = count()
    with (
        budget.within_seconds(400, 0, "all of it was over", clock=lambda: float(next(moments))),
        pytest.raises(OutOfBudget, match="first position takes more than a quarter"),
    ):
        cost_of(rulewright.load(WAITING / "many.rules"), 1)


def test_the_limits_are_reported_in_the_documents() -> None:
    docs = DOCS
    for page in ("language.md", "diagnostics.md", "design.md"):
        assert f"{POSITION_STEPS:,} steps" in (docs / page).read_text("utf-8")


# --- what comes too late is not wrong ---


def late(*_: object, **__: object) -> Any:
    raise OutOfBudget("late")


def test_a_file_that_was_read_too_late_has_no_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """`best --personality chains --time 3` said so, and a studio went on saying it."""
    game = rulewright.load("twixt")
    path = disk.root("patterns") / "twixt" / "chains.patterns"
    where = FileContext(game, path.parent)
    with monkeypatch.context() as patch:
        patch.setattr(catalog, "load_file", late)
        with pytest.raises(OutOfBudget):
            check_path(catalog.PATTERNS, path, where)
    assert check_path(catalog.PATTERNS, path, where).diagnostics == ()


def test_a_claim_that_could_not_be_tried_catches_nothing() -> None:
    game = rulewright.load("tictactoe")
    found = GameDifference(("a1",), (), (), "", "")
    with pytest.raises(OutOfBudget):
        catching(found, (game, game), "", ("", ""), late)
    with pytest.raises(OutOfBudget):
        first_failing("", ("claim no draws",), late)
