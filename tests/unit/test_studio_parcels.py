"""Games that are given to friends: with their texts, no paths of this machine, safe to open."""

from __future__ import annotations

import contextlib
import io
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.parcels import pack, unpack
from rulewright.errors import RulewrightError
from rulewright.matches.game_files import read_game
from tests.shared.desks import ask
from tests.shared.places import RULESETS
from tests.shared.tiny import RULES as TINY

MOVES = ("a1", "b1")
CHANGED = "# three in a row, or two at once\n"


@pytest.fixture
def mine(tmp_path: Path) -> Desk:
    """A desk with a game of somebody's own, of which two decisions are played."""
    place = tmp_path / "mine"
    place.mkdir()
    (place / "mine.rules").write_text(TINY)
    (place / "tiny.look").write_text('format 1\nlook tiny for tiny\n\ntitle "Mine"\n')
    (place / "other.rules").write_text(TINY)
    desk = Desk(Folder(place), "mine.rules")
    for text in MOVES:
        ask(desk, "play", text=text)
    return desk


def zipped(files: Mapping[str, str | bytes]) -> str:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return b64encode(data.getvalue()).decode()


def test_a_friend_opens_a_game_by_rules_of_ones_own(mine: Desk, tmp_path: Path) -> None:
    """The file once named a path of the author's disk, and the rules were not in it."""
    parcel = ask(mine, "parcel")
    assert sorted(parcel["texts"]) == ["mine.rules", "tiny.look"]
    assert str(tmp_path).encode() not in b64decode(parcel["data"])
    assert str(tmp_path) not in unpack(b64decode(parcel["data"]))[1]
    friend = Desk(Folder(tmp_path / "friend"))
    for _ in range(2):  # the second time nothing is written twice
        table = ask(friend, "read_game", name="x.zip", data=parcel["data"])
        assert [node["text"] for node in table["nodes"]] == list(MOVES)
        assert table["source"] == "tiny/mine.rules"
        assert table["scene"]["drawing"]["phrases"]["title"] == "Mine"
    assert [path.name for path in (tmp_path / "friend").iterdir()] == ["tiny"]


def test_other_texts_of_the_same_name_are_left_alone(mine: Desk, tmp_path: Path) -> None:
    friend = Desk(Folder(tmp_path / "friend"))
    ask(friend, "write", path="tiny/mine.rules", text="# my own\n", digest="")
    table = ask(friend, "read_game", name="x.zip", data=ask(mine, "parcel")["data"])
    assert table["source"] == "tiny-2/mine.rules"
    assert ask(friend, "read", path="tiny/mine.rules")["text"] == "# my own\n"


def test_rules_that_are_changed_and_not_saved_go_along(tmp_path: Path) -> None:
    desk = Desk(Folder(tmp_path / "mine"))
    ask(desk, "open", game="hex")
    assert ask(desk, "parcel") | {"data": ""} == {
        "name": "hex.zip", "data": "", "game": "hex", "texts": {},
    }  # fmt: skip
    text = (RULESETS / "hex" / "hex.rules").read_text("utf-8") + CHANGED
    ask(desk, "follow", path="bundled:rulesets/hex/hex.rules", text=text)
    parcel = ask(desk, "parcel", text=text)
    assert parcel["game"] == "hex.rules"
    assert parcel["texts"]["hex.rules"].endswith(CHANGED)
    assert "hex.look" in parcel["texts"]


@pytest.mark.parametrize("form", ["txt", "json"])
def test_a_record_finds_the_rules_beside_itself(form: str, mine: Desk, tmp_path: Path) -> None:
    text = ask(mine, "write_game", form=form)["text"]
    assert str(tmp_path) not in text
    record = tmp_path / "mine" / f"saved.{form}"
    record.write_text(text)
    assert list(read_game(record).decisions) == list(MOVES)
    assert ask(mine, "read_game", name=record.name, text=text)["source"] == "mine.rules"


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"a.rules": TINY},
        {"a.txt": "game a.rules\n", "b.txt": "game a.rules\n"},
        {"a.txt": "game ../mine/mine.rules\n"},
        {"a.txt": "game a.rules\n", "a.rules": b"\xff"},
        {"a.txt": "game a.rules\n", "a.rules": "#" * 70_000},
        {"a.txt": "game a.rules\n", ".a.rules": TINY},
        {"a.txt": "game 0.rules\n", **{f"{number}.rules": TINY for number in range(60)}},
    ],
)
def test_a_zip_that_holds_no_game_is_refused(
    files: Mapping[str, str | bytes], mine: Desk, tmp_path: Path
) -> None:
    friend = Desk(Folder(tmp_path / "friend"))
    with pytest.raises(RulewrightError):
        ask(friend, "read_game", name="x.zip", data=zipped(files))


@given(name=st.sampled_from(["../a.rules", "/tmp/a.rules", "b/../../a.rules", "C:\\a.rules"]))
def test_names_in_a_zip_lead_nowhere(name: str) -> None:
    with pytest.raises(RulewrightError, match="is no name for a file in an archive"):
        unpack(b64decode(zipped({"a.txt": "game a.rules\n", name: TINY})))


def test_texts_may_have_any_name_and_lie_in_folders() -> None:
    _, _, texts = unpack(b64decode(zipped({"b/a.txt": "game a.rules\n", "b/my größe.rules": TINY})))
    assert texts == {"my größe.rules": TINY}


@given(data=st.binary(max_size=200))
def test_what_is_no_zip_is_refused(data: bytes) -> None:
    with pytest.raises(RulewrightError):
        unpack(b"PK\x03\x04" + data)


PARCEL = pack("tiny", "game mine.rules\n1. a1 b1\n", {"mine.rules": TINY})


@given(place=st.integers(0, len(PARCEL) - 1), byte=st.integers(0, 255))
def test_a_damaged_parcel_is_read_or_refused(place: int, byte: int) -> None:
    """What is packed may be damaged behind a head that is whole; zlib once said so by itself."""
    with contextlib.suppress(RulewrightError):
        unpack(PARCEL[:place] + bytes([byte]) + PARCEL[place + 1 :])
