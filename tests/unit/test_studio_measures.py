"""Tournaments, records and tuning behind the studio's page."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.errors import RulewrightError
from rulewright.matches.api import Terms, tournament
from rulewright.studio import answers as a
from rulewright.studio import messages as m
from rulewright.studio.desk import Desk
from rulewright.studio.thinking import Telling

SILENT = Telling(lambda known: None, lambda: False)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    found = Desk()
    yield found
    found.close()


def ask(desk: Desk, method: str, **params: object) -> Any:
    request = m.read_request(json.dumps({"id": 1, "method": method, "params": params}))
    return a.as_json(desk.answer(request, SILENT))


@pytest.mark.parametrize("suffix", [".jsonl", ".db"])
def test_a_record_is_opened_whatever_its_form(desk: Desk, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"kept{suffix}"
    terms: Terms = {"games": 2, "both_seats": True, "record": path}
    with tournament("tictactoe", ["random"], **terms) as run:
        games = list(run)
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
    ("method", "params", "told"),
    [
        ("records", {"name": "a.txt", "data": ""}, "no record of a match"),
        ("records", {"name": "a.db", "data": "no base64"}, "is no record"),
        ("records", {"name": "../../a.jsonl", "data": "nothing\n"}, "a.jsonl"),
        ("tournament", {"players": ["random", "search"], "nodes": 5}, "3 to 12 players"),
        ("tournament", {"players": ["random", "search", "gtp:x"], "nodes": 5}, "nobody called"),
        ("tune", {"personality": "nobody", "nodes": 5}, "has no personality"),
    ],
)
def test_what_a_page_may_not_ask_is_refused(
    desk: Desk, method: str, params: Any, told: str
) -> None:
    with pytest.raises(RulewrightError, match=told):
        ask(desk, method, **params)
