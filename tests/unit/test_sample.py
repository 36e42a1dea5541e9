"""The sample of games that turns with the day."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.games.files.games import bundled_games
from tests.shared import sample as sampling
from tests.shared.sample import (
    BROWSER,
    DAYS,
    DAYS_OF_BROWSER,
    DAYS_OF_ROOMS,
    MANY,
    ROOMS,
    VARIABLE,
    game_in,
    left_out,
    sample,
)

GAMES = sorted(bundled_games())
DAY = date(2026, 11, 27)


@given(st.sets(st.text("abc", min_size=1, max_size=4)), st.dates(max_value=date(9000, 1, 1)))
def test_every_game_has_its_turn_once_in_so_many_days(games: set[str], first: date) -> None:
    days = [sample("today", games, first + timedelta(later)) for later in range(DAYS)]
    assert Counter(name for names in days for name in names) == Counter(games)
    assert max(map(len, days)) - min(map(len, days)) <= 1


def test_a_wish_is_all_or_a_day_or_names() -> None:
    assert sample("", GAMES, DAY) == sample("all", GAMES, DAY) == GAMES
    assert sample("2026-11-27", GAMES, date(2000, 1, 1)) == sample("today", GAMES, DAY)
    assert sample("hex, chess", GAMES, DAY) == ["chess", "hex"]
    with pytest.raises(pytest.UsageError, match="checkers"):
        sample("chess checkers", GAMES, DAY)


def test_a_game_is_a_name_or_begins_a_tuple_or_has_the_file() -> None:
    assert game_in(["reference", ("hex", {}, 3)], GAMES) == "hex"
    assert game_in([3, bundled_games()["hex"], "chess"], GAMES) == "hex"
    assert game_in(["reference", (), Path("hex.rules"), None], GAMES) is None


def cases(test: str, games: list[str], marks: tuple[str, ...] = ()) -> list[Any]:
    return [
        SimpleNamespace(
            nodeid=f"{test}[{game}]",
            callspec=SimpleNamespace(params={"name": game}),
            path=Path(test),
            get_closest_marker=lambda name: name in marks,
        )
        for game in games
    ]


def test_only_what_tries_many_games_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "hex,chess")
    every, few = cases("every", GAMES), cases("few", ["go", "hex"])
    alone: Any = SimpleNamespace(
        nodeid="alone", path=Path("unit/alone.py"), get_closest_marker=lambda name: None
    )
    gone = {item.nodeid for item in left_out([*every, *few, alone])}
    assert gone == {f"every[{name}]" for name in GAMES if name not in ("hex", "chess")}
    assert sampling.heading().endswith(f"2 of {len(GAMES)}: chess hex")
    monkeypatch.delenv(VARIABLE)
    assert not list(left_out(every))


def test_every_case_of_many_has_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = [f"seed {number}" for number in range(MANY + 1)]
    divided, facts = cases("agreement/boards.py", seeds), cases("slow/page.py", seeds, ("whole",))
    unit = cases("unit/boards.py", seeds)
    tried: Counter[str] = Counter()
    for day in ("2026-11-27", "2026-11-28", "2026-11-29"):
        monkeypatch.setenv(VARIABLE, day)
        gone = {item.nodeid for item in left_out([*divided, *facts, *unit])}
        assert gone < {item.nodeid for item in divided}
        tried.update(item.nodeid for item in divided if item.nodeid not in gone)
    assert tried == Counter(item.nodeid for item in divided)
    monkeypatch.setenv(VARIABLE, "hex")  # whoever names games tries every case of them
    assert not list(left_out(divided))


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize(("fixture", "days"), [(BROWSER, DAYS_OF_BROWSER), ("x", DAYS_OF_ROOMS)])
def test_every_test_of_a_room_has_its_turn(
    fixture: str, days: int, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = [name for part in "abcdef" for name in cases(f"{room}/test_{part}.py", ["1", "2", "3"])]
    alone = [name for part in "abcdef" for name in cases(f"{room}/alone_{part}.py", ["1"])]
    for item in (*tests, *alone):
        item.fixturenames = [fixture, "name"]
    tried: Counter[str] = Counter()
    for day in range(1, days + 1):
        monkeypatch.setenv(VARIABLE, f"2026-11-0{day}")
        gone = {item.nodeid for item in left_out([*tests, *alone])}
        assert 0 < sum(item.nodeid in gone for item in tests) < len(tests)
        assert sum(item.nodeid in gone for item in alone) == len(alone) * (days - 1) / days
        tried.update(item.nodeid for item in (*tests, *alone) if item.nodeid not in gone)
    assert tried == Counter(item.nodeid for item in (*tests, *alone))
