"""Exporting the studio as files for any web host: the page, Pyodide, the library, all games.

In: a folder for them, the game to open first with its texts, the files of Pyodide.  Out: the
written files.  Refuses a folder that holds other files; those of an earlier export are replaced.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import importlib
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import asdict, field, frozen

from rulewright.app.studio.desk import FIRST
from rulewright.app.studio.folder import Folder, named_file
from rulewright.app.studio.front import FRONT, front_files
from rulewright.app.studio.pyodide import VERSION, compiled, join_files, remembered
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import RULES, bundled_games, bundled_texts, by_name, load_with
from rulewright.ground.cache import BROUGHT
from rulewright.ground.disk import is_there, read_bytes, root, write_whole
from rulewright.ground.records import read_json

PAGE = Path(__file__).parent / "page"
SCRIPTS = ("studio.js", "worker.js", "offline.js", "embed.js", "studio.css", "board.css")
CATALOGUES = ("de.json",)
"""What the page says in other languages, for whoever chooses one."""
LIST = "files.json"
"""Lists all files: those that a page keeps to work offline, and a later export may replace."""
POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
TEXTS = "texts.json"
"""The user's texts that come with the page, by path."""
_PLACE = "/library"
"""The folder of the library in a page."""
_UNNAMED = b"pyodide/"
_PYODIDE = f"pyodide-{VERSION}/"
"""The folder of Pyodide's files: an old page in a cache must not get those of another version."""
_TEXTS_AT = "/texts"
"""The folder of the user's texts in a page."""
_BEFORE = """
from rulewright.app.studio.reply import rehearse
rehearse({!r}, {!r}, {!r}, {!r})
"""
"""What a page's Python has done when its memory is written down."""
_FILL = """
import json, sys
from rulewright.games.files.games import bring
bring(sys.argv[1], json.load(sys.stdin), page=True)
"""
"""What the process does that makes what a page brings."""
_PACKAGES = ("attr", "attrs", "cattrs", "lark", "platformdirs", "typing_extensions")
"""Packages that the library needs in a page: all of them plain Python."""
_LEFT_OUT = ("app/cli", "checks/bench", "pytest_plugin.py")
"""Parts of the library that no page uses."""
_WAIT = 900.0
"""Seconds for compiling the kernels of all games."""
_DATA = ("grammar", "rulesets", "patterns")
_WRITTEN = (1980, 1, 1, 0, 0, 0)
"""The time of all files in the archive, so that the same files give the same bytes."""


@frozen
class ExportedFiles:
    """The content of an export: a digest of its files, and their names."""

    version: str
    files: tuple[str, ...]


@frozen
class FirstPage:
    """The game that a page without a server shows first, with options as they are typed.

    Its name is that of a bundled game, or the path of one of the *texts* that come with the page.
    """

    name: str
    game: Game
    options: Mapping[str, str]
    texts: Mapping[str, str] = field(factory=dict)
    home: bool = False
    """Whether all games are shown first, as nobody has named one."""
    documents: str = ""
    """The address of documents that the page links to."""


def first_page(name: str, options: Mapping[str, str]) -> FirstPage:
    """Load the game to show first: a bundled game, a file with the texts beside it, or a folder.

    Of a folder the first rules are shown, if there are any.  Raises `RulewrightError` for mistakes.
    """
    shelved = None if name in bundled_games() else by_name(name)
    folder, opened = named_file(str(shelved or name))
    if folder.path is None:
        return FirstPage(
            opened or FIRST, load_with(opened or FIRST, dict(options)), options, home=not opened
        )
    alone = not Path(shelved or name).is_dir()
    own = [f.path for f in folder.files("") if f.writable and not (alone and "/" in f.path)]
    first = opened or FIRST
    game = load_with(str(folder.find(first)) if opened else first, dict(options))
    return FirstPage(first, game, options, _texts(folder, [opened, *own] if opened else own))


def _texts(folder: Folder, names: list[str]) -> dict[str, str]:
    """The texts that a page brings, by name; refuses a name that a page cannot hold."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise RulewrightError(f"`{name}` is not UTF-8: no page holds such a name") from None
    return {name: folder.read(name).text for name in names}


def export(folder: Path, page: FirstPage, python: dict[str, bytes]) -> int:
    """Write the files into a folder; returns their size in bytes."""
    files = exported_files(page, python)
    _refuse_others(folder, files)
    for name, data in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RulewrightError(f"{path.parent}: {error.strerror}") from None
        write_whole(path, data)
    return sum(map(len, files.values()))


def exported_files(page: FirstPage, python: dict[str, bytes]) -> dict[str, bytes]:
    """The files by name; *python* are those of Pyodide."""
    files = {name: read_bytes(PAGE / name) for name in (*SCRIPTS, *CATALOGUES)}
    files |= {f"{_PYODIDE}{name}": data for name, data in python.items()}
    assert _UNNAMED in files["worker.js"]
    files["worker.js"] = files["worker.js"].replace(_UNNAMED, _PYODIDE.encode())
    files |= _library_of(python, page)
    files[TEXTS] = json.dumps(dict(page.texts), ensure_ascii=False).encode()
    files |= front_files()
    files["first.svg"] = page.game.start().svg().encode()
    files["index.html"] = _document(page)
    version = _digest(files)
    # a browser asks whether this file has changed, and only then for the others
    files["offline.js"] = f"// {version}\n".encode() + files["offline.js"]
    listing = ExportedFiles(version, tuple(sorted(files)))
    files[LIST] = json.dumps(asdict(listing), indent=1).encode()
    return files


def _library_of(python: dict[str, bytes], page: FirstPage) -> dict[str, bytes]:
    """The library as a page unpacks it, and a snapshot of memory with it loaded, empty if none."""
    first = (page.name, dict(page.options), dict(page.texts))
    with zipfile.ZipFile(io.BytesIO(compiled(library(), python))) as archive:
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        files_by_name = {name: archive.read(name) for name in names} | make_cache_files(page)
        files = join_files(files_by_name.items())
    memory = remembered(files, python, _PLACE, _BEFORE.format(_TEXTS_AT, *first))
    return {"library.bin": _gzip(files), "memory.bin": _gzip(memory)}


def make_cache_files(page: FirstPage) -> dict[str, bytes]:
    """Make the models and kernels of the bundled games and of a page's own rules, by file.

    Another process makes them, as a process has only one cache.
    """
    games = bundled_texts() + [
        (f"{_TEXTS_AT}/{path}", text, dict(page.options) if path == page.name else {})
        for path, text in page.texts.items()
        if path.endswith(RULES.suffix)
    ]
    with TemporaryDirectory() as place:
        words = [sys.executable, "-c", _FILL, place]
        try:
            process = subprocess.run(
                words, input=json.dumps(games), capture_output=True, text=True, check=False,
                timeout=_WAIT,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise RulewrightError(f"the games are not compiled in {_WAIT:.0f} s") from None
        if process.returncode:
            raise RulewrightError(f"the games cannot be compiled: {process.stderr[-500:]}")
        inside = f"{__package__.partition('.')[0]}/{BROUGHT.name}"
        return {
            f"{inside}/{path.name}": path.read_bytes() for path in sorted(Path(place).iterdir())
        }


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0) if data else b""


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def _document(page: FirstPage) -> bytes:
    """The page's document, marked as one without a server."""
    data = {"host": "worker", "game": page.name, "options": json.dumps(dict(page.options))}
    data |= {"home": "yes"} if page.home else {}
    data |= {"documents": page.documents} if page.documents else {}
    attributes = "".join(f' data-{name}="{html.escape(value)}"' for name, value in data.items())
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
    picture = '<img class="first" src="first.svg" alt="" />'
    if page.home:
        picture, begin = "", f'<link rel="preload" href="{FRONT}" as="fetch" crossorigin />'
        policy = f"{policy}\n    {begin}"
    text = (PAGE / "index.html").read_text("utf-8")
    for old, new in (
        ('<html lang="en">', f'<html lang="en"{attributes}>'),
        ('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {policy}'),
        ("</p></main>", f"</p>{picture}</main>"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    return text.encode()


def library() -> bytes:
    """The library, its games and the packages that it needs, as one archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(_library()):
            archive.writestr(
                zipfile.ZipInfo(name, _WRITTEN), path.read_bytes(), zipfile.ZIP_DEFLATED
            )
    return packed.getvalue()


def _library() -> Iterator[tuple[str, Path]]:
    own_folder = Path(__file__).parents[2]
    for inside, path in _below(own_folder):
        left_out = inside.as_posix().startswith((*_LEFT_OUT, *_DATA, BROUGHT.name))
        if not left_out and PAGE not in path.parents:
            yield f"rulewright/{inside.as_posix()}", path
    for kind in _DATA:
        for inside, path in _below(root(kind)):
            yield f"rulewright/{kind}/{inside.as_posix()}", path
    for package in _PACKAGES:
        file = Path(str(importlib.import_module(package).__file__))
        if file.name == "__init__.py":
            for inside, path in _below(file.parent):
                yield f"{package}/{inside.as_posix()}", path
        else:
            yield file.name, file


def _below(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The files below a folder, each with its path from there."""
    for path in folder.rglob("*.*"):
        inside = path.relative_to(folder)
        if path.is_file() and not {"__pycache__", "__pyinstaller"} & {*inside.parts}:
            yield inside, path


def _refuse_others(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder with files that are not of an earlier export."""
    if is_there(folder) and not folder.is_dir():
        raise RulewrightError(f"{folder} is no folder")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    own_files = _earlier_files(folder / LIST)
    if not own_files:
        raise RulewrightError(f"{folder} holds other files; the studio needs a folder of its own")
    strange = [name for name in names if name not in own_files and is_there(folder / name)]
    if strange:
        raise RulewrightError(f"{folder / strange[0]} is no file of an earlier export")


def _earlier_files(path: Path) -> set[str]:
    """The files of an earlier export, from its list; empty without one."""
    try:
        return {LIST, *read_json(read_bytes(path), ExportedFiles, strict=True).files}
    except RulewrightError:
        return set()
