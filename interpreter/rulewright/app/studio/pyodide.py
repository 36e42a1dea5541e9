"""Python for pages: the files of the version of Pyodide that the engine works with.

In: a folder that holds them, or nothing.  Out: their bytes.  Refuses files of other versions: the
engine uses private names of Pyodide, which differ between versions.

With node, Pyodide itself compiles modules before they are shipped, as only the same Python can, and
a snapshot of its memory is taken once the library is loaded: a page starts from there.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_data_path

from rulewright.errors import RulewrightError
from rulewright.ground.disk import is_there, read_bytes, write_whole

VERSION = "314.0.7"
FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The files that a page loads, with their SHA-256."""
_COMPILE = """
const [, pyodide, from, to] = process.argv;
const { readFileSync, writeFileSync } = await import("node:fs");
const { loadPyodide } = await import(pyodide);
const page = await loadPyodide();
page.unpackArchive(new Uint8Array(readFileSync(from)), "zip", { extractDir: "/library" });
page.runPython(`
import compileall, shutil
from py_compile import PycInvalidationMode
compileall.compile_dir("/library", quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
shutil.make_archive("/compiled", "zip", "/library")
`);
writeFileSync(to, page.FS.readFile("/compiled.zip"));
"""
_REMEMBER = """
const [, pyodide, from, to, place, modules] = process.argv;
const { readFileSync, writeFileSync } = await import("node:fs");
const { loadPyodide } = await import(pyodide);
const page = await loadPyodide({ _makeSnapshot: true, env: { PYTHONHASHSEED: "0" } });
const data = new Uint8Array(readFileSync(from));
const end = data.indexOf(10);
let at = end + 1;
for (const [name, size] of JSON.parse(new TextDecoder().decode(data.subarray(0, end)))) {
  page.FS.mkdirTree(`${place}/${name}`.replace(/\\/[^/]*$/, ""));
  page.FS.writeFile(`${place}/${name}`, data.subarray(at, at + size));
  at += size;
}
page.runPython(`
import gc, sys
sys.path.insert(0, "${place}")
${modules}
gc.collect()
`);
writeFileSync(to, page.makeMemorySnapshot());
"""
_WAIT = 300.0
"""Seconds for fetching, and for each script of node."""


def pyodide(path: Path | None = None) -> dict[str, bytes]:
    """The files by name: from a folder, else from the user's data folder, fetched once.

    Raises `RulewrightError` without such a folder, without npm, or for files of other versions.
    """
    if path is not None:
        return _read(path)
    folder = _cache_place()
    if not is_there(folder / "pyodide.mjs"):
        _fetch(folder)
    return _read(folder)


def compiled(library: bytes, python: dict[str, bytes]) -> bytes:
    """Add their bytecode to an archive of modules; unchanged without node."""
    return _by_node(_COMPILE, library, python) or library


def remembered(files: bytes, python: dict[str, bytes], place: str, code: str) -> bytes:
    """A snapshot of the memory of a page's Python after *code*; its *files* are in *place*.

    Empty without node.  A page has to put the files in place before it resumes the snapshot.
    """
    return _by_node(_REMEMBER, files, python, place, code)


def join_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Join files: a line with names and sizes as JSON, then their bytes."""
    entries = list(files)
    head = json.dumps([[name, len(data)] for name, data in entries])
    return b"".join([head.encode(), b"\n", *(data for _, data in entries)])


def _by_node(script: str, archive: bytes, python: dict[str, bytes], *words: str) -> bytes:
    """Run a script in node with Pyodide and another file; returns what it writes, or nothing."""
    node = shutil.which("node")
    if node is None:
        return b""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for file, data in python.items():
            (place / file).write_bytes(data)
        (place / "given").write_bytes(archive)
        files = [str(place / file) for file in ("pyodide.mjs", "given", "made")]
        command = [node, "--input-type=module", "-e", script, *files, *words]
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=_WAIT
            )
        except subprocess.TimeoutExpired:
            raise RulewrightError(f"Pyodide takes more than {_WAIT:.0f} s for it") from None
        if run.returncode:
            raise RulewrightError(f"Pyodide does not take the library: {run.stderr[-500:]}")
        return (place / "made").read_bytes()


def _cache_place() -> Path:
    return user_data_path("rulewright", appauthor=False) / f"pyodide-{VERSION}"


def _read(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder, and check their digests."""
    files = {}
    for name, digest in FILES.items():
        data = read_bytes(folder / name)
        if hashlib.sha256(data).hexdigest() != digest:
            raise RulewrightError(f"{folder / name} is not that of Pyodide {VERSION}")
        files[name] = data
    return files


def _fetch(folder: Path) -> None:
    """Fetch the package by npm, check the digests, and write its files into a folder."""
    npm = shutil.which("npm")
    if npm is None:
        raise RulewrightError(
            f"Pyodide {VERSION} is needed and there is no npm to fetch it with; "
            "--pyodide DIR names a folder that holds its files"
        )
    with tempfile.TemporaryDirectory() as place:
        command = [npm, "install", "--silent", "--no-fund", "--no-audit", "--ignore-scripts"]
        words = [*command, "--prefix", place, f"pyodide@{VERSION}"]
        try:
            run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_WAIT)
        except subprocess.TimeoutExpired:
            raise RulewrightError(f"npm does not fetch Pyodide in {_WAIT:.0f} s") from None
        if run.returncode:
            raise RulewrightError(f"npm cannot fetch Pyodide {VERSION}: {run.stderr.strip()[:300]}")
        files = _read(Path(place) / "node_modules" / "pyodide")
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(files, key="pyodide.mjs".__eq__):  # last: it marks a complete folder
        write_whole(folder / name, files[name])
