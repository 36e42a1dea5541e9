"""docs/origins.md: what it names is there, and no text of the four first games is left out."""

from __future__ import annotations

import re

import pytest

from tests.shared.places import DOCS, ROOT, RULESETS, TESTS

PAGE = (DOCS / "origins.md").read_text("utf-8")
SPANS = re.findall(r"`([^`\n]+)`", PAGE)
FIRST = ("connect5", "conniption", "spanit", "twixt")
SUFFIXES = (".rules", ".eval", ".personality", ".patterns")


FOLDERS = (RULESETS, ROOT / "patterns")
OWN = sorted(
    f"{game}/{file.stem}"
    for folder in FOLDERS
    for game in FIRST
    for file in (folder / game).glob("*")
    if file.suffix in SUFFIXES
)


@pytest.mark.parametrize("name", sorted({s for s in SPANS if "::" in s}))
def test_a_test_that_is_named_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    assert f"def {function}(" in (TESTS / file).read_text("utf-8")


@pytest.mark.parametrize("name", sorted({s for s in SPANS if re.fullmatch(r"[\w/]+\.\w+", s)}))
def test_a_file_that_is_named_is_there(name: str) -> None:
    homes = [*FOLDERS, TESTS, ROOT, *(folder / game for folder in FOLDERS for game in FIRST)]
    assert any((home / name).is_file() for home in homes)


@pytest.mark.parametrize("text", sorted({*OWN}))
def test_no_text_of_the_first_games_is_left_out(text: str) -> None:
    words = {word for span in SPANS for word in re.findall(r"\w+", span)}
    name = text.partition("/")[2]
    assert name in words or name.removesuffix("_steady") in words
