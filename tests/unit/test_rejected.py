"""The corpus of wrong files: `rejected/NN_topic.rules` and what the checker must say of each.

Evaluators are called `eNN_topic.eval`, personalities `pNN_topic.personality`, patterns
`tNN_topic.patterns`, looks `lNN_topic.look`.

After a change of a message: `python -m tests.unit.test_rejected --write`, and read the difference.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from rulewright.games.files.games import RULES, bundled_games
from rulewright.games.files.kinds import check_file
from rulewright.language.diagnostics import CODES, Diagnostic
from tests.shared.places import REJECTED
from tests.shared.rejected import TEXTS, check

BUNDLED = bundled_games()


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
    whole = all(d.severity != "error" for d in report.diagnostics)
    assert report.model == (whole or path.suffix == ".look")  # which holds without faulty lines


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_game_has_nothing_to_complain_of(name: str) -> None:
    assert [d.render() for d in check(BUNDLED[name]).diagnostics] == []


def test_every_code_has_an_example() -> None:
    texts = [expected(path).read_text("utf-8") for path in TEXTS]
    found = {code for code in CODES if any(f"[{code}]" in text for text in texts)}
    played = {  # to know that, a game must be played
        "claim-fails", "claim-untested", "bad-record", "illegal-move", "slow", "too-slow",
        "slow-form", "compiler-fault", "cannot-begin",
    }  # fmt: skip
    assert set(CODES) - found == played


def test_thirty_mistakes_are_all_reported() -> None:
    report = check(REJECTED / "t01_thirty_mistakes.patterns")
    assert len(report.diagnostics) == 30
    assert len({d.place.line for d in report.diagnostics}) == 30


def test_every_expected_file_has_its_text() -> None:
    assert {p.stem for p in REJECTED.glob("*.expected")} == {p.stem for p in TEXTS}


def test_a_definition_that_only_cuts_the_board_may_name_what_it_cuts_away(tmp_path: Path) -> None:
    text = (REJECTED / "160_cut_away.rules").read_text("utf-8")
    path = tmp_path / "cut.rules"
    path.write_text(text.replace("win when gone full\n", ""))
    report = check_file(RULES, path.name, path.read_bytes())
    assert not report.diagnostics
    assert report.game is not None
    assert sorted(report.game.start().moves.texts) == ["a2", "b1", "b2", "b3", "c1", "c2", "c3"]


def write() -> None:
    """Write what the checker says now beside every text."""
    for stale in REJECTED.glob("*.expected"):
        stale.unlink()
    for path in TEXTS:
        expected(path).write_text(shown(path), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.unit.test_rejected --write")
    write()
