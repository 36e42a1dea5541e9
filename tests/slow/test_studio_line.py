"""Scenes on the line to a page: each message says all with those before it, and little again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.line import SLOTS, SceneLine
from tests.shared.desks import ask

GAMES = ("tictactoe", "hex", "lasca", "chess", "spanit", "kalah", "quarto", "go", "coins", "oware")


def whole(kept: dict[int, Any], message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message made whole again, as the page does."""
    answer = dict(message["result"])
    for name, part in answer.items():
        if isinstance(part, dict) and "drawing" in part:
            slot = part["drawing"]["slot"]
            if part["drawing"]["whole"] is not None:
                kept[slot] = part["drawing"]["whole"], {}
            drawing, spots = kept[slot]
            spots |= {spot["site"]: spot for spot in part["spots"]}
            answer[name] = {**part, "drawing": drawing, "spots": list(spots.values())}
    return {**message, "result": answer}


def length(message: object) -> int:
    return len(json.dumps(message, ensure_ascii=False))


@pytest.fixture
def desk() -> Any:
    desk = Desk()
    yield desk
    desk.close()


def moved(desk: Desk) -> Mapping[str, Any]:
    """The table after a decision."""
    table: Mapping[str, Any] = ask(desk, "table")
    return dict(ask(desk, "play", text=table["scene"]["moves"][-1]["text"]))


def test_every_message_can_be_made_whole(desk: Desk) -> None:
    assert len(GAMES) > SLOTS  # so that drawings are forgotten
    line, kept = SceneLine(), dict[int, Any]()
    for game in (*GAMES, *reversed(GAMES)):
        for answer in (ask(desk, "open", game=game), moved(desk), moved(desk)):
            message = {"id": 1, "result": answer}
            sent = json.loads(json.dumps(line.packed(message)))
            assert whole(kept, sent) == json.loads(json.dumps(message))
    assert len(kept) == SLOTS


@pytest.mark.parametrize("game", ["chess", "twixt", "spanit"])
def test_a_drawing_is_sent_once(desk: Desk, game: str) -> None:
    line = SceneLine()
    first = line.packed({"id": 1, "result": ask(desk, "open", game=game)})
    answer = {"id": 2, "result": moved(desk)}
    second = line.packed(answer)
    assert first["result"]["scene"]["drawing"]["whole"]
    assert len(second["result"]["scene"]["spots"]) <= 2
    assert 4 * length(second) < length(answer)


def test_both_boards_of_a_comparison_are_packed() -> None:
    desk, line = Desk(), SceneLine()
    scene = ask(desk, "table")["scene"]
    desk.close()
    sent = line.packed({"id": 1, "progress": {"first": scene, "second": scene, "lines": []}})
    assert sent["progress"]["first"]["spots"] == scene["spots"]
    assert sent["progress"]["second"]["spots"] == []
    assert sent["progress"]["second"]["drawing"] == {"slot": 0, "whole": None}
