"""The property `blind`: what a text proves is met nowhere, and what it leaves open is tried."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

import rulewright
from rulewright.checks.blindness import PROVEN, blind, proves_blind
from rulewright.checks.properties_of_rules import RulesProperties
from rulewright.checks.sampling import Workload
from rulewright.checks.subject import Subject
from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.engine.luck import random_decision
from rulewright.games.files.games import bundled_games, load_with
from tests.generators.files import rule_files
from tests.shared.effort import tries
from tests.shared.places import TESTS

SAMPLE = TESTS / "games" / "sample"


def violation(game: Game, seed: int, plies: int = 6) -> bool:
    """Whether decisions of a random game tell something."""
    random, subject, state = Random(seed), Subject(game), game.start()
    for _ in range(plies):
        if state.over:
            break
        if blind(subject, state) is not None:
            return True
        state = state.play_decision(random_decision(state, random))
    return False


@pytest.mark.parametrize("name", ["darkhex", "phantom", "kuhn", "leduc", "rps", "goofspiel"])
def test_bundled_games_are_proven(name: str) -> None:
    assert proves_blind(load_with(bundled_games()[name], {}).rules)


def test_battleship_is_proven_and_dark_chess_is_tried() -> None:
    assert proves_blind(load_with(SAMPLE / "battleship.rules", {}).rules)
    assert not proves_blind(load_with(SAMPLE / "dark_chess.rules", {}).rules)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  if cell in enemy\n", "  need no east(cell) enemy\n  if cell in enemy\n"),
        ("  if cell in enemy\n", "  let above = north(cell) full\n  if cell in enemy\n"),
        ("    put mark at cell", "    put mark at cell\n  need no line_of(cell)"),
        ("    put mark at cell", '    put mark at cell\n  write "{cell}{n}"'),
        ("  if cell in enemy\n", "  need ply < 7\n  if cell in enemy\n"),
        ("  if cell in enemy\n", "  need rich < 1\n  if cell in enemy\n"),
    ],
)
def test_a_text_that_looks_at_unseen_things_is_not_proven(old: str, new: str) -> None:
    text = bundled_games()["phantom"].read_text("utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("claim"))
    lets = "let line_of(c) = north(c) enemy\nlet n = count full\nlet rich = count enemy\n"
    text = text.replace("move place", f"{lets}move place")
    assert old in text
    assert proves_blind(rulewright.loads(text).rules)
    assert not proves_blind(rulewright.loads(text.replace(old, new)).rules)


def test_what_is_needed_when_a_turn_is_over_is_not_proven() -> None:
    text = bundled_games()["rps"].read_text("utf-8").partition("claim")[0]
    assert proves_blind(rulewright.loads(text).rules)
    spoiled = text.replace("after turn\n", "after turn\n  need pick <> 3 or mover = first\n", 1)
    assert not proves_blind(rulewright.loads(spoiled).rules)


@settings(max_examples=tries(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(lucky=True))
def test_what_is_proven_is_met_nowhere(text: str) -> None:
    """In random files with secrets no other position tells what the proof denies."""
    game = rulewright.check(text).game
    if game is None or not game.rules.has_secrets or not proves_blind(game.rules):
        return
    with suppress(Fault):
        assert not violation(evolve(game, backend="reference"), 0)


def test_a_report_says_what_was_proven_or_compared() -> None:
    proven = RulesProperties(Subject(rulewright.load("kuhn")), properties=["blind"]).run()
    assert [result.looked for result in proven] == [PROVEN]
    text = bundled_games()["phantom"].read_text("utf-8").partition("claim")[0]
    leaky = text.replace("  if cell in enemy\n", "  need no east(cell) enemy\n  if cell in enemy\n")
    subject = Subject(rulewright.loads(leaky, backend="reference"))
    (result,) = RulesProperties(subject, effort=Workload(30_000), properties=["blind"]).run()
    assert result.findings
    assert "that look the same" in result.looked
