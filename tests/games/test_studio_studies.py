"""What the studio finds out about a text behind the game: findings, coverage, two texts, names."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.thinking import Telling
from rulewright.errors import OutOfBudget, RulewrightError
from tests.shared.desks import ask
from tests.shared.tiny import RULES

NAME = "mine.rules"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    (tmp_path / NAME).write_text(RULES)
    found = Desk(Folder(tmp_path), NAME)
    yield found
    found.close()


def test_a_finding_has_its_line_and_a_game_to_be_shown(desk: Desk) -> None:
    text = f"{RULES}\nclaim ends within 1\n"
    told: list[Any] = []
    once = Telling(told.append, lambda: bool(told))
    found = ask(desk, "study", once, path=NAME, text=text, what="properties", seconds=20)
    (note,) = [one for one in found["notes"] if one["text"].startswith("within")]
    assert text.splitlines()[note["line"] - 1] == "claim ends within 1"
    table = ask(desk, "follow", path=NAME, text=text, moves=note["moves"])
    assert " ".join(node["text"] for node in table["nodes"]) == note["moves"]
    assert not table["over"]  # as the finding says


def test_claims_that_hold_are_reported_by_their_lines(desk: Desk) -> None:
    text = f"{RULES}\nclaim perft 3\nclaim perft 2\nclaim ends within 1\n"
    study = ask(desk, "study", path=NAME, text=text, what="properties", seconds=20)
    lines = text.splitlines()
    holding = {lines[line - 1] for line in study["holding"]}
    wrong = {lines[note["line"] - 1] for note in study["notes"] if note["line"]}
    assert "claim perft 3" in holding
    assert "claim perft 2" in wrong
    assert not holding & wrong
    coverage = ask(desk, "study", path=NAME, text=text, what="coverage", seconds=20)
    assert coverage["holding"] == []


def test_a_recipe_is_put_where_the_cursor_stands(desk: Desk) -> None:
    shown = ask(desk, "recipes", path=NAME, text=RULES)
    titles = [recipe["title"] for recipe in shown]
    title = "Take over the first move"
    assert title in titles
    (edit, turn) = ask(desk, "recipe", path=NAME, text=RULES, offset=0, title=title)
    assert edit["text"].startswith("move swap")
    assert turn["text"].endswith("or swap")
    with pytest.raises(RulewrightError, match="no such recipe"):
        ask(desk, "recipe", path=NAME, text=RULES, offset=0, title="nothing")
    with pytest.raises(RulewrightError, match="no place"):
        ask(desk, "recipe", path=NAME, text=RULES, offset=len(RULES) + 1, title=title)


def test_what_is_known_is_reported_from_round_to_round_until_nobody_waits(desk: Desk) -> None:
    told: list[Any] = []
    stopping = Telling(told.append, lambda: bool(told))
    begun = time.monotonic()
    found = ask(desk, "study", stopping, path=NAME, text=RULES, what="coverage", seconds=500)
    assert len(told) <= 2
    assert found["counts"]
    assert time.monotonic() - begun < 60
    with pytest.raises(OutOfBudget):
        ask(desk, "study", path=NAME, text=RULES, what="properties", seconds=1e-9)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"what": "spelling"}, "there is no study"),
        ({"what": "coverage", "seconds": 1e9}, "thinking takes up to"),
        ({"what": "faults", "path": "mine.patterns"}, "put into rules"),
    ],
)
def test_studies_out_of_reach_are_refused(desk: Desk, params: Any, message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        ask(desk, "study", **{"path": NAME, "text": RULES, **params})


def test_two_texts_part_as_both_have_it(desk: Desk) -> None:
    other = RULES.replace("lose when", "win when", 1)
    assert other != RULES
    found = ask(desk, "diff", path=NAME, text=other)
    assert found["lines"][0].startswith("they differ after")
    moves = found["moves"].split()
    for text, scene, ending in zip(
        (other, RULES), ("first", "second"), found["endings"], strict=True
    ):
        table = ask(desk, "follow", path=NAME, text=text, moves=" ".join(moves))
        assert table["scene"]["spots"] == found[scene]["spots"]
        assert table["verdict"].partition(" ")[0] in (ending.partition(" ")[0], "")
    same = ask(desk, "diff", path=NAME, text=RULES, seconds=0.3)
    assert (same["first"], same["lines"][0][:19]) == (None, "no difference found")


def test_a_name_of_a_bundled_file_is_not_changed(desk: Desk) -> None:
    path = "bundled:rulesets/breakthrough/breakthrough.eval"
    text = ask(desk, "read", path=path)["text"]
    offset = text.index("of move step") + len("of move st")
    with pytest.raises(RulewrightError, match=r"bundled|would change"):
        ask(desk, "rename", path=path, text=text, offset=offset, name="stride")
