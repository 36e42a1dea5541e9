"""What the engine does is what the committed signature says, game by game."""

from __future__ import annotations

import pytest

from rulewright.checks.bench import rates
from rulewright.games.files.games import bundled_games
from tests.shared.backends import needs_llvm
from tests.tools.signature import kept


def test_every_bundled_game_has_its_line() -> None:
    assert sorted(kept()) == sorted(bundled_games())


@needs_llvm
@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_the_signature_is_the_committed_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of rules, of the order of decisions or of the search is a line in its commit.

    `python -m tests.tools.signature` writes the file anew.
    """
    monkeypatch.setattr(rates, "bundled_games", lambda: {name: bundled_games()[name]})
    assert {n: tuple(counts) for n, *counts in rates.signature()} == {name: kept()[name]}
