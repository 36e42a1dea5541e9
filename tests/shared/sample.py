"""Which of the bundled games a run of tests plays: all, or a sample that turns with the day.

What is tried of every bundled game takes as long as there are games.  `make test` and `.ci/run` try
it of a sample, `make test-all` of all; tests that name a few games themselves are always run.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest

from rulewright.games.files.games import bundled_games

VARIABLE = "RULEWRIGHT_GAMES"
DAYS = 10
"""So many days in a row play every game once."""


def sample(wish: str, games: Collection[str], today: date) -> list[str]:
    """Names the games of a wish: `all`, `today`, a day as `2026-11-27`, or names."""
    if wish in ("", "all"):
        return sorted(games)
    if wish == "today" or wish[0].isdigit():
        try:
            day = today if wish == "today" else date.fromisoformat(wish)
        except ValueError:
            raise pytest.UsageError(f"{VARIABLE}: `{wish}` is no day, as 2026-11-27 is") from None
        return sorted(games)[day.toordinal() % DAYS :: DAYS]
    names = wish.replace(",", " ").split()
    if not set(names) <= set(games):
        raise pytest.UsageError(f"{VARIABLE}: no such games: {sorted(set(names) - set(games))}")
    return sorted(names)


def chosen() -> list[str]:
    """Names the games of this run."""
    return sample(os.environ.get(VARIABLE, ""), bundled_games(), date.today())


def heading() -> str:
    """Tells the games of this run, for the head of its report."""
    wish, games = os.environ.get(VARIABLE, "") or "all", chosen()
    return f"games: {wish}, {len(games)} of {len(bundled_games())}: {' '.join(games)}"


def game_in(parameters: Collection[object], games: Collection[str]) -> str | None:
    """Finds the game that a test is given: its name, a tuple that begins with it, its file."""
    for value in parameters:
        first = value[0] if isinstance(value, tuple) and value else value
        if isinstance(first, Path):
            first = first.parent.name
        if isinstance(first, str) and first in games:
            return first
    return None


def left_out(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Finds the tests that try every game, for games that this run does not play."""
    games, played = bundled_games(), chosen()
    tests: defaultdict[str, list[tuple[str, pytest.Item]]] = defaultdict(list)
    for item in items:
        call = getattr(item, "callspec", None)
        name = game_in(call.params.values(), games) if call is not None else None
        if name is not None:
            tests[item.nodeid.partition("[")[0]].append((name, item))
    for cases in tests.values():
        if 2 * len({name for name, _ in cases}) > len(games):
            yield from (item for name, item in cases if name not in played)
