"""What `best` prints of a personality's decision, and what it knows of a position from a file."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from rulewright.app.cli import main
from rulewright.games.files.games import load
from rulewright.players.opening import opening_decision
from rulewright.players.personality import Personality


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["best", *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("who", ["counter", "eager"])
def test_a_decision_of_a_personality_tells_its_cost(
    who: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asked(capsys, "connect4", "--moves", "4 4", "--personality", who)
    assert found["nodes"] > 0
    assert all(None not in line.values() for line in found["root"])
    assert found["move"] in [line["move"] for line in found["root"]]


def test_depth_is_reported_of_searches(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, "connect4", "--moves", "4 4", "--personality", "counter@depth=2")
    assert found["depth"] == 2


@pytest.mark.parametrize(("option", "number"), [("depth", 2), ("nodes", 300)])
def test_limits_of_a_personality_mean_the_same_everywhere(
    option: str, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--depth` was refused where `@depth=` was not."""
    told = []
    for words in (
        ["counter", f"--{option}", str(number)],
        [f"counter@{option}={number}"],
        [f"counter@{option}={number}", f"--{option}", "1"],
    ):
        assert main(["best", "connect4", "--moves", "4 4 3", "--personality", *words]) == 0
        data = json.loads(capsys.readouterr().out)
        told.append({k: v for k, v in data.items() if k != "seconds"})
    assert told[0] == told[1] == told[2]
    assert told[0]["depth"] == 2 if option == "depth" else told[0]["nodes"] == 300


def test_a_forced_end_is_reported_in_the_root(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, "connect4", "--moves", "4 1 4 1 4 1", "--personality", "counter")
    assert found["proven"] == "win"
    proven = {line["move"]: line.get("proven") for line in found["root"]}
    assert proven["4"] == "win"


@pytest.mark.parametrize(
    ("moves", "opens"), [("", True), ("l12", True), ("l12 k10", False), ("l12 k10 m14", False)]
)
def test_a_position_knows_how_many_turns_were_played(moves: str, opens: bool) -> None:
    """An `opening random 1 turn` ends after a turn of each, also where only the board is known."""
    game = load("twixt", pie=False)
    player = Personality.load("t1_alone", game)
    played = game.start().play(moves) if moves else game.start()
    for state in (played, game.read(played.text())):
        assert (opening_decision(player.model, player.judge, state, Random(1)) is not None) is opens
