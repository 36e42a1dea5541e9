"""Compiling in the studio: it is told, can be stopped, is done once, and for one page alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import chess
import pytest
from starlette.testclient import TestClient

from rulewright.app.studio.answers import Doing
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.server import application
from rulewright.app.studio.thinking import Telling
from rulewright.app.studio.tree import start_state
from rulewright.compiler.backend import native
from rulewright.errors import RulewrightError
from rulewright.ground.scoped import set_temporarily
from tests.shared.desks import ask
from tests.shared.sample import chosen

SOON = 20.0
IS_FAST: ContextVar[bool] = ContextVar("fast", default=False)


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Two events: the compiler has begun, and may go on, but where it is fast."""
    begun, may_go_on = threading.Event(), threading.Event()
    compile_now = native._compiled_now

    def slowly(*given: Any) -> Any:
        if not IS_FAST.get():
            begun.set()
            may_go_on.wait(SOON)
        return compile_now(*given)

    monkeypatch.setattr(native, "_compiled_now", slowly)
    yield begun, may_go_on
    may_go_on.set()


def test_a_game_that_is_opened_again_is_the_same_whatever_came_between() -> None:
    first = start_state("twixt", {}).game
    for name in chosen():
        start_state(name, {})
    assert start_state("twixt", {}).game is first


def test_what_is_compiled_is_reported_part_by_part() -> None:
    told: list[Any] = []
    desk = Desk(Folder())
    ask(desk, "open", game="morris", players=["search", "human"])
    desk.prepare_players()  # who thinks at once is left alone
    ask(desk, "think", Telling(told.append, lambda: False), seconds=0.05)
    parts = [say.parts for say in told if isinstance(say, Doing) and say.what == "compiling"]
    assert parts == [*range(1, len(parts) + 1)]
    assert parts


@pytest.mark.parametrize(
    ("game", "other", "question"),
    [("breakthrough", "search", "think"), ("othello", "human", "search")],
)
def test_players_get_ready_while_a_person_decides(game: str, other: str, question: str) -> None:
    """Of Othello a player finds the best moves, which two persons may ask for."""
    told, desk = list[Any](), Desk(Folder())
    ask(desk, "open", game=game, players=["human", other])
    desk.prepare_players()
    ask(desk, "play", text=desk.tree.state.moves.texts[0])
    ask(desk, question, Telling(told.append, lambda: False), seconds=0.05)
    assert not [say for say in told if isinstance(say, Doing) and say.what == "compiling"]


def test_a_player_tells_what_it_thinks_and_decides_when_it_is_hurried() -> None:
    desk, told = Desk(Folder()), list[Doing]()
    ask(desk, "open", game="chess", players=["search", "human"])

    def hear(progress: object) -> None:
        if isinstance(progress, Doing) and progress.what == "thinking":
            told.append(progress)
            ask(desk, "hurry")

    table = ask(desk, "think", Telling(hear, lambda: False), seconds=SOON)
    assert told[-1].seconds < SOON / 2
    assert table["at"] == 1
    (node,), board = table["nodes"], chess.Board()
    for text, shown in ((told[-1].move, told[-1].line[0]), (node["text"], node["shown"])):
        assert shown == board.san(chess.Move.from_uci(text))


def test_a_desk_does_not_wait_while_another_compiles(
    compiling: tuple[threading.Event, threading.Event],
) -> None:
    begun, may_go_on = compiling
    one, other = Desk(Folder()), Desk(Folder())

    def think() -> None:
        ask(one, "open", game="y", players=["search", "human"])
        ask(one, "think", seconds=0.05)

    slow = threading.Thread(target=think, name="slow")
    slow.start()
    assert begun.wait(SOON)
    with set_temporarily(IS_FAST, True):
        ask(other, "open", game="tictactoe", players=["search", "human"])
        assert len(ask(other, "think", seconds=0.05)["nodes"]) == 1
    assert slow.is_alive()
    assert not may_go_on.is_set()
    may_go_on.set()
    slow.join(SOON)


def test_compiling_is_stopped_and_the_page_goes_on(
    compiling: tuple[threading.Event, threading.Event],
) -> None:
    app = application(Folder(), "", {})
    client = TestClient(app, headers={"Host": "localhost"})
    with client.websocket_connect(f"/talk?token={app.state.door.token}&desk=one") as line:

        def say(number: int, method: str, **params: object) -> None:
            line.send_text(json.dumps({"id": number, "method": method, "params": params}))

        say(1, "open", game="dots", players=["search", "human"])
        assert line.receive_json()["result"]["thinking"]
        say(2, "think", seconds=0.1)
        assert compiling[0].wait(SOON)
        doing = line.receive_json()
        assert (doing["id"], doing["doing"]["what"]) == (2, "compiling")
        say(3, "stop")
        said: dict[int, Any] = {}
        while len(said) < 2:
            answer = line.receive_json()
            said |= {} if "doing" in answer else {answer["id"]: answer}
        assert "stopped" in said[2]["error"]["message"]
        assert "result" in said[3]
        compiling[1].set()


def test_a_player_that_is_stopped_says_so_and_nothing_is_played() -> None:
    desk = Desk(Folder())
    ask(desk, "open", game="tictactoe", players=["search", "human"])
    with pytest.raises(RulewrightError, match="thinking was stopped"):
        ask(desk, "think", Telling(lambda _: None, lambda: True), seconds=0.05)
    assert ask(desk, "table")["nodes"] == []
