"""A refused request changes nothing: every request of the studio, with any arguments."""

from __future__ import annotations

import json
import types
import typing
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.tree import GameTree
from rulewright.errors import Fault, RulewrightError
from tests.shared.desks import SILENT
from tests.shared.effort import tries
from tests.shared.tiny import RULES

BROKEN = RULES.replace("players", "palyers")
PATTERNS = """format 1
Patterns for tictactoe
Around own
Symmetry all

Off beside
  Own 1 0
  Set 0 1
"""
TEXTS = {
    "text": [PATTERNS, "a1", "b2", "zz", "a1 a1", "", RULES, BROKEN, RULES.replace("red", "green")],
    "game": ["tictactoe", "tiny.rules", "nothing", "broken.rules", "connect4"],
    "moves": ["", "a1", "a1 b2", "zz", "a1 a1"],
    "position": ["", "nonsense"],
    "players": ["human", "computer", "solver", "human:", "gtp:x", "solver@time=900"],
    "player": ["human", "computer", "solver", "human:", "gtp:x", "solver@time=900", "@"],
    "personality": ["solver", "nobody"],
    "path": [
        "tiny.rules",
        "broken.rules",
        "new.rules",
        "own.patterns",
        "../x.rules",
        "x.txt",
        "@bundled/x",
    ],
    "name": ["tiny", "own", "x y", "game.sgf", "game.txt", "r.jsonl", "2"],
    "form": ["sgf", "txt", "exe"],
    "digest": ["", "0"],
    "what": ["properties", "nothing"],
    "claims": ["claim perft 1", "nonsense"],
    "word": ["Own", "erase", "x"],
    "data": ["", "{}"],
}
NEVER = {"compare", "tournament", "tune", "study", "diff"} | {
    "search",
    "explain",
    "versus",
    "curve",
}
"""Requests that take long, and change nothing in any case."""


def values(kind: Any, name: str) -> st.SearchStrategy[Any]:
    """Arguments of a type; texts are those that a field of this name may have, and others."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return st.one_of(*(values(one, name) for one in inner))
    if origin is tuple and Ellipsis not in inner:
        return st.tuples(*(values(one, name) for one in inner)).map(list)
    if origin is tuple:
        return st.lists(values(inner[0], name), max_size=3)
    if origin is dict:
        keys = st.sampled_from(["width", "height", "x"])
        return st.dictionaries(keys, values(inner[1], name), max_size=2)
    plain = {
        type(None): st.none(), bool: st.booleans(), int: st.integers(-1, 12),
        float: st.sampled_from([-1.0, 0.0, 0.01, 3.0]),
    }  # fmt: skip
    if kind in plain:
        return plain[kind]
    return st.sampled_from([*TEXTS.get(name, []), "a1", "3", ""])


def arguments(method: str) -> st.SearchStrategy[dict[str, Any]]:
    kinds = typing.get_type_hints(m.METHODS[method])
    fields = {f.name: values(kinds[f.name], f.name) for f in attrs.fields(m.METHODS[method])}
    return st.fixed_dictionaries({}, optional=fields)


REQUESTS = st.sampled_from(sorted(set(m.METHODS) - NEVER)).flatmap(
    lambda method: st.tuples(st.just(method), arguments(method))
)
USUAL = st.sampled_from(
    [("play", {"text": "a1"}), ("play", {"text": "b2"}), ("goto", {"node": 0}), ("resign", {}),
     ("goto", {"node": 1}), ("play", {"text": "c3", "at": 0}), ("play", {"text": "zz", "at": 0}),
     ("sit", {"chair": 0, "player": "computer"}), ("open", {"game": "tiny.rules"}),
     ("play_on", {}), ("think", {})]
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    place = tmp_path / "texts"
    place.mkdir()
    return place


def begun(folder: Path) -> Desk:
    for path in folder.iterdir():
        path.unlink()
    (folder / "tiny.rules").write_text(RULES)
    (folder / "broken.rules").write_text(BROKEN)
    return Desk(Folder(folder), "tictactoe")


def seen(desk: Desk, folder: Path) -> list[object]:
    """All that a later request can see: the table, chairs, texts as they are typed, files."""
    tree, held = desk.tree, desk.writing.workspace.documents
    kept = [path for path in folder.parent.rglob("*") if path.is_file()]
    return [
        a.as_json(desk._snapshot()), id(tree), [id(place) for place in tree.places],
        sorted(tree._after.items()), [id(seat) for seat in desk.seats], desk.seed, desk.resigned,
        desk.source, desk.autosave and desk.autosave.path, sorted((d.path, d.text) for d in held),
        sorted((path, path.read_bytes()) for path in kept),
    ]  # fmt: skip


def refused(desk: Desk, method: str, params: dict[str, Any]) -> bool:
    try:
        text = json.dumps({"id": 1, "method": method, "params": params})
        desk.answer(m.read_request(text), SILENT)
    except RulewrightError:
        return True
    return False


@settings(
    max_examples=tries(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(USUAL | REQUESTS, min_size=1, max_size=8))
def test_a_refused_request_changes_nothing(
    folder: Path, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    desk = begun(folder)
    for method, params in asked:
        before = seen(desk, folder)
        if refused(desk, method, params):
            assert seen(desk, folder) == before, (method, params)
    desk.close()


@settings(
    max_examples=tries(100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(USUAL | REQUESTS, min_size=1, max_size=8), st.lists(st.integers(0, 5), min_size=1))
def test_walking_through_a_game_changes_nothing_of_it(
    folder: Path, asked: list[tuple[str, dict[str, Any]]], walk: list[int]
) -> None:
    desk = begun(folder)
    for method, params in asked:
        refused(desk, method, params)
    refused(desk, "goto", {"node": desk.tree.end})
    before = seen(desk, folder)
    for node in walk:
        refused(desk, "goto", {"node": node})
        assert desk.tree.at == desk.tree.end or not desk._snapshot().thinking
    refused(desk, "goto", {"node": desk.tree.end})
    assert seen(desk, folder) == before
    desk.close()


def test_a_decision_that_is_refused_does_not_move_the_game(folder: Path) -> None:
    desk = begun(folder)
    assert not refused(desk, "play", {"text": "a1"})
    assert refused(desk, "play", {"text": "zz", "at": 0})
    assert desk.tree.at == 1


@pytest.mark.parametrize(
    ("method", "params"),
    [("play", {"text": "b2"}), ("goto", {"node": 0}), ("resign", {}), ("think", {}),
     ("open", {"game": "tiny.rules"}), ("sit", {"chair": 1, "player": "computer"}),
     ("follow", {"path": "tiny.rules", "text": RULES}),
     ("read_game", {"name": "x.txt", "text": "game tictactoe\na1 b2\n"})],
)  # fmt: skip
def test_what_fails_at_its_last_step_changes_nothing(
    folder: Path, method: str, params: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule may meet a fault when the position that was come to is shown."""
    desk = begun(folder)
    for text in ("a1", "b1"):
        assert not refused(desk, "play", {"text": text})
    who = "computer" if method == "follow" else "solver"
    assert not refused(desk, "sit", {"chair": 0, "player": who})
    before = seen(desk, folder)

    def fail(self: Desk) -> None:
        raise Fault("out-of-range", "`n` would be 2", 1)

    with monkeypatch.context() as patch:
        patch.setattr(Desk, "_snapshot", fail)
        assert refused(desk, method, params)
    assert seen(desk, folder) == before


def test_a_tree_that_is_full_takes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = begun(folder)
    monkeypatch.setattr("rulewright.app.studio.tree.MOST", 3)
    assert not refused(desk, "play", {"text": "a1"})
    before = seen(desk, folder)
    assert refused(desk, "play", {"text": "b2 c3 a2"})
    assert seen(desk, folder) == before
    assert isinstance(desk.tree, GameTree)


def test_a_rename_that_cannot_write_everything_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = begun(folder)
    uses = (
        "format 1\nevaluator {} for tiny\n\nvalue worth of position for mover = count own (home)\n"
    )
    rules = RULES.replace("move place", "let home = column(1)\nmove place")
    (folder / "tiny.rules").write_text(rules)
    for name in ("one", "two"):
        (folder / f"{name}.eval").write_text(uses.format(name))
    before, write, written = seen(desk, folder), Folder.write, list[str]()

    def fail(self: Folder, name: str, text: str, digest: str) -> Any:
        if written == ["one.eval"]:
            written.append(name)
            raise RulewrightError("the disk is full")
        written.append(name)
        return write(self, name, text, digest)

    monkeypatch.setattr(Folder, "write", fail)
    offset = rules.index("home")
    params = {"path": "tiny.rules", "text": rules, "offset": offset, "name": "place"}
    assert refused(desk, "rename", params)
    assert written == ["one.eval", "two.eval", "one.eval"]
    assert seen(desk, folder) == before
