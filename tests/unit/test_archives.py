"""Archives of strangers: texts of ours come out, or all is refused and nothing is written."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.files import archives
from rulewright.games.files.archives import ArchiveError, shelf_texts, unpack_archive
from rulewright.games.files.games import bundled_games
from rulewright.ground.disk import TEXT_BYTES
from tests.shared.effort import tries

RULES = (
    bundled_games()["tictactoe"].read_text("utf-8").replace("game tictactoe", "game mine").encode()
)
GOOD = {
    "pack-1.0/mine/mine.rules": RULES,
    "pack-1.0/setup.py": b"import os",
    "pack-1.0/LICENSE": b"MIT",
}


def zipped(files: dict[str, bytes], mode: int = 0o100644) -> bytes:
    """A zip of files."""
    with io.BytesIO() as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                entry = zipfile.ZipInfo("x")
                entry.filename, entry.external_attr = name, mode << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
        return out.getvalue()


def tarred(files: dict[str, bytes], kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    """A compressed tar of files."""
    with io.BytesIO() as out:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, data in files.items():
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = kind, link
                entry.size = len(data) if kind == tarfile.REGTYPE else 0
                archive.addfile(entry, io.BytesIO(data))
        return out.getvalue()


@pytest.mark.parametrize("make", [zipped, tarred])
def test_texts_come_out_as_a_shelf_and_everything_else_stays_in(make: Any) -> None:
    found = unpack_archive(make(GOOD))
    assert {str(path) for path in shelf_texts(found.texts)} == {"mine/mine.rules", "LICENSE"}
    assert found.left_out == 1


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize(
    "name",
    [
        "../mine.rules", "/tmp/mine.rules", "a/../../mine.rules", "..\\mine.rules", "C:/mine.rules",
        "a\x1b/mine.rules", "nul.rules", "mine\u202e.rules", "a b.rules", "x/" * 13 + "mine.rules",
        "../setup.py",
    ],
)  # fmt: skip
def test_what_leads_outside_refuses_all(make: Any, name: str) -> None:
    with pytest.raises(ArchiveError, match="is no name"):
        unpack_archive(make({**GOOD, name: RULES}))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
def test_links_and_devices_refuse_all(kind: bytes) -> None:
    with pytest.raises(ArchiveError, match="no regular file"):
        unpack_archive(tarred({"mine.rules": b""}, kind, "/etc/passwd"))
    with pytest.raises(ArchiveError, match="no regular file"):
        unpack_archive(zipped({"mine.rules": b"/etc/passwd"}, 0o120777))


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"mine.rules": b"x" * (TEXT_BYTES + 1)}, "more than"),
        ({"mine.rules": b"\xff"}, "UTF-8"),
        ({"mine.rules": b"a\0"}, "no text"),
        ({"a/Mine.rules": b"1", "a/mine.RULES": b"2", "a/mine.rules": b"3"}, "twice"),
        ({"readme.txt": b"nothing"}, "no texts"),
        ({f"{i}.rules": b"" for i in range(11)}, "more than 10 texts"),
        ({f"{i}": b"" for i in range(31)}, "more than 30 entries"),
    ],
)  # fmt: skip
def test_what_is_too_much_or_no_text_refuses_all(
    make: Any, files: dict[str, bytes], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_TEXTS", 10)
    monkeypatch.setattr(archives, "MOST_ENTRIES", 30)
    with pytest.raises(ArchiveError, match=message):
        unpack_archive(make(files))


def test_bombs_are_refused_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 100_000)
    zeros = {"a.bin": bytes(70_000), "b.bin": bytes(70_000)}
    for data in (zipped(zeros), tarred(zeros), gzip.compress(bytes(10_000_000))):
        with pytest.raises(ArchiveError, match="unpacked it has more than"):
            unpack_archive(data)


def test_two_texts_for_one_place_refuse_all() -> None:
    texts = {PurePosixPath(f"{top}/mine/mine.rules"): top.encode() for top in ("a", "b")}
    with pytest.raises(ArchiveError, match="two different texts"):
        shelf_texts(texts)


NAMES = st.lists(
    st.sampled_from(["..", ".", "a", "mine.rules", "", "nul", "b.eval", "\\", "LICENSE"]),
    min_size=1,
).map("/".join)


@settings(max_examples=tries(40))
@given(st.dictionaries(NAMES, st.binary(max_size=20)), st.sampled_from([zipped, tarred]))
def test_whatever_comes_out_stays_below_its_shelf(files: dict[str, bytes], make: Any) -> None:
    try:
        found = shelf_texts(unpack_archive(make(files)).texts)
    except ArchiveError:
        return
    for path in found:
        assert not path.is_absolute()
        assert ".." not in path.parts
        assert len(path.parts) <= 2


@settings(max_examples=tries(60))
@given(st.binary(max_size=200), st.integers(0, 400), st.sampled_from([zipped, tarred]))
def test_damaged_archives_are_refused(patch: bytes, at: int, make: Any) -> None:
    whole = make(GOOD)
    with suppress(ArchiveError):  # anything else would end in a traceback
        unpack_archive(whole[:at] + patch + whole[at + len(patch) :])


# --- the command ---


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packages are put."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    return tmp_path / "data/packages"


def archive(folder: Path, data: bytes) -> tuple[str, str]:
    """The path of an archive, and its digest."""
    path = folder / "pack-1.0.tar.gz"
    path.write_bytes(data)
    return str(path), hashlib.sha256(data).hexdigest()


def test_add_needs_the_digest_and_gives_the_games(packages: Path, tmp_path: Path, run: Any) -> None:
    path, digest = archive(tmp_path, tarred(GOOD))
    other = digest.translate(str.maketrans("0123456789", "1234567890"))
    for words in ([], ["--sha256", digest[:-1]], ["--sha256", other]):
        status, out, err = run("add", path, *words)
        assert (status, out) == (2, "")
        assert "digest" in err
        assert not packages.exists()
    status, _, err = run("add", f"{path}#sha256={digest.upper()}")
    assert (status, "games: mine" in err) == (0, True)
    assert digest in (packages / "pack/origin.txt").read_text("utf-8")
    assert run("show", "mine")[0] == 0
    assert "(added: pack)" in run("games")[1]
    assert run("add", path, "--sha256", digest)[0] == 2
    assert run("add", path, "--sha256", digest, "--force")[0] == 0
    assert run("add", "pack", "--remove")[0] == 0
    assert run("show", "mine")[0] == 2


def test_add_says_which_names_are_taken(packages: Path, tmp_path: Path, run: Any) -> None:
    hex_ = RULES.replace(b"mine", b"hex")
    for package in ("first", "second"):
        texts = {"hex/hex.rules": hex_, "mine/mine.rules": RULES, "readme.txt": package.encode()}
        path, digest = archive(tmp_path, zipped(texts))
        status, _, told = run("add", path, "--sha256", digest, "--name", package)
        place = packages / package
        assert status == 0
        assert f"rulewright: hex means the bundled game, not {place / 'hex/hex.rules'}\n" in told
        taken = f"mine means that of added: first, not {packages / 'second/mine/mine.rules'}"
        assert (taken in told) == (package == "second")


def test_rules_that_no_name_would_find_refuse_all(packages: Path, tmp_path: Path, run: Any) -> None:
    rules = {"games/readme.txt": b"", "games/other/mine.rules": RULES}
    path, digest = archive(tmp_path, zipped({**rules, "games/mine/mine.rules": RULES}))
    status, _, told = run("add", path, "--sha256", digest)
    assert (status, list(packages.glob("*"))) == (2, [])
    assert "a game stands in a folder of the same name" in told


def test_files_of_packages_are_not_written(packages: Path, tmp_path: Path, run: Any) -> None:
    path, digest = archive(tmp_path, zipped({"mine/mine.rules": RULES}))
    assert run("add", path, "--sha256", digest)[0] == 0
    (rules,) = packages.rglob("mine.rules")
    for words in (
        ("mutate", "mine", "--add"),
        ("mutate", str(rules), "--add"),
        ("claims", "mine", "--all"),
    ):
        status, _, told = run(*words)
        assert (status, "belongs to a package" in told) == (2, True)
    assert rules.read_bytes() == RULES


def test_a_folder_that_somebody_made_by_hand_is_left_alone(
    packages: Path, tmp_path: Path, run: Any
) -> None:
    """It was removed, or replaced by force, with everything in it."""
    own = packages / "pack" / "mine.rules"
    own.parent.mkdir(parents=True)
    own.write_bytes(RULES)
    path, digest = archive(tmp_path, tarred(GOOD))
    for words in (["pack", "--remove"], [path, "--sha256", digest, "--force"]):
        status, _, err = run("add", *words)
        assert (status, "stays as it is" in err) == (2, True)
        assert own.read_bytes() == RULES


@pytest.mark.parametrize(
    ("files", "status"),
    [({"mine/mine.rules": b"rubbish"}, 1), ({"../mine.rules": RULES}, 2), ({"a.txt": b""}, 2)],
)
def test_what_is_refused_leaves_the_package_that_was_there(
    files: dict[str, bytes], status: int, packages: Path, tmp_path: Path, run: Any
) -> None:
    assert run("add", "--sha256", *reversed(archive(tmp_path, tarred(GOOD))))[0] == 0
    before = {path: path.read_bytes() for path in packages.rglob("*") if path.is_file()}
    path, digest = archive(tmp_path, tarred(files))
    assert run("add", path, "--sha256", digest, "--force")[0] == status
    assert {path: path.read_bytes() for path in packages.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["..", "a/b", "", "a b", "-x"])
def test_names_of_packages_are_names(name: str, packages: Path, tmp_path: Path, run: Any) -> None:
    path, digest = archive(tmp_path, tarred(GOOD))
    if name:
        assert run("add", path, "--sha256", digest, f"--name={name}")[0] == 2
    assert run("add", "--remove", "--", name)[0] == 2
    assert not packages.exists()


class _Server(BaseHTTPRequestHandler):
    data = b""

    def do_GET(self) -> None:
        """Answer with the archive, or lead elsewhere."""
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
            return
        self.send_response(200 if self.path.endswith("gz") else 404)
        self.end_headers()
        self.wfile.write(self.data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that has the archive."""
    _Server.data = tarred(GOOD)
    with HTTPServer(("127.0.0.1", 0), _Server) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_add_fetches_from_a_server_what_was_promised(
    server: str, packages: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    digest = hashlib.sha256(_Server.data).hexdigest()
    for path in ("/elsewhere", "/none"):
        assert run("add", f"{server}{path}", "--name", "pack", "--sha256", digest)[0] == 2
    assert not packages.exists()
    assert run("add", f"{server}/pack-1.0.tar.gz", "--sha256", digest)[0] == 0
    assert (packages / "pack/mine/mine.rules").read_bytes() == RULES


# --- the project ---


def test_new_package_writes_a_project_that_can_be_tested(write: Path, run: Any) -> None:
    assert run("new", "corners", "--package", "boards", "--from", "hex")[0] == 0
    there = {str(p.relative_to(write / "boards")) for p in write.rglob("*") if p.is_file()}
    assert {"boards/corners/corners.rules", "pyproject.toml", ".github/workflows/test.yml"} <= there
    assert {"Makefile", "tests/test_games.py", "docs/conf.py", "docs/index.md"} <= there
    for path in (write / "boards").rglob("*"):
        assert "@" not in path.name
        if path.is_file():
            assert "@NAME@" not in path.read_text("utf-8")
            assert "@GAME@" not in path.read_text("utf-8")
    compile((write / "boards/tests/test_games.py").read_text("utf-8"), "test_games.py", "exec")
    assert run("check", "boards/boards/corners/corners.rules")[0] == 0
    assert run("new", "--package", "boards")[0] == 2
    assert run("new", "--package", "Some-Thing")[0] == 2


@pytest.mark.parametrize(
    "words",
    [
        ("new", "corners", "--package", "boards", "--force"),
        ("new", "corners", "--package", "boards", "--personality", "keen"),
        ("new", "--package", "site"),
        ("add", "http://[x/x.zip", "--sha256", "0" * 64),
    ],
)
def test_words_that_do_not_fit_are_reported(words: tuple[str, ...], write: Path, run: Any) -> None:
    status, _, told = run(*words)
    assert status == 2
    assert "Traceback" not in told
    assert not (write / words[-1]).exists()
