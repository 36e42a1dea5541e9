"""Requests of a page beside each other: whatever changes while one thinks, nothing breaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.thinking import Telling
from rulewright.errors import RulewrightError

PLAYERS = {
    "tictactoe": ("solver", "computer", "random"),
    "connect4": ("counter", "eager", "computer"),
    "conniption": ("flip", "cells", "search"),
}
REQUESTS = 150
"""Short requests of a run; as many long ones as fit beside them."""

Ask = Callable[..., object]
Wish = tuple[str, dict[str, Any]]
"""A method and its parameters."""


def asking(desk: Desk, over: Event) -> Ask:
    """A way to ask; a fault of ours is raised, refusals are answers."""
    telling = Telling(lambda _: None, over.is_set)

    def ask(method: str, **params: Any) -> object:
        request = m.read_request(json.dumps({"id": 1, "method": method, "params": params}))
        try:
            return desk.answer(request, telling)
        except RulewrightError as refusal:
            return refusal

    return ask


def long_requests(desk: Desk, chance: Random) -> Iterator[Wish]:
    """Requests that take a while, about the game that the desk has when they are made."""
    while True:
        players = PLAYERS[desk.tree.state.game.name]
        about: dict[str, Any] = {"personality": players[0], "seconds": 0.3, "factors": {}}
        wishes: list[Wish] = [
            ("think", {"seconds": 0.05}), ("search", {"seconds": 0.05}), ("explain", about),
            ("versus", {**about, "other": players[1]}),
        ]  # fmt: skip
        yield chance.choice(wishes)


def short_requests(desk: Desk, chance: Random) -> Iterator[Wish]:
    """Requests that change the game, its players, or what is looked at."""
    while True:
        state = desk.tree.state
        texts = state.moves.texts or ["a1"]
        who = chance.choice(["human", *PLAYERS[state.game.name]])
        wishes: list[Wish] = [
            ("open", {"game": chance.choice([*PLAYERS])}), ("play_on", {}), ("resign", {}),
            ("sit", {"chair": chance.randrange(2), "player": who}),
            ("goto", {"node": chance.randrange(len(desk.tree.places))}),
            *[("play", {"text": chance.choice(texts)})] * 3,
        ]  # fmt: skip
        yield chance.choice(wishes)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_breaks_whatever_is_asked_while_one_thinks(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    desk, over, chance = Desk(Folder(), "tictactoe"), Event(), Random(seed)
    ask = asking(desk, over)

    def keep_asking(number: int) -> int:
        wishes = long_requests(desk, Random(f"{seed} {number}"))
        count = 0
        while not over.is_set():
            method, params = next(wishes)
            ask(method, **params)
            count += 1
        return count

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(keep_asking, number) for number in range(2)]
        try:
            for method, params in islice(short_requests(desk, chance), REQUESTS):
                ask(method, **params)
                over.wait(0.02)
        finally:
            over.set()
        assert all(future.result() > 0 for future in asked)
    desk.close()
