"""Our brain by a strict manager that was written from the protocol's text."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.shared.gomocup_strict import GomocupStrict

BRAIN = (sys.executable, "-m", "rulewright", "gomocup")


@pytest.fixture
def brain() -> Iterator[GomocupStrict]:
    started = GomocupStrict(*BRAIN, "--personality", "random")
    yield started
    started.close()


def test_the_whole_protocol(brain: GomocupStrict) -> None:
    """One process does for all, as starting takes longest."""
    assert {"name", "version", "author"} <= brain.about().keys()
    beginning(brain)
    boards(brain)
    taking_back(brain)
    swapping(brain)
    rules(brain)
    refusals(brain)
    brain.end()


def beginning(brain: GomocupStrict) -> None:
    assert brain.refused("BEGIN").startswith("ERROR")
    brain.start(9)
    brain.say("INFO timeout_turn 200", "INFO timeout_match 0", "INFO max_memory 0",
              "INFO time_left 2147483647", "INFO game_type 0", "INFO folder .",
              "INFO evaluate 1,1", "INFO something else")  # fmt: skip
    brain.silent()
    brain.move("BEGIN")
    for _ in range(3):
        x, y = brain.free()
        brain.move(f"TURN {x},{y}")
    assert brain.ask("RESTART").startswith("OK")
    brain.taken.clear()
    x, y = brain.free()
    brain.move(f"TURN {x},{y}")


def boards(brain: GomocupStrict) -> None:
    brain.start(12, 8)
    brain.taken = {(3, 3), (4, 4), (5, 5), (11, 7)}
    brain.say("BOARD", "3,3,2", "4,4,1", "5,5,2")
    brain.silent(0.1)
    brain.move("11,7,1", "DONE")
    brain.free()
    brain.start(9)
    brain.move("BOARD", "DONE")
    assert brain.ask("RESTART").startswith("OK")
    assert brain.refused("BOARD", "1,1,2", "2,2,2", "DONE").startswith("ERROR")
    assert brain.refused("BOARD", "1,1,2", "1,1,1", "DONE").startswith("ERROR")
    brain.taken.clear()
    brain.move("BEGIN")


def taking_back(brain: GomocupStrict) -> None:
    brain.start(9)
    assert brain.ask("PLAY 4,4") == "4,4"
    brain.taken.add((4, 4))
    x, y = brain.move("TURN 0,0")
    assert brain.ask(f"TAKEBACK {x},{y}").startswith("OK")
    assert brain.ask("TAKEBACK 0,0").startswith("OK")
    assert brain.ask("TAKEBACK 4,4").startswith("OK")
    assert brain.refused("TAKEBACK 4,4").startswith("ERROR")
    brain.taken.clear()
    brain.move("BEGIN")


def swapping(brain: GomocupStrict) -> None:
    brain.start(15)
    stones = brain.ask("SWAP2BOARD", "DONE").split(" ")
    assert len(set(stones)) == 3
    for count in (3, 5):
        fields = [*stones, "7,1", "1,7"][:count]
        answer = brain.ask("SWAP2BOARD", *fields, "DONE")
        assert answer == "SWAP" or answer not in fields
    assert brain.refused("SWAP2BOARD", "1,1", "DONE").startswith("ERROR")


def rules(brain: GomocupStrict) -> None:
    """Six in a row win by rule 0 and not by rule 1; renju and caro are not played."""
    brain.start(9)
    for rule, wins in [(0, True), (1, False)]:
        brain.say(f"INFO rule {rule}")
        brain.silent(0.1)
        lines = [f"{x},0,2\r\n{x},{2 * (x % 2) + 2},1" for x in (0, 1, 2, 4, 5)]
        brain.taken = {(3, 8)}
        if wins:
            assert brain.refused("BOARD", *lines, "3,0,2", "DONE").startswith("ERROR")
        else:
            brain.move("BOARD", *lines, "3,0,2", "DONE")
        assert brain.ask("RESTART").startswith("OK")
    for rule in (4, 8, 2):
        brain.say(f"INFO rule {rule}")
        brain.silent(0.1)
        assert brain.refused("BEGIN").startswith("ERROR")
        assert brain.refused("BOARD", "DONE").startswith("ERROR")
    brain.say("INFO rule 0")
    brain.taken.clear()
    brain.move("BEGIN")


def refusals(brain: GomocupStrict) -> None:
    for line in ("START 1", "START x", "TURN 99,99", "TURN here", "PLAY 9,9"):
        assert brain.refused(line).startswith("ERROR")
    assert brain.refused("DANCE").startswith("UNKNOWN")
    brain.start(9)


def test_a_strong_brain_swaps_what_is_lost_for_white() -> None:
    brain = GomocupStrict(*BRAIN, "--personality", "careful")
    brain.start(15)
    brain.say("INFO timeout_turn 2000")
    assert brain.ask("SWAP2BOARD", "7,7", "0,0", "8,7", "0,14", "9,7", "DONE") == "SWAP"
    assert brain.ask("SWAP2BOARD", "0,0", "7,7", "14,0", "8,7", "0,14", "DONE") != "SWAP"
    brain.end()
