"""The service behind the studio's page: messages, the desk, files, who may come in."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.doors import Door
from rulewright.app.studio.folder import BUNDLED, Folder, named_file
from rulewright.app.studio.reply import WorkerDesk
from rulewright.app.studio.server import PAGE, Desks, PageConnection, application
from rulewright.app.studio.thinking import Telling
from rulewright.app.studio.typescript import typescript
from rulewright.errors import RulewrightError
from rulewright.games.render.scene import Scene
from tests.shared.desks import ask
from tests.shared.tiny import RULES

SOURCES = Path(__file__).parents[2] / "studio"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept here."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))


@pytest.fixture
def desk() -> Iterator[Desk]:
    found = Desk()
    yield found
    found.close()


# --- messages ---

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("text", "game", "chair", "options", "x")), inner, max_size=3
        )
    ),
)


@given(st.sampled_from(tuple(m.METHODS)), _JSON)
def test_a_message_is_of_its_class_or_refused(method: str, params: object) -> None:
    try:
        found = m.read_request(json.dumps({"id": 1, "method": method, "params": params}))
    except m.BadRequest:
        return
    again = a.as_json(found.params)
    assert isinstance(params, dict)
    assert {name: again[name] for name in params} == params


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"text": 3}, "play: 3 is no str @ params.text"),
        ({}, "it is missing @ params.text"),
        ({"text": "a", "more": 1}, "there is no field `more` @ params"),
    ],
)
def test_what_is_wrong_is_named(params: object, message: str) -> None:
    with pytest.raises(m.BadRequest) as caught:
        m.read_request(json.dumps({"id": 1, "method": "play", "params": params}))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id": true, "method": "table"}', "[" * 100_000])
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(m.BadRequest):
        m.read_request(text)


def test_the_worker_of_a_page_calls_what_there_is() -> None:
    """JavaScript calls these methods of Python by their names: no tool sees a renamed one."""
    worker = (SOURCES / "src" / "worker.ts").read_text("utf-8")
    declared = worker.partition("interface Inside {")[2].partition("}")[0]
    names = re.findall(r"^  (\w+)\(", declared, re.MULTILINE)
    assert {"ask", "put"} <= {*names}
    assert [name for name in names if not callable(getattr(WorkerDesk, name, None))] == []


def test_the_page_has_the_types_of_the_service() -> None:
    assert (SOURCES / "src" / "messages.ts").read_text("utf-8") == typescript()


def test_the_built_page_is_of_these_sources() -> None:
    """Else `make studio` has been forgotten."""
    digest = hashlib.sha256()
    names = ["package-lock.json", *sorted(f"src/{p.name}" for p in (SOURCES / "src").iterdir())]
    for name in names:
        digest.update(name.encode() + b"\0" + (SOURCES / name).read_bytes() + b"\0")
    assert (PAGE / "SOURCES").read_text("utf-8").strip() == digest.hexdigest()
    assert sum(path.stat().st_size for path in PAGE.iterdir() if path.suffix != ".json") <= 700_000


def test_the_sources_of_the_page_import_one_way() -> None:
    """Types too: what several parts share stands in a file of its own, and `app.tsx` in none."""
    files = {path.stem: path.read_text("utf-8") for path in (SOURCES / "src").glob("*.ts*")}
    imports = {name: re.findall(r'from "\./(\w+)"', text) for name, text in files.items()}
    assert "app" not in {other for others in imports.values() for other in others}
    TopologicalSorter(imports).prepare()  # raises for a circle


# --- the desk ---


def test_every_request_has_an_answer_of_its_class(desk: Desk) -> None:
    assert set(a.ANSWERS) | set(a.LISTS) == set(m.METHODS)
    for method in m.METHODS:
        assert callable(desk.handler(method))


def test_a_game_is_played_with_branches(desk: Desk) -> None:
    ask(desk, "play", text="b2")
    ask(desk, "play", text="a1")
    ask(desk, "goto", node=1)
    table = ask(desk, "play", text="c3")
    assert [(n["text"], n["parent"]) for n in table["nodes"]] == [("b2", 0), ("a1", 1), ("c3", 1)]
    again = ask(desk, "play", text="a1", at=1)
    assert (again["at"], len(again["nodes"])) == (2, 3)  # the branch that there was
    assert Scene.from_json(again["scene"]).as_json() == desk.tree.state.scene.as_json()


def test_a_whole_turn_is_played_and_nothing_that_is_illegal(desk: Desk) -> None:
    ask(desk, "open", game="conniption")
    before = ask(desk, "table")
    with pytest.raises(RulewrightError, match="no move of this position"):
        ask(desk, "play", text="nonsense")
    assert ask(desk, "table") == before


def test_a_player_decides_and_nobody_goes_on_after_the_end(desk: Desk) -> None:
    ask(desk, "sit", chair=1, player="random")
    table = ask(desk, "play", text="b2")
    assert table["thinking"]
    table = ask(desk, "think")
    assert (len(table["nodes"]), table["nodes"][1]["by"]) == (2, "random")
    table = ask(desk, "resign")
    assert (table["over"], table["verdict"]) == (True, "nought wins: cross resigned")
    with pytest.raises(RulewrightError, match="cross resigned; go back"):
        ask(desk, "play", text="a1")
    with pytest.raises(RulewrightError, match="the game is over"):
        ask(desk, "think")


def test_who_cannot_sit_leaves_all_as_it_was(desk: Desk) -> None:
    before = ask(desk, "play", text="b2")
    for params in ({"chair": 0, "player": "nobody"}, {"chair": 2, "player": "human"}):
        with pytest.raises(RulewrightError):
            ask(desk, "sit", **params)
    with pytest.raises(RulewrightError):
        ask(desk, "open", game="chess", players=["human", "nobody"])
    assert ask(desk, "table") == before


def test_a_search_gives_values_and_arrows(desk: Desk) -> None:
    for move in ("a1", "a2", "b1", "b2"):
        ask(desk, "play", text=move)
    found = ask(desk, "search", seconds=0.5)
    site = desk.tree.state.game.rules.board.by_name["c1"]
    assert (found["move"], found["proven"], found["arrows"]) == ("c1", "win", [[site]])
    assert found["candidates"][0]["site"] == site


def test_a_personality_is_explained_with_other_factors_and_saved(tmp_path: Path) -> None:
    desk = Desk(Folder(tmp_path), "connect4")
    known = ask(desk, "personalities")[0]
    factors = ask(desk, "factors", personality=known["name"])
    factor = next(f for f in factors if f["value"] != f["low"])
    asked = {"personality": known["name"], "factors": {factor["name"]: factor["low"]}}
    found = ask(desk, "explain", **asked, seconds=60)
    assert found["explanation"]["chosen"] in desk.tree.state.moves.texts
    ask(desk, "save_personality", **asked, name="mine")
    assert f"{factor['name']}" in (tmp_path / "mine.personality").read_text("utf-8")
    with pytest.raises(RulewrightError, match="is there already"):
        ask(desk, "save_personality", **asked, name="mine")


def test_games_go_out_and_come_in(desk: Desk) -> None:
    ask(desk, "open", game="twixt", options={"size": "8"}, moves="d4 e6")
    for form in ("sgf", "txt", "T1"):
        told = ask(desk, "write_game", form=form)
        ask(desk, "open", game="chess")
        table = ask(desk, "read_game", name=told["name"], text=told["text"])
        assert ([n["text"] for n in table["nodes"]], table["game"]) == (["d4", "e6"], "twixt")


# --- texts ---


def test_the_board_follows_rules_as_far_as_the_game_is_legal(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(RULES)
    desk = Desk(*named_file(str(tmp_path / "tiny.rules")))
    for move in ("a1", "b1"):
        ask(desk, "play", text=move)
    wider = ask(desk, "follow", path="tiny.rules", text=RULES.replace("3 by 1", "5 by 1"))
    assert (len(wider["scene"]["spots"]), len(wider["nodes"]), wider["warning"]) == (5, 2, "")
    narrow = ask(desk, "follow", path="tiny.rules", text=RULES.replace("3 by 1", "1 by 1"))
    assert "1 decision of the game is not legal any more" in narrow["warning"]
    found = ask(desk, "check", path="tiny.rules", text=RULES.replace("stuck", "stuk"))
    assert [d["code"] for d in found["diagnostics"]] == ["unknown-name"]


def test_a_game_begins_anew_by_a_text_that_is_not_saved() -> None:
    """Of a bundled game too, which keeps its name: its levels and its title are found by it."""
    desk = Desk()
    ask(desk, "play", text="a1")
    path = f"{BUNDLED}rulesets/tictactoe/tictactoe.rules"
    text = ask(desk, "read", path=path)["text"] + "lose when count own = 1\n"
    changed = {"path": path, "text": text}
    followed = ask(desk, "follow", **changed)
    assert (followed["source"], followed["over"]) == ("tictactoe", True)
    anew = ask(desk, "follow", **changed, moves="", players=["human", "random"])
    assert (anew["nodes"], [c["player"] for c in anew["chairs"]]) == ([], ["human", "random"])
    assert ask(desk, "play", text="b2")["over"]
    assert not ask(desk, "open", game="tictactoe", moves="b2")["over"]


def test_a_file_holds_the_whole_game_whatever_is_shown() -> None:
    desk = Desk()
    for move in ("a1", "b1", "c1"):
        ask(desk, "play", text=move)
    ask(desk, "goto", node=1)
    assert "c1" in ask(desk, "write_game", form="txt")["text"]
    ask(desk, "play", text="b2")  # another way, which is the game from now on
    assert "c1" not in ask(desk, "write_game", form="txt")["text"]


def test_the_board_follows_the_value_of_an_option_that_nobody_set(tmp_path: Path) -> None:
    text = RULES.replace("board square 3 by 1", "option wide = 3 in 1..9\nboard square wide by 1")
    (tmp_path / "tiny.rules").write_text(text)
    desk = Desk(*named_file(str(tmp_path / "tiny.rules")))
    wider = ask(desk, "follow", path="tiny.rules", text=text.replace("wide = 3", "wide = 5"))
    assert len(wider["scene"]["spots"]) == 5
    ask(desk, "open", game="tiny.rules", options={"wide": "7"})
    wider = ask(desk, "follow", path="tiny.rules", text=text.replace("wide = 3", "wide = 5"))
    assert len(wider["scene"]["spots"]) == 7


def test_what_another_program_wrote_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "tiny.rules"
    file.write_text(RULES)
    folder = Folder(tmp_path)
    seen = folder.read("tiny.rules").digest
    seen = folder.write("tiny.rules", RULES + "\n", seen).digest
    file.write_text("# somebody else\n")
    with pytest.raises(RulewrightError, match="changed by another program"):
        folder.write("tiny.rules", RULES, seen)
    assert file.read_text("utf-8") == "# somebody else\n"


@pytest.mark.parametrize(
    "path",
    ["../x.rules", "/etc/passwd", "a/../../x.rules", "tiny.txt", "", "link.rules",
     f"{BUNDLED}rulesets/../../x.rules", f"{BUNDLED}tests/x.rules", "C:\\x.rules/../../y.rules"],
)  # fmt: skip
def test_no_path_leads_outside(path: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "x.rules").write_text(RULES)
    (inside / "link.rules").symlink_to(tmp_path / "x.rules")
    for do in (Folder(inside).find, Folder(inside).read):
        with pytest.raises(RulewrightError):
            do(path)
    assert next(iter(Folder(inside).files("tictactoe"))).path.startswith(BUNDLED)


def test_the_editor_receives_hovers_and_completions(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(RULES)
    desk = Desk(Folder(tmp_path))
    typed = {"path": "tiny.rules", "text": RULES}
    at = RULES.index("empty")
    found = ask(desk, "hover", **typed, offset=at + 1)
    assert (found["start"], found["end"], "empty" in found["text"]) == (at, at + 5, True)
    half = RULES[: RULES.index("empty") + 2]
    items = ask(desk, "complete", path="tiny.rules", text=half, offset=len(half))
    assert (items["start"], "empty" in {item["label"] for item in items["items"]}) == (at, True)
    place = RULES.rindex("place")
    declared = RULES.index("place")
    told = ask(desk, "define", **typed, offset=place)
    assert told == [{"path": "tiny.rules", "start": declared, "end": declared + 5}]
    bundled = ask(desk, "read", path=f"{BUNDLED}rulesets/twixt/chains.personality")
    use = bundled["text"].index("use chains") + 5
    told = ask(desk, "define", path=bundled["path"], text=bundled["text"], offset=use)
    assert told[0]["path"] == f"{BUNDLED}rulesets/twixt/chains.eval"


def test_hints_are_edits_and_a_text_gets_its_layout(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(RULES)
    desk = Desk(Folder(tmp_path))
    wrong = RULES.replace("stuck", "stuk").replace("choose at", "choose  at")
    found = ask(desk, "check", path="tiny.rules", text=wrong)
    assert [mend["problem"] for mend in found["mends"]] == [0]
    edits = [*found["mends"][0]["edits"]]
    mended = _edited(wrong, edits)
    assert mended == wrong.replace("stuk", "stuck")
    assert _edited(mended, ask(desk, "format", path="tiny.rules", text=mended)) == RULES
    kinds = {
        RULES[start:end]: kind
        for start, end, kind in ask(desk, "check", path="tiny.rules", text=RULES)["colours"]
    }
    assert (kinds["choose"], kinds["1"]) == ("keyword", "number")


def _edited(text: str, edits: list[dict[str, Any]]) -> str:
    for one in sorted(edits, key=lambda edit: -edit["start"]):
        text = text[: one["start"]] + one["text"] + text[one["end"] :]
    return text


def test_a_file_with_mistakes_can_be_opened_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(RULES.replace("stuck", "stuk"))
    desk = Desk(*named_file(str(tmp_path / "tiny.rules")))
    table = ask(desk, "table")
    assert (table["game"], "tiny.rules has mistakes" in table["warning"]) == ("tictactoe", True)
    assert ask(desk, "follow", path="tiny.rules", text=RULES)["game"] == "tiny"


def test_a_page_names_no_files_and_starts_no_programs(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "tiny.rules").write_text(RULES)
    (tmp_path / "x.rules").write_text(RULES)
    outside = tmp_path / "x.personality"
    outside.write_text("format 1\npersonality x for tiny\nsearch random\n")
    desk = Desk(Folder(inside), "tiny.rules")
    before = ask(desk, "table")
    asked: list[tuple[str, dict[str, object]]] = [
        ("open", {"game": str(tmp_path / "x.rules")}),
        ("open", {"game": "../x.rules"}),
        ("sit", {"chair": 0, "player": str(outside)}),
        ("sit", {"chair": 0, "player": f"human:{outside}"}),
        ("sit", {"chair": 0, "player": "engine:touch was_here"}),
        ("open", {"game": "chess", "players": ["uci:stockfish", "human"]}),
        ("explain", {"personality": str(outside)}),
        ("patterns", {"file": str(outside)}),
        ("explain", {"personality": "x", "seconds": 1e9}),
        ("search", {"seconds": -1}),
    ]
    for method, params in asked:
        with pytest.raises(RulewrightError):
            ask(desk, method, **params)
    told = json.dumps({"format": 1, "game": str(tmp_path / "x.rules"), "options": {}, "moves": ""})
    with pytest.raises(RulewrightError):
        ask(desk, "read_game", name="game.json", text=told)
    assert ask(desk, "table") == before


def test_own_games_go_out_and_come_in(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(RULES)
    desk = Desk(Folder(tmp_path), "tiny.rules")
    ask(desk, "play", text="a1")
    told = ask(desk, "write_game", form="txt")
    table = ask(desk, "read_game", name=told["name"], text=told["text"])
    assert (table["source"], [n["text"] for n in table["nodes"]]) == ("tiny.rules", ["a1"])


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "1e999"])
def test_numbers_end(seconds: str) -> None:
    text = f'{{"id": 1, "method": "search", "params": {{"seconds": {seconds}}}}}'
    with pytest.raises(m.BadRequest, match="is no number"):
        m.read_request(text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nosuch"], "no game is called nosuch"),
        (["nosuch.rules"], "there is no file nosuch.rules"),
        (["chess", "--set", "size=3"], "this game has no option `size`"),
    ],
)
def test_what_cannot_be_opened_is_reported_before_there_is_a_page(
    words: list[str], message: str, run: Callable[..., tuple[int, str, str]]
) -> None:
    status, out, err = run("studio", *words, "--no-browser")
    assert (status, out, message in err) == (2, "", True)


# --- who may come in ---

NO_REQUEST = "a message has an id, a method and params (this is no JSON text)"


def test_only_pages_from_here_that_know_the_token_come_in() -> None:
    app = application(Folder(), "", {})
    token = app.state.door.token
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    bad: list[tuple[str, dict[str, str]]] = [
        ("/talk", {}),
        ("/talk?token=wrong", {}),
        (f"/talk?token={token}", {"Origin": "http://evil.example"}),
        (f"/talk?token={token}", {"Host": "evil.example"}),
        (f"/talk?token={token}", {"Origin": "http://127.0.0.1:9999"}),
    ]
    for path, headers in bad:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers):
            pass
    good = {"Origin": "http://127.0.0.1:8000", "Host": "127.0.0.1:8000"}
    with client.websocket_connect(f"/talk?token={token}", headers=good) as socket:
        socket.send_text('{"id": 7, "method": "table", "params": {}}')
        assert socket.receive_json()["result"]["game"] == "tictactoe"
        socket.send_text("nonsense")
        assert socket.receive_json() == {"id": None, "error": {"message": NO_REQUEST}}


def test_the_page_has_a_policy_and_nothing_else_is_served() -> None:
    client = TestClient(application(Folder(), "", {}), base_url="http://localhost")
    page = client.get("/")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for path in ("/SOURCES", "/../server.py", "/%2e%2e/server.py", "/studio.js.map"):
        assert client.get(path).status_code == 404
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 404


@given(st.text(max_size=20))
def test_no_other_token_is_the_token(token: str) -> None:
    door = Door()
    headers = {"host": "localhost:1"}
    assert door.lets_in(headers, token) == (token == door.token)
    assert door.lets_in(headers, door.token)


def test_what_plays_is_compiled_before_anybody_waits_for_it() -> None:
    app = application(Folder(), "", {})
    client = TestClient(app, headers={"Host": "localhost"})
    asked = {
        "id": 1,
        "method": "open",
        "params": {"game": "breakthrough", "options": {"width": "4"}},
    }
    with client.websocket_connect(f"/talk?token={app.state.door.token}&desk=one") as socket:
        socket.send_text(json.dumps(asked))
        assert socket.receive_json()["result"]["game"] == "breakthrough"
        game = app.state.desks.of("one").tree.state.game
        for _ in range(400):
            if game.machine is not None:
                break
            time.sleep(0.05)
    assert game.machine is not None


def test_a_reload_finds_the_game_again() -> None:
    app = application(Folder(), "", {})
    client = TestClient(app, headers={"Host": "localhost"})
    way = f"/talk?token={app.state.door.token}&desk="
    for desk, wanted in (("one", 1), ("one", 1), ("two", 0)):
        with client.websocket_connect(f"{way}{desk}") as socket:
            if wanted:
                socket.send_text('{"id": 1, "method": "play", "params": {"text": "b2", "at": 0}}')
            else:
                socket.send_text('{"id": 1, "method": "table", "params": {}}')
            assert len(socket.receive_json()["result"]["nodes"]) == wanted


@pytest.mark.filterwarnings("error")
def test_reports_after_the_end_of_the_server_are_dropped(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, socket = asyncio.new_event_loop(), WebSocket({"type": "websocket"}, None, None)  # type: ignore[arg-type]
    stopped = []
    with ThreadPoolExecutor(1) as pool:
        page = PageConnection(socket, desk, Desks(Desk), pool=pool, loop=loop)
        loop.close()

        def answer(_: Desk, __: m.Request, telling: Telling) -> dict[str, Any]:
            page._running[False] = 7
            telling.tell(None)
            stopped.append(telling.ended())
            return {}

        monkeypatch.setattr("rulewright.app.studio.server.reply", answer)
        page._reply(m.read_request('{"id": 7, "method": "table", "params": {}}'))
    assert stopped == [True]
