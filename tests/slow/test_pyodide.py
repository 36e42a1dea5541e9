"""The whole library in a page: Pyodide under node installs the wheel, plays and searches.

Pyodide is a tool of developers: `npm install --prefix .node pyodide@314.0.7`.  Its internal names
that kernels need are those of this version.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import attr
import attrs
import lark
import platformdirs
import pytest

from tests.shared.builds import distributions
from tests.shared.engines import NODE, OUTSIDE, PYODIDE, needs_node, needs_pyodide, output
from tests.shared.sample import of_the_day

PACKAGES = (attr, attrs, lark, platformdirs)
"""What the wheel needs of others: all of it plain Python."""


@pytest.fixture
def archives(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel, and the packages that it needs as they are installed here."""
    others = tmp_path / "others.zip"
    with zipfile.ZipFile(others, "w") as packed:
        for package in PACKAGES:
            folder = Path(str(package.__file__)).parent
            for file in folder.rglob("*.*"):
                if "__pycache__" not in file.parts and file.is_file():
                    packed.write(file, folder.name / file.relative_to(folder))
    return [*distributions(tmp_path_factory).glob("*.whl"), others]


@needs_node
@needs_pyodide
def test_chess_and_twixt_in_a_page(archives: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMES", ",".join(of_the_day("chess", "twixt")))
    file = OUTSIDE / "in_page.py"
    in_page = json.loads(output(NODE, OUTSIDE / "page.mjs", PYODIDE, file, *archives))
    here = json.loads(output(sys.executable, file))
    for found, wanted in zip(in_page, here, strict=True):
        assert found.pop("kernels") == ["wasm"]
        assert wanted.pop("kernels") == ["native"]
        assert found == wanted
        assert found["timed"]
