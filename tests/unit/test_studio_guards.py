"""What guards a studio, at its edges: doors, minutes, folders, and files that are not its own."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from rulewright.app.studio import doors
from rulewright.app.studio.answers import FileShown
from rulewright.app.studio.doors import COOKIE, Door, Gate
from rulewright.app.studio.folder import (
    BUNDLED,
    MOST,
    Folder,
    digest,
    games_listed,
    named_file,
)
from rulewright.errors import RulewrightError, UnknownGame
from rulewright.ground import cache
from rulewright.ground.disk import TEXT_BYTES, FileError, WriteError, root

KNOWN = "12345678"
EVIL = {"origin": "http://evil.example", "host": "table.example"}


class Watch:
    """A clock that stands still."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 5000.0
        monkeypatch.setattr(doors, "time", SimpleNamespace(monotonic=lambda: self.now))


# --- the door of this machine ---


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True), ("localhost:8000", True), ("127.0.0.1:1", True), ("[::1]", True),
        ("[::1]:8000", True), ("localhost:", False), ("localhost:x", False), (":8000", False),
        ("localhost:80:80", False), ("localhost.evil.example:80", False), ("::1", False),
        ("", False), ("localhost:evil.example", False),
    ],
)  # fmt: skip
def test_only_names_of_this_machine_are_known(host: str, known: bool) -> None:
    door = Door()
    assert door.knows_host({"host": host}) is known
    assert door.may_see({"host": host}) is known
    assert door.lets_in({"host": host}, door.token) is known


@pytest.mark.parametrize(
    ("origin", "enters"),
    [
        ("http://localhost:8000", True), ("https://localhost:8000", True), ("null", False),
        ("http://localhost:8001", False), ("http://localhost", False), ("", False),
        ("http://127.0.0.1:8000", False), ("ftp://localhost:8000", False),
    ],
)  # fmt: skip
def test_a_page_comes_from_the_address_that_it_asks(origin: str, enters: bool) -> None:
    door, gate = Door(), Gate(KNOWN)
    headers = {"host": "localhost:8000", "origin": origin}
    assert door.lets_in(headers, door.token) is enters
    cookie = str(gate.enter({}, KNOWN)).partition(";")[0]
    assert gate.lets_in({**headers, "cookie": cookie}) is enters
    assert (gate.enter(headers, KNOWN) is not None) is enters


def test_a_door_without_a_host_stays_shut() -> None:
    assert not Door().knows_host({})


def test_who_knows_no_token_stays_out() -> None:
    door = Door()
    assert not any(door.lets_in({"host": "localhost"}, told) for told in (None, "", "\ud800", "é"))


def test_a_page_finds_its_way_back_by_a_token_of_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "secret", lambda: b"mine")
    token = Door().token
    assert (Door().token, len(token)) == (token, 32)
    monkeypatch.setattr(cache, "secret", lambda: b"another's")
    assert Door().token != token
    monkeypatch.setattr(cache, "secret", lambda: None)  # nothing can be kept: not guessed either
    assert Door().token != Door().token
    assert len(Door().token) == 32


# --- the door of others ---


def test_a_password_has_eight_letters() -> None:
    assert Gate(KNOWN).enter({}, KNOWN)
    with pytest.raises(RulewrightError, match="8 letters at least"):
        Gate(KNOWN[1:])


def test_a_gate_tells_nobody_its_secrets() -> None:
    gate, other = Gate(KNOWN), Gate(KNOWN)
    cookie = str(gate.enter({}, KNOWN)).partition(";")[0].partition("=")[2]
    assert KNOWN not in repr(gate)
    assert cookie not in repr(gate)
    assert len(cookie) == 43  # 32 bytes
    assert not other.may_see({"cookie": f"{COOKIE}={cookie}"})
    assert gate.may_see({"cookie": f"a=b; {COOKIE}={cookie}"})
    assert not gate.may_see({})


def test_a_cookie_is_for_this_site_and_no_script() -> None:
    told = str(Gate(KNOWN).enter({}, KNOWN))
    assert told.startswith("rulewright=")
    assert told.split("; ")[1:] == ["Path=/", "HttpOnly", "SameSite=Strict"]


def test_any_name_may_lead_to_a_gate() -> None:
    assert Gate(KNOWN).knows_host(EVIL) is True


def test_ten_wrong_passwords_are_forgotten_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    watch, gate = Watch(monkeypatch), Gate(KNOWN)
    for _ in range(9):
        assert gate.enter({}, "wrong") is None
    assert gate.enter({}, KNOWN)  # nine are not too many, and who is right is not counted
    watch.now += 10
    assert gate.enter({}, "wrong") is None
    for later in (0.0, 49.75):
        watch.now = 5010 + later
        with pytest.raises(RulewrightError, match="too many wrong passwords"):
            gate.enter({}, KNOWN)
    watch.now = 5060.0  # nine are a minute old, the tenth is not
    assert gate.enter({}, KNOWN)
    for _ in range(9):
        assert gate.enter({}, "wrong") is None
    with pytest.raises(RulewrightError, match="again in a minute"):
        gate.enter({}, KNOWN)


def test_passwords_from_other_pages_count_as_wrong() -> None:
    gate = Gate(KNOWN)
    assert [gate.enter(EVIL, KNOWN) for _ in range(10)] == [None] * 10
    with pytest.raises(RulewrightError, match="too many wrong passwords"):
        gate.enter({}, KNOWN)


# --- the folder ---


def files(place: Path, *names: str) -> Folder:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(f"# {name}\n".encode())
    return Folder(place)


def own(folder: Folder) -> list[str]:
    return [shown.path for shown in folder.files("") if shown.writable]


def test_the_users_own_texts_are_listed_three_folders_deep(tmp_path: Path) -> None:
    seen = ["a.rules", "b/c.eval", "b/b/b/d.rules", "z.personality"]
    folder = files(tmp_path, *seen, "b/b/b/b/e.rules", ".f.rules", ".g/h.rules", "i.txt", "j")
    (tmp_path / "k.rules").symlink_to(tmp_path / "a.rules")
    (tmp_path / "l").symlink_to(tmp_path / "b")
    (tmp_path / "m.rules").mkdir()
    assert own(folder) == sorted(seen)
    assert next(iter(folder.files(""))) == FileShown("a.rules", "rules", True)
    assert folder.rules() == ["a.rules", "b/b/b/d.rules"]
    assert own(folder) == [shown.path for shown in folder.files("")]
    with zipfile.ZipFile(io.BytesIO(folder.archive())) as archive:
        assert archive.namelist() == sorted(seen)
        assert archive.read("b/c.eval") == b"# b/c.eval\n"
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_DEFLATED}


def test_a_text_too_long_for_the_page_is_in_the_archive(tmp_path: Path) -> None:
    folder = files(tmp_path, "a.rules")
    (tmp_path / "long.rules").write_bytes(b"#" * (TEXT_BYTES + 1))
    with zipfile.ZipFile(io.BytesIO(folder.archive())) as archive:
        assert archive.read("long.rules") == b"#" * (TEXT_BYTES + 1)
    with pytest.raises(FileError) as refusal:
        folder.read("long.rules")
    assert str(tmp_path) not in str(refusal.value)


NAMES = st.binary(min_size=1, max_size=20).filter(
    lambda name: not name.startswith(b".") and not {*b"/\0"} & {*name}
)


@given(st.dictionaries(NAMES.map(os.fsdecode), st.binary(max_size=20), max_size=4))
@example({os.fsdecode(b"caf\xe9"): b"1", "caf\xe9": b"2", os.fsdecode(b"caf\xe8"): b"3"})
def test_every_text_is_in_the_archive_whatever_its_name(texts: dict[str, bytes]) -> None:
    """A disk may have names that are not UTF-8, which a zip archive cannot have."""
    with tempfile.TemporaryDirectory() as place:
        for name, data in texts.items():
            try:
                (Path(place) / f"{name}.rules").write_bytes(data)
            except (OSError, ValueError):
                reject()  # no name on this disk
        packed = Folder(Path(place)).archive()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = archive.namelist()
        assert len(set(names)) == len(texts)
        assert sorted(map(archive.read, names)) == sorted(texts.values())


def test_so_many_texts_are_listed_and_no_more(tmp_path: Path) -> None:
    names = [f"{number:03}.rules" for number in range(MOST + 1)]
    assert own(files(tmp_path, *names)) == names[:MOST]
    assert MOST == 500


def test_a_folder_that_cannot_be_read_has_no_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    folder = files(tmp_path, "a.rules")
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert own(folder) == []


def test_bundled_texts_come_after_and_are_not_written(tmp_path: Path) -> None:
    shown = list(files(tmp_path, "a.rules").files("tictactoe"))
    assert [file.writable for file in shown] == [True] + [False] * (len(shown) - 1)
    assert shown[1] == FileShown(f"{BUNDLED}rulesets/tictactoe/tictactoe.rules", "rules", False)
    assert shown[1:] == list(Folder().files("tictactoe"))
    assert list(Folder().files("nosuch")) == []


@pytest.mark.parametrize(
    "name", ["../a.rules", "/a.rules", "a.txt", "a", "", "link.rules", "a\0b.rules"]
)
def test_no_path_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    folder = files(tmp_path / "in", "b.rules")
    (tmp_path / "a.rules").write_text("outside")
    (tmp_path / "in" / "link.rules").symlink_to(tmp_path / "a.rules")
    with pytest.raises(RulewrightError, match="is no text below the folder that is open"):
        folder.find(name)
    with pytest.raises(RulewrightError, match="no folder is open"):
        Folder().find(name)
    assert folder.find("x/../b.rules") == (tmp_path / "in" / "b.rules").resolve()


@pytest.mark.parametrize(
    "name", ["..\\evil.rules", ".hidden.rules", "x/.git/a.rules", "a\u202egpj.rules", "a\tb.rules"]
)
def test_a_new_text_has_a_name_that_is_the_same_everywhere(name: str, tmp_path: Path) -> None:
    folder = files(tmp_path, "b.rules")
    with pytest.raises(RulewrightError, match="is no name for a text"):
        folder.write(name, "format 1\n", "")
    assert [path.name for path in tmp_path.rglob("*")] == ["b.rules"]
    assert folder.write("x/größer 2.rules", "format 1\n", "").path == "x/größer 2.rules"


@pytest.mark.parametrize(
    "name",
    [
        "nosuch/a.rules",
        "rulesets/../../a.rules",
        "rulesets/chess/x.txt",
        "rulesets",
        "/a.rules",
        "",
    ],
)
def test_no_path_leads_out_of_what_is_bundled(name: str) -> None:
    with pytest.raises(RulewrightError, match="there is no bundled text"):
        Folder().find(f"{BUNDLED}{name}")


def test_a_name_leads_to_its_file_and_back(tmp_path: Path) -> None:
    folder, bundled = files(tmp_path, "b/a.rules"), f"{BUNDLED}rulesets/chess/chess.rules"
    assert folder.name(folder.find("b/a.rules")) == "b/a.rules"
    for seen in (folder, Folder()):
        assert seen.find(bundled).is_file()
        assert seen.name(root("rulesets") / "chess" / "chess.rules") == bundled
        assert seen.name(tmp_path.parent / "a.rules") == ""
    assert Folder().name(tmp_path / "b" / "a.rules") == ""


def test_only_what_was_seen_is_written_over(tmp_path: Path) -> None:
    folder = files(tmp_path, "a.rules")
    seen = folder.read("a.rules")
    assert (seen.text, seen.digest) == ("# a.rules\n", digest(b"# a.rules\n"))
    (tmp_path / "a.rules").write_text("# from elsewhere\n")
    for known, told in ((seen.digest, "was changed by another program"), ("", "is there already")):
        with pytest.raises(RulewrightError, match=rf"a\.rules {told}; read it again"):
            folder.write("a.rules", "# mine\n", known)
    assert (tmp_path / "a.rules").read_text() == "# from elsewhere\n"
    with pytest.raises(RulewrightError, match="was changed by another program"):
        folder.write("gone.rules", "# mine\n", seen.digest)
    saved = folder.write("a.rules", "# mine\n", folder.read("a.rules").digest)
    assert (saved.path, saved.text, saved.digest) == ("a.rules", "# mine\n", digest(b"# mine\n"))
    assert folder.read("a.rules") == saved


def test_a_new_text_has_its_folder_made(tmp_path: Path) -> None:
    folder = files(tmp_path, "file")
    for name in ("new/of/mine.rules", "new/of/yours.rules"):
        folder.write(name, "# mine\n", "")
        assert (tmp_path / name).read_bytes() == b"# mine\n"
    with pytest.raises(WriteError, match=r"file/a\.rules") as error:
        folder.write("file/a.rules", "# mine\n", "")
    assert str(tmp_path) not in str(error.value)


def test_bundled_texts_are_read_and_not_written() -> None:
    name = f"{BUNDLED}rulesets/chess/chess.rules"
    seen = Folder().read(name)
    for known in (seen.digest, ""):
        with pytest.raises(RulewrightError, match="bundled texts are not written"):
            Folder().write(name, seen.text, known)
    assert Folder().read(name) == seen


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        (b"a\r\nb\r\n", "a\nc\n", b"a\r\nc\r\n"),
        (b"a\nb\n", "a\nc\n", b"a\nc\n"),
        (b"a\rb\n", "a\nc\n", b"a\nc\n"),
        (b"a\r\nb\r\n", "a\r\nc\r\n", b"a\r\nc\r\n"),
    ],
)
def test_lines_end_as_those_of_the_file(old: bytes, text: str, new: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes(old)
    Folder(tmp_path).write("a.rules", text, digest(old))
    assert (tmp_path / "a.rules").read_bytes() == new


# --- games and files by their names ---


def test_bundled_games_are_listed_without_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULEWRIGHT_PATH", raising=False)
    listed, places = games_listed(Folder(tmp_path))
    assert {"chess", "tictactoe"} <= set(listed)
    assert places == {}
    assert not any(str(tmp_path) in told for told in listed.values())


@pytest.mark.parametrize("error", [PermissionError(13, "denied"), FileError(13, "denied", "")])
def test_a_game_that_cannot_be_read_has_a_place_and_no_summary(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(tmp_path, "shut.rules", "open.rules")
    monkeypatch.setenv("RULEWRIGHT_PATH", str(tmp_path))

    def read(path: Path, errors: str) -> str:
        if path.stem == "shut":
            raise error
        return f"# {path.stem}\n"

    monkeypatch.setattr("rulewright.app.studio.folder.read_text", read)
    listed, places = games_listed(Folder())
    assert {"open", "shut"} == set(places)
    assert "shut" not in listed
    assert listed["open"].endswith(f"({places['open']})")


def test_a_file_is_named_in_its_folder(tmp_path: Path) -> None:
    files(tmp_path, "b.rules", "c/a.rules", "a.eval")
    assert named_file(str(tmp_path / "a.eval")) == (Folder(tmp_path.resolve()), "a.eval")
    assert named_file(str(tmp_path)) == (Folder(tmp_path.resolve()), "b.rules")
    assert named_file("") == (Folder(), "")
    assert named_file("chess") == (Folder(), "chess")
    (tmp_path / "empty").mkdir()
    assert named_file(str(tmp_path / "empty")) == (Folder((tmp_path / "empty").resolve()), "")
    with pytest.raises(UnknownGame):
        named_file("nosuch")
