"""A studio for others: nobody comes in without the password, from another page, or by trying."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rulewright.app.cli import main
from rulewright.app.studio.doors import COOKIE, Gate
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.server import application
from rulewright.errors import RulewrightError

KNOWN = "a long päss word"


@pytest.fixture
def others() -> Callable[[], TestClient]:
    """Browsers of others, who know one studio."""
    app = application(Folder(), "", {}, Gate(KNOWN))
    return lambda: TestClient(app, base_url="http://table.example:8000", follow_redirects=False)


def talks(client: TestClient, **headers: str) -> bool:
    try:
        with client.websocket_connect("ws://table.example:8000/talk", headers=headers) as socket:
            socket.send_text('{"id": 7, "method": "table", "params": {}}')
            return bool(socket.receive_json()["result"]["game"] == "tictactoe")
    except WebSocketDisconnect:
        return False


def test_whoever_knows_the_password_comes_in(others: Callable[[], TestClient]) -> None:
    client = others()
    for path in ("/", "/studio.js", "/index.html"):
        asked = client.get(path)
        assert asked.status_code == 401
        assert 'type="password"' in asked.text
        assert "form-action 'self'" in asked.headers["content-security-policy"]
    assert not talks(client)
    assert client.post("/enter", data={"password": "another"}).status_code == 401
    assert not talks(client)
    entered = client.post("/enter", data={"password": KNOWN})
    assert (entered.status_code, entered.headers["location"]) == (303, ".")
    assert "HttpOnly; SameSite=Strict" in entered.headers["set-cookie"]
    assert client.get("/studio.js").status_code == 200
    assert talks(client)
    assert talks(client, Origin="http://table.example:8000")
    assert not talks(client, Origin="http://evil.example")
    assert not talks(others())  # it is the cookie that is known, not the machine


def test_passwords_cannot_be_tried_for_long(others: Callable[[], TestClient]) -> None:
    client = others()
    wrong = [client.post("/enter", data={"password": f"{n}"}).status_code for n in range(12)]
    assert wrong == [401] * 10 + [429] * 2
    assert client.post("/enter", data={"password": KNOWN}).status_code == 429
    assert client.post("/enter", content=b"password=" + b"x" * 100_000).status_code == 429


def test_pages_of_others_tell_no_password(others: Callable[[], TestClient]) -> None:
    headers = {"Origin": "http://evil.example"}
    told = others().post("/enter", data={"password": KNOWN}, headers=headers)
    assert (told.status_code, "set-cookie" in told.headers) == (401, False)


@given(st.text(max_size=20))
def test_no_other_cookie_is_the_cookie(text: str) -> None:
    gate = Gate(KNOWN)
    assert not gate.may_see({"cookie": f"{COOKIE}={text}"})
    assert not gate.may_see({"cookie": text})
    entered = gate.enter({}, KNOWN)
    assert entered is not None
    assert gate.may_see({"cookie": entered.partition(";")[0]})


def test_there_is_no_studio_for_others_without_a_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RULEWRIGHT_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    words = ["studio", "--host", "0.0.0.0", "--no-browser"]
    assert main(words) == 2
    err = capsys.readouterr().err
    assert "not encrypted" in err
    assert "needs a password" in err
    monkeypatch.setenv("RULEWRIGHT_PASSWORD", "short")
    assert main(words) == 2
    assert "8 letters" in capsys.readouterr().err
    with pytest.raises(RulewrightError):
        Gate("")
