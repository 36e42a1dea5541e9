"""The corpus of wrong files: `rejected/NN_topic.rules` and what the checker must say of each.

After a change of a message: `python -m tests.test_rejected --write`, and read the difference.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from rulewright import loading
from rulewright.language.codes import CODES
from rulewright.language.diagnostics import Diagnostic
from rulewright.loading import Report, check_bytes

FOLDER = Path(__file__).parent / "rejected"
TEXTS = sorted(FOLDER.glob("*.rules"))
BUNDLED = loading.bundled()


def check(path: Path) -> Report:
    return check_bytes(path.name, path.read_bytes())


def shown(path: Path) -> str:
    return "\n".join(d.render() for d in check(path).diagnostics) + "\n"


def expected(path: Path) -> Path:
    return path.with_suffix(".expected")


def words(diagnostic: Diagnostic) -> tuple[str, int, int]:
    return diagnostic.message, diagnostic.place.line, diagnostic.place.column


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_says_what_is_expected(path: Path) -> None:
    assert shown(path) == expected(path).read_text("utf-8")


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_says_everything_once(path: Path) -> None:
    report = check(path)
    assert report.diagnostics
    counted = Counter(words(d) for d in report.diagnostics)
    assert [w for w, times in counted.items() if times > 1] == []
    assert (report.game is None) == (not report.ok)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_game_has_nothing_to_complain_of(name: str) -> None:
    assert [d.render() for d in check(BUNDLED[name]).diagnostics] == []


def test_every_code_has_an_example() -> None:
    texts = [expected(path).read_text("utf-8") for path in TEXTS]
    found = {code for code in CODES if any(f"[{code}]" in text for text in texts)}
    assert set(CODES) - found == {"claim-fails"}  # to know that, the game must be played


def test_every_expected_file_has_its_text() -> None:
    assert {p.stem for p in FOLDER.glob("*.expected")} == {p.stem for p in TEXTS}


def write() -> None:
    """Write what the checker says now beside every text."""
    for stale in FOLDER.glob("*.expected"):
        stale.unlink()
    for path in TEXTS:
        expected(path).write_text(shown(path), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.test_rejected --write")
    write()
