"""The user's cache: derived files, whole or not there, shared by many processes, limited in size.

In: bytes that can be made again.  Out: the same bytes, or None.  A file that is damaged, or that
somebody else has written, counts as absent; one that cannot be written is done without: a cache may
be slow, but never wrong.  Every file is sealed with a secret of the user, and folders that others
may write are not used.  Files of other programs are never touched.

The secret is 32 random bytes of a file that only the user may read, made when it is first asked
for; where there can be none, nothing is cached.  It lies apart from the cache, so that a cache that
was copied from elsewhere brings no secret with it.

What is not cached here may have come with the package, or with a page of a browser, which has no
cache of its own: files with a digest in front, made where the package was built or the page was
exported (`fill`), which nobody seals and nobody writes; those of a page are packed.  Their names
depend on the very contents of the program files that made them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from rulewright.ground.disk import PART, read_bytes, write_whole

_SEAL = 32
"""Bytes in front of what is cached: HMAC-SHA256 of its name and its bytes."""
_MOST_BYTES = 64 * 1024 * 1024
"""No cached file is larger."""
_ABANDONED = 3600.0
"""Seconds after which nobody writes a file any more."""
_OURS = re.compile(
    r"([a-z]+-)?[0-9a-f]{32}(\.[0-9a-f]{12})?\.(card|model|kernels|contents|mutants|o|ptx|cwasm|tables)"
    rf"|{PART}\w+\.part"
)
"""The names of files that may be counted and removed."""
_BYTES = 32
"""Bytes of the secret."""
_NO_USERS = ("win32", "emscripten")
"""Systems on which files do not say whose they are."""
_CONTENTS_BYTES = 64 * 1024
"""What is remembered of contents at the most."""
BROUGHT = Path(__file__).parents[1] / "brought"
"""What has come with the package, or with a page."""
_fill_folder: Path | None = None
"""Where this process puts what a package or a page will bring."""
_in_page = sys.platform == "emscripten"
"""Whether what is cached is for a page: in that page, or where it is exported."""


def fill(folder: Path, page: bool = False) -> None:
    """Have this process cache into *folder*, for a package or a *page* to bring along.

    To be called before anything is cached: nothing is read from elsewhere.
    """
    global _fill_folder, _in_page
    _fill_folder, _in_page = folder, page


def is_for_page() -> bool:
    """Whether what is cached is for a page: in that page, or where it is exported."""
    return _in_page


def cache_folder() -> Path:
    """Find the folder of derived files; `RULEWRIGHT_CACHE` names a parent for it."""
    folder = os.environ.get("RULEWRIGHT_CACHE")
    return Path(folder) / "rulewright" if folder else _user_folder("cache", ".cache")


def data_folder() -> Path:
    """Find the folder of the user's games and packages; `RULEWRIGHT_DATA` names another."""
    folder = os.environ.get("RULEWRIGHT_DATA")
    return Path(folder) if folder else _user_folder("data", ".local/share")


def state_folder() -> Path:
    """Find the folder of what belongs to the user and cannot be made again."""
    return _user_folder("state", ".local/state")


def _user_folder(kind: str, usual: str) -> Path:
    """Find a folder of this user as `platformdirs` does, which takes longer to load than a game.

    Where Linux is as *usual*, it need not be loaded.
    """
    home, folder = (
        os.environ.get("HOME", ""),
        os.environ.get(f"XDG_{kind.upper()}_HOME", "").strip(),
    )
    linux = sys.platform == "linux" and "ANDROID_DATA" not in os.environ and home.startswith("/")
    if linux and folder[:1] in ("", "/"):
        return Path(folder or f"{home}/{usual}") / "rulewright"
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_path")("rulewright", appauthor=False))


# --- cached files ---


def read(path: Path) -> bytes | None:
    """What was written there, or has come under this name; None if there is nothing."""
    own = None if _fill_folder or _in_page else _own(path)
    return brought_file(path.name) if own is None else own


def brought_file(name: str) -> bytes | None:
    """What has come with the package or the page; None if it has not, or was changed."""
    data = read_checked((_fill_folder or BROUGHT) / name)
    if data is None or not _in_page:
        return data
    from zlib import decompress

    return decompress(data)


def _packed(data: bytes) -> bytes:
    """For a page, which unpacks a file when it asks for it: most are of games nobody opens."""
    from zlib import compress

    return compress(data)


def _own(path: Path) -> bytes | None:
    """Read a file of this user's cache; None if it is missing or others could have written it."""
    key = secret()
    try:
        if key is None or not _ours(path.parent) or not only_ours(path.lstat()):
            return None
        data = read_bytes(path, _MOST_BYTES)
    except OSError:
        return None
    with suppress(OSError):  # the disk may be full or only readable
        os.utime(path)
    seal, content = data[:_SEAL], data[_SEAL:]
    return content if hmac.compare_digest(_seal(key, path, content), seal) else None


def write(path: Path, data: bytes, most: int) -> None:
    """Write beside the final name and move, then cut the folder down to *most* bytes."""
    if _fill_folder:
        write_checked(_fill_folder / path.name, _packed(data) if _in_page else data)
        return
    key = None if _in_page else secret()
    if key is None or len(data) > _MOST_BYTES - _SEAL:
        return
    with suppress(OSError):
        _make(path.parent)
        if _ours(path.parent):
            _clear(path)
            write_whole(path, _seal(key, path, data) + data, mode=0o600, durable=False)
            _trim(path.parent, most)


# --- files that are made when the package is built ---


def write_checked(path: Path, data: bytes) -> None:
    """Write *data* behind its SHA-256, in one step; a file that holds it already stays."""
    if read_checked(path) != data:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, hashlib.sha256(data).digest() + data, durable=False)


def read_checked(path: Path) -> bytes | None:
    """Return what `write_checked` wrote; None where it is missing, cut or changed."""
    try:
        data = read_bytes(path, _MOST_BYTES)
    except OSError:
        return None
    digest, content = data[:_SEAL], data[_SEAL:]
    return content if hashlib.sha256(content).digest() == digest else None


def _clear(path: Path) -> None:
    """Remove what is no file: a link leads to another one, and a pipe could wait for ever.

    Raises `OSError` where it is a folder.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            path.unlink()


def _seal(key: bytes, path: Path, data: bytes) -> bytes:
    """What only a process of this user can write before *data* in a file of this name."""
    inner = hashlib.sha256(data).digest()
    return hmac.digest(key, path.name.encode() + b"\0" + inner, "sha256")


def _make(folder: Path) -> None:
    """Make a folder for this user alone, and take the rights of others from one that he has."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if stat.S_ISDIR(status.st_mode) and status.st_mode & 0o022 and not only_ours(status):
        with suppress(OSError):  # it may be another user's
            folder.chmod(stat.S_IMODE(status.st_mode) & ~0o022)


def _ours(folder: Path) -> bool:
    status = folder.lstat()  # a link could lead into a folder of other files
    return stat.S_ISDIR(status.st_mode) and only_ours(status)


def _trim(folder: Path, most: int) -> None:
    """Remove the files used longest ago, and parts that a killed process left."""
    total, now = 0, time.time()
    for use_time, size, file in sorted(_files(folder), reverse=True):
        total += size
        if total > most or (file.suffix == ".part" and now - use_time > _ABANDONED):
            file.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each of our files was used last, and its size; another process may remove it."""
    for file in folder.iterdir():
        if _OURS.fullmatch(file.name):
            with suppress(FileNotFoundError):
                status = file.lstat()
                if stat.S_ISREG(status.st_mode):
                    yield status.st_mtime, status.st_size, file


def fingerprint(files: Iterable[Path]) -> str:
    """What tells one state of program files from another here: names, sizes, times of change.

    Those of a page are all of one export, and new whenever it is opened.
    """
    if _in_page:
        return digest("a page")
    states = [(str(file), s.st_size, s.st_mtime_ns) for file in files for s in [file.stat()]]
    return digest(sys.version, repr(sorted(states)))


def contents(files: Iterable[Path]) -> str:
    """What program files say, wherever they lie; they are read when they have changed."""
    files = [*files]
    key = fingerprint(files)
    if _in_page:
        return key
    place = cache_folder() / "contents" / f"{key}.contents"
    cached_digest = None if _fill_folder else _own(place)
    if cached_digest is not None:
        return cached_digest.decode()
    texts = sorted((file.name, read_bytes(file)) for file in files)
    answer = digest(*(part for name_and_text in texts for part in name_and_text))
    if not _fill_folder:
        write(place, answer.encode(), _CONTENTS_BYTES)
    return answer


@cache
def program(*folders: str) -> str:
    """Return a digest of the program files below folders of the package."""
    package = Path(__file__).parents[1]
    return contents(file for folder in folders for file in (package / folder).rglob("*.py"))


def digest(*parts: str | bytes) -> str:
    """A name for a file that depends on all *parts*."""
    sha256 = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        sha256.update(len(data).to_bytes(8, "little") + data)
    return sha256.hexdigest()[:32]


# --- the secret ---


def secret() -> bytes | None:
    """The secret of this user."""
    return _secret(state_folder() / "cache.key")


@lru_cache(maxsize=1)
def _secret(path: Path) -> bytes | None:
    try:
        with suppress(FileExistsError):
            if not path.exists():
                _make_secret(path)
        status = path.lstat()
        if not only_ours(status) or (sys.platform not in _NO_USERS and status.st_mode & 0o077):
            return None
        key = read_bytes(path, _BYTES)
    except OSError:
        return None
    return key if len(key) == _BYTES else None


def _make_secret(path: Path) -> None:
    """Write the whole file beside its name: another process must not find half of it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(path, os.urandom(_BYTES), new=True, mode=0o600)


def only_ours(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user and nobody else may write it.

    On Windows the rights of the user's own folders hold instead; a page has no other users.
    """
    if sys.platform in _NO_USERS:
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
