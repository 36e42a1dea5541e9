"""Files of the studio among strangers: what an editor cannot hold whole is not saved over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.errors import RulewrightError
from rulewright.ground.disk import TEXT_BYTES
from tests.shared.desks import ask
from tests.shared.places import RULESETS

ODD_PATHS = (
    "a\0.rules",
    "\ud800.rules",
    f"{'x' * 300}.rules",
    "file/x.rules",
    "pipe.rules",
    "../x.rules",
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    place = tmp_path_factory.mktemp("studio")
    (place / "file").write_text("no folder")
    if hasattr(os, "mkfifo"):
        os.mkfifo(place / "pipe.rules")  # opening one waits for ever
    found = Desk(Folder(place))
    yield found
    found.close()


def told(desk: Desk, method: str, **params: object) -> str | None:
    """Why a request is refused; None for an answer.  Any other exception is a fault."""
    try:
        ask(desk, method, **params)
    except RulewrightError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    "data",
    [b"format 1\n" + b"#" * TEXT_BYTES + b"\n# the last line\n", "# caf\xe9\n".encode("latin-1")],
    ids=["long", "latin"],
)
def test_what_an_editor_cannot_hold_whole_is_not_opened(data: bytes, tmp_path: Path) -> None:
    """It was cut off or full of question marks, and saving wrote that over the file."""
    path, desk = tmp_path / "mine.rules", Desk(Folder(tmp_path))
    path.write_bytes(data)
    with pytest.raises(RulewrightError, match=r"more than 65,536 bytes|is not UTF-8 text"):
        ask(desk, "read", path="mine.rules")
    with pytest.raises(RulewrightError, match="is there already"):
        ask(desk, "write", path="mine.rules", text="format 1\n", digest="")
    assert path.read_bytes() == data


def test_lines_end_as_they_did(tmp_path: Path) -> None:
    """An editor in a page ends them in its own way."""
    path, desk = tmp_path / "mine.rules", Desk(Folder(tmp_path))
    path.write_bytes(b"format 1\r\ngame x\r\n")
    read = ask(desk, "read", path="mine.rules")
    text = read["text"].replace("\r\n", "\n") + "players a b\n"
    saved = ask(desk, "write", path="mine.rules", text=text, digest=read["digest"])
    assert path.read_bytes() == b"format 1\r\ngame x\r\nplayers a b\r\n"
    again = ask(desk, "write", path="mine.rules", text=text, digest=saved["digest"])
    assert again["digest"] == saved["digest"]


def test_half_a_letter_is_not_written(desk: Desk) -> None:
    with pytest.raises(RulewrightError, match="half of a character"):
        ask(desk, "write", path="half.rules", text="# \ud800", digest="")


@pytest.mark.parametrize("path", ODD_PATHS, ids=ascii)
@pytest.mark.parametrize("method", ["read", "write", "check", "follow", "define", "open"])
def test_every_path_has_an_answer_for_people(method: str, path: str, desk: Desk) -> None:
    texts: dict[str, dict[str, object]] = {
        "read": {}, "write": {"text": "x", "digest": ""}, "check": {"text": "x"},
        "follow": {"text": "x"}, "define": {"text": "x", "offset": 0},
    }  # fmt: skip
    named = {"game" if method == "open" else "path": path}
    assert told(desk, method, **named, **texts.get(method, {})) != ""


@given(
    st.integers(-(2**70), 2**70) | st.integers(-2, 9),
    st.sampled_from(("hover", "complete", "define")),
)
def test_every_place_has_an_answer_for_people(desk: Desk, offset: int, method: str) -> None:
    refused = told(desk, method, path="a.rules", text="game x", offset=offset)
    assert refused == (
        f"there is no place {offset} in this text" if offset not in range(7) else None
    )


def test_rules_that_never_end_are_refused_before_they_are_played(tmp_path: Path) -> None:
    nested = "".join(f"every(q{letter} in empty : " for letter in "abcdefgh")
    text = (RULESETS / "tictactoe" / "tictactoe.rules").read_text(
        "utf-8"
    ) + f"\nwin when {nested}qa = qa{')' * 8}\n"
    (tmp_path / "mine.rules").write_text(text)
    desk = Desk(Folder(tmp_path))
    with pytest.raises(RulewrightError, match="200,000 steps"):
        ask(desk, "follow", path="mine.rules", text=text)
    with pytest.raises(RulewrightError, match="200,000 steps"):
        ask(desk, "open", game="mine.rules")
    assert ask(desk, "play", text="b2")["game"] == "tictactoe"


_NAMES = st.sampled_from(("file", "a", "..", ".", "rows", "é", "\u202e", "\\", "\0", "x" * 300))


@given(
    st.lists(_NAMES, max_size=3).map("/".join) | st.text(max_size=4) | st.sampled_from(ODD_PATHS)
)
def test_a_name_that_is_not_refused_can_be_written(desk: Desk, name: str) -> None:
    named = ask(desk, "new_name", name=name, like="some/where.rules")
    assert bool(named["path"]) != bool(named["refusal"])
    if named["path"]:
        refusal = told(desk, "write", path=named["path"], text="format 1\n", digest="")
        folder = desk.folder.path
        assert folder is not None
        if refusal is None:
            (folder / named["path"]).unlink()
        assert refusal is None or "cannot be written" in refusal  # which only trying shows
