"""Ends that contradict each other, and what says that their order is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import check, load, loads
from rulewright.checks.probes import exclusive
from rulewright.checks.properties_of_rules import RulesProperties
from rulewright.checks.run import CheckRequest, try_file
from rulewright.checks.sampling import Workload
from rulewright.checks.shrinking import OutOfTries, shortest
from rulewright.checks.subject import Subject
from rulewright.games.files.games import bundled_games

MATE = "f2f3 e7e5 g2g4 d8h4"
BOTH = "2 1 4 3 1 2 3 4 2 7 4 7!"
DOUBLE = "c1 e5+ a1 e5+ c2 e5+ a2 e5+ c3 e5+ a3 e5+ d1 e5+ d3 e5+ e1 e5+ e3 e5+ f5 b2+"


@pytest.mark.parametrize(
    ("game", "moves"), [("chess", MATE), ("conniption", BOTH), ("pentago", DOUBLE)]
)
def test_orders_that_are_meant_are_no_complaint(game: str, moves: str) -> None:
    subject = Subject(load(game))
    state = subject.game.start().play(moves)
    assert state.over
    play, is_stuck = subject.game.play, game == "chess"
    assert len(list(play.ends_met(state.situation.position, is_stuck, over=False))) > 1
    assert exclusive(subject, state) is None


@pytest.mark.parametrize(
    ("game", "moves", "rules"),
    [
        ("chess", MATE, "draw when stuck\nlose when stuck and attacked(own king)\n"),
        ("conniption", BOTH, "win when four\nlose when four for enemy\n"),
        ("pentago", DOUBLE, "win when five\nlose when five for enemy\n"),
    ],
)
def test_without_what_says_so_it_is_one(game: str, moves: str, rules: str) -> None:
    """The same game with these end rules, the special case last or away, and without its claims."""
    lines = bundled_games()[game].read_text("utf-8").splitlines()
    kept = [n for n in lines if n.partition(" ")[0] not in ("win", "lose", "draw", "claim")]
    subject = Subject(loads("\n".join(kept) + f"\n{rules}"))
    found = exclusive(subject, subject.game.start().play(moves))
    assert found is not None
    assert "says that" in found.message


def test_shrinking_ends_when_its_work_is_spent() -> None:
    moves = tuple("abcdefgh") * 30
    asked = 0

    def shows(candidate: tuple[str, ...]) -> tuple[str, ...] | None:
        nonlocal asked
        asked += 1
        if asked > 50:
            raise OutOfTries
        return candidate if candidate.count("a") == 30 else None

    assert set(shortest(moves, shows, 10_000)) <= set(moves)
    assert asked == 51


def test_a_long_game_is_shown_though_there_is_no_work_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rulewright.checks.properties_of_rules.SHRINKING", 0)
    text = bundled_games()["connect4"].read_text("utf-8") + "claim always count full < 20\n"
    battery = RulesProperties(Subject(loads(text)), 0, Workload.of(0.1, 10), ("always",))
    (tried,) = battery.run()
    (found,) = tried.findings
    assert found.moves is not None
    assert len(found.moves) >= 20


SMALL = """format 1
game small
players red blue
option size = 3 in 2..5
board square size by size
pieces stone

move place
  choose cell in empty
  put stone at cell

turn place
draw when stuck
"""


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ('claim with size = 2 after "a1 b2" count empty = 2', True),
        ('claim with size = 2 after "a1 b2" count empty = 7', False),
        ('claim after "a1 b2" count empty = 7', True),
        ('claim no "c3" with size = 2', True),
        ('claim no "c3"', False),
        ('claim no "c3" with size = 4', False),
        ('claim no "a1" with size = 2 after "a1"', True),
        ('claim with size = 2 after "c3" any full', False),
        ('claim with size = 5 after "e5" any enemy e5', True),
        ('claim with size = 5 after "e5" any enemy d4', False),
        ('claim with size = 4 after "d4" any enemy e5', False),
    ],
)
def test_claims_about_games_with_other_options(tmp_path: Path, claim: str, holds: bool) -> None:
    path = tmp_path / "small.rules"
    path.write_text(SMALL + claim + "\n", "utf-8")
    report = try_file(path, CheckRequest(properties=("after",)))
    assert not report.findings if holds else report.findings


def test_what_breaks_with_other_options_is_shown_with_them(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(SMALL + 'claim no "b1" with size = 2 after "a1"\n', "utf-8")
    (found,) = try_file(path, CheckRequest(properties=("after",))).findings
    assert "--set size=2" in found.replay


def test_claims_about_other_boards_may_name_their_sites() -> None:
    text = SMALL + 'claim with size = 5 after "e5" any enemy e5\n'
    assert not check(text).diagnostics
    wrong = SMALL + 'claim with size = 5 after "e5" any enemy stne\n'
    assert [d.code for d in check(wrong).diagnostics] == ["unknown-name"]
