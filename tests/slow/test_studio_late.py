"""A desk that does not come back: the page is told, gets another one, and plays on."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.server import application

PATIENCE = 0.3
LATE = (
    ("why_not", {"text": "a1"}),
    ("search", {"seconds": 0.1}),
    ("compare", {"first": "random", "second": "random", "games": 2}),
)


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What ends, after the test, whatever never ends."""
    found = threading.Event()
    yield found
    found.set()


@pytest.fixture
def talk(
    monkeypatch: pytest.MonkeyPatch, released: threading.Event, tmp_path: Path
) -> Iterator[Any]:
    """Begins a line to a studio in which some requests never end."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))

    def never(*_: object) -> None:
        released.wait()

    for method, _ in LATE:
        monkeypatch.setattr(Desk, f"_{method}", never)
    app = application(Folder(), "", {}, patience=PATIENCE)
    client = TestClient(app, headers={"Host": "localhost"})
    yield lambda: client.websocket_connect(f"/talk?token={app.state.door.token}&desk=one")
    released.set()


def say(socket: Any, number: int, method: str, params: object) -> None:
    socket.send_text(json.dumps({"id": number, "method": method, "params": params}))


@pytest.mark.parametrize(("method", "params"), LATE)
def test_what_never_ends_is_given_up(talk: Any, method: str, params: object) -> None:
    with talk() as socket:
        say(socket, 1, "play", {"text": "b2"})
        assert socket.receive_json()["result"]["nodes"]
        say(socket, 2, "hello", {})
        answer = socket.receive_json()
        assert "result" in answer, answer
        first = answer["result"]["process"]
        say(socket, 3, method, params)
        if method == "compare":  # has no limit of its own, but can be stopped
            say(socket, 4, "stop", {"behind": True})
            assert socket.receive_json()["id"] == 4
        told = socket.receive_json()
        assert "was given up" in told["error"]["message"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    with talk() as socket:
        say(socket, 1, "hello", {})
        assert socket.receive_json()["result"]["process"] != first  # the page gives it its game
        say(socket, 2, "play", {"text": "a1"})
        assert len(socket.receive_json()["result"]["nodes"]) == 1


def test_what_is_stopped_in_time_is_not_given_up(talk: Any, released: threading.Event) -> None:
    with talk() as socket:
        say(socket, 1, "compare", LATE[-1][1])
        say(socket, 2, "stop", {"behind": True})
        assert socket.receive_json()["id"] == 2
        released.set()
        assert socket.receive_json()["id"] == 1
        say(socket, 3, "table", {})
        assert socket.receive_json()["id"] == 3


def test_threads_that_never_end_do_not_keep_the_process() -> None:
    """In a process of its own, as it ends without all that comes after tests."""
    code = """
import os, threading, time
from rulewright.app.cli import studio
studio._CLOSING = 0.1
threading.Thread(target=time.sleep, args=(600,), name="desk_0").start()
os._exit(3 if studio._never_ends("desk") and not studio._never_ends("other") else 4)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=60, check=False)
    assert done.returncode == 3
