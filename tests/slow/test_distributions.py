"""Distributions, built as an installer would: both carry every file."""

from __future__ import annotations

import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from tests.shared.builds import distributions
from tests.shared.places import ROOT
from tests.shared.sample import chosen

DATA = ("grammar", "rulesets", "patterns", "templates")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both distributions as an installer would, and return their folder."""
    return distributions(tmp_path_factory)


def test_wheel_holds_the_package_and_its_data_and_nothing_else(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    code = {str(file.relative_to("interpreter")) for file in _files("interpreter/rulewright")}
    data = {f"rulewright/{file}" for folder in DATA for file in _files(folder)}
    assert "rulewright/py.typed" in code
    assert data
    assert code | data <= held
    made = [PurePosixPath(name) for name in held - code - data]
    assert {str(path.parent) for path in made} == {"rulewright/brought"}
    kinds = Counter(path.suffix for path in made)
    assert kinds[".model"] == kinds[".kernels"] == len(chosen())
    assert kinds[".card"] == 2 * len(chosen())  # what the list of games shows, and the lessons
    assert kinds[".x86-64"] in (0, len(chosen()))  # where LLVM is missing, none


def test_sdist_holds_everything_a_checkout_holds(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        held = {str(PurePosixPath(*PurePosixPath(n).parts[1:])) for n in sdist.getnames()}
    folders = ("interpreter", *DATA, "tests", "docs", "benchmarks")
    files = (file for folder in folders for file in _files(folder))
    made = ("built", "brought")  # when a wheel is made
    wanted = {str(file) for file in files if file.parent.name not in made}
    wanted |= {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "Makefile",
        "hatch_build.py",
        ".ci/run",
    }
    assert wanted <= held


def _files(folder: str) -> Iterator[Path]:
    """List the files under *folder*, relative to the root; caches and hidden files do not count."""
    for path in (ROOT / folder).rglob("*"):
        file = path.relative_to(ROOT)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in file.parts)
        if path.is_file() and not hidden:
            yield file
