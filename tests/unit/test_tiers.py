"""Guards of the tests themselves: each stands in a tier, and no test leans on another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared.places import TESTS
from tests.shared.trees import nodes_of, tree_of

TIERS = ("unit", "agreement", "games", "slow")


def imported(tree: ast.Module) -> Iterator[str]:
    """The full name of all that a module of the tests imports; relative ones by their last name."""
    for node in nodes_of(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names):
                yield from (f"{module or ''}.{alias.name}" for alias in names)


def leans_on_tests(tree: ast.Module) -> list[str]:
    """The imports of a module that name a test module, a tier, or what pytest configures."""
    tiers = tuple(f"tests.{tier}" for tier in TIERS)
    return [
        name
        for name in imported(tree)
        if name.startswith(tiers)
        or any(part.startswith("test_") or part == "conftest" for part in name.split(".")[:-1])
    ]


def test_nothing_imports_a_test() -> None:
    found = {
        str(path.relative_to(TESTS)): leans_on_tests(tree_of(path)) for path in TESTS.rglob("*.py")
    }
    assert len(found) > 100
    assert {file: names for file, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from tests.unit.test_cli import run",
        "from .test_cli import run",
        "import tests.games.test_docs",
        "from tests.games import test_docs",
        "from tests.conftest import run",
    ],
)
def test_leaning_on_a_test_is_reported(text: str) -> None:
    assert leans_on_tests(ast.parse(text))


def test_every_test_stands_in_a_tier_and_shared_modules_in_none() -> None:
    files = [path.relative_to(TESTS) for path in TESTS.rglob("*.py")]
    tests = [path for path in files if path.name.startswith("test_")]
    assert {path.parts[0] for path in tests} == set(TIERS)
    others = {path for path in files if path.parts[0] in TIERS and path not in tests}
    assert {path.name for path in others} == {"__init__.py", "conftest.py"}


def test_only_the_slow_tier_is_slow() -> None:
    assert not (Path(__file__).parent / "conftest.py").exists()
    marked = [
        path.name
        for path in TESTS.rglob("test_*.py")
        if ".mark." + "slow" in path.read_text("utf-8")
    ]
    assert marked == []
