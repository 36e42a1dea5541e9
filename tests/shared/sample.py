"""Which of the bundled games a run of tests plays: all, or a sample that turns with the day.

What is tried of many games takes as long as there are games.  `make test` and `.ci/run` try it of a
sample, `make test-all` of all.  A test with many cases (boards, executions, seeds) tries a
third of them in a sample, the next third on the day after, unless it is one of single modules;
`pytest.mark.whole` stands where every case is a fact of its own.  The other tests, but for those of
single modules, take turns in a sample: each is tried every second day, or every third in a browser.
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
DAYS = 20
"""So many days in a row play every game once."""
MANY_GAMES = 10
"""A test of so many games, or more, tries those of the sample."""
MANY, THIRDS, ROOMS = 6, 3, ("agreement", "games", "slow")
"""In a run of a sample, a test of so many cases tries one of so many, in these rooms."""
BROWSER = "browser"
"""The fixture of tests in a real browser."""
DAYS_OF_ROOMS, DAYS_OF_BROWSER = 2, 3
"""So many days in a row try every test of these rooms once, and every one in a browser."""


def day_of(wish: str, today: date | None = None) -> date | None:
    """Reads the day of a wish; None where it names no day."""
    if wish == "today":
        return today or date.today()
    if not wish[:1].isdigit():
        return None
    try:
        return date.fromisoformat(wish)
    except ValueError:
        raise pytest.UsageError(f"{VARIABLE}: `{wish}` is no day, as 2026-11-27 is") from None


def sample(wish: str, games: Collection[str], today: date) -> list[str]:
    """Names the games of a wish: `all`, `today`, a day as `2026-11-27`, or names."""
    if wish in ("", "all"):
        return sorted(games)
    if day := day_of(wish, today):
        return sorted(games)[day.toordinal() % DAYS :: DAYS]
    names = wish.replace(",", " ").split()
    if not set(names) <= set(games):
        raise pytest.UsageError(f"{VARIABLE}: no such games: {sorted(set(names) - set(games))}")
    return sorted(names)


def chosen() -> list[str]:
    """Names the games of this run."""
    return sample(os.environ.get(VARIABLE, ""), bundled_games(), date.today())


def of_the_day(*cases: str) -> tuple[str, ...]:
    """Gives one of the cases in a run of a sample, the next on the day after; else all of them."""
    day = day_of(os.environ.get(VARIABLE, ""))
    return (cases[day.toordinal() % len(cases)],) if day else cases


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
    """Finds the cases that this run leaves out: other games, and two thirds of many cases."""
    tests: defaultdict[str, list[tuple[str | None, pytest.Item]]] = defaultdict(list)
    games, played, day = bundled_games(), chosen(), day_of(os.environ.get(VARIABLE, ""))
    for item in items:
        call = getattr(item, "callspec", None)
        if call is not None or days_of(item) > 1:
            name = game_in(call.params.values(), games) if call else None
            tests[item.nodeid.partition("[")[0]].append((name, item))
    for cases in tests.values():
        if len({name for name, _ in cases} - {None}) >= MANY_GAMES:
            yield from (item for name, item in cases if name and name not in played)
        elif day and is_divided(cases[0][1], len(cases)):
            at = day.toordinal() % THIRDS
            yield from (item for number, (_, item) in enumerate(cases) if number % THIRDS != at)
        elif day and (days := days_of(cases[0][1])) > 1:
            turn = day.toordinal() + number_of(cases[0][1])
            yield from (item for number, (_, item) in enumerate(cases) if (number + turn) % days)


def days_of(item: pytest.Item) -> int:
    """Counts the days that try *item* once: 1 where every run does."""
    if item.get_closest_marker("whole"):
        return 1
    in_browser = BROWSER in getattr(item, "fixturenames", ())
    return DAYS_OF_BROWSER if in_browser else DAYS_OF_ROOMS if item.path.parent.name in ROOMS else 1


def number_of(item: pytest.Item) -> int:
    """Gives a test the number of its turn, by its name alone."""
    return sum(map(ord, item.nodeid.partition("[")[0]))


def is_quick(item: pytest.Item) -> bool:
    """Tells whether *item* is compiled by few passes: in a sample, where half the time would go."""
    in_room = item.path.parent.name in ("unit", "agreement", "games")
    return day_of(os.environ.get(VARIABLE, "")) is not None and in_room


def is_divided(item: pytest.Item, cases: int) -> bool:
    """Tells whether a run of a sample tries a third of the test that *item* is a case of."""
    in_room = item.path.parent.name in ROOMS
    return cases >= MANY and in_room and not item.get_closest_marker("whole")
