"""Tournaments, records and tuning behind the studio's page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.studio.desk import Desk
from rulewright.errors import RulewrightError
from rulewright.matches.api import Terms, tournament
from rulewright.matches.export import lines_text
from rulewright.matches.record_files import read_matches
from rulewright.matches.tune import Tuner
from tests.shared.desks import ask


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    found = Desk()
    yield found
    found.close()


def test_a_tuning_without_optuna_looks_near_the_best(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shares are made up, so that the best values are known."""
    monkeypatch.setattr("rulewright.app.studio.measuring.optuna_is_there", lambda: False)
    shares = {}

    def share(tuner: Tuner, contestant: str, seed: int) -> float:
        value = float(contestant.rpartition("=")[2])
        factor = tuner.factors[0]
        assert factor.low <= value <= factor.high
        shares[value] = 1 - abs(value - factor.low) / (factor.high - factor.low)
        return shares[value]

    monkeypatch.setattr(Tuner, "_share", share)
    ask(desk, "open", game="connect4")
    person = ask(desk, "personalities")[0]["name"]
    one = ask(desk, "factors", personality=person)[0]
    asked = {"personality": person, "factors": [one["name"]], "games": 2, "nodes": 5}
    found = ask(desk, "tune", trials=25, **asked)
    values = [trial["factors"][one["name"]] for trial in found["trials"]]
    assert values[0] == one["value"]
    assert found["trials"][found["best"]]["share"] == max(shares.values())
    span = one["high"] - one["low"]
    middle = [
        sum(abs(v - one["low"]) for v in some) / len(some) for some in (values[:4], values[-8:])
    ]
    assert middle[1] < middle[0]
    assert middle[1] < span / 4
    again = ask(desk, "tune", trials=25, **asked)
    assert again["trials"] == found["trials"]


def test_a_tuning_says_that_there_is_nothing_to_confirm(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tuner, "_share", lambda *_: 0.5)
    ask(desk, "open", game="connect4")
    person = ask(desk, "personalities")[0]["name"]
    found = ask(desk, "tune", personality=person, trials=2, games=2, nodes=5, confirm=2)
    assert (found["best"], found["over"]) == (0, True)
    assert "nothing to confirm" in found["lines"][0]


def test_the_course_of_a_sequential_test_is_reported_pair_by_pair(desk: Desk) -> None:
    ask(desk, "open", game="connect4")
    asked = {"first": "counter", "second": "random", "games": 6, "nodes": 20}
    found = ask(desk, "compare", elo=[0, 50], **asked)
    first, second = found["ratios"][:2]
    assert 0 < len(found["ratios"]) <= 3
    assert first != second
    assert f"ratio {found['ratios'][-1]:.2f} in" in " ".join(found["lines"])
    assert found["bounds"] == pytest.approx([-2.9444, 2.9444], abs=1e-3)
    assert ask(desk, "compare", **asked)["bounds"] is None


@pytest.mark.parametrize("suffix", [".jsonl", ".db"])
def test_a_record_is_opened_whatever_its_form(desk: Desk, tmp_path: Path, suffix: str) -> None:
    path, stored = tmp_path / f"kept{suffix}", tmp_path / "kept.db"
    terms: Terms = {"games": 2, "both_seats": True, "record": stored}
    with tournament("tictactoe", ["random"], **terms) as run:
        games = list(run)
    if path != stored:
        path.write_text(lines_text(read_matches(stored)))
    data = path.read_bytes()
    text = b64encode(data).decode() if suffix == ".db" else data.decode()
    found = ask(desk, "records", name=path.name, data=text)
    assert [one["moves"] for one in found["games"]] == [" ".join(g.decisions) for g in games]
    first = found["games"][0]
    table = ask(desk, "open", game=first["source"], options=first["options"], moves=first["moves"])
    assert table["over"]
    if suffix == ".jsonl":  # half of a line is told, the rest is shown
        changed = text.replace('"winner":', '"winner" :', 1)
        assert len(ask(desk, "records", name=path.name, data=changed)["games"]) == 2
        broken = "\n".join([*text.splitlines()[:2], '{"format":1,"kind":"game"}', ""])
        found = ask(desk, "records", name=path.name, data=broken)
        assert (len(found["games"]), len(found["damaged"])) == (1, 1)
        assert str(tmp_path) not in found["damaged"][0]


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("records", {"name": "a.txt", "data": ""}, "no record of a match"),
        ("records", {"name": "a.db", "data": "no base64"}, "is no record"),
        ("records", {"name": "../../a.jsonl", "data": "nothing\n"}, "a.jsonl"),
        ("tournament", {"players": ["random", "search"], "nodes": 5}, "3 to 12 players"),
        ("tournament", {"players": ["random", "search", "gtp:x"], "nodes": 5}, "is no player of"),
        ("tune", {"personality": "nobody", "nodes": 5}, "has no personality"),
    ],
)
def test_what_a_page_may_not_ask_is_refused(
    desk: Desk, method: str, params: Any, message: str
) -> None:
    with pytest.raises(RulewrightError, match=message):
        ask(desk, method, **params)
